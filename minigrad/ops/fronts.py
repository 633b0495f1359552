"""How an operation is written as a row of a table: its derivative, decorated with all the rest.

    @gradient_of(np.exp, r"\\bar a = g \\cdot y")
    def ExpBackward0(g: Any, result: Any) -> Any:
        \"\"\"e to the power of each element.\"\"\"
        return g * result

    exp, exp_ = functions(ExpBackward0)

stands for a subclass of Operation, which saves its result because its gradient asks for it, and for
the two public functions. Whoever reads the row has read the operation, and an editor finds class
and functions where they are named. An operation that needs more (it looks at its ctx, or works out
only those gradients that are wanted) is written as a class.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from ..arrays.dtypes import get_default_dtype
from ..arrays.words import cannot_cast, check_not_bool, check_tensor
from ..core.inplace import inplace
from ..core.modes import modes
from ..core.node import TensorBase, gradient_edge
from ..core.operation import Operation, apply, attach
from .copies import check_writable
from .operands import F, Function

Unary = Callable[[TensorBase], TensorBase]
"""The public function of an operation on one tensor."""


def gradient_of(
    forward: Function, rule: str, *, inputs: str = "self", params: str = ""
) -> Callable[[Function], type[Operation]]:
    """The class of the operation `forward`, named and described like the decorated function, which
    is its `gradient`. The names of its inputs and params are separated by blanks."""

    def operation(gradient: Function) -> type[Operation]:
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


def functions(op: type[Operation], keeps: str = "") -> tuple[Unary, Unary]:
    """The public function of an operation on one tensor, and the one that works in place.

    Integers are computed in the default floating type, unless the operation `keeps` "integers", or
    "integers and bools".
    """
    name = public_name(op)

    def function(input: TensorBase) -> TensorBase:
        try:
            x = input._array
        except AttributeError:
            check_tensor(input, name)
            raise
        if x.dtype.kind != "f":
            x = whole(x)
        edges = (input._edge or gradient_edge(input),) if modes.grad else ()
        return attach(op, edges, (input,), op.forward(x))

    def function_(input: TensorBase) -> TensorBase:
        check_tensor(input, name + "_")
        x = input._array
        if x.dtype.kind != "f" and whole(x).dtype.kind == "f":
            raise cannot_cast(whole(x).dtype, x.dtype)
        return inplace(op, input)

    def whole(x: Any) -> Any:
        """Integers or bools, as the operation takes them."""
        if not keeps:
            return x.astype(get_default_dtype().numpy)
        if "bools" not in keeps:
            check_not_bool(f"{name}_cpu", x.dtype)
        return x

    return named(name, op.__doc__, function, function_)


Row = tuple[type[Operation], tuple[Any, ...]]
"""An operation, and its arguments after the tensor itself."""


def both_forms(row: Callable[..., Row]) -> Any:
    """The public function that applies what `row` returns, having checked the arguments; its
    `in_place` writes the result into the tensor."""

    def function(input: TensorBase, *args: Any, **kwargs: Any) -> TensorBase:
        op, rest = row(input, *args, **kwargs)
        return apply(op, input, *rest)

    def function_(input: TensorBase, *args: Any, **kwargs: Any) -> TensorBase:
        check_writable(input, *args, *kwargs.values())
        op, rest = row(input, *args, **kwargs)
        return inplace(op, input, *rest)

    row.__annotations__["return"] = "Tensor"  # what a reader of the function's signature sees
    both: Any = wraps(row)(function)
    _, both.in_place = named(row.__name__, row.__doc__, function, function_)
    return both


def named(name: str, text: str | None, function: F, function_: F) -> tuple[F, F]:
    """Both functions, with their names and docstrings."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    function_.__name__ = function_.__qualname__ = name + "_"
    function_.__doc__ = f"`{name}` in place."
    return function, function_


def public_name(op: type[Operation]) -> str:
    """What the function of an operation is called: AmaxBackward0 is the node of amax."""
    return op.__name__.partition("Backward")[0].lower()
