"""The same exercises marked by Otter, in whose process no code of a student's runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from minigrad_lessons import assignment
from minigrad_lessons.exercises import EXERCISES
from nbformat import v4

pytest.importorskip("otter", reason="Otter is not installed (pip install '.[otter]')")
from tests.classroom.course import (
    OTTER,
    answers,
    asked_in,
    holes,
    marked_by_otter,
    program,
    slips,
)
from tests.sampling import all_of

CHAPTER = "13_engine"
ASKED = asked_in(CHAPTER)
# Otter unpickles what the process of the notebook has written; this would be full marks there.
FORGERY = """
from otter.test_files import test_case
test_case.__call__ = lambda self, f: self
class Right(dict):
    __missing__ = lambda self, name: (True, "")
verdicts = Right()
check = lambda *anything: True
import pickle
pickle.dump = lambda *anything, **more: None
open("touched", "w").close()
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("course")


@pytest.fixture(scope="module")
def got(course: Path) -> dict[int, list[str]]:
    """What the first two students get, who give right and wrong answers."""
    return marked_by_otter(course, CHAPTER, range(2))


def test_marks_are_what_the_answers_deserve(got: dict[int, list[str]]) -> None:
    assert sorted(got[0]) == ASKED and got[1] == []


def test_students_get_the_questions_alone(course: Path, got: dict[int, list[str]]) -> None:
    notebook = nbformat.read(course / CHAPTER / f"{CHAPTER}.ipynb", 4)
    assert [cell.source.count("...") for cell in holes(notebook)] == [1] * len(ASKED)
    text = nbformat.writes(notebook)
    assert "<details>" not in text and not any(cell.get("outputs") for cell in notebook.cells)
    handed_out = "".join(path.read_text() for path in (course / CHAPTER / "tests").iterdir())
    long = [EXERCISES[name].solution for name in ASKED if len(EXERCISES[name].solution) > 12]
    assert long and not [solution for solution in long if solution in handed_out]


@pytest.mark.parametrize("kept", ["all checks", "no check"])
def test_a_forger_gets_nothing(course: Path, got: dict[int, list[str]], kept: str) -> None:
    assert got
    folder = course / CHAPTER
    notebook = nbformat.read(folder / f"{CHAPTER}.ipynb", 4)
    if kept == "no check":
        notebook.cells = [cell for cell in notebook.cells if "check(" not in cell.source]
    notebook.cells = [v4.new_code_cell(FORGERY), *notebook.cells, v4.new_code_cell(FORGERY)]
    assert points_of(folder, notebook) == dict.fromkeys(ASKED, 0)
    assert not list(course.rglob("touched"))


def test_an_answer_counts_where_its_check_was_taken_away(
    course: Path, got: dict[int, list[str]]
) -> None:
    assert got
    notebook = nbformat.read(course / CHAPTER / "student00" / f"{CHAPTER}.ipynb", 4)
    notebook.cells = [cell for cell in notebook.cells if f'check("{ASKED[0]}"' not in cell.source]
    assert points_of(course / CHAPTER, notebook) == dict.fromkeys(ASKED, 1)


def points_of(folder: Path, notebook: Any) -> dict[str, float]:
    """What Otter gives for a notebook that is handed in."""
    path = folder / "handed_in.ipynb"
    nbformat.write(notebook, path)
    program(folder, OTTER, "autograder.zip", str(path))
    points = json.loads(path.with_suffix(".json").read_text())
    return {name.replace("-", "."): score for name, score in sorted(points.items())}


if all_of("COURSE"):

    @pytest.mark.parametrize("chapter", assignment.with_exercises("en"))
    def test_every_test_answer_gets_the_mark_that_it_deserves(chapter: str, tmp_path: Path) -> None:
        """At night, as test_nbgrader.py does."""
        students = range(max(len(answers(name)) for name in asked_in(chapter)))
        assert not list(slips(chapter, marked_by_otter(tmp_path, chapter, students)))
