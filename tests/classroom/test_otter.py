"""The same exercises marked by Otter, in whose process no code of a student's runs."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from minigrad_lessons.exercises import EXERCISES
from minigrad_lessons.grading import assignment
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

pytestmark = pytest.mark.usefixtures("sandbox")

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
    """Return the marks of the first two students, who give right and wrong answers."""
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


@pytest.fixture(scope="module")
def others(course: Path, got: dict[int, list[str]]) -> dict[str, list[str]]:
    """Return the marks of students who changed more than their answers."""
    assert got
    folder = course / CHAPTER
    asked = nbformat.read(folder / f"{CHAPTER}.ipynb", 4)
    first, second, third, last = (v4.new_code_cell(FORGERY) for _ in range(4))
    without_checks = [cell for cell in asked.cells if "check(" not in cell.source]
    solved = nbformat.read(folder / "student00" / f"{CHAPTER}.ipynb", 4).cells
    cells = {
        "forger": [first, *asked.cells, second],
        "remover": [third, *without_checks, last],
        "solver": [cell for cell in solved if f'check("{ASKED[0]}"' not in cell.source],
    }
    paths = {name: folder / f"{name}.ipynb" for name in cells}
    for name, path in paths.items():
        nbformat.write(v4.new_notebook(cells=cells[name], metadata=asked.metadata), path)
    program(folder, OTTER, "autograder.zip", *map(str, paths.values()))
    points = {name: json.loads(p.with_suffix(".json").read_text()) for name, p in paths.items()}
    assert all(len(each) == len(ASKED) for each in points.values())
    return {name: [test for test, score in each.items() if score] for name, each in points.items()}


@pytest.mark.parametrize("name", ["forger", "remover"])
def test_a_forger_gets_nothing(course: Path, others: dict[str, list[str]], name: str) -> None:
    assert others[name] == []
    assert not list(course.rglob("touched"))


def test_answer_without_its_check_counts(others: dict[str, list[str]]) -> None:
    assert len(others["solver"]) == len(ASKED)


if all_of("COURSE"):

    @pytest.mark.parametrize("chapter", assignment.with_exercises("en"))
    def test_every_answer_gets_its_mark(chapter: str, tmp_path: Path) -> None:
        """At night, as test_nbgrader.py does."""
        students = range(max(len(answers(name)) for name in asked_in(chapter)))
        assert not list(slips(chapter, marked_by_otter(tmp_path, chapter, students)))
