"""Several steps on the same elements as one kernel.

A GPU starts a kernel for each NumPy operation; for small arrays starting takes longer than
computing. A fused formula is written once. On the CPU it runs unchanged, on large arrays block by
block. For CuPy's arrays, CuPy compiles its operations to one kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial, wraps
from typing import Any

import numpy as np

from .blocks import BLOCK, in_blocks
from .devices import ON_CPU
from .gpus import launch

RECORDED: dict[type, Any] = {}
"""Classes of tensors for which a formula is recorded step by step, with their functions."""


def fuse(formula: Callable[..., None]) -> Callable[..., None]:
    """Return `formula` without its first argument, the module whose functions it calls.

    It works in place on arrays of one shape, with operators and functions of single elements. Its
    other arguments are numbers, which it may not compare, or None.
    """

    @cache
    def kernel() -> Any:
        import cupy

        return cupy.fuse(kernel_name=f"minigrad_{formula.__name__}")(partial(formula, cupy))

    @wraps(formula)
    def run(array: Any, *others: Any) -> None:
        if type(array) in RECORDED:
            formula(RECORDED[type(array)], array, *others)
        elif not isinstance(array, ON_CPU):
            launch(kernel(), array, *others)
        elif array.size <= BLOCK:
            formula(np, array, *others)
        else:
            for block in in_blocks(array, *(x for x in others if isinstance(x, np.ndarray))):
                parts = iter(block[1:])
                rest = [next(parts) if isinstance(x, np.ndarray) else x for x in others]
                formula(np, block[0], *rest)

    return run
