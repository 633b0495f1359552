"""What waits for a GPU, and what it may learn when it does.

A GPU works by itself while the program goes on; only who asks for a number waits for it. So what
has gone wrong there is marked in its memory (positions.py) and told at the next wait, as PyTorch
tells a "device-side assert": to ask at once would cost a wait for every index.
"""

from __future__ import annotations

from typing import Any

from .devices import ON_CPU

marks: dict[int, Any] = {}
"""For each GPU an array of one number on it, which is not 0 once something has gone wrong."""

unread: set[int] = set()
"""The GPUs whose marks may have been written since they were read last."""


def on_host(array: Any) -> Any:
    """The same numbers in the host's memory.

    Raises:
        RuntimeError: something has gone wrong on a GPU before.
    """
    if isinstance(array, ON_CPU):
        return array
    tell()
    return array.get()


def tell() -> None:
    """Tell what has gone wrong on a GPU, once: called where the program waits for it anyway.

    Raises:
        RuntimeError: something has.
    """
    while unread:
        mark = marks[unread.pop()]
        size = int(mark.get()[0])
        if size:
            mark[...] = 0
            raise RuntimeError(
                "CUDA error: device-side assert triggered: since the GPU was last waited for, a "
                f"position was out of range in a dimension of size {size - 1}. On the CPU the "
                "error comes at once, and says which"
            )
