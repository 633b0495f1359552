"""Joining tensors and taking one apart (each is the other's gradient), and copies with the elements
repeated or in another order."""

from __future__ import annotations

import math
import warnings
from itertools import accumulate
from typing import Any

import numpy as np

from ..arrays.devices import get_array_module
from ..arrays.dtypes import result_dtype
from ..arrays.memory_order import empty_as, row_major
from ..arrays.words import check_tensor_list
from ..core.hooks import NO_HOOKS
from ..core.node import TensorBase, new_tensor
from ..core.operation import apply, record, zeros_for
from ..core.views import ViewOperation, apply_views
from .copies import CloneBackward0
from .dims import distinct, sizes, whole_number, wrap_dim
from .fronts import Row, both_forms
from .gathering import index_select
from .kinds import ShapeOperation
from .shapes import at_least, expand, flatten, unsqueeze, view
from .slicing import SelectBackward0, SliceBackward0, along

NO_DIMENSIONS = "Dimension specified as 0 but tensor has no dimensions"


class JoiningOperation(ShapeOperation):
    """An operation on a list of tensors."""

    inputs = ("tensors*",)
    all_or_none = True

    def wanted(self, index: int) -> bool:
        """Whether anyone will look at the gradient of tensor `index`."""
        return self.needs(index) or self._hooks is not NO_HOOKS


class CatBackward0(JoiningOperation):
    """Tensors one after the other along dimension `dim`."""

    params = ("dim", "_lengths")
    rule = r"\bar a_k = g[\text{part } k]"

    @row_major
    def forward(tensors: Any, dim: int, lengths: Any = None) -> Any:
        return np.concatenate(tensors, dim)

    def backward(ctx, g: Any) -> Any:
        dim, lengths = ctx.args
        return tuple(
            [
                None
                if not ctx.wanted(k)
                else zeros_for(g, (0,))  # an empty vector may stand among tensors of any shape
                if length == 0 and (not ctx.needs(k) or ctx.shape(k) == (0,))
                else SliceBackward0.on(g, dim, end - length, end, 1)
                for k, (end, length) in enumerate(zip(accumulate(lengths), lengths, strict=True))
            ]
        )


class StackBackward0(JoiningOperation):
    """Tensors of one shape one after the other along a new dimension `dim`."""

    params = ("dim",)
    rule = r"\bar a_k = g[k]"

    @row_major
    def forward(tensors: Any, dim: int) -> Any:
        return np.stack(tensors, dim)

    def backward(ctx, g: Any) -> Any:
        (dim,) = ctx.args
        count = len(ctx.next_functions)
        return tuple(
            [SelectBackward0.on(g, dim, k) if ctx.wanted(k) else None for k in range(count)]
        )


class SplitBackward0(ViewOperation):
    """Pieces of `split_size` along `dim`; the last one may be smaller."""

    rule = r"\bar a = \operatorname{cat}(g_1, \dots, g_n)"

    def forward(self: Any, /, split_size: Any, dim: int) -> Any:
        one = isinstance(split_size, int)
        lengths = split_sizes(self.shape[dim], split_size) if one else split_size
        return tuple(
            [
                self[along(dim, slice(end - length, end), self.ndim)]
                for end, length in zip(accumulate(lengths), lengths, strict=True)
            ]
        )

    def backward(ctx, *gs: Any) -> Any:
        return joined(all_given(ctx, gs), ctx.args[1], stacked=False)


class SplitWithSizesBackward0(SplitBackward0):
    """Pieces of the given sizes along `dim`."""

    params = ("split_sizes", "dim")


class UnbindBackward0(ViewOperation):
    """All slices of a dimension."""

    rule = r"\bar a = \operatorname{stack}(g_1, \dots, g_n)"

    def forward(self: Any, /, dim: int) -> Any:
        count = self.shape[dim]
        return tuple([self[along(dim, index, self.ndim)] for index in range(count)])

    def backward(ctx, *gs: Any) -> Any:
        return joined(all_given(ctx, gs), ctx.args[0], stacked=True)


