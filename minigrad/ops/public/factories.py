"""Factories of public functions: each makes functions of one form from PyTorch's schema.

    exp, exp_ = unary("exp(Tensor input, *, Tensor out=None)", ExpBackward0)
    mul, mul_ = two("mul(Scalar|Tensor input, Scalar|Tensor other)", op=MulBackward0)

    @schema("clamp(Tensor input, Scalar? min=None, Scalar? max=None)")
    def clamp(input: Any, min: Any = None, max: Any = None) -> TensorBase:
        ...

The schema determines the function, its in-place form and the method of each (`exp.method`). It also
determines `inspect.signature`, the first line of the docstring, the lines of the stubs, the place
in the index, and PyTorch's errors for refused calls (functions.py). A factory is an ordinary
function that returns the public one. If no factory fits, decorate a plain function with its
`schema`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from ...arrays.devices import check_one_device
from ...arrays.dtypes import from_numpy_dtype, get_default_dtype, to_numpy_dtype
from ...arrays.memory_order import lay_out
from ...arrays.messages import beyond, cannot_cast, check_not_bool, is_tensor, type_word
from ...core.inplace import check_in_place, check_overlap, inplace, overwrite
from ...core.modes import modes
from ...core.node import TensorBase, gradient_edge, new_tensor
from ...core.operation import Operation, apply, attach, record
from ...core.promotion import binary, check_holds, promote_to
from .argument_tests import is_scalar
from .dims import common_shape, integers
from .functions import (
    MISSING,
    Function,
    Maker,
    Public,
    Schemas,
    handle_failure,
    publish,
    rename_schemas,
    warn_of_old_order,
)
from .overriding import answer, operator_answer, watchers

ELEMENTWISE: set[type[Operation]] = set()
"""Elementwise operations: each element of the result depends on one element of each operand.

