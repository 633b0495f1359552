"""Hooks on the gradients of a whole module.

What enters and what leaves a module passes through an operation that changes nothing, so that there
are two nodes in the graph with the module between them. Hooks on these nodes see the gradients of
all its outputs and of all its inputs at once.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..core.function import Function
from ..tensors.tensor import Tensor

Gradients = tuple[Any, ...]


class BackwardHookFunction(Function):
    """Its inputs, unchanged."""

    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any:
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        return gradients


@dataclass
class ModuleGradients:
    """One call of a module that has backward hooks."""

    module: Any
    hooks: list[Callable[..., Any]]
    pre_hooks: list[Callable[..., Any]]
    outgoing: Gradients | None = None
    input_places: list[int] | None = None
    count: int = 0

    def watch_inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments of the module, as it is to see them."""
        self.count = len(args)
        args, self.input_places, node = passed_through(args)
        if node is not None:
            node.register_hook(self.inputs_done)
        return args

    def watch_outputs(self, result: Any) -> Any:
        """What the module returned, as its caller is to see it."""
        several = isinstance(result, tuple)
        args, places, node = passed_through(result if several else (result,))
        if node is not None:
            total = len(args)
            node.register_prehook(lambda gradients: self.outputs_known(gradients, places, total))
        return args if several else args[0]

    def outputs_known(self, gradients: Gradients, places: list[int] | None, total: int) -> Any:
        """The gradients of the module's outputs have arrived."""
        self.outgoing = spread(gradients, places, total)
        for hook in self.pre_hooks:
            result = hook(self.module, self.outgoing)
            if result is not None:
                self.outgoing = checked(result, total, "module backward pre hook")
        if self.input_places is None:
            # No input requires grad: there is nothing further to wait for.
            if self.hooks:
                warnings.warn(
                    "Full backward hook is firing when gradients are computed with respect to "
                    "module outputs since no inputs require gradients.",
                    stacklevel=2,
                )
            nothing = (None,) * self.count
            for hook in self.hooks:
                if hook(self.module, nothing, self.outgoing) is not None:
                    raise RuntimeError(
                        "Backward hook for Modules where no input requires gradient should always "
                        "return None or None for all gradients."
                    )
        given = tuple(self.outgoing[place] for place in places or ())
        return None if all(a is b for a, b in zip(given, gradients, strict=True)) else given

    def inputs_done(self, gradients: Gradients, _: Gradients) -> Any:
        """The gradients of the module's inputs are complete."""
        if self.outgoing is None:
            raise RuntimeError(
                f"Module backward hook for {type(self.module).__name__}: the gradients of its "
                "inputs arrived before those of its outputs. An input was used elsewhere, too."
            )
        everything = spread(gradients, self.input_places, self.count)
        for hook in self.hooks:
            result = hook(self.module, everything, self.outgoing)
            if result is not None:
                everything = checked(result, self.count, "Backward hook")
        self.outgoing = None
        return tuple(everything[place] for place in self.input_places or ())


def passed_through(args: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[int] | None, Any]:
    """`args` with the tensors sent through a node of their own, their places, and the node; no node
    if no tensor requires grad."""
    places = [place for place, arg in enumerate(args) if isinstance(arg, Tensor)]
    if not any(args[place].requires_grad for place in places):
        return args, None, None
    passed = BackwardHookFunction.apply(*[args[place] for place in places])
    passed = passed if isinstance(passed, tuple) else (passed,)
    node = next((tensor.grad_fn for tensor in passed if tensor.grad_fn is not None), None)
    if node is None:  # gradients are not recorded
        return args, None, None
    new = list(args)
    for place, tensor in zip(places, passed, strict=True):
        new[place] = tensor
    return tuple(new), places, node


def spread(gradients: Gradients, places: list[int] | None, count: int) -> Gradients:
    """Gradients of tensors at their places, None for what is no tensor."""
    found: list[Any] = [None] * count
    for place, gradient in zip(places or (), gradients, strict=True):
        found[place] = gradient
    return tuple(found)


def checked(result: Any, count: int, what: str) -> Gradients:
    gradients = tuple(result)  # of one tensor, too: each row then counts, as in PyTorch
    if len(gradients) != count:
        numbers = f"got {len(gradients)}, but expected {count}"
        raise RuntimeError(f"{what} returned an invalid number of grads: {numbers}")
    return gradients
