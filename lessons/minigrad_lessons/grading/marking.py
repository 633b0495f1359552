"""Give marks that cannot be forged: students' cells run in a sandbox, and the judge runs here.

nbgrader itself runs a student's notebook with the checks in it and trusts the result. In that
process the student can replace `check`, patch the library, or write an outcome by hand. Here that
process (sandbox.py) has no solutions and gives no marks. For each exercise it reports as JSON what
the probe saw. Only this process knows what a right answer shows. isolation.py restricts what the
student's code can do to this machine.
"""

from __future__ import annotations

import contextlib
import json
import queue
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, v4

from ..exercises import EXERCISES
from ..exercises.exercise import Verdict, Words, bound
from ..exercises.judge import judge
from ..exercises.look import Look
from ..exercises.plain import plain
from ..lab.language import LANGUAGES, Language
from .assignment import CHECK
from .isolation import SECONDS as ALL_SECONDS
from .isolation import Sandbox, find_isolation, visible
from .solutions import copy_without_solutions

SECONDS = 60.0
"""How long one cell, or the look at one answer, may take. The start of the process is not counted:
on a busy machine the libraries alone may need as long.
"""
STARTS = 8
"""How often the cells are started anew, without the cell that ended the process."""
START = -1
"""The number of the time before the first task."""
LINE, REPORT, OVERHEAD = 2**20, 2**24, 2**7
"""Bytes of one line of a report, of a whole report, and what each line takes in addition."""

LONGEST = 100_000
"""Letters of a program that is parsed here: one of 20 MiB takes a minute and 10 GB."""

