"""Copies, fills and conversions, and what all operations share that move elements around."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..arrays import dtypes
from ..arrays.devices import array_module_for, device, device_of, on_host
from ..arrays.dtypes import dtype as Dtype
from ..arrays.dtypes import from_numpy_dtype, result_dtype, to_numpy_dtype
from ..arrays.memory_order import copied
from ..arrays.words import check_output, check_tensors
from ..core.inplace import check_in_place, overwrite
from ..core.node import TensorBase, raw
from ..core.operation import Operation, apply, record, zeros_for
from ..core.saved import NUMBERS, as_tensor
from .dims import common_shape
from .kinds import Constant, ShapeOperation


class CloneBackward0(Operation):
    """A copy."""

    rule = r"\bar a = g"

    def forward(self: Any) -> Any:
        return copied(self)

    def backward(ctx, g: Any) -> Any:
        return g


class ToCopyBackward0(ShapeOperation):
    """A copy in another element type or on another device."""

    rule = r"\bar a = g"

    def forward(self: Any, /, _dtype: np.dtype[Any], _place: device, _source: device) -> Any:
        if is_on(self, _place):
            return self.astype(_dtype)
        values = on_host(self)
        if _place.type == "cpu":
            return values.astype(_dtype, copy=False)
        cupy = array_module_for(_place)
        with cupy.cuda.Device(_place.index):
            return cupy.asarray(values, _dtype)

    def backward(ctx, g: Any) -> Any:
        array, source = raw(g), ctx.args[2]
        if is_on(array, source):
            return g  # the engine converts its type back
        return ToCopyBackward0.on(g, array.dtype, source, device_of(array))


class CopyBackwards(Operation):
    """Every element overwritten with one of `source`."""

    rule = r"\bar a = 0, \qquad \bar b = g"

    def forward(self: Any, source: Any, /) -> Any:
        return np.broadcast_to(source, self.shape)

    def gradient(g: Any) -> Any:
        return lambda: zeros_for(g), g

    def name(self) -> str:
        return "torch::autograd::CopyBackwards"


class FillBackward2(Constant):
    """Every element overwritten with a number."""

    fills_repeats = True

    def forward(self: Any, /, _value: Any) -> Any:
        return np.broadcast_to(as_scalar(_value, self.dtype), self.shape)


class FillBackward3(Operation):
    """Every element overwritten with a 0-d tensor."""

    rule = r"\bar a = 0, \qquad \bar v = \sum g"

    def forward(self: Any, value: Any, /) -> Any:
        return np.broadcast_to(value.astype(self.dtype), self.shape)

    def gradient(g: Any) -> Any:
        return lambda: zeros_for(g), lambda: g.sum()


class ZeroBackward0(Constant):
    """Every element overwritten with 0."""

    fills_repeats = True

    def forward(self: Any) -> Any:
        return np.zeros_like(self)


LARGEST = {
    np.dtype(np.float16): (float(np.finfo(np.float16).max), "c10::Half"),
    np.dtype(np.float32): (float(np.finfo(np.float32).max), "float"),
}
"""Of the narrow types the largest number, and what PyTorch calls them here."""


def as_scalar(value: Any, dtype: np.dtype[Any]) -> Any:
    """A Python number in the type `dtype`.

    Raises:
        RuntimeError: the type cannot hold it.
    """
    if dtype.kind == "b":
        return np.bool_(value)
    if dtype.kind == "f":
        largest, word = LARGEST.get(dtype, (math.inf, ""))
        if largest < abs(value) < math.inf:
            raise RuntimeError(f"value cannot be converted to type {word} without overflow")
        return dtype.type(value)
    limits = np.iinfo(dtype)
    # In a type without sign, negative integers wrap around, as they do in C.
    lowest = limits.min or (0 if isinstance(value, float) else -limits.max)
    if not lowest <= value <= limits.max:
        word = "int" if dtype.name == "int32" else f"{dtype.name}_t"
        raise RuntimeError(f"value cannot be converted to type {word} without overflow")
    whole = int(value)
    return dtype.type(whole if whole >= limits.min else whole + limits.max + 1)


def check_fills(shape: tuple[int, ...], given: tuple[int, ...]) -> None:
    """Refuse to write values of the shape `given` where they do not broadcast to `shape`.

    Raises:
        RuntimeError: they do not.
    """
    check_output(shape, common_shape(shape, given))


def check_writable(tensor: Any, *others: Any) -> None:
    """Raise where PyTorch forbids to write to `tensor` what comes from `others`.

    In-place operations ask this first, before they look at shapes and indices.
    """
    check_in_place(tensor, (tensor, *others))


def is_on(array: Any, place: device) -> bool:
    """Whether `array` is in the memory of `place`."""
    here = device_of(array)
    return here.type == place.type and place.index in (None, here.index)


# --- Public functions


def clone(input: TensorBase, *, memory_format: Any = None) -> TensorBase:
    """A copy in memory of its own; gradients flow through it."""
    return apply(CloneBackward0, input)


def contiguous(input: TensorBase, memory_format: Any = None) -> TensorBase:
    """`input` with its elements in row-major order in memory: itself, or a copy."""
    array = input.shared_array()
    if array.flags.c_contiguous:
        return input
    return record(CloneBackward0, (input,), (), array.copy(order="C"))


def converted(input: TensorBase, dtype: Any, place: Any = None, copy: bool = False) -> TensorBase:
    """`input` in the type `dtype` and on the device `place`, as far as they are given.

    That is `input` itself if nothing changes, unless a `copy` is wanted.
    """
    array = input._array
    wanted = array.dtype if dtype is None else to_numpy_dtype(dtype)
    target = device_of(array) if place is None else device(place)
    if wanted == array.dtype and is_on(array, target) and not copy:
        return input
    array_module_for(target)  # an error if there is no such device
    return apply(ToCopyBackward0, input, wanted, target, device_of(array))


def destination(*args: Any, **kwargs: Any) -> tuple[Any, Any, bool]:
    """Type, device and `copy` as the arguments of `to` say."""
    names = ["non_blocking", "copy"]
    wanted: dict[str, Any] = {}
    given = list(args)
    if given and isinstance(given[0], TensorBase):
        array = given.pop(0)._array
        wanted = {"dtype": array.dtype, "device": device_of(array)}
    elif given and isinstance(given[0], (Dtype, np.dtype)):
        wanted["dtype"] = given.pop(0)
    elif given and (given[0] is None or isinstance(given[0], (str, device, int))):
        wanted["device"] = given.pop(0)
        names.insert(0, "dtype")
    if len(given) > len(names) or (given and not wanted):
        listed = ", ".join(type(arg).__name__ for arg in args)
        wrong = f"to() received an invalid combination of arguments - got ({listed})"
        raise TypeError(f"{wrong}, but expected (device, dtype), (dtype) or (Tensor)")
    wanted.update(zip(names, given, strict=False))
    for name, value in kwargs.items():
        if name not in ("dtype", "device", "non_blocking", "copy", "memory_format"):
            raise TypeError(f"to() got an unexpected keyword argument {name!r}")
        wanted[name] = value
    return wanted.get("dtype"), wanted.get("device"), bool(wanted.get("copy", False))


def named_type(name: str) -> Dtype:
    """The element type with PyTorch's old name, such as torch.FloatTensor.

    Raises:
        ValueError: no type is called so.
    """
    for found in from_numpy_dtype.values():
        if name == f"torch.{found.tensor_class}":
            return found
    raise ValueError(f"invalid type: '{name}'")


def to_type(name: str, dtype: Dtype) -> Callable[[TensorBase], TensorBase]:
    """The method `name`, which converts to the type `dtype`."""

    def method(self: TensorBase) -> TensorBase:
        return converted(self, dtype)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"This tensor as {dtype.name}."
    return method


def result_type(tensor1: Any, tensor2: Any) -> Dtype:
    """The element type of an operation on two operands, tensors or numbers.

    >>> import minigrad as mg
    >>> mg.result_type(mg.tensor([1, 2]), 1.0)
    torch.float32
    """
    return from_numpy_dtype[result_dtype(raw(tensor1), raw(tensor2))]


class CopyingMethods(TensorBase):
    """The methods of this file."""

    clone, contiguous = clone, contiguous

    def is_contiguous(self, memory_format: Any = None) -> builtins.bool:
        """Whether the elements lie in row-major order in memory."""
        return builtins.bool(self.shared_array().flags.c_contiguous)

    def copy_(self, other: Any, non_blocking: builtins.bool = False) -> TensorBase:
        """Overwrite every element with that of `other`, broadcast and converted."""
        if type(other) in NUMBERS:
            other = as_tensor(other)
        check_tensors("copy_", ("other", other))
        if type(other._array) is not type(self._array):
            other = converted(other, None, device_of(self._array))
        check_writable(self, other)
        if self._array.dtype.kind != "f":
            other = other.detach()  # copied into whole numbers, it leaves no history
        shape, values = self._array.shape, other._array
        if values.shape != shape:
            check_fills(shape, values.shape)
        return overwrite(CopyBackwards, self, (self, other), (), values)

    def fill_(self, value: Any) -> TensorBase:
        """Overwrite every element with `value`, a number or a 0-d tensor."""
        if not isinstance(value, TensorBase):
            if not isinstance(value, (builtins.bool, builtins.int, builtins.float)):
                wrong = "fill_() received an invalid combination of arguments"
                raise TypeError(
                    f"{wrong} - got ({type(value).__name__}), expected Tensor or Number"
                )
            number = as_scalar(value, self._array.dtype)
            return overwrite(FillBackward2, self, (self,), (value,), number)
        check_writable(self, value)
        if value._array.ndim:
            rank = value._array.ndim
            raise RuntimeError(
                f"fill_ only supports 0-dimension value tensor but got {rank} of them"
            )
        return overwrite(FillBackward3, self, (self, value), (), value._array)

    def zero_(self) -> TensorBase:
        """Overwrite every element with 0."""
        return overwrite(ZeroBackward0, self, (self,), (), self._array.dtype.type(0))

    zeros_ = zero_

    def to(self: Any, *args: Any, **kwargs: Any) -> TensorBase:
        """This tensor in another element type or on another device; itself if nothing changes.

        Args:
            args: a dtype, a device, both (the device first), or a tensor to be like. Then
                `non_blocking` and `copy`, which may be named.

        Raises:
            RuntimeError: there is no such device.
            TypeError: something that is none of these.
        """
        return converted(self, *destination(*args, **kwargs))

    def type_as(self: Any, other: Any) -> TensorBase:
        """This tensor in the element type of `other`."""
        return converted(self, other._array.dtype)

    def cpu(self: Any) -> TensorBase:
        """This tensor in the host's memory."""
        return converted(self, None, "cpu")

    def cuda(self: Any, device: Any = None) -> TensorBase:
        """This tensor in a GPU's memory."""
        return converted(self, None, "cuda" if device is None else device)

    float, double = to_type("float", dtypes.float32), to_type("double", dtypes.float64)
    half, bool = to_type("half", dtypes.float16), to_type("bool", dtypes.bool_)
    byte, char = to_type("byte", dtypes.uint8), to_type("char", dtypes.int8)
    short, int, long = (
        to_type("short", dtypes.int16),
        to_type("int", dtypes.int32),
        to_type("long", dtypes.int64),
    )
