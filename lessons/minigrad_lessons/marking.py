"""Marks that cannot be forged: a student's cells run in one process, the judge sits in another.

nbgrader's own way is to run the student's notebook with the check in it and to believe what comes
out, but in that process the student's code can be anything: a `check` that is always right, a
patched library, an outcome written by hand. Here that process (sitting.py) has no keys and gives no
marks. For each exercise it says what the probe saw, as JSON. What must have been seen is known here
only. Whoever breaks everything over there can send any `seen` at all, and still does not know which
one is right. What that process may do to this machine is apart.py's and sitting.py's matter.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, v4

from .apart import apart
from .assignment import CHECK
from .exercises import EXERCISES
from .exercises.exercise import Verdict, Words, bound
from .exercises.judge import judge
from .exercises.look import Look
from .keys import PACKAGE, copy_without_keys, in_checkout
from .language import LANGUAGES, Language

CODE = "code"
"""The folder of the copy that has no keys."""
SECONDS = 60.0
"""How long one cell, or the look at one answer, may take. What comes before the first of them is
nobody's fault: on a busy machine the libraries alone may need as long.
"""
ALL_SECONDS = 600.0
BEGINNINGS = 8
"""How often it is begun anew, without the cell that ended the process."""
BEFORE = -1
"""The number of what comes before the first task."""
LONGEST = 1_000_000
"""Characters of a message that are read."""

SLOW = Words("It had not come to an end when the time was up.", "时间到了，它还没有结束。")
GONE = Words("The process in which it ran came to an end with it.", "运行它的进程随之结束了。")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell to run, or the name of an exercise whose answer is to be looked at."""

    source: str = ""
    exercise: str = ""

    def task(self) -> dict[str, Any]:
        if not self.exercise:
            return {"run": self.source}
        asked = EXERCISES[self.exercise]
        return {"look": self.exercise, "asks": asked.asks, "probe": asked.probe}


def marked(notebook: NotebookNode, seconds: float = SECONDS) -> NotebookNode:
    """The notebook with an outcome under each check cell: the verdict, or an error that has it.

    A cell is a check by what nbgrader restored of it, which the student cannot change.
    """
    cells = [
        Cell(exercise=exercise) if (exercise := exercise_of(cell)) else Cell(cell.source)
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]
    found = verdicts(cells, seconds)
    for cell in notebook.cells:
        if cell.cell_type == "code" and (exercise := exercise_of(cell)):
            verdict = found[exercise]
            says = verdict.says.spoken(tongue_of(notebook))
            cell.outputs = [v4.new_output("stream", name="stdout", text=says)]
            if not verdict.right:
                cell.outputs = [
                    v4.new_output("error", ename="NotYet", evalue=says, traceback=[says])
                ]
    return notebook


def tongue_of(notebook: NotebookNode) -> Language:
    """The language that a notebook says it is in; English if it says nothing that is one."""
    named = notebook.metadata.get("minigrad", {}).get("language")
    return next((known for known in LANGUAGES if known == named), "en")


def found_in(
    notebook: NotebookNode, asked: Sequence[str], seconds: float = SECONDS
) -> dict[str, Verdict]:
    """The verdict on each exercise that was asked, in a notebook of which the student may have
    changed everything: an answer is looked at where its check stands, or else at the end.
    """
    cells: list[Cell] = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            check = CHECK.match(str(cell.source).strip())
            known = check is not None and check[1] in asked
            cells.append(Cell(exercise=check[1]) if check and known else Cell(str(cell.source)))
    gone = set(asked) - {cell.exercise for cell in cells}
    return verdicts([*cells, *(Cell(exercise=name) for name in sorted(gone))], seconds)


def exercise_of(cell: NotebookNode) -> str | None:
    """The exercise that a cell is the check of, in an assignment (assignment.py).

    ValueError for a cell that nbgrader would mark by what has come out, if no exercise stands
    behind it.
    """
    described = cell.metadata.get("nbgrader", {})
    kind, _, number = str(described.get("grade_id", "")).partition("-")
    if not described.get("grade") or described.get("solution"):
        return None
    name = number.replace("-", ".")
    if kind != "check" or name not in EXERCISES:
        # Without an outcome under it nbgrader would give it all its points.
        raise ValueError(f"nobody can say here what is right in {described.get('grade_id')!r}")
    return name


