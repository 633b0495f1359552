"""Fronts: public functions that are all alike, each made from one row of PyTorch's own signature
beside its operation.

    exp, exp_ = unary("exp(Tensor input, *, Tensor out=None)", ExpBackward0)
    mul, mul_ = two("mul(Scalar|Tensor input, Scalar|Tensor other)", op=MulBackward0)

    @signed("clamp(Tensor input, Scalar? min=None, Scalar? max=None)")
    def clamp(input: Any, min: Any = None, max: Any = None) -> TensorBase:
        ...

From the row come the function and its in-place form, the method of each (`exp.method`), what
`inspect.signature` says, the first line of the docstring, the lines of the stubs, the place in the
index, and PyTorch's words for every call that it refuses (public.py). A front is an ordinary
function that returns the public one. A function that no front fits is a plain one, `signed` with
its rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from ..arrays.argument_tests import is_scalar
from ..arrays.devices import check_one_device
from ..arrays.dtypes import from_numpy_dtype, get_default_dtype, to_numpy_dtype
from ..arrays.memory_order import laid_out
from ..arrays.words import beyond, cannot_cast, check_not_bool, is_tensor, type_word
from ..core.inplace import check_in_place, check_overlap, inplace
from ..core.modes import modes
from ..core.node import TensorBase, gradient_edge, new_tensor
from ..core.operation import Operation, apply, attach, record
from ..core.promotion import binary, check_holds, promote_to
from .dims import common_shape, integers
from .public import MISSING, Function, Maker, Public, Rows, explained, published, renamed

ELEMENTWISE: set[type[Operation]] = set()
"""Operations each element of whose result comes of one element of each operand. Their Jacobians are
diagonal, so that a tangent goes through the backward formula as it is (autograd/forward_ad.py)."""


def unary(
    row: str,
    op: type[Operation],
    keeps: str = "",
    kernel: str = "",
    place: str = "",
    in_place: type[Operation] | None = None,
) -> tuple[Public, Public]:
    """The function of an operation on one tensor, and its in-place form.

    Integers are computed in the default floating type, unless the operation `keeps` "integers", or
    "integers and bools". The `kernel` is what refuses bools; `in_place` is the operation of the
    in-place form, where that is another one.
    """

    def make(rows: Rows, method: bool) -> Function:
        def function(input: Any = MISSING, /, *more: Any, **named: Any) -> Any:
            try:
                if more or named:
                    return of_named(function, input, *more, **named)
                x = input._array
                if x.dtype.kind != "f":
                    x = whole(x)
                edges = (input._edge or gradient_edge(input),) if modes.grad else ()
                return attach(op, edges, (input,), op.forward(x))
            except Exception as error:
                return explained(error, function, method, (input, *more), named)

        return function

    def make_(rows: Rows, method: bool) -> Function:
        def function(input: Any = MISSING, /, *more: Any, **named: Any) -> Any:
            try:
                if more or named:
                    return of_named(function, input, *more, **named)
                x = input._array
                if x.dtype.kind != "f" and whole(x).dtype.kind == "f":
                    raise cannot_cast(whole(x).dtype, x.dtype)
                return inplace(in_place or op, input)
            except Exception as error:
                return explained(error, function, method, (input, *more), named)

        return function

    def whole(x: Any) -> Any:
        """Integers or bools, as the operation takes them."""
        if not keeps:
            return x.astype(get_default_dtype().numpy)
        if "bools" not in keeps:
            check_not_bool(kernel, x.dtype)
        return x

    ELEMENTWISE.add(op)
    public = published(make, (row,), op, place)
    return public, published(make_, renamed((row,), public.__name__ + "_"), op, place)


def of_named(function: Function, /, *args: Any, **kwargs: Any) -> TensorBase:
    """`function` of the tensor that was given by its name, and nothing else."""
    if args != (MISSING,) or not is_tensor(kwargs.get("input")) or len(kwargs) > 1:
        raise TypeError
    return cast(TensorBase, function(kwargs["input"]))


def two(
    *rows: str,
    op: type[Operation],
    forms: tuple[Function, Function] = (binary, inplace),
    check: Function | None = None,
    more: Function | None = None,
    place: str = "",
) -> tuple[Public, Public]:
    """The function of an operation on two operands, which are broadcast together and promoted to
    a common type, and its in-place form.

    The `forms` apply an operation to two operands: to a new result, and in place. `check` refuses
    operands that could be computed. What the function takes beside the two is for `more`, whose
    first argument does what is to be done with an operation, operands and params.
    """

    def making(compute: Function) -> Maker:
        def make(rows: Rows, method: bool) -> Function:
            def function(
                input: Any = MISSING, other: Any = MISSING, /, *args: Any, **kwargs: Any
            ) -> Any:
                try:
                    if args or kwargs:
                        return rest(compute, input, other, *args, **kwargs)
                    if check is not None:
                        check(input, other)
                    return compute(op, input, other)
                except Exception as error:
                    return explained(error, function, method, (input, other, *args), kwargs)

            return function

        return make

    def rest(compute: Function, input: Any, other: Any, /, *args: Any, **kwargs: Any) -> TensorBase:
        input = kwargs.pop("input") if input is MISSING else input
        other = kwargs.pop("other") if other is MISSING else other
        if check is not None:
            check(input, other)
        if more is not None:
            return cast(TensorBase, more(compute, input, other, *args, **kwargs))
        if args or kwargs:
            raise TypeError
        return cast(TensorBase, compute(op, input, other))

    ELEMENTWISE.add(op)
    public = published(making(forms[0]), rows, op, place)
    in_place = renamed(rows, public.__name__ + "_")
    return public, published(making(forms[1]), in_place, op, place="Tensor")


def sized(*rows: str, place: str = "") -> Callable[[Function], Public]:
    """`signed`, for a body that takes a tensor and a tuple of integers. The method takes them one
    by one as well: `x.view(2, 3)` and `x.view((2, 3))`."""
    argument = re.findall(r"int\[\] (\w+)", rows[-1])[0]

    def decorate(body: Function) -> Public:
        def make(rows: Rows, method: bool) -> Function:
            def function(input: Any = MISSING, *given: Any, **named: Any) -> Any:
                try:
                    numbers: Any = given
                    others = named
                    if argument in named:
                        others = {**named}
                        value = others.pop(argument)
                        numbers = (*given, value if isinstance(value, (tuple, list)) else None)
                    if not method or isinstance(numbers[0], (tuple, list)):
                        (numbers,) = numbers
                        if not isinstance(numbers, (tuple, list)):
                            raise TypeError
                    for n in numbers:
                        if type(n) is not int:
                            numbers = integers(numbers)
                            break
                    return body(input, tuple(numbers), **others)
                except Exception as error:
                    return explained(error, function, method, (input, *given), named)

            return function

        return published(make, rows, body, place)

    return decorate


Chosen = tuple[type[Operation], tuple[Any, ...], Any]
"""An operation, its parameters, and the type asked for."""


def reduction(
    *rows: str, whole: Chosen | None = None, place: str = ""
) -> Callable[[Function], Public]:
    """The function of a reduction: a plain function chooses the operation by the arguments.
    `whole` is what a call without any means."""

    def decorate(choose: Callable[..., Chosen]) -> Public:
        def make(rows: Rows, method: bool) -> Function:
            def function(input: Any = MISSING, *args: Any, **kwargs: Any) -> Any:
                try:
                    if args or kwargs or whole is None:
                        op, params, dtype = choose(input, *args, **kwargs)
                        if dtype is not None:
                            return apply_in(dtype, op, input, *params)
                    else:
                        op, params, _ = whole
                    edges = (input._edge or gradient_edge(input),) if modes.grad else ()
                    value = op.forward(input._array, *params)
                    return attach(op, edges, (input, *params), value)
                except Exception as error:
                    return explained(error, function, method, (input, *args), kwargs)

            return function

        return published(make, rows, choose, place)

    return decorate


def asked(
    row: str,
    read: Function,
    text: str,
    result: str = "int",
    failed: Callable[[Any], Exception] | None = None,
) -> Function:
    """A method of no arguments that reads something off the array: `read`, which is written in C,
    so that asking is one call. `failed` is the error where NumPy raises a ValueError."""

    def make(rows: Rows, method: bool) -> Function:
        def function(input: Any = MISSING, /, *more: Any, **named: Any) -> Any:
            try:
                if more or named:
                    raise TypeError
                return read(input._array)
            except Exception as error:
                if failed is not None and isinstance(error, ValueError):
                    error = failed(input._array)
                return explained(error, function, method, (input, *more), named)

        return function

    def described(self: Any) -> Any: ...

    described.__doc__, described.__annotations__["return"] = text, result
    return published(make, (row,), described, "Tensor").method


Call = tuple[type[Operation], tuple[Any, ...]]
"""An operation, and its arguments after the tensor itself."""


def applied(
    *rows: str, apart: bool = False, before: Callable[..., None] | None = None
) -> Callable[[Callable[..., Call]], Public]:
    """Make of a function, which looks at its arguments and returns what is to be applied to the
    tensor, the public function that applies it; its `in_place` writes the result into the tensor,
    whose memory must be `apart` from that of the arguments if elements move. `before` looks at the
    arguments of `in_place` first.
    """

    def decorate(call: Callable[..., Call]) -> Public:
        def make(rows: Rows, method: bool) -> Function:
            def function(input: Any = MISSING, *args: Any, **kwargs: Any) -> Any:
                try:
                    op, rest = call(input, *args, **kwargs)
                    return apply(op, input, *rest)
                except Exception as error:
                    return explained(error, function, method, (input, *args), kwargs)

            return function

        def make_(rows: Rows, method: bool) -> Function:
            def function(input: Any = MISSING, *args: Any, **kwargs: Any) -> Any:
                try:
                    check_in_place(input, (input, *args, *kwargs.values()))
                    if before is not None:
                        before(input, *args, **kwargs)
                    op, rest = call(input, *args, **kwargs)
                    if apart:
                        check_overlap(input, rest, repeats=True, apart=True)
                    return inplace(op, input, *rest)
                except Exception as error:
                    return explained(error, function, method, (input, *args), kwargs)

            return function

        public = published(make, rows, call)
        public.in_place = published(make_, renamed(rows, public.__name__ + "_"), call)
        return public

    return decorate


# --- Operators


OPERANDS = (TensorBase, float, int, np.number, np.bool_)
"""What may stand beside a tensor in an operator without being converted."""


def operator_of(function: Function, reflected: bool = False) -> Function:
    """`function` as an operator: of what is no operand, Python may ask the other side."""

    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, OPERANDS):
            if not isinstance(other, np.ndarray):
                return NotImplemented
            other = new_tensor(other)
        return function(other, self) if reflected else function(self, other)

    return method


def operators(*functions: Function, reflected: bool = False) -> list[Function]:
    """`operator_of` each of them."""
    return [operator_of(function, reflected) for function in functions]


# --- What functions share


def as_number(value: Any, dtype: np.dtype[Any]) -> Any:
    """A number for elements of the type `dtype`, given as such or as a tensor.

    Raises:
        TypeError: it is none. (NumPy would read a number out of a text.)
        OverflowError: it is an integer of more than 64 bits.
        RuntimeError: it is a complex one.
    """
    if type(value) is float:
        return value
    if type(value) is not int and not is_scalar(value):
        raise TypeError
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        raise OverflowError("int too big to convert")
    if isinstance(value, complex) and dtype.kind != "b":
        raise beyond(dtype)
    return value._array.item() if isinstance(value, TensorBase) else value


def apply_in(dtype: Any, op: type[Operation], input: Any, *params: Any) -> TensorBase:
    """`apply` to the elements of `input` in the type asked for: so is the result."""
    kind = to_numpy_dtype(dtype)
    value = op.forward(input._array.astype(kind, copy=False), *params)
    if kind.kind != "f" and modes.grad and gradient_edge(input)[0] is not None:
        raise RuntimeError(f"Autograd not support dtype: {type_word(kind)}")
    result: Any = record(op, (input,), params, value)
    return result.to(from_numpy_dtype[kind])  # type: ignore[no-any-return]


def of_either(
    with_number: type[Operation], with_tensor: type[Operation], input: Any, other: Any
) -> TensorBase:
    """Apply the one of two operations that takes `other`, a number or a tensor."""
    if isinstance(other, TensorBase):
        return binary(with_tensor, input, other)
    return apply(with_number, *promote_to(input, other))


def of_either_(
    with_number: type[Operation], with_tensor: type[Operation], input: Any, other: Any
) -> TensorBase:
    """`of_either` in place."""
    check_into(input, other)
    if isinstance(other, TensorBase):
        return inplace(with_tensor, input, other)
    return inplace(with_number, input, promote_to(input, other)[1])


def check_into(input: Any, other: Any) -> None:
    """Raise where PyTorch forbids to write to `input`, or its type cannot hold the result."""
    check_in_place(input, (input, other))
    check_holds(input, other)


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
