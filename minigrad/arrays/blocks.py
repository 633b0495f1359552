"""Large arrays worked on a block at a time, so that what is computed on the way stays in the
cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

BLOCK = 2**16
"""Elements that are worked on at a time: 256 KB of float32."""


def in_blocks(*arrays: Any) -> Sequence[Sequence[Any]]:
    """The same elements of all `arrays`, some at a time.

    What is computed of them on the way stays in the cache: room for a whole array more would cost
    more than the arithmetic, because the system hands out its pages one by one.
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
