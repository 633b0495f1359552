"""Tensors around given memory, and with given strides."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np

from ..arrays.determinism import uninitialized
from ..arrays.devices import device, device_of
from ..arrays.dtypes import from_numpy_dtype, get_default_dtype, to_numpy_dtype
from ..arrays.gpus import is_on
from ..arrays.mapped_files import map_file
from ..arrays.memory_formats import is_in, memory_format
from ..arrays.memory_order import (
    dimensions_by_step,
    read_strided,
    undo_permutation,
)
from ..arrays.messages import type_word
from ..core.node import TensorBase, new_tensor
from ..ops.public.dims import integers
from ..ops.public.functions import schema
from ..ops.shapes.copies import as_scalar, convert_to
from .creation import (
    as_array,
    as_number,
    as_whole,
    check_legacy_device,
    from_dlpack,
    kind,
    legacy,
    new_leaf,
    shape_of,
    type_like,
)
from .storage import row_major_steps


@schema(
    "frombuffer(object buffer, *, dtype dtype, int count=-1, int offset=0, "
    "bool requires_grad=False)"
)
def frombuffer(
    buffer: Any, *, dtype: Any, count: Any = -1, offset: Any = 0, requires_grad: bool = False
) -> TensorBase:
    """Make a tensor that shares the memory of a bytearray or another object with a buffer.

    Args:
        buffer: any object with Python's buffer protocol.
        count: the number of elements, by default all.
        offset: the number of bytes to skip.

    >>> import minigrad as mg
    >>> mg.frombuffer(bytearray([1, 0, 2, 0]), dtype=mg.int16)
    tensor([1, 2], dtype=torch.int16)
    """
    try:
        memory = np.frombuffer(buffer, np.uint8) if len(memoryview(buffer)) else np.empty(0, "B")
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    wanted, number, skipped = to_numpy_dtype(dtype), as_whole(count), as_whole(offset)
    size, length = wanted.itemsize, memory.size
    if not length or not number:
        raise ValueError(f"both buffer length ({length}) and count ({number}) must not be 0")
    if not 0 <= skipped < length:
        raise ValueError(
            f"offset ({skipped} bytes) must be non-negative and no greater than buffer length "
            f"({length} bytes) minus 1"
        )
    left = f"({length - skipped} bytes) after offset ({skipped} bytes) must be a multiple of"
    if number < 0:
        if (length - skipped) % size:
            raise ValueError(f"buffer length {left} element size ({size})")
        number = (length - skipped) // size
    if skipped + number * size > length:
        raise ValueError(
            f"requested buffer length ({number} * {size} bytes) after offset ({skipped} bytes) "
            f"must not be greater than actual buffer length ({length} bytes)"
        )
    if not memory.flags.writeable:
        warnings.warn(
            "The given buffer is not writable, and PyTorch does not support non-writable tensors. "
            "You may want to copy the buffer to protect its data or make it writable before "
            "converting it to a tensor.",
            stacklevel=3,
        )
    part = memory[skipped : skipped + number * size].view(wanted)
    return new_leaf(part, device="cpu", requires_grad=requires_grad)


@schema(
    "asarray(object obj, *, dtype? dtype=None, device? device=None, bool? copy=None, "
    "bool? requires_grad=None)"
)
def asarray(
    obj: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool | None = None,
) -> TensorBase:
    """Return `obj` as a tensor, with its memory if possible.

    Args:
        obj: a tensor, an array, an object with `__dlpack__` or a buffer, or nested lists.
        copy: True always copies; False raises where the memory cannot be shared.
        requires_grad: True lets the result require grad; False detaches it.

    >>> import minigrad as mg
    >>> x = mg.ones(2)
    >>> mg.asarray(x) is x, mg.asarray([1, 2])
    (True, tensor([1, 2]))
    """
    if not all(each is None or isinstance(each, bool) for each in (copy, requires_grad)):
        raise TypeError
    if copy is False and isinstance(obj, np.generic):
        cure = "Either remove copy=False or transform it in a ndarray. "
        raise RuntimeError(f"can't alias NumPy scalars. {cure}")
    found = shared_tensor(obj, dtype)
    if found is None:
        if copy is False:
            raise ValueError("can't alias arbitrary sequence into a tensor.")
        return new_leaf(as_array(obj, dtype), device=device, requires_grad=requires_grad)
    array: Any = found._array
    wanted = array.dtype if dtype is None else to_numpy_dtype(dtype)
    same_device = device is None or is_on(array, Device(device))
    if copy is False and not same_device:
        places = f"from device '{device_of(array)}' to '{device}'"
        raise ValueError(f"can't alias tensor {places}.")
    if copy is False and array.dtype != wanted:
        one, other = (from_numpy_dtype[t].tensor_class[:-6] for t in (array.dtype, wanted))
        raise ValueError(f"can't alias tensor with dtype '{one}' into dtype '{other}'.")
    result: Any = convert_to(found, wanted, device, bool(copy))
    if requires_grad is False and result.requires_grad:
        return result.detach()  # type: ignore[no-any-return]
    if requires_grad and not result.requires_grad:
        result.requires_grad_()
    return result  # type: ignore[no-any-return]


Device = device


def shared_tensor(obj: Any, dtype: Any) -> Any:
    """Return a tensor that shares the memory of `obj`; None for numbers and sequences."""
    if isinstance(obj, TensorBase):
        return obj
    if isinstance(obj, (np.ndarray, np.generic)):
        return new_tensor(as_array(np.asarray(obj), None))
    if hasattr(obj, "__dlpack__") or type(obj).__name__ == "PyCapsule":
        return from_dlpack(obj)
    if isinstance(obj, (list, tuple, str)):
        return None
    try:
        memoryview(obj)
    except TypeError:
        return None
    return frombuffer(obj, dtype=get_default_dtype() if dtype is None else dtype)


@schema("scalar_tensor(Scalar s, *, **options)")
def scalar_tensor(s: Any, **options: Any) -> TensorBase:
    """Make a 0-d tensor of a number, by default of the default dtype."""
    wanted = kind(options.get("dtype"))
    return new_leaf(np.asarray(as_scalar(as_number(s), wanted)), **options)


# --- Given strides


def strided_array(size: Any, stride: Any, wanted: np.dtype[Any]) -> Any:
    """Return an array of this shape and with these strides, with arbitrary values.

    Raises:
        RuntimeError: sizes and strides differ in number, or one is negative.
    """
    if not isinstance(size, (tuple, list)) or not isinstance(stride, (tuple, list)):
        raise TypeError
    shape, steps = shape_of("empty_strided", (), size), integers(stride)
    if len(shape) != len(steps):
        counts = f"dimensionality of sizes ({len(shape)}) must match dimensionality of strides"
        raise RuntimeError(f"{counts} ({len(steps)})")
    last = sum(step * (n - 1) for step, n in zip(steps, shape, strict=True))
    if min(steps, default=0) < 0 or (0 not in shape and last * wanted.itemsize >= 2**63):
        given = f"sizes={list(shape)} and strides={list(steps)}"
        raise RuntimeError(f"Storage size calculation overflowed with {given}")
    memory = uninitialized(np.empty(0 if 0 in shape else last + 1, wanted))
    return read_strided(memory, shape, tuple([step * wanted.itemsize for step in steps]))


@schema("empty_strided(int[] size, int[] stride, *, **options)")
def empty_strided(size: Any, stride: Any, **options: Any) -> TensorBase:
    """Make a tensor of the given shape and strides, with arbitrary values.

    >>> import minigrad as mg
    >>> mg.empty_strided((2, 3), (1, 2)).stride()
    (1, 2)
    """
    return new_leaf(strided_array(size, stride, kind(options.get("dtype"))), **options)


@schema("empty_permuted(int[] size, int[] physical_layout, *, **options)")
def empty_permuted(size: Any, physical_layout: Any, **options: Any) -> TensorBase:
    """Make a tensor with arbitrary values, whose dimensions lie in memory in the given order.

    >>> import minigrad as mg
    >>> mg.empty_permuted((2, 3), (1, 0)).stride()
    (1, 2)
    """
    shape, order = integers(size), integers(physical_layout)
    if len(shape) != len(order):
        raise RuntimeError(
            "Number of dimensions in size does not match the length of the physical_layout; i.e. "
            f"len(size) = {len(shape)} is not equal to len(physical_layout) = {len(order)}"
        )
    for place, axis in enumerate(order):
        if not 0 <= axis < len(shape):
            raise RuntimeError(
                f"Dimension out of range (expected to be between 0 and {len(shape) - 1}, but got "
                f"{axis} at index {place}).  NB: negative dims not currently supported; file an "
                "issue if you want it."
            )
    if len(set(order)) < len(order):
        raise RuntimeError("Duplicate dim not allowed")
    made = strided_array(
        [shape[axis] for axis in order],
        row_major_steps(tuple([shape[axis] for axis in order])),
        kind(options.get("dtype")),
    )
    return new_leaf(undo_permutation(made, list(order)), **options)


AMBIGUOUS = "The tensor does not have unique dim order"


@schema(
    "def Tensor.dim_order(Tensor self, *, object ambiguity_check=False)",
    "self.size()",
    place="Tensor",
)
def dim_order(self: Any, *, ambiguity_check: Any = False) -> tuple[int, ...]:
    """Return the dimensions in their order in memory, the outermost first.

    Args:
        ambiguity_check: True raises where several orders are possible. A list of memory formats
            raises if then not exactly one of them fits.

    Raises:
        RuntimeError: several orders are possible.

    >>> import minigrad as mg
    >>> mg.ones(2, 3).t().dim_order()
    (1, 0)
    """
    forms = ambiguity_check if isinstance(ambiguity_check, list) else []
    listed = forms or isinstance(ambiguity_check, (bool, list))
    if not listed or not all(isinstance(form, memory_format) for form in forms):
        wanted = "must be a bool or a list of memory formats."
        raise TypeError(f"The ambiguity_check argument {wanted}")
    array, steps = self.shared_array(), self.stride()
    several = 1 in array.shape or any(a == b for a, b in itertools.pairwise(steps))
    if ambiguity_check is not False and several and sum(is_in(array, f) for f in forms) != 1:
        raise RuntimeError(f"{AMBIGUOUS}, or cannot map to exact one of the given memory formats.")
    if ambiguity_check is True and 0 in steps:
        raise RuntimeError(f"{AMBIGUOUS}.")
    return tuple(dimensions_by_step(array.shape, [array]))


@schema("new_empty(int[] size, *, **options)", place="Tensor")
def new_empty(self: Any, *sizes: Any, **options: Any) -> TensorBase:
    """Make a tensor of the given shape, in this tensor's dtype, with arbitrary values."""
    named = {"size": options.pop("size")} if "size" in options else {}
    shape, wanted = shape_of("new_empty", sizes, **named), type_like(self, options)
    array = uninitialized(np.empty_like(self._array, wanted, shape=shape, order="C"))
    return new_leaf(array, array, **options)


