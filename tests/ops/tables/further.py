"""More elementwise operations, reductions and activations, and the in-place forms."""

from __future__ import annotations

from tests.parity import Case, case

SINGLES = [((3,),), ((),), ((2, 3),), ((0,),)]
PAIRS = [((3,), (3,)), ((2, 3), (3,)), ((), (2, 1)), ((2, 1), (1, 3)), ((0, 3), (3,))]
TRIPLES = [((3,), (3,), (3,)), ((2, 3), (3,), ()), ((2, 1), (1, 3), (2, 3))]
MATRIX = [((2, 3),), ((3,),)]
NOT_NUMBERS = [([1.0, float("nan"), 3.0, float("inf")],)]

IN_PLACE: dict[str, str] = {
    "exp": "any",
    "exp2": "any",
    "expm1": "any",
    "log": "positive",
    "log1p": "positive",
    "sqrt": "positive",
    "rsqrt": "positive",
    "reciprocal": "positive",
    "sin": "any",
    "cos": "any",
    "tan": "symmetric",
    "asin": "symmetric",
    "tanh": "any",
    "sigmoid": "any",
    "relu": "any",
    "abs": "any",
    "neg": "any",
    "square": "any",
    "erf": "any",
    "erfinv": "symmetric",
}
STEPS = ("sign", "floor", "ceil", "round", "trunc")


def in_place(name: str, domain: str, **options: object) -> Case:
    return case(
        f"a.{name}_()", lambda T, a: getattr(a * 1, f"{name}_")(), SINGLES, domain=domain, **options
    )


def forward(name: str, function: object, shapes: object, **options: object) -> Case:
    return case(name, function, shapes, forward_only=True, **options)


CASES = [
    *[in_place(name, domain) for name, domain in IN_PLACE.items()],
    *[in_place(name, "any", gradcheck=False) for name in STEPS],
    case("torch.erf far out", lambda T, a: T.erf(a), [([-9.0, -3.0, 1e-9, 0.0, 2.7, 9.0],)]),
    case("torch.erfinv towards its ends", lambda T, a: T.erfinv(a), [([-0.99, -1e-9, 0.0, 0.9],)]),
    case(
        "torch.nan_to_num",
        lambda T, a: T.nan_to_num(a / T.tensor([0.0, 0.0, 0.0, 2.0]), 0.5, None, -7.0),
        [([1.0, -1.0, 0.0, 3.0],)],
        gradcheck=False,
    ),
    case(
        "a.nan_to_num_",
        lambda T, a: (a / 0).nan_to_num_(posinf=3.0),
        [([-1.0, 2.0],)],
        gradcheck=False,
    ),
    case("a.round(decimals)", lambda T, a: a.round(decimals=1), SINGLES, gradcheck=False),
    case("torch.div floor", lambda T, a: T.div(a, 0.7, rounding_mode="floor"), SINGLES),
    case("a.clamp(tensors)", lambda T, a, b, c: a.clamp(b, c), TRIPLES, gradcheck=False),
    case("a.clamp(min=tensor)", lambda T, a, b: a.clamp(min=b), PAIRS),
    case("a.clamp(max=tensor)", lambda T, a, b: a.clamp(max=b), PAIRS),
    case("a.clamp_", lambda T, a: (a * 1).clamp_(-0.5, 0.5), SINGLES),
    case("a.clamp_(tensor)", lambda T, a, b: (a * 1).clamp_(max=b), PAIRS[:2]),
    case("a.remainder_", lambda T, a: (a * 1).remainder_(0.7), SINGLES),
    case("a.pow_(tensor)", lambda T, a, b: (a * 1).pow_(b), PAIRS[:2], domain="positive"),
    case("a.eq_", lambda T, a: (a * 1).eq_(0), SINGLES, gradcheck=False),
    case("a.lt_(tensor)", lambda T, a, b: (a * 1).lt_(b), PAIRS[:2], gradcheck=False),
    case("a.cumsum_", lambda T, a: (a * 1).cumsum_(0), MATRIX),
    case("a.cumprod_", lambda T, a: (a * 1).cumprod_(-1), MATRIX),
    case("a.cumprod(0) with zeros", lambda T, a: a.cumprod(0), [([2.0, 0.0, 3.0, 0.0, 4.0],)]),
    forward("a.count_nonzero(0)", lambda T, a: a.round().count_nonzero(0), MATRIX),
    case("F.elu in place", lambda T, a: T.nn.functional.elu(a * 1, 0.7, True), SINGLES),
    forward("torch.isclose", lambda T, a: T.isclose(a, a.round(), atol=0.4), SINGLES),
    forward("torch.logical_and", lambda T, a, b: T.logical_and(a.round(), b), PAIRS),
    forward("torch.logical_xor", lambda T, a, b: T.logical_xor(a.round(), b), PAIRS),
    forward("a & b", lambda T, a: (a > 0) & (a < 1), SINGLES),
    forward("~a", lambda T, a: ~(a > 0), SINGLES),
    forward("integer a ^ 3", lambda T, a: (a * 9).long() ^ 3, SINGLES),
    case("F.softplus beta", lambda T, a: T.nn.functional.softplus(a * 9, 2, 15), SINGLES),
    case(
        "F.leaky_relu in place", lambda T, a: T.nn.functional.leaky_relu(a * 1, 0.2, True), SINGLES
    ),
    case("F.silu in place", lambda T, a: T.nn.functional.silu(a * 1, True), SINGLES),
    case("a.max(0, keepdim)", lambda T, a: tuple(a.max(0, keepdim=True)), MATRIX),
    case("a.median(-1, True)", lambda T, a: tuple(a.median(-1, True)), MATRIX),
    case(
        "a.nanmedian(0) with nan", lambda T, a: tuple(a.nanmedian(0)), NOT_NUMBERS, gradcheck=False
    ),
    case("a.prod() with two zeros", lambda T, a: a.prod(), [([2.0, 0.0, 0.0],)]),
    case("a.norm(0.5)", lambda T, a: a.norm(0.5), MATRIX),
    case("a.norm(1.5, 0)", lambda T, a: a.norm(1.5, 0), MATRIX),
    case("a.norm(-inf)", lambda T, a: a.norm(float("-inf")), MATRIX),
    case("a.var(0, False, True)", lambda T, a: a.var(0, False, True), MATRIX),
    case("a.std(unbiased)", lambda T, a: a.std(unbiased=False), MATRIX),
    case("a.var(correction=2)", lambda T, a: a.var(correction=2), MATRIX),
]
