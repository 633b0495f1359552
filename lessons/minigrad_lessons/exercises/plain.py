"""Values as plain data, such as a JSON file can hold.

The judge must not run the learner's code, and comparing a number with an object of the learner
would. In a class the judge runs in another process, too.
"""

from __future__ import annotations

from typing import Any

MOST = 100_000
"""Limit on the parts that are read, and on the letters: an answer may be an endless list."""


class UnfilledError(Exception):
    """Raised if there is an Ellipsis where an answer should be."""


def plain(value: Any) -> Any:
    """Return a value as numbers, strings, truth values, None, and lists and dicts of them.

    A tensor or an array becomes the list of its numbers, and a number if it has no dimensions. A
    set becomes a dict, as it has no order. Any other object is named by its type.

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
        left -= len(value) if isinstance(value, str) else 1
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
    """Return whether a value is a tensor, an array, or a number of a library."""
    return not isinstance(value, type) and hasattr(value, "tolist") and hasattr(value, "dtype")
