"""Views of a part of a tensor: one slice, a range, a diagonal.

Nothing is copied. The gradient of a part is zero except at the part's own position.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.messages import not_implemented
from ...core.node import TensorBase
from ...core.operation import apply, record
from ...core.views import ViewOperation, apply_view
from ..public.dims import check_long, out_of_range, truth_value, whole_number, wrap_dim
from ..public.functions import schema
from ..public.kinds import Adjoint, ShapeOperation
from .shapes import ExpandBackward0

END = 2**63 - 1
"""The end of a slice without an end: PyTorch's largest integer."""


def index_along(dim: int, index: Any, rank: int) -> tuple[Any, ...]:
    """Return NumPy's index for `index` along `dim`, and all of the other dimensions."""
    return (slice(None),) * (dim % rank) + (index, ...)


class PutBack(Adjoint):
    """A part placed into zeros at its own position: the gradient of a view `of` a part."""

    @classmethod
    def forward(cls, grad_output: Any, shape: tuple[int, ...], *where: Any) -> Any:
        result = np.zeros_like(grad_output, shape=shape)
        cls.of.forward(result, *where)[...] = grad_output
        return result


class SelectBackward0(ViewOperation):
    """One slice of a dimension: `self[index]` for dim = 0."""

    rule = r"\bar a[i] = g, \text{ elsewhere } 0"

    def forward(self: Any, /, dim: int, index: int) -> Any:
        return self[index_along(dim, index, self.ndim)]

    def backward(ctx, g: Any) -> Any:
        return SelectBackwardBackward0.on(g, ctx.shape(), *ctx.args)


class SelectBackwardBackward0(PutBack):
    """A slice placed into zeros: the gradient of `select`."""

    of = SelectBackward0
    rule = r"\bar g = \bar a[i]"


class SliceBackward0(ViewOperation):
    """`self[start:end:step]` along dimension `dim`."""

    rule = r"\bar a[i{:}j] = g, \text{ elsewhere } 0"

    def forward(self: Any, /, dim: int, start: int, end: int, step: int) -> Any:
        return self[index_along(dim, slice(start, end, step), self.ndim)]

    def backward(ctx, g: Any) -> Any:
        return SliceBackwardBackward0.on(g, ctx.shape(), *ctx.args)


class SliceBackwardBackward0(PutBack):
    """A range placed into zeros: the gradient of `slice`."""

    of = SliceBackward0
    rule = r"\bar g = \bar a[i{:}j]"


class DiagonalBackward0(ViewOperation):
    """The elements whose positions in `dim2` are those in `dim1`, plus `offset`."""

    rule = r"\bar a = \operatorname{diag}(g)"

    def forward(self: Any, /, offset: int, dim1: int, dim2: int) -> Any:
        return writable_diagonal(self, offset, dim1, dim2)

    def backward(ctx, g: Any) -> Any:
        return DiagonalBackwardBackward0.on(g, ctx.shape(), *ctx.args)


class DiagonalBackward0_copy(DiagonalBackward0):
    """`diagonal` in memory of its own: `diag` of a matrix."""

    def forward(self: Any, offset: int, dim1: int, dim2: int) -> Any:
        return writable_diagonal(self, offset, dim1, dim2).copy()


class DiagonalBackwardBackward0(PutBack):
    """A diagonal placed into zeros: the gradient of `diagonal`."""

    of = DiagonalBackward0
    rule = r"\bar g = \operatorname{diagonal}(\bar a)"


class DiagEmbedBackward0(ShapeOperation):
    """The last dimension as the diagonal of two new ones."""

    rule = r"\bar a = \operatorname{diagonal}(g)"

    def forward(self: Any, /, offset: int, dim1: int, dim2: int) -> Any:
        size = self.shape[-1] + abs(offset)
        shape = list(self.shape[:-1])
        for dim in sorted((dim1 % (self.ndim + 1), dim2 % (self.ndim + 1))):
            shape.insert(dim, size)
        return DiagonalBackwardBackward0.forward(self, tuple(shape), offset, dim1, dim2)

    def backward(ctx, g: Any) -> Any:
        return DiagonalBackward0.on(g, *ctx.args)


class TraceBackward0(ShapeOperation):
    """The sum of a matrix's diagonal."""

    rule = r"\bar a = g \cdot I"

    def forward(self: Any) -> Any:
        return np.trace(self, dtype=None if self.dtype.kind == "f" else np.int64)

    def backward(ctx, g: Any) -> Any:
        spread = ExpandBackward0.on(g, (min(ctx.shape()),))
        return DiagonalBackwardBackward0.on(spread, ctx.shape(), 0, 0, 1)


def writable_diagonal(array: Any, offset: int, dim1: int, dim2: int) -> Any:
    """Return NumPy's diagonal, writable and with its beginning inside the array."""
    limit = max(array.shape)
    result = np.diagonal(array, max(-limit, min(offset, limit)), dim1, dim2)
    if isinstance(result, np.ndarray) and array.flags.writeable:
        result.flags.writeable = True
    return result


# --- Public functions


@schema("select(Tensor input, int dim, int index)")
def select(input: Any, dim: Any, index: Any) -> TensorBase:
    """Return slice `index` of dimension `dim`."""
    shape = input._array.shape
    if not shape:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    if type(dim) is not int or type(index) is not int:
        dim, index = whole_number(dim), whole_number(index)
    rank = len(shape)
    if not -rank <= dim < rank:
        raise out_of_range(dim, rank)
    size = shape[dim]
    if not -size <= index < size:
        where = f"for tensor of size {list(shape)} at dimension {dim % rank}"
        raise IndexError(f"select(): index {index} out of range {where}")
    return apply_view(SelectBackward0, input, dim, index)


