"""The memory of tensors: their storages, and tensors that change their memory.

`untyped_storage()` and `storage()` are arrays/storages.py's.
"""

from __future__ import annotations

import math
import warnings
from typing import Any, NoReturn
from weakref import WeakValueDictionary

import numpy as np

from ..arrays.determinism import uninitialized
from ..arrays.devices import address
from ..arrays.memory_formats import axes_of, memory_format, preserve_format, suggested
from ..arrays.memory_order import memory_of, owner_of
from ..arrays.messages import c_name
from ..arrays.storages import (
    OLD_CLASSES,
    Storage,
    TypedStorage,
    UntypedStorage,
    as_elements,
    storage_name,
)
from ..core.inplace import check_in_place
from ..core.modes import modes
from ..core.node import TensorBase, gradient_edge, new_node, new_tensor
from ..core.views import requires_grad
from ..ops.pointwise.arithmetic import NotImplementedBackward
from ..ops.public.argument_tests import is_int
from ..ops.public.dims import integers
from ..ops.public.functions import MISSING, schema
from ..ops.shapes.shapes import as_strided
from .creation import shape_of

DEPRECATED = (
    "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the "
    "only storage class. This should only matter to you if you are using storages directly.  To "
    "access UntypedStorage directly, use tensor.untyped_storage() instead of tensor.storage()"
)


# --- The storage of a tensor


@schema("untyped_storage()", place="Tensor")
def untyped_storage(self: Any) -> UntypedStorage:
    """Return the memory in which the tensor's elements lie, as bytes.

    It is one object as long as the tensor or anyone else refers to it, so it keeps attributes.
    """
    memory = memory_of(self.shared_array())
    found = known_storages.get(id(owner_of(memory)))
    if found is None or found._elements.nbytes != memory.nbytes:
        found = UntypedStorage()._like(memory.view(np.uint8))
        known_storages[id(owner_of(memory))] = found
    self._storage = found
    return found


known_storages: WeakValueDictionary[int, UntypedStorage] = WeakValueDictionary()
"""Storages by the array that owns their memory."""


@schema("def storage()", place="Tensor")
def storage(self: Any) -> TypedStorage:
    """Return the memory in which the tensor's elements lie, as numbers of its dtype.

    Deprecated in PyTorch: prefer `untyped_storage()`.
    """
    warnings.warn(DEPRECATED, UserWarning, stacklevel=3)
    return TypedStorage()._like(memory_of(self.shared_array()).view(self._array.dtype))


@schema("def storage_type()", place="Tensor")
def storage_type(self: Any) -> type[TypedStorage]:
    """Return the old class of storages of the tensor's dtype, such as FloatStorage."""
    found: type[TypedStorage] = OLD_CLASSES[storage_name(self.dtype)]
    return found


