"""Tests of what was seen of an answer: plain data (plain.py), compared with what was expected.

Below are tests of live answers, for exercises that hand them to the check. The lessons run on
minigrad and on PyTorch alike, so these look only at what both have: `item()`, `tolist()`, `shape`,
`grad_fn`.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

from .exercise import Test


def alike(seen: Any, expected: Any) -> bool:
    """The same, part by part; numbers that were computed may differ in the last digits.

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
    """A list of these: numbers, words, lists of them.

    >>> each(6.75, [0, 1])([6.75, [0.0, 1.0]])
    True
    """
    return lambda seen: alike(seen, list(expected))


def number(expected: float) -> Test:
    """The answer is this number, as a number or as a tensor with one element."""
    return lambda answer, *rest: math.isclose(value(answer), expected, rel_tol=1e-4, abs_tol=1e-6)


def value(answer: Any) -> float:
    """The number that an answer is, or that a tensor with one element holds. True is none, and
    "7" is none.
    """
    found = answer.item() if hasattr(answer, "item") else answer
    while isinstance(found, list) and len(found) == 1:
        found = found[0]
    if isinstance(found, bool | str):
        raise TypeError(found)
    return float(found)


def word(expected: str) -> Test:
    """The answer is this string; blanks around it do not count."""
    return lambda answer, *rest: answer.strip() == expected


def listed(answer: Any) -> list[Any]:
    """The parts of a list, a tuple or a tensor.

    TypeError for anything else: what can only be iterated may have no end, and a string is not the
    list of its letters.
    """
    if hasattr(answer, "tolist"):
        return list(answer.tolist())
    if isinstance(answer, list | tuple):
        return list(answer)
    raise TypeError(type(answer))


def numbers(answer: Any, expected: Sequence[float]) -> bool:
    """A flat list or one-dimensional tensor holds these numbers."""
    found = listed(answer)
    return len(found) == len(expected) and all(
        math.isclose(f, e, rel_tol=1e-4, abs_tol=1e-6) for f, e in zip(found, expected, strict=True)
    )


def rows(answer: Any, expected: Sequence[Sequence[float]]) -> bool:
    """A list of lists or a matrix holds these rows."""
    found = listed(answer)
    return len(found) == len(expected) and all(
        numbers(f, e) for f, e in zip(found, expected, strict=True)
    )


def named(*expected: str) -> Test:
    """The answer is a list of exactly these names, in any order."""
    return lambda answer, *rest: set(words(answer)) == set(expected)


def nothing(seen: Any) -> bool:
    """A function was tried several times, and None came back each time."""
    return isinstance(seen, list) and bool(seen) and all(each is None for each in seen)


def letters(expected: str) -> Test:
    """The answer is a list of exactly these letters, in any order, large or small.

    >>> letters("ace")(["E", "A", "C"])
    True
    """
    return lambda answer: {str(each).strip().lower() for each in words(answer)} == set(expected)


def naming(name: str) -> Test:
    """The answer is a list of names with this one among them."""
    return lambda answer, *rest: name in words(answer)


def words(answer: Any) -> list[Any]:
    """The parts of a list, a tuple or a set."""
    if isinstance(answer, dict) and answer.keys() == {"set"}:  # as plain.py tells it
        return list(answer["set"])
    return list(answer) if isinstance(answer, set | frozenset) else listed(answer)


def gradient_of(tensor: Any) -> Any:
    """`tensor.grad`, without the warning that an intermediate result has none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tensor.grad


def made_by(tensor: Any, name: str) -> bool:
    """The tensor is the result of the operation whose node has this name."""
    return tensor.grad_fn is not None and str(tensor.grad_fn.name()) == name


def leaves(tensor: Any) -> list[Any]:
    """For each input of the operation that made `tensor`: the leaf it is, or None where it is no
    leaf.
    """
    nodes = [node for node, _ in tensor.grad_fn.next_functions]
    return [getattr(node, "variable", None) for node in nodes]
