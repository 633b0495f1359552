"""Operands of a tensor: numbers that its type cannot hold, and values that are no numbers.

Each line is run by both libraries. Where PyTorch computes, the result is the same; where it
refuses, so is the type of the error and its first line.
"""

from __future__ import annotations

from typing import Any

import pytest

import minigrad
from tests.numbers import compare
from tests.ops.refusals import Library, outcome
from tests.parity import type_name
from tests.record import answer


def floats(T: Library) -> Any:
    return T.tensor([1.0, 2.0])


def bytes_(T: Library) -> Any:
    return T.tensor([1, 200], dtype=T.uint8)


def integers(T: Library) -> Any:
    return T.tensor([1, 2])


def halves(T: Library) -> Any:
    return T.tensor([1.0, 2.0], dtype=T.float16)


def bools(T: Library) -> Any:
    return T.tensor([True, False])


NUMBERS = (300, -1, 2**40, 2**63, 2**64, -(2**63) - 1, 2**2000, True, 2.5)
OPERATORS = ("&", "|", "^", "+", "-", "*", "/", "//", "%", "==", "<", ">=")
NO_NUMBERS = ("'a'", "[1]", "None", "{}", "(1.0, 2.0)", "b'x'")

WITH_NUMBERS = [
    line
    for op in OPERATORS
    for number in NUMBERS
    for line in (
        f"i {op} ({number})",
        f"u {op} ({number})",
        f"({number}) {op} u",
        f"x {op} ({number})",
    )
]
WITH_OTHERS = [
    line
    for op in (*OPERATORS, "**", "@")
    for value in NO_NUMBERS
    for line in (f"x {op} {value}", f"{value} {op} x")
]
POWERS = [
    "u ** 300", "u ** 2**40", "i ** 2**63", "i ** -1", "h ** 1e300", "h ** 2**40", "x ** 1e300",
    "300 ** u", "2**64 ** x", "u.pow_(300)",
]  # fmt: skip
CALLS = [
    "T.remainder(2, 3)", "T.pow(2, 3)", "T.bitwise_and(2, 3)", "T.bitwise_or(2, 3)",
    "T.bitwise_xor(2, 3)", "T.bitwise_not(2)", "T.add(2, 3)", "T.floor_divide(7, 2)",
    "T.remainder(self=7, other=i)", "T.pow(self=2, exponent=x)", "T.where(b, self=2, other=x)",
    "T.add(i, other=2)", "T.add(x1=i, x2=i)", "T.mul(input=i)", "T.neg(input=x)", "T.exp(x=3)",
    "T.true_divide(x, 2, rounding_mode='floor')", "T.add(x, 2, x)", "T.sub(x, 2, x)",
    "T.subtract(x, 2, 3)", "T.add(x, x, alpha=T.tensor(2.0))", "T.add(x, x, alpha=x)",
    "T.add(i, i, alpha=2.5)", "T.add(i, i, alpha=True)", "T.add(b, b, alpha=2)",
    "T.sub(5, True)", "T.sub(b, other=b)", "i.add_(2.5, alpha=True)",
    "b.div_(0, rounding_mode='floor')",
    "T.div(x, 2, rounding_mode=3)", "T.div(x, 2, rounding_mode='up')",
    "T.isclose(x, x, rtol=-1)", "T.isclose(x, x, atol=-1.5)", "T.allclose(x, x, -1)",
    "T.isclose(x, x, equal_nan=1)", "T.round(x, decimals=2.5)", "T.round(x, decimals=None)",
    "x.round(decimals=True)", "T.round(i, decimals=1)", "T.round(b, decimals=1)",
    "x.round(decimals=T.tensor(1))", "T.floor(b)", "T.ceil(b)", "T.trunc(b)", "T.abs(b)",
    "x.eq_({})", "x.ne_('a')", "u.lt_(-1)", "u.ge_(300)", "i.bitwise_or_(x)",
    "T.tensor(2).bitwise_or_(x)", "T.tensor(2).remainder_(x)", "i.remainder_(T.ones(3))",
    "i.floor_divide_(2.5)", "x & T.ones(3)", "T.where(i, x, 2**70)", "T.where(b, x, None)",
    "x.where(b, 'a')", "x.where(b)", "T.where([True], x, x)", "T.where(b, 300, u)",
    "T.where(b, -255, u)", "T.where(b, 1e300, x)", "T.where(b, 1e6, h)", "T.where(b, 2**63, i)",
]  # fmt: skip


def operands(T: Library) -> dict[str, Any]:
    """Return the values of the names in the lines."""
    values = {"x": floats, "u": bytes_, "i": integers, "h": halves, "b": bools}
    return {"T": T, **{name: value(T) for name, value in values.items()}}


def said(T: Library, line: str) -> Any:
    """How a line ends: the type and the values of its result, or the error's first line."""
    names = operands(T)
    found: list[Any] = []
    end = outcome(lambda: found.append(eval(line, names)))
    if end.type:
        return end.type, end.line
    (value,) = found
    return (type_name(value.dtype), value.tolist()) if hasattr(value, "dtype") else value


@pytest.mark.parametrize("line", [*WITH_NUMBERS, *WITH_OTHERS, *POWERS, *CALLS])
def test_same_as_torch(torch: Any, line: str) -> None:
    compare(said(minigrad, line), answer(torch, said, line))


def test_a_refused_call_changes_nothing() -> None:
    refused = 0
    for line in CALLS:
        names = operands(minigrad)
        before = {key: names[key].tolist() for key in "xuihb"}
        if outcome(lambda line=line, names=names: eval(line, names)).type:
            refused += 1
            assert {key: names[key].tolist() for key in "xuihb"} == before, line
    assert refused > 30