def row_major_steps(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of a tensor of this shape whose rows lie one after the other."""
    sizes = [max(n, 1) for n in shape]
    return tuple([math.prod(sizes[place + 1 :]) for place in range(len(shape))])


# --- Another memory, or more of it, for a tensor


@schema(
    "set_()",
    "set_(Storage source)",
    "set_(Storage source, int storage_offset, int[] size, int[] stride=None)",
    "set_(Tensor source)",
    "set_(Tensor source, int storage_offset, int[] size, int[] stride=None)",
    place="Tensor",
)
def set_(
    self: Any,
    source: Any = None,
    storage_offset: Any = MISSING,
    size: Any = MISSING,
    stride: Any = None,
) -> TensorBase:
    """Let this tensor read the memory of `source`, a tensor or a storage.

    Args:
        storage_offset: the place of the first element.
        size: the shape, by default all of a storage, or the shape of a tensor.
        stride: the strides, by default those of the rows one after the other.
    """
    check_in_place(self, (self,))
    kind = self._array.dtype
    if source is None:
        return relocate(self, np.empty(0, kind))
    if isinstance(source, TensorBase):
        if source._array.dtype != kind:
            given, own = c_name(source._array.dtype), c_name(kind)
            raise RuntimeError(f"Could not set tensor of type {given} to a tensor of type {own}")
        array = source.shared_array()
        memory = memory_of(array)
    elif isinstance(source, Storage):
        array = memory = as_elements(source, kind)
    else:
        raise TypeError
    if storage_offset is size is MISSING:
        if stride is not None:
            raise TypeError
        return relocate(self, array)
    shape = integers(size)
    steps = row_major_steps(shape) if stride is None else stride
    return relocate(self, as_strided(new_tensor(memory), shape, steps, storage_offset)._array)


class SetBackward(NotImplementedBackward):
    """Another memory: there is no gradient."""

    def backward(ctx, g: Any) -> NoReturn:
        raise RuntimeError("derivative for set_ is not implemented")


def relocate(tensor: Any, array: Any) -> TensorBase:
    """Let `tensor` be `array` from now on, with a history without a gradient."""
    if check_in_place(tensor, (tensor,)):
        tensor._edge = new_node(SetBackward, (gradient_edge(tensor),), array)
    tensor._array, tensor._storage = array, None
    tensor._accumulator = tensor._view = None
    tensor.version_counter().value += 1
    return tensor  # type: ignore[no-any-return]


@schema("resize_(int[] size, *, memory_format? memory_format=None)", place="Tensor")
def resize_(
    self: Any, *size: Any, memory_format: memory_format | None = None, **named: Any
) -> TensorBase:
    """Give this tensor another shape, also one with more or fewer elements.

    The first elements in memory stay; further ones are arbitrary. A larger memory is a new one,
    which other tensors do not share. Elements lie in the order of `memory_format`.
    """
    if memory_format is preserve_format:
        raise RuntimeError("Unsupported memory formatPreserve")
    if modes.grad and (self._requires_grad or requires_grad(self)):
        raise RuntimeError("cannot resize variables that require grad")
    given = size[0] if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    if any(is_int(n) and n < 0 for n in given):
        raise RuntimeError("numel: integer multiplication overflow")
    shape = shape_of("resize_", size, **named)
    array = self.shared_array()
    steps = steps_in(shape, memory_format)
    if array.shape == shape and memory_format is None:
        return self  # type: ignore[no-any-return]
    count = math.prod(shape)
    memory = memory_of(array)
    start = (address(array) - address(memory)) // array.itemsize if array.size else 0
    if start + count > memory.size:
        larger = uninitialized(np.empty(start + count, array.dtype))
        larger[: memory.size] = memory
        memory = larger
    self._array = as_strided(new_tensor(memory), shape, steps, start)._array
    self._storage = None
    self.version_counter().value += 1
    return self  # type: ignore[no-any-return]


def steps_in(shape: tuple[int, ...], form: memory_format | None) -> tuple[int, ...]:
    """Return the strides, in elements, of a new tensor in a format.

    Raises:
        RuntimeError: one is too large.
    """
    axes = None if form is None else axes_of(form, len(shape))
    order = range(len(shape)) if axes is None else axes
    sorted_steps = row_major_steps(tuple([shape[axis] for axis in order]))
    if any(step >= 2**63 for step in sorted_steps):
        raise RuntimeError("Stride calculation overflowed")
    return tuple([step for _, step in sorted(zip(order, sorted_steps, strict=True))])


@schema("resize_as_(Tensor the_template, *, memory_format? memory_format=None)", place="Tensor")
def resize_as_(
    self: Any, the_template: Any, *, memory_format: memory_format | None = None
) -> TensorBase:
    """`resize_` to the shape of another tensor, and to its order with `preserve_format`."""
    array = the_template._array
    form = suggested(array) if memory_format is preserve_format else memory_format
    return resize_(self, array.shape, memory_format=form)  # type: ignore[no-any-return]


class StorageMethods(TensorBase):
    """The methods of this file."""

    _storage: Any = None
    """The storage that `untyped_storage` returned last."""

    untyped_storage, storage = untyped_storage.method, storage.method
    storage_type, set_ = storage_type.method, set_.method
    resize_, resize_as_ = resize_.method, resize_as_.method
