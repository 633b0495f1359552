"""Tests for kinds of values (number, integer, device, ...), as PyTorch distinguishes them.

Functions and the kinds in schemas (argument_kinds.py) use them. They follow PyTorch's kinds, not
Python's types: a NumPy number and a 0-d tensor are numbers, and a bool is not an int. dtypes and
devices are recognized by the names of their classes, so this file imports neither.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...arrays.messages import is_tensor

Test = Callable[[Any], bool]


def number(*types: type, tensors: str = "fiub") -> Test:
    """Return a test for numbers. A 0-d tensor is one if its dtype's kind is among `tensors`."""

    def is_number(value: Any) -> bool:
        if is_tensor(value):
            array = value._array
            return not array.ndim and array.dtype.kind in tensors and not value.requires_grad
        return isinstance(value, types)

    return is_number


is_scalar = number(int, float, complex, np.number, np.bool_)


is_float = number(int, float, np.floating, np.integer, np.bool_)


is_int_or_bool = number(int, np.integer, tensors="iu")


def is_int(value: object) -> bool:
    return is_int_or_bool(value) and not isinstance(value, bool)


def has_class_name(name: str) -> Test:
    """Return a test for instances of a class with this name."""
    return lambda value: type(value).__name__ == name


def any_of(*tests: Test) -> Test:
    return lambda value: any(test(value) for test in tests)


def instance_of(*types: type) -> Test:
    return lambda value: isinstance(value, types)


def is_number_type(value: object) -> bool:
    """Return whether `value` is a Python number type, which stands for a dtype."""
    return value is bool or value is int or value is float
