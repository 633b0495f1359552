"""Copies, fills and conversions, and helpers of all operations that move elements."""

from __future__ import annotations

import math
import warnings
from typing import Any, cast

import numpy as np

from ...arrays import dtypes
from ...arrays.devices import device, device_of
from ...arrays.dtypes import dtype as Dtype
from ...arrays.dtypes import from_numpy_dtype, result_dtype, to_numpy_dtype
from ...arrays.gpus import is_on, move_to
from ...arrays.memory_formats import (
    axes_of,
    contiguous_format,
    copy_in_format,
    is_in,
    memory_format,
    preserve_format,
)
from ...arrays.memory_order import copy_in_order, same_place
from ...arrays.messages import beyond, check_output
from ...core.inplace import check_in_place, check_overlap, overwrite
from ...core.modes import modes
from ...core.node import TensorBase, gradient_edge, unwrap
from ...core.operation import Operation, apply, attach, record, zeros_for
from ...core.saved import NUMBERS, as_tensor
from ..public.dims import common_shape
from ..public.factories import has_repeats
from ..public.functions import MISSING, Public, schema
from ..public.kinds import Constant, ShapeOperation
from ..public.out import CopyBackwards


class CloneBackward0(Operation):
    """A copy."""

    rule = r"\bar a = g"

    def forward(self: Any) -> Any:
        return copy_in_order(self)

    def backward(ctx, g: Any) -> Any:
        return g


class ToCopyBackward0(ShapeOperation):
    """A copy in another dtype or on another device."""

    rule = r"\bar a = g"

    def forward(self: Any, /, _dtype: np.dtype[Any], _place: device, _source: device) -> Any:
        if is_on(self, _place):
            return copy_in_order(self, _dtype)
        return move_to(self, _place).astype(_dtype, copy=False)

    def backward(ctx, g: Any) -> Any:
        array, source = unwrap(g), ctx.args[2]
        if is_on(array, source):
            return g  # the engine converts its dtype back
        return ToCopyBackward0.on(g, array.dtype, source, device_of(array))


class CopyOfItself(CopyBackwards):
    """A tensor overwritten with itself; its elements may share memory."""

    fills_repeats = True


class FillBackward2(Constant):
    """Every element overwritten with a number."""

    params = ("_value",)
    fills_repeats = True


class FillBackward3(Operation):
    """Every element overwritten with a 0-d tensor."""

    inputs = ("self", "value")
    rule = r"\bar a = 0, \qquad \bar v = \sum g"

    def gradient(g: Any) -> Any:
        return lambda: zeros_for(g), lambda: g.sum()


class ZeroBackward0(Constant):
    """Every element overwritten with 0."""

    fills_repeats = True


LARGEST = {np.dtype(t): float(np.finfo(t).max) for t in (np.float16, np.float32, np.float64)}


