"""Indexing, read and write.

An index is taken apart as PyTorch does: numbers, slices and None become views, one after the other;
whatever tensors are left index all at once, and copy. A write goes the same way: it is an in-place
copy into the view that the index names.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import TensorBase, new_tensor
from ..operation import Operation, apply, overwrite
from .shapes import SelectBackward0, SliceBackward0, UnsqueezeBackward0


class AliasBackward0(Operation):
    """The whole tensor: `x[...]`."""

    is_view = True
    rule = r"\bar a = g"

    @staticmethod
    def forward(self: Any) -> Any:
        return self[...]

    def backward(ctx, g: Any) -> Any:
        return g


class IndexBackward0(Operation):
    """The elements that arrays of positions name."""

    params = ("indices",)
    rule = r"\bar a[i] \mathrel{+}= g"

    @staticmethod
    def forward(self: Any, indices: tuple[Any, ...]) -> Any:
        return self[full(indices)]

    def backward(ctx, g: Any) -> Any:
        return IndexPutIntoZeros.on(g, ctx.shape(), *ctx.args)


class IndexPutIntoZeros(Operation):
    """The gradient of indexing: each element is added where it came from, since one may have been
    taken twice."""

    params = ("shape", "indices")
    rule = r"\bar g = \bar a[i]"

    @staticmethod
    def forward(values: Any, shape: tuple[int, ...], indices: tuple[Any, ...]) -> Any:
        result = np.zeros_like(values, shape=shape)
        np.add.at(result, full(indices), values)
        return result

    def backward(ctx, g: Any) -> Any:
        return IndexBackward0.on(g, ctx.args[1])


class IndexPutBackward0(Operation):
    """The elements that arrays of positions name, overwritten with `values` or added to."""

    inputs = ("self", "values")
    params = ("indices", "accumulate")
    rule = r"\bar a[i] = 0, \qquad \bar v = g[i]"

    @staticmethod
    def forward(self: Any, values: Any, indices: tuple[Any, ...], accumulate: bool) -> Any:
        result = np.array(self)
        if accumulate:
            np.add.at(result, full(indices), values)
        else:
            result[full(indices)] = values
        return result

    def backward(ctx, g: Any) -> Any:
        indices, accumulate = ctx.args
        wrt_self = g
        if ctx.needs(0) and not accumulate:
            mask = np.ones(*ctx.outputs[0])
            mask[full(indices)] = 0
            wrt_self = g * (new_tensor(mask) if isinstance(g, TensorBase) else mask)
        return wrt_self, IndexBackward0.on(g, indices) if ctx.needs(1) else None


def full(indices: tuple[Any, ...]) -> tuple[Any, ...]:
    """The index as NumPy takes it: None means the whole dimension."""
    return tuple(slice(None) if index is None else index for index in indices)


def views_and_positions(tensor: Any, index: Any) -> tuple[Any, list[Any]]:
    """Apply the numbers, slices and Nones of `index` as views; return the view and what is left, by
    dimension.

    Raises:
        IndexError: too many indices, one out of range, or something that is no index.
    """
    items = list(index) if isinstance(index, tuple) else [index]
    single = not isinstance(index, tuple)
    used = sum(consumed(item) for item in items)
    if used > tensor.ndim:
        if tensor.ndim == 0 and not any(is_positions(item) for item in items):
            raise IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
                "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
            )
        raise IndexError(f"too many indices for tensor of dimension {tensor.ndim}")
    if not any(item is Ellipsis for item in items):
        items.append(Ellipsis)
    positions: list[Any] = []
    dim = 0
    for place, item in enumerate(items):
        shape = tensor._array.shape
        if item is Ellipsis:
            dim = tensor.ndim - sum(consumed(later) for later in items[place + 1 :])
            positions += [None] * (dim - len(positions))
        elif item is None:
            tensor = apply(UnsqueezeBackward0, tensor, dim)
            positions.append(None)
            dim += 1
        elif isinstance(item, bool) or (isinstance(item, np.bool_)):
            tensor = apply(UnsqueezeBackward0, tensor, dim)
            positions.append(np.zeros(int(item), np.int64))
            dim += 1
        elif isinstance(item, slice):
            start, stop, step = bounds(item, shape[dim])
            if single or (start, stop, step) != (0, shape[dim], 1):
                tensor = apply(SliceBackward0, tensor, dim, start, stop, step)
            positions.append(None)
            dim += 1
        elif (number := as_number(item)) is not None:
            size = shape[dim]
            if not -size <= number < size:
                raise IndexError(
                    f"index {number} is out of bounds for dimension {dim} with size {size}"
                )
            tensor = apply(SelectBackward0, tensor, dim, number % size)
        else:
            array = as_positions(item)
            check_positions(array, shape, dim)
            positions.append(array)
            positions += [None] * (array.ndim - 1 if array.dtype == bool else 0)
            dim += array.ndim if array.dtype == bool else 1
    return tensor, positions


def consumed(item: Any) -> int:
    """How many dimensions one item of an index takes."""
    if item is None or item is Ellipsis or isinstance(item, (bool, np.bool_)):
        return 0
    if isinstance(item, TensorBase) and item._array.dtype == bool:
        return int(item._array.ndim)
    if isinstance(item, np.ndarray) and item.dtype == bool:
        return item.ndim
    return 1


def is_positions(item: Any) -> bool:
    return isinstance(item, (TensorBase, np.ndarray, list))


def as_number(item: Any) -> int | None:
    """An integer, also as a NumPy scalar or a 0-d integer tensor; None for anything else."""
    if isinstance(item, TensorBase):
        array = item._array
        return int(array) if array.ndim == 0 and array.dtype.kind in "iu" else None
    if isinstance(item, (int, np.integer)):
        return int(item)
    return None


def as_positions(item: Any) -> Any:
    """An array of positions, or a mask."""
    if isinstance(item, TensorBase):
        array = np.asarray(item._array)
    elif isinstance(item, (list, tuple, np.ndarray, range)):
        array = np.asarray(item)
        if array.size == 0:
            array = array.astype(np.int64)
    else:
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are "
            f"valid indices (got {type(item).__name__})"
        )
    if array.dtype.kind not in "iub":
        raise IndexError(
            "tensors used as indices must be long, int, byte or bool tensors"
            if isinstance(item, TensorBase)
            else "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables "
            f"are valid indices (got {type(item).__name__})"
        )
    return array


def check_positions(array: Any, shape: tuple[int, ...], dim: int) -> None:
    if array.dtype == bool:
        for offset, size in enumerate(array.shape):
            if shape[dim + offset] != size:
                raise IndexError(
                    f"The shape of the mask {list(array.shape)} at index {offset} does not match "
                    f"the shape of the indexed tensor {list(shape)} at index {dim + offset}"
                )
        return
    size = shape[dim]
    outside = array[(array < -size) | (array >= size)]
    if outside.size:
        raise IndexError(
            f"index {outside.flat[0]} is out of bounds for dimension {dim} with size {size}"
        )


def bounds(item: slice, size: int) -> tuple[int, int, int]:
    """A slice's start, stop and step, clipped to `size`."""
    step = 1 if item.step is None else as_number(item.step)
    if step is None or step <= 0:
        raise ValueError("step must be greater than zero")
    start, stop = (None if bound is None else as_number(bound) for bound in (item.start, item.stop))
    start, stop, step = slice(start, stop, step).indices(size)
    return start, max(start, stop), step


