"""Views: the same elements in another shape. Nothing is copied, and a write through any of them
shows in all.

The gradient of a view is the gradient, turned back, or summed where elements were repeated. Views
of a part of a tensor are in parts.py.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..arrays.memory_order import memory_of, offset_of, steps_of, strided
from ..core.inplace import check_in_place, reshape_in_place
from ..core.node import TensorBase
from ..core.operation import Operation, apply
from ..core.views import AsStridedBackward0, ViewOperation, apply_view
from .copies import contiguous
from .dims import distinct, sizes, whole_number, wrap_dim


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
    """`view` of a tensor that nobody else holds, so that the result is not tracked as a view."""


class ReshapeAliasBackward0(ViewBackward0):
    """`view` as `reshape` makes it of memory with gaps or in another order."""


class ExpandBackward0(ViewOperation):
    """Repeat dimensions of size 1, and add new ones in front, without copying."""

    rule = r"\bar a = \sum_{\text{repeats}} g"

    def forward(self: Any, /, _size: tuple[int, ...]) -> Any:
        if self.shape == _size:
            return self[...]
        new = len(_size) - self.ndim
        steps = [0] * new + [
            0 if have == 1 else step for have, step in zip(self.shape, self.strides, strict=True)
        ]
        return strided(self, _size, tuple(steps))

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
        # (np.expand_dims takes five times as long, and indexing with None loses the stride.)
        place, shape = dim % (self.ndim + 1), self.shape
        return self.reshape((*shape[:place], 1, *shape[place:]))

    def backward(ctx, g: Any) -> Any:
        return SqueezeBackward1.on(g, *ctx.args)


class SqueezeBackward0(ViewOperation):
    """Without the dimensions of size 1."""

    rule = r"\bar a = \operatorname{unsqueeze}(g)"

    def forward(self: Any, dim: Any = None) -> Any:
        return self.squeeze(tuple([d for d in squeezable(dim, self.ndim) if self.shape[d] == 1]))[
            ...
        ]

    def backward(ctx, g: Any) -> Any:
        shape = ctx.shape()
        return unsqueezed(g, shape, squeezable(ctx.args[0] if ctx.args else None, len(shape)))


class SqueezeBackward1(SqueezeBackward0):
    """Without dimension `dim`, if its size is 1."""

    params = ("dim",)


class SqueezeBackward2(SqueezeBackward1):
    """Without those of several dimensions whose size is 1."""


def squeezable(dim: Any, rank: int) -> Sequence[int]:
    """The dimensions that `squeeze` looks at: one, several, or (with None) all."""
    if dim is None or not rank:
        return range(rank)
    return (dim,) if isinstance(dim, int) else dim


def unsqueezed(g: Any, shape: tuple[int, ...], dims: Sequence[int]) -> Any:
    """`g` with those of `dims` put back that are of size 1 in `shape`."""
    for dim in sorted(d % len(shape) for d in dims):
        if shape[dim] == 1:
            g = UnsqueezeBackward0.on(g, dim)
    return g


# What PyTorch calls the same operations where they change a tensor's own shape.


class TBackward1(TBackward0):
    """`t_`."""


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
    """`size` with its -1, if any, replaced by what makes `count` elements."""
    if math.prod(size) == count and (not size or min(size) >= 0):
        return size
    if size.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    for place, n in enumerate(size):
        if n < -1:
            raise RuntimeError(f"invalid shape dimension {n} at index {place} of {list(size)}")
    known = math.prod(n for n in size if n != -1)
    if -1 in size and known == 0 and count == 0:
        which = f"cannot reshape tensor of 0 elements into shape {list(size)}"
        raise RuntimeError(f"{which} because -1 can be any value and is ambiguous")
    if -1 not in size or not known or count % known:
        raise RuntimeError(f"shape '{list(size)}' is invalid for input of size {count}")
    return tuple(count // known if n == -1 else n for n in size)


def can_view(array: Any, size: tuple[int, ...]) -> bool:
    """Whether the memory of `array` can be read in the shape `size` without copying."""
    if array.flags.c_contiguous or not array.size:
        return True
    return bool(np.may_share_memory(array.reshape(size), array))


def view(input: TensorBase, *shape: Any, **named: Any) -> TensorBase:
    """The same memory in another shape, one size of which may be -1.

    Raises:
        RuntimeError: the memory cannot be read in this way without copying.
    """
    array = input.shared_array()
    size = infer(sizes(shape, "view", "size", named), array.size)
    if not can_view(array, size):
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return apply_view(ViewBackward0, input, size)


def reshape(input: TensorBase, *shape: Any, **named: Any) -> TensorBase:
    """The same elements in another shape: a view if possible, else a copy."""
    array = input.shared_array()
    size = infer(sizes(shape, "reshape", "shape", named), array.size)
    if not can_view(array, size):
        return apply(UnsafeViewBackward0, contiguous(input), size)
    op = ViewBackward0 if array.flags.c_contiguous else ReshapeAliasBackward0
    return apply_view(op, input, size)


def ravel(input: TensorBase) -> TensorBase:
    """All elements in one dimension: a view if possible, else a copy."""
    return view(contiguous(input), -1)


def flatten(input: TensorBase, start_dim: int = 0, end_dim: int = -1) -> TensorBase:
    """The dimensions from `start_dim` to `end_dim` made into one."""
    shape = input._array.shape
    start, end = wrap_dim(start_dim, len(shape)), wrap_dim(end_dim, len(shape))
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if not shape:
        return reshape(input, 1)
    if start == end:
        return input
    return reshape(input, *shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :])


def unflatten(input: TensorBase, dim: int, sizes: Any) -> TensorBase:
    """Dimension `dim` made into several, of the given sizes; one of them may be -1."""
    shape = input._array.shape
    dim = wrap_dim(dim, len(shape))
    if not shape:
        raise RuntimeError("unflatten got an unexpected error: the tensor has no dimensions")
    wanted = tuple(whole_number(n) for n in sizes)
    if not wanted:
        raise RuntimeError("unflatten: sizes must be non-empty")
    if -1 not in wanted and math.prod(wanted) != shape[dim]:
        product = f"unflatten: Provided sizes {list(wanted)} don't multiply up to the size of dim"
        raise RuntimeError(f"{product} {dim} ({shape[dim]}) in the input tensor")
    return view(input, *shape[:dim], *infer(wanted, shape[dim]), *shape[dim + 1 :])


def expand(input: TensorBase, *size: Any, implicit: bool = False, **named: Any) -> TensorBase:
    """Repeat dimensions of size 1 without copying; -1 leaves a size as it is.

    >>> import minigrad as mg
    >>> mg.tensor([[1.0], [2.0]]).expand(-1, 3)
    tensor([[1., 1., 1.],
            [2., 2., 2.]])
    """
    wanted = sizes(size, "expand", "size", named)
    return apply_view(ExpandBackward0, input, expanded(input._array, wanted))


def expanded(array: Any, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that `array` gets when it is expanded to the sizes `wanted`."""
    old = array.shape
    new = len(wanted) - len(old)
    if new < 0:
        numbers = f"the number of sizes provided ({len(wanted)}) must be greater or equal to the"
        raise RuntimeError(f"expand: {numbers} number of dimensions in the tensor ({len(old)})")
    if -1 in wanted[:new]:
        where = f"a leading, non-existing dimension {wanted.index(-1)}"
        raise RuntimeError(f"The expanded size of the tensor (-1) isn't allowed in {where}")
    full = list(wanted)
    for axis, have in reversed(list(enumerate(old, new))):
        n = wanted[axis]
        if n == -1:
            full[axis] = have
        elif have not in (1, n):
            sizes_met = f"({n}) must match the existing size ({have})"
            where = f"at non-singleton dimension {axis}.  Target sizes: {list(wanted)}"
            raise RuntimeError(f"The expanded size of the tensor {sizes_met} {where}")
    return tuple(full)


