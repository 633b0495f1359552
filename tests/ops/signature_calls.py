"""Calls with wrong arguments, made from a row, to compare what two libraries say of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from minigrad.ops.signature import REQUIRED, Overload, Parameter

Call = tuple[tuple[Any, ...], dict[str, Any]]
Values = Callable[[Any], Any]

TENSOR = object()
"""Stands for a tensor until it is known of which library."""

RIGHT = {
    "Tensor": TENSOR,
    "Number": 1,
    "int": 0,
    "float": 0.5,
    "bool": True,
    "str": "sum",
    "tuple of ints": [0],
    "tuple of Tensors": [TENSOR, TENSOR],
    "object": 1,
}

WRONG: list[Any] = [
    *("a", 1, 1.5, True, None, {}, [], (), [1.0], ["a"], [0, "a"], (0, 1.5), [0, None]),
    *([TENSOR, 1], [[0]], TENSOR, 1j, range(2), object()),
]


def wrong_calls(overload: Overload) -> Iterator[Call]:
    """Calls that break a row in one place each, and some that do not."""
    right = [RIGHT.get(p.kind.word) for p in overload.positional]
    needed = [p for p in overload.positional if p.default is REQUIRED]
    yield (), {}
    for place in range(len(overload.positional)):
        for value in WRONG:
            yield (*right[:place], value), {}
            if len(needed) > place + 1:
                yield (*right[:place], value, *right[place + 1 : len(needed)]), {}
    enough = tuple(right[: len(needed)])
    yield enough, {"nosuch": 1}
    yield (), {"nosuch": 1}
    yield ("a",), {"nosuch": 1}
    for more in (1, "a", TENSOR):
        yield (*right, more), {}
        yield (*right, more, more), {}
    for parameter in overload.parameters:
        for value in ("a", 1.5, None, [0, "a"], {}):
            yield keyword_call(overload, parameter, value, enough)


def keyword_call(overload: Overload, parameter: Parameter, value: Any, enough: Any) -> Call:
    """The `value` by its name, after the arguments that stand before it."""
    place = len(enough)
    if parameter in overload.positional:
        place = min(place, overload.positional.index(parameter))
    return tuple(enough[:place]), {parameter.name: value}


def with_tensors(value: Any, tensor: Any) -> Any:
    """`value` with a `tensor` wherever one is meant."""
    if value is TENSOR:
        return tensor
    if isinstance(value, (list, tuple)):
        return type(value)(with_tensors(item, tensor) for item in value)
    if isinstance(value, dict):
        return {key: with_tensors(item, tensor) for key, item in value.items()}
    return value