@schema(
    "narrow(Tensor input, int dim, Tensor start, int length)",
    "narrow(Tensor input, int dim, int start, int length)",
)
def narrow(input: Any, dim: Any, start: Any, length: Any) -> TensorBase:
    """Return the `length` slices of dimension `dim` that begin with `start`."""
    shape = input._array.shape
    if isinstance(start, TensorBase):
        if start._array.ndim or start._array.dtype.kind not in "iu":
            raise RuntimeError("start must be an 0-dim integral Tensor.")
        start = int(start._array)
    if type(dim) is not int or type(start) is not int or type(length) is not int:
        dim, start, length = whole_number(dim), whole_number(start), whole_number(length)
    if not shape:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    size = shape[wrap_dim(dim, len(shape))]
    if not -size <= start <= size:
        within = f"expected to be in range of [-{size}, {size}]"
        raise IndexError(f"start out of range ({within}, but got {start})")
    start = start + size if start < 0 else start
    if start + length > size:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return apply_view(SliceBackward0, input, dim, start, start + length, 1)


@schema("diagonal(Tensor input, int offset=0, int dim1=0, int dim2=1)")
def diagonal(input: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> TensorBase:
    """Return a view of the elements whose position in `dim2` is that in `dim1` plus `offset`.

    >>> import minigrad as mg
    >>> mg.tensor([[1, 2], [3, 4]]).diagonal()
    tensor([1, 4])
    """
    where = places_of_diagonal(input._array.ndim, offset, dim1, dim2)
    return apply_view(DiagonalBackward0, input, *where)


def places_of_diagonal(rank: int, offset: Any, dim1: Any, dim2: Any) -> tuple[int, int, int]:
    """Return offset and dimensions of a diagonal among `rank` dimensions, as Python integers."""
    if type(offset) is not int or type(dim1) is not int or type(dim2) is not int:
        offset, dim1, dim2 = whole_number(offset), whole_number(dim1), whole_number(dim2)
    check_long(offset)
    if wrap_dim(dim1, rank) == wrap_dim(dim2, rank):
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return offset, dim1, dim2


@schema("diag_embed(Tensor input, int offset=0, int dim1=-2, int dim2=-1)")
def diag_embed(input: Any, offset: Any = 0, dim1: Any = -2, dim2: Any = -1) -> TensorBase:
    """Return zeros with the last dimension of `input` on the diagonal of `dim1` and `dim2`."""
    where = places_of_diagonal(input._array.ndim + 1, offset, dim1, dim2)
    return apply(DiagEmbedBackward0, input, *where)


@schema("diag(Tensor input, int diagonal=0, *, Tensor out=None)")
def diag(input: Any, diagonal: Any = 0) -> TensorBase:
    """Return a matrix's diagonal, copied; or the matrix with a vector on its diagonal.

    >>> import minigrad as mg
    >>> mg.diag(mg.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    """
    rank = input._array.ndim
    if type(diagonal) is not int:
        diagonal = whole_number(diagonal)
    check_long(diagonal)
    if rank == 1:
        return apply(DiagEmbedBackward0, input, diagonal, -2, -1)
    if rank != 2:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {rank}D")
    value = DiagonalBackward0_copy.forward(input._array, diagonal, 0, 1)
    return record(DiagonalBackward0_copy, (input,), (diagonal, 0, 1), value)


@schema("diagflat(Tensor input, int offset=0)")
def diagflat(input: Any, offset: Any = 0) -> TensorBase:
    """Return a matrix with all elements of `input` on a diagonal."""
    return diag.body(input.contiguous().view(-1), offset)  # type: ignore[no-any-return]


@schema("fill_diagonal_(Scalar fill_value, bool wrap=False)", place="Tensor")
def fill_diagonal_(self: Any, fill_value: Any, wrap: Any = False) -> TensorBase:
    """Fill the main diagonal; with `wrap`, begin again below a matrix that is higher than wide."""
    shape, wrap = self._array.shape, truth_value(wrap)
    if len(shape) < 2:
        raise RuntimeError("dimensions must larger than 1")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    steps, size = self.stride(), min(shape)
    step, start = sum(steps), self.storage_offset()
    self.as_strided((size,), (step,), start).fill_(fill_value)
    if wrap and len(shape) == 2 and shape[0] > shape[1] + 1:
        first = size + 1
        while first < shape[0]:
            rows = min(shape[0] - first, size)
            self.as_strided((rows,), (step,), start + first * steps[0]).fill_(fill_value)
            first += size + 1
    return self  # type: ignore[no-any-return]


@schema("trace(Tensor input)")
def trace(input: Any) -> TensorBase:
    """Sum a matrix's diagonal."""
    array = input._array
    if array.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {array.ndim}")
    if array.dtype.kind == "b":
        raise not_implemented("trace", array.dtype)
    return apply(TraceBackward0, input)


@schema("linalg_diagonal(Tensor A, *, int offset=0, int dim1=-2, int dim2=-1)", place="linalg")
def linalg_diagonal(A: Any, *, offset: Any = 0, dim1: Any = -2, dim2: Any = -1) -> Any:
    """Return the diagonals of matrices as a view; see `diagonal`."""
    return diagonal.body(A, offset, dim1, dim2)


class PartMethods(TensorBase):
    """The methods of this file."""

    select, narrow, diagonal = select.method, narrow.method, diagonal.method
    diag, diag_embed, trace = diag.method, diag_embed.method, trace.method
    diagflat, fill_diagonal_ = diagflat.method, fill_diagonal_.method
