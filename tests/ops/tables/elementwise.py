"""Functions of one number, element by element."""

from __future__ import annotations

import math

from tests.parity import Case, case

SINGLES = [((3,),), ((),), ((2, 3),), ((0,),)]
AT_ZERO = [([-1.0, 0.0, 2.0],)]
PAIRS = [((3,), (3,)), ((2, 1), (3,))]


def named(name: str, domain: str = "any", **options: object) -> list[Case]:
    """A function that is both `torch.name(a)` and `a.name()`."""
    return [
        case(f"torch.{name}", lambda T, a: getattr(T, name)(a), SINGLES, domain=domain, **options),
        case(f"a.{name}", lambda T, a: getattr(a, name)(), SINGLES[:1], domain=domain, **options),
    ]


CASES = [
    *named("exp"),
    *named("exp2"),
    *named("expm1"),
    *named("log", "positive"),
    *named("log2", "positive"),
    *named("log10", "positive"),
    *named("log1p", "positive"),
    *named("sqrt", "positive"),
    *named("rsqrt", "positive"),
    *named("sin"),
    *named("cos"),
    *named("tan", "symmetric"),
    *named("asin", "symmetric"),
    *named("acos", "symmetric"),
    *named("atan"),
    *named("sinh"),
    *named("cosh"),
    *named("tanh"),
    *named("asinh"),
    *named("acosh", "over one"),
    *named("atanh", "symmetric"),
    *named("sigmoid"),
    *named("relu"),
    *named("abs"),
    *named("neg"),
    *named("sign", gradcheck=False),
    *named("floor", gradcheck=False),
    *named("ceil", gradcheck=False),
    *named("round", gradcheck=False),
    *named("trunc", gradcheck=False),
    *named("fix", gradcheck=False),
    *named("frac"),
    *named("deg2rad"),
    *named("rad2deg"),
    *named("clone"),
    case("torch.relu at zero", lambda T, a: T.relu(a), AT_ZERO, gradcheck=False),
    case("torch.abs at zero", lambda T, a: T.abs(a), AT_ZERO, gradcheck=False),
    case("torch.sqrt at zero", lambda T, a: T.sqrt(a), [([0.0, 4.0],)], gradcheck=False),
    case("torch.log at zero", lambda T, a: T.log(a), [([0.0, 4.0],)], gradcheck=False),
    case("a ** 0.5 at zero", lambda T, a: a**0.5, [([0.0, 4.0],)], gradcheck=False),
    case("a.clamp(-1, 1)", lambda T, a: a.clamp(-1, 1), SINGLES),
    case("a.clamp(min=0)", lambda T, a: a.clamp(min=0), SINGLES),
    case("a.clamp(max=0.5)", lambda T, a: a.clamp(max=0.5), SINGLES),
    case(
        "a.clamp(tensor, tensor)",
        lambda T, a, b, c: a.clamp(b, c),
        [([-1.0, 0.5, 3.0], [0.0, 0.0, 0.0], [1.0, 1.0, 2.0])],
    ),
    case("torch.clamp", lambda T, a: T.clamp(a, 0.25, 0.75), SINGLES),
    case("clamp on the bound", lambda T, a: a.clamp(0, 2), AT_ZERO, gradcheck=False),
    case("F.relu", lambda T, a: T.nn.functional.relu(a), SINGLES),
    case("F.gelu", lambda T, a: T.nn.functional.gelu(a), SINGLES),
    case("F.gelu tanh", lambda T, a: T.nn.functional.gelu(a, approximate="tanh"), SINGLES),
    case("F.silu", lambda T, a: T.nn.functional.silu(a), SINGLES),
    case("F.softplus", lambda T, a: T.nn.functional.softplus(a), SINGLES),
    case("F.elu", lambda T, a: T.nn.functional.elu(a), SINGLES),
    case("F.leaky_relu", lambda T, a: T.nn.functional.leaky_relu(a, 0.1), SINGLES),
    case("F.sigmoid", lambda T, a: T.nn.functional.sigmoid(a), SINGLES),
    case("F.tanh", lambda T, a: T.nn.functional.tanh(a), SINGLES),
    case(
        "F.dropout in evaluation", lambda T, a: T.nn.functional.dropout(a, 0.5, False) * 1, SINGLES
    ),
    case(
        "F.dropout in training",
        lambda T, a: T.nn.functional.dropout(a, 0.5),
        [((4, 5),), ((3,),)],
        gradcheck=False,
    ),
    case("F.logsigmoid", lambda T, a: T.nn.functional.logsigmoid(a), SINGLES),
    case("a.half", lambda T, a: a.half() * 1, SINGLES, gradcheck=False),
    case("a.type_as", lambda T, a: a.type_as(T.ones(1, dtype=T.float64)) * 1, SINGLES),
    case("a.double", lambda T, a: a.double() * 1, SINGLES, gradcheck=False),
    case("a.float", lambda T, a: a.float() * 1, SINGLES, gradcheck=False),
    case("a.to(float64)", lambda T, a: a.to(T.float64) * 1, SINGLES, gradcheck=False),
    case("torch.erf", lambda T, a: T.erf(a), SINGLES),
    case("torch.erfinv", lambda T, a: T.erfinv(a), SINGLES, domain="symmetric"),
    case("torch.square", lambda T, a: T.square(a), SINGLES),
    case("a.round(decimals=1)", lambda T, a: a.round(decimals=1), SINGLES, gradcheck=False),
    case("torch.erf far out", lambda T, a: T.erf(a), [([-9.0, -3.0, 1e-9, 0.0, 2.7, 9.0],)]),
    case("torch.erfinv towards its ends", lambda T, a: T.erfinv(a), [([-0.99, -1e-9, 0.0, 0.9],)]),
    case(
        "torch.nan_to_num",
        lambda T, a: T.nan_to_num(a / T.tensor([0.0, 0.0, 0.0, 2.0]), 0.5, None, -7.0),
        [([1.0, -1.0, 0.0, 3.0],)],
        gradcheck=False,
    ),
    *named("lgamma", "positive"),
    *named("digamma", "positive"),
    *named("erfc"),
    *named("sinc", "over one"),
    *named("logit", "unit"),
    case("torch.logit with eps", lambda T, a: T.logit(a, 0.3), [([0.2, 0.4, 0.6, 0.9],)]),
    case(
        "torch.lgamma of negative numbers", lambda T, a: T.lgamma(a), [([-0.5, -1.7, 3.0, 40.0],)]
    ),
    case(
        "torch.igamma",
        lambda T, a: T.igamma(T.tensor(1.5, dtype=a.dtype), a),
        SINGLES,
        domain="positive",
    ),
    case(
        "a.igammac",
        lambda T, a: T.tensor([12.5], dtype=a.dtype).igammac(8 * a),
        SINGLES,
        domain="positive",
    ),
    case(
        "torch.special.gammainc far out",
        lambda T, a: T.special.gammainc(T.tensor([[0.01], [2.0], [19.0]], dtype=a.dtype), a),
        [([0.001, 2.0, 18.0, 25.0, 90.0],)],
        gradcheck=False,
    ),
    case(
        "parts of gamma at the ends",
        lambda T, a, b: T.igamma(a.detach(), b) + 2 * T.igammac(a.detach(), b),
        [
            (
                [0.0, 0.0, 1.0, -1.0, 1.0, math.inf, math.inf, 2.0, math.nan, 1.0],
                [0.0, 1.0, 0.0, 1.0, -1.0, math.inf, 1.0, math.inf, 1.0, math.nan],
            )
        ],
        gradcheck=False,
    ),
    case("torch.polygamma", lambda T, a: T.polygamma(2, a), SINGLES, domain="over one"),
    case("a.polygamma", lambda T, a: a.polygamma(0), SINGLES, domain="positive"),
    case("torch.xlogy", lambda T, a, b: T.xlogy(a, b), PAIRS, domain="positive"),
    case("torch.xlogy with a number", lambda T, a: T.xlogy(a, 3.0), SINGLES, domain="positive"),
    case("torch.xlogy of a number", lambda T, a: T.xlogy(2, a), SINGLES, domain="positive"),
    case(
        "torch.xlogy at zero",
        lambda T, a, b: T.xlogy(a, b),
        [([0.0, 0.0, 2.0], [0.0, -1.0, 3.0])],
        gradcheck=False,
    ),
    case("torch.logaddexp", lambda T, a, b: T.logaddexp(a, b), PAIRS),
    case("a.logaddexp2", lambda T, a, b: a.logaddexp2(b), PAIRS),
    case("special.entr", lambda T, a: T.special.entr(a), SINGLES, domain="positive"),
    case("special.ndtr", lambda T, a: T.special.ndtr(a), SINGLES),
    case("special.xlog1py", lambda T, a, b: T.special.xlog1py(a, b), PAIRS, domain="positive"),
    case(
        "special.xlog1py with a number",
        lambda T, a: T.special.xlog1py(a, 2) + T.special.xlog1py(2, a),
        SINGLES,
        domain="positive",
    ),
    case("special.expit", lambda T, a: T.special.expit(a), SINGLES[:1]),
    case("special.softmax", lambda T, a: T.special.softmax(a, 0), SINGLES[:1]),
    case("a.round(decimals)", lambda T, a: a.round(decimals=1), SINGLES, gradcheck=False),
]