def broadcast_to(input: TensorBase, size: Any) -> TensorBase:
    """`expand`, as NumPy calls it."""
    return expand(input, *size)


def transpose(input: TensorBase, dim0: int, dim1: int) -> TensorBase:
    """Two dimensions exchanged."""
    check_dims(input, dim0, dim1)
    return apply_view(TransposeBackward0, input, dim0, dim1)


def check_dims(input: TensorBase, *dims: int) -> None:
    for dim in dims:
        wrap_dim(dim, input._array.ndim)


def t(input: TensorBase) -> TensorBase:
    """The transpose of a matrix; vectors and 0-d tensors stay as they are."""
    check_t(input, "t()")
    return apply_view(TBackward0, input)


def check_t(input: TensorBase, name: str) -> None:
    if input._array.ndim > 2:
        rank = input._array.ndim
        raise RuntimeError(f"{name} expects a tensor with <= 2 dimensions, but self is {rank}D")


def permute(input: TensorBase, *dims: Any, **named: Any) -> TensorBase:
    """Dimensions in another order."""
    order = sizes(dims, "permute", "dims", named)
    rank = input._array.ndim
    if len(order) != rank:
        lengths = "the length of the desired ordering of dimensions"
        found = f"the tensor input does not match {lengths}: {rank} is not {len(order)}"
        raise RuntimeError(f"permute(sparse_coo): number of dimensions in {found}")
    if len({wrap_dim(d, rank) for d in order}) != rank:
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return apply_view(PermuteBackward0, input, order)


def unsqueeze(input: TensorBase, dim: int) -> TensorBase:
    """A new dimension of size 1 at position `dim`."""
    wrap_dim(dim, input._array.ndim + 1)
    return apply_view(UnsqueezeBackward0, input, dim)


def squeeze(input: TensorBase, dim: Any = None) -> TensorBase:
    """Without the dimensions of size 1, or without those of `dim` whose size is 1."""
    return apply_view(*squeezing(input, dim))


