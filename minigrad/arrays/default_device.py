"""The default device of each thread, and `with device:`, which changes it for a block."""

from __future__ import annotations

import threading
from typing import Any, Self


class _Chosen(threading.local):
    """The device from `set_default_device`, for each thread."""

    device: Any = None

    def __init__(self) -> None:
        self.outer: list[Any] = []
        """The defaults outside of each `with device:` block that the thread is in."""


chosen = _Chosen()
"""The default device, `None` if none was set."""


class Placing:
    """A device that places the new tensors of a block."""

    __slots__ = ()

    def __enter__(self) -> Self:
        chosen.outer.append(chosen.device)
        chosen.device = self
        return self

    def __exit__(self, *error: object) -> None:
        if not chosen.outer:
            raise RuntimeError("trying to pop from empty mode stack")
        chosen.device = chosen.outer.pop()
