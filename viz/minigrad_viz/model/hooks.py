"""The hooks on a tensor and on a node, by kind and name: "tensor: clip", as a recording names them.

minigrad lists its hooks. PyTorch keeps those of a tensor in attributes, and shows those of a node
only through a handle, so a hook without effect is registered and removed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from minigrad import Tensor
from minigrad.autograd.events import Node, hooks_on

from .own_engines import OwnNode, OwnTensor

Kinds = Iterator[tuple[str, str]]
"""Kind and name of each hook; the name may be empty."""


def on_tensor(tensor: Any) -> tuple[str, ...]:
    """Return the hooks that will get the tensor's gradient, `retain_grad` included."""
    return tuple(map(_label, _of_tensor(tensor)))


def on_node(node: Any) -> tuple[str, ...]:
    """Return the hooks that will run before and after the node."""
    return tuple(map(_label, _of_node(node)))


def names_on(tensor: Any) -> list[str]:
    """Return the names of the hooks that may replace the tensor's gradient, "?" for none."""
    return [name or "?" for kind, name in _of_tensor(tensor) if kind == "tensor"]


def _label(hook: tuple[str, str]) -> str:
    kind, name = hook
    return f"{kind}: {name}" if name else kind


def _of_tensor(tensor: Any) -> Kinds:
    if isinstance(tensor, Tensor):
        yield from hooks_on(tensor)
        return
    kept = [("retain_grad", "")] if tensor.retains_grad else []
    if isinstance(tensor, OwnTensor):
        yield from kept
        return
    from .._pytorch import post_accumulate_hooks, tensor_hooks

    yield from _named("tensor", tensor_hooks(tensor))
    yield from kept
    yield from _named("post_accumulate", post_accumulate_hooks(tensor))


def _of_node(node: Any) -> Kinds:
    if isinstance(node, Node):
        yield from hooks_on(node)
    if isinstance(node, Node | OwnNode):
        return
    yield from _on_handle("node_pre", node.register_prehook)
    yield from _on_handle("node_post", node.register_hook)


def _named(kind: str, hooks: Mapping[int, object]) -> Kinds:
    for hook in hooks.values():
        yield kind, getattr(hook, "__name__", "")


def _on_handle(kind: str, register: Callable[[Any], Any]) -> Kinds:
    handle = register(lambda *_: None)
    hooks = handle.hooks_dict_ref()
    handle.remove()
    return _named(kind, hooks)
