"""Which lines of the user's program a node comes from: for errors, and for pictures.

Where a program is, is remembered where `modes.lines` says so, the whole traceback in anomaly mode.
Both begin where this package ends: of interest is who called it. It is asked at every operation and
looked at rarely, so what is kept is two references, of which a line is made when somebody looks.
"""

from __future__ import annotations

import linecache
import os
import sys
from types import CodeType, FrameType
from typing import NamedTuple

HERE = os.path.dirname(os.path.dirname(__file__)) + os.sep
"""What the names of this package's files begin with."""


class CodeLine(NamedTuple):
    """A line of the user's program."""

    filename: str
    lineno: int

    @property
    def text(self) -> str:
        """The source of the line, without indentation; empty where the source is not available."""
        return linecache.getline(self.filename, self.lineno).strip()

    def __str__(self) -> str:
        return f"{self.filename}, line {self.lineno}: {self.text}"


Place = tuple[CodeType, int]
"""A function's code, and how far into it its frame has come."""

OURS: dict[int, CodeType] = {}
"""The code of this package that has been met. By `id`, as the hash of code goes through all of it;
the code is kept so that no other is given its id."""


def users_place() -> Place | None:
    """The place outside this package that is running."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if id(code) not in OURS:
            if not code.co_filename.startswith(HERE):
                return (code, frame.f_lasti)
            OURS[id(code)] = code
        frame = frame.f_back
    return None


def line_at(code: CodeType, offset: int) -> CodeLine:
    """The line of a place."""
    lines = [line for start, end, line in code.co_lines() if start <= offset < end]
    return CodeLine(code.co_filename, lines[0] or code.co_firstlineno)


def users_stack() -> str:
    """The traceback of what is running, without the frames of this package."""
    import traceback  # here: it would take a tenth of the time of `import minigrad`

    frames = [f for f in traceback.extract_stack() if not f.filename.startswith(HERE)]
    return "".join(traceback.format_list(frames))
