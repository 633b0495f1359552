"""An omitted argument, a keyword argument and a positional argument give the same result.

A default stands twice: in the schema and in the function. Each function, method and module is
called with each default written out, and with each argument as a keyword. tests/test_signatures.py
compares the defaults with PyTorch's, and tests/ops/test_unusual_inputs.py the plain calls.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import minigrad
from tests.ops.unusual_inputs.lines import line
from tests.ops.unusual_inputs.rows import ROWS, Row
from tests.ops.unusual_inputs.variants import with_grad

Given = tuple[Any, ...]
Change = Callable[[Given], tuple[Given, dict[str, Any]]]
"""From the arguments of a right call to those of another one, by place and by name."""

BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)

DIRECT = [row for row in ROWS.values() if row.signature is None or row.name.startswith("nn.")]
"""Functions that are called directly; a function of the tests wraps the others."""

OTHERWISE = {
    "Tensor.apply_": "takes no names",
    "Tensor.to": "the right call has a type in the place of a device",
    "Tensor.to a type": "the same",
    "from_numpy": "the same",
    "from_numpy of an array that cannot be written": "the same",
    "from_numpy of an empty array": "the same",
}
"""Functions whose arguments are not passed by name."""

SPELT = {(f"Tensor.{name}", "from_"): "from" for name in ("uniform_", "random_")}
"""Arguments that no Python signature can name."""

OVERLOADS = {
    "normal",
    "Tensor.random_",
    "Tensor.to",
    "Tensor.to a type",
    "Tensor.max over all",
    "Tensor.min over all",
}
"""Where a default may belong to another overload, which is refused then as in PyTorch."""


def in_the_middle(value: Any) -> Any:
    """A tensor with the same elements that begins in the middle of its memory, which a default may
    depend on."""
    if type(value) is not minigrad.Tensor or value.requires_grad:
        return value
    return minigrad.cat([value.new_ones(1), value.reshape(-1)])[1:].view(value.shape)


def ended(row: Row, change: Change) -> str:
    """How a call ends that gets what `change` makes of the right arguments."""

    def call() -> Any:
        leaves: list[Any] = []
        right = tuple(map(in_the_middle, row.arguments(minigrad)))
        given = with_grad(minigrad, right, row.changes_its_tensor, leaves)
        args, named = change(given)
        function = row.function(minigrad)
        return lambda *_: function(*args, **named), given, {}, leaves

    return line(minigrad, row.name, call)


def as_it_is(given: Given) -> tuple[Given, dict[str, Any]]:
    return given, {}


def named_from(place: int, names: list[str]) -> Change:
    return lambda given: (given[:place], dict(zip(names, given[place:], strict=True)))


def by_name(row: Row) -> Iterator[tuple[str, Change]]:
    """Calls in which the last argument, the last two, ... are given by name."""
    count = len(row.arguments(minigrad))
    parameters = row.parameters[:count]
    for place in reversed(range(row.name.startswith("Tensor."), len(parameters))):
        if parameters[place].kind != inspect.Parameter.POSITIONAL_OR_KEYWORD:
            return
        names = [SPELT.get((row.name, p.name), p.name) for p in parameters[place:]]
        if len(names) == count - place:
            yield f"{', '.join(names)} by name", named_from(place, names)


def with_defaults(row: Row) -> Iterator[tuple[str, Any, Change]]:
    """Calls with one default more, by its name, and with the first, the first two, ... by place;
    and the last default that was written out."""
    parameters = row.parameters
    count = len(row.arguments(minigrad))
    for parameter in parameters[count:]:
        name, default = parameter.name, parameter.default
        if parameter.kind in BY_NAME and default is not parameter.empty:
            yield f"{name}={default!r}", default, lambda given, n=name, d=default: (given, {n: d})
    rest: list[Any] = []
    for parameter in parameters[count:]:
        if parameter.kind not in BY_PLACE or parameter.default is parameter.empty:
            break
        rest.append(parameter.default)
        yield f"{rest} by place", rest[-1], lambda given, more=(*rest,): ((*given, *more), {})


@pytest.mark.parametrize(
    "row", [row for row in DIRECT if row.name not in OTHERWISE], ids=lambda row: row.name
)
def test_keyword_equals_positional_argument(row: Row) -> None:
    right = ended(row, as_it_is)
    for way, change in by_name(row):
        assert ended(row, change) == right, way


@pytest.mark.parametrize("row", DIRECT, ids=lambda row: row.name)
def test_a_default_may_be_written_out(row: Row) -> None:
    right = ended(row, as_it_is)
    for way, default, change in with_defaults(row):
        found = ended(row, change)
        # None may say that another overload is meant, too.
        if not (found.startswith("TypeError: ") and (default is None or row.name in OVERLOADS)):
            assert found == right, way
