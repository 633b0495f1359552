"""Views: the same elements in another shape, in shared memory.

Nothing is copied, and a write through one view shows in all. The gradient of a view is the gradient
moved back, summed where elements were repeated. Views of a part of a tensor are in slicing.py.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn, cast

import numpy as np

from ...arrays.memory_order import memory_of, offset_of, read_strided, steps_of
from ...core.inplace import check_in_place
from ...core.node import TensorBase, gradient_edge, new_node
from ...core.operation import Operation, apply
from ...core.views import AsStridedBackward0, Step, ViewOperation, apply_view
from ..public.dims import (
    common_shape,
    distinct,
    integers,
    out_of_range,
    type_in_error,
    whole_number,
    wrap_dim,
)
from ..public.factories import sized
from ..public.functions import MISSING, alias, schema
from ..public.overriding import asking
from .copies import contiguous


class AliasBackward0(ViewOperation):
    """The whole tensor: `x[...]`."""

    rule = r"\bar a = g"

    def forward(self: Any) -> Any:
        return self[...]

    def backward(ctx, g: Any) -> Any:
        return g


class ViewBackward0(ViewOperation):
    """The same elements in the same order, in another shape."""

    rule = r"\bar a = \operatorname{reshape}(g)"

    def forward(self: Any, /, _size: tuple[int, ...]) -> Any:
        return self.reshape(_size)

    def backward(ctx, g: Any) -> Any:
        return g.reshape(ctx.shape())


class UnsafeViewBackward0(ViewBackward0):
    """`view` of a tensor with no other reference, so the result is not tracked as a view."""


class ReshapeAliasBackward0(ViewBackward0):
    """`view` inside `reshape`, of memory with gaps or in another order."""


class ExpandBackward0(ViewOperation):
    """Repeat dimensions of size 1, and add new ones in front, without copying."""

    rule = r"\bar a = \sum_{\text{repeats}} g"

    def forward(self: Any, /, _size: tuple[int, ...]) -> Any:
        if self.shape == _size:
            return self[...]
        if not self.ndim:
            return read_strided(self, _size, (0,) * len(_size))
        new = len(_size) - self.ndim
        have = (1,) * new + self.shape
        steps = [0] * new + [*self.strides]
        for place in reversed(range(len(_size))):
            if have[place] != _size[place]:
                steps[place] = 0
            elif place < new and self.ndim:  # no such step is ever taken; as in PyTorch
                steps[place] = _size[place + 1] * steps[place + 1]
        return read_strided(self, _size, tuple(steps))

    def backward(ctx, g: Any) -> Any:
        return g  # the engine sums it back to the input's shape


class TransposeBackward0(ViewOperation):
    """Two dimensions exchanged."""

    rule = r"\bar a = g^T"

    def forward(self: Any, /, dim0: int, dim1: int) -> Any:
        return np.swapaxes(self, dim0, dim1) if self.ndim else self[...]

    def backward(ctx, g: Any) -> Any:
        return g.swapaxes(*ctx.args) if g.ndim else g


class TBackward0(ViewOperation):
    """The transpose of a matrix."""

    rule = r"\bar a = g^T"

    def forward(self: Any) -> Any:
        return self.T

    def backward(ctx, g: Any) -> Any:
        return TBackward0.on(g)


class PermuteBackward0(ViewOperation):
    """Dimensions in another order."""

    rule = r"\bar a = \operatorname{permute}^{-1}(g)"

    def forward(self: Any, /, dims: tuple[int, ...]) -> Any:
        return self.transpose(dims)

    def backward(ctx, g: Any) -> Any:
        (dims,) = ctx.args
        order = [d % len(dims) for d in dims]
        return PermuteBackward0.on(g, tuple(sorted(range(len(order)), key=order.__getitem__)))


class UnsqueezeBackward0(ViewOperation):
    """A new dimension of size 1."""

    rule = r"\bar a = \operatorname{squeeze}(g)"

    def forward(self: Any, /, dim: int) -> Any:
        # (np.expand_dims is five times as slow, and indexing with None loses the stride.)
        place, shape = dim % (self.ndim + 1), self.shape
        return self.reshape((*shape[:place], 1, *shape[place:]))

    def backward(ctx, g: Any) -> Any:
        return SqueezeBackward1.on(g, *ctx.args)


class SqueezeBackward0(ViewOperation):
    """The tensor without the dimensions of size 1."""

    rule = r"\bar a = \operatorname{unsqueeze}(g)"

    def forward(self: Any, dim: Any = None) -> Any:
        if dim is None:
            return self.squeeze()[...]
        shape = self.shape
        dims = () if not shape else (dim,) if type(dim) is int else dim
        return self.squeeze(tuple([d for d in dims if shape[d] == 1]))[...]

    def backward(ctx, g: Any) -> Any:
        shape = ctx.shape()
        return unsqueeze_dims(g, shape, squeezable(ctx.args[0] if ctx.args else None, len(shape)))


class SqueezeBackward1(SqueezeBackward0):
    """The tensor without dimension `dim`, if its size is 1."""

    params = ("dim",)


class SqueezeBackward2(SqueezeBackward1):
    """The tensor without those of several dimensions whose size is 1."""


def squeezable(dim: Any, rank: int) -> Sequence[int]:
    """Return the dimensions that `squeeze` may remove: one, several, or all for None."""
    if dim is None or not rank:
        return range(rank)
    return (dim,) if isinstance(dim, int) else dim


def unsqueeze_dims(g: Any, shape: tuple[int, ...], dims: Sequence[int]) -> Any:
    """Return `g` with those of `dims` added that have size 1 in `shape`."""
    for dim in sorted(d % len(shape) for d in dims):
        if shape[dim] == 1:
            g = UnsqueezeBackward0.on(g, dim)
    return g


def as_row(name: str, input: TensorBase) -> TensorBase:
    """Return sequences [N, C, L] or [C, L] as images of one row; raise for another rank."""
    if (rank := input._array.ndim) not in (2, 3):
        given = f"but got {rank}-dimensional tensor for argument #1 'self'"
        by = f"(while checking arguments for {name})"
        raise RuntimeError(f"Expected 2 to 3 dimensions, {given} {by}")
    return apply_view(UnsqueezeBackward0, input, -2)


def out_of_row(images: TensorBase, dim: int = -2) -> TensorBase:
    """Return images of one row, or of one column for `dim` -1, as sequences."""
    return apply_view(SqueezeBackward1, images, dim)


# PyTorch's names of the same operations when they change a tensor's own shape.


class TBackward1(TBackward0):
    """`t_`."""


class AsStridedBackward1(AsStridedBackward0):
    """`as_strided_`."""


class TransposeBackward1(TransposeBackward0):
    """`transpose_`."""


class UnsqueezeBackward1(UnsqueezeBackward0):
    """`unsqueeze_`."""


class SqueezeBackward3(SqueezeBackward0):
    """`squeeze_` without dimensions named."""


class SqueezeBackward4(SqueezeBackward1):
    """`squeeze_` of one dimension; also in the product of a vector with a matrix."""


class SqueezeBackward5(SqueezeBackward2):
    """`squeeze_` of several dimensions."""


IN_PLACE: dict[type[Operation], type[Operation]] = {
    TBackward0: TBackward1,
    TransposeBackward0: TransposeBackward1,
    UnsqueezeBackward0: UnsqueezeBackward1,
    SqueezeBackward0: SqueezeBackward3,
    SqueezeBackward1: SqueezeBackward4,
    SqueezeBackward2: SqueezeBackward5,
}


# --- Public functions


def infer(size: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Return `size` with its -1, if any, replaced so that the shape has `count` elements."""
    if math.prod(size) == count and (not size or min(size) >= 0):
        return size
    if size.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    for place, n in enumerate(size):
        if n < -1:
            where = f"at index {place} of shape {list(size)}"
            raise RuntimeError(f"invalid shape dimension {n} {where}")
    known = math.prod(n for n in size if n != -1)
    if -1 in size and known == 0 and count == 0:
        which = f"cannot reshape tensor of 0 elements into shape {list(size)}"
        why = "the unspecified dimension size -1 can be any value and is ambiguous"
        raise RuntimeError(f"{which} because {why}")
    if -1 not in size or not known or count % known:
        raise RuntimeError(f"shape '{list(size)}' is invalid for input of size {count}")
    return tuple(count // known if n == -1 else n for n in size)


def can_view(array: Any, size: tuple[int, ...]) -> bool:
    """Return whether the memory of `array` can be read in the shape `size` without copying."""
    if array.flags.c_contiguous or not array.size or array.shape == size:
        return True
    return bool(np.may_share_memory(array.reshape(size), array))


@sized("view(dtype! dtype)", "view(int[] size)", place="Tensor")
def view(input: Any, size: tuple[int, ...]) -> TensorBase:
    """Return the same memory in another shape, one size of which may be -1.

    Raises:
        RuntimeError: this would need a copy.
    """
    array = input._array
    size = infer(size, array.size)
    if not (array.flags.c_contiguous or can_view(array, size)):
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return apply_view(ViewBackward0, input, size)


@sized("reshape(Tensor input, int[] shape)")
def reshape(input: Any, shape: tuple[int, ...]) -> TensorBase:
    """Return the same elements in another shape, one size of which may be -1.

    The result is a view if possible, else a copy.

    >>> import minigrad as mg
    >>> mg.reshape(mg.arange(4), (2, -1))
    tensor([[0, 1],
            [2, 3]])
    """
    return reshape_checked(input, infer(shape, input._array.size))


def reshape_checked(input: TensorBase, size: tuple[int, ...]) -> TensorBase:
    """`reshape` for sizes that are known to fit."""
    array = input._array
    if array.flags.c_contiguous:
        return apply_view(ViewBackward0, input, size)
    if can_view(array, size):
        return apply_view(ReshapeAliasBackward0, input, size)
    return apply(UnsafeViewBackward0, contiguous(input), size)


@schema("ravel(Tensor input)")
def ravel(input: Any) -> TensorBase:
    """Return all elements in one dimension: a view if possible, else a copy."""
    return apply_view(ViewBackward0, contiguous(input), (input._array.size,))


@schema("flatten(Tensor input, int start_dim=0, int end_dim=-1)")
def flatten(input: Any, start_dim: Any = 0, end_dim: Any = -1) -> TensorBase:
    """Merge the dimensions from `start_dim` to `end_dim` into one."""
    if type(start_dim) is not int or type(end_dim) is not int:
        start_dim, end_dim = whole_number(start_dim), whole_number(end_dim)
    shape = input._array.shape
    start, end = wrap_dim(start_dim, len(shape)), wrap_dim(end_dim, len(shape))
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if not shape:
        return reshape_checked(input, (1,))
    if start == end:
        return cast(TensorBase, input)
    middle = math.prod(shape[start : end + 1])
    return reshape_checked(input, (*shape[:start], middle, *shape[end + 1 :]))


@schema("unflatten(Tensor input, int dim, int[] sizes)")
def unflatten(input: Any, dim: Any, sizes: Any) -> Any:
    """Split dimension `dim` into several of the given sizes, one of which may be -1."""
    if not isinstance(sizes, (tuple, list)):
        raise TypeError
    shape, wanted = input._array.shape, integers(sizes)
    dim = wrap_dim(whole_number(dim), len(shape))
    if not wanted:
        raise RuntimeError("unflatten: sizes must be non-empty")
    known = math.prod(n for n in wanted if n != -1)
    ambiguous = -1 in wanted and known == shape[dim] == 0 if shape else True
    if ambiguous or wanted.count(-1) > 1 or min(wanted) < -1:
        raise RuntimeError("unflatten got an unexpected error:\nthese are no sizes of a dimension")
    if known != shape[dim] and (-1 not in wanted or not known or shape[dim] % known):
        product = f"unflatten: Provided sizes {list(wanted)} don't multiply up to the size of dim"
        raise RuntimeError(f"{product} {dim} ({shape[dim]}) in the input tensor")
    return view(input, (*shape[:dim], *infer(wanted, shape[dim]), *shape[dim + 1 :]))


@sized("expand(int[] size, *, bool implicit=False)", place="Tensor")
def expand(input: Any, size: tuple[int, ...], *, implicit: bool = False) -> TensorBase:
    """Repeat dimensions of size 1 without copying; -1 keeps a size.

    >>> import minigrad as mg
    >>> mg.tensor([[1.0], [2.0]]).expand(-1, 3)
    tensor([[1., 1., 1.],
            [2., 2., 2.]])
    """
    if implicit is not False and implicit is not True:
        raise TypeError
    array = input._array
    old = array.shape
    new = len(size) - len(old)
    if new < 0:
        tensor = f"{type_in_error(array.dtype)}{{{list(old)}}}"
        numbers = f"the number of sizes provided ({len(size)}) must be greater or equal to the"
        raise RuntimeError(
            f"expand({tensor}, size={list(size)}): {numbers} number of dimensions in the tensor "
            f"({len(old)})"
        )
    full = list(size)
    for axis in range(len(size) - 1, -1, -1):
        n = size[axis]
        if axis < new:
            if n == -1:
                where = f"a leading, non-existing dimension {axis}"
                raise RuntimeError(f"The expanded size of the tensor (-1) isn't allowed in {where}")
        elif n == -1:
            full[axis] = old[axis - new]
        elif n != old[axis - new] != 1:
            sizes_met = f"({n}) must match the existing size ({old[axis - new]})"
            where = f"at non-singleton dimension {axis}.  Target sizes: {list(size)}"
            shape = f"Tensor sizes: {list(old)}"
            raise RuntimeError(f"The expanded size of the tensor {sizes_met} {where}.  {shape}")
    if full and min(full) < 0:
        raise RuntimeError("numel: integer multiplication overflow")
    return apply_view(ExpandBackward0, input, tuple(full))


@sized("broadcast_to(Tensor input, int[] size)")
def broadcast_to(input: Any, size: tuple[int, ...]) -> Any:
    """`expand` under NumPy's name."""
    return expand(input, size)


@schema("transpose(Tensor input, int dim0, int dim1)")
def transpose(input: Any, dim0: Any, dim1: Any) -> TensorBase:
    """Exchange two dimensions."""
    if type(dim0) is not int or type(dim1) is not int or not input._array.ndim:
        dim0, dim1 = checked_dims(input, dim0, dim1)
    return apply_view(TransposeBackward0, input, dim0, dim1)


def checked_dims(input: TensorBase, *dims: Any) -> tuple[int, ...]:
    """Return dimensions that `input` must have, as Python integers."""
    whole = tuple([whole_number(dim) for dim in dims])
    for dim in whole:
        wrap_dim(dim, input._array.ndim)
    return whole


@schema("swapaxes(Tensor input, int axis0, int axis1)")
def swapaxes(input: Any, axis0: Any, axis1: Any) -> Any:
    """`transpose` under NumPy's name."""
    return transpose(input, axis0, axis1)


swapdims = alias("swapdims", transpose)


@schema("t(Tensor input)")
def t(input: Any) -> TensorBase:
    """Transpose a matrix; vectors and 0-d tensors stay as they are."""
    if input._array.ndim > 2:
        raise no_matrix("t()", input)
    return apply_view(TBackward0, input)


def no_matrix(name: str, input: TensorBase) -> RuntimeError:
    """Return the error of `t` for a tensor with too many dimensions."""
    rank = input._array.ndim
    return RuntimeError(f"{name} expects a tensor with <= 2 dimensions, but self is {rank}D")


MANY = 2**31
"""NumPy reads only the low bits of larger dimensions."""


@sized("permute(Tensor input, int[] dims)")
def permute(input: Any, dims: tuple[int, ...]) -> TensorBase:
    """Reorder the dimensions."""
    if dims and max(dims) >= MANY:
        check_order(dims, input._array.ndim)
    try:
        return apply_view(PermuteBackward0, input, dims)
    except ValueError:
        check_order(dims, input._array.ndim)
        raise


def check_order(dims: tuple[int, ...], rank: int) -> None:
    """Raise if `dims` is not a permutation of `rank` dimensions."""
    if len(dims) != rank:
        lengths = "the length of the desired ordering of dimensions"
        found = f"i.e. input.dim() = {rank} is not equal to len(dims) = {len(dims)}"
        tensor = f"number of dimensions in the tensor input does not match {lengths} {found}"
        raise RuntimeError(f"permute(sparse_coo): {tensor}")
    if len({wrap_dim(d, rank) for d in dims}) != rank:
        raise RuntimeError("permute(): duplicate dims are not allowed.")


@schema("unsqueeze(Tensor input, int dim)")
def unsqueeze(input: Any, dim: Any) -> TensorBase:
    """Insert a dimension of size 1 at position `dim`."""
    rank = input._array.ndim + 1
    if type(dim) is not int:
        dim = whole_number(dim)
    if not -rank <= dim < rank:
        raise out_of_range(dim, rank)
    return apply_view(UnsqueezeBackward0, input, dim)


@schema(
    "squeeze(Tensor input)", "squeeze(Tensor input, int dim)", "squeeze(Tensor input, int[] dim)"
)
def squeeze(input: Any, dim: Any = MISSING) -> TensorBase:
    """Remove the dimensions of size 1, or those of `dim` whose size is 1."""
    if dim is MISSING:
        return apply_view(SqueezeBackward0, input)
    rank = input._array.ndim
    if type(dim) is int and -rank <= dim < rank:
        return apply_view(SqueezeBackward1, input, dim)
    return apply_view(*squeezing(input, dim))


@schema("squeeze()", "squeeze(int dim)", "squeeze(int[] dim)", place="Tensor")
def squeeze_method(self: Any, *dim: Any, **named: Any) -> Any:
    """Remove the dimensions of size 1, or those of `dim` whose size is 1."""
    if not dim and not named:
        return apply_view(SqueezeBackward0, self)
    return squeeze(self, *dim, **named) if len(dim) < 2 else squeeze(self, dim)


def squeezing(input: TensorBase, dim: Any) -> tuple[Any, ...]:
    """Return the operation for `dim`, and its arguments."""
    if dim is MISSING:
        return SqueezeBackward0, input
    if isinstance(dim, (tuple, list)):
        dims = integers(dim)
        distinct(dims, input._array.ndim)
        return SqueezeBackward2, input, dims
    return SqueezeBackward1, input, *checked_dims(input, dim)


@schema("as_strided(Tensor input, int[] size, int[] stride, int? storage_offset=None)")
def as_strided(input: Any, size: Any, stride: Any, storage_offset: Any = None) -> TensorBase:
    """Read the memory of `input` from `storage_offset` on, in another shape and with other strides.

    >>> import minigrad as mg
    >>> mg.arange(3).as_strided((2, 2), (1, 1))
    tensor([[0, 1],
            [1, 2]])
    """
    params = strided_params(input, size, stride, storage_offset)
    return apply_view(AsStridedBackward0, input, *params)


def strided_params(input: Any, size: Any, stride: Any, storage_offset: Any) -> tuple[Any, ...]:
    """Return the checked params of AsStridedBackward0.

    Raises:
        RuntimeError, TypeError: they do not fit together, or go beyond the memory.
    """
    array = input.shared_array()
    if not isinstance(size, (tuple, list)) or not isinstance(stride, (tuple, list)):
        raise TypeError
    shape, steps = integers(size), integers(stride)
    if storage_offset is not None:
        storage_offset = whole_number(storage_offset)
    if len(shape) != len(steps):
        raise RuntimeError("mismatch in length of strides and shape")
    if min(steps, default=0) < 0:
        unsupported = "Negative strides are not supported at the moment"
        raise RuntimeError(f"as_strided: {unsupported}, got strides: {list(steps)}")
    own = offset_of(array)
    start = own if storage_offset is None else storage_offset
    if min(shape, default=0) < 0:
        given = f"sizes={list(shape)} and strides={list(steps)}"
        raise RuntimeError(f"Storage size calculation overflowed with {given}")
    if start < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {start}")
    last = start + sum(step * (n - 1) for n, step in zip(shape, steps, strict=True))
    memory = memory_of(array)
    if 0 not in shape and last >= memory.size:
        each = array.itemsize
        wanted = f"storage offset {start}, and itemsize {each} requiring a storage size of"
        bounds = f"{(last + 1) * each} are out of bounds for storage of size {memory.size * each}"
        view_of = f"sizes {list(shape)}, strides {list(steps)}"
        raise RuntimeError(f"setStorage: {view_of}, {wanted} {bounds}")
    return shape, steps, storage_offset, (steps_of(array), own)


def at_least(rank: int, tensor: TensorBase) -> TensorBase:
    """Insert dimensions of size 1 in front, up to `rank`, which is 0, 1 or 2."""
    have = tensor._array.ndim
    if have == 0 and rank:
        return reshape_checked(tensor, (1,) * rank)
    if have == 1 and rank == 2:
        return apply_view(UnsqueezeBackward0, tensor, 0)
    return tensor


@schema("view_as(Tensor other)", place="Tensor")
def view_as(self: Any, other: Any) -> Any:
    """`view` in the shape of `other`."""
    return view(self, other._array.shape)


@schema("reshape_as(Tensor other)", place="Tensor")
def reshape_as(self: Any, other: Any) -> Any:
    """`reshape` to the shape of `other`."""
    return reshape(self, other._array.shape)


@schema("expand_as(Tensor other)", place="Tensor")
def expand_as(self: Any, other: Any) -> Any:
    """`expand` to the shape of `other`."""
    return expand(self, other._array.shape)


@asking
def broadcast_tensors(*tensors: Any) -> tuple[TensorBase, ...]:
    """Expand each tensor to their common shape.

    >>> import minigrad as mg
    >>> row, column = mg.broadcast_tensors(mg.zeros(3), mg.ones(2, 1))
    >>> row.shape, column.shape
    (torch.Size([2, 3]), torch.Size([2, 3]))
    """
    for place, each in enumerate(tensors):
        if not isinstance(each, TensorBase):
            found = f"element {place} in argument 0, but got {type(each).__name__}"
            raise TypeError(f"expected Tensor as {found}")
    together = common_shape(*[each._array.shape for each in tensors])
    return tuple(
        each if each._array.shape == together else apply_view(ExpandBackward0, each, together)
        for each in tensors
    )


# --- A tensor's own shape


@schema("t_()", place="Tensor")
def t_(self: Any) -> TensorBase:
    """Transpose this tensor itself, as `t` does."""
    check_in_place(self, (self,))
    if self._array.ndim > 2:
        raise no_matrix("t_()", self)
    return change_shape(TBackward0, self)


@schema("transpose_(int dim0, int dim1)", place="Tensor")
def transpose_(self: Any, dim0: Any, dim1: Any) -> TensorBase:
    """Exchange two dimensions of this tensor itself."""
    check_in_place(self, (self,))
    return change_shape(TransposeBackward0, self, *checked_dims(self, dim0, dim1))


@schema("swapaxes_(int axis0, int axis1)", place="Tensor")
def swapaxes_(self: Any, axis0: Any, axis1: Any) -> Any:
    """`transpose_` under NumPy's name."""
    return transpose_(self, axis0, axis1)


swapdims_ = alias("swapdims_", transpose_)


@schema("unsqueeze_(int dim)", place="Tensor")
def unsqueeze_(self: Any, dim: Any) -> TensorBase:
    """Insert a dimension of size 1 into this tensor itself."""
    check_in_place(self, (self,))
    dim = whole_number(dim)
    wrap_dim(dim, self._array.ndim + 1)
    return change_shape(UnsqueezeBackward0, self, dim)


@schema("squeeze_()", "squeeze_(int dim)", "squeeze_(int[] dim)", place="Tensor")
def squeeze_(self: Any, dim: Any = MISSING, *others: Any) -> TensorBase:
    """Remove dimensions of size 1 from this tensor itself."""
    check_in_place(self, (self,))
    return change_shape(*squeezing(self, (dim, *others) if others else dim))


@schema("as_strided_(int[] size, int[] stride, int? storage_offset=None)", place="Tensor")
def as_strided_(self: Any, size: Any, stride: Any, storage_offset: Any = None) -> TensorBase:
    """Let this tensor itself read its memory in another shape and with other strides."""
    check_in_place(self, (self,))
    params = strided_params(self, size, stride, storage_offset)
    return reshape_in_place(self, AsStridedBackward0, AsStridedBackward1, params, (no_way_back, ()))


def no_way_back(array: Any) -> NoReturn:
    """Raise for views that are older than `as_strided_` of their base."""
    raise RuntimeError(
        "a view made before as_strided_ of its base lost its place: write to the base instead"
    )


def change_shape(op: type[Operation], tensor: TensorBase, *params: Any) -> TensorBase:
    """Give `tensor` itself the shape that `op` makes."""
    turned = op in (TBackward0, TransposeBackward0)
    back = (op.forward, params) if turned else (ViewBackward0.forward, (tensor._array.shape,))
    return reshape_in_place(tensor, op, IN_PLACE[op], params, back)


def reshape_in_place(
    tensor: TensorBase,
    op: type[Operation],
    recorded_as: type[Operation],
    params: tuple[Any, ...],
    back: Step,
) -> TensorBase:
    """Give `tensor` itself the shape that `op` makes; its memory and its views stay unchanged.

    `back` leads from the new shape to the old one, in which older views begin.
    """
    node: Operation | None = None
    recorded = check_in_place(tensor, (tensor,))
    array = op.forward(tensor.shared_array(), *params)
    if recorded:
        edge = gradient_edge(tensor)
        node = new_node(recorded_as, (edge,), array)
        node.args = params
    tensor._array = array
    if tensor._tangent is not None:
        tensor._tangent = apply_view(op, tensor._tangent, *params)
    tensor.version_counter().value += 1
    if tensor._view is not None:
        tensor._view = tensor._view.reshaped((op.forward, params), node)
        return tensor
    tensor._relaid = tensor._relaid or []  # replaces the class attribute on first use
    tensor._relaid.append(back)
    if node is not None:
        tensor._edge = node
    return tensor


class ShapeMethods(TensorBase):
    """The methods of this file."""

    view, reshape, ravel = view.method, reshape.method, ravel.method
    view_as, reshape_as, expand_as = view_as.method, reshape_as.method, expand_as.method
    flatten, unflatten = flatten.method, unflatten.method
    expand, broadcast_to = expand.method, broadcast_to.method
    transpose, transpose_ = transpose.method, transpose_.method
    swapaxes, swapaxes_ = swapaxes.method, swapaxes_.method
    swapdims, swapdims_ = swapdims.method, swapdims_.method
    t, t_, permute = t.method, t_.method, permute.method
    unsqueeze, unsqueeze_ = unsqueeze.method, unsqueeze_.method
    squeeze, squeeze_ = squeeze_method.method, squeeze_.method
    as_strided, as_strided_ = as_strided.method, as_strided_.method

    @property
    def T(self: Any) -> TensorBase:
        """The tensor with all dimensions in reverse order."""
        rank = self._array.ndim
        if rank != 2:
            warnings.warn(
                "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is "
                "deprecated and it will throw an error in a future release. Consider `x.mT` to "
                "transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` "
                "to reverse the dimensions of a tensor.",
                stacklevel=2,
            )
        return apply_view(PermuteBackward0, self, tuple(range(rank - 1, -1, -1)))

    @property
    def mT(self: Any) -> TensorBase:
        """The tensor with the last two dimensions exchanged."""
        rank = self._array.ndim
        if rank == 1:
            only = "tensor.mT is only supported on matrices or batches of matrices"
            raise RuntimeError(f"{only}. Got {rank}-D tensor.")
        return apply_view(TransposeBackward0, self, -2, -1) if rank else self
