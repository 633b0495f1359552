"""Comparisons, logic and bits: no gradient flows through them.

Only the in-place forms of the comparisons leave a node behind, since what they overwrite had a
history: its gradient is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numpy as np

from ..arrays.memory_order import laid_out
from ..arrays.words import (
    check_result,
    check_same_type,
    check_tensor,
    check_tensors,
    not_implemented,
)
from ..core.broadcasting import size_mismatch
from ..core.inplace import inplace, overwrite
from ..core.node import TensorBase, new_tensor
from ..core.operation import Operation
from ..core.promotion import check_holds, in_common_type, number, promoted
from .fronts import OPERANDS, Function, elementwise, named, operators
from .kinds import Constant


class Comparison(Constant):
    """What an in-place comparison leaves in the graph."""

    rule = r"\bar a = 0, \qquad \bar b = 0"


Binary = Callable[[TensorBase, Any], TensorBase]
Logical = Callable[..., TensorBase]


def comparison(ufunc: Function, name: str, text: str) -> tuple[Binary, Binary]:
    """The public function of a comparison, and the one that works in place."""

    def function(input: TensorBase, other: Any) -> TensorBase:
        check_tensor(input, name)
        return compare(ufunc, input, other, with_number)

    def function_(input: TensorBase, other: Any) -> TensorBase:
        check_tensor(input, name + "_")
        return inplace(with_tensor if isinstance(other, TensorBase) else with_number, input, other)

    with_number = node_class(f"{name.title()}Backward0", ("self",), ("_other",), ufunc)
    with_tensor = node_class(f"{name.title()}Backward1", ("self", "other"), (), ufunc)
    return named(name, text, function, function_)


def node_class(
    name: str, inputs: tuple[str, ...], params: tuple[str, ...], forward: Function
) -> type[Operation]:
    """A subclass of Comparison. Made here, since the twelve differ in little but their names."""
    contents = {"inputs": inputs, "params": params, "forward": staticmethod(forward)}
    return cast("type[Operation]", type(name, (Comparison,), contents))


def compare(ufunc: Function, a: Any, b: Any, op: type[Operation] = Comparison) -> TensorBase:
    """`ufunc` of two operands in their common type; the second may be a number."""
    x = a._array
    if isinstance(b, TensorBase):
        y = b._array
        if x.dtype is not y.dtype:
            x, y = promoted(x, y)
    else:
        y = number(op, b)
    try:
        return new_tensor(laid_out(ufunc(x, y), x, y))
    except ValueError:
        raise size_mismatch(x.shape, y.shape) from None


eq, eq_ = comparison(np.equal, "eq", "input == other, elementwise.")
ne, ne_ = comparison(np.not_equal, "ne", "input != other, elementwise.")
lt, lt_ = comparison(np.less, "lt", "input < other, elementwise.")
le, le_ = comparison(np.less_equal, "le", "input <= other, elementwise.")
gt, gt_ = comparison(np.greater, "gt", "input > other, elementwise.")
ge, ge_ = comparison(np.greater_equal, "ge", "input >= other, elementwise.")


# --- Properties of numbers


def isnan(input: TensorBase) -> TensorBase:
    """True where `input` is not a number."""
    check_tensor(input, "isnan")
    return new_tensor(np.isnan(input._array))


def isinf(input: TensorBase) -> TensorBase:
    """True where `input` is infinite."""
    check_tensor(input, "isinf")
    return new_tensor(np.isinf(input._array))


def isfinite(input: TensorBase) -> TensorBase:
    """True where `input` is a finite number."""
    check_tensor(input, "isfinite")
    return new_tensor(np.isfinite(input._array))


def isclose(
    input: TensorBase,
    other: TensorBase,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    equal_nan: bool = False,
) -> TensorBase:
    """Where |input - other| <= atol + rtol * |other|.

    Raises:
        RuntimeError: the two are of different types.
    """
    check_tensors("isclose", ("input", input), ("other", other))
    x, y = input._array, other._array
    check_same_type(x, y, "{} did not match {}")
    return new_tensor(
        elementwise(partial(np.isclose, rtol=rtol, atol=atol, equal_nan=equal_nan), x, y)
    )


def allclose(
    input: TensorBase,
    other: TensorBase,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    equal_nan: bool = False,
) -> bool:
    """Whether |input - other| <= atol + rtol * |other| everywhere.

    Raises:
        RuntimeError: the two are of different types.
    """
    return bool(isclose(input, other, rtol, atol, equal_nan)._array.all())


def equal(input: TensorBase, other: TensorBase) -> bool:
    """Whether both have the same shape and the same elements."""
    check_tensors("equal", ("input", input), ("other", other))
    return bool(np.array_equal(input._array, other._array))


# --- Logic and bits


def logical(ufunc: Function, name: str, text: str) -> tuple[Logical, Logical]:
    """The public function of a logical operation on tensors, and the one that works in place."""

    def function(input: TensorBase, *other: Any) -> TensorBase:
        check_tensor(input, name)
        if not other:
            return new_tensor(ufunc(input._array))
        check_tensor(other[0], name, "other", 2)
        return compare(ufunc, input, *other)

    return named(name, text, function, in_place(function, name))


def bitwise(ufunc: Function, name: str, text: str) -> tuple[Logical, Logical]:
    """The public function of an operation on the bits of integers, and the one in place."""

    def function(*operands: Any) -> TensorBase:
        for position, operand in enumerate(operands, 1):
            if not isinstance(operand, OPERANDS):
                check_tensor(operand, name, ("input", "other")[position - 1], position)
        arrays = in_common_type(Comparison, *operands)
        if arrays[0].dtype.kind == "f":
            raise not_implemented(f"{name}_cpu", arrays[0].dtype)
        return new_tensor(elementwise(ufunc, *arrays))

    return named(name, text, function, in_place(function, name))


def in_place(function: Logical, name: str) -> Logical:
    """`function` with its result written into its first argument.

    It leaves nothing in the graph: integers have no history, and truth values have no slope.
    """

    def function_(input: TensorBase, *other: Any) -> TensorBase:
        check_tensor(input, name + "_")
        if name.startswith("bitwise"):
            for each in other:
                check_holds(input, each)
        value = function(input, *other)._array
        check_result(value, input._array)
        return overwrite(Comparison, input, (), (), value)

    return function_


logical_not, logical_not_ = logical(np.logical_not, "logical_not", "True where `input` is zero.")
logical_and, logical_and_ = logical(np.logical_and, "logical_and", "Whether neither is zero.")
logical_or, logical_or_ = logical(np.logical_or, "logical_or", "Whether one of them is not zero.")
logical_xor, logical_xor_ = logical(np.logical_xor, "logical_xor", "Whether just one is not zero.")
bitwise_not, bitwise_not_ = bitwise(np.invert, "bitwise_not", "Every bit turned around.")
bitwise_and, bitwise_and_ = bitwise(np.bitwise_and, "bitwise_and", "The bits set in both.")
bitwise_or, bitwise_or_ = bitwise(np.bitwise_or, "bitwise_or", "The bits set in one or both.")
bitwise_xor, bitwise_xor_ = bitwise(np.bitwise_xor, "bitwise_xor", "The bits set in just one.")


class ComparisonMethods(TensorBase):
    """The operators and methods of this file."""

    eq, eq_, ne, ne_, lt, lt_ = eq, eq_, ne, ne_, lt, lt_
    le, le_, gt, gt_, ge, ge_ = le, le_, gt, gt_, ge, ge_
    isnan, isinf, isfinite = isnan, isinf, isfinite
    isclose, allclose, equal = isclose, allclose, equal
    logical_not, logical_not_ = logical_not, logical_not_
    logical_and, logical_and_ = logical_and, logical_and_
    logical_or, logical_or_ = logical_or, logical_or_
    logical_xor, logical_xor_ = logical_xor, logical_xor_
    bitwise_not, bitwise_not_ = bitwise_not, bitwise_not_
    bitwise_and, bitwise_and_ = bitwise_and, bitwise_and_
    bitwise_or, bitwise_or_ = bitwise_or, bitwise_or_
    bitwise_xor, bitwise_xor_ = bitwise_xor, bitwise_xor_

    __eq__, __ne__, __lt__, __le__, __gt__, __ge__ = operators(  # type: ignore[assignment]
        eq, ne, lt, le, gt, ge
    )
    __hash__ = object.__hash__  # by identity, as in PyTorch: equality gives a tensor

    def __invert__(self) -> TensorBase:
        if self._array.dtype.kind == "f":
            raise TypeError(
                "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
            )
        return bitwise_not(self)

    __and__, __or__, __xor__ = operators(bitwise_and, bitwise_or, bitwise_xor)
    __rand__, __ror__, __rxor__ = operators(bitwise_and, bitwise_or, bitwise_xor, reflected=True)
    __iand__, __ior__, __ixor__ = operators(bitwise_and_, bitwise_or_, bitwise_xor_)