def split_sizes(size: int, piece: int) -> tuple[int, ...]:
    """How long the pieces of `piece` elements are into which `size` elements are split."""
    if not piece:
        return (0,)
    whole, rest = divmod(size, piece)
    return (piece,) * whole + ((rest,) if rest or not whole else ())


def all_given(ctx: ShapeOperation, gs: tuple[Any, ...]) -> list[Any]:
    """The gradients of all results: zeros for those that nobody used."""
    one = next(g for g in gs if g is not None)
    return [
        zeros_for(one, output[0]) if g is None else g
        for g, output in zip(gs, ctx._outputs, strict=True)
    ]


class RepeatBackward0(ShapeOperation):
    """The whole tensor copied `repeats` times along each dimension, new ones in front."""

    rule = r"\bar a = \sum_{\text{copies}} g"

    def forward(self: Any, /, repeats: tuple[int, ...]) -> Any:
        return np.tile(self, repeats)

    def backward(ctx, g: Any) -> Any:
        (repeats,) = ctx.args
        shape = ctx.shape()
        if 0 in repeats:
            return zeros_for(g, shape)
        new = len(repeats) - len(shape)
        if new:
            g = g.sum(axis=tuple(range(new)))
        apart: list[int] = []
        copies = []
        for count, size in zip(repeats[new:], shape, strict=True):
            if count != 1:
                copies.append(len(apart))
                apart.append(count)
            apart.append(size)
        return g.reshape(tuple(apart)).sum(axis=tuple(copies)) if copies else g


class FlipBackward0(ShapeOperation):
    """The elements in reverse order along some dimensions."""

    rule = r"\bar a = \operatorname{flip}(g)"

    def forward(self: Any, /, dims: tuple[int, ...]) -> Any:
        if not self.ndim:
            return self.copy()
        result = empty_as(self)
        result[...] = np.flip(self, dims)
        return result

    def backward(ctx, g: Any) -> Any:
        return FlipBackward0.on(g, *ctx.args)


class RollBackward0(ShapeOperation):
    """The elements shifted along some dimensions; what leaves at the end comes in again in
    front."""

    rule = r"\bar a = \operatorname{roll}(g, -s)"

    @row_major
    def forward(self: Any, /, shifts: tuple[int, ...], dims: tuple[int, ...]) -> Any:
        return np.roll(self, shifts, dims) if dims else np.roll(self, shifts[0])

    def backward(ctx, g: Any) -> Any:
        shifts, dims = ctx.args
        return RollBackward0.on(g, tuple(-s for s in shifts), dims)


class TrilBackward0(ShapeOperation):
    """The elements on and below a diagonal of the last two dimensions; zeros above it."""

    params = ("diagonal",)
    fills_repeats = True
    rule = r"\bar a = \operatorname{tril}(g)"
    forward = np.tril

    def backward(ctx, g: Any) -> Any:
        return type(ctx).on(g, *ctx.args)


class TriuBackward0(TrilBackward0):
    """The elements on and above a diagonal of the last two dimensions; zeros below it."""

    rule = r"\bar a = \operatorname{triu}(g)"
    forward = np.triu


# --- Joining


def cat(tensors: Any, dim: int = 0, *, axis: int | None = None) -> TensorBase:
    """Tensors one after the other along dimension `dim`.

    >>> import minigrad as mg
    >>> mg.cat([mg.tensor([1, 2]), mg.tensor([3])])
    tensor([1, 2, 3])
    """
    check_tensor_list("cat", "tensors", tensors)
    given = list(tensors)
    dim = dim if axis is None else axis
    if not given:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    # An empty vector goes with tensors of any shape.
    shape = next((t._array.shape for t in given if t._array.shape != (0,)), (0,))
    along_dim = wrap_dim(dim, len(shape)) if shape != (0,) else 0
    for place, tensor in enumerate(given):
        check_joins(tensor._array.shape, shape, along_dim, place)
    arrays = same_type([t._array for t in given])
    solid_arrays = [array for array in arrays if array.shape != (0,)] or arrays[:1]
    lengths = tuple(0 if t._array.shape == (0,) else t._array.shape[along_dim] for t in given)
    value = CatBackward0.forward(solid_arrays, along_dim)
    return record(CatBackward0, given, (dim, lengths), value)


