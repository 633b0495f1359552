"""Hooks: functions that someone wants to have called, and how the engine calls them.

Whoever is hooked into (a tensor, a node, a module, an optimizer) keeps Hooks, whoever has hooked in
a RemovableHandle. Neither keeps the other alive.

In a backward pass a tensor hook sees the gradient of one output of a node, once it is complete;
then that gradient is kept for whoever called retain_grad; then the node's pre-hooks see all of its
gradients together. A node's other hooks see what it hands on. They all see Tensors, whatever the
walk carries, and what one returns takes the place of what it was given.
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
    """Hooks in the order in which they are called. (A plain dict cannot be referred to weakly.)"""

    def add(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        """Call `hook` after the others, or before them."""
        handle = RemovableHandle(self, hook)
        if prepend:
            self.move_to_end(handle.id, last=False)
        return handle

    def now(self) -> list[Any]:
        """Those that are there now: a hook may take itself out when it is called."""
        return list(self.values())


class RemovableHandle:
    """Takes a hook out again. Works as a context manager too."""

    _next_id = count().__next__

    def __init__(self, hooks: Hooks, hook: Any) -> None:
        self.id = RemovableHandle._next_id()
        self._hooks = weakref.ref(hooks)
        hooks[self.id] = hook

    def remove(self) -> None:
        hooks = self._hooks()
        if hooks is not None:
            hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


class NodeHooks:
    """Whom the engine calls when it comes to a node."""

    __slots__ = ("post", "pre", "retained", "tensor")

    def __init__(self) -> None:
        self.tensor: dict[int, Hooks] = {}  # of each output: they see its gradient alone
        self.retained: dict[int, weakref.ref[Any]] = {}  # the outputs that called retain_grad
        self.pre = Hooks()
        self.post = Hooks()


NO_HOOKS = NodeHooks()


# --- How the engine calls them


class Hooked(Protocol):
    """What is asked of a node."""

    _hooks: NodeHooks


class Caller(Protocol):
    """What is asked of the walk that calls."""

    with_tensors: bool
    trace: Any

    def shown(self, g: Gradient) -> Any:
        """A gradient as user code sees it: always a Tensor."""

    def hidden(self, g: Any) -> Gradient:
        """A user's Tensor as the walk carries it."""


def call_tensor_hooks(walk: Caller, node: Hooked, gradients: list[Gradient]) -> list[Gradient]:
    """Tensor hooks in the order in which the outputs got their first one, then retain_grad."""
    found = list(gradients)
    for index, hooks in list(node._hooks.tensor.items()):
        for hook in hooks.now():
            g = call(walk, node, "tensor", hook, walk.shown(found[index]))
            found[index] = walk.hidden(g)
    for index, retaining in node._hooks.retained.items():
        if found[index] is not None and (tensor := retaining()) is not None:
            retain(walk, node, tensor, found[index])
    return found


def retain(walk: Caller, node: Hooked, tensor: Any, g: Gradient) -> None:
    """Keep the gradient of an intermediate result."""
    if walk.trace is not None:
        walk.trace.retained(node, tensor, g)
    old = tensor._grad
    if walk.with_tensors:
        tensor._grad = g.clone() if old is None else old + g
    else:
        tensor._grad = walk.shown(g.copy() if old is None else old._array + g)


def call_pre_hooks(walk: Caller, node: Hooked, gradients: list[Gradient]) -> list[Gradient]:
    """The node's own pre-hooks, which see all its gradients at once."""
    hooks = node._hooks.pre.now()
    if not hooks:
        return gradients
    given = tuple([walk.shown(g) for g in gradients])
    for hook in hooks:
        given = call(walk, node, "node_pre", hook, given)
    return [walk.hidden(g) for g in given]


def call_post_hooks(
    walk: Caller, node: Hooked, outgoing: tuple[Gradient, ...], gradients: Sequence[Gradient]
) -> tuple[Gradient, ...]:
    """The node's hooks, which see what it hands on and what it was given."""
    hooks = node._hooks.post.now()
    if not hooks:
        return outgoing
    arrived = tuple([walk.shown(g) for g in gradients])
    given = tuple([walk.shown(g) for g in outgoing])
    for hook in hooks:
        given = call(walk, node, "node_post", hook, given, arrived)
    return tuple([walk.hidden(g) for g in given])


def call(walk: Caller, node: Hooked, kind: str, hook: Any, given: Any, *more: Any) -> Any:
    """What `hook` makes of `given`, a gradient or a tuple of them.

    Raises:
        TypeError, RuntimeError: what it returned cannot take the place of that.
    """
    if walk.trace is None:
        result = hook(given, *more)
    else:
        result = walk.trace.hooked(node, kind, hook, given, *more)
    if result is None:
        return given
    name = getattr(hook, "__name__", hook)
    if not isinstance(given, tuple):
        check(name, given, result)
        return result
    if not isinstance(result, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(result).__name__}'")
    if len(result) != len(given):
        raise RuntimeError(
            f"hook '{name}' has returned an incorrect number of values (got {len(result)}, but "
            f"expected {len(given)})"
        )
    for old, new in zip(given, result, strict=True):
        check(name, old, new)
    return result


def check(name: Any, old: Any, new: Any) -> None:
    """Refuse a gradient `new` that cannot take the place of `old`."""
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
