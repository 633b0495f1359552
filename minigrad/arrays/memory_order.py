"""How arrays lie in memory, above all where PyTorch and NumPy decide it differently.

Both lay the result of an elementwise operation like its operands, so that memory is walked through
in one direction. Where the operands disagree, NumPy falls back to row-major order; in PyTorch the
first operand decides, and the later ones only what it leaves open. It shows in `stride()`, and in
what `view` must refuse and `reshape` must copy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from .devices import address, get_array_module

Array = Any


def laid_out(value: Array, *operands: Any) -> Array:
    """`value`, an elementwise result of `operands` (arrays, numbers, Nones), as PyTorch lays it."""
    for x in operands:
        if getattr(x, "ndim", 0) and not x.flags.c_contiguous and x.strides != value.strides:
            break
    else:
        return value
    arrays = [x for x in operands if getattr(x, "ndim", 0)]
    return in_order_of(value, dimensions_by_step(value.shape, arrays))


def laid_like(value: Array, model: Array) -> Array:
    """`value` in the order in which `model`, which has the same shape, lies in memory."""
    if model.flags.c_contiguous:
        return value if value.flags.c_contiguous else value.copy()
    return in_order_of(value, dimensions_by_step(value.shape, [model]))


def empty_as(model: Array, dtype: Any = None) -> Array:
    """Room for as many elements as `model` has, in the order in which those lie."""
    if model.flags.c_contiguous:
        return np.empty_like(model, dtype, order="C")
    axes = dimensions_by_step(model.shape, [model])
    shape = tuple([model.shape[axis] for axis in axes])
    return turned(np.empty_like(model, dtype, shape=shape, order="C"), axes)


def copied(model: Array, dtype: Any = None) -> Array:
    """A copy with its elements in the order in which those of `model` lie; of another type, if one
    is given."""
    if model.flags.c_contiguous:
        return model.copy() if dtype is None else model.astype(dtype)
    copy = empty_as(model, dtype)
    copy[...] = model
    return copy


def in_memory_order(model: Array, draw: Callable[[tuple[int, ...]], Array]) -> Array:
    """What `draw` makes for a shape, for that of `model`: one after the other in its memory."""
    on_its_device = get_array_module(model).asarray
    if model.flags.c_contiguous:
        return on_its_device(draw(model.shape))
    axes = dimensions_by_step(model.shape, [model])
    return turned(on_its_device(draw(tuple([model.shape[axis] for axis in axes]))), axes)


def row_major(forward: Callable[..., Any]) -> Callable[..., Any]:
    """`forward` of an operation whose results lie in row-major order whatever its inputs do."""

    @wraps(forward)
    def function(*args: Any) -> Any:
        value = forward(*args)
        if type(value) is tuple:
            return tuple([v if v.flags.c_contiguous else v.copy() for v in value])
        return value if value.flags.c_contiguous else value.copy()

    return function


def dimensions_by_step(shape: tuple[int, ...], arrays: Sequence[Array]) -> list[int]:
    """The dimensions of a result of `shape`, that with the longest steps first.

    A pair is compared by the steps of the first array that has any along both; of equal steps, the
    shorter dimension comes first. Where no array tells, the order stays as it is.
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
        """1 if `inner`, now nearer to the end, has the longer steps; -1 if not, 0 if unknown."""
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
    """`value` with its dimensions in the order `axes` in memory: itself, or a copy."""
    wanted = value.transpose(axes)
    return value if wanted.flags.c_contiguous else turned(wanted.copy(order="C"), axes)


def turned(array: Array, axes: list[int]) -> Array:
    """Undo a transposition by `axes`."""
    return array.transpose([axes.index(axis) for axis in range(len(axes))])


# --- Where elements are


def check_no_repeats(array: Array) -> None:
    """Raise if several elements are in one place of memory, as in an expanded array: writing to one
    would write to the others."""
    if not array.flags.c_contiguous and any(
        step == 0 and size > 1 for step, size in zip(array.strides, array.shape, strict=True)
    ):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a "
            "single memory location. Please clone() the tensor before performing the operation."
        )


def is_dense(array: Array) -> bool:
    """Whether the elements fill a stretch of memory, in whatever order: no gaps, none twice."""
    expected = array.itemsize
    for step, size in sorted(zip(array.strides, array.shape, strict=True)):
        if size > 1:
            if step != expected:
                return False
            expected *= size
    return True


def same_place(a: Array, b: Array) -> bool:
    """Whether two arrays are the same elements in the same order, dimensions of size 1 aside."""
    layouts = [
        [pair for pair in zip(array.shape, array.strides, strict=True) if pair[0] != 1]
        for array in (a, b)
    ]
    return layouts[0] == layouts[1] and address(a) == address(b)


# --- The memory itself


def strided(array: Any, shape: tuple[int, ...], strides: tuple[int, ...]) -> Any:
    """The memory that begins where `array` does, read in other steps (in bytes); it can be
    written."""
    array = array[...] if isinstance(array, np.generic) else array  # type: ignore[index]
    if issubclass(type(array), np.ndarray) and array.flags.c_contiguous and array.size:
        try:
            return np.ndarray(shape, array.dtype, array, 0, strides)  # ten times as fast
        except ValueError:
            pass  # it goes beyond the end of `array`, which may be a part of something
    if hasattr(array, "strided"):  # a stand-in, which notes what is done
        return array.strided(shape, strides)
    return get_array_module(array).lib.stride_tricks.as_strided(array, shape, strides)


def owner_of(array: Any) -> Any:
    """The array that `array` is a part of: the one that has no base itself."""
    base = owner = array
    while (base := getattr(base, "base", None)) is not None:
        if isinstance(base, type(array)):  # between two arrays there may be a helper of NumPy's
            owner = base
    return owner


def memory_of(array: Any) -> Any:
    """The whole memory that `array` is a part of, in one dimension."""
    return owner_of(array).ravel("K")


def steps_of(array: Array) -> tuple[int, ...]:
    """How many elements apart neighbours are in memory, by dimension."""
    if array.size == 0:
        # NumPy gives an empty array no strides; PyTorch those of an array with ones for zeros.
        array = np.empty([max(size, 1) for size in array.shape], np.bool_)
    return tuple([step // array.itemsize for step in array.strides])


def offset_of(array: Array) -> int:
    """How many elements into its memory the array begins."""
    return (address(array) - address(owner_of(array))) // int(array.itemsize)


def places(size: tuple[int, ...], stride: tuple[int, ...], start: int) -> Any:
    """Where in the memory each element is, in one dimension."""
    found = np.full(size, start)
    for step, numbers in zip(stride, np.indices(size, sparse=True), strict=True):
        found += step * numbers
    return found.reshape(-1)
