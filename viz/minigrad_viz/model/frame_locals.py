"""The variables of a running function, read without a trace.

Up to Python 3.12, reading `frame.f_locals` of a function fills a dictionary that stays with the
frame. It would keep every tensor alive until the function returns, even one that the function
deletes. So it is emptied again, unless the program holds it, too.
"""

from __future__ import annotations

import sys
from inspect import CO_OPTIMIZED
from types import FrameType
from typing import Any


def variables_of(frame: FrameType) -> dict[str, Any]:
    """Return the names and values in a frame's own scope at this moment."""
    scope: Any = frame.f_locals
    found = dict(scope)
    if type(scope) is dict and frame.f_code.co_flags & CO_OPTIMIZED:
        if sys.getrefcount(scope) <= OWN_REFERENCES:
            scope.clear()
    return found


def scopes_of(frame: FrameType) -> list[dict[str, Any]]:
    """Return the scopes that code in the frame reads: its own, and then its module's."""
    own = variables_of(frame)
    inside = frame.f_code.co_flags & CO_OPTIMIZED or frame.f_locals is not frame.f_globals
    return [own, frame.f_globals] if inside else [own]


def names_in(frame: FrameType) -> dict[str, Any]:
    """Return the variables that code in the frame reads, its own before its module's."""
    return {**frame.f_globals, **variables_of(frame)}


def _count() -> int:
    frame = sys._getframe()
    scope: Any = frame.f_locals
    return sys.getrefcount(scope)


OWN_REFERENCES = _count()
"""The references to such a dictionary if only its frame and this file hold it."""
