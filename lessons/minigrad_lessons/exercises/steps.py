"""An end for every program: the learner's own code is stopped after very many steps.

Steps are counted, not seconds: a verdict must not depend on how busy the machine is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

STEPS = 3_000_000
"""Instructions of the learner's Python: a network trained on an engine of one's own, a thousand
steps of training, and seconds at most.
"""
CALL = 5
"""What a call of a library's function counts, as it does not count what happens in there."""

BOOTSTRAP = "<frozen importlib._bootstrap>"


class EndlessError(BaseException):
    """The learner's code was called, and had not come back after very many steps.

    No Exception: an answer that catches those goes on for ever.
    """


@contextmanager
def bounded(
    called: Callable[[FrameType], None] = lambda frame: None,
    returned: Callable[[FrameType, Any], None] = lambda frame, result: None,
) -> Iterator[None]:
    """Within, a notebook's own code raises EndlessError after too many steps.

    `called` is told of each call that comes from outside of the notebook's code, and `returned` of
    what it returned.
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
            # PyTorch imports much when something is used for the first time: no work of the answer.
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
            return None  # a library's code comes to an end
        frame.f_trace_opcodes = True  # from Python 3.12 on only where lines are traced, too
        return count

    outside = sys.gettrace()
    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(outside)
