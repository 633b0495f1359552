"""Observation of Python's calls and returns, next to the profiler of the reader."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from ..model.names import is_tensor, made_by


@contextmanager
def observe_python(see: Callable[[FrameType, str], None]) -> Iterator[None]:
    """Within the block, call `see(frame, event)` for each "call" and "return" of this thread.

    A profiler written in Python sees them, too. cProfile, which is written in C, pauses.
    """
    before: Any = sys.getprofile()

    def at_event(frame: FrameType, event: str, value: Any) -> None:
        if callable(before):
            before(frame, event, value)
        see(frame, event)

    sys.setprofile(at_event)
    try:
        yield
    finally:
        sys.setprofile(None)
        if callable(before):
            sys.setprofile(before)
        elif before is not None:
            before.enable()


@contextmanager
def variables_of_call(
    function: Callable[..., Any], keep: Callable[[Any], bool] = is_tensor
) -> Iterator[dict[str, Any]]:
    """Give the function's variables that `keep` accepts, after it has returned inside the block."""
    variables: dict[str, Any] = {}
    code = getattr(function, "__code__", None)

    def see(frame: FrameType, event: str) -> None:
        if event == "return" and frame.f_code is code:
            # variables_of would empty f_locals, which Python writes back into the frame after this.
            variables.update({k: v for k, v in frame.f_locals.items() if keep(v)})

    with observe_python(see):
        yield variables


@contextmanager
def leaves_of_call(function: Callable[..., Any]) -> Iterator[dict[int, tuple[str, Any]]]:
    """Give leaves that variables of the function named, and of others in its file, by identity."""
    leaves: dict[int, tuple[str, Any]] = {}
    file = getattr(getattr(function, "__code__", None), "co_filename", None)

    def see(frame: FrameType, event: str) -> None:
        if event == "return" and frame.f_code.co_filename == file:
            for name, value in frame.f_locals.items():
                if is_tensor(value) and value.requires_grad and made_by(value)[0] is None:
                    leaves.setdefault(id(value), (name, value))

    with observe_python(see):
        yield leaves
