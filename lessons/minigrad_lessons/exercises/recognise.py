"""Tests that compare an answer, as plain data (plain.py), with an expected value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .exercise import Test


def alike(seen: Any, expected: Any) -> bool:
    """Return whether two values are equal part by part; numbers may differ in the last digits.

    >>> alike([6.7500001, "leaf", [None, True]], [6.75, "leaf", [None, True]])
    True
    >>> alike(True, 1)
    False
    """
    if isinstance(expected, bool | None) or isinstance(seen, bool | None):
        return seen is expected
    if isinstance(expected, int | float):
        return isinstance(seen, int | float) and (
            math.isclose(seen, expected, rel_tol=1e-4, abs_tol=1e-6)
            or (math.isnan(seen) and math.isnan(expected))
        )
    if isinstance(expected, str):
        return isinstance(seen, str) and seen.strip() == expected
    if isinstance(expected, dict):
        return (
            isinstance(seen, dict)
            and seen.keys() == expected.keys()
            and all(alike(seen[key], expected[key]) for key in expected)
        )
    return (
        isinstance(seen, list)
        and len(seen) == len(expected)
        and all(alike(s, e) for s, e in zip(seen, expected, strict=True))
    )


def each(*expected: Any) -> Test:
    """Return a test for a list of these: numbers, words, lists of them.

    >>> each(6.75, [0, 1])([6.75, [0.0, 1.0]])
    True
    """
    return lambda seen: alike(seen, list(expected))


def number(expected: float) -> Test:
    """Return a test for this number, alone or in a list of one."""
    return lambda answer: math.isclose(value(answer), expected, rel_tol=1e-4, abs_tol=1e-6)


def value(answer: Any) -> float:
    """Return an answer as a number, also from a list of one. True and "7" are no numbers."""
    while isinstance(answer, list) and len(answer) == 1:
        answer = answer[0]
    if isinstance(answer, bool | str):
        raise TypeError(answer)
    return float(answer)


def word(expected: str) -> Test:
    """Return a test for this string; surrounding blanks are ignored."""
    return lambda answer: answer.strip() == expected


def listed(answer: Any) -> list[Any]:
    """Return a list; raise TypeError for anything else, including a string."""
    if not isinstance(answer, list):
        raise TypeError(type(answer))
    return answer


def numbers(answer: Any, expected: Sequence[float]) -> bool:
    """Return whether a flat list holds these numbers."""
    found = listed(answer)
    return len(found) == len(expected) and all(
        math.isclose(f, e, rel_tol=1e-4, abs_tol=1e-6) for f, e in zip(found, expected, strict=True)
    )


def named(*expected: str) -> Test:
    """Return a test for a list of exactly these names, in any order, blanks ignored.

    >>> named("a", "b")([" b", "a"])
    True
    """
    return lambda answer: {each.strip() for each in words(answer)} == set(expected)


def nothing(seen: Any) -> bool:
    """Return whether a function was called several times and always returned None."""
    return isinstance(seen, list) and bool(seen) and all(each is None for each in seen)


def letters(expected: str) -> Test:
    """Return a test for a list of exactly these letters, in any order and case.

    >>> letters("ace")(["E", "A", "C"])
    True
    """
    return lambda answer: {str(each).strip().lower() for each in words(answer)} == set(expected)


def naming(name: str) -> Test:
    """Return a test for a list of names that contains this one."""
    return lambda answer: name in words(answer)


def words(answer: Any) -> list[Any]:
    """Return the parts of a list or a set."""
    if isinstance(answer, dict) and answer.keys() == {"set"}:  # a set, see plain.py
        return list(answer["set"])
    return listed(answer)
