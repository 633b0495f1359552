"""Dimensions may be whole numbers of every kind, and nothing else.

A plain int goes a shorter way through nearly every function than what only counts as one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad
from tests.ops.unusual_inputs.lines import line
from tests.ops.unusual_inputs.rows import ROWS, Row
from tests.parity import compare, warn_always
from tests.record import answer

NAMES = ("dim", "dim0", "dim1", "axis0", "axis1", "dims")

KINDS: dict[str, Callable[[Any, Any], Any]] = {
    "of NumPy": lambda T, dim: np.int64(dim),
    "in a tensor": lambda T, dim: T.tensor(dim),
    "a truth value": lambda T, dim: bool(dim),
    "a fraction": lambda T, dim: float(dim),
}


def place(row: Row) -> int | None:
    """Where a right call of the row has a plain dimension."""
    for number, parameter in enumerate(row.parameters[: len(row.arguments(minigrad))]):
        if parameter.name in NAMES and type(row.arguments(minigrad)[number]) is int:
            return number
    return None


def said(T: Any, name: str) -> list[str]:
    """How the call ends with each kind of number in the place of its dimension."""
    row, found = ROWS[name], []
    number = place(row)
    for kind in KINDS.values():

        def call(kind: Any = kind) -> Any:
            args = list(row.arguments(T))
            args[number] = kind(T, args[number])
            return row.function(T), tuple(args), {}, []

        found.append(line(T, name, call))
    return found


TAKING_ONE = [
    row.name
    for row in ROWS.values()
    if not row.name.startswith("nn.") and place(row) is not None  # a module only notes it
]


@pytest.mark.parametrize("name", TAKING_ONE)
def test_a_dimension(torch: Any, name: str) -> None:
    with warn_always(torch):
        theirs = answer(torch, said, name)
    compare(said(minigrad, name), theirs)
