"""Compositions that arrange dimensions, join tensors of different ranks, and split at positions.

Each leaves the nodes that PyTorch's leaves: those of permute, slice, cat, flip, gather. Nodes of
their own have `unfold` (windows along a dimension, as views) and `rot90`.
"""

from __future__ import annotations

import warnings
from itertools import pairwise
from typing import Any

import numpy as np

from ...arrays.devices import get_array_module
from ...arrays.messages import type_word
from ...core.node import TensorBase, new_tensor
from ...core.operation import apply
from ...core.views import ViewOperation, apply_view
from ..public.dims import common_shape, integers, whole_number, wrap_dim
from ..public.functions import alias, schema
from ..public.kinds import Adjoint, ShapeOperation
from ..public.overriding import asking
from ..shapes.shapes import (
    AliasBackward0,
    ExpandBackward0,
    UnsqueezeBackward0,
    at_least,
    permute,
    reshape_checked,
    transpose,
    view,
)
from ..shapes.slicing import SliceBackward0
from .gathering import gather
from .joining import (
    FlipBackward0,
    UnsafeSplitBackward0,
    UnsafeSplitWithSizesBackward0,
    cat,
    flip,
    length_of,
    of_rank,
    vstack,
)

# --- Order of dimensions


@schema(
    "movedim(Tensor input, int source, int destination)",
    "movedim(Tensor input, int[] source, int[] destination)",
)
def movedim(input: Any, source: Any, destination: Any) -> Any:
    """Move dimensions to other positions; the others keep their order.

    >>> import minigrad as mg
    >>> mg.zeros(2, 3, 4).movedim(0, -1).shape
    torch.Size([3, 4, 2])
    """
    if isinstance(source, (tuple, list)) != isinstance(destination, (tuple, list)):
        raise TypeError
    several = isinstance(source, (tuple, list))
    froms = integers(source) if several else (whole_number(source),)
    tos = integers(destination) if several else (whole_number(destination),)
    if len(froms) != len(tos):
        wanted = "Invalid source or destination dims: source"
        counts = f"({list(froms)} dims) should contain the same number of dims as destination"
        raise RuntimeError(f"movedim: {wanted} {counts} ({list(tos)} dims)")
    rank = input._array.ndim
    given = {"source": froms, "destination": tos}
    froms, tos = (tuple([wrap_dim(d, rank) for d in dims]) for dims in (froms, tos))
    for (name, dims), wrapped in zip(given.items(), (froms, tos), strict=True):
        if len({*wrapped}) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({list(dims)})")
    if not rank:
        return apply_view(AliasBackward0, input)
    rest = iter([d for d in range(rank) if d not in froms])
    places = dict(zip(tos, froms, strict=True))
    return permute(input, tuple([places[d] if d in places else next(rest) for d in range(rank)]))


moveaxis = alias("moveaxis", movedim)


@schema("adjoint(Tensor input)")
def adjoint(input: Any) -> Any:
    """Transpose the last two dimensions (and conjugate: tensors are real)."""
    rank = input._array.ndim
    if rank == 1:
        only = "tensor.adjoint() is only supported on matrices or batches of matrices"
        raise RuntimeError(f"{only}. Got {rank}-D tensor.")
    if not rank:
        warnings.warn(
            "adjoint() is deprecated on 0-D tensors. Consider using x.conj().",
            stacklevel=1,  # at one place, so that Python shows it once
        )
        return input
    return transpose(input, -2, -1)


# --- Splitting at positions


