"""Gradient modes for users: PyTorch's `torch.autograd.grad_mode`.

core/modes.py defines what a mode is, and the modes that minigrad itself uses.
"""

from __future__ import annotations

from typing import Any, Self, overload

from ..core.modes import F, Mode, enable_grad, modes, no_grad, recording

__all__ = [
    "enable_grad",
    "inference_mode",
    "no_grad",
    "set_grad_enabled",
    "set_multithreading_enabled",
]


class LastingMode(Mode):
    """A mode that its call sets permanently.

    As a context manager it ends with the block, and restores the value before the call.
    """

    def _set(self) -> None:
        self.__enter__()
        self._at_call = self._before

    def __call__(self, function: F) -> F:
        # A decorator acts when the function runs, not where it is defined.
        self.__exit__(None, None, None)
        self._at_call = None
        return super().__call__(function)


class set_grad_enabled(LastingMode):
    """Turn recording on or off, permanently by a call or as a context manager."""

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise TypeError(
                "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not "
                f"{type(mode).__name__}"
            )
        self.mode = mode
        self._set()

    def switch(self) -> dict[str, Any]:
        return recording(self.mode)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"


class inference_mode(Mode):
    """Like `no_grad`, for results that never take part in autograd: `enable_grad` has no effect."""

    @overload
    def __new__(cls, mode: bool = True) -> Self: ...
    @overload
    def __new__(cls, mode: F) -> F: ...  # type: ignore[misc]
    def __new__(cls, mode: Any = True) -> Any:
        self = super().__new__(cls)
        return self if isinstance(mode, bool) else cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def switch(self) -> dict[str, Any]:
        return {"grad": not self.mode, "inference": self.mode, "in_vain": False}


class set_multithreading_enabled(LastingMode):
    """Allow or forbid backward passes in several threads, by a call or as a context manager.

    Here a pass always runs in the calling thread: only the value of
    `torch.autograd.is_multithreading_enabled()` changes.
    """

    def __init__(self, mode: bool) -> None:
        self.mode = mode
        self._set()

    def __call__(self, function: F) -> F:
        self._at_call = None  # permanent: decorating is a call, too
        return Mode.__call__(self, function)

    def switch(self) -> dict[str, Any]:
        return {"multithreading": self.mode}


def is_grad_enabled() -> bool:
    """Return whether recording is on in this thread; inside `inference_mode` it has no effect."""
    return modes.grad or modes.in_vain


def is_inference_mode_enabled() -> bool:
    """Return whether this thread is inside `inference_mode`."""
    return modes.inference


def is_multithreading_enabled() -> bool:
    """Return the last value of `set_multithreading_enabled`."""
    return modes.multithreading
