"""Check, step and compare the engine that a student types into the seven holes of the lab.

The engine's cells are in src/week/92_lab.md, tagged `engine`; seven of them have a hole. A complete
engine is made by running these cells with the holes filled by their solutions. A student's engine
is the notebook's own functions and classes. `check(n)` completes a copy of it with the solutions
of later holes, and runs the hole's program on it, on minigrad, and on PyTorch if it is installed.
"""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from types import FunctionType, SimpleNamespace
from typing import Any, NamedTuple

import minigrad_viz as viz
import numpy as np
from minigrad_viz.stepper.compare import call_with_variables

from ..engine import SOURCES, into
from ..exercises.exercise import Verdict, Words, typed
from ..exercises.look import Look, cell_that_binds, has_hole, look, without_answer
from ..exercises.plain import plain
from ..exercises.rebuild import Rebuilt
from ..exercises.recognise import alike
from ..lab.language import language
from .holes import HOLES, Hole

SOURCE = SOURCES / "week" / "92_lab.md"
CELL = re.compile(
    r"^```\{code-cell\} ipython3\n:tags: \[engine(, hole)?\]\n\n?(.*?)^```", re.S | re.M
)
LAST = len(HOLES)
FILE = "<lab, cell {}>"
"""The file name of a cell that this module has run."""


class Cell(NamedTuple):
    """A cell of the engine; `hole` is its number, 0 if the cell is handed out complete."""

    hole: int
    source: str


@cache
def cells() -> tuple[Cell, ...]:
    """Return the cells of the engine, in order."""
    found, count = [], 0
    for cell in CELL.finditer(SOURCE.read_text(encoding="utf-8")):
        count += bool(cell[1])
        found.append(Cell(count if cell[1] else 0, cell[2]))
    return tuple(found)


def cells_until(number: int) -> list[Cell]:
    """Return the cells up to that of a hole; all cells for the last hole."""
    if number == LAST:
        return list(cells())
    return list(cells()[: [cell.hole for cell in cells()].index(number) + 1])


def solved(cell: Cell, wrong: int = 0) -> str:
    """Return a cell with its hole filled; that of hole `wrong` by its first known mistake."""
    if not cell.hole:
        return cell.source
    hole = HOLES[cell.hole]
    text = hole.mistakes[0].typed if cell.hole == wrong else hole.solution
    return typed(cell.source, text, hole.asks)


def execute(source: str, names: dict[str, Any], place: int) -> None:
    """Run a cell of the engine; the stepper can read its source."""
    file = FILE.format(place)
    lines = source.splitlines(keepends=True)
    linecache.cache[file] = (len(source), None, lines, file)
    exec(compile(source, file, "exec"), names)


def complete_engine(wrong: int = 0) -> dict[str, Any]:
    """Return the names of the lab's engine; hole `wrong` is filled by its first known mistake.

    >>> Value = complete_engine()["Value"]
    >>> x = Value(3.0)
    >>> (x * x + x).backward()
    >>> x.grad
    np.float64(7.0)
    """
    names: dict[str, Any] = {"__name__": "__main__", "np": np, "into": into}
    for place, cell in enumerate(cells()):
        execute(solved(cell, wrong), names, place)
    return names


def line_count() -> int:
    """Return the number of lines of the complete engine, without blank lines."""
    lines = "\n".join(map(solved, cells())).splitlines()
    return sum(bool(line.strip()) for line in lines)


