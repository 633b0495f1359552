"""The modes that a program asks for by name: PyTorch's `torch.autograd.grad_mode`. What a mode is
stands in core/modes.py, with those that the rest of minigrad needs itself."""

from __future__ import annotations

from typing import Any, Self, overload

from ..core.modes import F, Mode, Modes, enable_grad, modes, no_grad, recording

__all__ = [
    "enable_grad",
    "inference_mode",
    "no_grad",
    "set_grad_enabled",
    "set_multithreading_enabled",
]


class LastingMode(Mode):
    """A mode that its call sets until further notice. As a context manager it ends after all, and
    then puts back what was there before the call."""

    _at_call: dict[str, Any] | None = None

    def _set(self) -> None:
        super().__enter__()
        self._at_call = self._before

    def __enter__(self) -> None:
        super().__enter__()
        self._before = self._at_call or self._before

    def __call__(self, function: F) -> F:
        # A decorator acts when the function runs, not where it is defined.
        self.__exit__(None, None, None)
        self._at_call = None
        return super().__call__(function)


class set_grad_enabled(LastingMode):
    """Turn recording on or off, by a call (until further notice) or as a context manager."""

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
    """Like `no_grad`, for code whose results will never meet autograd again: `enable_grad` inside
    has no effect."""

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
        Modes.inference_used = True
        return {"grad": not self.mode, "inference": self.mode, "in_vain": False}


class set_multithreading_enabled(LastingMode):
    """Let a backward pass use several threads, or no longer, by a call or as a context manager.

    Here a pass runs in the thread that asks for it in any case: what is kept is the answer to
    `torch.autograd.is_multithreading_enabled()`.
    """

    def __init__(self, mode: bool) -> None:
        self.mode = mode
        self._set()

    def __call__(self, function: F) -> F:
        self._at_call = None  # to stay: the call that decorates is a call, too
        return Mode.__call__(self, function)

    def switch(self) -> dict[str, Any]:
        return {"multithreading": self.mode}


def is_grad_enabled() -> bool:
    """Whether recording is turned on in this thread; inside `inference_mode` that has no effect."""
    return modes.grad or modes.in_vain


def is_inference_mode_enabled() -> bool:
    """Whether this thread is inside `inference_mode`."""
    return modes.inference


def is_multithreading_enabled() -> bool:
    """What `set_multithreading_enabled` was told last."""
    return modes.multithreading
