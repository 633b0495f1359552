"""Numbers at equal distances, with PyTorch's rounding."""

from __future__ import annotations

from typing import Any

import numpy as np

from .draws import multiply_add


def spaced(first: Any, last: Any, count: int) -> Any:
    """Return `count` numbers from `first` to `last`, counted from both ends to the middle.

    >>> spaced(np.float32(0), np.float32(1), 3)
    array([0. , 0.5, 1. ], dtype=float32)
    """
    if count == 1:
        return np.full(1, first)
    by = (last - first) / first.dtype.type(max(count - 1, 1))
    ahead, halfway = np.arange(count, dtype=first.dtype), count // 2
    rising, falling = ahead[:halfway], ahead[: count - halfway][::-1]
    if first.itemsize == 2:
        return np.concatenate([rising * by + first, last - falling * by])
    near_first = multiply_add(rising, by, first)
    return np.concatenate([near_first, multiply_add(falling, -by, last)])
