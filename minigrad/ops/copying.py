"""Copies, fills and conversions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..devices import device
from ..dtypes import to_numpy_dtype
from ..graph import TensorBase
from ..operation import Operation, apply, inplace, overwrite, record, size_mismatch


class CloneBackward0(Operation):
    """A copy."""

    rule = r"\bar a = g"

    @staticmethod
    def forward(self: Any) -> Any:
        return self.copy(order="K") if isinstance(self, np.ndarray) else self.copy()

    def backward(ctx, g: Any) -> Any:
        return g


class ToCopyBackward0(Operation):
    """A copy in another element type."""

    params = ("dtype",)
    rule = r"\bar a = g"

    @staticmethod
    def forward(self: Any, dtype: np.dtype[Any]) -> Any:
        return self.astype(dtype)

    def backward(ctx, g: Any) -> Any:
        return g  # the engine converts it back


class CopyBackwards(Operation):
    """Every element overwritten with one of `source`."""

    inputs = ("self", "source")
    rule = r"\bar a = 0, \qquad \bar b = g"

    @staticmethod
    def forward(self: Any, source: Any) -> Any:
        return np.broadcast_to(source, self.shape)

    def backward(ctx, g: Any) -> Any:
        return (g * 0 if ctx.needs(0) else None, g if ctx.needs(1) else None)

    def name(self) -> str:
        return "torch::autograd::CopyBackwards"


class FillBackward2(Operation):
    """Every element overwritten with a number."""

    params = ("value",)
    rule = r"\bar a = 0"

    @staticmethod
    def forward(self: Any, value: Any) -> Any:
        return np.broadcast_to(np.asarray(value).astype(self.dtype), self.shape)

    def backward(ctx, g: Any) -> Any:
        return g * 0


class FillBackward3(Operation):
    """Every element overwritten with a 0-d tensor."""

    inputs = ("self", "value")
    rule = r"\bar a = 0, \qquad \bar v = \sum g"

    @staticmethod
    def forward(self: Any, value: Any) -> Any:
        return np.broadcast_to(np.asarray(value).astype(self.dtype), self.shape)

    def backward(ctx, g: Any) -> Any:
        return (g * 0 if ctx.needs(0) else None, g.sum() if ctx.needs(1) else None)


class ZeroBackward0(Operation):
    """Every element overwritten with 0."""

    rule = r"\bar a = 0"

    @staticmethod
    def forward(self: Any) -> Any:
        return np.zeros_like(self)

    def backward(ctx, g: Any) -> Any:
        return g * 0


def clone(input: Any) -> Any:
    """A copy in memory of its own; gradients flow through it."""
    return apply(CloneBackward0, input)


class CopyingMethods(TensorBase):
    """The methods of this file."""

    clone = clone

    def copy_(self, src: Any, non_blocking: bool = False) -> Any:
        """Overwrite every element with that of `src`, broadcast and converted."""
        if not isinstance(src, TensorBase):
            raise TypeError(f"copy_(): argument 'other' must be Tensor, not {type(src).__name__}")
        try:
            values = np.broadcast_to(src._array, self._array.shape)
        except ValueError:
            raise size_mismatch(self._array.shape, src._array.shape) from None
        return overwrite(CopyBackwards, self, (self, src), (), values)

    def fill_(self, value: Any) -> Any:
        """Overwrite every element with `value`, a number or a 0-d tensor."""
        if not isinstance(value, TensorBase):
            return inplace(FillBackward2, self, value)
        if value._array.ndim:
            raise RuntimeError(
                "fill_ only supports 0-dimension value tensor but got tensor with "
                f"{value._array.ndim} dimensions."
            )
        values = FillBackward3.forward(self._array, value._array)
        return overwrite(FillBackward3, self, (self, value), (), values)

    def zero_(self) -> Any:
        """Overwrite every element with 0."""
        return inplace(ZeroBackward0, self)

    zeros_ = zero_

    def to(self, *args: Any, dtype: Any = None, copy: bool = False, **kwargs: Any) -> Any:
        """This tensor in another element type or on another device; itself if nothing changes.

        The target is a dtype, a device, both, or a tensor to be like.
        """
        where: Any = kwargs.pop("device", None)
        kwargs.pop("non_blocking", None)
        if kwargs:
            raise TypeError(f"to() got an unexpected keyword argument {next(iter(kwargs))!r}")
        for arg in args:
            if isinstance(arg, TensorBase):
                dtype = arg._array.dtype
            elif isinstance(arg, (str, device)):
                where = arg
            elif not isinstance(arg, bool):
                dtype = arg
        if where is not None:
            target = device(where) if isinstance(where, str) else where
            if target.type != "cpu":
                raise RuntimeError(f"no device of type {target.type!r} is available")
        wanted = (
            self._array.dtype
            if dtype is None
            else dtype
            if isinstance(dtype, np.dtype)
            else to_numpy_dtype(dtype)
        )
        if wanted == self._array.dtype:
            return clone(self) if copy else self
        return apply(ToCopyBackward0, self, wanted)

    def type_as(self, other: Any) -> Any:
        """This tensor in the element type of `other`."""
        return self.to(other._array.dtype)

    def float(self) -> Any:
        """This tensor as float32."""
        return self.to(np.dtype("float32"))

    def double(self) -> Any:
        """This tensor as float64."""
        return self.to(np.dtype("float64"))

    def half(self) -> Any:
        """This tensor as float16."""
        return self.to(np.dtype("float16"))

    def int(self) -> Any:
        """This tensor as int32."""
        return self.to(np.dtype("int32"))

    def long(self) -> Any:
        """This tensor as int64."""
        return self.to(np.dtype("int64"))

    def bool(self) -> Any:
        """This tensor as bool."""
        return self.to(np.dtype("bool"))

    def contiguous(self) -> Any:
        """This tensor with its elements in row-major order in memory: itself, or a copy."""
        array = self.shared_array()
        if array.flags.c_contiguous:
            return self
        return record(CloneBackward0, (self,), (), np.ascontiguousarray(array))

    def is_contiguous(self) -> Any:
        """Whether the elements lie in row-major order in memory."""
        return bool(self.shared_array().flags.c_contiguous)
