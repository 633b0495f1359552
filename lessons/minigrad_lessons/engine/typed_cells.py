"""Cells of the engine that a learner has completed, stored in the folder `my_engine`.

`own` stores a cell once all of its lines are right, and `after(12, mine=True)` runs it in place of
the course's.
"""

from __future__ import annotations

import linecache
from contextlib import suppress
from pathlib import Path

FOLDER = Path("my_engine")


def path(place: tuple[int, int]) -> Path:
    return FOLDER / "chapter_{:02}_{}.py".format(*place)


def store(place: tuple[int, int], cell: str) -> None:
    """Store a notebook's cell, whose source Python knows under the file name `cell`."""
    lines = linecache.getlines(cell)
    if lines:
        with suppress(OSError):
            FOLDER.mkdir(exist_ok=True)
            path(place).write_text("".join(lines), encoding="utf-8")


def load(place: tuple[int, int]) -> str | None:
    """Return the source of a stored cell, None if there is none."""
    with suppress(OSError, UnicodeDecodeError):
        return path(place).read_text(encoding="utf-8")
    return None
