"""Values as plain data: what a probe has seen, or an answer, as it could stand in a JSON file.

What is judged must not be able to do anything: a test that compares numbers with an object of the
learner's would run the learner's code. And in a class the judge sits in another process.
"""

from __future__ import annotations

from typing import Any

MOST = 100_000
"""How many parts are looked at: an answer may be a list of everything."""


class UnfilledError(Exception):
    """There is an Ellipsis where an answer should be."""


def plain(value: Any) -> Any:
    """Numbers, strings, truth values, None, and lists and dicts of them.

    A tensor or an array becomes the list of its numbers, and a number if it has no dimensions. A
    set is told from a list, as it has no order. What is no data is told by its type alone.

    >>> import minigrad as mg
    >>> plain((1, mg.tensor([2.0, 3.0], requires_grad=True)))
    [1, [2.0, 3.0]]
    >>> plain({"b", "a"})
    {'set': ['a', 'b']}
    >>> plain({"f": abs})
    {'f': {'type': 'builtin_function_or_method'}}
    """
    left = MOST

    def of(value: Any, depth: int = 0) -> Any:
        nonlocal left
        left -= 1
        if value is ...:
            raise UnfilledError
        if value is None or value is True or value is False:
            return value
        if left < 0 or depth > 50:
            return {"type": "too large"}
        if isinstance(value, int):
            return int(value) if abs(value) < 10**300 else {"type": "int"}
        if isinstance(value, float):
            return float(value)
        if isinstance(value, str):
            return "".join(value)
        if isinstance(value, list | tuple):
            return [of(each, depth + 1) for each in value]
        if isinstance(value, set | frozenset):
            return {"set": sorted((of(each, depth + 1) for each in value), key=repr)}
        if isinstance(value, dict):
            return {str(key): of(each, depth + 1) for key, each in value.items()}
        if isinstance(value, range):
            return of(list(value[: MOST + 1]), depth)
        if holds_numbers(value):
            numbers = value.detach() if hasattr(value, "detach") else value
            return of(numbers.tolist(), depth + 1)
        return {"type": type(value).__name__}

    return of(value)


def holds_numbers(value: Any) -> bool:
    """It is a tensor, an array, or a number of a library."""
    return not isinstance(value, type) and hasattr(value, "tolist") and hasattr(value, "dtype")
