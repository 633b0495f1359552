"""Arrays whose memory is a file."""

from __future__ import annotations

import mmap
import os
from typing import Any

import numpy as np

from .memory_order import owner_of


class MappedFile(mmap.mmap):
    """A file as memory, with its name if writes go to the file."""

    filename: str | None = None


def map_file(filename: str, shared: bool, count: int, kind: np.dtype[Any]) -> Any:
    """Return the first `count` numbers of a file.

    If `shared`, writes change the file, which is made or extended if needed. Otherwise they change
    the memory of this process alone.

    Raises:
        RuntimeError: the file cannot be opened, or it is too short.
    """
    size = count * kind.itemsize
    if not size:
        return np.empty(0, kind)
    flags = os.O_RDWR | os.O_CREAT if shared else os.O_RDONLY
    try:
        opened = os.open(filename, flags | getattr(os, "O_BINARY", 0), 0o600)
    except OSError as error:
        way = "read-write" if shared else "read-only"
        reason = f"{error.strerror} ({error.errno})"
        raise RuntimeError(f"unable to open file <{filename}> in {way} mode: {reason}") from None
    try:
        found = os.fstat(opened).st_size
        if size > found and not shared:
            raise RuntimeError(
                f"file <{filename}> size <{found}> is smaller than the required mapping size "
                f"<{size}>"
            )
        if size > found:
            os.truncate(opened, size)
        if size < 0:
            reason = "Cannot allocate memory (12)"
            raise RuntimeError(f"unable to mmap {size} bytes from file <{filename}>: {reason}")
        memory = MappedFile(opened, size, access=mmap.ACCESS_WRITE if shared else mmap.ACCESS_COPY)
    finally:
        os.close(opened)
    memory.filename = filename if shared else None
    return np.frombuffer(memory, kind)


def filename_of(array: Any) -> str | None:
    """Return the file to which writes to `array` go, or None."""
    return getattr(getattr(owner_of(array).base, "obj", None), "filename", None)
