"""Masks: fill, take and replace elements where a bool tensor is True; find nonzero elements.

The mask and the tensor are broadcast together.
"""

from __future__ import annotations

import math
import warnings
from typing import Any, Literal, overload

import numpy as np

from ...arrays.memory_order import row_major
from ...arrays.messages import c_name, check_same_type, type_word
from ...core.inplace import check_overlap
from ...core.node import TensorBase, new_tensor
from ...core.operation import ALWAYS, apply, zeros_for
from ..public.dims import common_shape
from ..public.factories import Call, applied, as_number
from ..public.functions import schema
from ..public.kinds import ShapeOperation
from ..shapes.copies import as_scalar, warn_if_expanded
from ..shapes.shapes import expand
from .elementwise import keep_where, places_of


class MaskedFillBackward0(ShapeOperation):
    """`self` with a number where `mask` is True."""

    saves = {"mask": ALWAYS}
    fills_repeats = True
    rule = r"\bar a = [\neg m] \cdot g"

    @row_major
    def forward(self: Any, /, mask: Any, _value: Any) -> Any:
        return np.where(mask, as_scalar(_value, self.dtype), self)

    def gradient(g: Any, mask: Any, _value: Any) -> Any:
        return MaskedFillBackward0.on(g, mask, 0)


def zero_masked(g: Any, mask: Any) -> Any:
    """Return `g` with 0 where `mask` holds, for a formula that PyTorch writes in this way."""
    return MaskedFillBackward0.on(g, mask, 0) if isinstance(g, TensorBase) else keep_where(g, ~mask)


class MaskedFillBackward1(ShapeOperation):
    """`self` with a 0-d tensor where `mask` is True."""

    saves = {"mask": ALWAYS}
    fills_repeats = True
    rule = r"\bar a = [\neg m] \cdot g, \qquad \bar v = \sum [m] \cdot g"

    @row_major
    def forward(self: Any, value: Any, /, mask: Any) -> Any:
        return np.where(mask, value.astype(self.dtype), self)

    def gradient(g: Any, mask: Any) -> Any:
        left = MaskedFillBackward0.on
        return lambda: left(g, mask, 0), lambda: MaskedSelectBackward0.on(g, mask).sum()


class MaskedSelectBackward0(ShapeOperation):
    """The elements where `mask` is True, in one dimension."""

    saves = {"mask": ALWAYS, "self": ALWAYS}
    rule = r"\bar a[m] = g, \text{ elsewhere } 0"

    def forward(self: Any, /, mask: Any) -> Any:
        shape = np.broadcast_shapes(self.shape, mask.shape)
        return np.broadcast_to(self, shape)[np.broadcast_to(mask, shape)]

    def gradient(g: Any, mask: Any, self: Any, shape: Any) -> Any:
        zeros = zeros_for(g, np.broadcast_shapes(shape, mask.shape))
        return MaskedScatterBackward0.on(zeros, g, mask)


class MaskedScatterBackward0(ShapeOperation):
    """`self` with the elements of `source`, in their order, where `mask` is True."""

    inputs = ("self", "source")
    params = ("mask",)
    saves = {"mask": ALWAYS}
    rule = r"\bar a = [\neg m] \cdot g, \qquad \bar b = g[m]"

    def forward(self: Any, source: Any, /, mask: Any) -> Any:
        shape = np.broadcast_shapes(self.shape, mask.shape)
        result, where = np.broadcast_to(self, shape).copy(), np.broadcast_to(mask, shape)
        result[where] = source.reshape(-1)[: int(where.sum())]
        return result

    def backward(ctx, g: Any) -> Any:
        (mask,) = ctx.saved
        left = MaskedFillBackward0.on(g, mask, 0) if ctx.needs(0) else None
        taken = MaskedScatterBackwardBackward0.on
        return left, taken(g, mask, ctx.shape(1)) if ctx.needs(1) else None


class MaskedScatterBackwardBackward0(ShapeOperation):
    """The elements where `mask` is True, padded with 0 to a shape."""

    saves = {"mask": ALWAYS}
    rule = r"\bar g[m] = \bar a"

    def forward(grad_output: Any, /, mask: Any, _shape: tuple[int, ...]) -> Any:
        taken = MaskedSelectBackward0.forward(grad_output, mask)
        result = np.zeros_like(taken, shape=math.prod(_shape))
        result[: taken.size] = taken
        return result.reshape(_shape)

    def gradient(g: Any, mask: Any, shape: Any, _shape: tuple[int, ...]) -> Any:
        return MaskedScatterBackward0.on(zeros_for(g, shape), g, mask)


# --- Public functions


def look_where_to_fill(input: Any, mask: Any, value: Any) -> None:
    """Raise the errors of `masked_fill_` alone."""
    common_shape(input._array.shape, mask._array.shape)
    warn_if_expanded(input._array, "masked_fill_", "tensor[mask] = scalar")
    check_overlap(input, (mask,), repeats=True)


def look_where_to_scatter(input: Any, mask: Any, source: Any) -> None:
    """Raise the errors of `masked_scatter_` alone: its mask is expanded."""
    if mask._array.shape != input._array.shape:
        expand(mask, input._array.shape)