def verdicts(cells: Sequence[Cell], seconds: float = SECONDS) -> dict[str, Verdict]:
    """What is to be said of each exercise among the cells, after those before it have run."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o711)  # another user has to find the way to what is their own
        copy_without_keys(Path(folder) / CODE)
        looks = looked_at(cells, Path(folder), seconds)
    return {
        cell.exercise: judge(EXERCISES[cell.exercise], looks[number])
        for number, cell in enumerate(cells)
        if cell.exercise
    }


def looked_at(cells: Sequence[Cell], folder: Path, seconds: float) -> dict[int, Look]:
    """The look at each answer. A cell that ends the process is left out the next time."""
    looks: dict[int, Look] = {}
    left_out: dict[int, Words] = {}
    until = time.monotonic() + ALL_SECONDS
    for _ in range(BEGINNINGS):
        sitting = Sitting([cell.task() for cell in cells], left_out, folder)
        try:
            ended, why = sitting.follow(looks, seconds, until)
        finally:
            sitting.end()
        if ended == BEFORE:
            raise RuntimeError(f"marking could not begin: {sitting.errors.read_text()}")
        if ended is None or ended in left_out:
            break
        left_out[ended] = why
    for number, cell in enumerate(cells):
        if cell.exercise:
            asks = set(EXERCISES[cell.exercise].asks)
            for before, why in left_out.items():
                answer = before in (number, number - 1)  # the cell above a check has its answer
                if answer or (before < number and asks & bound(cells[before].source)):
                    looks[number] = Look(trouble=why)
            looks.setdefault(number, Look(trouble=GONE))
    return looks


def kept_away() -> list[Path]:
    """Where solutions lie: this package, a checkout's lessons, what nbgrader has in a course."""
    lessons = PACKAGE.parent if in_checkout() else PACKAGE
    course = ("source", "release", "submitted", "autograded", "feedback", "gradebook.db")
    return [lessons, *(Path.cwd() / name for name in course)]


@functools.cache
def report(without: tuple[str, ...]) -> None:
    """Say once what a student's code runs without on this machine."""
    for missing in without:
        print(f"marking: here a student's code runs without {missing}", file=sys.stderr)


class Sitting:
    """One process that runs the cells, and what it says of them."""

    def __init__(
        self, tasks: list[dict[str, Any]], left_out: dict[int, Words], folder: Path
    ) -> None:
        kept = {"PATH", "LANG", "LC_ALL", "SYSTEMROOT"} | {
            name for name in os.environ if name.endswith("_NUM_THREADS")
        }
        # Nothing that one process writes is read when the next one begins.
        own = Path(tempfile.mkdtemp(dir=folder))
        code, self.errors = folder / CODE, own / "errors.txt"
        begun = apart()
        report(begun.without)
        if begun.user is not None:
            os.chown(own, begun.user, begun.user)
        self.process = subprocess.Popen(
            [*begun.before, sys.executable, "-I", "-B", str(code / PACKAGE.name / "sitting.py")],
            cwd=own,
            env={name: value for name, value in os.environ.items() if name in kept}
            | {name: str(own) for name in ("HOME", "TMPDIR", "MPLCONFIGDIR", "IPYTHONDIR")}
            | {"MPLBACKEND": "agg"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors.open("wb"),
            start_new_session=True,
        )
        self.lines: queue.Queue[bytes] = queue.Queue(100)
        job = {
            "folder": str(own),
            "path": [str(code), *(each for each in sys.path if each)],
            "keys": [str(path) for path in kept_away()],
            "seconds": ALL_SECONDS,
            "tasks": tasks,
            "left_out": list(left_out),
        }
        threading.Thread(target=self._talk, args=[json.dumps(job).encode()], daemon=True).start()

    def _talk(self, job: bytes) -> None:
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        with contextlib.suppress(OSError, ValueError):
            stdin.write(job + b"\n")
            stdin.close()
            while (line := stdout.readline(LONGEST)).endswith(b"\n"):
                self.lines.put(line)
        self.lines.put(b"")

    def follow(
        self, looks: dict[int, Look], seconds: float, until: float
    ) -> tuple[int | None, Words]:
        """Collect the looks; the number of the task that ended the process too early, and why."""
        at = BEFORE
        while True:
            try:
                left = until - time.monotonic()
                allowed = left if at == BEFORE else min(seconds, left)
                line = self.lines.get(timeout=max(allowed, 0.0))
                said = json.loads(line)
                if said == "done":
                    return None, GONE
                if at == BEFORE and isinstance(said, dict):
                    report(tuple(map(str, said["without"])))
                elif isinstance(said, int):
                    at = said
                else:
                    looks.setdefault(at, look_of(said))
            except queue.Empty:
                return at, SLOW
            except (ValueError, TypeError, KeyError, RecursionError):
                return at, GONE

    def end(self) -> None:
        """Kill it, with whatever it started."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, 9)
        self.process.kill()
        self.process.wait()


def look_of(said: Any) -> Look:
    """A look out of what another process says; an error if it is none."""
    trouble = said["trouble"]
    if trouble is not None:
        trouble = Words(*(str(words)[:2000] for words in trouble))
    return Look(said["seen"], trouble, said["unfilled"] is True, said["nothing"] is True)
