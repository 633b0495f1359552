"""A chapter as an assignment that nbgrader hands out, collects and marks.

    python -m minigrad_lessons.assignment 02_backward --lang en --course course

writes `course/source/02_backward/02_backward.ipynb`. In it every hole is filled with the exercise's
solution, so that a teacher can run it, and remembers how it was asked; the folded solutions are
gone; each check cell is worth one point. deploy/nbgrader holds the configuration that opens the
holes again in the students' version, and lets marking.py give the points.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from .cli import notebooks, spoken_here
from .exercises import EXERCISES
from .exercises.exercise import typed
from .keys import FOLDED
from .language import LANGUAGES

CHECK = re.compile(r'^check\("(\d\d\.\d)".*\)$', re.S)


def assignment(lesson: NotebookNode) -> NotebookNode:
    """The lesson in the form that nbgrader calls a source; the lesson itself is not changed."""
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
    """Fill the hole, and note how the question was asked."""
    cell.metadata["minigrad"] = {"hole": cell.source}
    cell.metadata["nbgrader"] = description(f"answer-{name}", solution=True, locked=False)
    cell.source = typed(cell.source, EXERCISES[name].solution, EXERCISES[name].asks)


def mark(cell: NotebookNode, name: str) -> None:
    """Give the check one point. It imports what it needs, and fails where an answer is not right;
    where the keys are not installed it only says whether there is one.
    """
    cell.metadata["nbgrader"] = description(f"check-{name}", grade=True, points=1)
    cell.source = (
        "from minigrad_lessons import check\n\n"
        f"verdict = {cell.source}\nassert verdict.right is not False, verdict\nverdict"
    )


def description(grade_id: str, **further: Any) -> dict[str, Any]:
    """What nbgrader wants to know of a cell."""
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


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m minigrad_lessons.assignment")
    parser.add_argument("chapters", nargs="+", help="names such as 02_backward")
    parser.add_argument("--lang", choices=LANGUAGES, default=spoken_here())
    parser.add_argument("--course", type=Path, default=Path(), help="nbgrader's course folder")
    options = parser.parse_args(arguments)
    known = {path.stem: path for path in notebooks(options.lang)}
    for name in options.chapters:
        if name not in known:
            print(f"no such chapter: {name} (there are {', '.join(known)})", file=sys.stderr)
            return 2
    for name in options.chapters:
        path = options.course / "source" / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(assignment(nbformat.read(known[name], as_version=4)), path)
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