@schema(
    "tensor_split(Tensor input, int[] indices, int dim=0)",
    "tensor_split(Tensor input, Tensor tensor_indices_or_sections, int dim=0)",
    "tensor_split(Tensor input, int sections, int dim=0)",
)
def tensor_split(input: Any, *given: Any, dim: Any = 0, **named: Any) -> tuple[TensorBase, ...]:
    """Split into `sections` parts of nearly one size, or at the given positions.

    >>> import minigrad as mg
    >>> mg.arange(5).tensor_split(2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    if given:
        where, *rest = given
        if named:
            raise TypeError
        if rest:
            (dim,) = rest
    else:
        ((name, where),) = named.items()
        if name not in ("indices", "tensor_indices_or_sections", "sections"):
            raise TypeError
    shape = input._array.shape
    if not shape:
        expected = "tensor_split expected at least a 1-dimensional tensor"
        raise RuntimeError(f"{expected}, but got a tensor with {len(shape)} dims")
    axis = wrap_dim(whole_number(dim), len(shape))
    if isinstance(where, TensorBase):
        where = positions_in(where)
    if isinstance(where, (tuple, list)):
        return split_at(input, integers(where), axis)
    sections, size = whole_number(where), shape[axis]
    if sections <= 0:
        raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
    short, longer = divmod(size, sections)
    ends = [short * place + min(place, longer) for place in range(1, sections)]
    return split_at(input, tuple(ends), axis)


def positions_in(given: TensorBase) -> Any:
    """Return the number or the positions in a tensor of integers."""
    array = given._array
    if array.dtype != np.int64:
        wanted = "tensor_split expected tensor_indices_or_sections to have dtype of long"
        raise RuntimeError(f"{wanted}, but got {type_word(array.dtype)}")
    if array.ndim > 1:
        wanted = "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or "
        found = f"one-dimensional tensor, but got a tensor with {array.ndim} dims"
        raise RuntimeError(wanted + found)
    return array.tolist()


def split_at(input: Any, ends: tuple[int, ...], axis: int) -> tuple[TensorBase, ...]:
    """Return the parts between positions of one dimension."""
    size = input._array.shape[axis]
    bounds = [0, *ends, size]
    return tuple(
        apply_view(SliceBackward0, input, axis, *slice_of(start, end, size), 1)
        for start, end in pairwise(bounds)
    )


def slice_of(start: int, end: int, size: int) -> tuple[int, int]:
    """Return the bounds of a slice inside a dimension: an empty slice, if they are reversed."""
    begin, stop, _ = slice(start, end).indices(size)
    return begin, max(begin, stop)


def splitter(name: str, dim: int, least: int) -> Any:
    """Make hsplit, vsplit or dsplit: `tensor_split` along one dimension."""

    def body(input: Any, *given: Any, **named: Any) -> tuple[TensorBase, ...]:
        if len(given) + len(named) != 1 or not named.keys() <= {"sections", "indices"}:
            raise TypeError
        (where,) = (*given, *named.values())
        rank = input._array.ndim
        if rank < least:
            found = f"tensor with at least {least} dimension"
            wanted = f"torch.{name} requires a {found}"
            raise RuntimeError(f"{wanted}, but got a tensor with {rank} dimensions!")
        axis = 0 if rank == 1 else dim
        if not isinstance(where, (tuple, list)):
            sections, size = whole_number(where), input._array.shape[axis]
            if sections == 0 or size % sections:
                raise RuntimeError(
                    f"torch.{name} attempted to split along dimension {axis}, but the size of the "
                    f"dimension {size} is not divisible by the split_size {sections}!"
                )
            return tensor_split(input, sections, axis)  # type: ignore[no-any-return]
        return tensor_split(input, where, axis)  # type: ignore[no-any-return]

    which = ("second (of vectors: the only)", "first", "third")[(1, 0, 2).index(dim)]
    body.__name__ = name
    body.__doc__ = f"Split along the {which} dimension, into equal parts or at positions."
    return schema(f"{name}(Tensor input, int sections)", f"{name}(Tensor input, int[] indices)")(
        body
    )


hsplit = splitter("hsplit", 1, 1)
vsplit = splitter("vsplit", 0, 2)
dsplit = splitter("dsplit", 2, 3)


@schema("unsafe_split(Tensor input, int split_size, int dim=0)")
def unsafe_split(input: Any, split_size: Any, dim: Any = 0) -> tuple[TensorBase, ...]:
    """`split` whose pieces are not tracked as views: in-place writes change the input unnoticed."""
    split_size, dim = whole_number(split_size), whole_number(dim)
    size = length_of(input, dim, "split")
    if split_size < 0:
        wanted = "split expects split_size be non-negative"
        raise RuntimeError(f"{wanted}, but got split_size={split_size}")
    if not split_size and size:
        found = f"but got dimension size of {size}"
        raise RuntimeError(f"split_size can only be 0 if dimension size is 0, {found}")
    return apply(UnsafeSplitBackward0, input, split_size, dim)  # type: ignore[return-value]


@schema("unsafe_split_with_sizes(Tensor input, int[] split_sizes, int dim=0)")
def unsafe_split_with_sizes(input: Any, split_sizes: Any, dim: Any = 0) -> tuple[TensorBase, ...]:
    """`split_with_sizes` whose pieces are not tracked as views."""
    sizes, dim = integers(split_sizes), whole_number(dim)
    size = length_of(input, dim, "split")
    wanted, found = "split_with_sizes expects split_sizes", f"but got split_sizes={list(sizes)}"
    if min(sizes, default=0) < 0:
        raise RuntimeError(f"{wanted} have only non-negative entries, {found}")
    if sum(sizes) != size:
        where = f"(input tensor's size at dimension {dim})"
        raise RuntimeError(f"{wanted} to sum exactly to {size} {where}, {found}")
    return apply(UnsafeSplitWithSizesBackward0, input, sizes, dim)  # type: ignore[return-value]


# --- Joining tensors of several ranks


def at_least_3d(tensor: TensorBase) -> Any:
    """Add dimensions of size 1, up to three: a vector runs along the second one."""
    rank = tensor._array.ndim
    if rank == 0:
        return reshape_checked(tensor, (1, 1, 1))
    if rank == 1:
        tensor = apply_view(UnsqueezeBackward0, tensor, 0)
    return apply_view(UnsqueezeBackward0, tensor, -1) if rank < 3 else tensor


def each_raised(raised: Any, tensors: tuple[Any, ...]) -> Any:
    """Return one tensor, or a tuple for several or for a list, each through `raised`."""
    given = tensors[0] if len(tensors) == 1 else tensors
    if isinstance(given, TensorBase):
        return raised(given)
    for place, each in enumerate(given):
        if not isinstance(each, TensorBase):
            found = f"element {place} in argument 0, but got {type(each).__name__}"
            raise TypeError(f"expected Tensor as {found}")
    return tuple([raised(each) for each in given])


@asking
def atleast_1d(*tensors: Any) -> Any:
    """Return tensors with at least one dimension.

    >>> import minigrad as mg
    >>> mg.atleast_1d(mg.tensor(2), mg.ones(2))
    (tensor([2]), tensor([1., 1.]))
    """
    return each_raised(lambda tensor: at_least(1, tensor), tensors)


@asking
def atleast_2d(*tensors: Any) -> Any:
    """Return tensors with at least two dimensions: a vector becomes a row."""
    return each_raised(lambda tensor: at_least(2, tensor), tensors)


@asking
def atleast_3d(*tensors: Any) -> Any:
    """Return tensors with at least three dimensions: a vector runs along the second one."""
    return each_raised(at_least_3d, tensors)


@schema("dstack(Tensor[] tensors, *, Tensor out=None)")
def dstack(tensors: Any) -> Any:
    """Join tensors in depth: along the third of at least three dimensions."""
    of_rank("dstack", tensors, 0)
    return cat([at_least_3d(each) for each in tensors], 2)


@schema("column_stack(Tensor[] tensors, *, Tensor out=None)")
def column_stack(tensors: Any) -> Any:
    """Join tensors along the second dimension; vectors become columns.

    >>> import minigrad as mg
    >>> mg.column_stack((mg.tensor([1, 2]), mg.tensor([3, 4])))
    tensor([[1, 3],
            [2, 4]])
    """
    of_rank("column_stack", tensors, 0)
    columns = [
        reshape_checked(each, (each._array.size, 1)) if each._array.ndim <= 1 else each
        for each in tensors
    ]
    return cat(columns, 1)


row_stack = alias("row_stack", vstack)


# --- Reversed and turned


@schema("fliplr(Tensor input)")
def fliplr(input: Any) -> Any:
    """Reverse the second dimension."""
    if input._array.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return flip(input, (1,))


@schema("flipud(Tensor input)")
def flipud(input: Any) -> Any:
    """Reverse the first dimension."""
    if input._array.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return flip(input, (0,))


class Rot90Backward0(ShapeOperation):
    """The elements turned by `k` right angles in the plane of two dimensions."""

    rule = r"\bar a = \operatorname{rot90}(g, -k)"

    def forward(self: Any, /, k: int, dims: tuple[int, int]) -> Any:
        first, second = dims
        turned = FlipBackward0.forward(self, ((), (second,), dims, (first,))[k % 4])
        return turned.swapaxes(first, second) if k % 2 else turned

    def backward(ctx, g: Any) -> Any:
        k, dims = ctx.args
        return Rot90Backward0.on(g, -k, dims)


@schema("rot90(Tensor input, int k=1, int[] dims=(0, 1))")
def rot90(input: Any, k: Any = 1, dims: Any = (0, 1)) -> Any:
    """Turn by `k` right angles, from the first of `dims` towards the second.

    >>> import minigrad as mg
    >>> mg.tensor([[1, 2], [3, 4]]).rot90()
    tensor([[2, 4],
            [1, 3]])
    """
    k, dims, rank = whole_number(k), integers(dims), input._array.ndim
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if rank < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {rank}")
    first, second = (wrap_dim(dim, rank) for dim in dims)
    if first == second:
        found = f"but got dim0 = {dims[0]} and dim1 = {dims[1]}"
        raise RuntimeError(f"expected rotation dims to be different, {found}")
    return apply(Rot90Backward0, input, k, dims)


# --- Elements and windows


@schema("take_along_dim(Tensor input, Tensor indices, int? dim=None, *, Tensor out=None)")
def take_along_dim(input: Any, indices: Any, dim: Any = None) -> Any:
    """Take the elements at `indices` along `dim`, or of all elements; both are broadcast.

    >>> import minigrad as mg
    >>> x = mg.tensor([[3, 1], [2, 4]])
    >>> x.take_along_dim(x.argsort(dim=1), dim=1)
    tensor([[1, 3],
            [2, 4]])
    """
    name, found = "torch.take_along_dim()", indices._array
    if found.dtype != np.int64:
        wanted = "dtype of indices should be Long but got"
        raise RuntimeError(f"{name}: {wanted} {type_word(found.dtype)}")
    if dim is None:
        return gather(view(input, (-1,)), 0, view(indices, (-1,)))
    dim, rank = whole_number(dim), input._array.ndim
    if rank != found.ndim:
        wanted = "input and indices should have the same number of dimensions, but got"
        ranks = f"{rank} dimensions for input, and {found.ndim} dimensions for indices"
        raise RuntimeError(f"{name}: {wanted} {ranks}")
    axis = wrap_dim(dim, rank)

    def stretched(tensor: Any, other: Any) -> Any:
        own, shape = list(tensor._array.shape), list(other._array.shape)
        shape[axis] = own[axis]
        together = common_shape(tuple(own), tuple(shape))
        return apply_view(ExpandBackward0, tensor, together)

    if not rank:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    size = input._array.shape[axis]
    if found.size and not size:
        raise RuntimeError("ZeroDivisionError")
    inside = new_tensor(found % max(size, 1))  # a negative index counts from the end
    return gather(stretched(input, indices), axis, stretched(inside, input))


class UnfoldBackward0(ViewOperation):
    """Windows of `size` elements along a dimension, `step` apart, as a new last dimension."""

    rule = r"\bar a[i] = \sum_{\text{windows with } i} g"

    def forward(self: Any, /, dimension: int, size: int, step: int) -> Any:
        array = self if self.ndim else self.reshape(1)
        axis = dimension % array.ndim
        count = (array.shape[axis] - size) // step + 1
        shape = (*array.shape[:axis], count, *array.shape[axis + 1 :], size)
        each = array.strides[axis]
        steps = (*array.strides[:axis], each * step, *array.strides[axis + 1 :], each)
        windows = get_array_module(array).lib.stride_tricks.as_strided
        return windows(array, shape, steps).reshape(shape if self.ndim else (size,))

    def backward(ctx, g: Any) -> Any:
        return UnfoldBackwardBackward0.on(g, ctx.shape(), *ctx.args)


class UnfoldBackwardBackward0(Adjoint):
    """Windows added up at their positions: the gradient of `unfold`."""

    of = UnfoldBackward0
    rule = r"\bar g = \operatorname{unfold}(\bar a)"

    def forward(
        grad_output: Any, shape: tuple[int, ...], dimension: int, size: int, step: int
    ) -> Any:
        result = np.zeros_like(grad_output, shape=shape or (1,))
        windows = grad_output if shape else grad_output.reshape(1, size)
        lines = np.moveaxis(result, dimension, -1)
        parts = np.moveaxis(windows, dimension % result.ndim, -2)
        count = parts.shape[-2]
        for place in range(size):
            lines[..., place : place + count * step : step][..., :count] += parts[..., place]
        return result.reshape(shape)


@schema("unfold(int dimension, int size, int step)", place="Tensor")
def unfold(self: Any, dimension: Any, size: Any, step: Any) -> Any:
    """Return windows of `size` elements along a dimension, `step` apart, as views.

    >>> import minigrad as mg
    >>> mg.arange(5).unfold(0, 3, 1)
    tensor([[0, 1, 2],
            [1, 2, 3],
            [2, 3, 4]])
    """
    dimension, size, step = (whole_number(each) for each in (dimension, size, step))
    shape = self._array.shape
    axis = wrap_dim(dimension, len(shape))
    longest = shape[axis] if shape else 1
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > longest:
        raise RuntimeError(
            f"maximum size for tensor at dimension {axis} is {longest} but size is {size}"
        )
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    return apply_view(UnfoldBackward0, self, dimension, size, step)


class ArrangingMethods(TensorBase):
    """The methods of this file."""

    movedim, moveaxis, adjoint = movedim.method, moveaxis.method, adjoint.method
    tensor_split = tensor_split.method
    hsplit, vsplit, dsplit = hsplit.method, vsplit.method, dsplit.method
    unsafe_split = unsafe_split.method
    unsafe_split_with_sizes = unsafe_split_with_sizes.method
    fliplr, flipud, rot90 = fliplr.method, flipud.method, rot90.method
    take_along_dim, unfold = take_along_dim.method, unfold.method

    @property
    def mH(self: Any) -> Any:
        """The tensor with the last two dimensions exchanged, as `mT`: tensors are real."""
        rank = self._array.ndim
        if rank == 1:
            only = "tensor.mH is only supported on matrices or batches of matrices"
            raise RuntimeError(f"{only}. Got {rank}-D tensor.")
        return transpose(self, -2, -1) if rank else permute(self, ())