class IndexingMethods(TensorBase):
    """`x[index]` and `x[index] = value`."""

    def __getitem__(self, index: Any) -> Any:
        view, positions = views_and_positions(self, index)
        if all(place is None for place in positions):
            return apply(AliasBackward0, self) if view is self else view
        return apply(IndexBackward0, view, tuple(positions))

    def __setitem__(self, index: Any, value: Any) -> None:
        view, positions = views_and_positions(self, index)
        if not isinstance(value, TensorBase):
            value = new_tensor(np.asarray(value).astype(self._array.dtype))
        if all(place is None for place in positions):
            view.copy_(without_leading_ones(value, view.ndim))
            return
        indices = tuple(positions)
        shape = view._array[full(indices)].shape
        try:
            values = np.broadcast_to(value._array, shape)
        except ValueError:
            raise RuntimeError(
                f"shape mismatch: value tensor of shape {list(value._array.shape)} cannot be "
                f"broadcast to indexing result of shape {list(shape)}"
            ) from None
        result = IndexPutBackward0.forward(view._array, values, indices, False)
        overwrite(IndexPutBackward0, view, (view, value), (indices, False), result)


def without_leading_ones(value: Any, rank: int) -> Any:
    """`value` with dimensions of size 1 dropped from the front, as far as it has more than
    `rank`."""
    while value.ndim > rank and value._array.shape[0] == 1:
        value = value[0]
    return value