@applied(
    "masked_fill(Tensor input, Tensor mask, Tensor value)",
    "masked_fill(Tensor input, Tensor mask, Scalar value)",
    before=look_where_to_fill,
)
def masked_fill(input: Any, mask: Any, value: Any) -> Call:
    """Fill `input` with `value`, a number or a 0-d tensor, where `mask` is True.

    >>> import minigrad as mg
    >>> x = mg.tensor([1, -2, 3])
    >>> x.masked_fill(x < 0, 0)
    tensor([1, 0, 3])
    """
    filled, where = input._array, mask._array
    if where.shape != filled.shape:
        common_shape(where.shape, filled.shape)  # raises if there is none
    if where.dtype != np.bool_:
        found = f"but got mask with dtype {c_name(where.dtype)}"
        raise RuntimeError(f"masked_fill_ only supports boolean masks, {found}")
    if not isinstance(value, TensorBase):
        return MaskedFillBackward0, (mask, as_number(value, filled.dtype))
    if value._array.ndim:
        found = f"but got tensor with {value._array.ndim} dimension(s)."
        raise RuntimeError(f"masked_fill_ only supports a 0-dimensional value tensor, {found}")
    if filled.dtype.kind != "f" and value._array.dtype != filled.dtype:
        value = new_tensor(value._array.astype(filled.dtype))  # it has no gradient here
    return MaskedFillBackward1, (value, mask)


@applied(
    "masked_scatter(Tensor input, Tensor mask, Tensor source)",
    apart=True,
    before=look_where_to_scatter,
)
def masked_scatter(input: Any, mask: Any, source: Any) -> Call:
    """Replace the elements where `mask` is True by those of `source`, in their order.

    >>> import minigrad as mg
    >>> mg.masked_scatter(mg.zeros(3), mg.tensor([True, False, True]), mg.tensor([1.0, 2.0]))
    tensor([1., 0., 2.])
    """
    x, where, values = input._array, mask._array, source._array
    shape = common_shape(where.shape, x.shape)
    if where.dtype == np.uint8:
        text = "masked_scatter_ received a mask with dtype torch.uint8, this behavior is now"
        text += " deprecated,please use a mask with dtype torch.bool instead."
        warnings.warn(text, stacklevel=3)
    if where.dtype != np.bool_:
        found = f"but got mask with dtype {type_word(where.dtype)}"
        raise RuntimeError(f"masked_scatter_ only supports boolean masks, {found}")
    wanted = "masked_scatter: expected self and source to have same dtypes but got"
    check_same_type(x, values, wanted + "{} and {}")
    if int(np.broadcast_to(where, shape).sum()) > values.size:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    return MaskedScatterBackward0, (source, mask)


@schema("masked_select(Tensor input, Tensor mask, *, Tensor out=None)")
def masked_select(input: Any, mask: Any) -> TensorBase:
    """Return the elements where `mask` is True, in one dimension."""
    chosen, where = input._array, mask._array
    if where.dtype != np.bool_:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    if where.shape != chosen.shape:
        common_shape(where.shape, chosen.shape)
    return apply(MaskedSelectBackward0, input, mask)


@overload
def nonzero(input: TensorBase, *, as_tuple: Literal[True]) -> tuple[TensorBase, ...]: ...
@overload
def nonzero(
    input: TensorBase, *, as_tuple: Literal[False] = False, out: TensorBase | None = None
) -> TensorBase: ...
@schema("nonzero(Tensor input, *, bool as_tuple=False, Tensor out=None)")
def nonzero(input: Any, *, as_tuple: Any = False) -> Any:
    """Return the indices of nonzero elements: a row for each, or a tensor for each dimension.

    >>> import minigrad as mg
    >>> mg.nonzero(mg.tensor([[1, 0], [0, 2]]))
    tensor([[0, 0],
            [1, 1]])
    """
    if as_tuple is not True and as_tuple is not False:
        raise TypeError
    array = input.shared_array()
    if as_tuple:
        return places_of(array)
    return new_tensor(np.argwhere(array).astype(np.int64, copy=False))


@schema("argwhere(Tensor input)")
def argwhere(input: Any) -> TensorBase:
    """Return the indices of all elements that are not zero, a row for each.

    >>> import minigrad as mg
    >>> mg.argwhere(mg.tensor([0, 7, 9]))
    tensor([[1],
            [2]])
    """
    return new_tensor(np.argwhere(input.shared_array()).astype(np.int64, copy=False))


class MaskingMethods(TensorBase):
    """The methods of this file."""

    masked_fill, masked_fill_ = masked_fill.method, masked_fill.in_place.method
    masked_scatter, masked_scatter_ = masked_scatter.method, masked_scatter.in_place.method
    masked_select = masked_select.method
    argwhere = argwhere.method
    nonzero = schema("nonzero(Tensor input)", "nonzero(Tensor input, *, bool as_tuple)")(
        nonzero.body  # type: ignore[attr-defined]  # which the overloads hide
    ).method
