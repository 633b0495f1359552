"""Comparisons, logic and bits: no gradient flows through them.

Only the in-place forms of comparisons leave a node behind: the history of the overwritten elements
ends there, with a gradient of 0.
"""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from ...arrays.devices import ON_CPU, check_one_device, get_array_module
from ...arrays.memory_order import lay_out
from ...arrays.messages import check_output, check_result, check_same_type, not_implemented
from ...core.broadcasting import size_mismatch
from ...core.inplace import check_overlap, inplace, overwrite
from ...core.node import TensorBase, new_tensor
from ...core.operation import Operation
from ...core.promotion import (
    check_holds,
    in_common_type,
    number,
    promote,
    promote_numbers,
    promote_to,
)
from ..public.dims import common_shape
from ..public.factories import elementwise, operators, two
from ..public.functions import Function, Public, alias, rename_schemas, schema
from ..public.kinds import Constant
from ..public.overriding import answer, watchers


class Comparison(Constant):
    """The node of an in-place comparison."""

    rule = r"\bar a = 0, \qquad \bar b = 0"


def comparison(ufunc: Function, name: str, text: str) -> tuple[Public, Public]:
    """Make the public function of a comparison, and its in-place form."""
    with_number = node_class(f"{name.title()}Backward0", ("self",), ("_other",), ufunc)
    with_tensor = node_class(f"{name.title()}Backward1", ("self", "other"), (), ufunc)
    with_tensor.with_number, with_tensor.__doc__ = with_number, text
    schemas = (
        f"{name}(Tensor input, Tensor other, *, Tensor out=None)",
        f"{name}(Tensor input, Scalar other, *, Tensor out=None)",
    )
    return two(*schemas, op=with_tensor, forms=(compare, compare_))


def node_class(
    name: str, inputs: tuple[str, ...], params: tuple[str, ...], forward: Function
) -> type[Operation]:
    """Make a subclass of Comparison: the twelve differ in little more than their names."""
    contents = {"inputs": inputs, "params": params, "forward": staticmethod(forward)}
    return cast("type[Operation]", type(name, (Comparison,), contents))


def compare(op: type[Operation], a: Any, b: Any) -> TensorBase:
    """Compare two operands in their common dtype; the second may be a number."""
    x = a._array
    if isinstance(b, TensorBase):
        y = b._array
        if x.dtype is not y.dtype:
            x, y = promote(x, y)
    else:
        y = number(b)
        # a number out of the dtype's range wraps around
        if x.dtype.kind != "f" and not 0 <= y < 128:
            x, y = promote_numbers(Comparison, a, y)
    try:
        return new_tensor(lay_out(op.forward(x, y), x, y))
    except ValueError:
        raise size_mismatch(x.shape, y.shape) from None
    except TypeError:
        check_one_device((x, y))
        raise


def compare_(op: type[Operation], input: Any, other: Any) -> TensorBase:
    """Compare in place."""
    if isinstance(other, TensorBase):
        return inplace(op, input, other)
    return inplace(cast(Any, op.with_number), input, promote_to(input, other)[1])


eq, eq_ = comparison(np.equal, "eq", "Return input == other, elementwise.")
ne, ne_ = comparison(np.not_equal, "ne", "Return input != other, elementwise.")
lt, lt_ = comparison(np.less, "lt", "Return input < other, elementwise.")
le, le_ = comparison(np.less_equal, "le", "Return input <= other, elementwise.")
gt, gt_ = comparison(np.greater, "gt", "Return input > other, elementwise.")
ge, ge_ = comparison(np.greater_equal, "ge", "Return input >= other, elementwise.")
not_equal, less, less_equal = alias("not_equal", ne), alias("less", lt), alias("less_equal", le)
greater, greater_equal = alias("greater", gt), alias("greater_equal", ge)


# --- Properties of numbers


@schema("isnan(Tensor input)")
def isnan(input: Any) -> TensorBase:
    """Return where `input` is not a number."""
    return new_tensor(np.isnan(input._array))


@schema("isinf(Tensor input)")
def isinf(input: Any) -> TensorBase:
    """Return where `input` is infinite."""
    return new_tensor(np.isinf(input._array))


@schema("signbit(Tensor input, *, Tensor out=None)")
def signbit(input: Any) -> TensorBase:
    """Return where `input` is below zero, or is the zero with a minus sign."""
    array = input._array
    return new_tensor(np.signbit(array) if array.dtype.kind == "f" else array < np.int8(0))


@schema("isfinite(Tensor input)")
def isfinite(input: Any) -> TensorBase:
    """Return where `input` is a finite number."""
    return new_tensor(np.isfinite(input._array))


