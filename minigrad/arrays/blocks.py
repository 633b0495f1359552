"""Work on large arrays one block at a time, so that intermediate results stay in the cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

BLOCK = 2**16
"""Number of elements in a block: 256 KB of float32."""


def in_blocks(*arrays: Any) -> Sequence[Sequence[Any]]:
    """Yield the same elements of all `arrays`, one block at a time.

    Intermediate results of a block stay in the cache. Memory for another whole array would cost
    more than the arithmetic, because the system provides its pages one by one.
    """
    first = arrays[0]
    size, shape = first.size, first.shape
    if (
        size <= BLOCK
        or not isinstance(first, np.ndarray)
        or not all(x.flags.c_contiguous and x.shape == shape for x in arrays)
    ):
        return [arrays]
    flat = [x.reshape(-1) for x in arrays]
    return [[x[start : start + BLOCK] for x in flat] for start in range(0, size, BLOCK)]
