"""The files of the reader's program with the lines that made the graph.

The text comes from linecache, which has notebook cells, too. Files are named without their folders,
which are private and differ between machines.
"""

from __future__ import annotations

import linecache
import re
from pathlib import PurePath
from typing import NamedTuple

from minigrad.autograd.events import CodeLine

from ..texts.language import Language
from ..texts.sentences import say

CONTEXT = 3
"""Lines shown before the first and after the last line that made a node."""

LONGEST = 400
"""Files of at most this many lines are shown whole."""


CELL = re.compile(r"ipykernel_\d+[/\\]\d+\.py$|<ipython-input|<stdin>|<cell \d+>$")


class SourceFile(NamedTuple):
    """The visible part of a file, from line `first` on; `cut` means that the file has more."""

    name: str
    first: int
    lines: list[str]
    cut: bool


class SourceLine(NamedTuple):
    """A line, counted from one, of the visible file with the index `file`."""

    file: int
    line: int


class Sources:
    """Collects the files with the lines to show."""

    def __init__(self, language: Language) -> None:
        self.language = language
        # The numbers of lines, by the name of the file as the interpreter knows it.
        self._lines: dict[str, set[int]] = {}

    def place(self, line: CodeLine) -> SourceLine | None:
        """Return where the line will be visible; None if it has no text."""
        if not linecache.getline(line.filename, line.lineno):
            return None
        self._lines.setdefault(line.filename, set()).add(line.lineno)
        return SourceLine(list(self._lines).index(line.filename), line.lineno)

    def files(self) -> list[SourceFile]:
        """Return the files in the order of their first line here."""
        cells = 0
        files = []
        for filename, needed in self._lines.items():
            lines = [line.rstrip("\n") for line in linecache.getlines(filename)]
            first, last = 1, len(lines)
            if len(lines) > LONGEST:
                first = max(1, min(needed) - CONTEXT)
                last = min(len(lines), max(needed) + CONTEXT)
            name = PurePath(filename).name
            if is_cell(filename):
                cells += 1
                name = say(self.language, "cell", number=cells)
            shown = lines[first - 1 : last]
            files.append(SourceFile(name, first, shown, len(shown) < len(lines)))
        return files


def is_cell(filename: str) -> bool:
    """Whether this is the file name of a notebook's cell, or of a page's."""
    return bool(CELL.search(filename))