@schema("from_file(str filename, bool? shared=None, int size=0, *, **options)")
def from_file(
    filename: Any, shared: Any = None, size: Any = 0, *, dtype: Any = None, **options: Any
) -> TensorBase:
    """Make a tensor whose memory is a file of numbers.

    Args:
        shared: let writes change the file, which is made or extended if needed. Otherwise they
            change the tensor alone.
        size: the number of elements.
    """
    if not isinstance(filename, str):
        raise TypeError
    array = map_file(filename, bool(shared), as_whole(size), kind(dtype))
    return new_leaf(array, **options)


@schema("new_empty_strided(int[] size, int[] stride, *, **options)", place="Tensor")
def new_empty_strided(self: Any, size: Any, stride: Any, **options: Any) -> TensorBase:
    """Make a tensor of the given shape and strides, in this tensor's dtype."""
    made = strided_array(size, stride, type_like(self, options))
    return new_leaf(made, self._array, **options)


class BufferMethods(TensorBase):
    """The methods of this file."""

    dim_order = dim_order.method
    new_empty, new_empty_strided = new_empty.method, new_empty_strided.method

    def new(self: Any, *data: Any, size: Any = None, device: Any = None) -> Any:
        """Make a tensor of this tensor's dtype in PyTorch's old way, from values or from sizes.

        Prefer `new_tensor` and `new_empty`.
        """
        check_legacy_device(device, self.device.type, data, "new")
        data = data if size is None else tuple(size)
        given: Any = data[0] if len(data) == 1 else None
        if isinstance(given, TensorBase):
            if given._array.dtype != self._array.dtype:
                own, found = (type_word(each._array.dtype) for each in (self, given))
                raise TypeError(f"expected a tensor of {own} (got {found})")
            return data[0][...]
        made = new_tensor(legacy(self.dtype, *data))
        return convert_to(made, None, self.device)
