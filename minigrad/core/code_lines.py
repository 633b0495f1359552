"""Lines of the user's program that made a node, for errors and for pictures.

Lines are recorded where `modes.lines` says so, and whole tracebacks in anomaly mode. Both begin at
the caller of this package. Recording happens for every operation and reading is rare. So a node
stores two references, and the line is computed when it is read.
"""

from __future__ import annotations

import linecache
import os
import sys
from types import CodeType, FrameType
from typing import Any, NamedTuple

HERE = os.path.dirname(os.path.dirname(__file__)) + os.sep
"""The common beginning of the file names of this package."""


class CodeLine(NamedTuple):
    """A line of the user's program."""

    filename: str
    lineno: int

    @property
    def text(self) -> str:
        """Return the source of the line without indentation; empty where no source is available."""
        return linecache.getline(self.filename, self.lineno).strip()

    def __str__(self) -> str:
        return f"{self.filename}, line {self.lineno}: {self.text}"


Place = tuple[Any, ...]
"""A code object and the offset of the current instruction of its frame, then those of its callers:
`(code, offset, code, offset, ...)`.
"""


class Call(NamedTuple):
    """A module's call: the module (weakly), its class's name, the place that called it, and the
    call around it.
    """

    module: Any
    kind: str
    place: Place | None
    around: Call | None


MOST_CALLERS = 4
"""Places that are recorded: the innermost one and its callers, up to the program's own level."""

OURS: dict[int, CodeType] = {}
"""Code objects of this package seen so far, by `id`: the hash of a code object reads all of it.

Storing the objects keeps their ids from being reused.
"""


def users_place() -> Place | None:
    """Return the innermost running place outside this package, with its callers."""
    frame: FrameType | None = sys._getframe(1)
    found: Place = ()
    while frame is not None:
        code = frame.f_code
        if id(code) not in OURS:
            if code.co_filename.startswith(HERE):
                OURS[id(code)] = code
            else:
                found += (code, frame.f_lasti)
                if code.co_name == "<module>" or len(found) == 2 * MOST_CALLERS:
                    break
        frame = frame.f_back
    return found or None


def line_at(place: Place) -> CodeLine:
    """Return the line of a place."""
    code, offset = place[:2]
    lines = [line for start, end, line in code.co_lines() if start <= offset < end]
    return CodeLine(code.co_filename, lines[0] or code.co_firstlineno)


def users_stack() -> str:
    """Return the current traceback without the frames of this package."""
    import traceback  # here, as it takes a tenth of the time of `import minigrad`

    frames = [f for f in traceback.extract_stack() if not f.filename.startswith(HERE)]
    return "".join(traceback.format_list(frames))
