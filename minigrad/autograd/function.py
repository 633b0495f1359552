"""Writing operations: PyTorch's `torch.autograd.function`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..arrays.places import found_here
from ..core.function import Function, FunctionCtx
from ..core.modes import modes, no_grad
from ..core.node import Node, TensorBase, new_node, new_tensor
from ..core.views import requires_grad

__all__ = ["Function", "FunctionCtx", "once_differentiable"]


def once_differentiable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a `backward` that computes outside of what autograd can follow.

    Its result can be used, but differentiating through it a second time is an error.
    """

    @functools.wraps(function)
    def wrapper(ctx: Any, *gradients: Any) -> Any:
        with no_grad():
            returned = function(ctx, *gradients)
        if not modes.grad or not any(
            isinstance(g, TensorBase) and requires_grad(g) for g in gradients
        ):
            return returned
        listed = returned if isinstance(returned, tuple) else (returned,)
        marked = tuple(None if g is None else mark_once(g) for g in listed)
        return marked if isinstance(returned, tuple) else marked[0]

    return wrapper


class DelayedError(Node):
    """The node of a result that may be used but not differentiated."""

    takes_undefined = True

    def name(self) -> str:
        return "torch::autograd::Error"

    def backward(self, *gradients: Any) -> Any:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )


def mark_once(tensor: Any) -> Any:
    array = tensor._array
    return new_tensor(array, (new_node(DelayedError, (), ((array.shape, array.dtype),)), 0))


found_here(globals(), __all__)
