"""A chapter as an assignment that nbgrader or Otter hands out, collects and marks.

    python -m minigrad_lessons.grading.assignment 02_backward --lang en --course course

writes `course/source/02_backward/02_backward.ipynb` for nbgrader. In it every hole is filled with
the exercise's solution, so that a teacher can run it, and remembers how it was asked; the folded
solutions are gone; each check cell is worth one point. deploy/nbgrader holds the configuration that
opens the holes again in the students' version, and lets marking.py give the points.

    python -m minigrad_lessons.grading.assignment 02_backward --format otter --course course

writes into `course/02_backward` the students' version and, for `otter generate`, a test of one
point for each exercise. The tests read marking.py's verdicts (otter.py), which come from a sandbox
unless `--without-isolation` is given.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from minigrad.utils.files import write_whole

from ..cli import default_language, notebooks
from ..exercises import EXERCISES
from ..exercises.exercise import typed
from ..lab.language import LANGUAGES, Language
from .solutions import FOLDED

CHECK = re.compile(r'^check\("(\d\d\.\d)".*\)$', re.S)

OTTER_TEST = """from otter.test_files import test_case

OK_FORMAT = False
name = "{title}"
points = 1


@test_case()
def test_answer(verdicts):
    right, says = verdicts["{name}"]
    assert right, says
"""
"""A test of Otter: it runs in the notebook that otter.py has written, without student's code."""


def assignment(lesson: NotebookNode) -> NotebookNode:
    """Return the lesson in the form that nbgrader calls a source, as a copy."""
    source: NotebookNode = nbformat.from_dict(lesson)
    cells: list[NotebookNode] = []
    for cell in source.cells:
        if cell.cell_type == "markdown":
            cell.source = FOLDED.sub("", cell.source).strip()
            cells += [cell] if cell.source else []
            continue
        cell.outputs, cell.execution_count = [], None
        if found := CHECK.match(cell.source):
            name = found[1]
            ask(cells[-1], name)
            mark(cell, name)
        cells.append(cell)
    source.cells = cells
    return source


def ask(cell: NotebookNode, name: str) -> None:
    """Fill the hole, and store the question in the cell's metadata."""
    cell.metadata["minigrad"] = {"hole": cell.source}
    cell.metadata["nbgrader"] = description(f"answer-{name}", solution=True, locked=False)
    cell.source = typed(cell.source, EXERCISES[name].solution, EXERCISES[name].asks)


def mark(cell: NotebookNode, name: str) -> None:
    """Give the check one point. The check imports what it needs, and fails for a wrong answer.

    Without the solutions it only reports whether there is an answer.
    """
    cell.metadata["nbgrader"] = description(f"check-{name}", grade=True, points=1)
    cell.source = (
        "from minigrad_lessons import check\n\n"
        f"verdict = {cell.source}\nassert verdict.right is not False, verdict\nverdict"
    )


def description(grade_id: str, **further: Any) -> dict[str, Any]:
    """Return nbgrader's metadata of a cell."""
    return {
        "schema_version": 3,
        "cell_type": "code",
        "grade_id": grade_id.replace(".", "-"),
        "grade": False,
        "solution": False,
        "locked": True,
        "task": False,
        **further,
    }


def for_students(lesson: NotebookNode) -> NotebookNode:
    """Return a copy of the lesson without outputs and folded solutions."""
    notebook: NotebookNode = nbformat.from_dict(lesson)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        else:
            cell.source = FOLDED.sub("", cell.source).strip()
    notebook.cells = [cell for cell in notebook.cells if cell.source]
    return notebook


def asked_in(lesson: NotebookNode) -> list[str]:
    """Return the exercises that a lesson checks, in its order."""
    checks = [CHECK.match(cell.source) for cell in lesson.cells if cell.cell_type == "code"]
    return [found[1] for found in checks if found]


def write_for_nbgrader(lesson: NotebookNode, name: str, course: Path, isolate: bool) -> Path:
    path = course / "source" / name / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, nbformat.writes(assignment(lesson)) + "\n")
    return path


def write_for_otter(lesson: NotebookNode, name: str, course: Path, isolate: bool) -> Path:
    path = course / name / f"{name}.ipynb"
    tests = path.parent / "tests"
    tests.mkdir(parents=True, exist_ok=True)
    asked = asked_in(lesson)
    for exercise in asked:
        title = exercise.replace(".", "-")
        test = OTTER_TEST.format(title=title, name=exercise)
        write_whole(tests / f"{title}.py", test)
    settings = {"exercises": asked, "without_isolation": not isolate}
    plugin = {"minigrad_lessons.grading.otter.Marked": settings}
    config = {"plugins": [plugin], "points_possible": len(asked), "logo": False}
    write_whole(path.parent / "otter_config.json", json.dumps(config, indent=1) + "\n")
    write_whole(path, nbformat.writes(for_students(lesson)) + "\n")
    return path


FORMATS = {"nbgrader": write_for_nbgrader, "otter": write_for_otter}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m minigrad_lessons.grading.assignment")
    parser.add_argument("chapters", nargs="+", help="all, or names such as 02_backward")
    parser.add_argument("--lang", choices=LANGUAGES, default=default_language())
    parser.add_argument("--format", choices=FORMATS, default="nbgrader")
    parser.add_argument("--course", type=Path, default=Path(), help="the course's folder")
    said = "let Otter mark without a sandbox: students' code can do what you can"
    parser.add_argument("--without-isolation", action="store_true", help=said)
    options = parser.parse_args(arguments)
    if options.without_isolation and options.format != "otter":
        parser.error("nbgrader's setting is c.Mark.without_isolation in nbgrader_config.py")
    known = with_exercises(options.lang)
    asked = list(known) if options.chapters == ["all"] else options.chapters
    for name in asked:
        if name not in known:
            print(f"no such chapter: {name} (there are {', '.join(known)})", file=sys.stderr)
            return 2
    for name in asked:
        lesson = nbformat.read(known[name], as_version=4)
        write = FORMATS[options.format]
        print(write(lesson, name, options.course, not options.without_isolation))
    return 0


def with_exercises(language: Language) -> dict[str, Path]:
    """Return the notebooks of the chapters with exercises, by the names of the chapters."""
    paths = {path.stem: path for path in notebooks(language)}
    return {name: path for name, path in paths.items() if 'check(\\"' in path.read_text("utf-8")}


if __name__ == "__main__":
    sys.exit(main())
