"""Memory formats: orders of elements that a program chooses by name, such as `channels_last`.

An array of images [N, C, H, W] in `channels_last` has its elements in the order N, H, W, C.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn, cast

from .memory_order import copy_in_order, undo_permutation

Array = Any

AXES = {"channels_last": (0, 2, 3, 1), "channels_last_3d": (0, 2, 3, 4, 1)}
"""The dimensions of each format with a rank of its own, from the longest stride to the shortest."""


class memory_format:  # PyTorch's name
    """An order of elements in memory.

    >>> import minigrad as mg
    >>> mg.ones(1, 2, 3, 4).contiguous(memory_format=mg.channels_last).stride()
    (24, 1, 8, 2)
    """

    _name: str

    def __new__(cls) -> NoReturn:
        raise TypeError("cannot create 'torch.memory_format' instances")

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __reduce__(self) -> str:
        return self._name


def named(name: str) -> memory_format:
    made: Any = object.__new__(memory_format)  # type: ignore[arg-type]
    made._name = name
    return cast(memory_format, made)


contiguous_format: Final = named("contiguous_format")
"""Row-major order."""

preserve_format: Final = named("preserve_format")
"""The order of the tensor that is copied."""

channels_last: Final = named("channels_last")
"""Images [N, C, H, W] in the order N, H, W, C."""

channels_last_3d: Final = named("channels_last_3d")
"""Volumes [N, C, D, H, W] in the order N, D, H, W, C."""


def axes_of(form: memory_format, rank: int) -> tuple[int, ...] | None:
    """Return the order of the dimensions; None for row-major order.

    Raises:
        RuntimeError: the format needs another rank.
    """
    axes = AXES.get(form._name)
    if axes is not None and len(axes) != rank:
        raise RuntimeError(f"required rank {len(axes)} tensor to use {form._name} format")
    return axes


def is_in(array: Array, form: memory_format) -> bool:
    """Return whether the elements lie in memory in this format, without gaps."""
    axes = AXES.get(form._name)
    if axes is None:
        return bool(array.flags.c_contiguous)
    return len(axes) == array.ndim and bool(array.transpose(axes).flags.c_contiguous)


def copy_in_format(array: Array, form: memory_format | None) -> Array:
    """Copy an array in a format, by default in its own order."""
    if form is None or form is preserve_format:
        return copy_in_order(array)
    axes = axes_of(form, array.ndim)
    if axes is None:
        return array.copy(order="C")
    return undo_permutation(array.transpose(axes).copy(order="C"), list(axes))


def suggested(array: Array) -> memory_format:
    """Return the format that operations on images keep: `channels_last` if the strides say so."""
    for name, axes in AXES.items():
        if len(axes) != array.ndim or array.strides[1] == 0 or 0 in array.shape:
            continue
        least = 0
        for axis in reversed(axes):
            step, size = array.strides[axis], array.shape[axis]
            if step < least or (axis == 0 and least == array.strides[1]):
                break
            least = step * max(size, 1)
        else:
            return channels_last if name == "channels_last" else channels_last_3d
    return contiguous_format


def lay_as(value: Array, like: Array) -> Array:
    """Return `value` in the format that `like` suggests."""
    form = suggested(like)
    return value if is_in(value, form) else copy_in_format(value, form)
