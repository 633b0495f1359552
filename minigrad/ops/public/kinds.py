"""Kinds of operations.

Most are a class each (core/operation.py). Where one line of gradient is all there is to an
operation, that line with its decorator stands for the class:

    @gradient_of(np.exp, r"\\bar a = g \\cdot y")
    def ExpBackward0(g: Any, result: Any) -> Any:
        \"\"\"e to the power of each element.\"\"\"
        return g * result

saves its result because its gradient asks for it. Others have gradients of a form of their own:
what moves elements around and computes nothing, what carries a gradient back, what has no slope.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NoReturn, cast

from ..core.node import TensorBase
from ..core.operation import Operation, zeros_for
from ..core.saved import FREED


def gradient_of(
    forward: Callable[..., Any], rule: str, *, inputs: str = "self", params: str = ""
) -> Callable[[Callable[..., Any]], type[Operation]]:
    """The class of the operation `forward`, named and described like the decorated function, which
    is its `gradient`. The names of its inputs and params are separated by blanks."""

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

    A mask or an index among its params goes when the saved tensors go.
    """

    def _release(self) -> None:
        super()._release()
        if self._saved is None:
            self.args = tuple(FREED if isinstance(a, TensorBase) else a for a in self.args)


class Adjoint(ShapeOperation):
    """What carries a gradient back through a linear operation `of`, and brings it into the shape of
    that one's input. Its own gradient is `of` again. Subclasses have the `forward`."""

    inputs = ("grad_output",)
    of: ClassVar[type[Operation]]

    def __init_subclass__(cls) -> None:
        if "of" in vars(cls):
            cls.params = ("_shape", *cls.of.params)
        super().__init_subclass__()

    def backward(ctx, g: Any) -> Any:
        return ctx.of.on(g, *ctx.args[1:])


class Constant(Operation):
    """An operation whose result does not change with its inputs, or in jumps only: each gets a
    gradient of 0."""

    rule = r"\bar a = 0"

    def backward(ctx, g: Any) -> Any:
        count = len(ctx.next_functions)
        return tuple([zeros_for(g, ctx.shape(i)) if ctx.needs(i) else None for i in range(count)])


class Underived(Operation):
    """An operation for which PyTorch has a node that fails when it is asked."""

    inputs = ("self",)
    asked: ClassVar[str]
    """What PyTorch's words call it."""

    def backward(ctx, g: Any) -> NoReturn:
        raise NotImplementedError(f"the derivative for '{ctx.asked}' is not implemented.")


class OfTwo(Operation):
    """An operation on two tensors."""

    inputs = ("self", "other")