def completed(number: int, notebook: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of the notebook's engine up to a hole, and the lab's lines from there on."""
    names = Rebuilt(dict(notebook)).names
    for place, cell in enumerate(cells()):
        if place >= len(cells_until(number)):
            execute(solved(cell), names, place)
    return names


# --- An engine as a library


@dataclass(frozen=True, slots=True)
class Library:
    """An engine with PyTorch's name `tensor`, so that a program runs on it and on a library."""

    names: Mapping[str, Any]

    def tensor(self, data: Any, requires_grad: bool = False) -> Any:
        return self.names["Value"](data)

    def count_uses(self, root: Any) -> Any:
        return self.names["count_uses"](root)


PRELUDE = """
class lib:
    tensor = staticmethod(lambda data, requires_grad=False: Value(data))
    kind = staticmethod(lambda node: type(node).__name__)
    count_uses = staticmethod(lambda root: count_uses(root))

    @staticmethod
    def runs(result):
        '''Run backward() and return how often a node has run.'''
        ran, nodes, to_see = [], {}, [result.grad_fn]
        while to_see:
            node = to_see.pop()
            nodes[id(node)] = node
            to_see += [n for n, _ in node.next_functions if id(n) not in nodes]

        def counted(rule):
            def backward(g):
                ran.append(1)
                return rule(g)
            return backward

        for node in nodes.values():
            node.backward = counted(node.backward)
        result.backward()
        return len(ran)
"""
"""Makes `lib` of the engine's names, for the program of a check."""


def as_lib(library: Any) -> Any:
    """Return a library with the names that a check uses besides PyTorch's own."""

    def nodes(root: Any) -> dict[Any, int]:
        uses, to_see = {root: 0}, [root]
        while to_see:
            for below, _ in to_see.pop().next_functions:
                if below is not None and below not in uses:
                    uses[below] = 0
                    to_see.append(below)
                if below is not None:
                    uses[below] += 1
        return uses

    def runs(result: Any) -> int:
        ran: list[int] = []
        found = list(nodes(result.grad_fn))
        handles = [node.register_prehook(lambda g: ran.append(1)) for node in found]
        result.backward()
        for handle in handles:
            handle.remove()
        return len(ran)

    def kind(node: Any) -> str:
        return str(node.name()).rpartition(":")[2]

    return SimpleNamespace(tensor=library.tensor, kind=kind, count_uses=nodes, runs=runs)


def seen_by(library: Any, hole: Hole) -> Any:
    """Return what the hole's program sees on minigrad or PyTorch, as plain data."""
    names: dict[str, Any] = {"lib": as_lib(library), "np": np}
    exec(hole.program, names)
    return plain(names["seen"])


@cache
def expected(number: int) -> tuple[Any, Words]:
    """Return what is right, and the libraries that agree on it."""
    import minigrad

    ours = seen_by(minigrad, HOLES[number])
    if find_spec("torch") is None:
        return ours, Words("minigrad", "minigrad")
    import torch

    theirs = seen_by(torch, HOLES[number])
    assert alike(ours, theirs), f"minigrad and PyTorch differ on hole {number}: {ours}, {theirs}"
    return ours, Words("minigrad and PyTorch", "minigrad 和 PyTorch")


# --- In the notebook

YOURS, WRONG = Words("yours", "你的"), Words("wrong", "错误的")
NO_GRAPH = Words(
    "The wrong engine has no graph: its result remembers no node, so backward() stops at once.",
    "错误的引擎没有图：它的结果不记得任何节点，所以 backward() 一步也走不了。",
)


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence that a cell shows, and code below it."""

    says: Words
    code: str = ""

    def __repr__(self) -> str:
        return "\n\n".join(filter(None, [self.says.text(language()), self.code]))


def rescued(hole: Hole, notebook: Mapping[str, Any]) -> bool:
    """Whether the names of a hole have been bound by `after`."""
    held = [notebook.get(name) for name in hole.asks]
    for each in list(held):
        held += vars(each).values() if isinstance(each, type) else ()
    code = [each.__code__ for each in held if isinstance(each, FunctionType)]
    return any(each.co_filename.startswith("<lab, cell ") for each in code)


def open_hole(number: int, notebook: dict[str, Any]) -> Verdict | None:
    """Return a sentence about the first of the holes up to this one that is open."""
    for each in range(1, number + 1):
        hole = HOLES[each]
        if rescued(hole, notebook):
            continue
        cell = cell_that_binds(hole.asks, notebook)
        if cell is not None and has_hole(cell):
            return Verdict(False, still_open(each))
        if missing := without_answer(hole.asks, notebook):
            return Verdict(False, missing)
    return None


def still_open(number: int) -> Words:
    return Words(
        f"Hole {number} is open. Replace its ..., run its cell, then this one. Stuck? Run "
        f"after({number}).",
        f"第 {number} 个空还没有填。请换掉它的 ...，运行那个单元格，再运行这一个。卡住了就运行 "
        f"after({number})。",
    )


def check(number: int) -> Verdict:
    """Return whether the engine in the calling notebook is right up to hole `number`."""
    return judged(number, sys._getframe(1).f_globals)


def judged(number: int, notebook: dict[str, Any]) -> Verdict:
    hole = HOLES[number]
    if verdict := open_hole(number, notebook):
        return verdict
    right, libraries = expected(number)
    engine = completed(number, notebook)
    found = looked_at(number, engine)
    if found.trouble is None and alike(found.seen, right):
        says = Words(
            f"{hole.because.en} The same as {libraries.en}.",
            f"{hole.because.zh}与 {libraries.zh} 相同。",
        )
        return Verdict(True, says)
    for mistake, known in zip(hole.mistakes, looks_at_mistakes(number), strict=True):
        if found.trouble == known.trouble and alike(found.seen, known.seen):
            return Verdict(False, mistake.says)
    if found.trouble is None:
        return Verdict(False, hole.otherwise)
    cells = (cell_that_binds(HOLES[each].asks, notebook) for each in range(1, number + 1))
    trouble = looked_at(number, engine, "\n".join(filter(None, cells))).trouble or found.trouble
    return Verdict(
        False,
        Words(f"{trouble.en}\n\n{hole.otherwise.en}", f"{trouble.zh}\n\n{hole.otherwise.zh}"),
    )


def looked_at(number: int, engine: dict[str, Any], typed: str = "") -> Look:
    """Return what the hole's program sees on an engine; an error with its line in `typed`."""
    import minigrad

    asks = ("Value", "count_uses")
    program = PRELUDE + HOLES[number].program
    return look(f"hole {number}", asks, program, engine | {"mg": minigrad}, typed)


@cache
def looks_at_mistakes(number: int) -> list[Look]:
    """Return what the program sees on an engine with each known mistake, or the error."""
    found = []
    for mistake in HOLES[number].mistakes:
        names: dict[str, Any] = {"__name__": "__main__", "np": np, "into": into}
        for at, cell in enumerate(cells()):
            text = solved(cell)
            if cell.hole == number:
                text = typed(cell.source, mistake.typed, HOLES[number].asks)
            execute(text, names, at)
        found.append(looked_at(number, names))
    return found


def step(number: int, program: Callable[[Any], Any]) -> Any:
    """Step through the backward pass of `program` on the engine in the calling notebook.

    Return a sentence if one of the holes up to `number` is open.
    """
    notebook = sys._getframe(1).f_globals
    if verdict := open_hole(number, notebook):
        return verdict
    result, variables = call_with_variables(program, Library(notebook))
    return viz.step(result, names=variables)


def compare(number: int, program: Callable[[Any], Any]) -> Any:
    """Step through `program` on the notebook's engine and on one with a mistake in hole `number`.

    Both have the lab's lines in later holes. Return a sentence if the hole is open.
    """
    notebook = sys._getframe(1).f_globals
    if verdict := open_hole(number, notebook):
        return verdict
    yours, wrong = Library(completed(number, notebook)), Library(complete_engine(wrong=number))
    if program(wrong).grad_fn is None:
        return Note(NO_GRAPH)
    titles = YOURS.text(language()), WRONG.text(language())
    return viz.compare(program, yours, wrong, titles=titles)


def run(number: int, function: Callable[[Any], Any]) -> Any:
    """Call `function` with the notebook's engine, if no hole up to `number` is open."""
    notebook = sys._getframe(1).f_globals
    if verdict := open_hole(number, notebook):
        return verdict
    return function(Library(notebook))


def after(number: int) -> Note:
    """Fill the holes up to `number` in the calling notebook with the lab's lines.

    Raises ValueError if there is no such hole.
    """
    if number not in HOLES:
        raise ValueError(f"the lab has holes 1 to {LAST}, not {number}")
    notebook = sys._getframe(1).f_globals
    for place, cell in enumerate(cells_until(number)):
        execute(solved(cell), notebook, place)
    return Note(
        Words(
            f"These are not your lines: holes 1 to {number} now have the lab's. The last one:",
            f"这些不是你写的：第 1 到第 {number} 个空现在是实验自带的代码。最后一个是：",
        ),
        HOLES[number].solution,
    )
