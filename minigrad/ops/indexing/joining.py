"""Joining and splitting tensors (each the other's gradient), and repeated or reordered copies."""

from __future__ import annotations

import math
import warnings
from itertools import accumulate, pairwise
from typing import Any, cast

import numpy as np

from ...arrays.devices import get_array_module
from ...arrays.dtypes import result_dtype
from ...arrays.memory_formats import contiguous_format, copy_in_format, is_in, suggested
from ...arrays.memory_order import empty_as, row_major
from ...arrays.messages import not_implemented, type_name
from ...core.hooks import NO_HOOKS
from ...core.inplace import check_in_place
from ...core.modes import modes
from ...core.node import TensorBase, gradient_edge, new_tensor
from ...core.operation import Operation, apply, attach, constant_like, record, zeros_for
from ...core.views import ViewOperation, apply_view, apply_views
from ..pointwise.masking import masked_select
from ..public.dims import distinct, integers, out_of_range, truth_value, whole_number, wrap_dim
from ..public.factories import fill_in_place, sized
from ..public.functions import alias, schema
from ..public.kinds import ShapeOperation
from ..public.overriding import asking
from ..shapes.copies import CloneBackward0
from ..shapes.shapes import ExpandBackward0, at_least, flatten, unsqueeze, view
from ..shapes.slicing import SelectBackward0, SliceBackward0
from .gathering import index_select

NO_DIMENSIONS = "Dimension specified as 0 but tensor has no dimensions"


IMAGES = frozenset((4, 5))
"""Numbers of dimensions that memory formats have."""


def in_their_format(value: Any, arrays: Any) -> Any:
    """Return the joined arrays in their memory format, or row by row if they differ."""
    forms = {suggested(each) for each in arrays}
    form = forms.pop() if len(forms) == 1 else contiguous_format
    return value if is_in(value, form) else copy_in_format(value, form)


class JoiningOperation(ShapeOperation):
    """An operation on a list of tensors."""

    inputs = ("tensors*",)
    all_or_none = True

    def is_wanted(self, index: int) -> bool:
        """Return whether the gradient of tensor `index` is read."""
        return self.needs(index) or self._hooks is not NO_HOOKS


class CatBackward0(JoiningOperation):
    """Tensors one after the other along dimension `dim`."""

    params = ("dim", "_lengths")
    rule = r"\bar a_k = g[\text{part } k]"

    def forward(tensors: Any, dim: int, lengths: Any) -> Any:
        value = np.concatenate(tensors, dim)
        if value.ndim in IMAGES:
            return in_their_format(value, tensors)
        return value if value.flags.c_contiguous else value.copy(order="C")

    def backward(ctx, g: Any) -> Any:
        dim, lengths = ctx.args
        gradients: list[Any] = []
        for k, (end, length) in enumerate(zip(accumulate(lengths), lengths, strict=True)):
            if not ctx.is_wanted(k):
                gradients.append(None)
            elif length == 0 and (not ctx.needs(k) or ctx.shape(k) == (0,)):
                gradients.append(zeros_for(g, (0,)))  # PyTorch accepts empty vectors of any rank
            else:
                gradients.append(SliceBackward0.on(g, dim, end - length, end, 1))
        return tuple(gradients)


class StackBackward0(JoiningOperation):
    """Tensors of one shape one after the other along a new dimension `dim`."""

    params = ("dim",)
    rule = r"\bar a_k = g[k]"

    def forward(tensors: Any, dim: int) -> Any:
        rank = tensors[0].ndim
        dim %= rank + 1
        if rank + (dim == rank) not in IMAGES:
            value = np.stack(tensors, dim)
            return value if value.flags.c_contiguous else value.copy(order="C")
        if dim == rank:
            parts = [each[..., None] for each in tensors]
            return in_their_format(np.concatenate(parts, dim), parts)
        shape = tensors[0].shape
        value = in_their_format(np.concatenate(tensors, dim), tensors)
        return value.reshape(*shape[:dim], len(tensors), *shape[dim:])

    def backward(ctx, g: Any) -> Any:
        (dim,) = ctx.args
        count = len(ctx._edges)
        return tuple(
            [SelectBackward0.on(g, dim, k) if ctx.is_wanted(k) else None for k in range(count)]
        )