def squeezing(input: TensorBase, dim: Any) -> tuple[Any, ...]:
    """The operation that `dim` asks for, and what it is applied to."""
    if dim is None:
        return SqueezeBackward0, input
    if isinstance(dim, (tuple, list)):
        distinct(dim, input._array.ndim)
        return SqueezeBackward2, input, tuple(dim)
    check_dims(input, dim)
    return SqueezeBackward1, input, dim


def as_strided(
    input: TensorBase, size: Any, stride: Any, storage_offset: int | None = None
) -> TensorBase:
    """The memory of `input` from `storage_offset` on, in another shape and in the given steps.

    >>> import minigrad as mg
    >>> mg.arange(3).as_strided((2, 2), (1, 1))
    tensor([[0, 1],
            [1, 2]])
    """
    array = input.shared_array()
    shape, steps = sizes((size,), "as_strided"), sizes((stride,), "as_strided", "stride")
    if len(shape) != len(steps):
        lengths = f"{len(steps)} strides, {len(shape)} sizes"
        raise RuntimeError(f"mismatch in length of strides and shape: {lengths}")
    if min(steps, default=0) < 0:
        raise RuntimeError(f"as_strided: Negative strides are not supported: {list(steps)}")
    own = offset_of(array)
    start = own if storage_offset is None else storage_offset
    last = start + sum(step * (n - 1) for n, step in zip(shape, steps, strict=True))
    memory = memory_of(array)
    if 0 not in shape and last >= memory.size:
        memory_met = f"are out of bounds for storage of size {memory.size}"
        raise RuntimeError(
            f"setStorage: sizes {list(shape)}, strides {list(steps)}, offset {start} {memory_met}"
        )
    return apply_view(
        AsStridedBackward0, input, shape, steps, storage_offset, (steps_of(array), own)
    )


def at_least(rank: int, tensor: TensorBase) -> TensorBase:
    """A tensor with dimensions of size 1 in front, up to `rank`, which is 0, 1 or 2."""
    have = tensor._array.ndim
    if have == 0 and rank:
        return reshape(tensor, (1,) * rank)
    return unsqueeze(tensor, 0) if have == 1 and rank == 2 else tensor


def changed_shape(op: type[Operation], tensor: TensorBase, *params: Any) -> TensorBase:
    """Give `tensor` itself the shape that `op` makes."""
    turned = op in (TBackward0, TransposeBackward0)
    back = (op.forward, params) if turned else (ViewBackward0.forward, (tensor._array.shape,))
    return reshape_in_place(tensor, op, IN_PLACE[op], params, back)


class ShapeMethods(TensorBase):
    """The methods of this file."""

    view, reshape, ravel = view, reshape, ravel
    flatten, unflatten, expand, broadcast_to = flatten, unflatten, expand, broadcast_to
    transpose = swapaxes = swapdims = transpose
    t, permute, unsqueeze, squeeze = t, permute, unsqueeze, squeeze
    as_strided = as_strided

    def view_as(self: Any, other: Any) -> TensorBase:
        """`view` in the shape of `other`."""
        return view(self, *other._array.shape)

    def reshape_as(self: Any, other: Any) -> TensorBase:
        """`reshape` to the shape of `other`."""
        return reshape(self, *other._array.shape)

    def expand_as(self: Any, other: Any) -> TensorBase:
        """`expand` to the shape of `other`."""
        return expand(self, *other._array.shape)

    @property
    def T(self: Any) -> TensorBase:
        """All dimensions in reverse order."""
        rank = self._array.ndim
        if rank != 2:
            warnings.warn(
                "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is "
                "deprecated and it will throw an error in a future release. Consider `x.mT` to "
                "transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` "
                "to reverse the dimensions of a tensor",
                stacklevel=2,
            )
        return permute(self, *reversed(range(rank)))

    @property
    def mT(self: Any) -> TensorBase:
        """The last two dimensions exchanged."""
        rank = self._array.ndim
        if rank == 1:
            only = "tensor.mT is only supported on matrices or batches of matrices"
            raise RuntimeError(f"{only}. Got {rank}-D tensor.")
        return transpose(self, -2, -1) if rank else self

    def t_(self: Any) -> TensorBase:
        """`t` of this tensor itself."""
        check_in_place(self, (self,))
        check_t(self, "t_()")
        return changed_shape(TBackward0, self)

    def transpose_(self: Any, dim0: int, dim1: int) -> TensorBase:
        """`transpose` of this tensor itself."""
        check_in_place(self, (self,))
        check_dims(self, dim0, dim1)
        return changed_shape(TransposeBackward0, self, dim0, dim1)

    swapaxes_ = swapdims_ = transpose_

    def unsqueeze_(self: Any, dim: int) -> TensorBase:
        """`unsqueeze` of this tensor itself."""
        check_in_place(self, (self,))
        wrap_dim(dim, self._array.ndim + 1)
        return changed_shape(UnsqueezeBackward0, self, dim)

    def squeeze_(self: Any, dim: Any = None) -> TensorBase:
        """`squeeze` of this tensor itself."""
        check_in_place(self, (self,))
        return changed_shape(*squeezing(self, dim))
