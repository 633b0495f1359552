"""Copies, fills and conversions."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ..devices import array_module_for, device, device_of
from ..dtypes import dtype as Dtype
from ..dtypes import from_numpy_dtype, tensor_type_name, to_numpy_dtype
from ..graph import TensorBase, new_tensor
from ..operation import Operation, apply, inplace, overwrite, record, size_mismatch
from ..views import check_overlap


class ShapeOperation(Operation):
    """An operation that moves elements and computes nothing.

    What it shows as `_saved_*` are its params, numbers as PyTorch shows them: 64 bits without sign.
    A param whose name begins with an underscore is there for the formulas and is not shown.
    """

    shows_sizes = False
    """Whether PyTorch shows the shape of the input, which the formula asks from the graph."""

    def __getattr__(self, name: str) -> Any:
        return unsigned(super().__getattr__(name))

    def __dir__(self) -> list[str]:
        names = [name for name in super().__dir__() if not name.startswith("_saved__")]
        return [*names, "_saved_self_sym_sizes"] if self.shows_sizes else names

    def release(self) -> None:
        super().release()
        if self.freed:  # an index or a mask goes with the saved tensors
            self.args = tuple(None if isinstance(a, TensorBase) else a for a in self.args)


def unsigned(value: Any) -> Any:
    """`value` with each negative integer as the 64-bit number without sign of the same bits."""
    if type(value) is tuple:
        return tuple([unsigned(item) for item in value])
    return value % 2**64 if type(value) is int else value


class CloneBackward0(Operation):
    """A copy."""

    rule = r"\bar a = g"

    @staticmethod
    def forward(self: Any) -> Any:
        return self.copy(order="K") if isinstance(self, np.ndarray) else self.copy()

    def backward(ctx, g: Any) -> Any:
        return g


class ToCopyBackward0(ShapeOperation):
    """A copy in another element type or on another device."""

    params = ("_dtype", "_device")
    rule = r"\bar a = g"

    @staticmethod
    def forward(self: Any, dtype: np.dtype[Any], place: device) -> Any:
        here = device_of(self)
        if place.type == here.type and place.index in (None, here.index):
            return self.astype(dtype)
        if here.type == "cuda":
            self = self.get()
        if place.type == "cpu":
            return np.asarray(self).astype(dtype, copy=False)
        module = array_module_for(place)
        with module.cuda.Device(place.index):
            return module.asarray(self, dtype)

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
        return (zeros_for(g) if ctx.needs(0) else None, g if ctx.needs(1) else None)

    def name(self) -> str:
        return "torch::autograd::CopyBackwards"


class FillBackward2(ShapeOperation):
    """Every element overwritten with a number."""

    params = ("_value",)
    rule = r"\bar a = 0"

    @staticmethod
    def forward(self: Any, value: Any) -> Any:
        return np.broadcast_to(as_scalar(value, self.dtype), self.shape)

    def backward(ctx, g: Any) -> Any:
        return zeros_for(g)


class FillBackward3(Operation):
    """Every element overwritten with a 0-d tensor."""

    inputs = ("self", "value")
    rule = r"\bar a = 0, \qquad \bar v = \sum g"

    @staticmethod
    def forward(self: Any, value: Any) -> Any:
        return np.broadcast_to(value.astype(self.dtype), self.shape)

    def backward(ctx, g: Any) -> Any:
        return (zeros_for(g) if ctx.needs(0) else None, g.sum() if ctx.needs(1) else None)


class ZeroBackward0(Operation):
    """Every element overwritten with 0."""

    rule = r"\bar a = 0"

    @staticmethod
    def forward(self: Any) -> Any:
        return np.zeros_like(self)

    def backward(ctx, g: Any) -> Any:
        return zeros_for(g)


def zeros_for(g: Any, shape: tuple[builtins.int, ...] | None = None) -> Any:
    """Zeros like `g`, an array or a Tensor; in another shape, if one is given."""
    if isinstance(g, TensorBase):
        return new_tensor(np.zeros_like(g._array, shape=shape))
    return np.zeros_like(g, shape=shape)


def as_scalar(value: Any, dtype: np.dtype[Any]) -> Any:
    """A Python number in the type `dtype`.

    Raises:
        RuntimeError: the type cannot hold it.
    """
    if dtype.kind == "b":
        return np.bool_(value)
    if dtype.kind == "f":
        if dtype.itemsize == 4 and np.finfo(dtype).max < abs(value) < np.inf:
            raise RuntimeError("value cannot be converted to type float without overflow")
        return dtype.type(value)
    limits = np.iinfo(dtype)
    # Negative numbers wrap around in a type without sign, as in C.
    lowest = limits.min if dtype.kind == "i" else -limits.max
    if not lowest <= value <= limits.max:
        word = "int" if dtype.name == "int32" else f"{dtype.name}_t"
        raise RuntimeError(f"value cannot be converted to type {word} without overflow")
    return dtype.type(builtins.int(value) % (limits.max + 1) if value < 0 and lowest else value) if (
        dtype.kind == "u"
    ) else dtype.type(value)


# --- Public functions


def clone(input: Any, *, memory_format: Any = None) -> Any:
    """A copy in memory of its own; gradients flow through it."""
    return apply(CloneBackward0, input)


def converted(tensor: Any, dtype: Any = None, place: Any = None, copy: builtins.bool = False) -> Any:
    """`tensor` in another element type or on another device; itself if nothing changes."""
    have, here = tensor._array.dtype, device_of(tensor._array)
    wanted = have if dtype is None else dtype if isinstance(dtype, np.dtype) else to_numpy_dtype(dtype)
    target = here if place is None else device(place)
    if target.type == here.type and target.index in (None, here.index) and wanted == have:
        return clone(tensor) if copy else tensor
    if target.type != "cpu":
        array_module_for(target)
    return apply(ToCopyBackward0, tensor, wanted, target)


class CopyingMethods(TensorBase):
    """The methods of this file."""

    clone = clone
