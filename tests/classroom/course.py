"""A class that hands in every chapter, and its marks, compared with what each answer deserves.

    python -m tests.classroom.course --students 30 --format nbgrader

Student number k gives to each exercise its k-th test answer: the solution, other right answers,
every mistake that a hint foresees, and others. docs/class.md has what this printed.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from minigrad_lessons.exercises import EXERCISES
from minigrad_lessons.exercises.exercise import typed
from minigrad_lessons.grading import assignment

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "deploy" / "nbgrader" / "nbgrader_config.py"

# Run several commands of `nbgrader` in one process, since it takes seconds to start.
NBGRADER = """
import sys
from nbgrader.apps.nbgraderapp import NbGraderApp
for command in sys.argv[1:]:
    NbGraderApp.launch_instance(command.split())
    NbGraderApp.clear_instance()
"""
# The same for `otter run`: what it writes to results.json, of each submission.
OTTER = """
import json, sys
from pathlib import Path
from otter.api import grade_submission
for path in sys.argv[2:]:
    results = grade_submission(path, ag_path=sys.argv[1], quiet=True)
    tests = {name: result.score for name, result in results.results.items()}
    Path(path).with_suffix(".json").write_text(json.dumps(tests))
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """Return the text that a student types in a hole, and whether it is right."""

    typed: str
    right: bool


def answers(exercise: str) -> list[Answer]:
    """The test answers of an exercise: right and wrong ones in turn, the solution first."""
    asked = EXERCISES[exercise]
    right = [Answer(each, True) for each in (asked.solution, *asked.accepted)]
    wrong = [Answer(each, False) for each in (*(h.wrong for h in asked.hints), *asked.rejected)]
    in_turn = itertools.zip_longest(right, wrong)
    return [answer for pair in in_turn for answer in pair if answer is not None]


def answer_of(student: int, exercise: str) -> Answer:
    known = answers(exercise)
    return known[student % len(known)]


@functools.cache
def asked_in(chapter: str) -> list[str]:
    """The exercises of a chapter in its order; two chapters may share a number."""
    return assignment.asked_in(nbformat.read(assignment.with_exercises("en")[chapter], 4))


def holes(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if "hole" in cell.metadata.get("tags", [])]


def handed_in(notebook: Any, chapter: str, student: int) -> Any:
    """The notebook after this student has been at it; the notebook itself is changed."""
    for cell, name in zip(holes(notebook), asked_in(chapter), strict=True):
        cell.source = typed(cell.source, answer_of(student, name).typed, EXERCISES[name].asks)
    return notebook


def nbgrader(folder: Path, *commands: str) -> None:
    program(folder, NBGRADER, *commands)


def program(folder: Path, source: str, *arguments: str) -> None:
    done = run_program(folder, source, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr


def run_program(folder: Path, source: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    scripts = str(Path(sys.executable).parent)  # nbgrader calls alembic by its name
    return subprocess.run(
        [sys.executable, "-c", source, *arguments],
        cwd=folder,
        env=os.environ | {"PATH": os.pathsep.join([scripts, os.environ["PATH"]])},
        capture_output=True,
        text=True,
        timeout=3600,
    )


def name_of(student: int) -> str:
    return f"student{student:02}"


def marked_by_nbgrader(course: Path, chapter: str, students: Sequence[int]) -> dict[int, list[str]]:
    """The exercises of a chapter that each student got the point of."""
    shutil.copy(CONFIG, course)
    assert assignment.main([chapter, "--lang", "en", "--course", str(course)]) == 0
    nbgrader(course, f"generate_assignment {chapter}")
    for student in students:
        path = course / "submitted" / name_of(student) / chapter / f"{chapter}.ipynb"
        path.parent.mkdir(parents=True)
        released = course / "release" / chapter / f"{chapter}.ipynb"
        nbformat.write(handed_in(nbformat.read(released, 4), chapter, student), path)
    nbgrader(course, f"autograde {chapter}")
    from nbgrader.api import Gradebook

    got = {}
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        for student in students:
            grades = book.find_submission(chapter, name_of(student)).notebooks[0].grades
            got[student] = [
                grade.name.removeprefix("check-").replace("-", ".")
                for grade in grades
                if grade.score == 1
            ]
    return got


def marked_by_otter(course: Path, chapter: str, students: Sequence[int]) -> dict[int, list[str]]:
    command = [chapter, "--format", "otter", "--lang", "en", "--course", str(course)]
    assert assignment.main(command) == 0
    folder = course / chapter
    otter = [sys.executable, "-m", "otter", "generate", "-o", "autograder.zip"]
    subprocess.run(otter, cwd=folder, check=True, capture_output=True, timeout=300)
    paths = []
    for student in students:
        path = folder / name_of(student) / f"{chapter}.ipynb"
        path.parent.mkdir()
        asked = nbformat.read(folder / f"{chapter}.ipynb", 4)
        nbformat.write(handed_in(asked, chapter, student), path)
        paths.append(path)
    program(folder, OTTER, "autograder.zip", *map(str, paths))
    got = {}
    for student, path in zip(students, paths, strict=True):
        points = json.loads(path.with_suffix(".json").read_text())
        got[student] = [name.replace("-", ".") for name, score in points.items() if score == 1]
    return got


MARKED_BY = {"nbgrader": marked_by_nbgrader, "otter": marked_by_otter}


def slips(chapter: str, got: dict[int, list[str]]) -> Iterator[str]:
    """Each mark that is not what the answer deserves."""
    for student, points in got.items():
        for name in asked_in(chapter):
            answer = answer_of(student, name)
            if answer.right is not (name in points):
                yield f"{name_of(student)} {name} {'right' if answer.right else 'wrong'}: {answer}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.classroom.course")
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--format", choices=MARKED_BY, default="nbgrader")
    parser.add_argument("chapters", nargs="*")
    options = parser.parse_args()
    print(f"{options.format}, {options.students} students, {os.cpu_count()} cores, ", end="")
    print(time.strftime("%Y-%m-%d", time.gmtime()))
    print(f"{'chapter':28} marks  as deserved  points  seconds  answers known")
    totals = [0, 0, 0, 0.0, 0]
    students = range(options.students)
    with tempfile.TemporaryDirectory() as folder:
        for chapter in options.chapters or assignment.with_exercises("en"):
            begun = time.perf_counter()
            with contextlib.redirect_stdout(sys.stderr):
                got = MARKED_BY[options.format](Path(folder), chapter, students)
            seconds = time.perf_counter() - begun
            wrong = list(slips(chapter, got))
            marks = len(asked_in(chapter)) * len(students)
            points = sum(map(len, got.values()))
            known = sum(min(len(answers(name)), len(students)) for name in asked_in(chapter))
            row = [marks, marks - len(wrong), points, seconds, known]
            totals = [total + each for total, each in zip(totals, row, strict=True)]
            line(chapter, row)
            print("".join(f"  {slip}\n" for slip in wrong), end="", flush=True)
    line("all", totals)


def line(title: str, row: Sequence[float]) -> None:
    marks, deserved, points, seconds, known = row
    print(f"{title:28}{marks:6}{deserved:13}{points:8}{seconds:9.0f}{known:15}", flush=True)


if __name__ == "__main__":
    main()
