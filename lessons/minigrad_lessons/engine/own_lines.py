"""The lines of the engine that learners write themselves, in nine chapters.

Their cells are tagged `engine` and `own`, and have holes, each a `...`. `own(2)`, in the cell below
such a cell, runs a small program on the engine of the notebook and on that of the course. A
function that is open or differs gets the course's lines, so that the chapter goes on. A complete
cell is stored (typed_cells.py).
"""

from __future__ import annotations

import linecache
import re
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dis import get_instructions
from types import CodeType
from typing import Any

from ..exercises.exercise import Words
from ..exercises.plain import plain
from ..exercises.recognise import alike
from ..exercises.steps import EndlessError, bounded
from ..lab.language import language
from . import typed_cells
from .holes import OWN, Own

FILE = "<the course's lines of chapter {}, cell {}>"
HOLE = re.compile(r"^( *)\.\.\.$|(?<=[=:] )\.\.\.(?=,?$)", re.MULTILINE)

OPEN = Words(
    "Open: the course's lines stand in, and the chapter goes on. Replace each `...`, then run the "
    "cell above and this one.",
    "还没有填：先由课程的代码代替，本章照常继续。换掉每个 `...`，再运行上面的单元格和这一个。",
)
RIGHT = Words("Your lines are in the engine. {}", "你写的代码已经在引擎里。{}")
RIGHT_IN = Words("Right, and in the engine: {}.", "对了，已经在引擎里：{}。")
WRONG_IN = Words("Not yet: {}.", "还不对：{}。")
OPEN_IN = Words("Still open: {}.", "还没有填：{}。")
STAND_IN = Words(
    "There the course's lines stand in, and the chapter goes on.",
    "这些地方先由课程的代码代替，本章照常继续。",
)
RAISED = Words("It raised {}: {}.", "它抛出了 {}：{}。")
ENDLESS = Words("It does not come to an end.", "它停不下来。")


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence about the learner's lines, and the course's lines if they were requested.

    `kept` has the functions that are right, if others are not.
    """

    right: bool
    says: Words
    lines: str = ""
    kept: tuple[Any, ...] = ()

    def __repr__(self) -> str:
        return "\n\n".join(filter(None, [self.says.text(language()), self.lines]))


def filled(cell: str, place: tuple[int, int]) -> str:
    """Return the cell of a chapter with the course's lines in its holes."""
    lines = iter(OWN[place].lines)

    def line(hole: re.Match[str]) -> str:
        return textwrap.indent(next(lines), hole[1] or "")

    return HOLE.sub(line, cell)


def own(chapter: int, part: int = 1, *, show: bool = False) -> Said:
    """Compare the lines that the calling notebook has in the chapter's holes with the course's.

    A function that is open or wrong gets the course's lines. `part` is 2 for a chapter's second
    cell with holes. `show` returns the course's lines as well.
    """
    notebook = sys._getframe(1).f_globals
    place = chapter, part
    if place not in OWN:
        raise ValueError(f"chapter {chapter} has no cell {part} with holes")
    each = OWN[place]
    verdict = judged(each, chapter, notebook)
    if verdict.right:
        typed_cells.store(place, each.asks(notebook)[0].__code__.co_filename)
    else:
        stand_in(place, notebook, verdict.kept)
    return Said(verdict.right, verdict.says, "\n\n".join(each.lines) if show else "")


def stand_in(place: tuple[int, int], notebook: dict[str, Any], kept: Sequence[Any]) -> None:
    """Run the course's cell in a notebook, with the code of the learner's right functions."""
    from . import own_cell

    before = OWN[place].asks(notebook)
    source, file = filled(own_cell(place), place), FILE.format(*place)
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), notebook)
    for learners, new in zip(before, OWN[place].asks(notebook), strict=True):
        if learners in kept:
            new.__code__ = learners.__code__


def judged(each: Own, chapter: int, notebook: Mapping[str, Any]) -> Said:
    """Return whether the lines in a notebook do what the course's lines do."""
    from . import after

    functions = each.asks(notebook)
    still_open = [function for function in functions if is_open(function)]
    if len(still_open) == len(functions):
        return Said(False, OPEN)
    course = vars(after(chapter))
    right = seen_by(each, course)
    if not still_open and fault(each, notebook, right) is None:
        return Said(True, put(RIGHT, each.because))
    faults = find_faults(each, course, notebook, right)
    kept = tuple(one for one in functions if one not in still_open and one not in faults)
    said = [put(RIGHT_IN, named(kept))] if kept else []
    for function, hint in zip(functions, each.hints, strict=True):
        if function in faults:
            said += [put(WRONG_IN, named([function])), faults[function], hint]
    if still_open:
        said.append(put(OPEN_IN, named(still_open)))
    return Said(False, joined([*said, STAND_IN]), kept=kept)


def find_faults(
    each: Own, course: Mapping[str, Any], notebook: Mapping[str, Any], right: Any
) -> dict[Any, Words]:
    """Return the learner's functions that are wrong when all others have the course's code.

    Each comes with what it raised. If none is wrong alone, all are named.
    """
    functions = each.asks(notebook)
    own, theirs = [[one.__code__ for one in each.asks(names)] for names in (notebook, course)]
    tried = [one for one in functions if not is_open(one)]
    found = {}
    try:
        for function, code in zip(functions, own, strict=True):
            for other, right_code in zip(functions, theirs, strict=True):
                other.__code__ = right_code
            function.__code__ = code
            if function in tried and (wrong := fault(each, notebook, right)) is not None:
                found[function] = wrong
    except ValueError:  # the learner's function has a closure
        found = {}
    finally:
        for function, code in zip(functions, own, strict=True):
            function.__code__ = code
    return found or ({} if len(tried) < len(functions) else dict.fromkeys(tried, Words("", "")))


def fault(each: Own, notebook: Mapping[str, Any], right: Any) -> Words | None:
    """Return None if a notebook's engine is right, else a sentence, which may be empty."""
    try:
        with bounded():
            return None if alike(seen_by(each, notebook), right) else Words("", "")
    except EndlessError:
        return ENDLESS
    except Exception as error:
        return put(RAISED, type(error).__name__, str(error))


def named(functions: Sequence[Any]) -> Words:
    names = [f"`{one.__qualname__}`" for one in functions]
    en, zh = ", ".join(names), "、".join(names)
    return Words(en.replace("`<lambda>`", "the rule"), zh.replace("`<lambda>`", "规则"))


def seen_by(each: Own, engine: Mapping[str, Any]) -> Any:
    """Run the program on a copy of an engine's names."""
    names = dict(engine)
    exec(textwrap.dedent(each.program), names)
    return plain(names["seen"])


def is_open(function: Any) -> bool:
    """Return whether a function still has its `...`, or the course's lines."""
    code = function.__code__
    if code.co_filename.startswith(FILE.partition("{")[0]):
        return True
    return Ellipsis in code.co_consts or does_nothing(code)


def does_nothing(code: CodeType) -> bool:
    """Return whether code only returns None, as a function does whose body is `...`."""
    found = [each for each in get_instructions(code) if each.opname not in ("RESUME", "NOP")]
    return len(found) <= 2 and "CONST" in found[0].opname and found[0].argval is None


def put(sentence: Words, *parts: Words | str) -> Words:
    in_english = [part.en if isinstance(part, Words) else part for part in parts]
    in_chinese = [part.zh if isinstance(part, Words) else part for part in parts]
    return Words(sentence.en.format(*in_english), sentence.zh.format(*in_chinese))


def joined(parts: Sequence[Words]) -> Words:
    return Words(" ".join(part.en for part in parts if part.en), "".join(part.zh for part in parts))
