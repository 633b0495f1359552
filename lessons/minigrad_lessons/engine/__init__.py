"""An engine that grows: the learner's own, as it stands after each chapter.

From chapter 2 on, each chapter adds a few lines to an engine of the learner's own, until chapter 13
finds that it has become the engine of minigrad. A notebook gets the engine of the chapters before
it from `after`, and adds the chapter's own lines with `into`. `after` runs the chapters' cells that
are tagged `engine`: the lessons' sources hold the only copy, but for the lines that learners write
(holes.py, own_lines.py). wrong.py has engines with one false belief each.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import typed_cells
from .holes import OWN
from .own_lines import fault, filled, own, seen_by

__all__ = ["after", "into", "line_count", "own"]

Defined = TypeVar("Defined", bound=Callable[..., object])

PACKAGE = Path(__file__).resolve().parents[1]
SOURCES = next(
    (folder for folder in (PACKAGE / "src", PACKAGE.parent / "src") if folder.is_dir()),
    PACKAGE / "src",
)
"""The lessons' sources: inside the package in a wheel, next to it in a checkout."""

CELL = re.compile(
    r"^```\{code-cell\} ipython3\n:tags: \[engine(, own)?(?:, listing)?\]\n(.*?)^```", re.S | re.M
)


class Cell(NamedTuple):
    """A cell tagged `engine`. `place` is the chapter and the part of a cell with holes."""

    code: CodeType
    place: tuple[int, int] | None = None


def after(chapter: int, mine: bool = False) -> ModuleType:
    """Return the engine as it stands after a chapter: a new module at each call.

    `mine` takes the cells that the learner has completed in place of the course's.

    >>> engine = after(2)
    >>> x = engine.Tensor(3.0)
    >>> (x * x + x).backward()
    >>> x.grad
    7.0
    """
    taught = [number for number in chapters() if number <= chapter]
    if not taught:
        raise ValueError(f"the engine begins in chapter 2, not in chapter {chapter}")
    engine = ModuleType(f"engine_after_chapter_{chapter}")
    names = engine.__dict__
    names.update(engine=engine, into=_into_run, np=np, contextmanager=contextmanager, typed=[])
    for number in taught:
        for cell in chapters()[number]:
            _run(cell.code, names)
            if mine and cell.place and _runs_typed(cell, names):
                engine.typed.append(cell.place)
    return engine


def _run(code: CodeType, names: dict[str, Any]) -> None:
    exec(code, names)
    # A function that went into a class leaves its name in the cell as well.
    for name in [name for name, value in names.items() if value is PUT]:
        del names[name]


def _runs_typed(cell: Cell, names: dict[str, Any]) -> bool:
    """Run the learner's cell if there is one, and the course's again if that is wrong."""
    place = cell.place
    source = place and typed_cells.load(place)
    if not place or source is None:
        return False
    right = seen_by(OWN[place], names)
    try:
        _run(compile(source, str(typed_cells.path(place)), "exec"), names)
        wrong = fault(OWN[place], names, right) is not None
    except Exception:
        wrong = True
    if wrong:
        _run(cell.code, names)
    return not wrong


def line_count(engine: ModuleType) -> int:
    """Return how many lines of code the functions and methods of an engine have.

    >>> line_count(after(2)) < line_count(after(12))
    True
    """
    own = [each for each in vars(engine).values() if _is_of(each, engine)]
    methods = [each for kind in own if isinstance(kind, type) for each in vars(kind).values()]
    return len({line for each in own + methods for line in _lines(getattr(each, "__code__", None))})


def _is_of(value: Any, engine: ModuleType) -> bool:
    return getattr(value, "__module__", None) == engine.__name__


def _lines(code: Any) -> set[tuple[str, int]]:
    """Return the lines of code, those of functions inside it included, by file and number."""
    if not isinstance(code, CodeType):
        return set()
    own = {(code.co_filename, number) for *_, number in code.co_lines() if number}
    return own.union(*map(_lines, code.co_consts))


@cache
def chapters() -> dict[int, list[Cell]]:
    """Return the cells tagged `engine`, compiled, by chapter: chapter 9, say, has none."""
    found: dict[int, list[Cell]] = {}
    for path in sorted(SOURCES.glob("[0-9][0-9]_*.md")):
        text, part = path.read_text(encoding="utf-8"), 0
        for cell in CELL.finditer(text):
            number = int(path.name[:2])
            above = "\n" * text.count("\n", 0, cell.start(2))  # tracebacks name the source's line
            part += bool(cell[1])
            place = (number, part) if cell[1] else None
            source = filled(cell[2], place) if place else cell[2]
            code = compile(above + source, str(path), "exec")
            found.setdefault(number, []).append(Cell(code, place))
    return found


@cache
def own_cell(place: tuple[int, int]) -> str:
    """Return the source of a cell with holes."""
    chapter, part = place
    texts = (path.read_text(encoding="utf-8") for path in SOURCES.glob(f"{chapter:02}_*.md"))
    with_holes = (cell[2] for text in texts for cell in CELL.finditer(text) if cell[1])
    return list(with_holes)[part - 1]


def into(place: ModuleType | type) -> Callable[[Defined], Defined]:
    """Put the function or class that follows into an engine, or into one of its classes.

    It replaces a definition of the same name.

    >>> engine = after(2)
    >>> @into(engine.Tensor)
    ... def __neg__(self):
    ...     return engine.Tensor(-self.data, "NegBackward0", (self,), (-1.0,))
    >>> x = engine.Tensor(3.0)
    >>> (-x).backward()
    >>> x.grad
    -1.0
    """

    def put(defined: Defined) -> Defined:
        setattr(place, defined.__name__, defined)
        return defined

    return put


PUT = object()
"""Bound to the name of a function that a cell has put into a class."""


def _into_run(place: ModuleType | type) -> Callable[[Any], Any]:
    """Return `into` for a cell that `after` runs in the engine's own namespace."""

    def put(defined: Any) -> Any:
        into(place)(defined)
        return defined if isinstance(place, ModuleType) else PUT

    return put
