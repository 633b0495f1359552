"""Which values PyTorch takes for a number, an integer, a device, ...: questions that functions
ask, and the kinds of arguments in signatures (argument_kinds.py).

They are PyTorch's kinds, not Python's types: a NumPy number and a 0-d tensor are numbers, a bool is
no int. Types and devices are known by what they are called, so that this file knows none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .words import is_tensor

Test = Callable[[Any], bool]


def number(*types: type, tensors: str = "fiub") -> Test:
    """A test for numbers. A 0-d tensor is one when the kind of its type is among `tensors`."""

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


def called(name: str) -> Test:
    """A test for the objects of a class that is known by its name."""
    return lambda value: type(value).__name__ == name


def either(*tests: Test) -> Test:
    return lambda value: any(test(value) for test in tests)


def of(*types: type) -> Test:
    return lambda value: isinstance(value, types)


def is_number_type(value: object) -> bool:
    """Python's types of numbers stand for PyTorch's."""
    return value is bool or value is int or value is float
