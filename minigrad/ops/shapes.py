"""Views: other shapes of the same memory. Nothing is copied, and a write through any of them shows
in all.

The gradient of a view is a view of the gradient: turned back, cut out of zeros, or summed where
elements were repeated.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtypes import tensor_type_name
from ..graph import TensorBase
from ..operation import Operation, apply
from .dims import sizes, wrap_dim


class ViewBackward0(Operation):
    """The same elements in the same order, in another shape."""

    params = ("size",)
    is_view = True
    rule = r"\bar a = \operatorname{reshape}(g)"

    @staticmethod
    def forward(self: Any, size: tuple[int, ...]) -> Any:
        return np.asarray(self).reshape(size)

    def backward(ctx, g: Any) -> Any:
        return g.reshape(ctx.shape())


class UnsafeViewBackward0(ViewBackward0):
    """`view` of a tensor that nobody else holds, so that the result is not tracked as a view."""

    is_view = False


class ExpandBackward0(Operation):
    """Repeat dimensions of size 1, and add new ones in front, without copying."""

    params = ("size",)
    is_view = True
    rule = r"\bar a = \sum_{\text{repeats}} g"

    @staticmethod
    def forward(self: Any, size: tuple[int, ...]) -> Any:
        return np.broadcast_to(self, size)

    def backward(ctx, g: Any) -> Any:
        return g  # the engine sums it back to the input's shape


class TransposeBackward0(Operation):
    """Two dimensions exchanged."""

    params = ("dim0", "dim1")
    is_view = True
    rule = r"\bar a = g^T"

    @staticmethod
    def forward(self: Any, dim0: int, dim1: int) -> Any:
        return np.swapaxes(self, dim0, dim1) if self.ndim else self[()]

    def backward(ctx, g: Any) -> Any:
        return g.swapaxes(*ctx.args)


class TBackward0(Operation):
    """The transpose of a matrix."""

    is_view = True
    rule = r"\bar a = g^T"

    @staticmethod
    def forward(self: Any) -> Any:
        return self.T

    def backward(ctx, g: Any) -> Any:
        return g.T if isinstance(g, np.ndarray) else t(g)


class PermuteBackward0(Operation):
    """Dimensions in another order."""

    params = ("dims",)
    is_view = True
    rule = r"\bar a = \operatorname{permute}^{-1}(g)"

    @staticmethod
    def forward(self: Any, dims: tuple[int, ...]) -> Any:
        return self.transpose(dims)

    def backward(ctx, g: Any) -> Any:
        (dims,) = ctx.args
        return PermuteBackward0.on(g, tuple(int(d) for d in np.argsort(dims)))


class UnsqueezeBackward0(Operation):
    """A new dimension of size 1."""

    params = ("dim",)
    is_view = True
    rule = r"\bar a = \operatorname{squeeze}(g)"

    @staticmethod
    def forward(self: Any, dim: int) -> Any:
        return np.expand_dims(self, dim)

    def backward(ctx, g: Any) -> Any:
        return SqueezeBackward1.on(g, *ctx.args)


class SqueezeBackward0(Operation):
    """Without the dimensions of size 1."""

    is_view = True
    rule = r"\bar a = \operatorname{reshape}(g)"

    @staticmethod
    def forward(self: Any) -> Any:
        return self.squeeze()[...]

    def backward(ctx, g: Any) -> Any:
        return g.reshape(ctx.shape())


class SqueezeBackward1(Operation):
    """Without dimension `dim`, if its size is 1."""

    params = ("dim",)
    is_view = True
    rule = r"\bar a = \operatorname{unsqueeze}(g)"

    @staticmethod
    def forward(self: Any, dim: int) -> Any:
        if self.ndim == 0 or self.shape[dim] != 1:
            return self[...]
        return self.squeeze(dim)[...]

    def backward(ctx, g: Any) -> Any:
        shape = ctx.shape()
        dim = ctx.args[0]
        squeezed = bool(shape) and shape[dim] == 1
        return UnsqueezeBackward0.on(g, dim % len(shape)) if squeezed else g


class SqueezeBackward4(SqueezeBackward1):
    """`squeeze_` of the result of a matrix product: matmul with a vector on the left."""

    is_view = False


class SelectBackward0(Operation):
    """One slice of a dimension: `self[index]` for dim = 0."""

    params = ("dim", "index")
    is_view = True
    rule = r"\bar a[i] = g, \text{ elsewhere } 0"

    @staticmethod
    def forward(self: Any, dim: int, index: int) -> Any:
        return self[(slice(None),) * dim + (index, ...)]

    def backward(ctx, g: Any) -> Any:
        return SelectBackwardBackward0.on(g, ctx.shape(), *ctx.args)


class SelectBackwardBackward0(Operation):
    """A slice put into zeros: the gradient of `select`."""

    params = ("input_sizes", "dim", "index")
    rule = r"\bar g = \bar a[i]"

    @staticmethod
    def forward(grad_output: Any, input_sizes: tuple[int, ...], dim: int, index: int) -> Any:
        return put(grad_output, input_sizes, (slice(None),) * dim + (index,))

    def backward(ctx, g: Any) -> Any:
        _, dim, index = ctx.args
        return SelectBackward0.on(g, dim, index)


class SliceBackward0(Operation):
    """`self[start:end:step]` along dimension `dim`."""

    params = ("dim", "start", "end", "step")
    is_view = True
    rule = r"\bar a[i{:}j] = g, \text{ elsewhere } 0"

    @staticmethod
    def forward(self: Any, dim: int, start: int, end: int, step: int) -> Any:
        return self[(slice(None),) * dim + (slice(start, end, step),)]

    def backward(ctx, g: Any) -> Any:
        return SliceBackwardBackward0.on(g, ctx.shape(), *ctx.args)


class SliceBackwardBackward0(Operation):
    """A range put into zeros: the gradient of `slice`."""

    params = ("input_sizes", "dim", "start", "end", "step")
    rule = r"\bar g = \bar a[i{:}j]"

    @staticmethod
    def forward(
        grad_output: Any, input_sizes: tuple[int, ...], dim: int, start: int, end: int, step: int
    ) -> Any:
        return put(grad_output, input_sizes, (slice(None),) * dim + (slice(start, end, step),))

    def backward(ctx, g: Any) -> Any:
        return SliceBackward0.on(g, *ctx.args[1:])


def put(values: Any, shape: tuple[int, ...], where: Any) -> Any:
    """`values` at `where` in zeros of `shape`."""
    result = np.zeros_like(values, shape=shape)
    result[where] = values
    return result


# --- Public functions


def infer(size: tuple[int, ...], count: int) -> tuple[int, ...]:
    """`size` with its -1, if any, replaced by what makes `count` elements."""
    if size.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    known = math.prod(n for n in size if n != -1)
    if any(n < -1 for n in size):
        raise RuntimeError(f"invalid shape dimension {min(size)}")
    if -1 in size:
        if known == 0:
            raise RuntimeError(
                f"cannot reshape tensor of 0 elements into shape {list(size)} because the "
                "unspecified dimension size -1 can be any value and is ambiguous"
            )
        if count % known == 0:
            return tuple(count // known if n == -1 else n for n in size)
    if known != count:
        raise RuntimeError(f"shape '{list(size)}' is invalid for input of size {count}")
    return size


def view(input: Any, *shape: Any) -> Any:
    """The same memory in another shape; one size may be -1.

    Raises:
        RuntimeError: the memory cannot be read in this shape without copying.
    """
    if len(shape) == 1 and not isinstance(shape[0], (int, tuple, list)):
        return input.to(shape[0])
    array = input.shared_array()
    size = infer(sizes(shape), array.size)
    if array.size and not np.may_share_memory(array.reshape(size), array):
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return apply(ViewBackward0, input, size)


def reshape(input: Any, *shape: Any) -> Any:
    """The same elements in another shape: a view if possible, else a copy."""
    array = input.shared_array()
    size = infer(sizes(shape), array.size)
    if array.size and not np.may_share_memory(array.reshape(size), array):
        return apply(UnsafeViewBackward0, input.clone(), size)
    return apply(ViewBackward0, input, size)


def expand(input: Any, *size: Any) -> Any:
    """Repeat dimensions of size 1 without copying; -1 leaves a size as it is.

    >>> import minigrad as mg
    >>> mg.tensor([[1.0], [2.0]]).expand(-1, 3)
    tensor([[1., 1., 1.],
            [2., 2., 2.]])
    """
    wanted = sizes(size)
    old = input._array.shape
    new = len(wanted) - len(old)
    if new < 0:
        raise RuntimeError(
            f"expand({type_text(input)}{{{list(old)}}}, size={list(wanted)}): the number of sizes "
            f"provided ({len(wanted)}) must be greater or equal to the number of dimensions in the "
            f"tensor ({len(old)})"
        )
    full = []
    for axis, n in enumerate(wanted):
        have = old[axis - new] if axis >= new else 1
        if n == -1:
            if axis < new:
                raise RuntimeError(
                    f"expand({type_text(input)}{{{list(old)}}}, size={list(wanted)}): The expanded "
                    f"size of the tensor ({n}) isn't allowed in a leading, non-existing dimension "
                    f"{axis}"
                )
            n = have
        if have not in (1, n):
            raise RuntimeError(
                f"The expanded size of the tensor ({n}) must match the existing size ({have}) at "
                f"non-singleton dimension {axis}.  Target sizes: {list(wanted)}.  Tensor sizes: "
                f"{list(old)}"
            )
        full.append(n)
    return apply(ExpandBackward0, input, tuple(full))


def expand_as(input: Any, other: Any) -> Any:
    """`expand` to the shape of `other`."""
    return expand(input, *other._array.shape)


def transpose(input: Any, dim0: int, dim1: int) -> Any:
    """Two dimensions exchanged."""
    rank = input.ndim
    return apply(TransposeBackward0, input, wrap_dim(dim0, rank), wrap_dim(dim1, rank))


def t(input: Any) -> Any:
    """The transpose of a matrix; vectors and 0-d tensors stay as they are."""
    rank = input.ndim
    if rank > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {rank}D")
    return apply(TBackward0, input)


def permute(input: Any, *dims: Any) -> Any:
    """Dimensions in another order."""
    order = sizes(dims)
    if len(order) != input.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {input.ndim} is not "
            f"equal to len(dims) = {len(order)}"
        )
    wrapped = tuple(wrap_dim(d, input.ndim) for d in order)
    if len(set(wrapped)) != len(wrapped):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return apply(PermuteBackward0, input, wrapped)


def unsqueeze(input: Any, dim: int) -> Any:
    """A new dimension of size 1 at position `dim`."""
    return apply(UnsqueezeBackward0, input, wrap_dim(dim, input.ndim + 1))


def squeeze(input: Any, dim: Any = None) -> Any:
    """Without the dimensions of size 1, or without dimension `dim` if its size is 1."""
    if dim is None:
        return apply(SqueezeBackward0, input)
    return apply(SqueezeBackward1, input, wrap_dim(dim, input.ndim))


def select(input: Any, dim: int, index: int) -> Any:
    """Slice `index` of dimension `dim`."""
    if input.ndim == 0:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(dim, input.ndim)
    size = input._array.shape[dim]
    if not -size <= index < size:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size "
            f"{list(input._array.shape)} at dimension {dim}"
        )
    return apply(SelectBackward0, input, dim, index % size)


def flatten(input: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    """The dimensions from `start_dim` to `end_dim` made into one."""
    shape = input._array.shape
    if not shape:
        return reshape(input, 1)
    start, end = wrap_dim(start_dim, len(shape)), wrap_dim(end_dim, len(shape))
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if start == end:
        return input
    return reshape(input, *shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :])


def type_text(tensor: Any) -> str:
    return tensor_type_name(tensor._array.dtype)


class ShapeMethods(TensorBase):
    """The methods of this file."""

    view = view
    reshape = reshape
    expand = expand
    expand_as = expand_as
    transpose = swapaxes = swapdims = transpose
    t = t
    permute = permute
    unsqueeze = unsqueeze
    squeeze = squeeze
    select = select
    flatten = flatten

    def view_as(self, other: Any) -> Any:
        """`view` in the shape of `other`."""
        return view(self, *other._array.shape)

    def reshape_as(self, other: Any) -> Any:
        """`reshape` to the shape of `other`."""
        return reshape(self, *other._array.shape)

    @property
    def T(self) -> Any:
        """All dimensions in reverse order."""
        return permute(self, *reversed(range(self._array.ndim)))

    @property
    def mT(self) -> Any:
        """The last two dimensions exchanged."""
        return transpose(self, -2, -1)
