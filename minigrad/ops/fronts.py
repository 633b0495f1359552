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
from inspect import unwrap
from typing import Any, TypeVar, cast

import numpy as np

from ..arrays.devices import check_one_device
from ..arrays.dtypes import get_default_dtype, to_numpy_dtype
from ..arrays.memory_order import laid_out
from ..arrays.words import cannot_cast, check_not_bool, check_tensor
from ..core.inplace import inplace
from ..core.modes import modes
from ..core.node import TensorBase, gradient_edge, new_tensor
from ..core.operation import Operation, apply, attach, record
from ..core.promotion import binary, check_holds, promote_to
from .copies import check_writable
from .dims import common_shape

Unary = Callable[[TensorBase], TensorBase]
"""The public function of an operation on one tensor."""


Function = Callable[..., Any]


F = TypeVar("F", bound=Function)


Operator = Callable[[TensorBase, Any], TensorBase]


OPERANDS = (TensorBase, float, int, np.generic)
"""What may stand beside a tensor in an operator without being converted."""


def operator_of(function: Function, reflected: bool = False) -> Operator:
    """`function` as an operator: of what is no operand, Python may ask the other side."""

    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, OPERANDS):
            if not isinstance(other, np.ndarray):
                return NotImplemented
            other = new_tensor(other)
        return function(other, self) if reflected else function(self, other)

    return method


def operators(*functions: Function, reflected: bool = False) -> list[Operator]:
    """`operator_of` each of them."""
    return [operator_of(function, reflected) for function in functions]


def of_tensor(function: F) -> F:
    """Let a public function refuse a first argument that is no tensor, and take NumPy's names
    `axis` and `keepdims` beside `dim` and `keepdim`, as PyTorch does."""

    code = unwrap(function).__code__
    names = code.co_varnames[: code.co_argcount]
    place = names.index("keepdim") if "keepdim" in names else len(names)

    @wraps(function)
    def checking(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            if "axis" in kwargs:
                kwargs["dim"] = kwargs.pop("axis")
            if "keepdims" in kwargs:
                kwargs["keepdim"] = kwargs.pop("keepdims")
        if kwargs or len(args) > place:
            keepdim = args[place] if len(args) > place else kwargs.get("keepdim", False)
            if not isinstance(keepdim, bool):
                kind = type(keepdim).__name__
                raise TypeError(
                    f"{function.__name__}(): argument 'keepdim' must be bool, not {kind}"
                )
        if args or "input" in kwargs:
            check_tensor(args[0] if args else kwargs["input"], function.__name__)
        return function(*args, **kwargs)

    return cast(F, checking)


def apply_in(dtype: Any, op: type[Operation], input: Any, *params: Any) -> TensorBase:
    """`apply` to the elements of `input` in the type asked for, if any: so is the result."""
    if dtype is None:
        return apply(op, input, *params)
    value = op.forward(input._array.astype(to_numpy_dtype(dtype), copy=False), *params)
    return record(op, (input,), params, value).to(dtype)


def of_either(
    with_number: type[Operation], with_tensor: type[Operation], input: Any, other: Any
) -> TensorBase:
    """Apply the one of two operations that takes `other`, a number or a tensor."""
    if isinstance(other, TensorBase):
        return binary(with_tensor, input, other)
    return apply(with_number, promote_to(input, other, with_number), other)


def of_either_(
    with_number: type[Operation], with_tensor: type[Operation], input: Any, other: Any
) -> TensorBase:
    """`of_either` in place."""
    check_holds(input, other)
    return inplace(with_tensor if isinstance(other, TensorBase) else with_number, input, other)


def elementwise(forward: Function, *args: Any) -> Any:
    """`forward` of arrays, numbers and Nones, laid in memory as PyTorch lays what has an element
    for each of theirs.

    Raises:
        RuntimeError: they do not broadcast, or lie on several devices.
    """
    try:
        return laid_out(forward(*args), *args)
    except ValueError:
        common_shape(*[x.shape for x in args if hasattr(x, "shape")])
        raise
    except TypeError:
        check_one_device(args)
        raise


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
