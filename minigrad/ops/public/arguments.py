"""Arguments that NumPy or Python would accept, but PyTorch refuses.

A public function computes first, and its schema explains a failure. A dictionary as a slope never
fails, and a float that counts something fails late. Functions pass such arguments through one of
these converters. Each returns accepted values and raises a bare TypeError for all others, so that
the schema is read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.messages import is_tensor
from .dims import whole_number


def number(value: Any) -> Any:
    """Return a Python number, also from a NumPy number or a 0-d tensor.

    >>> number(2), number(np.float32(0.5))
    (2, 0.5)
    """
    if type(value) is float or type(value) is int:
        return value
    if is_tensor(value):
        if value._array.ndim or value.requires_grad:
            raise TypeError
        value = value._array[()]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, complex):  # the schema decides whether this is a number
        raise RuntimeError("value cannot be converted to type float without overflow")
    if not isinstance(value, (float, int)):
        raise TypeError
    return value


def whole(value: Any) -> int:
    """Return a Python int, also from a NumPy integer or a 0-d tensor."""
    if type(value) is int:
        return value
    if is_tensor(value) and value._array.ndim:
        raise TypeError
    return whole_number(value)


def whole_numbers(value: Any) -> tuple[int, ...]:
    """Return one integer, or a tuple or list of integers, as a tuple.

    >>> whole_numbers(2), whole_numbers([1, 2])
    ((2,), (1, 2))
    """
    if type(value) is int:
        return (value,)
    if isinstance(value, (tuple, list)):
        return tuple([n if type(n) is int else whole(n) for n in value])
    return (whole(value),)


def integer_tuple(value: Any) -> tuple[int, ...]:
    """Return a tuple or list of integers as a tuple; a single integer is refused.

    As in PyTorch, only the first element is checked for being a bool.
    """
    if not isinstance(value, (tuple, list)):
        raise TypeError
    return tuple([int(n) if k and isinstance(n, bool) else whole(n) for k, n in enumerate(value)])
