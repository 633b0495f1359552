"""How the engine calls hooks: what they see, what they may return, in which order.

A tensor hook sees the gradient of one output of a node, once it is complete; then that gradient is
kept for whoever called retain_grad; then the node's pre-hooks see all of its gradients together. A
node's other hooks see what it hands on. They all see Tensors, whatever the walk carries, and what
one returns takes the place of what it was given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .dtypes import tensor_type_name
from .graph import Node, TensorBase, new_tensor, raw

if TYPE_CHECKING:
    from .engine import Gradient, Walk


def call_tensor_hooks(walk: Walk, node: Node, gradients: list[Gradient]) -> list[Gradient]:
    """Tensor hooks, then retain_grad, for each output of the node."""
    hooks = node._hooks
    found = []
    for index, g in enumerate(gradients):
        if g is not None:
            for hook in hooks.tensor[index].now() if index in hooks.tensor else ():
                g = call_tensor_hook(walk, node, hook, g)
            retaining = hooks.retained.get(index)
            if retaining is not None and (tensor := retaining()) is not None:
                retain(walk, node, tensor, g)
        found.append(g)
    return found


def call_tensor_hook(walk: Walk, node: Node, hook: Any, g: Gradient) -> Gradient:
    """`g`, or what the hook returns in its place."""
    given = shown(walk, g)
    result = call(walk, node, "tensor", hook, given)
    if result is None:
        return g
    if not isinstance(result, TensorBase):
        raise TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")
    name = getattr(hook, "__name__", hook)
    if result._array.shape != given._array.shape:
        raise RuntimeError(f"hook '{name}' has changed the size of value")
    if result._array.dtype != given._array.dtype:
        was, got = (tensor_type_name(t._array.dtype) for t in (given, result))
        raise RuntimeError(f"hook '{name}' has changed the type of value (was {was} got {got})")
    return hidden(walk, result)


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
    for hook in node._hooks.pre.now():
        given = tuple([shown(walk, g) for g in gradients])
        result = call(walk, node, "node_pre", hook, given)
        if result is not None:
            gradients = [hidden(walk, g) for g in as_tuple(result)]
            if len(gradients) != len(given):
                raise RuntimeError(
                    f"node pre-hook returned {len(gradients)} gradients, expected {len(given)}"
                )
    return gradients


def call_post_hooks(
    walk: Walk, node: Node, outgoing: tuple[Gradient, ...], gradients: Sequence[Gradient]
) -> tuple[Gradient, ...]:
    """The node's hooks, which see what it hands on and what it was given."""
    arrived = tuple([shown(walk, g) for g in gradients])
    for hook in node._hooks.post.now():
        given = tuple([shown(walk, g) for g in outgoing])
        result = call(walk, node, "node_post", hook, given, arrived)
        if result is not None:
            outgoing = tuple([hidden(walk, g) for g in as_tuple(result)])
    return outgoing


def call(walk: Walk, node: Node, kind: str, hook: Any, *args: Any) -> Any:
    return hook(*args) if walk.trace is None else walk.trace.hooked(node, kind, hook, *args)


def as_tuple(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)


def shown(walk: Walk, g: Gradient) -> Any:
    """A gradient as user code sees it: always a Tensor."""
    return g if g is None or walk.create_graph else new_tensor(g)


def hidden(walk: Walk, g: Any) -> Gradient:
    """A user's Tensor as the walk carries it."""
    return g if walk.create_graph else raw(g)