class SplitBackward0(ViewOperation):
    """Pieces of `split_size` along `dim`; the last one may be smaller."""

    rule = r"\bar a = \operatorname{cat}(g_1, \dots, g_n)"

    def forward(self: Any, /, split_size: Any, dim: int) -> Any:
        one = isinstance(split_size, int)
        lengths = split_sizes(self.shape[dim], split_size) if one else split_size
        before = (slice(None),) * (dim % self.ndim)
        return tuple(
            [
                self[(*before, slice(end - length, end))]
                for end, length in zip(accumulate(lengths), lengths, strict=True)
            ]
        )

    def backward(ctx, *gs: Any) -> Any:
        return join_gradients(all_given(ctx, gs), ctx.args[1], stacked=False)


class SplitWithSizesBackward0(SplitBackward0):
    """Pieces of the given sizes along `dim`."""

    params = ("split_sizes", "dim")


class UnsafeSplitBackward0(ShapeOperation):
    """Pieces of `split_size` along `dim` that are not tracked as views."""

    params = ("split_size", "dim")
    results = ("pieces*",)
    rule = SplitBackward0.rule

    def forward(self: Any, split_size: int, dim: int) -> Any:
        return SplitBackward0.forward(self, split_size, dim)

    def backward(ctx, *gs: Any) -> Any:
        return join_gradients(all_given(ctx, gs), ctx.args[1], stacked=False)


class UnsafeSplitWithSizesBackward0(UnsafeSplitBackward0):
    """Pieces of the given sizes along `dim` that are not tracked as views."""

    params = ("split_sizes", "dim")


class UnbindBackward0(ViewOperation):
    """All slices of a dimension."""

    rule = r"\bar a = \operatorname{stack}(g_1, \dots, g_n)"

    def forward(self: Any, /, dim: int) -> Any:
        before = (slice(None),) * (dim % self.ndim)
        return tuple([self[(*before, index, ...)] for index in range(self.shape[dim])])

    def backward(ctx, *gs: Any) -> Any:
        return join_gradients(all_given(ctx, gs), ctx.args[0], stacked=True)


def split_sizes(size: int, piece: int) -> tuple[int, ...]:
    """Return the lengths of the pieces into which `size` elements are split."""
    if not piece:
        return (0,)
    whole, rest = divmod(size, piece)
    return (piece,) * whole + ((rest,) if rest or not whole else ())


def all_given(ctx: Operation, gs: tuple[Any, ...]) -> list[Any]:
    """Return the gradients of all results: zeros for unused results."""
    one = next(g for g in gs if g is not None)
    return [
        zeros_for(one, output[0]) if g is None else g
        for g, output in zip(gs, ctx._outputs, strict=True)
    ]


class RepeatBackward0(ShapeOperation):
    """The whole tensor copied `repeats` times along each dimension, new dimensions first."""

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
            g = g.sum(tuple(range(new)))
        apart: list[int] = []
        copies = []
        for count, size in zip(repeats[new:], shape, strict=True):
            if count != 1:
                copies.append(len(apart))
                apart.append(count)
            apart.append(size)
        return g.reshape(tuple(apart)).sum(tuple(copies)) if copies else g


class FlipBackward0(ShapeOperation):
    """The elements in reverse order along some dimensions."""

    rule = r"\bar a = \operatorname{flip}(g)"

    def forward(self: Any, /, dims: tuple[int, ...]) -> Any:
        if not self.ndim:
            return self.copy()
        if self.flags.c_contiguous:
            return np.flip(self, dims).copy(order="C")
        result = empty_as(self)
        result[...] = np.flip(self, dims)
        return result

    def backward(ctx, g: Any) -> Any:
        return FlipBackward0.on(g, *ctx.args)


