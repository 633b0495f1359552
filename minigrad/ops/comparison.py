"""Comparisons and logic: results are of type bool, and no gradient flows through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph import TensorBase, new_tensor
from ..operation import Operation, number, promoted, size_mismatch


def compare(function: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """`function` of two operands in their common type; one may be a number."""
    x = a._array if isinstance(a, TensorBase) else number(Operation, a)
    y = b._array if isinstance(b, TensorBase) else number(Operation, b)
    if isinstance(a, TensorBase) and isinstance(b, TensorBase) and x.dtype is not y.dtype:
        x, y = promoted(x, y)
    try:
        return new_tensor(function(x, y))
    except ValueError:
        raise size_mismatch(x.shape, y.shape) from None


def eq(input: Any, other: Any) -> Any:
    """input == other, elementwise."""
    return compare(np.equal, input, other)


def ne(input: Any, other: Any) -> Any:
    """input != other, elementwise."""
    return compare(np.not_equal, input, other)


def lt(input: Any, other: Any) -> Any:
    """input < other, elementwise."""
    return compare(np.less, input, other)


def le(input: Any, other: Any) -> Any:
    """input <= other, elementwise."""
    return compare(np.less_equal, input, other)


def gt(input: Any, other: Any) -> Any:
    """input > other, elementwise."""
    return compare(np.greater, input, other)


def ge(input: Any, other: Any) -> Any:
    """input >= other, elementwise."""
    return compare(np.greater_equal, input, other)


def logical_not(input: Any) -> Any:
    """True where `input` is zero."""
    return new_tensor(np.logical_not(input._array))


def isnan(input: Any) -> Any:
    """True where `input` is not a number."""
    return new_tensor(np.isnan(input._array))


def isinf(input: Any) -> Any:
    """True where `input` is infinite."""
    return new_tensor(np.isinf(input._array))


def isfinite(input: Any) -> Any:
    """True where `input` is a finite number."""
    return new_tensor(np.isfinite(input._array))


def allclose(
    input: Any, other: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Whether |input - other| <= atol + rtol * |other| everywhere."""
    return bool(np.allclose(input._array, other._array, rtol, atol, equal_nan))


def equal(input: Any, other: Any) -> bool:
    """Whether both have the same shape and the same elements."""
    return bool(np.array_equal(input._array, other._array))


class ComparisonMethods(TensorBase):
    """The operators and methods of this file."""

    eq = eq
    ne = ne
    lt = __lt__ = lt
    le = __le__ = le
    gt = __gt__ = gt
    ge = __ge__ = ge
    logical_not = logical_not
    isnan = isnan
    isinf = isinf
    isfinite = isfinite
    allclose = allclose
    equal = equal

    def __eq__(self, other: object) -> Any:
        return eq(self, other) if comparable(other) else NotImplemented

    def __ne__(self, other: object) -> Any:
        return ne(self, other) if comparable(other) else NotImplemented

    __hash__ = object.__hash__  # by identity, as in PyTorch: equality gives a tensor

    def __invert__(self) -> Any:
        return new_tensor(np.invert(self._array))

    def __and__(self, other: Any) -> Any:
        return compare(np.bitwise_and, self, other)

    def __or__(self, other: Any) -> Any:
        return compare(np.bitwise_or, self, other)

    def __xor__(self, other: Any) -> Any:
        return compare(np.bitwise_xor, self, other)

    __rand__ = __and__
    __ror__ = __or__
    __rxor__ = __xor__


def comparable(value: object) -> bool:
    return isinstance(value, (TensorBase, bool, int, float, np.generic))
