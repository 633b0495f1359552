"""The tensors that a node saves for the backward pass, as pieces of memory with their bytes.

Two tensors may share memory: a view and its base, or the same tensor saved by two nodes. A piece of
memory is known by its owner, and counted once. Nothing here keeps memory alive or calls a hook of
the program: a packed tensor is read as it was packed.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from minigrad.autograd.events import Node, kept_by, memory_of

from ..model.autograd_nodes import dtype_name, node_name
from ..model.either_library import is_pytorch
from ..model.names import is_tensor
from ..model.rules import saved_order
from ..model.values import bare, shape_of


class Memory(NamedTuple):
    """A piece of memory. No other piece has its `key` while `alive()` is true."""

    key: tuple[str, int]
    bytes: int
    alive: Callable[[], bool]


class SavedTensor(NamedTuple):
    """A tensor that a node saves, with its name in the formula.

    The memory of a view is all of its base's. `packed`: a hook holds the tensor for the node.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    memory: Memory
    packed: bool = False


def saved_by(node: Any) -> Iterator[SavedTensor]:
    """Yield the tensors that `node`, of minigrad or PyTorch, has saved at this moment."""
    for name, value, hook in _slots(node):
        for tensor in tensors_in(value):
            yield saved_tensor(name, tensor, packed=hook is not None)


Unseen = Literal["packed", "written", "checkpoint"]


def unseen_of(node: Any) -> Unseen | None:
    """Return why some of what `node` saves cannot be seen, or None.

    packed      a hook has packed it into an object without tensors
    checkpoint  a checkpoint computes it again
    written     PyTorch's node of a write through a view hides the operation that wrote
    """
    if node_name(node) == "CopySlices" and not isinstance(node, Node):
        return "written"
    if any(True for _ in checkpoint_inputs(node)):
        return "checkpoint"
    packed = (value for _, value, hook in _slots(node) if hook is not None)
    return "packed" if any(next(tensors_in(value), None) is None for value in packed) else None


def saved_tensor(name: str, value: Any, *, packed: bool = False) -> SavedTensor:
    """Return a tensor, or an array of minigrad's, as a node saves it."""
    shape = shape_of(value) if is_tensor(value) else tuple(value.shape)
    return SavedTensor(name, shape, dtype_name(value.dtype), memory_behind(value), packed)


def checkpoint_inputs(node: Any) -> Iterator[tuple[Any, list[SavedTensor]]]:
    """Yield the objects that compute a checkpointed segment again, and the inputs that each holds.

    No node of the graph holds these inputs.
    """
    for hook in {id(hook): hook for _, _, hook in _slots(node)}.values():
        owner = getattr(hook, "__self__", None)  # of minigrad
        if owner is not None and isinstance(inputs := getattr(owner, "inputs", None), Node):
            yield owner, list(saved_by(inputs))
        elif (frame := _enclosed(hook, "frame")) is not None:
            slots = [slot for slot in getattr(frame, "saved_args", ()) if hasattr(slot, "unpack")]
            tensors = [tensor for slot in slots for tensor in tensors_in(slot.data)]
            yield frame, [saved_tensor(f"input {at}", each) for at, each in enumerate(tensors)]


def _enclosed(function: Any, name: str) -> Any:
    """Return a function's variable of an enclosing function; None if it has none of that name."""
    names = getattr(getattr(function, "__code__", None), "co_freevars", ())
    return function.__closure__[names.index(name)].cell_contents if name in names else None


def computed_again(hook: Any) -> list[Any] | None:
    """Return the tensors that a checkpoint of minigrad's has computed again and not handed out yet.

    None for any other hook.
    """
    found = getattr(getattr(hook, "__self__", None), "found", None)
    return None if found is None else [each for each in found if each is not None]


def _slots(node: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the name, the saved value and its unpack hook or None."""
    if isinstance(node, Node):
        yield from kept_by(node)
        return
    for attribute in _raw_attributes(node):
        try:
            raw = getattr(node, attribute)
        except RuntimeError:  # freed
            continue
        several = isinstance(raw, tuple | list)
        name = attribute.removeprefix("_raw_saved_")
        name = "saved_tensors" if name == "tensors" else name
        for place, slot in enumerate(raw if several else (raw,)):
            try:
                value = slot.data
            except RuntimeError:
                continue
            if value is not None:
                yield (f"{name}[{place}]" if several else name), value, slot.unpack_hook


def _raw_attributes(node: Any) -> tuple[str, ...]:
    """Return the attributes with a node's saved tensors, in the order of its formula."""
    kind = type(node)
    if kind not in _RAW_BY_KIND:
        order = saved_order(node)
        shown = [a for a in dir(kind) if a.startswith("_raw_saved_")]
        shown.sort(key=lambda a: order.get(a.removeprefix("_raw_saved_"), len(order)))
        _RAW_BY_KIND[kind] = tuple(shown)
    return _RAW_BY_KIND[kind]


_RAW_BY_KIND: weakref.WeakKeyDictionary[type, tuple[str, ...]] = weakref.WeakKeyDictionary()


def tensors_in(value: Any, depth: int = 3) -> Iterator[Any]:
    """Yield the tensors and arrays in a packed value."""
    if is_tensor(value) or hasattr(type(value), "nbytes"):  # an array, of whatever device
        yield value
    elif depth and isinstance(value, tuple | list):
        for each in value:
            yield from tensors_in(each, depth - 1)
    elif depth and isinstance(value, Mapping):
        for each in value.values():
            yield from tensors_in(each, depth - 1)


def memory_behind(value: Any) -> Memory:
    """Return the memory of a tensor, or of an array of minigrad's."""
    if is_pytorch(value):
        return _of_pytorch(value)
    owner = memory_of(value)
    try:
        held = weakref.ref(owner)
    except TypeError:  # NumPy's scalars
        return Memory(("minigrad", id(owner)), int(owner.nbytes), lambda: True)
    return Memory(("minigrad", id(owner)), int(owner.nbytes), lambda: held() is not None)


def _of_pytorch(tensor: Any) -> Memory:
    from .._pytorch import storage_id

    try:
        storage = bare(tensor).untyped_storage()
        held = sys.modules["torch"].multiprocessing.reductions.StorageWeakRef(storage)
        return Memory(("torch", storage_id(storage)), storage.nbytes(), lambda: not held.expired())
    except (AttributeError, RuntimeError, NotImplementedError):  # sparse, or without storage
        size = int(tensor.numel()) * int(tensor.element_size())
        return Memory(("torch", id(tensor)), size, lambda: True)