@schema(
    "isclose(Tensor input, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False)"
)
def isclose(
    input: Any, other: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> TensorBase:
    """Return where |input - other| <= atol + rtol * |other|.

    Raises:
        RuntimeError: the dtypes differ, or a tolerance is negative.
    """
    result = is_close(input, other, rtol, atol, equal_nan)
    # PyTorch finds the equal elements, then adds those that are both NaN, then the close ones.
    result.version_counter().value += 1 + bool(equal_nan)
    return result


@schema(
    "allclose(Tensor input, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False)"
)
def allclose(
    input: Any, other: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Return whether |input - other| <= atol + rtol * |other| everywhere.

    Raises:
        RuntimeError: the dtypes differ, or a tolerance is negative.
    """
    return bool(is_close(input, other, rtol, atol, equal_nan)._array.all())


def is_close(input: Any, other: Any, rtol: float, atol: float, equal_nan: bool) -> TensorBase:
    """Compute `isclose`, also for `allclose`."""
    x, y = input._array, other._array
    check_same_type(x, y, "{} did not match {}")
    for name, tolerance in (("rtol", rtol), ("atol", atol)):
        if not tolerance >= 0:
            wanted = f"{name} must be greater than or equal to zero"
            raise RuntimeError(f"{wanted}, but got {tolerance:g}")
    if type(equal_nan) is not bool:
        raise TypeError  # the schema gives the error
    value = elementwise(partial(np.isclose, rtol=rtol, atol=atol, equal_nan=equal_nan), x, y)
    return new_tensor(value)


@schema("equal(Tensor input, Tensor other)")
def equal(input: Any, other: Any) -> bool:
    """Return whether both have the same shape and the same elements."""
    return bool(np.array_equal(input._array, other._array))


# --- Logic and bits


def logical(ufunc: Any, name: str, text: str) -> tuple[Public, Public]:
    """Make the public function of a logical operation on tensors, and its in-place form."""
    op: Any = SimpleNamespace(forward=ufunc)  # it never leaves a node

    def of_one(input: Any) -> TensorBase:
        return new_tensor(ufunc(input._array))

    def of_two(input: Any, other: Any) -> TensorBase:
        if not isinstance(other, TensorBase):
            raise TypeError  # the schema gives the error
        return compare(op, input, other)

    if ufunc.nin == 1:
        return both(of_one, text, f"{name}(Tensor input, *, Tensor out=None)")
    return both(of_two, text, f"{name}(Tensor input, Tensor other, *, Tensor out=None)")


def bitwise(ufunc: Any, name: str, text: str, kernel: str = "") -> tuple[Public, Public]:
    """Make the public function of an operation on the bits of integers, and its in-place form.

    If a `kernel` is given, bools are refused with its name.
    """

    def of_one(input: Any) -> TensorBase:
        if not isinstance(input, TensorBase):
            raise TypeError  # the schema gives the error
        return of_any(input)

    def of_two(input: Any, other: Any) -> TensorBase:
        if not (isinstance(input, TensorBase) or isinstance(other, TensorBase)):
            raise TypeError  # the schema gives the error
        return of_any(input, other)

    def of_any(*operands: Any) -> TensorBase:
        arrays = in_common_type(*operands)
        if arrays[0].dtype.kind in ("fb" if kernel else "f"):
            common_shape(*[array.shape for array in arrays])
            raise not_implemented(kernel or f"{name}_cpu", arrays[0].dtype)
        return new_tensor(elementwise(ufunc, *arrays))

    if ufunc is np.invert:
        return both(of_one, text, f"{name}(Tensor input, *, Tensor out=None)")
    return both(
        of_two,
        text,
        f"{name}(Tensor input, Tensor other, *, Tensor out=None)",
        f"{name}(Scalar self, Tensor other)",
        f"{name}(Tensor input, Scalar other, *, Tensor out=None)",
    )


def both(body: Function, text: str, *schemas: str) -> tuple[Public, Public]:
    """Make the function of these schemas, and the one that writes into its first argument.

    Neither leaves a node: integers have no history, and the slope of bools is 0.
    """
    name = schemas[0].partition("(")[0]

    def in_place(input: Any, *given: Any, **named: Any) -> TensorBase:
        other = (*given, *named.values())
        shapes = [x._array.shape for x in (input, *other) if isinstance(x, TensorBase)]
        check_output(input._array.shape, common_shape(*shapes))
        if name.startswith("bitwise"):
            check_overlap(input, other)
            for each in other:
                check_holds(input, each)
        value = body(input, *given, **named)._array
        check_result(value, input._array)
        return overwrite(Comparison, input, (), (), value)

    body.__doc__, in_place.__doc__ = text, f"`{name}` in place."
    return schema(*schemas)(body), schema(*rename_schemas(schemas, f"{name}_"), place="Tensor")(
        in_place
    )


logical_not, logical_not_ = logical(np.logical_not, "logical_not", "Return where `input` is zero.")
logical_and, logical_and_ = logical(np.logical_and, "logical_and", "Return where neither is zero.")
logical_or, logical_or_ = logical(np.logical_or, "logical_or", "Return where either is not zero.")
logical_xor, logical_xor_ = logical(
    np.logical_xor, "logical_xor", "Return where exactly one is not zero."
)
bitwise_not, bitwise_not_ = bitwise(np.invert, "bitwise_not", "Invert every bit.")
bitwise_and, bitwise_and_ = bitwise(np.bitwise_and, "bitwise_and", "Return the bits set in both.")
bitwise_or, bitwise_or_ = bitwise(np.bitwise_or, "bitwise_or", "Return the bits set in either.")
bitwise_xor, bitwise_xor_ = bitwise(
    np.bitwise_xor, "bitwise_xor", "Return the bits set in exactly one."
)


def on_one_device(x: Any, count: Any) -> list[Any]:
    """Return both as arrays on one device: on the GPU if one is there, as the other is a number."""
    module = get_array_module(count if isinstance(x, ON_CPU) else x)
    return [module.asarray(x), module.asarray(count)]


def shift_left(x: Any, count: Any) -> Any:
    """Return x * 2 ** count without overflowing bits; 0 where `count` is out of range."""
    x, count = on_one_device(x, count)
    bits = np.iinfo(x.dtype).bits
    valid = (count >= 0) & (count < bits)
    return np.where(valid, np.left_shift(x, np.where(valid, count, 0)), 0).astype(x.dtype)


def shift_right(x: Any, count: Any) -> Any:
    """Return x / 2 ** count rounded down; a `count` out of range shifts out all bits."""
    x, count = on_one_device(x, count)
    bits = np.iinfo(x.dtype).bits
    valid = (count >= 0) & (count < bits)
    return np.right_shift(x, np.where(valid, count, bits - 1).astype(x.dtype))


bitwise_left_shift, bitwise_left_shift_ = bitwise(
    shift_left, "bitwise_left_shift", "Multiply `input` by 2 ** other, bit by bit.", "lshift_cpu"
)
bitwise_right_shift, bitwise_right_shift_ = bitwise(
    shift_right,
    "bitwise_right_shift",
    "Divide `input` by 2 ** other and round down.",
    "rshift_cpu",
)


class ComparisonMethods(TensorBase):
    """The operators and methods of this file."""

    eq, eq_, ne, ne_, lt, lt_ = eq.method, eq_.method, ne.method, ne_.method, lt.method, lt_.method
    le, le_, gt, gt_, ge, ge_ = le.method, le_.method, gt.method, gt_.method, ge.method, ge_.method
    isnan, isinf, isfinite = isnan.method, isinf.method, isfinite.method
    signbit = signbit.method
    isclose, allclose, equal = isclose.method, allclose.method, equal.method
    logical_not, logical_not_ = logical_not.method, logical_not_.method
    logical_and, logical_and_ = logical_and.method, logical_and_.method
    logical_or, logical_or_ = logical_or.method, logical_or_.method
    logical_xor, logical_xor_ = logical_xor.method, logical_xor_.method

    __eq__, __ne__, __lt__, __le__, __gt__, __ge__ = operators(
        eq, ne, lt, le, gt, ge, asked="__eq__ ne lt le gt ge"
    )
    __hash__ = object.__hash__  # by identity, as in PyTorch: equality gives a tensor

    def __invert__(self) -> TensorBase:
        if watchers and (found := answer(ComparisonMethods.__invert__, (self,))):
            return cast(TensorBase, found[0])
        if self._array.dtype.kind == "f":
            raise TypeError(
                "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
            )
        return cast(TensorBase, bitwise_not(self))

    __and__, __or__, __xor__ = operators(
        bitwise_and, bitwise_or, bitwise_xor, asked="__and__ __or__ __xor__"
    )
    __rand__, __ror__, __rxor__ = operators(bitwise_and, bitwise_or, bitwise_xor, reflected=True)
    __iand__, __ior__, __ixor__ = operators(
        bitwise_and_, bitwise_or_, bitwise_xor_, asked="__iand__ __ior__ __ixor__"
    )

    __lshift__, __rshift__ = operators(
        bitwise_left_shift, bitwise_right_shift, asked="__lshift__ __rshift__"
    )
    __rlshift__, __rrshift__ = operators(
        bitwise_left_shift, bitwise_right_shift, reflected=True, asked="__rlshift__ __rrshift__"
    )
    __ilshift__, __irshift__ = operators(
        bitwise_left_shift_, bitwise_right_shift_, asked="__ilshift__ __irshift__"
    )

    bitwise_left_shift, bitwise_left_shift_ = bitwise_left_shift.method, bitwise_left_shift_.method
    bitwise_right_shift, bitwise_right_shift_ = (
        *(bitwise_right_shift.method, bitwise_right_shift_.method),
    )
    bitwise_not, bitwise_not_ = bitwise_not.method, bitwise_not_.method
    bitwise_and, bitwise_and_ = bitwise_and.method, bitwise_and_.method
    bitwise_or, bitwise_or_ = bitwise_or.method, bitwise_or_.method
    bitwise_xor, bitwise_xor_ = bitwise_xor.method, bitwise_xor_.method