SLOW = Words("It had not come to an end when the time was up.", "时间到了，它还没有结束。")
GONE = Words("The process in which it ran came to an end with it.", "运行它的进程随之结束了。")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell to run, or an exercise whose answer the sandbox inspects."""

    source: str = ""
    exercise: str = ""

    def task(self) -> dict[str, Any]:
        if not self.exercise:
            return {"run": self.source}
        asked = EXERCISES[self.exercise]
        return {"look": self.exercise, "asks": asked.asks, "probe": asked.probe}


def marked(notebook: NotebookNode, without_isolation: bool = False) -> NotebookNode:
    """Write the verdict, or an error with the verdict, under each check cell; return the notebook.

    nbgrader has restored the metadata by which a cell is a check, so students cannot change it.
    """
    cells = [
        Cell(exercise=exercise) if (exercise := exercise_of(cell)) else Cell(cell.source)
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]
    found = verdicts(cells, without_isolation=without_isolation)
    for cell in notebook.cells:
        if cell.cell_type == "code" and (exercise := exercise_of(cell)):
            verdict = found[exercise]
            says = verdict.says.text(language_of(notebook))
            cell.outputs = [v4.new_output("stream", name="stdout", text=says)]
            if not verdict.right:
                cell.outputs = [
                    v4.new_output("error", ename="NotYet", evalue=says, traceback=[says])
                ]
    return notebook


def language_of(notebook: NotebookNode) -> Language:
    """Return the language that a notebook names, or English."""
    own = notebook.metadata.get("minigrad")
    named = own.get("language") if isinstance(own, dict) else None
    return next((known for known in LANGUAGES if known == named), "en")


def found_in(
    notebook: NotebookNode, asked: Sequence[str], without_isolation: bool = False
) -> dict[str, Verdict]:
    """Return the verdict on each exercise of `asked`; the student may have changed every cell.

    An answer is inspected where its check is, or at the end if its check is missing.
    """
    cells: list[Cell] = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            check = CHECK.match(str(cell.source).strip())
            known = check is not None and check[1] in asked
            cells.append(Cell(exercise=check[1]) if check and known else Cell(str(cell.source)))
    gone = set(asked) - {cell.exercise for cell in cells}
    cells += (Cell(exercise=name) for name in sorted(gone))
    return verdicts(cells, without_isolation=without_isolation)


def exercise_of(cell: NotebookNode) -> str | None:
    """Return the exercise that a cell of an assignment checks (assignment.py).

    ValueError for a cell that nbgrader would mark by its output, if it checks no exercise.
    """
    described = cell.metadata.get("nbgrader", {})
    kind, _, number = str(described.get("grade_id", "")).partition("-")
    if not described.get("grade") or described.get("solution"):
        return None
    name = number.replace("-", ".")
    if kind != "check" or name not in EXERCISES:
        # nbgrader gives all points to a cell without an output.
        raise ValueError(f"no exercise is registered for the cell {described.get('grade_id')!r}")
    return name


def verdicts(
    cells: Sequence[Cell], seconds: float = SECONDS, without_isolation: bool = False
) -> dict[str, Verdict]:
    """Return the verdict on each exercise among the cells, after the cells before it have run."""
    isolation = find_isolation(without_isolation)
    with tempfile.TemporaryDirectory() as folder:
        lessons = copy_without_solutions(Path(folder))
        looks = look_at(cells, lambda: Sandbox(isolation(), lessons), seconds)
    found = {
        cell.exercise: judge(EXERCISES[cell.exercise], looks[number])
        for number, cell in enumerate(cells)
        if cell.exercise
    }
    return {name: Verdict(v.right, printable(v.says)) for name, v in found.items()}


def printable(words: Words) -> Words:
    return Words(visible(words.en), visible(words.zh))


def look_at(cells: Sequence[Cell], start: Callable[[], Sandbox], seconds: float) -> dict[int, Look]:
    """Return the look at each answer. A cell that ends the process is skipped the next time."""
    looks: dict[int, Look] = {}
    skipped: list[int] = []
    until = time.monotonic() + ALL_SECONDS
    missing = GONE
    for _ in range(STARTS):
        run = Run(start(), [cell.task() for cell in cells], skipped)
        try:
            ended, why = run.follow(looks, seconds, until)
        finally:
            run.sandbox.end()
        if ended == START and not skipped:
            raise RuntimeError(f"marking could not begin: {run.error}")
        if ended is None or ended == START or ended in skipped:
            missing = why
            break
        skipped.append(ended)
        for number in without_answer(cells, ended):
            looks.setdefault(number, Look(trouble=why))
    for number, cell in enumerate(cells):
        if cell.exercise:
            looks.setdefault(number, Look(trouble=missing))
    return looks


def without_answer(cells: Sequence[Cell], skipped: int) -> Iterator[int]:
    """Yield the checks whose answer may be in a skipped cell."""
    names: set[str] = set()
    source = cells[skipped].source
    with contextlib.suppress(RecursionError, MemoryError):  # for 20,000 minus signs in a row
        names = bound(source) if len(source) <= LONGEST else names
    for number, cell in enumerate(cells[skipped:], skipped):
        if cell.exercise and (number - skipped < 2 or names & set(EXERCISES[cell.exercise].asks)):
            yield number


class Run:
    """One process that runs the cells, and its report."""

    def __init__(
        self, sandbox: Sandbox, tasks: list[dict[str, Any]], skipped: Sequence[int]
    ) -> None:
        self.sandbox = sandbox
        self.error = ""
        self.numbers = [number for number in range(len(tasks)) if number not in skipped]
        self.lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        job = sandbox.job(tasks, skipped)
        threading.Thread(target=self._talk, args=[job], daemon=True).start()

    def _talk(self, job: bytes) -> None:
        stdin, stdout = self.sandbox.process.stdin, self.sandbox.process.stdout
        assert stdin is not None and stdout is not None
        left = REPORT
        with contextlib.suppress(OSError, ValueError), stdout, stdin:
            stdin.write(job)
            stdin.close()
            while left > 0 and (line := stdout.readline(LINE)).endswith(b"\n"):
                left -= len(line) + OVERHEAD
                self.lines.put(line)
        self.lines.put(b"")

    def follow(
        self, looks: dict[int, Look], seconds: float, until: float
    ) -> tuple[int | None, Words]:
        """Collect the looks. Return the task that ended the process too early, and why.

        The report can be the student's own: only the next task's number counts, and a task's time
        runs on while it reports.
        """
        at, deadline = START, until
        left = iter(self.numbers)
        try:
            while (line := self._next(deadline)) is not None:
                said = json.loads(line)
                if said == "done":
                    return None, GONE
                if type(said) is int:
                    if said != next(left, None):
                        return at, GONE
                    at, deadline = said, min(time.monotonic() + seconds, until)
                elif said != "ready":
                    looks.setdefault(at, look_of(said))
        except (ValueError, TypeError, KeyError, RecursionError):
            if at == START:
                self.error = self.sandbox.error()
            return at, GONE
        return at, SLOW

    def _next(self, deadline: float) -> bytes | None:
        """Return the next line of the report; None when the time is up."""
        left = deadline - time.monotonic()
        try:
            return self.lines.get(timeout=left) if left > 0 else None
        except queue.Empty:
            return None


def look_of(said: Any) -> Look:
    """Return the look that a line of a report describes; an error if it describes none."""
    trouble = said["trouble"]
    if trouble is not None:
        trouble = Words(*(str(words)[:2000] for words in trouble))
    seen = plain(said["seen"])  # the student's own report may be larger than any answer
    return Look(seen, trouble, said["unfilled"] is True, said["nothing"] is True)
