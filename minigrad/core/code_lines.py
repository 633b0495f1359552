"""Which lines of the user's program a node comes from: for errors, and for pictures.

A line is remembered where `modes.lines` says so, the whole traceback in anomaly mode. Both begin
where this package ends: of interest is who called it.
"""

from __future__ import annotations

import linecache
import os
import sys
from types import FrameType
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


def users_line() -> CodeLine | None:
    """The line outside this package that is running."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(HERE):
        frame = frame.f_back
    return None if frame is None else CodeLine(frame.f_code.co_filename, frame.f_lineno)


def users_stack() -> str:
    """The traceback of what is running, without the frames of this package."""
    import traceback  # here: it would take a tenth of the time of `import minigrad`

    frames = [f for f in traceback.extract_stack() if not f.filename.startswith(HERE)]
    return "".join(traceback.format_list(frames))
