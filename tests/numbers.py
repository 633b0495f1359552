"""Whether two printed texts say the same: all but the last digits of numbers that were computed.

In which order a sum is added up depends on the processor, and so does its last digit: PyTorch
itself prints 4.843245 on one machine and 4.843246 on another. What two libraries print, and what is
stored and what is printed now, is therefore compared by `alike`. Words, spaces and integers must be
the same, `nan` and `inf` too, and so must numbers of few digits: they are literals (`lr: 0.1`,
`0.999`, `eps=1e-08`), or rounded.

`compare` goes through plain data in the same spirit: numbers by tolerance, texts by `alike`, and
everything else must be equal.
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

NUMBER = re.compile(r"( *-?(?<![\w.])\d+(?:\.\d*(?:e[-+]?\d+)?|e[-+]?\d+)(?!\w|\.\d))")
"""A number with a point or an exponent, and the spaces before it: a minus takes the place of one.
What is part of a word (`x1.5`) or of a version (1.0.2) is text."""

DIGITS = 4
"""Decimals (0.0027) or significant digits (12.72) from which on a printed number was computed."""

RELATIVE = 1e-5
"""How far a few hundred operations in float32 may lead apart."""


def alike(one: str, other: str) -> bool:
    """Whether the texts are the same but for one unit of the last digit of computed numbers.

    >>> alike("epoch 3, loss 4.843245", "epoch 3, loss 4.843246")
    True
    >>> alike("epoch 3, loss 4.843245", "epoch 3, loss 4.853245")
    False
    """
    if one == other:
        return True
    first, second = NUMBER.split(one), NUMBER.split(other)  # text and numbers in turn
    return first[::2] == second[::2] and all(map(near, first[1::2], second[1::2]))


def near(one: str, other: str) -> bool:
    """Whether two printed numbers may be the same sum, added up in different orders."""
    if one == other:
        return True
    last_digit = max(unit(one), unit(other))
    if not last_digit or one.strip() == other.strip():  # written by hand; in another column
        return False
    a, b = float(one), float(other)
    return abs(a - b) <= last_digit + RELATIVE * max(abs(a), abs(b))


def unit(number: str) -> float:
    """The worth of a one in the last digit of a computed number; 0 for any other."""
    digits, _, exponent = number.partition("e")
    decimals = len(digits.partition(".")[2])
    that_count = len(re.sub(r"\D", "", digits).lstrip("0"))
    if decimals == 0 or max(decimals, that_count) < DIGITS:
        return 0.0
    return 10.0 ** (int(exponent or "0") - decimals)


class Printed(str):
    """A text that equals each that is `alike`: for what compares texts itself, alone or in lists.

    >>> [Printed("tensor(0.1179)")] == ["tensor(0.1178)"]
    True
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment] # what is equal to many has no hash of its own

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and alike(str(self), str(other))

    def __ne__(self, other: object) -> bool:
        return not self == other


TOLERANCES = {  # dtype -> relative, and absolute for a result whose elements are up to 1
    "float16": (2e-3, 2e-3),
    "float32": (1e-5, 2e-6),
    "float64": (1e-9, 1e-11),
}


def compare(one: Any, other: Any, where: str = "") -> None:
    """Fail with the place and both sides where two pieces of plain data differ.

    >>> compare({"sum": 0.30000001}, {"sum": 0.3})
    >>> compare([1, (2, 3)], [1, (2, 4)])
    Traceback (most recent call last):
    AssertionError: [1][1]:
    3
    4
    """
    assert type(one) is type(other), f"{where}:\n{one}\n{other}"
    if isinstance(one, np.ndarray):
        compare_arrays(one, other, where)
    elif hasattr(one, "__dataclass_fields__"):
        for name in one.__dataclass_fields__:
            compare(getattr(one, name), getattr(other, name), f"{where}.{name}")
    elif isinstance(one, dict):
        assert list(one) == list(other), f"{where}:\n{one}\n{other}"
        for key in one:
            compare(one[key], other[key], f"{where}.{key}")
    elif isinstance(one, (list, tuple)):
        assert len(one) == len(other), f"{where}:\n{one}\n{other}"
        for index, (a, b) in enumerate(zip(one, other, strict=True)):
            compare(a, b, f"{where}[{index}]")
    elif isinstance(one, float):
        assert math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6) or (
            math.isnan(one) and math.isnan(other)
        ), f"{where}:\n{one}\n{other}"
    elif isinstance(one, str):
        assert alike(one, other), f"{where}:\n{one}\n{other}"
    else:
        assert one == other, f"{where}:\n{one}\n{other}"


def compare_arrays(one: np.ndarray, other: np.ndarray, where: str) -> None:
    assert one.dtype == other.dtype, f"{where}.dtype:\n{one.dtype}\n{other.dtype}"
    assert one.shape == other.shape, f"{where}.shape:\n{one.shape}\n{other.shape}"
    if one.tobytes() == other.tobytes():  # most are, and the rest takes time
        return
    relative, absolute = TOLERANCES.get(one.dtype.name, (0, 0))
    if relative and np.allclose(one, other, relative, absolute, equal_nan=True):
        return
    finite = other[np.isfinite(other)]
    if finite.size:  # a small element of a large result has the error of a large one
        absolute *= max(1.0, np.abs(finite).max())
    np.testing.assert_allclose(one, other, rtol=relative, atol=absolute, err_msg=f"{where}.values")
