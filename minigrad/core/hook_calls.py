"""How the engine calls hooks: what they see, what they may return, in which order.

A tensor hook sees the gradient of one output of a node, once it is complete; then that gradient is
kept for whoever called retain_grad; then the node's pre-hooks see all of its gradients together. A
node's other hooks see what it hands on. They all see Tensors, whatever the walk carries, and what
one returns takes the place of what it was given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..arrays.dtypes import tensor_type_name
from .node import Node, TensorBase, new_tensor, raw

if TYPE_CHECKING:
    from .engine import Gradient, Walk


def call_tensor_hooks(walk: Walk, node: Node, gradients: list[Gradient]) -> list[Gradient]:
    """Tensor hooks, then retain_grad, for each output of the node."""
    hooks = node._hooks
    found = []
    for index, g in enumerate(gradients):
        for hook in hooks.tensor[index].now() if index in hooks.tensor else ():
            g = hidden(walk, call(walk, node, "tensor", hook, shown(walk, g)))
        retaining = hooks.retained.get(index)
        if g is not None and retaining is not None and (tensor := retaining()) is not None:
            retain(walk, node, tensor, g)
        found.append(g)
    return found


def retain(walk: Walk, node: Node, tensor: TensorBase, g: Gradient) -> None:
    """Keep the gradient of an intermediate result."""
    old = tensor._grad
    if walk.create_graph:
        tensor._grad = g.clone() if old is None else old + g
    else:
        tensor._grad = new_tensor(g.copy() if old is None else old._array + g)
    if walk.trace is not None:
        walk.trace.retained(node, g)


def call_pre_hooks(walk: Walk, node: Node, gradients: list[Gradient]) -> list[Gradient]:
    """The node's own pre-hooks, which see all its gradients at once."""
    hooks = node._hooks.pre.now()
    if not hooks:
        return gradients
    given = tuple([shown(walk, g) for g in gradients])
    for hook in hooks:
        given = call(walk, node, "node_pre", hook, given)
    return [hidden(walk, g) for g in given]


def call_post_hooks(
    walk: Walk, node: Node, outgoing: tuple[Gradient, ...], gradients: Sequence[Gradient]
) -> tuple[Gradient, ...]:
    """The node's hooks, which see what it hands on and what it was given."""
    hooks = node._hooks.post.now()
    if not hooks:
        return outgoing
    arrived = tuple([shown(walk, g) for g in gradients])
    given = tuple([shown(walk, g) for g in outgoing])
    for hook in hooks:
        given = call(walk, node, "node_post", hook, given, arrived)
    return tuple([hidden(walk, g) for g in given])


def call(walk: Walk, node: Node, kind: str, hook: Any, given: Any, *more: Any) -> Any:
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
    if not isinstance(new, TensorBase):
        raise TypeError(f"expected Variable, but hook returned '{type(new).__name__}'")
    if new._array.shape != old._array.shape:
        raise RuntimeError(f"hook '{name}' has changed the size of value")
    if new._array.dtype != old._array.dtype:
        was, got = (tensor_type_name(t._array.dtype) for t in (old, new))
        raise RuntimeError(f"hook '{name}' has changed the type of value (was {was} got {got})")


def shown(walk: Walk, g: Gradient) -> Any:
    """A gradient as user code sees it: always a Tensor."""
    return g if g is None or walk.create_graph else new_tensor(g)


def hidden(walk: Walk, g: Any) -> Gradient:
    """A user's Tensor as the walk carries it."""
    return g if walk.create_graph else raw(g)