def as_scalar(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return a Python number in the dtype.

    Raises:
        RuntimeError: the dtype cannot hold it.
    """
    if dtype.kind == "b":
        return np.bool_(value)
    if isinstance(value, complex):
        if value.imag:
            raise beyond(dtype)
        value = value.real
    if dtype.kind == "f":
        if LARGEST[dtype] < abs(value) < math.inf:
            raise beyond(dtype)
        return dtype.type(value)
    limits = np.iinfo(dtype)
    # In an unsigned dtype, negative integers wrap around, as they do in C.
    lowest = limits.min or (0 if isinstance(value, float) else -limits.max)
    if not lowest <= value <= limits.max:
        raise beyond(dtype)
    whole = int(value)
    return dtype.type(whole if whole >= limits.min else whole + limits.max + 1)


def check_fills(shape: tuple[int, ...], given: tuple[int, ...]) -> None:
    """Raise if values of the shape `given` do not broadcast to `shape`.

    Raises:
        RuntimeError: they do not.
    """
    check_output(shape, common_shape(shape, given))


def warn_if_expanded(array: Any, name: str, example: str) -> None:
    """Warn that several values are written to one place, in undefined order."""
    if array.size and has_repeats(array):
        text = f"Use of {name} on expanded tensors is deprecated. Please clone() the tensor before"
        text += " performing this operation. This also applies to advanced indexing e.g."
        warnings.warn(f"{text} {example}", stacklevel=4)


def check_writable(tensor: Any, *others: Any) -> None:
    """Raise if PyTorch forbids writing to `tensor` what comes from `others`.

    In-place operations call this first, before they check shapes and indices.
    """
    check_in_place(tensor, (tensor, *others))


# --- Public functions


@schema("clone(Tensor input, *, memory_format? memory_format=None)")
def clone(input: Any, *, memory_format: Any = None) -> TensorBase:
    """Copy a tensor into memory of its own; gradients flow through the copy."""
    if memory_format is not None:
        value = copy_in_format(input._array, checked(memory_format))
        return record(CloneBackward0, (input,), (), value)
    edges = (input._edge or gradient_edge(input),) if modes.grad else ()
    return attach(CloneBackward0, edges, (input,), CloneBackward0.forward(input._array))


def checked(form: Any) -> memory_format:
    """Return a memory format; raise for another object."""
    if not isinstance(form, memory_format):
        raise TypeError
    return cast(memory_format, form)


@schema("contiguous(*, memory_format memory_format=contiguous_format)", place="Tensor")
def contiguous(input: Any, *, memory_format: Any = MISSING) -> TensorBase:
    """Return this tensor with its elements in row-major order in memory: itself, or a copy.

    `memory_format` is another order, such as `channels_last`.
    """
    array = input._array
    if memory_format is not MISSING and memory_format is not contiguous_format:
        form = checked(memory_format)
        if form is preserve_format and not array.flags.c_contiguous:
            raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
        axes_of(form, array.ndim)
        if is_in(array, form):
            return cast(TensorBase, input)
        return record(CloneBackward0, (input,), (), copy_in_format(array, form))
    if array.flags.c_contiguous:
        return cast(TensorBase, input)
    return record(CloneBackward0, (input,), (), array.copy(order="C"))


@schema("is_contiguous(*, memory_format memory_format=contiguous_format)", place="Tensor")
def is_contiguous(input: Any, *, memory_format: Any = MISSING) -> bool:
    """Return whether the elements are in row-major order in memory, or in another format."""
    if memory_format is not MISSING:
        return is_in(input._array, checked(memory_format))
    return bool(input._array.flags.c_contiguous)


# --- In place


@schema(
    "copy_(Scalar|Tensor other, bool non_blocking=False)",
    "deprecated copy_(Scalar|Tensor other, bool! async=False)",
    place="Tensor",
)
def copy_(self: Any, other: Any, non_blocking: Any = False) -> TensorBase:
    """Overwrite every element with that of `other`, broadcast and converted."""
    if non_blocking is not True and non_blocking is not False:
        raise TypeError
    if not isinstance(other, TensorBase):
        other = as_tensor(real_number(other))
    kind = type(self._array)
    if type(other._array) is not kind or kind is not np.ndarray:
        other = convert_to(other, None, device_of(self._array))
    if self._array.dtype.kind != "f":
        other = (
            other.detach()
        )  # a copy into an integer tensor leaves no history: any may be written
    check_writable(self, other)
    shape, values = self._array.shape, other._array
    if values.shape != shape:
        check_overlap(self, ())
        check_fills(shape, values.shape)
    op = CopyOfItself if same_place(self._array, values) else CopyBackwards
    return overwrite(op, self, (self, other), (), values)


def real_number(value: Any) -> Any:
    """Return a Python number; the real part of a complex one."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, complex):
        value = value.real
    if not isinstance(value, (bool, int, float)):
        raise TypeError
    return value


@schema("fill_(Tensor value)", "fill_(Scalar value)", place="Tensor")
def fill_(self: Any, value: Any) -> TensorBase:
    """Overwrite every element with `value`, a number or a 0-d tensor."""
    if not isinstance(value, TensorBase):
        if type(value) not in NUMBERS and not isinstance(value, complex):
            value = real_number(value)
        number = as_scalar(value, self._array.dtype)
        return overwrite(FillBackward2, self, (self,), (value,), number)
    check_writable(self, value)
    if rank := value._array.ndim:
        found = f"but got tensor with {rank} dimensions."
        raise RuntimeError(f"fill_ only supports 0-dimension value tensor {found}")
    number = value._array[()]  # CuPy takes no array of NumPy
    return overwrite(FillBackward3, self, (self, value), (), number)


@schema("zero_()", place="Tensor")
def zero_(self: Any) -> TensorBase:
    """Overwrite every element with 0."""
    return overwrite(ZeroBackward0, self, (self,), (), self._array.dtype.type(0))


# --- Conversion of dtype and device


def convert_to(input: TensorBase, dtype: Any, place: Any = None, copy: bool = False) -> TensorBase:
    """Return `input` with another dtype and on another device, if they are given.

    Return `input` itself if nothing changes, unless `copy` is true.
    """
    array = input._array
    wanted = array.dtype if dtype is None else to_numpy_dtype(dtype)
    here = target = device_of(array)
    if place is not None:
        target = device(place)
    if wanted == array.dtype and not copy and is_on(array, target):
        return input
    return apply(ToCopyBackward0, input, wanted, target, here)


@schema(
    "to(device device=None, dtype dtype=None, bool non_blocking=False, bool copy=False, "
    "*, memory_format? memory_format=None)",
    "to(dtype dtype, bool non_blocking=False, bool copy=False, "
    "*, memory_format? memory_format=None)",
    "to(Scalar|Tensor tensor, bool non_blocking=False, bool copy=False, "
    "*, memory_format? memory_format=None)",
    place="Tensor",
)
def to(self: Any, *args: Any, **kwargs: Any) -> TensorBase:
    """Return this tensor with another dtype or on another device; itself if nothing changes.

    Args:
        args: a dtype, a device, both (the device first), or a tensor to imitate. Then
            `non_blocking` and `copy`, which may be named.

    Raises:
        RuntimeError: there is no such device.
        TypeError: an argument is none of these.
    """
    if len(args) == 1 and not kwargs and type(args[0]) is Dtype:
        return convert_to(self, args[0])
    form = kwargs.pop("memory_format", None)
    if form is None or form is preserve_format:
        return convert_to(self, *destination(*args, **kwargs))
    axes_of(checked(form), self._array.ndim)
    wanted = destination(*args, **kwargs) if args or kwargs else (None, None, False)
    return convert_in_format(convert_to(self, *wanted), form, self)


def convert_in_format(converted: Any, form: Any, source: Any) -> TensorBase:
    """Return a converted tensor in a memory format, with one node for both."""
    array = converted._array
    if is_in(array, form):
        return converted  # type: ignore[no-any-return]
    value = copy_in_format(array, form)
    place = device_of(array)
    return record(ToCopyBackward0, (source,), (array.dtype, place, device_of(source._array)), value)


def destination(*args: Any, **kwargs: Any) -> tuple[Any, Any, bool]:
    """Return dtype, device and `copy` from the arguments of `to`.

    Raises:
        TypeError: they name no dtype and no device.
    """
    names = ["device", "dtype", "non_blocking", "copy"]
    first = args[0] if args else kwargs.get("tensor")
    wanted: dict[str, Any] = {}
    if isinstance(first, (Dtype, type)):
        del names[0]
    elif isinstance(first, (TensorBase, bool, float)):
        names[:2] = ["tensor"]
    wanted.update(zip(names, args, strict=False))
    if len(args) > len(names) or any(name in wanted for name in kwargs):
        raise TypeError(f"to() takes at most {len(names)} arguments")
    wanted.update(kwargs)
    for name, value in wanted.items():
        if name not in names:
            raise TypeError(f"to() got an unexpected keyword argument {name!r}")
        if name in ("non_blocking", "copy") and not isinstance(value, bool):
            raise TypeError(f"to(): argument {name!r} must be bool, not {type(value).__name__}")
    like = wanted.get("tensor")
    dtype, place = wanted.get("dtype"), wanted.get("device")
    if isinstance(like, TensorBase):
        return (
            from_numpy_dtype[like._array.dtype],
            device_of(like._array),
            wanted.get("copy", False),
        )
    if like is not None:
        return type(like), "cpu", wanted.get("copy", False)
    return dtype, place, wanted.get("copy", False)


def named_type(name: str) -> Dtype:
    """Return the dtype with PyTorch's old name, such as torch.FloatTensor.

    Raises:
        ValueError: no dtype has this name.
    """
    for found in from_numpy_dtype.values():
        if name == f"torch.{found.tensor_class}":
            return found
    raise ValueError(f"invalid type: '{name}'")


def to_type(name: str, dtype: Dtype) -> Public:
    """Make the method `name`, which converts to `dtype`."""

    def method(self: Any, *, memory_format: Any = None) -> TensorBase:
        return cast(TensorBase, to.body(self, dtype, memory_format=memory_format))

    method.__doc__ = f"Convert this tensor to {dtype.name}."
    return schema(f"{name}(*, memory_format? memory_format=None)", place="Tensor")(method)


@schema("type_as(Tensor other)", place="Tensor")
def type_as(self: Any, other: Any) -> TensorBase:
    """Return this tensor in the dtype of `other`."""
    return convert_to(self, other._array.dtype)


@schema("cpu(*, memory_format? memory_format=None)", place="Tensor")
def cpu(self: Any, *, memory_format: Any = None) -> TensorBase:
    """Return this tensor in the host's memory."""
    return cast(TensorBase, to.body(self, "cpu", memory_format=memory_format))


@schema(
    "cuda(device? device=None, bool! non_blocking=False, *, memory_format? memory_format=None)",
    place="Tensor",
)
def cuda(self: Any, device: Any = None) -> TensorBase:
    """Return this tensor in a GPU's memory."""
    return convert_to(self, None, "cuda" if device is None else device)


@schema(
    "result_type(Tensor tensor, Tensor other)",
    "result_type(Scalar scalar, Tensor tensor)",
    "result_type(Tensor tensor, Scalar other)",
    "result_type(Scalar scalar1, Scalar scalar2)",
)
def result_type(*args: Any, **kwargs: Any) -> Dtype:
    """Return the dtype of an operation on two operands, tensors or numbers.

    >>> import minigrad as mg
    >>> mg.result_type(mg.tensor([1, 2]), 1.0)
    torch.float32
    """
    if not kwargs.keys() <= {"tensor", "other", "scalar", "scalar1", "scalar2"}:
        raise TypeError
    one, other = [*args, *kwargs.values()]
    return from_numpy_dtype[result_dtype(unwrap(one), unwrap(other))]


class CopyingMethods(TensorBase):
    """The methods of this file."""

    clone, contiguous, is_contiguous = clone.method, contiguous.method, is_contiguous.method
    copy_, fill_, zero_ = copy_.method, fill_.method, zero_.method
    zeros_ = zero_
    to, type_as, cpu, cuda = to.method, type_as.method, cpu.method, cuda.method
    float = to_type("float", dtypes.float32).method
    double = to_type("double", dtypes.float64).method
    half, bool = to_type("half", dtypes.float16).method, to_type("bool", dtypes.bool_).method
    byte, char = to_type("byte", dtypes.uint8).method, to_type("char", dtypes.int8).method
    short, int = to_type("short", dtypes.int16).method, to_type("int", dtypes.int32).method
    long = to_type("long", dtypes.int64).method
