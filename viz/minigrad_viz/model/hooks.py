"""The hooks on a tensor and on a node, by kind and name: "tensor: clip", as a recording names them.

minigrad tells which there are. PyTorch keeps those of a tensor in attributes, and shows the list on
a node only to whoever hooks in, so a hook that does nothing goes in and out again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from minigrad import Tensor
from minigrad.autograd.events import hooks_on
from minigrad.autograd.graph import Node

from .own_engines import OwnNode

Kinds = Iterator[tuple[str, str]]
"""Kind and name of one hook after the other; the name may be empty."""


def on_tensor(tensor: Any) -> tuple[str, ...]:
    """What will be called with the tensor's gradient, and whether the gradient will be kept."""
    return tuple(map(_said, _of_tensor(tensor)))


def on_node(node: Any) -> tuple[str, ...]:
    """What will be called before and after the node runs."""
    return tuple(map(_said, _of_node(node)))


def names_on(tensor: Any) -> list[str]:
    """The names of the hooks that may replace the tensor's gradient, "?" for one without."""
    return [name or "?" for kind, name in _of_tensor(tensor) if kind == "tensor"]


def _said(hook: tuple[str, str]) -> str:
    kind, name = hook
    return f"{kind}: {name}" if name else kind


def _of_tensor(tensor: Any) -> Kinds:
    if isinstance(tensor, Tensor):
        yield from hooks_on(tensor)
        return
    yield from _named("tensor", tensor._backward_hooks)
    if tensor.retains_grad:
        yield "retain_grad", ""
    yield from _named("post_accumulate", tensor._post_accumulate_grad_hooks)


def _of_node(node: Any) -> Kinds:
    if isinstance(node, Node):
        yield from hooks_on(node)
    if isinstance(node, Node | OwnNode):
        return
    yield from _beside("node_pre", node.register_prehook)
    yield from _beside("node_post", node.register_hook)


def _named(kind: str, hooks: Mapping[int, object] | None) -> Kinds:
    for hook in (hooks or {}).values():
        yield kind, getattr(hook, "__name__", "")


def _beside(kind: str, register: Callable[[Any], Any]) -> Kinds:
    handle = register(lambda *_: None)
    hooks = handle.hooks_dict_ref()
    handle.remove()
    return _named(kind, hooks)
