"""Arithmetic and comparison: two operands, or one and a Python number, in every spelling."""

from __future__ import annotations

import operator
from typing import Any

from tests.parity import Case, case

PAIRS = [((3,), (3,)), ((2, 3), (3,)), ((), (2, 1)), ((2, 1), (1, 3)), ((), ()), ((0, 3), (3,))]
SINGLES = [((3,),), ((),), ((2, 3),), ((0,),)]

BROADCAST = [((3,), (3,)), ((2, 3), (3,)), ((), (2, 1)), ((2, 1), (1, 3)), ((0, 3), (3,))]
TRIPLES = [((3,), (3,), (3,)), ((2, 3), (3,), ()), ((2, 1), (1, 3), (2, 3))]
IN_PLACE = [((3,), (3,), (3,)), ((2, 3), (3,), ()), ((2, 3), (1, 3), (2, 1))]
"""Inputs of an in-place form, whose first one has the shape of the result."""


def forward(name: str, function: Any, shapes: Any) -> Case:
    """A case without a gradient."""
    return case(name, function, shapes, forward_only=True)


CASES = [
    case("a + b", lambda T, a, b: a + b, PAIRS),
    case("a + 2", lambda T, a: a + 2, SINGLES),
    case("2.5 + a", lambda T, a: 2.5 + a, SINGLES),
    case("torch.add", lambda T, a, b: T.add(a, b), PAIRS),
    case("torch.add alpha", lambda T, a, b: T.add(a, b, alpha=3), PAIRS),
    case("a.add", lambda T, a, b: a.add(b), PAIRS),
    case("a - b", lambda T, a, b: a - b, PAIRS),
    case("a - 2", lambda T, a: a - 2, SINGLES),
    case("2 - a", lambda T, a: 2 - a, SINGLES),
    case("torch.sub alpha", lambda T, a, b: T.sub(a, b, alpha=2), PAIRS),
    case("-a", lambda T, a: -a, SINGLES),
    case("+a", lambda T, a: +a * 1, SINGLES),
    case("a * b", lambda T, a, b: a * b, PAIRS),
    case("a * a", lambda T, a: a * a, SINGLES),
    case("a * 2", lambda T, a: a * 2, SINGLES),
    case("2.5 * a", lambda T, a: 2.5 * a, SINGLES),
    case("torch.mul", lambda T, a, b: T.mul(a, b), PAIRS),
    case("torch.multiply", lambda T, a, b: T.multiply(a, b), PAIRS),
    case("a / b", lambda T, a, b: a / b, PAIRS, domain="positive"),
    case("a / 2", lambda T, a: a / 2, SINGLES),
    case("2 / a", lambda T, a: 2 / a, SINGLES, domain="positive"),
    case("torch.div", lambda T, a, b: T.div(a, b), PAIRS, domain="positive"),
    case(
        "torch.div trunc",
        lambda T, a, b: T.div(a, b, rounding_mode="trunc"),
        [([7.5, -7.5, 3.0], [2.0, 2.0, 4.0])],
        gradcheck=False,
    ),
    case("a.reciprocal", lambda T, a: a.reciprocal(), SINGLES, domain="positive"),
    case(
        "a // b",
        lambda T, a, b: a.detach() // b.detach(),
        [([7.5, -7.5, 3.0], [2.0, 2.0, 4.0])],
        forward_only=True,
    ),
    case("a % 2", lambda T, a: a % 2, [([7.5, -7.5, 3.1],)]),
    case("a % b", lambda T, a, b: a % b, [([7.5, -7.5, 3.1], [2.0, 2.3, 4.0])]),
    case("a ** 2", lambda T, a: a**2, SINGLES),
    case("a ** 3", lambda T, a: a**3, SINGLES),
    case("a ** -1", lambda T, a: a**-1, SINGLES, domain="positive"),
    case("a ** 0.5", lambda T, a: a**0.5, SINGLES, domain="positive"),
    case("a ** 0", lambda T, a: a**0, SINGLES),
    case("a ** 1", lambda T, a: a**1, SINGLES),
    case("a ** b", lambda T, a, b: a**b, PAIRS, domain="positive"),
    case("2 ** a", lambda T, a: 2**a, SINGLES),
    case("torch.float_power(a, 2)", lambda T, a: T.float_power(a, 2), SINGLES, dtypes=("float64",)),
    case("torch.float_power(2, a)", lambda T, a: T.float_power(2, a), [((3,),)]),
    case(
        "torch.float_power(a, b)",
        lambda T, a, b: T.float_power(a, b),
        PAIRS,
        domain="positive",
        dtypes=("float64",),
    ),
    case(
        "a.float_power_(b)",
        lambda T, a, b: (a * 1).float_power_(b),
        [((2, 3), (2, 3))],
        domain="positive",
        dtypes=("float64",),
    ),
    case("torch.pow(a, 2)", lambda T, a: T.pow(a, 2), SINGLES),
    case("torch.pow(2, a)", lambda T, a: T.pow(2, a), SINGLES),
    case("torch.pow(a, b)", lambda T, a, b: T.pow(a, b), PAIRS, domain="positive"),
    case("a.pow(3)", lambda T, a: a.pow(3), SINGLES),
    case("a.square", lambda T, a: a.square(), SINGLES),
    case("0 ** b and a ** 0", lambda T, a, b: a**b, [([0.0, 2.0], [2.0, 0.0])], gradcheck=False),
    case("torch.maximum", lambda T, a, b: T.maximum(a, b), PAIRS),
    case("torch.minimum", lambda T, a, b: T.minimum(a, b), PAIRS),
    case("torch.fmax", lambda T, a, b: T.fmax(a, b), PAIRS),
    case("torch.fmin", lambda T, a, b: T.fmin(a, b), PAIRS),
    case(
        "torch.maximum, ties",
        lambda T, a, b: T.maximum(a, b),
        [([1.0, 2.0, 3.0], [1.0, 5.0, 3.0])],
        gradcheck=False,
    ),
    case(
        "torch.where",
        lambda T, c, a, b: T.where(c, a, b),
        [([True, False, True], (3,), (3,)), ([True, False, True], (2, 3), ())],
        integers=(0,),
    ),
    case(
        "torch.where, a number",
        lambda T, c, a: T.where(c, a, 0.0),
        [([True, False, True], (3,))],
        integers=(0,),
    ),
    *[
        case(
            f"a {sign} b",
            lambda T, a, b, compare=compare: compare(a, b),
            [([1.0, 2.0, 3.0], [1.0, 3.0, 2.0]), ((2, 3), (3,)), ((), (2,)), ((0,), (0,))],
            forward_only=True,
        )
        for sign, compare in {
            "==": operator.eq,
            "!=": operator.ne,
            "<": operator.lt,
            "<=": operator.le,
            ">": operator.gt,
            ">=": operator.ge,
        }.items()
    ],
    case("a > 0", lambda T, a: a > 0, SINGLES, forward_only=True),
    case("1 > a", lambda T, a: 1 > a, SINGLES, forward_only=True),
    case("a.div floor", lambda T, a: a.div(0.7, rounding_mode="floor"), SINGLES, gradcheck=False),
    case("torch.div floor", lambda T, a: T.div(a, 0.7, rounding_mode="floor"), SINGLES),
    case("a.clamp(tensors)", lambda T, a, b, c: a.clamp(b, c), TRIPLES, gradcheck=False),
    case("a.clamp(min=tensor)", lambda T, a, b: a.clamp(min=b), BROADCAST),
    case("a.clamp(max=tensor)", lambda T, a, b: a.clamp(max=b), BROADCAST),
    forward("torch.isclose", lambda T, a: T.isclose(a, a.round(), atol=0.4), SINGLES),
    forward("torch.logical_and", lambda T, a, b: T.logical_and(a.round(), b), BROADCAST),
    forward("torch.logical_xor", lambda T, a, b: T.logical_xor(a.round(), b), BROADCAST),
    forward("a & b", lambda T, a: (a > 0) & (a < 1), SINGLES),
    forward("~a", lambda T, a: ~(a > 0), SINGLES),
    forward("integer a ^ 3", lambda T, a: (a * 9).long() ^ 3, SINGLES),
    case("torch.addcmul", lambda T, a, b, c: T.addcmul(a, b, c), TRIPLES),
    case("a.addcmul(value)", lambda T, a, b, c: a.addcmul(b, c, value=0.7), TRIPLES),
    case("a.addcmul_", lambda T, a, b, c: (a * 1).addcmul_(b, c, value=-2), IN_PLACE),
    case("torch.addcdiv", lambda T, a, b, c: T.addcdiv(a, b, c), TRIPLES, domain="positive"),
    case(
        "a.addcdiv(value)",
        lambda T, a, b, c: a.addcdiv(b, c, value=0.7),
        TRIPLES,
        domain="positive",
    ),
    case(
        "a.addcdiv_",
        lambda T, a, b, c: (a * 1).addcdiv_(b, c, value=-2),
        IN_PLACE,
        domain="positive",
    ),
    case("torch.lerp", lambda T, a, b: T.lerp(a, b, 0.3), BROADCAST),
    case("torch.lerp beyond", lambda T, a, b: T.lerp(a, b, 1.5), BROADCAST[:2]),
    case("torch.lerp(tensor)", lambda T, a, b, c: T.lerp(a, b, c), TRIPLES),
    case("a.lerp_", lambda T, a, b: (a * 1).lerp_(b, 0.8), BROADCAST[:2]),
    case("a.lerp_(tensor)", lambda T, a, b, c: (a * 1).lerp_(b, c), IN_PLACE),
    case("torch.fmod", lambda T, a: T.fmod(a, 0.7), SINGLES),
    case("torch.fmod(tensor)", lambda T, a, b: T.fmod(a, b), BROADCAST, domain="positive"),
    case("a.fmod_", lambda T, a: (a * 1).fmod_(-0.7), SINGLES),
    case("torch.atan2", lambda T, a, b: T.atan2(a, b), BROADCAST),
    case("a.atan2_", lambda T, a, b: (a * 1).atan2_(b), BROADCAST[:2]),
    case("torch.arctan2", lambda T, a, b: T.arctan2(a, b), BROADCAST[:1]),
    case("torch.clamp_min", lambda T, a: T.clamp_min(a, 0.3), SINGLES),
    case("torch.clamp_max", lambda T, a: T.clamp_max(a, 0.3), SINGLES),
    case("torch.clamp_min(tensor)", lambda T, a, b: T.clamp_min(a, b), BROADCAST),
    case("torch.clamp_max(tensor)", lambda T, a, b: T.clamp_max(a, b), BROADCAST),
    case("a.clamp_min_", lambda T, a: (a * 1).clamp_min_(0.3), SINGLES),
    case("a.clamp_max_", lambda T, a, b: (a * 1).clamp_max_(b), BROADCAST[:2]),
    forward("integer << and >>", lambda T, a: ((a * 9).long() << 2, (a * 9).long() >> 1), SINGLES),
]
