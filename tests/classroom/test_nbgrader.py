"""A chapter is handed out and marked by nbgrader itself: one point an exercise for the solutions,
none for holes that nobody filled, and none for whoever wrote the outcome instead.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest
from minigrad_lessons import assignment
from minigrad_lessons.exercises import EXERCISES
from minigrad_lessons.exercises.exercise import typed
from minigrad_lessons.marking import GONE
from nbformat import v4

from tests.classroom.course import (
    answers,
    asked_in,
    holes,
    marked_by_nbgrader,
    nbgrader,
    slips,
)
from tests.sampling import all_of

CHAPTER = "13_engine"
ASKED = sorted(name for name in EXERCISES if name.startswith("13."))
STUDENTS = ("diligent", "absent", "forger", "remover", "half")


@pytest.fixture(scope="module")
def course(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course whose assignment is released, in which these students hand in."""
    pytest.importorskip("nbgrader", reason="nbgrader is not installed (pip install '.[classroom]')")
    folder = tmp_path_factory.mktemp("course")
    shutil.copy(root / "deploy" / "nbgrader" / "nbgrader_config.py", folder)
    assert assignment.main([CHAPTER, "--lang", "en", "--course", str(folder)]) == 0
    nbgrader(folder, f"generate_assignment {CHAPTER}")
    for student in STUDENTS:
        handed_in = folder / "submitted" / student / CHAPTER / f"{CHAPTER}.ipynb"
        handed_in.parent.mkdir(parents=True)
        notebook = released(folder)
        for cell, name in zip(holes(notebook), ASKED, strict=True):
            if student == "diligent" or (student == "half" and name != ASKED[0]):
                cell.source = typed(cell.source, EXERCISES[name].solution, EXERCISES[name].asks)
            elif student == "half":
                cell.source = "import os\nos._exit(0)"
        if student == "forger":
            forge(notebook)
        if student == "remover":
            notebook.cells = [cell for cell in notebook.cells if "check(" not in cell.source]
        nbformat.write(notebook, handed_in)
    nbgrader(folder, f"autograde {CHAPTER}", "export")
    return folder


def forge(notebook: Any) -> None:
    """Everything that once gave points: a check that is always right, locked cells written anew,
    outputs that say so.
    """
    right = 'check = lambda *anything: type("Right", (), {"right": True})'
    for place in range(len(notebook.cells) - 1, 0, -1):
        cell = notebook.cells[place]
        if "check(" in cell.source:
            cell.source = f"verdict = 1\n{right}"
            cell.outputs = [v4.new_output("stream", text="Right.")]
            cell.metadata["nbgrader"]["points"] = 100
            notebook.cells.insert(place, v4.new_code_cell(right))


def released(course: Path) -> Any:
    return nbformat.read(course / "release" / CHAPTER / f"{CHAPTER}.ipynb", as_version=4)


def test_the_released_version_asks_and_does_not_tell(course: Path) -> None:
    notebook = released(course)
    assert [cell.source.count("...") for cell in holes(notebook)] == [1] * len(ASKED)
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert "<details>" not in prose and "Solution" not in prose
    assert not any(cell.get("outputs") for cell in notebook.cells)


def test_the_checks_of_the_released_version_are_locked(course: Path) -> None:
    checks = [cell for cell in released(course).cells if "check(" in cell.source]
    graded = [cell for cell in checks if cell.metadata.get("nbgrader", {}).get("grade")]
    assert len(graded) == len(ASKED)
    assert all(cell.metadata["editable"] is False for cell in graded)
    imports = "from minigrad_lessons import check\n"
    assert all(cell.source.startswith(imports) for cell in graded)


@pytest.mark.parametrize(
    ("student", "points"),
    [("diligent", len(ASKED)), ("half", len(ASKED) - 1), ("absent", 0), ("forger", 0)],
)
def test_solutions_get_full_marks_and_holes_none(course: Path, student: str, points: int) -> None:
    """`half` ends the process in one cell, which costs that point."""
    assert points_of(course, student) == points


def test_who_takes_the_checks_away_gets_nothing(course: Path) -> None:
    assert points_of(course, "remover") == 0


def test_the_verdict_stands_under_the_check(course: Path) -> None:
    """In the language of the notebook, for the feedback that nbgrader writes."""
    path = course / "autograded" / "half" / CHAPTER / f"{CHAPTER}.ipynb"
    checks = [cell for cell in nbformat.read(path, as_version=4).cells if "check(" in cell.source]
    said = [cell.outputs[0].get("evalue") or cell.outputs[0].text for cell in checks[-len(ASKED) :]]
    assert said[0] == GONE.en
    assert said[1:] == [EXERCISES[name].because.en for name in ASKED[1:]]


def points_of(course: Path, student: str) -> float:
    header, *rows = [line.split(",") for line in (course / "grades.csv").read_text().splitlines()]
    (row,) = (row for row in rows if row[header.index("student_id")] == student)
    assert float(row[header.index("max_score")]) == len(ASKED)
    return float(row[header.index("score")])


def test_the_teachers_version_runs_from_the_first_cell_to_the_last(course: Path) -> None:
    """Every exercise is solved in it: no point is lost for the teacher."""
    source = nbformat.read(course / "source" / CHAPTER / f"{CHAPTER}.ipynb", as_version=4)
    for cell, name in zip(holes(source), ASKED, strict=True):
        assert cell.source == typed(
            cell.metadata["minigrad"]["hole"], EXERCISES[name].solution, EXERCISES[name].asks
        )
        assert re.sub(r"\s", "", cell.metadata["minigrad"]["hole"]).count("...") == 1


def test_an_unknown_chapter_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert assignment.main([CHAPTER, "99_nothing", "--course", str(tmp_path)]) == 2
    assert "99_nothing" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


if all_of("COURSE"):

    @pytest.mark.parametrize("chapter", assignment.with_exercises("en"))
    def test_every_test_answer_gets_the_mark_that_it_deserves(chapter: str, tmp_path: Path) -> None:
        """At night: a class in which each student types another answer, as many as there are."""
        students = range(max(len(answers(name)) for name in asked_in(chapter)))
        assert not list(slips(chapter, marked_by_nbgrader(tmp_path, chapter, students)))
