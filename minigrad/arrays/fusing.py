"""Several steps on the same elements as one kernel.

A GPU starts a kernel for each operation of NumPy's, and for small arrays starting takes longer than
computing. A formula that is fused is written once: on the CPU it runs as it stands, on a block of
large arrays after the other, and of what it does to CuPy's arrays CuPy makes one kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial, wraps
from typing import Any

import numpy as np

from .blocks import BLOCK, in_blocks
from .devices import ON_CPU
from .gpus import launched


def fused(formula: Callable[..., None]) -> Callable[..., None]:
    """`formula` without its first argument, the module whose functions it is to call.

    It works in place on arrays of one shape, in operators and functions of single elements. Its
    other arguments are numbers, which it may not ask anything, or None.
    """

    @cache
    def kernel() -> Any:
        import cupy

        return cupy.fuse(kernel_name=f"minigrad_{formula.__name__}")(partial(formula, cupy))

    @wraps(formula)
    def run(array: Any, *others: Any) -> None:
        if not isinstance(array, ON_CPU):
            launched(kernel(), array, *others)
        elif array.size <= BLOCK:
            formula(np, array, *others)
        else:
            for block in in_blocks(array, *(x for x in others if isinstance(x, np.ndarray))):
                parts = iter(block[1:])
                rest = [next(parts) if isinstance(x, np.ndarray) else x for x in others]
                formula(np, block[0], *rest)

    return run
