"""What a node keeps for the backward pass, as memory: which piece of it, and how many bytes.

Two tensors may be one memory: a view and its base, or what two nodes have saved. So a piece of
memory is known by whose it is, and is counted once. Who looks keeps nothing of it alive, and calls
no hook of the program: what a hook has packed is seen as it was packed.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from minigrad.autograd.events import kept_by, memory_of
from minigrad.autograd.graph import Node

from .autograd_nodes import dtype_name, node_name
from .names import is_tensor
from .pytorch_passes import is_pytorch
from .rules import saved_order
from .values import bare, shape_of


class Memory(NamedTuple):
    """A piece of memory. `key` is its own while it lives, which `alive` tells."""

    key: tuple[str, int]
    bytes: int
    alive: Callable[[], bool]


class Kept(NamedTuple):
    """A tensor that a node keeps: what the formula calls it, and the memory. It is all of the base
    if the tensor is a view: that lives as long. `packed`: a hook keeps it in the node's place.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    memory: Memory
    packed: bool = False


def kept(node: Any) -> Iterator[Kept]:
    """What `node`, of minigrad or PyTorch, keeps at this moment."""
    for name, value, hook in _slots(node):
        for tensor in tensors_in(value):
            yield kept_as(name, tensor, packed=hook is not None)


Unseen = Literal["packed", "written", "checkpoint"]


def unseen_of(node: Any) -> Unseen | None:
    """Why not all that `node` keeps can be seen, or not how long: a hook has packed something into
    what holds no tensor; a checkpoint computes it again; or it is PyTorch's node of an operation
    that wrote through a view, which shows nothing of that operation.
    """
    if node_name(node) == "CopySlices" and not isinstance(node, Node):
        return "written"
    if any(True for _ in kept_aside(node)):
        return "checkpoint"
    packed = (value for _, value, hook in _slots(node) if hook is not None)
    return "packed" if any(next(tensors_in(value), None) is None for value in packed) else None


def kept_as(name: str, value: Any, *, packed: bool = False) -> Kept:
    """A tensor, or an array of minigrad's, as a node keeps it."""
    shape = shape_of(value) if is_tensor(value) else tuple(value.shape)
    return Kept(name, shape, dtype_name(value.dtype), memory(value), packed)


def kept_aside(node: Any) -> Iterator[tuple[Any, list[Kept]]]:
    """What a checkpointed stretch was given is kept by no node of the graph, but by whoever
    computes the stretch again: that object, and what it keeps.
    """
    for hook in {id(hook): hook for _, _, hook in _slots(node)}.values():
        owner = getattr(hook, "__self__", None)  # of minigrad
        if owner is not None and isinstance(inputs := getattr(owner, "inputs", None), Node):
            yield owner, list(kept(inputs))
        elif (frame := _enclosed(hook, "frame")) is not None:
            slots = [slot for slot in getattr(frame, "saved_args", ()) if hasattr(slot, "unpack")]
            tensors = [tensor for slot in slots for tensor in tensors_in(slot.data)]
            yield frame, [kept_as(f"input {at}", each) for at, each in enumerate(tensors)]


def _enclosed(function: Any, name: str) -> Any:
    """What a variable is that a function has from the one around it; None if it has none."""
    names = getattr(getattr(function, "__code__", None), "co_freevars", ())
    return function.__closure__[names.index(name)].cell_contents if name in names else None


def computed_again(hook: Any) -> list[Any] | None:
    """What a checkpoint of minigrad's has computed again and not handed out yet; None for any other
    hook.
    """
    found = getattr(getattr(hook, "__self__", None), "found", None)
    return None if found is None else [each for each in found if each is not None]


def _slots(node: Any) -> Iterator[tuple[str, Any, Any]]:
    """Name, what is kept, and the hook that it waits for."""
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
    """The attributes under which a node shows how it keeps things, in the order of its formula."""
    kind = type(node)
    if kind not in _RAW_BY_KIND:
        order = saved_order(node)
        shown = [a for a in dir(kind) if a.startswith("_raw_saved_")]
        shown.sort(key=lambda a: order.get(a.removeprefix("_raw_saved_"), len(order)))
        _RAW_BY_KIND[kind] = tuple(shown)
    return _RAW_BY_KIND[kind]


_RAW_BY_KIND: weakref.WeakKeyDictionary[type, tuple[str, ...]] = weakref.WeakKeyDictionary()


def tensors_in(value: Any, depth: int = 3) -> Iterator[Any]:
    """The tensors that what a hook has packed consists of, or the one that it is."""
    if is_tensor(value) or hasattr(type(value), "nbytes"):  # an array, of whatever device
        yield value
    elif depth and isinstance(value, tuple | list):
        for each in value:
            yield from tensors_in(each, depth - 1)
    elif depth and isinstance(value, Mapping):
        for each in value.values():
            yield from tensors_in(each, depth - 1)


def memory(value: Any) -> Memory:
    """The memory of a tensor, or of an array of minigrad's."""
    if is_pytorch(value):
        return _of_pytorch(value)
    owner = memory_of(value)
    try:
        held = weakref.ref(owner)
    except TypeError:  # NumPy's scalars
        return Memory(("minigrad", id(owner)), int(owner.nbytes), lambda: True)
    return Memory(("minigrad", id(owner)), int(owner.nbytes), lambda: held() is not None)


def _of_pytorch(tensor: Any) -> Memory:
    try:
        storage = bare(tensor).untyped_storage()
        held = sys.modules["torch"].multiprocessing.reductions.StorageWeakRef(storage)
        return Memory(("torch", storage._cdata), storage.nbytes(), lambda: not held.expired())
    except (AttributeError, RuntimeError, NotImplementedError):  # sparse, or without storage
        size = int(tensor.numel()) * int(tensor.element_size())
        return Memory(("torch", id(tensor)), size, lambda: True)
