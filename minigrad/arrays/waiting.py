"""Errors of a GPU, raised when the program waits for it.

A GPU works asynchronously; only reading a number waits for it. So an error there is marked in its
memory (positions.py) and raised at the next wait, like a "device-side assert" of PyTorch. An
immediate check would cost a wait for every index.
"""

from __future__ import annotations

from typing import Any

from .devices import ON_CPU

marks: dict[int, Any] = {}
"""By GPU, an array of one number on it, which is nonzero after an error."""

unread: set[int] = set()
"""The GPUs whose marks may have been written since they were last read."""


def on_host(array: Any) -> Any:
    """Return the same numbers in the host's memory.

    Raises:
        RuntimeError: an error occurred on a GPU before.
    """
    if isinstance(array, ON_CPU):
        return array
    tell()
    return array.get()


def tell() -> None:
    """Raise an error of a GPU, once. Called where the program waits for the GPU anyway.

    Raises:
        RuntimeError: there was an error.
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
