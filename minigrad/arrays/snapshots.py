"""Snapshots: what is recorded of an array at one moment.

A recording shows numbers as they were, so they are copied; for a large array only a summary is
stored. For an exception its message is stored.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import numpy as np

FULL_VALUE_LIMIT = 1024
"""Arrays of at most this many elements are copied whole into a `Value`; larger ones are
summarized."""


class Summary(NamedTuple):
    """A summary of a large array: extremes and Euclidean norm of its finite elements."""

    minimum: float
    maximum: float
    norm: float
    nonfinite: int


class Value(NamedTuple):
    """A snapshot of an array: its numbers if there are few, a summary if there are many.

    `dtype` is PyTorch's name without the prefix ("float32"), `device` is "cpu" or "cuda:0".
    """

    shape: tuple[int, ...]
    dtype: str
    device: str = "cpu"
    data: np.ndarray[Any, Any] | None = None
    summary: Summary | None = None
    sketch: Any = None  # for a large array, the result of the function in `sketched_by`


_sketches: list[Callable[[np.ndarray[Any, Any]], Any]] = []


@contextmanager
def sketched_by(sketch: Callable[[np.ndarray[Any, Any]], Any]) -> Iterator[None]:
    """Store the result of `sketch` with the summary of each large array."""
    _sketches.append(sketch)
    try:
        yield
    finally:
        _sketches.pop()


def snapshot(array: Any) -> Value:
    """Record `array` (NumPy or CuPy) at this moment."""
    device, host = "cpu", array
    if not isinstance(array, (np.ndarray, np.generic)):
        device, host = f"cuda:{array.device.id}", array.get()
    shape, dtype = tuple(array.shape), name_of(array.dtype)
    if host.size <= FULL_VALUE_LIMIT:
        return Value(shape, dtype, device, data=np.array(host))
    sketch = _sketches[-1](host) if _sketches else None
    return Value(shape, dtype, device, None, summarize(host), sketch)


def message_of(error: BaseException) -> str:
    """Return the message of an exception; empty if its class fails to give one."""
    try:
        return str(error)
    except Exception:
        return ""


name_of = cache(str)  # NumPy builds a dtype's name anew at each call


def summarize(array: np.ndarray[Any, Any]) -> Summary:
    """Return extremes and norm of the finite elements of `array`."""
    with np.errstate(all="ignore"):  # this is not a computation of the program
        return _summary(array.ravel(order="K"), array.size)  # in any order that avoids a copy


def _summary(flat: np.ndarray[Any, Any], all_of_them: int) -> Summary:
    low, high = np.minimum.reduce(flat), np.maximum.reduce(flat)
    if not (math.isfinite(low) and math.isfinite(high)):
        flat = flat[np.isfinite(flat)]
        if flat.size == 0:
            return Summary(np.nan, np.nan, np.nan, all_of_them)
        low, high = np.minimum.reduce(flat), np.maximum.reduce(flat)
    size = flat.size
    if flat.dtype != np.float32:
        flat = flat.astype(np.float64)  # half precision and integers would overflow
    square = flat.dot(flat)
    if not math.isfinite(square):  # too large for float32
        flat = flat.astype(np.float64)
        square = flat.dot(flat)
    return Summary(float(low), float(high), math.sqrt(square), all_of_them - size)
