"""Hooks on the gradients of a whole module.

The module's inputs and outputs pass through an operation that changes nothing. So the graph has a
node on each side of the module. Hooks on these nodes get the gradients of all its outputs and of
all its inputs at once.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..autograd.function import Function
from ..tensors.tensor import Tensor

Gradients = tuple[Any, ...]


class BackwardHookFunction(Function):
    """The inputs, unchanged."""

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
        """Return the arguments that the module gets."""
        self.count = len(args)
        args, self.input_places, node = passed_through(args)
        if node is not None:
            node.register_hook(self.inputs_done)
        return args

    def watch_outputs(self, result: Any) -> Any:
        """Return the result that the module's caller gets."""
        if not isinstance(result, (Tensor, tuple)):
            warnings.warn(
                "For backward hooks to be called, module output should be a Tensor or a tuple of "
                f"Tensors but received {type(result)}",
                stacklevel=4,
            )
            return result
        several = isinstance(result, tuple)
        given: tuple[Any, ...] = result if isinstance(result, tuple) else (result,)
        args, places, node = passed_through(given)
        if node is not None:
            total = len(args)
            node.register_prehook(lambda gradients: self.outputs_known(gradients, places, total))
        if not several:
            return args[0]
        return args if type(result) is tuple else type(result)(*args)  # a named tuple stays one

    def outputs_known(self, gradients: Gradients, places: list[int] | None, total: int) -> Any:
        """Handle the gradients of the module's outputs."""
        self.outgoing = scatter_gradients(gradients, places, total)
        for hook in self.pre_hooks:
            result = hook(self.module, self.outgoing)
            if result is not None:
                self.outgoing = checked(result, total, "Backward pre hook", "grad_output")
        if self.input_places is None:
            # No input requires grad, so no further gradients will come.
            if self.hooks:
                warnings.warn(
                    "Full backward hook is firing when gradients are computed with respect to "
                    "module outputs since no inputs require gradients.",
                    stacklevel=2,
                )
            nothing = (None,) * self.count
            for hook in self.hooks:
                result = hook(self.module, nothing, self.outgoing)
                if result is not None and not (type(result) is tuple and set(result) == {None}):
                    raise RuntimeError(
                        "Backward hook for Modules where no input requires gradient should always "
                        "return None or None for all gradients."
                    )
        given = tuple(self.outgoing[place] for place in places or ())
        return None if all(a is b for a, b in zip(given, gradients, strict=True)) else given

    def inputs_done(self, gradients: Gradients, _: Gradients) -> Any:
        """Handle the complete gradients of the module's inputs."""
        if self.outgoing is None:
            # They did not come through the outputs, for example in a recorded backward pass.
            return None
        everything = scatter_gradients(gradients, self.input_places, self.count)
        for hook in self.hooks:
            result = hook(self.module, everything, self.outgoing)
            if result is not None:
                everything = checked(result, self.count, "Backward hook", "grad_input")
        self.outgoing = None
        return tuple(everything[place] for place in self.input_places or ())


def watch_last_node(
    module: Any, hooks: list[Callable[..., Any]], args: tuple[Any, ...], result: Any
) -> None:
    """Register old-style hooks on the node of a module's result, and warn of what they miss."""
    found = result
    while not isinstance(found, Tensor):
        is_dict = isinstance(found, dict)
        found = next(v for v in found.values() if isinstance(v, Tensor)) if is_dict else found[0]
    node = found.grad_fn
    if node is None:
        return
    for hook in hooks:
        node.register_hook(partial(hook, module))
    for what, value in (("return", result), ("take as input", args)):
        listed = value if isinstance(value, tuple) else (value,)
        if not all(isinstance(each, Tensor) for each in listed):
            missing = "grad_output" if what == "return" else "grad_input"
            kind = "non-full backward hooks on a Module that does not"
            alone = f"{what} a single Tensor or a tuple of Tensors"
            return deprecated(f"{kind} {alone}", f"some of the {missing}")
    outputs = result if isinstance(result, tuple) else (result,)
    ends = {each.grad_fn for each in outputs} - {None}
    if len(ends) > 1:
        deprecated("a non-full backward hook when outputs are generated by different autograd "
                   "Nodes", "some grad_output")  # fmt: skip
    elif {each.grad_fn for each in args} - {None} != {before for before, _ in node.next_functions}:
        deprecated("a non-full backward hook when the forward contains multiple autograd Nodes",
                   "some grad_input")  # fmt: skip


def deprecated(use: str, missed: str) -> None:
    warnings.warn(
        f"Using {use} is deprecated and will be removed in future versions. This hook will be "
        f"missing {missed}. Please use register_full_backward_hook to get the documented behavior.",
        FutureWarning,
        stacklevel=5,
    )


def passed_through(args: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[int] | None, Any]:
    """Return `args` with the tensors passed through one node, their positions, and the node.

    There is no node if no tensor requires grad.
    """
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


def scatter_gradients(gradients: Gradients, places: list[int] | None, count: int) -> Gradients:
    """Return gradients of tensors at their positions, None for other arguments."""
    found: list[Any] = [None] * count
    for place, gradient in zip(places or (), gradients, strict=True):
        found[place] = gradient
    return tuple(found)


def checked(result: Any, count: int, hook: str, what: str) -> Gradients:
    gradients = tuple(result)  # also of one tensor: as in PyTorch, each row then counts
    if len(gradients) != count:
        numbers = f"got {len(gradients)}, but expected {count}"
        raise RuntimeError(f"{hook} returned an invalid number of {what}, {numbers}")
    return gradients
