"""Arithmetic and comparison: two operands, or one and a Python number, in every spelling."""

from __future__ import annotations

import operator

from tests.parity import case

PAIRS = [((3,), (3,)), ((2, 3), (3,)), ((), (2, 1)), ((2, 1), (1, 3)), ((), ()), ((0, 3), (3,))]
SINGLES = [((3,),), ((),), ((2, 3),), ((0,),)]

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
    case("torch.pow(a, 2)", lambda T, a: T.pow(a, 2), SINGLES),
    case("torch.pow(2, a)", lambda T, a: T.pow(2, a), SINGLES),
    case("torch.pow(a, b)", lambda T, a, b: T.pow(a, b), PAIRS, domain="positive"),
    case("a.pow(3)", lambda T, a: a.pow(3), SINGLES),
    case("a.square", lambda T, a: a.square(), SINGLES),
    case("0 ** b and a ** 0", lambda T, a, b: a**b, [([0.0, 2.0], [2.0, 0.0])], gradcheck=False),
    case("torch.maximum", lambda T, a, b: T.maximum(a, b), PAIRS),
    case("torch.minimum", lambda T, a, b: T.minimum(a, b), PAIRS),
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
]
