"""Positions that are out of range on a GPU, where CuPy would silently wrap them around.

A kernel compares them with the size of the dimension and sets a mark, which is read when the
program next waits for the GPU (waiting.py).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from .devices import device_of, get_array_module
from .gpus import launch
from .waiting import marks, unread


@cache
def kernel() -> Any:
    """Return the kernel: for a position out of range, it stores the size and 1."""
    import cupy

    return cupy.ElementwiseKernel(
        "T x, int64 low, int64 high, int64 but",
        "raw int64 mark",
        "if ((x != but) & ((x < low) | (x >= high))) mark[0] = high + 1",
        "minigrad_positions",
    )


def watch(positions: Any, size: int, low: int = 0, but: int | None = None) -> None:
    """Let the GPU check that `positions` are at least `low` and less than `size`, or `but`.

    The result is read later.
    """
    index = device_of(positions).index or 0
    if index not in marks:
        marks[index] = get_array_module(positions).zeros(1, "int64")
    launch(kernel(), positions, low, size, low if but is None else but, marks[index])
    unread.add(index)
