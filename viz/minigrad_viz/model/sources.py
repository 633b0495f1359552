"""The reader's program, as far as it can be shown: the files with the lines that made the graph.

The text comes from linecache, which knows notebook cells too. Files are named without their
folders: where somebody keeps their work is nobody's business, and it differs from one machine to
the next.
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
    """The part of a file that is shown; `first` is the number of its first line, and `cut` says
    that there is more of it.
    """

    name: str
    first: int
    lines: list[str]
    cut: bool


class SourceLine(NamedTuple):
    """A line of the file at the place `file` among those that are shown, counted from one."""

    file: int
    line: int


class Sources:
    """The files that lines are shown from, collected while the lines become known."""

    def __init__(self, language: Language) -> None:
        self.language = language
        # The numbers of lines, by the name of the file as the interpreter knows it.
        self._lines: dict[str, set[int]] = {}

    def place(self, line: CodeLine) -> SourceLine | None:
        """Where the line will be shown; None if its text is not to be had."""
        if not linecache.getline(line.filename, line.lineno):
            return None
        self._lines.setdefault(line.filename, set()).add(line.lineno)
        return SourceLine(list(self._lines).index(line.filename), line.lineno)

    def files(self) -> list[SourceFile]:
        """The files, in the order in which they were first needed."""
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
    """Did IPython make up this file name for a cell, or a page that runs cells?"""
    return bool(CELL.search(filename))
