"""Kinds of operations.

Most operations are a class each (core/operation.py). If its gradient is one line, a decorated
function stands for the class:

    @gradient_of(np.exp, r"\\bar a = g \\cdot y")
    def ExpBackward0(g: Any, result: Any) -> Any:
        \"\"\"e to the power of each element.\"\"\"
        return g * result

It saves its result because `result` is a parameter. Other kinds have gradients of their own form:
operations that only move elements, adjoints of linear operations, and constants.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NoReturn, cast

from ...arrays.messages import FREED
from ...core.node import TensorBase
from ...core.operation import Operation, zeros_for


def gradient_of(
    forward: Callable[..., Any], rule: str, *, inputs: str = "self", params: str = ""
) -> Callable[[Callable[..., Any]], type[Operation]]:
    """Make the class of the operation `forward` from its `gradient`, the decorated function.

    The class has the function's name and docstring. The names of its inputs and params are
    separated by blanks.
    """

    def operation(gradient: Callable[..., Any]) -> type[Operation]:
        contents = {
            "__doc__": gradient.__doc__,
            "__module__": gradient.__module__,
            "inputs": tuple(inputs.split()),
            "params": tuple(params.split()),
            "rule": rule,
            "forward": staticmethod(forward),
            "gradient": staticmethod(gradient),
        }
        return cast("type[Operation]", type(gradient.__name__, (Operation,), contents))

    return operation


class ShapeOperation(Operation):
    """An operation that moves elements and computes nothing.

    A mask or an index among its params is freed with the saved tensors.
    """

    def _release(self) -> None:
        super()._release()
        if self._saved is None:
            self.args = tuple(FREED if isinstance(a, TensorBase) else a for a in self.args)


class Adjoint(ShapeOperation):
    """The adjoint of a linear operation `of`: it maps a gradient back to the shape of the input.

    Its own gradient is `of` again. Subclasses define `forward`.
    """

    inputs = ("grad_output",)
    of: ClassVar[type[Operation]]

    def __init_subclass__(cls) -> None:
        if "of" in vars(cls):
            cls.params = ("_shape", *cls.of.params)
        super().__init_subclass__()

    def backward(ctx, g: Any) -> Any:
        return ctx.of.on(g, *ctx.args[1:])


class Constant(Operation):
    """An operation whose result is piecewise constant: each input gets a gradient of 0."""

    rule = r"\bar a = 0"

    def backward(ctx, g: Any) -> Any:
        count = len(ctx._edges)
        return tuple([zeros_for(g, ctx.shape(i)) if ctx.needs(i) else None for i in range(count)])


class Underived(Operation):
    """An operation whose node in PyTorch fails when its gradient is computed."""

    inputs = ("self",)
    derivative_name: ClassVar[str]
    """The name in PyTorch's error."""

    def backward(ctx, g: Any) -> NoReturn:
        raise NotImplementedError(f"the derivative for '{ctx.derivative_name}' is not implemented.")


class OfTwo(Operation):
    """An operation on two tensors."""

    inputs = ("self", "other")
