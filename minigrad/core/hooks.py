"""Hooks: functions that a user registers, and how the engine calls them.

The hooked object (a tensor, a node, a module, an optimizer) owns `Hooks`; the caller gets a
`RemovableHandle`. Neither keeps the other alive.

In a backward pass a tensor hook gets the gradient of one output of a node, once it is complete.
Then retain_grad stores that gradient, and the node's pre-hooks get all its gradients together. The
node's post-hooks get the gradients that it passes on. All hooks get Tensors, and what a hook
returns replaces its argument.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Sequence
from itertools import count
from typing import Any, Protocol

from ..arrays.dtypes import tensor_type_name

Gradient = Any
"""An array in an ordinary backward pass, a Tensor under create_graph; None for "no gradient"."""


class Hooks(OrderedDict[int, Any]):
    """Hooks in the order in which they are called. (A plain dict cannot be referenced weakly.)"""

    def add(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        """Register `hook` after the others, or before them."""
        handle = RemovableHandle(self, hook)
        if prepend:
            self.move_to_end(handle.id, last=False)
        return handle

    def __repr__(self) -> str:
        return repr(OrderedDict(self))

    def now(self) -> list[Any]:
        """Return the current hooks as a list: a hook may remove itself while it runs."""
        return list(self.values())


class RemovableHandle:
    """Removes a hook. Also works as a context manager."""

    _next_id = count().__next__

    def __init__(self, hooks: Hooks, hook: Any) -> None:
        self.id = RemovableHandle._next_id()
        self.hooks_dict_ref = weakref.ref(hooks)
        hooks[self.id] = hook

    def remove(self) -> None:
        hooks = self.hooks_dict_ref()
        if hooks is not None:
            hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


class NodeHooks:
    """The hooks of a node."""

    __slots__ = ("post", "pre", "retained", "tensor")

    def __init__(self) -> None:
        self.tensor: dict[int, Hooks] = {}  # by output: each gets that gradient alone
        self.retained: dict[int, weakref.ref[Any]] = {}  # the outputs that called retain_grad
        self.pre = Hooks()
        self.post = Hooks()


NO_HOOKS = NodeHooks()


# --- The engine's calls of hooks


class Caller(Protocol):
    """The part of the calling walk that this module uses."""

    with_tensors: bool
    trace: Any

    def to_user(self, g: Gradient) -> Any:
        """Return a gradient as user code receives it: always a Tensor."""

    def from_user(self, g: Any) -> Gradient:
        """Return a user's Tensor in the walk's own form."""


def call_tensor_hooks(walk: Caller, node: Any, gradients: list[Gradient]) -> list[Gradient]:
    """Call tensor hooks, by the order of the outputs' first hooks, then retain_grad."""
    found = list(gradients)
    for index, hooks in list(node._hooks.tensor.items()):
        for hook in hooks.now():
            g = call(walk, node, "tensor", hook, walk.to_user(found[index]))
            found[index] = walk.from_user(g)
    for index, retaining in node._hooks.retained.items():
        if found[index] is not None and (tensor := retaining()) is not None:
            retain(walk, node, tensor, found[index])
    return found


def retain(walk: Caller, node: Any, tensor: Any, g: Gradient) -> None:
    """Store the gradient of an intermediate result."""
    if walk.trace is not None:
        walk.trace.retained(node, tensor, g)
    old = tensor._grad
    if walk.with_tensors:
        tensor._grad = g.clone() if old is None else old + g
    else:
        tensor._grad = walk.to_user(g.copy() if old is None else old._array + g)


def call_pre_hooks(walk: Caller, node: Any, gradients: list[Gradient]) -> list[Gradient]:
    """Call the node's pre-hooks, each with all its gradients."""
    hooks = node._hooks.pre.now()
    if not hooks:
        return gradients
    given = tuple([walk.to_user(g) for g in gradients])
    for hook in hooks:
        given = call(walk, node, "node_pre", hook, given)
    return [walk.from_user(g) for g in given]


def call_post_hooks(
    walk: Caller, node: Any, outgoing: tuple[Gradient, ...], gradients: Sequence[Gradient]
) -> tuple[Gradient, ...]:
    """Call the node's post-hooks with the gradients that it passes on and received."""
    hooks = node._hooks.post.now()
    if not hooks:
        return outgoing
    arrived = tuple([walk.to_user(g) for g in gradients])
    given = tuple([walk.to_user(g) for g in outgoing])
    for hook in hooks:
        given = call(walk, node, "node_post", hook, given, arrived)
    return tuple([walk.from_user(g) for g in given])


def call(walk: Caller, node: Any, kind: str, hook: Any, given: Any, *more: Any) -> Any:
    """Return what `hook` makes of `given`, a gradient or a tuple of gradients.

    Raises:
        TypeError, RuntimeError: its result cannot replace `given`.
    """
    if walk.trace is None:
        result = hook(given, *more)
    else:
        result = walk.trace.hooked(node, kind, hook, given, *more)
    if result is None:
        return given
    name = getattr(hook, "__name__", hook)
    if not isinstance(given, tuple):
        check_gradient(name, given, result)
        return result
    if not isinstance(result, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(result).__name__}'")
    if len(result) != len(given):
        raise RuntimeError(
            f"hook '{name}' has returned an incorrect number of values (got {len(result)}, but "
            f"expected {len(given)})"
        )
    for old, new in zip(given, result, strict=True):
        check_gradient(name, old, new)
    return result


def check_gradient(name: Any, old: Any, new: Any) -> None:
    """Raise if the gradient `new` cannot replace `old`."""
    if new is None:
        return
    if old is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if not hasattr(new, "_array"):
        raise TypeError(f"expected Variable, but hook returned '{type(new).__name__}'")
    if new._array.shape != old._array.shape:
        raise RuntimeError(f"hook '{name}' has changed the size of value")
    if new._array.dtype != old._array.dtype:
        was, got = (tensor_type_name(t._array.dtype) for t in (old, new))
        raise RuntimeError(f"hook '{name}' has changed the type of value (was {was} got {got})")
