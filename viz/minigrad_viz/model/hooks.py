"""The hooks on a tensor and on a node, by kind and name: "tensor: clip", as a recording names them.

Either library keeps them in its own way. minigrad's are in the lists that its engine goes through.
PyTorch shows the list on a node only to whoever hooks in, so a hook that does nothing goes in and
out again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from minigrad import recording as tr
from minigrad.graph import Node
from minigrad.tensor import Tensor


def on_tensor(tensor: Any) -> tuple[str, ...]:
    """What will be called with the tensor's gradient, and whether the gradient will be kept."""
    if isinstance(tensor, Tensor):
        made_by = tensor.grad_fn
        own = tensor._hooks
        if made_by is not None:
            own = made_by._hooks.tensor.get(tensor.output_nr)
        after = tensor._post_hooks
    else:
        own, after = tensor._backward_hooks, tensor._post_accumulate_grad_hooks
    kept = ("retain_grad",) if tensor.retains_grad else ()
    return (*_named("tensor", own), *kept, *_named("post_accumulate", after))


def on_node(node: Any) -> tuple[str, ...]:
    """What will be called before and after the node runs."""
    if isinstance(node, Node):
        before, after = node._hooks.pre, node._hooks.post
        return (*_named("node_pre", before), *_named("node_post", after))
    return (*_beside("node_pre", node.register_prehook), *_beside("node_post", node.register_hook))


def _named(kind: str, hooks: Any) -> Iterator[str]:
    return _names(kind, (hooks or {}).values())


def _names(kind: str, hooks: Iterable[Any]) -> Iterator[str]:
    for hook in hooks:
        name = tr.name_of_hook(hook)
        yield f"{kind}: {name}" if name else kind


def _beside(kind: str, register: Any) -> Iterator[str]:
    handle = register(lambda *_: None)
    hooks = handle.hooks_dict_ref()
    handle.remove()
    return _named(kind, hooks)
