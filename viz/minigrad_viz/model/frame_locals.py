"""The variables of a function that is running, read without a trace.

Up to Python 3.12 `frame.f_locals` of a function is a dictionary that Python fills when it is asked
for and that stays with the frame: what has been read keeps every tensor alive, also one that the
function deletes, until it returns. So it is emptied again, unless the program has it as well.
"""

from __future__ import annotations

import sys
from inspect import CO_OPTIMIZED
from types import FrameType
from typing import Any


def variables_of(frame: FrameType) -> dict[str, Any]:
    """The names and values in a frame's own scope, as they are now."""
    scope: Any = frame.f_locals
    found = dict(scope)
    if type(scope) is dict and frame.f_code.co_flags & CO_OPTIMIZED:
        if sys.getrefcount(scope) <= OWN_REFERENCES:
            scope.clear()
    return found


def scopes_of(frame: FrameType) -> list[dict[str, Any]]:
    """The variables that code in the frame sees: its own, and then those of its module."""
    own = variables_of(frame)
    inside = frame.f_code.co_flags & CO_OPTIMIZED or frame.f_locals is not frame.f_globals
    return [own, frame.f_globals] if inside else [own]


def names_in(frame: FrameType) -> dict[str, Any]:
    """What each name means to code in the frame: its own variables before those of its module."""
    return {**frame.f_globals, **variables_of(frame)}


def _count() -> int:
    frame = sys._getframe()
    scope: Any = frame.f_locals
    return sys.getrefcount(scope)


OWN_REFERENCES = _count()
"""How many references such a dictionary has that nobody but its frame and the reader holds."""
