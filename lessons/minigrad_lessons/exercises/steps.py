"""Stop a learner's code after a fixed number of steps.

Steps are counted, not seconds: a verdict must not depend on the load of the machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

STEPS = 3_000_000
"""Limit of Python instructions: enough for a thousand training steps on the learner's engine, a few
seconds at most.
"""
CALL = 5
"""Steps charged for one call of a library's function, whose own steps are not counted."""

BOOTSTRAP = "<frozen importlib._bootstrap>"


class EndlessError(BaseException):
    """Raised if the learner's code runs for too many steps.

    It is no Exception: an answer may catch those and go on for ever.
    """


@contextmanager
def bounded(
    called: Callable[[FrameType], None] = lambda frame: None,
    returned: Callable[[FrameType, Any], None] = lambda frame, result: None,
) -> Iterator[None]:
    """Raise EndlessError in a notebook's own code after too many steps inside the block.

    `called` is called for each call from outside of the notebook's code, `returned` with its
    result.
    """
    left = STEPS
    inside = importing = 0

    def imported(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal importing
        if event == "return":
            importing -= 1
        return imported

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left, inside, importing
        if event == "call" and frame.f_code.co_filename == BOOTSTRAP:
            # PyTorch imports modules at first use: these steps are not the answer's.
            if frame.f_code.co_name == "_find_and_load":
                importing += 1
                return imported
            return None
        if importing:
            return None
        ours = frame.f_globals.get("__name__") == "__main__"
        if event == "call" and ours:
            if inside == 0:
                called(frame)
            inside += 1
        elif event == "return":
            inside -= 1
            if inside == 0:
                returned(frame, argument)
        if inside:
            left -= 1 if ours else CALL
        if left < 0:
            raise EndlessError
        if not ours:
            return None  # a library's code ends by itself
        frame.f_trace_opcodes = True  # from Python 3.12 on this needs line tracing, too
        return count

    outside = sys.gettrace()
    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(outside)
