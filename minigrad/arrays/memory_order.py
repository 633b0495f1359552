"""The order of elements in memory, in particular where PyTorch and NumPy differ.

Both give the result of an elementwise operation the order of its operands, so that memory is read
in one direction. If operands disagree, NumPy uses row-major order; PyTorch follows the first
operand, and the later ones where it leaves a choice. The order is visible in `stride()`, in the
errors of `view`, and in the copies of `reshape`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from .devices import address, get_array_module

Array = Any


def lay_out(value: Array, *operands: Any) -> Array:
    """Return `value`, an elementwise result of arrays, numbers and Nones, in PyTorch's order."""
    for x in operands:
        if getattr(x, "ndim", 0) and not x.flags.c_contiguous and x.strides != value.strides:
            break
    else:
        return value
    arrays = [x for x in operands if getattr(x, "ndim", 0)]
    return in_order_of(value, dimensions_by_step(value.shape, arrays))


def lay_like(value: Array, model: Array) -> Array:
    """Return `value` in the memory order of `model`, which has the same shape."""
    if model.flags.c_contiguous:
        return value if value.flags.c_contiguous else value.copy()
    return in_order_of(value, dimensions_by_step(value.shape, [model]))


def empty_as(model: Array, dtype: Any = None) -> Array:
    """Return an empty array like `model`, with the same memory order."""
    if model.flags.c_contiguous:
        return np.empty_like(model, dtype, order="C")
    axes = dimensions_by_step(model.shape, [model])
    shape = tuple([model.shape[axis] for axis in axes])
    return undo_permutation(np.empty_like(model, dtype, shape=shape, order="C"), axes)


def copy_in_order(model: Array, dtype: Any = None) -> Array:
    """Copy an array in its memory order; with a `dtype`, convert it."""
    if model.flags.c_contiguous:
        return model.copy() if dtype is None else model.astype(dtype)
    copy = empty_as(model, dtype)
    copy[...] = model
    return copy


def in_memory_order(model: Array, draw: Callable[[tuple[int, ...]], Array]) -> Array:
    """Call `draw` for the shape of `model`; return the numbers in the memory order of `model`."""
    on_its_device = get_array_module(model).asarray
    if model.flags.c_contiguous:
        return on_its_device(draw(model.shape))
    axes = dimensions_by_step(model.shape, [model])
    return undo_permutation(on_its_device(draw(tuple([model.shape[axis] for axis in axes]))), axes)


def row_major(forward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate `forward` of an operation whose results are always row-major."""

    @wraps(forward)
    def function(*args: Any) -> Any:
        value = forward(*args)
        if type(value) is tuple:
            return tuple([v if v.flags.c_contiguous else v.copy() for v in value])
        return value if value.flags.c_contiguous else value.copy()

    return function


def dimensions_by_step(shape: tuple[int, ...], arrays: Sequence[Array]) -> list[int]:
    """Return the dimensions of a result of `shape`, the longest stride first.

    Two dimensions are compared by the strides of the first array that has both; for equal strides,
    the shorter dimension comes first. Where no array decides, the order stays unchanged.
    """
    rank = len(shape)
    steps = []
    for x in arrays:
        missing = rank - x.ndim
        steps.append(
            [0] * missing
            + [
                0 if mine == 1 and size != 1 else abs(step)
                for mine, size, step in zip(x.shape, shape[missing:], x.strides, strict=True)
            ]
        )

    def misplaced(inner: int, outer: int) -> int:
        """Return 1 if `inner`, now nearer to the end, has the longer stride; else -1, or 0 if
        unknown."""
        for each in steps:
            if each[inner] and each[outer]:
                if each[inner] != each[outer]:
                    return 1 if each[inner] > each[outer] else -1
                if shape[inner] > shape[outer]:
                    return 1
        return 0

    order = list(reversed(range(rank)))
    for start in range(1, rank):
        place = start
        for before in reversed(range(start)):
            found = misplaced(order[before], order[place])
            if found < 0:
                break
            if found:
                order[before], order[place] = order[place], order[before]
                place = before
    return order[::-1]


def in_order_of(value: Array, axes: list[int]) -> Array:
    """Return `value` with its dimensions in the memory order `axes`: itself, or a copy."""
    wanted = value.transpose(axes)
    return value if wanted.flags.c_contiguous else undo_permutation(wanted.copy(order="C"), axes)


def undo_permutation(array: Array, axes: list[int]) -> Array:
    """Undo a transposition by `axes`."""
    return array.transpose([axes.index(axis) for axis in range(len(axes))])


# --- Positions of elements


def check_no_repeats(array: Array) -> None:
    """Raise if several elements share memory, as in an expanded array.

    A write to one of them would change all.
    """
    if not array.flags.c_contiguous and any(
        step == 0 and size > 1 for step, size in zip(array.strides, array.shape, strict=True)
    ):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a "
            "single memory location. Please clone() the tensor before performing the operation."
        )


def is_dense(array: Array) -> bool:
    """Return whether the elements fill a range of memory, without gaps or overlaps, in any
    order."""
    expected = array.itemsize
    for step, size in sorted(zip(array.strides, array.shape, strict=True)):
        if size > 1:
            if step != expected:
                return False
            expected *= size
    return True


def same_place(a: Array, b: Array) -> bool:
    """Return whether two arrays are the same elements in the same order.

    Dimensions of size 1 are ignored.
    """
    layouts = [
        [pair for pair in zip(array.shape, array.strides, strict=True) if pair[0] != 1]
        for array in (a, b)
    ]
    return layouts[0] == layouts[1] and address(a) == address(b)


# --- Memory


def read_strided(array: Any, shape: tuple[int, ...], strides: tuple[int, ...]) -> Any:
    """Return the memory from the beginning of `array` on with other strides (in bytes),
    writable."""
    array = array[...] if isinstance(array, np.generic) else array  # type: ignore[index]
    if issubclass(type(array), np.ndarray) and array.flags.c_contiguous and array.size:
        try:
            return np.ndarray(shape, array.dtype, array, 0, strides)  # ten times as fast
        except ValueError:
            pass  # it exceeds the end of `array`, which may be part of a larger one
    if hasattr(array, "strided"):  # a stand-in that records operations
        return array.strided(shape, strides)
    return get_array_module(array).lib.stride_tricks.as_strided(array, shape, strides)


def owner_of(array: Any) -> Any:
    """Return the array of which `array` is a part: the one without a base."""
    base = owner = array
    while (base := getattr(base, "base", None)) is not None:
        if isinstance(base, type(array)):  # NumPy may put a helper object between two arrays
            owner = base
    return owner


def memory_of(array: Any) -> Any:
    """Return the whole memory of which `array` is a part, in one dimension."""
    return owner_of(array).ravel("K").view(array.dtype)


def steps_of(array: Array) -> tuple[int, ...]:
    """Return the strides by dimension, in elements."""
    if array.size == 0:
        # NumPy gives an empty array no strides; in PyTorch they count sizes of 0 as 1.
        array = np.empty([max(size, 1) for size in array.shape], np.bool_)
    return tuple([step // array.itemsize for step in array.strides])


def offset_of(array: Array) -> int:
    """Return the offset of the array in its memory, in elements."""
    return (address(array) - address(owner_of(array))) // int(array.itemsize)


def element_offsets(size: tuple[int, ...], stride: tuple[int, ...], start: int) -> Any:
    """Return the position of each element in the memory, in one dimension."""
    found = np.full(size, start)
    for step, numbers in zip(stride, np.indices(size, sparse=True), strict=True):
        found += step * numbers
    return found.reshape(-1)