def check_joins(shape: tuple[int, ...], first: tuple[int, ...], dim: int, place: int) -> None:
    """Refuse tensor number `place` if it cannot be joined to the first one along `dim`."""
    if shape == (0,):
        return
    if not shape:
        where = f"(at position {place})"
        raise RuntimeError(f"zero-dimensional tensor {where} cannot be concatenated")
    if len(shape) != len(first):
        ranks = f"got {len(first)} and {len(shape)}"
        raise RuntimeError(f"Tensors must have same number of dimensions: {ranks}")
    for axis, (size, wanted) in enumerate(zip(shape, first, strict=True)):
        if axis != dim and size != wanted:
            found = f"Expected size {wanted} but got size {size} for tensor number {place}"
            match = f"Sizes of tensors must match except in dimension {dim}"
            raise RuntimeError(f"{match}. {found} in the list.")


def same_type(arrays: list[Any]) -> list[Any]:
    """All arrays in the type that they have together."""
    wanted = arrays[0].dtype
    if all(array.dtype is wanted for array in arrays):
        return arrays
    wanted = result_dtype(*arrays)
    return [array.astype(wanted, copy=False) for array in arrays]


def stack(tensors: Any, dim: int = 0, *, axis: int | None = None) -> TensorBase:
    """Tensors of one shape one after the other along a new dimension `dim`.

    >>> import minigrad as mg
    >>> mg.stack([mg.tensor([1, 2]), mg.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    given = of_rank("stack", tensors, 0)
    dim = dim if axis is None else axis
    shape = given[0]._array.shape
    wrap_dim(dim, len(shape) + 1)
    for place, tensor in enumerate(given):
        if tensor._array.shape != shape:
            found = f"{list(shape)} at entry 0 and {list(tensor._array.shape)} at entry {place}"
            raise RuntimeError(f"stack expects each tensor to be equal size, but got {found}")
    arrays = same_type([t._array for t in given])
    return record(StackBackward0, given, (dim,), StackBackward0.forward(arrays, dim))


def joined(gs: list[Any], dim: int, stacked: bool) -> Any:
    """Gradients, all arrays or all Tensors, joined along `dim`."""
    if isinstance(gs[0], TensorBase):
        return stack(gs, dim) if stacked else cat(gs, dim)
    return np.stack(gs, dim) if stacked else np.concatenate(gs, dim)


def hstack(tensors: Any) -> TensorBase:
    """Tensors side by side: along the second dimension; vectors along their only one."""
    given = of_rank("hstack", tensors, 1)
    return cat(given, 0 if given[0]._array.ndim == 1 else 1)


def vstack(tensors: Any) -> TensorBase:
    """Tensors below each other: along the first of at least two dimensions."""
    return cat(of_rank("vstack", tensors, 2), 0)


def of_rank(name: str, tensors: Any, rank: int) -> list[Any]:
    """The tensors, of which there must be some, with at least `rank` dimensions each."""
    check_tensor_list(name, "tensors", tensors)
    if not tensors:
        raise RuntimeError(f"{name} expects a non-empty TensorList")
    return [at_least(rank, t) if rank else t for t in tensors]


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Any, ...]:
    """For each of some vectors its values all over the grid that they span.

    `indexing` is "ij" (the first vector runs down) or "xy" (the first one runs to the right).
    """
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    if indexing is None:
        text = "torch.meshgrid: in an upcoming release, it will be required to pass the indexing"
        warnings.warn(f"{text} argument.", stacklevel=2)
    elif indexing not in ("ij", "xy"):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", not {indexing}')
    if not given:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    if any(t._array.ndim > 1 for t in given):
        raise RuntimeError("torch.meshgrid: Expected 0D or 1D tensor in the tensor list")
    if len({t._array.dtype for t in given}) > 1:
        raise RuntimeError("torch.meshgrid expects all tensors to have the same dtype")
    places = list(range(len(given)))
    if indexing == "xy" and len(given) > 1:
        places[:2] = (1, 0)
    shape = [given[place]._array.size for place in places]  # (exchanging two is its own inverse)
    return tuple(
        expand(view(tensor, [-1 if axis == place else 1 for axis in range(len(given))]), shape)
        for place, tensor in zip(places, given, strict=True)
    )


# --- Taking apart


def split(input: TensorBase, split_size_or_sections: Any, dim: int = 0) -> tuple[TensorBase, ...]:
    """Views of pieces along `dim`: of one size (the last may be smaller), or of several.

    >>> import minigrad as mg
    >>> mg.arange(5).split(2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    if isinstance(split_size_or_sections, (tuple, list)):
        return split_with_sizes(input, split_size_or_sections, dim)
    size = length_of(input, dim, "split")
    piece = whole_number(split_size_or_sections)
    if piece < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={piece}")
    if not piece and size:
        found = f"but got dimension size of {size}"
        raise RuntimeError(f"split_size can only be 0 if dimension size is 0, {found}")
    return apply_views(SplitBackward0, input, piece, dim)


def length_of(input: TensorBase, dim: int, name: str) -> int:
    """The size of dimension `dim`, which there must be."""
    shape = input._array.shape
    if not shape:
        raise RuntimeError(f"{name} expects at least a 1-dimensional tensor")
    return int(shape[wrap_dim(dim, len(shape))])


def split_with_sizes(input: TensorBase, split_sizes: Any, dim: int = 0) -> tuple[TensorBase, ...]:
    """Views of pieces of the given sizes along `dim`."""
    size = length_of(input, dim, "split")
    lengths = tuple(whole_number(n) for n in split_sizes)
    wanted, found = "split_with_sizes expects split_sizes", f"but got split_sizes={list(lengths)}"
    if min(lengths, default=0) < 0:
        raise RuntimeError(f"{wanted} have only non-negative entries, {found}")
    if sum(lengths) != size:
        where = f"(input tensor's size at dimension {dim})"
        raise RuntimeError(f"{wanted} to sum exactly to {size} {where}, {found}")
    return apply_views(SplitWithSizesBackward0, input, lengths, dim)


def chunk(input: TensorBase, chunks: int, dim: int = 0) -> tuple[TensorBase, ...]:
    """Views of at most `chunks` pieces along `dim`, all of one size but the last."""
    if input._array.ndim and chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    size = length_of(input, dim, "chunk")
    if not size:
        return split_with_sizes(input, (0,) * chunks, dim)
    return split(input, math.ceil(size / chunks), dim)


def unbind(input: TensorBase, dim: int = 0) -> tuple[TensorBase, ...]:
    """Views of all slices of dimension `dim`."""
    rank = input._array.ndim
    wrap_dim(dim, rank)
    if not rank:
        raise IndexError(NO_DIMENSIONS)
    if not input._array.shape[dim]:
        return ()
    return apply_views(UnbindBackward0, input, dim)


# --- Repeating and rearranging


def repeat(input: TensorBase, *repeats: Any, **named: Any) -> TensorBase:
    """The whole tensor copied so many times along each dimension, new ones in front.

    >>> import minigrad as mg
    >>> mg.tensor([1, 2]).repeat(2, 2)
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    if not (repeats or named):
        raise TypeError('repeat() missing 1 required positional arguments: "repeats"')
    counts = sizes(repeats, "repeat", "repeats", named)
    if len(counts) < input._array.ndim:
        text = "Number of dimensions of repeat dims can not be smaller than number of dimensions of"
        raise RuntimeError(f"{text} tensor")
    if any(n < 0 for n in counts):
        raise RuntimeError(f"Trying to create tensor with negative dimension: {list(counts)} times")
    return apply(RepeatBackward0, input, counts)


def tile(input: TensorBase, *dims: Any, **named: Any) -> TensorBase:
    """`repeat`, where dimensions without a count are taken once."""
    counts = sizes(dims, "tile", "dims", named)
    return repeat(input, (1,) * (input._array.ndim - len(counts)) + counts)


def repeat_interleave(
    input: TensorBase,
    repeats: Any = None,
    dim: int | None = None,
    *,
    output_size: int | None = None,
) -> TensorBase:
    """Each element repeated so many times, along `dim` or (without one) of the flattened tensor.

    >>> import minigrad as mg
    >>> mg.tensor([1, 2]).repeat_interleave(2)
    tensor([1, 1, 2, 2])
    """
    if repeats is None:
        return new_tensor(interleaved(input, input._array.size))
    if dim is None:
        input, dim = flatten(input), 0
    dim = wrap_dim(dim, input._array.ndim)
    if isinstance(repeats, TensorBase):
        if not input._array.ndim:
            raise IndexError(NO_DIMENSIONS)
        counts = interleaved(repeats, input._array.shape[dim], dim)
        return index_select(input, dim, new_tensor(counts))
    if repeats < 0:
        raise RuntimeError("Repeats must be non-negative")
    spread = unsqueeze(input, dim + 1)
    shape = list(spread._array.shape)
    shape[dim + 1] = repeats
    copies = expand(spread, shape)
    copies = record(CloneBackward0, (copies,), (), copies._array.copy(order="C"))
    return flatten(copies, dim, dim + 1)


def interleaved(repeats: Any, size: int, dim: int = 0) -> Any:
    """The position of each of `size` elements, so many times as `repeats` says.

    Raises:
        RuntimeError: that is no such number for each of them.
    """
    counts = repeats._array
    if counts.ndim > 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    if counts.dtype.name not in ("int32", "int64"):
        raise RuntimeError("repeats has to be Long or Int tensor")
    if counts.size not in (1, size):
        found = f"repeats.size(0) = {counts.size} and input.size({dim}) = {size}"
        raise RuntimeError(f"repeats must have the same size as input along dim, but got {found}")
    if (counts < 0).any():
        raise RuntimeError("repeats can not be negative")
    module = get_array_module(counts)
    return module.repeat(module.arange(size), counts)


def flip(input: TensorBase, *dims: Any, **named: Any) -> TensorBase:
    """The elements in reverse order along the given dimensions, copied."""
    order = sizes(dims, "flip", "dims", named)
    distinct(order, input._array.ndim)
    return apply(FlipBackward0, input, order)


def roll(input: TensorBase, shifts: Any, dims: Any = ()) -> TensorBase:
    """The elements shifted along the given dimensions, or of the flattened tensor without them.

    >>> import minigrad as mg
    >>> mg.tensor([1, 2, 3]).roll(1)
    tensor([3, 1, 2])
    """
    steps = sizes((shifts,), "roll", "shifts") if not isinstance(shifts, int) else (shifts,)
    axes = (dims,) if isinstance(dims, int) else tuple(dims)
    if not steps:
        raise RuntimeError("`shifts` required")
    if (axes or len(steps) != 1) and len(axes) != len(steps):
        counts = f"shifts: {len(steps)}, dims:{len(axes)}"
        raise RuntimeError(f"shifts and dimensions must align. {counts}")
    for axis in axes:
        wrap_dim(axis, input._array.ndim)
    if axes and not input._array.ndim:
        raise IndexError(NO_DIMENSIONS)
    return apply(RollBackward0, input, steps, axes)


@both_forms
def tril(input: TensorBase, diagonal: int = 0) -> Row:
    """The elements on and below a diagonal of the last two dimensions; zeros above it."""
    check_triangle(input, "tril")
    return TrilBackward0, (diagonal,)


@both_forms
def triu(input: TensorBase, diagonal: int = 0) -> Row:
    """The elements on and above a diagonal of the last two dimensions; zeros below it."""
    check_triangle(input, "triu")
    return TriuBackward0, (diagonal,)


def check_triangle(input: TensorBase, name: str) -> None:
    if input._array.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")


class JoiningMethods(TensorBase):
    """The methods of this file."""

    split, split_with_sizes, chunk, unbind = split, split_with_sizes, chunk, unbind
    repeat, tile, repeat_interleave, flip, roll = repeat, tile, repeat_interleave, flip, roll
    tril, tril_, triu, triu_ = tril, tril.in_place, triu, triu.in_place
