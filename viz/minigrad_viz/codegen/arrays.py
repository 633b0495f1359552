"""Arrays compared to the bit, and copied with their memory layout."""

from __future__ import annotations

from typing import Any

import numpy as np

ON_CPU: tuple[type[Any], ...] = (np.ndarray, np.generic)
"""NumPy's arrays, and its scalars, which may be results without dimensions."""


def same_layout(a: Any, b: Any) -> bool:
    """Whether two arrays are the same to the bit and lie in memory in the same way, so that sums
    over them are the same, too."""
    if b is None or a is None:
        return a is b
    if isinstance(a, np.ndarray) is not isinstance(b, np.ndarray):
        return False  # a scalar of NumPy's has no views
    steps = [
        [step for step, size in zip(each.strides, each.shape, strict=True) if size > 1]
        for each in (a, b)
    ]
    return same_bits(a, b) and (steps[0] == steps[1] or not b.size)


def same_bits(a: Any, b: Any) -> bool:
    """Whether two arrays have the same numbers, shape and type; any two NaNs are equal."""
    if type(a) is not type(b) and not isinstance(a, ON_CPU):
        return False
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.tobytes() == b.tobytes():
        return True
    return bool(np.array_equal(a, b, equal_nan=True) and np.array_equal(signs(a), signs(b)))


def signs(a: Any) -> Any:
    """Return where an array has a minus sign, -0. included and NaN excluded."""
    return np.signbit(a) & (a == a)


def fits(shape: tuple[int, ...], wider: tuple[int, ...]) -> bool:
    """Whether an array of `shape` can be broadcast to `wider`."""
    last = wider[len(wider) - len(shape) :]
    return len(shape) <= len(wider) and all(a in (1, b) for a, b in zip(shape, last, strict=True))


def sum_to(g: Any, shape: tuple[int, ...]) -> Any:
    """Sum a gradient to `shape`, as the engine undoes broadcasting."""
    wider = g.shape
    extra = len(wider) - len(shape)
    if extra == 1 and wider[1:] == shape:
        return g.reshape(shape) if wider[0] == 1 else g.sum(axis=0)
    axes = tuple(
        axis
        for axis in range(len(wider))
        if axis < extra or (shape[axis - extra] == 1 and wider[axis] != 1)
    )
    if axes and not shape:
        return g.sum()
    summed = g.sum(axes, keepdims=True) if axes else g
    return summed.reshape(shape) if extra else summed


def memory_key(array: Any) -> Any:
    """Return what is equal for two arrays that read the same memory in the same way."""
    if not isinstance(array, np.ndarray) or not array.size:
        return id(array)
    address = array.__array_interface__["data"][0]
    return address, array.shape, array.strides, array.dtype.str


def copy_with_layout(array: Any) -> Any:
    """Return a copy with the same steps in memory, gaps and repeats included.

    Sums over it add in the same order.
    """
    ends = [step * (size - 1) for step, size in zip(array.strides, array.shape, strict=True)]
    low = sum(min(end, 0) for end in ends)
    high = sum(max(end, 0) for end in ends) + array.itemsize
    if not array.size:
        return array.copy()
    room = np.zeros(high - low, np.uint8)
    copied: Any = np.ndarray(array.shape, array.dtype, room.data, -low, array.strides)
    copied[...] = array
    return copied
