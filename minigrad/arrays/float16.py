"""float16: computed in float32 and rounded once, at the end, as PyTorch does.

NumPy rounds after every step, and rounds a Python number before it computes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

FLOAT16 = np.dtype(np.float16)


def in_float32(forward: Callable[..., Any], *args: Any) -> Any:
    """Compute `forward` of float16 arrays in float32, rounded once, at the end."""
    wide = [x.astype(np.float32) if getattr(x, "dtype", None) == FLOAT16 else x for x in args]
    value = forward(*wide)
    if type(value) is tuple:
        return tuple([each.astype(FLOAT16) for each in value])
    return value.astype(FLOAT16)


def widened(forward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate `forward` to compute float16 arrays in float32, rounded once, at the end."""

    @wraps(forward)
    def function(x: Any, *args: Any) -> Any:
        return forward(x, *args) if x.dtype != FLOAT16 else in_float32(forward, x, *args)

    return function
