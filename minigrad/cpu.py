"""PyTorch's `torch.cpu`: the processor under the names that GPUs have, for code that runs on both.

The processor computes at once, so streams hold nothing and there is nothing to wait for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .arrays.left_out import missing_from

__all__ = [
    "Stream",
    "current_device",
    "current_stream",
    "device_count",
    "is_available",
    "is_initialized",
    "set_device",
    "stream",
    "synchronize",
]


class Stream:
    """A queue of work. The processor has one, which is always empty."""

    def __init__(self, priority: int = -1) -> None: ...

    def wait_stream(self, stream: Any) -> None:
        """Do nothing: no work is waiting."""

    def record_event(self) -> None:
        """Do nothing."""

    def wait_event(self, event: Any) -> None:
        """Do nothing."""


current = [Stream()]
"""The streams that were entered, the current one last."""


def is_available() -> bool:
    """Return whether there is a processor: True."""
    return True


def is_initialized() -> bool:
    """Return whether it can be used: True."""
    return True


def device_count() -> int:
    """Return the number of processors, which always counts as 1."""
    return 1


def current_device() -> str:
    """Return the name of the processor: "cpu"."""
    return "cpu"


def set_device(device: Any) -> None:
    """Do nothing: there is one processor."""


def synchronize(device: Any = None) -> None:
    """Do nothing: the processor has finished its work."""


def current_stream(device: Any = None) -> Stream:
    """Return the stream that was entered last."""
    return current[-1]


@contextmanager
def stream(stream: Stream | None) -> Iterator[None]:
    """Enter a stream, or none."""
    current.append(current[-1] if stream is None else stream)
    try:
        yield
    finally:
        current.pop()


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
