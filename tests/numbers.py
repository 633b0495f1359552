"""Whether two printed texts say the same: all but the last digits of numbers that were computed.

In which order a sum is added up depends on the processor, and so does its last digit: PyTorch
itself prints 4.843245 on one machine and 4.843246 on another. What two libraries print, and what is
stored and what is printed now, is therefore compared by `alike`. Words, spaces and integers must be
the same, `nan` and `inf` too, and so must numbers of few digits: somebody wrote them (`lr: 0.1`,
`0.999`, `eps=1e-08`), or rounding has hidden the digits in question.
"""

from __future__ import annotations

import re

NUMBER = re.compile(r"( *-?(?<![\w.])\d+(?:\.\d*(?:e[-+]?\d+)?|e[-+]?\d+)(?!\w|\.\d))")
"""A number with a point or an exponent, and the spaces before it: a minus takes the place of one.
What is part of a word (`x1.5`) or of a version (1.0.2) is text."""

DIGITS = 4
"""What is printed with so many decimals (0.0027), or digits that count (12.72), was computed."""

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
