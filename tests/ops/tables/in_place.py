"""In-place forms of elementwise operations."""

from __future__ import annotations

from tests.parity import Case, case

SINGLES = [((3,),), ((),), ((2, 3),), ((0,),)]
PAIRS = [((3,), (3,)), ((2, 3), (3,))]
MATRIX = [((2, 3),), ((3,),)]

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
    "frac": "any",
    "deg2rad": "any",
    "rad2deg": "any",
}
STEPS = ("sign", "floor", "ceil", "round", "trunc", "fix")


def in_place(name: str, domain: str, **options: object) -> Case:
    return case(
        f"a.{name}_()", lambda T, a: getattr(a * 1, f"{name}_")(), SINGLES, domain=domain, **options
    )


CASES = [
    *[in_place(name, domain) for name, domain in IN_PLACE.items()],
    *[in_place(name, "any", gradcheck=False) for name in STEPS],
    case(
        "a.nan_to_num_",
        lambda T, a: (a / 0).nan_to_num_(posinf=3.0),
        [([-1.0, 2.0],)],
        gradcheck=False,
    ),
    case("a.renorm_", lambda T, a: (a * 1).renorm_(2, 0, 0.7), [((2, 3),)]),
    case("a.clamp_", lambda T, a: (a * 1).clamp_(-0.5, 0.5), SINGLES),
    case("a.clamp_(tensor)", lambda T, a, b: (a * 1).clamp_(max=b), PAIRS),
    case("a.remainder_", lambda T, a: (a * 1).remainder_(0.7), SINGLES),
    case("a.pow_(tensor)", lambda T, a, b: (a * 1).pow_(b), PAIRS, domain="positive"),
    case("a.eq_", lambda T, a: (a * 1).eq_(0), SINGLES, gradcheck=False),
    case("a.lt_(tensor)", lambda T, a, b: (a * 1).lt_(b), PAIRS, gradcheck=False),
    case("a.cumsum_", lambda T, a: (a * 1).cumsum_(0), MATRIX),
    case("a.cumprod_", lambda T, a: (a * 1).cumprod_(-1), MATRIX),
    case("F.elu in place", lambda T, a: T.nn.functional.elu(a * 1, 0.7, True), SINGLES),
    case(
        "F.leaky_relu in place", lambda T, a: T.nn.functional.leaky_relu(a * 1, 0.2, True), SINGLES
    ),
    case("F.silu in place", lambda T, a: T.nn.functional.silu(a * 1, True), SINGLES),
]