class RollBackward0(ShapeOperation):
    """The elements shifted along some dimensions; those past the end reappear at the beginning."""

    rule = r"\bar a = \operatorname{roll}(g, -s)"

    @row_major
    def forward(self: Any, /, shifts: tuple[int, ...], dims: tuple[int, ...]) -> Any:
        if not self.size:
            return self.copy()
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


@schema("cat(Tensor[] tensors, int dim=0, *, Tensor out=None)")
def cat(tensors: Any, dim: Any = 0) -> TensorBase:
    """Join tensors along dimension `dim`.

    >>> import minigrad as mg
    >>> mg.cat([mg.tensor([1, 2]), mg.tensor([3])])
    tensor([1, 2, 3])
    """
    if not isinstance(tensors, (tuple, list)):
        raise TypeError
    arrays = [t._array for t in tensors]
    if not arrays:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    if type(dim) is not int:
        dim = whole_number(dim)
    solid = arrays
    dtype = arrays[0].dtype
    for array in arrays:
        if array.dtype is not dtype or array.shape == (0,):
            solid = joinable(arrays, dim)
            break
    if solid[0].shape == (0,):
        dim = 0
    try:
        value = CatBackward0.forward(solid, dim, None)
    except ValueError:
        check_joins(arrays, dim)
        raise
    if len(solid) < len(arrays) and not value.flags.c_contiguous:
        value = value.copy(order="C")  # the format of an empty vector is row-major
    dim %= value.ndim
    lengths = tuple([0 if a.shape == (0,) else a.shape[dim] for a in arrays])
    edges = tuple([t._edge or gradient_edge(t) for t in tensors]) if modes.grad else ()
    return attach(CatBackward0, edges, (*tensors, dim, lengths), value)


def joinable(arrays: list[Any], dim: int) -> list[Any]:
    """Return the arrays in their common dtype, without empty vectors, which fit any shape."""
    solid = [array for array in arrays if array.shape != (0,)]
    if solid:
        check_joins(arrays, dim)
    wanted = result_dtype(*arrays)
    return [array.astype(wanted, copy=False) for array in solid or arrays[:1]]


def check_joins(arrays: list[Any], dim: int) -> None:
    """Raise if the arrays cannot be joined along `dim`."""
    first = next((a.shape for a in arrays if a.shape != (0,)), (0,))
    dim = wrap_dim(dim, len(first))
    for place, array in enumerate(arrays):
        shape = array.shape
        if shape == (0,):
            continue
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
    """Return all arrays in their common dtype."""
    wanted = result_dtype(*arrays)
    return [array.astype(wanted, copy=False) for array in arrays]


concat, concatenate = alias("concat", cat), alias("concatenate", cat)


