"""Writing operations: PyTorch's `torch.autograd.function`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..arrays.places import found_here
from ..core.function import Function, FunctionCtx
from ..core.modes import modes, no_grad
from ..core.node import NO_EDGE, Node, TensorBase, gradient_edge, new_node, new_tensor
from ..core.views import requires_grad

__all__ = ["Function", "FunctionCtx", "InplaceFunction", "once_differentiable"]


class InplaceFunction(Function):
    """A relic: a Function whose instances, which nobody needs, know whether they write in place."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


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
        marked = marked_once(returned if isinstance(returned, tuple) else (returned,))
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


def marked_once(gradients: tuple[Any, ...]) -> tuple[Any, ...]:
    """The gradients as outputs of one such node; what they would go to are leaves of its own."""
    edges = tuple(
        [NO_EDGE if g is None else gradient_edge(g.detach().requires_grad_()) for g in gradients]
    )
    arrays = [NOTHING if g is None else g._array for g in gradients]
    node = new_node(DelayedError, edges, tuple([(array.shape, array.dtype) for array in arrays]))
    return tuple(
        [
            None if g is None else new_tensor(g._array, (node, place))
            for place, g in enumerate(gradients)
        ]
    )


NOTHING = np.empty(0)


found_here(globals(), __all__)