Their Jacobians are diagonal, so the backward formula also computes tangents
(autograd/forward_ad.py).
"""


def unary(
    schema: str,
    op: type[Operation],
    keeps: str = "",
    kernel: str = "",
    place: str = "",
    in_place: type[Operation] | None = None,
) -> tuple[Public, Public]:
    """Make the function of an operation on one tensor, and its in-place form.

    Args:
        keeps: "integers" or "integers and bools": dtypes not converted to the default floating
            dtype.
        kernel: the name in PyTorch's error for bools.
        in_place: the operation of the in-place form, where it is a different one.
    """

    def make(schemas: Schemas, method: bool) -> Function:
        def function(input: Any = MISSING, /, *more: Any, **named: Any) -> Any:
            if watchers and (found := answer(function, (input, *more), named)):
                return found[0]
            try:
                if more or named:
                    return of_named(function, input, *more, **named)
                x = input._array
                if x.dtype.kind != "f":
                    x = whole(x)
                edges = (input._edge or gradient_edge(input),) if modes.grad else ()
                return attach(op, edges, (input,), op.forward(x))
            except Exception as error:
                return handle_failure(error, function, method, (input, *more), named)

        return function

    def make_(schemas: Schemas, method: bool) -> Function:
        def function(input: Any = MISSING, /, *more: Any, **named: Any) -> Any:
            if watchers and (found := answer(function, (input, *more), named)):
                return found[0]
            try:
                if more or named:
                    return of_named(function, input, *more, **named)
                x = input._array
                if x.dtype.kind != "f" and whole(x).dtype.kind == "f":
                    raise cannot_cast(whole(x).dtype, x.dtype)
                return inplace(in_place or op, input)
            except Exception as error:
                return handle_failure(error, function, method, (input, *more), named)

        return function

    def whole(x: Any) -> Any:
        """Convert integers and bools to the dtype in which the operation computes."""
        if not keeps:
            return x.astype(get_default_dtype().numpy)
        if "bools" not in keeps:
            check_not_bool(kernel, x.dtype)
        return x

    ELEMENTWISE.add(op)
    public = publish(make, (schema,), op, place)
    return public, publish(make_, rename_schemas((schema,), public.__name__ + "_"), op, place)


def of_named(function: Function, /, *args: Any, **kwargs: Any) -> TensorBase:
    """Call `function` on the tensor given as `input=`; raise for any other argument."""
    if args != (MISSING,) or not is_tensor(kwargs.get("input")) or len(kwargs) > 1:
        raise TypeError
    return cast(TensorBase, function(kwargs["input"]))


def two(
    *schemas: str,
    op: type[Operation],
    forms: tuple[Function, Function] = (binary, inplace),
    check: Function | None = None,
    more: Function | None = None,
    place: str = "",
) -> tuple[Public, Public]:
    """Make the function of an operation on two operands, and its in-place form.

    The operands are broadcast together and promoted to a common dtype.

    Args:
        forms: apply an operation to two operands: to a new result, and in place.
        check: raises for operands that PyTorch refuses though they could be computed.
        more: computes a call with further arguments; its first argument is one of the `forms`.
    """

    def making(compute: Function) -> Maker:
        def make(schemas: Schemas, method: bool) -> Function:
            def function(
                input: Any = MISSING, other: Any = MISSING, /, *args: Any, **kwargs: Any
            ) -> Any:
                if watchers and (found := answer(function, (input, other, *args), kwargs)):
                    return found[0]
                try:
                    if args or kwargs:
                        return rest(compute, input, other, *args, **kwargs)
                    if check is not None:
                        check(input, other)
                    return compute(op, input, other)
                except Exception as error:
                    return handle_failure(error, function, method, (input, other, *args), kwargs)

            return function

        return make

    def rest(compute: Function, input: Any, other: Any, /, *args: Any, **kwargs: Any) -> TensorBase:
        input = kwargs.pop("input") if input is MISSING else input
        other = kwargs.pop("other") if other is MISSING else other
        if check is not None:
            check(input, other)
        if args and schemas[0].startswith("deprecated "):
            warn_of_old_order(schemas if compute is forms[0] else in_place, compute is forms[1])
        if more is not None:
            return cast(TensorBase, more(compute, input, other, *args, **kwargs))
        if args or kwargs:
            raise TypeError
        return cast(TensorBase, compute(op, input, other))

    ELEMENTWISE.add(op)
    public = publish(making(forms[0]), schemas, op, place)
    in_place = rename_schemas(schemas, public.__name__ + "_")
    return public, publish(making(forms[1]), in_place, op, place="Tensor")


def sized(*schemas: str, place: str = "") -> Callable[[Function], Public]:
    """`schema` for a body that takes a tensor and a tuple of integers.

    The method also accepts the integers one by one: `x.view(2, 3)` and `x.view((2, 3))`.
    """
    argument = re.findall(r"int\[\] (\w+)", schemas[-1])[0]

    def decorate(body: Function) -> Public:
        def make(schemas: Schemas, method: bool) -> Function:
            def function(input: Any = MISSING, *given: Any, **named: Any) -> Any:
                if watchers and (found := answer(function, (input, *given), named)):
                    return found[0]
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
                    return handle_failure(error, function, method, (input, *given), named)

            return function

        return publish(make, schemas, body, place)

    return decorate


Chosen = tuple[type[Operation], tuple[Any, ...], Any]
"""An operation, its params, and the dtype of the result, if one was given."""


def reduction(
    *schemas: str, whole: Chosen | None = None, place: str = ""
) -> Callable[[Function], Public]:
    """Make the function of a reduction: the decorated function chooses the operation.

    `whole` is the choice for a call without arguments.
    """

    def decorate(choose: Callable[..., Chosen]) -> Public:
        def make(schemas: Schemas, method: bool) -> Function:
            def function(input: Any = MISSING, *args: Any, **kwargs: Any) -> Any:
                if watchers and (found := answer(function, (input, *args), kwargs)):
                    return found[0]
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
                    return handle_failure(error, function, method, (input, *args), kwargs)

            return function

        return publish(make, schemas, choose, place)

    return decorate


def reader(
    schema: str,
    read: Function,
    text: str,
    result: str = "int",
    failed: Callable[[Any], Exception] | None = None,
) -> Function:
    """Make a method without arguments that reads a property of the array.

    `read` is written in C, so that a call is fast. `failed` makes the error where NumPy raises a
    ValueError.
    """

    def make(schemas: Schemas, method: bool) -> Function:
        def function(input: Any = MISSING, /, *more: Any, **named: Any) -> Any:
            if watchers and (found := answer(function, (input, *more), named)):
                return found[0]
            try:
                if more or named:
                    raise TypeError
                return read(input._array)
            except Exception as error:
                if failed is not None and isinstance(error, ValueError):
                    error = failed(input._array)
                return handle_failure(error, function, method, (input, *more), named)

        return function

    def described(self: Any) -> Any: ...

    described.__doc__, described.__annotations__["return"] = text, result
    return publish(make, (schema,), described, "Tensor").method


Call = tuple[type[Operation], tuple[Any, ...]]
"""An operation, and its arguments after the tensor itself."""


def applied(
    *schemas: str, apart: bool = False, before: Callable[..., None] | None = None
) -> Callable[[Callable[..., Call]], Public]:
    """Make a public function of one that returns the operation to apply and its arguments.

    The `in_place` form writes the result into the tensor.

    Args:
        apart: whether the in-place form moves elements, so that arguments may not share its memory.
        before: checks the arguments of the in-place form first.
    """

    def decorate(call: Callable[..., Call]) -> Public:
        def make(schemas: Schemas, method: bool) -> Function:
            def function(input: Any = MISSING, *args: Any, **kwargs: Any) -> Any:
                if watchers and (found := answer(function, (input, *args), kwargs)):
                    return found[0]
                try:
                    op, rest = call(input, *args, **kwargs)
                    return apply(op, input, *rest)
                except Exception as error:
                    return handle_failure(error, function, method, (input, *args), kwargs)

            return function

        def make_(schemas: Schemas, method: bool) -> Function:
            def function(input: Any = MISSING, *args: Any, **kwargs: Any) -> Any:
                if watchers and (found := answer(function, (input, *args), kwargs)):
                    return found[0]
                try:
                    check_in_place(input, (input, *args, *kwargs.values()))
                    if before is not None:
                        before(input, *args, **kwargs)
                    op, rest = call(input, *args, **kwargs)
                    if apart:
                        check_overlap(input, rest, repeats=True, apart=True)
                    return fill_in_place(op, input, *rest)
                except Exception as error:
                    return handle_failure(error, function, method, (input, *args), kwargs)

            return function

        public = publish(make, schemas, call)
        public.in_place = publish(make_, rename_schemas(schemas, public.__name__ + "_"), call)
        return public

    return decorate


def has_repeats(array: Any) -> bool:
    """Return whether elements share memory, as in an expanded array."""
    return any(step == 0 and n > 1 for step, n in zip(array.strides, array.shape, strict=True))


def fill_in_place(op: type[Operation], tensor: Any, *rest: Any) -> TensorBase:
    """Compute an operation in place which may fill chosen elements of an expanded tensor.

    An element that stays must not overwrite a filled one with which it shares memory.
    """
    array = tensor._array
    if not op.fills_repeats or not has_repeats(array):
        return inplace(op, tensor, *rest)
    inputs = (tensor, *rest[: len(op.inputs) - 1])
    given = [each._array if isinstance(each, TensorBase) else each for each in rest]
    value = op.forward(array, *given)
    bits = f"V{array.itemsize}"  # nan equals itself, and 0 differs from -0
    old, new = (np.ascontiguousarray(each).view(bits) for each in (array, value))
    changed = (old != new).reshape(array.shape)

    def write() -> None:
        np.copyto(array, value, where=changed)

    return overwrite(op, tensor, inputs, rest[len(inputs) - 1 :], write)


# --- Operators


OPERANDS = (TensorBase, float, int, np.number, np.bool_)
"""Operands of operators that need no conversion."""


def operator_of(function: Function, reflected: bool = False, asked: str = "") -> Function:
    """Return `function` as an operator, which returns NotImplemented for other operands.

    `asked` is the name of the method about which classes are asked; by default the function's.
    """
    name = asked or function.__name__

    def method(self: Any, other: Any) -> Any:
        if watchers or not isinstance(other, OPERANDS):
            found = operator_answer(getattr(TensorBase.result_type, name), self, other)
            if found:
                return found[0]
            if not isinstance(other, (*OPERANDS, np.ndarray)):
                return NotImplemented
            if isinstance(other, np.ndarray):
                other = new_tensor(other)
        return function(other, self) if reflected else function(self, other)

    method.__name__ = name
    return method


def operators(*functions: Function, reflected: bool = False, asked: str = "") -> list[Function]:
    """Apply `operator_of` to each function; `asked` has a name for each, or is empty."""
    names = asked.split() or [""] * len(functions)
    return [
        operator_of(*each)
        for each in zip(functions, [reflected] * len(functions), names, strict=True)
    ]


# --- Shared helpers


def as_floating(tensor: Any) -> Any:
    """Return a tensor of integers or bools in the default floating dtype, and others unchanged."""
    array = tensor._array
    if array.dtype.kind == "f":
        return tensor
    return new_tensor(array.astype(get_default_dtype().numpy))


def check_floating_in_place(tensor: Any) -> None:
    """Raise for a tensor of integers or bools, into which floats are to be written."""
    if tensor._array.dtype.kind != "f":
        raise cannot_cast(get_default_dtype().numpy, tensor._array.dtype)


def as_number(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return a number for elements of the dtype, given as a number or as a tensor.

    Raises:
        TypeError: it is not a number. (NumPy would parse a text.)
        OverflowError: it is an integer of more than 64 bits.
        RuntimeError: it is complex.
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
    """Apply `op` to the elements of `input` in `dtype`, and return the result in `dtype`."""
    kind = to_numpy_dtype(dtype)
    value = op.forward(input._array.astype(kind, copy=False), *params)
    if kind.kind != "f" and modes.grad and gradient_edge(input):
        raise RuntimeError(f"Autograd not support dtype: {type_word(kind)}")
    result: Any = record(op, (input,), params, value)
    return result.to(from_numpy_dtype[kind])  # type: ignore[no-any-return]


def of_either(
    with_number: type[Operation], with_tensor: type[Operation], input: Any, other: Any
) -> TensorBase:
    """Apply the operation for a number or for a tensor, by the kind of `other`."""
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
    """Raise if PyTorch forbids writing to `input`, or if its dtype cannot hold the result."""
    check_in_place(input, (input, other))
    check_holds(input, other)


def elementwise(forward: Function, *args: Any) -> Any:
    """Compute `forward` of arrays, numbers and Nones, with the result in PyTorch's memory order.

    Raises:
        RuntimeError: they do not broadcast, or are on several devices.
    """
    try:
        return lay_out(forward(*args), *args)
    except ValueError:
        common_shape(*[x.shape for x in args if hasattr(x, "shape")])
        raise
    except TypeError:
        check_one_device(args)
        raise