@schema("stack(Tensor[] tensors, int dim=0, *, Tensor out=None)")
def stack(tensors: Any, dim: Any = 0) -> TensorBase:
    """Join tensors of one shape along a new dimension `dim`.

    >>> import minigrad as mg
    >>> mg.stack([mg.tensor([1, 2]), mg.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    if not isinstance(tensors, (tuple, list)):
        raise TypeError
    arrays = [t._array for t in tensors]
    if not arrays:
        raise RuntimeError("stack expects a non-empty TensorList")
    if type(dim) is not int:
        dim = whole_number(dim)
    dtype, shape = arrays[0].dtype, arrays[0].shape
    if not -len(shape) - 2 < dim <= len(shape):
        raise out_of_range(dim, len(shape) + 1)
    for place, array in enumerate(arrays):
        if array.shape != shape:
            found = f"{list(shape)} at entry 0 and {list(array.shape)} at entry {place}"
            raise RuntimeError(f"stack expects each tensor to be equal size, but got {found}")
        if array.dtype is not dtype:
            arrays, dtype = same_type(arrays), array.dtype
    value = StackBackward0.forward(arrays, dim)
    edges = tuple([t._edge or gradient_edge(t) for t in tensors]) if modes.grad else ()
    return attach(StackBackward0, edges, (*tensors, dim), value)


def join_gradients(gs: list[Any], dim: int, stacked: bool) -> Any:
    """Join gradients, all arrays or all Tensors, along `dim`."""
    if isinstance(gs[0], TensorBase):
        return stack(gs, dim) if stacked else cat(gs, dim)
    return np.stack(gs, dim) if stacked else np.concatenate(gs, dim)


@schema("hstack(Tensor[] tensors, *, Tensor out=None)")
def hstack(tensors: Any) -> Any:
    """Join tensors horizontally: along the second dimension; vectors along their only one."""
    given = of_rank("hstack", tensors, 1)
    return cat(given, 0 if given[0]._array.ndim == 1 else 1)


@schema("vstack(Tensor[] tensors, *, Tensor out=None)")
def vstack(tensors: Any) -> Any:
    """Join tensors vertically: along the first of at least two dimensions."""
    return cat(of_rank("vstack", tensors, 2), 0)


def of_rank(name: str, tensors: Any, rank: int) -> list[Any]:
    """Return the tensors with at least `rank` dimensions each; raise if there are none."""
    if not isinstance(tensors, (tuple, list)):
        raise TypeError
    if not tensors:
        raise RuntimeError(f"{name} expects a non-empty TensorList")
    return [at_least(rank, t) for t in tensors]


@asking
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[TensorBase, ...]:
    """Return for each vector its values on the grid that all vectors span.

    `indexing` is "ij" (the first vector runs down) or "xy" (the first one runs to the right).
    """
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    if indexing is None and all(isinstance(each, TensorBase) for each in given):
        text = "torch.meshgrid: in an upcoming release, it will be required to pass the indexing"
        warnings.warn(f"{text} argument.", stacklevel=3)
    outs: tuple[TensorBase, ...] = (
        grid(given) if indexing is None else grid(given, indexing=indexing)
    )
    return outs


@schema("meshgrid(Tensor[] tensors)", "meshgrid(Tensor[] tensors, *, str indexing)")
def grid(tensors: Any, *, indexing: str = "ij") -> tuple[TensorBase, ...]:
    """Compute `meshgrid` of a list."""
    arrays = [t._array for t in tensors]
    if not isinstance(indexing, str):
        raise TypeError
    if not arrays:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    for array in arrays:
        if array.ndim > 1:
            found = f"in the tensor list but got: {list(array.shape)}"
            raise RuntimeError(f"torch.meshgrid: Expected 0D or 1D tensor {found}")
        if array.dtype != arrays[0].dtype:
            raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    if indexing not in ("ij", "xy"):
        wanted = 'indexing must be one of "xy" or "ij", but received'
        raise RuntimeError(f"torch.meshgrid: {wanted}: {indexing}")
    places = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) > 1:
        places[:2] = (1, 0)
    shape = tuple([arrays[place].size for place in places])  # (exchanging two is its own inverse)
    return tuple(
        apply_view(
            ExpandBackward0,
            view(tensor, [-1 if axis == place else 1 for axis in range(len(arrays))]),
            shape,
        )
        for place, tensor in zip(places, tensors, strict=True)
    )


# --- Splitting


@schema(
    "def split(Tensor tensor, int[1] split_size_or_sections, int dim=0)",
    "tensor.split()",
)
def split(tensor: Any, split_size_or_sections: Any, dim: Any = 0) -> Any:
    """Return views of pieces along `dim`: of one size (the last may be smaller), or of given sizes.

    >>> import minigrad as mg
    >>> mg.split(mg.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    if not isinstance(tensor, TensorBase):
        raise TypeError
    return split_method(tensor, split_size_or_sections, dim)


@schema("def Tensor.split(Tensor self, int[1] split_size, int dim=0)", place="Tensor")
def split_method(self: Any, split_size: Any, dim: Any = 0) -> tuple[TensorBase, ...]:
    """Return views of pieces along `dim`: of one size (the last may be smaller), or of given sizes.

    >>> import minigrad as mg
    >>> mg.arange(5).split(2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    if type(dim) is int:
        if type(split_size) is int:
            return pieces(self, split_size, dim)
        if type(split_size) is list or type(split_size) is tuple:
            try:
                return pieces_of_sizes(self, split_size, dim)
            except TypeError:
                pass  # `split_with_sizes` gives the error
    one = isinstance(split_size, int) or is_one(split_size)
    found: tuple[TensorBase, ...] = (split_into if one else split_with_sizes)(self, split_size, dim)
    return found


def is_one(value: Any) -> bool:
    """Return whether `value` is a tensor that stands for an integer. (PyTorch refuses NumPy's.)"""
    return (
        isinstance(value, TensorBase) and value._array.size == 1 and value._array.dtype.kind in "iu"
    )


@schema(
    "split(Tensor tensor, int split_size, int dim=0)",
    "split(Tensor tensor, int[] split_size, int dim=0)",
)
def split_into(tensor: Any, split_size: Any, dim: Any = 0) -> tuple[TensorBase, ...]:
    """Compute `split` for arguments that are not Python integers."""
    return pieces(tensor, whole_number(split_size), whole_number(dim))


def pieces(input: TensorBase, piece: int, dim: int) -> tuple[TensorBase, ...]:
    """Return views of pieces of one size along `dim`."""
    size = length_of(input, dim, "split")
    if piece < 0:
        wanted = "split expects split_size be non-negative"
        raise RuntimeError(f"{wanted}, but got split_size={piece}")
    if not piece and size:
        found = f"but got dimension size of {size}"
        raise RuntimeError(f"split_size can only be 0 if dimension size is 0, {found}")
    return apply_views(SplitBackward0, input, piece, dim)


def length_of(input: TensorBase, dim: int, name: str) -> int:
    """Return the size of dimension `dim`, which must exist."""
    shape = input._array.shape
    if not shape:
        raise RuntimeError(f"{name} expects at least a 1-dimensional tensor")
    return int(shape[wrap_dim(dim, len(shape))])


@schema("split_with_sizes(Tensor input, int[] split_sizes, int dim=0)")
def split_with_sizes(input: Any, split_sizes: Any, dim: Any = 0) -> tuple[TensorBase, ...]:
    """Return views of pieces of the given sizes along `dim`."""
    if not isinstance(split_sizes, (tuple, list)):
        raise TypeError
    return pieces_of_sizes(input, split_sizes, dim if type(dim) is int else whole_number(dim))


def pieces_of_sizes(input: TensorBase, sizes: Any, dim: int) -> tuple[TensorBase, ...]:
    """Return views of pieces of the given sizes along `dim`."""
    lengths = tuple(sizes)
    for n in lengths:
        if type(n) is not int:
            lengths = integers(lengths)
            break
    size = length_of(input, dim, "split")
    wanted, found = "split_with_sizes expects split_sizes", f"but got split_sizes={list(lengths)}"
    if min(lengths, default=0) < 0:
        raise RuntimeError(f"{wanted} have only non-negative entries, {found}")
    if sum(lengths) != size:
        where = f"(input tensor's size at dimension {dim})"
        raise RuntimeError(f"{wanted} to sum exactly to {size} {where}, {found}")
    return apply_views(SplitWithSizesBackward0, input, lengths, dim) if lengths else ()


@schema("chunk(Tensor input, int chunks, int dim=0)")
def chunk(input: Any, chunks: Any, dim: Any = 0) -> tuple[TensorBase, ...]:
    """Return views of at most `chunks` pieces along `dim`, all of one size but the last."""
    if type(dim) is not int or type(chunks) is not int:
        dim, chunks = whole_number(dim), whole_number(chunks)
    if input._array.ndim and chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    size = length_of(input, dim, "chunk")
    if not size:
        return apply_views(SplitWithSizesBackward0, input, (0,) * chunks, dim)
    return apply_views(SplitBackward0, input, math.ceil(size / chunks), dim)


@schema("unsafe_chunk(Tensor input, int chunks, int dim=0)")
def unsafe_chunk(input: Any, chunks: Any, dim: Any = 0) -> tuple[TensorBase, ...]:
    """`chunk` whose pieces are not tracked as views: in-place writes change the input unnoticed."""
    if type(dim) is not int or type(chunks) is not int:
        dim, chunks = whole_number(dim), whole_number(chunks)
    if not input._array.ndim:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    size = length_of(input, dim, "chunk")
    if not size:
        return apply(UnsafeSplitWithSizesBackward0, input, (0,) * chunks, dim)  # type: ignore[return-value]
    return apply(UnsafeSplitBackward0, input, math.ceil(size / chunks), dim)  # type: ignore[return-value]


@schema("unbind(Tensor input, int dim=0)")
def unbind(input: Any, dim: Any = 0) -> tuple[TensorBase, ...]:
    """Return views of all slices of dimension `dim`."""
    if type(dim) is not int:
        dim = whole_number(dim)
    shape = input._array.shape
    wrap_dim(dim, len(shape))
    if not shape:
        raise IndexError(NO_DIMENSIONS)
    return apply_views(UnbindBackward0, input, dim) if shape[dim] else ()


# --- Repeating and rearranging


@sized("repeat(int[] repeats)", place="Tensor")
def repeat(input: Any, repeats: tuple[int, ...]) -> TensorBase:
    """Copy the whole tensor `repeats` times along each dimension, new dimensions first.

    >>> import minigrad as mg
    >>> mg.tensor([1, 2]).repeat(2, 2)
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    shape = input._array.shape
    new = len(repeats) - len(shape)
    if new < 0:
        text = "Number of dimensions of repeat dims can not be smaller than number of dimensions of"
        raise RuntimeError(f"{text} tensor")
    if repeats and min(repeats) < 0:
        full = (1,) * new + shape
        wanted = [repeats[dim] * size for dim, size in enumerate(full)]
        first = next((n for n in wanted if n < 0), None)
        if first is not None:
            found = f"negative dimension {first}: {wanted}"
            raise RuntimeError(f"Trying to create tensor with {found}")
    return apply(RepeatBackward0, input, repeats)


@sized("tile(Tensor input, int[] dims)")
def tile(input: Any, dims: tuple[int, ...]) -> Any:
    """`repeat`, where missing counts are 1."""
    return repeat(input, (1,) * (input._array.ndim - len(dims)) + dims)


OF_TENSOR = (
    "repeat_interleave(Tensor input, Tensor repeats, int? dim=None, *, int? output_size=None)"
)
OF_INT = "repeat_interleave(Tensor input, int repeats, int? dim=None, *, int? output_size=None)"


@schema(OF_TENSOR, "repeat_interleave(Tensor repeats, *, int? output_size=None)", OF_INT)
def repeat_interleave(
    input: Any = None, repeats: Any = None, dim: Any = None, *, output_size: Any = None
) -> Any:
    """Repeat each element along `dim` or, without one, of the flattened tensor.

    >>> import minigrad as mg
    >>> mg.tensor([1, 2]).repeat_interleave(2)
    tensor([1, 1, 2, 2])
    """
    if output_size is not None:
        output_size = whole_number(output_size)
    if repeats is None or input is None:
        counts = input if repeats is None else repeats
        check_counts(counts._array)
        if counts._array.ndim != 1:
            raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
        places = repeat_positions(counts, counts._array.size, 0, output_size)
        return new_tensor(places.astype(counts._array.dtype, copy=False))
    if dim is None:
        input, dim = flatten(input), 0
    dim = wrap_dim(whole_number(dim), input._array.ndim)
    if isinstance(repeats, TensorBase):
        if not input._array.ndim:
            raise IndexError(NO_DIMENSIONS)
        places = repeat_positions(repeats, input._array.shape[dim], dim, output_size)
        return index_select(input, dim, new_tensor(places))
    repeats = whole_number(repeats)
    if repeats < 0:
        raise RuntimeError("Repeats must be non-negative")
    spread: Any = unsqueeze(input, dim + 1)
    shape = list(spread._array.shape)
    check_output_size(output_size, shape[dim] * repeats if input._array.ndim else repeats)
    shape[dim + 1] = repeats
    copies = apply_view(ExpandBackward0, spread, tuple(shape))
    copies = record(CloneBackward0, (copies,), (), copies._array.copy(order="C"))
    flat: TensorBase = flatten(copies, dim, dim + 1)
    return flat


@schema(OF_TENSOR, OF_INT, place="Tensor")
def repeat_interleave_method(
    self: Any, repeats: Any, dim: Any = None, *, output_size: Any = None
) -> Any:
    """Repeat each element along `dim` or, without one, of the flattened tensor."""
    return repeat_interleave(self, repeats, dim, output_size=output_size)


def check_output_size(given: int | None, size: int) -> None:
    """Raise if a given size of the result is wrong."""
    if given is not None and given != size:
        wrong = f"Invalid output_size, expected {size} but got {given}"
        raise RuntimeError(f"repeat_interleave: {wrong}")


def check_counts(counts: Any) -> None:
    """Raise for invalid numbers of repetitions."""
    if counts.dtype.name not in ("int32", "int64"):
        raise not_implemented("repeat_interleave_cpu", counts.dtype)


def repeat_positions(repeats: Any, size: int, dim: int, output_size: int | None) -> Any:
    """Return the position of each of `size` elements, repeated as `repeats` says.

    Raises:
        RuntimeError: `repeats` does not have one number, or one for each element.
    """
    counts = repeats._array
    if counts.ndim > 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    if counts.size not in (1, size):
        found = f"repeats.size(0) = {counts.size} and input.size({dim}) = {size}"
        raise RuntimeError(f"repeats must have the same size as input along dim, but got {found}")
    check_counts(counts)
    if (counts < 0).any():
        raise RuntimeError("repeats can not be negative")
    module = get_array_module(counts)
    places = module.repeat(module.arange(size, dtype=np.int64), counts.astype(np.intp, copy=False))
    if output_size is not None and output_size != places.size:
        raise RuntimeError("allocated size does not match required size")
    return places


@sized("flip(Tensor input, int[] dims)")
def flip(input: Any, dims: tuple[int, ...]) -> TensorBase:
    """Copy the elements in reverse order along the given dimensions.

    >>> import minigrad as mg
    >>> mg.tensor([1, 2, 3]).flip(0)
    tensor([3, 2, 1])
    """
    array = input._array
    if not array.ndim:
        distinct(dims, 0)
    try:
        value = FlipBackward0.forward(array, dims)
    except (ValueError, OverflowError):
        distinct(dims, array.ndim)
        raise
    edges = (input._edge or gradient_edge(input),) if modes.grad else ()
    return attach(FlipBackward0, edges, (input, dims), value)


@schema("roll(Tensor input, int[1] shifts, int[1] dims=None)")
def roll(input: Any, shifts: Any, dims: Any = None) -> TensorBase:
    """Shift the elements along the given dimensions, or those of the flattened tensor.

    >>> import minigrad as mg
    >>> mg.tensor([1, 2, 3]).roll(1)
    tensor([3, 1, 2])
    """
    steps = (shifts,) if type(shifts) is int else one_or_several(shifts)
    axes = (dims,) if type(dims) is int else () if dims is None else one_or_several(dims)
    rank = input._array.ndim
    if not steps:
        raise RuntimeError("`shifts` required")
    if (axes or len(steps) != 1) and len(axes) != len(steps):
        counts = f"shifts: {len(steps)}, dims:{len(axes)}"
        raise RuntimeError(f"shifts and dimensions must align. {counts}")
    if axes and not rank:
        raise IndexError(f"Dimension specified as {axes[0]} but tensor has no dimensions")
    return apply(RollBackward0, input, steps, axes)


def one_or_several(given: Any) -> tuple[int, ...]:
    """Return one integer or several as a tuple."""
    return integers(given if isinstance(given, (tuple, list)) else (given,))


@schema("tril(Tensor input, int diagonal=0, *, Tensor out=None)")
def tril(input: Any, diagonal: Any = 0) -> TensorBase:
    """Keep the elements on and below a diagonal of the last two dimensions; the others become 0."""
    return triangle(TrilBackward0, input, diagonal, "tril")


@schema("tril_(int diagonal=0)", place="Tensor")
def tril_(self: Any, diagonal: Any = 0) -> TensorBase:
    """`tril` in place."""
    return triangle(TrilBackward0, self, diagonal, "tril", in_place=True)


@schema("triu(Tensor input, int diagonal=0, *, Tensor out=None)")
def triu(input: Any, diagonal: Any = 0) -> TensorBase:
    """Keep the elements on and above a diagonal of the last two dimensions; the others become 0."""
    return triangle(TriuBackward0, input, diagonal, "triu")


@schema("triu_(int diagonal=0)", place="Tensor")
def triu_(self: Any, diagonal: Any = 0) -> TensorBase:
    """`triu` in place."""
    return triangle(TriuBackward0, self, diagonal, "triu", in_place=True)


def triangle(
    op: type[Operation], input: Any, diagonal: Any, name: str, in_place: bool = False
) -> TensorBase:
    """Apply `op`, which keeps the triangle up to a diagonal."""
    if type(diagonal) is not int:
        diagonal = whole_number(diagonal)
    if in_place:
        check_in_place(input, (input,))
    if input._array.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
    if in_place:
        return fill_in_place(op, input, diagonal)
    return record(op, (input,), (diagonal,), op.forward(input._array, diagonal))


def vectors(tensors: Any) -> list[TensorBase]:
    """Return the tensors, which must be vectors."""
    for place, tensor in enumerate(tensors):
        if not isinstance(tensor, TensorBase):
            wanted = f"expected Tensor as element {place} in argument 0"
            raise TypeError(f"{wanted}, but got {type_name(tensor)}")
        if tensor._array.ndim != 1:
            found = f"but got shape {list(tensor._array.shape)}"
            raise RuntimeError(f"Expect a 1D vector, {found}")
    return list(tensors)


@asking
def cartesian_prod(*tensors: Any) -> TensorBase:
    """Return all tuples of one element of each vector, a row for each.

    >>> import minigrad as mg
    >>> mg.cartesian_prod(mg.tensor([1, 2]), mg.tensor([5, 6]))
    tensor([[1, 5],
            [1, 6],
            [2, 5],
            [2, 6]])
    """
    given = vectors(tensors)
    if len(given) == 1:
        return given[0]
    return cast(TensorBase, stack([flatten(part) for part in grid(given)], 1))


@schema("combinations(Tensor input, int r=2, bool with_replacement=False)")
def combinations(input: Any, r: Any = 2, with_replacement: Any = False) -> TensorBase:
    """Return all choices of `r` elements of a vector in its order, a row for each.

    `with_replacement`, an element may be chosen again.

    >>> import minigrad as mg
    >>> mg.combinations(mg.tensor([1, 2, 3]))
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    """
    (vector,), r = vectors([input]), whole_number(r)
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if not r:
        return new_tensor(np.zeros_like(input._array, shape=0))
    places = np.indices((input._array.size,) * r)
    later = np.ones(places.shape[1:], bool)
    for one, next_one in pairwise(places):
        later &= one <= next_one if truth_value(with_replacement) else one < next_one
    chosen = new_tensor(constant_like(input._array, later))
    parts = [masked_select(part, chosen) for part in grid([vector] * r)]
    return cast(TensorBase, stack(parts, 1))


class JoiningMethods(TensorBase):
    """The methods of this file."""

    split, split_with_sizes = split_method, split_with_sizes.method
    chunk, unsafe_chunk, unbind = chunk.method, unsafe_chunk.method, unbind.method
    repeat, tile, flip, roll = repeat.method, tile.method, flip.method, roll.method
    repeat_interleave = repeat_interleave_method
    tril, tril_, triu, triu_ = tril.method, tril_.method, triu.method, triu_.method
