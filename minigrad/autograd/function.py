"""Custom operations: PyTorch's `torch.autograd.function`."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ..arrays.places import set_places
from ..core.edges import edge_to
from ..core.function import Function as Recorded
from ..core.function import FunctionCtx as Ctx
from ..core.modes import modes, no_grad
from ..core.node import Node, TensorBase, gradient_edge, new_node, new_tensor
from ..core.views import requires_grad

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "InplaceFunction",
    "once_differentiable",
]


class FunctionCtx(Ctx):
    """The node of a user's operation, and the first argument of its `forward` and `backward`."""

    _for_jvp: tuple[Any, ...] | None = None
    """The tensors that `jvp` reads while it runs; None at any other time."""

    def save_for_forward(self, *tensors: Any) -> None:
        """Save inputs or outputs of `forward` (or None) for `jvp`, which runs right after it."""
        for tensor in tensors:
            assert tensor is None or isinstance(tensor, TensorBase), (
                "save_for_forward expects all arguments to be tensors; you should save non-tensors "
                "as attributes on ctx."
            )
        if modes.level is not None:
            self._for_jvp = tensors

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """The tensors that `forward` saved.

        Raises:
            RuntimeError: they were freed, or modified in place since.
        """
        return super().saved_tensors if self._for_jvp is None else self._for_jvp

    @property
    def saved_variables(self) -> tuple[Any, ...]:
        """The old name of `saved_tensors`."""
        deprecated = "'saved_variables' is deprecated; use 'saved_tensors'"
        warnings.warn(deprecated, DeprecationWarning, stacklevel=2)
        return self.saved_tensors


BackwardCFunction = FunctionCtx
"""PyTorch's class of the nodes of users' operations, of which ctx is an instance here."""


class Function(Recorded):
    """Base class of a user's operation. Call it with `apply`.

    >>> import minigrad as mg
    >>> class Cube(mg.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x**3
    ...     @staticmethod
    ...     def backward(ctx, grad_output):
    ...         (x,) = ctx.saved_tensors
    ...         return 3 * x**2 * grad_output
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> y = Cube.apply(x)
    >>> y
    tensor(8., grad_fn=<CubeBackward>)
    >>> y.backward()
    >>> x.grad
    tensor(12.)
    """

    _base = FunctionCtx
    generate_vmap_rule = False
    """Without effect: `vmap` calls the function once for each slice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all "
            "static, so you should invoke them on the class itself. Instantiating an autograd "
            "function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use "
            f"new-style autograd function with static forward method. ({type(self).__name__})"
        )

    @staticmethod
    def jvp(*args: Any, **kwargs: Any) -> Any:
        """Return the tangents of the outputs, given ctx and the tangents of forward's arguments."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with "
            "forward mode AD."
        )

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """Return the outputs of a batch, and their dimensions. minigrad does not call it."""
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod or "
            "set generate_vmap_rule=True."
        )


class InplaceFunction(Function):
    """A Function with an attribute `inplace`. Deprecated in PyTorch, without use."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


def once_differentiable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a `backward` whose computation autograd cannot follow.

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


class Error(Node):
    """The node of a result that may be used but not differentiated."""

    takes_undefined = True

    def name(self) -> str:
        return "torch::autograd::Error"

    def backward(self, *gradients: Any) -> Any:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )


def marked_once(gradients: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the gradients as outputs of one such node; its inputs are new leaves."""
    edges = tuple(
        [None if g is None else gradient_edge(g.detach().requires_grad_()) for g in gradients]
    )
    arrays = [NOTHING if g is None else g._array for g in gradients]
    node = new_node(Error, edges, tuple(arrays))
    return tuple(
        [
            None if g is None else new_tensor(g._array, edge_to(node, place))
            for place, g in enumerate(gradients)
        ]
    )


NOTHING = np.empty(0)


set_places(globals(), __all__)
