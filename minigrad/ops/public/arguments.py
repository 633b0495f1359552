"""Arguments that NumPy or Python would compute with, and PyTorch refuses.

A public function computes first, and its row explains what failed. A dictionary as a slope fails
nowhere, and a float that counts something fails late. What takes such arguments passes them through
one of these functions: each gives back what it takes, and raises a bare TypeError for all else, so
that the row is asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays.words import is_tensor
from .dims import whole_number


def number(value: Any) -> Any:
    """A Python number: itself, or what NumPy's or a 0-d tensor holds.

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
    if isinstance(value, complex):  # where that is a number at all, as the row says
        raise RuntimeError("value cannot be converted to type float without overflow")
    if not isinstance(value, (float, int)):
        raise TypeError
    return value


def whole(value: Any) -> int:
    """A Python int: itself, or what NumPy's or a 0-d tensor holds."""
    if type(value) is int:
        return value
    if is_tensor(value) and value._array.ndim:
        raise TypeError
    return whole_number(value)


def whole_numbers(value: Any) -> tuple[int, ...]:
    """A tuple or list of integers, or one alone, as a tuple.

    >>> whole_numbers(2), whole_numbers([1, 2])
    ((2,), (1, 2))
    """
    if type(value) is int:
        return (value,)
    if isinstance(value, (tuple, list)):
        return tuple([n if type(n) is int else whole(n) for n in value])
    return (whole(value),)


def several(value: Any) -> tuple[int, ...]:
    """A tuple or list of integers, as a tuple: where one alone will not do. As PyTorch does, it
    looks for a bool at the first place only."""
    if not isinstance(value, (tuple, list)):
        raise TypeError
    return tuple([int(n) if k and isinstance(n, bool) else whole(n) for k, n in enumerate(value)])
