"""Masks: filling, taking and replacing the elements where a bool tensor says True; and finding
where a tensor is not zero.

The mask and the tensor are broadcast together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays.memory_order import row_major
from ..arrays.words import c_name
from ..core.inplace import inplace
from ..core.node import TensorBase, new_tensor
from ..core.operation import ALWAYS, apply
from .copies import as_scalar, check_fills, check_writable
from .dims import common_shape
from .elementwise import masked
from .fronts import Row
from .kinds import ShapeOperation


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


def zeroed(g: Any, mask: Any) -> Any:
    """`g` with 0 where `mask` holds, for a formula that PyTorch writes in this way."""
    return MaskedFillBackward0.on(g, mask, 0) if isinstance(g, TensorBase) else masked(g, ~mask)


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
        return MaskedPutBack.on(g, mask, np.broadcast_shapes(shape, mask.shape))


class MaskedPutBack(ShapeOperation):
    """Zeros with elements where `mask` is True: the gradient of taking them."""

    saves = {"mask": ALWAYS}
    rule = r"\bar g = \bar a[m]"

    def forward(grad_output: Any, /, mask: Any, _shape: tuple[int, ...]) -> Any:
        result = np.zeros_like(grad_output, shape=_shape)
        result[np.broadcast_to(mask, _shape)] = grad_output
        return result

    def gradient(g: Any, mask: Any, _shape: tuple[int, ...]) -> Any:
        return MaskedSelectBackward0.on(g, mask)


# --- Public functions


def masked_fill_row(input: TensorBase, mask: Any, value: Any) -> Row:
    if mask._array.dtype != np.bool_:
        found = f"but got mask with dtype {c_name(mask._array.dtype)}"
        raise RuntimeError(f"masked_fill_ only supports boolean masks, {found}")
    if not isinstance(value, TensorBase):
        return MaskedFillBackward0, (mask, value)
    if value._array.ndim:
        found = f"but got tensor with {value._array.ndim} dimension(s)."
        raise RuntimeError(f"masked_fill_ only supports a 0-dimensional value tensor, {found}")
    return MaskedFillBackward1, (value, mask)


def masked_fill(input: TensorBase, mask: TensorBase, value: Any) -> TensorBase:
    """`input` with `value`, a number or a 0-d tensor, where `mask` is True.

    >>> import minigrad as mg
    >>> x = mg.tensor([1, -2, 3])
    >>> x.masked_fill(x < 0, 0)
    tensor([1, 0, 3])
    """
    op, args = masked_fill_row(input, mask, value)
    common_shape(mask._array.shape, input._array.shape)  # an error if there is none
    return apply(op, input, *args)


def masked_select(input: TensorBase, mask: TensorBase) -> TensorBase:
    """The elements where `mask` is True, in one dimension."""
    if mask._array.dtype != np.bool_:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    common_shape(mask._array.shape, input._array.shape)
    return apply(MaskedSelectBackward0, input, mask)


def nonzero(input: TensorBase, *, as_tuple: bool = False) -> Any:
    """The positions of the elements that are not zero: one row each, or a tensor a dimension.

    >>> import minigrad as mg
    >>> mg.nonzero(mg.tensor([[1, 0], [0, 2]]))
    tensor([[0, 0],
            [1, 1]])
    """
    array = input.shared_array()
    if as_tuple:
        return tuple(
            new_tensor(places) for places in np.nonzero(array if array.ndim else array.reshape(1))
        )
    return new_tensor(np.argwhere(array))


class MaskingMethods(TensorBase):
    """The methods of this file."""

    masked_fill, masked_select, nonzero = masked_fill, masked_select, nonzero

    def masked_fill_(self: Any, mask: TensorBase, value: Any) -> TensorBase:
        """`masked_fill` in place."""
        check_writable(self, value)
        op, args = masked_fill_row(self, mask, value)
        check_fills(self._array.shape, mask._array.shape)
        return inplace(op, self, *args)
