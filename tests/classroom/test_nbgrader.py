"""nbgrader hands out and marks a chapter: one point an exercise for the solutions.

Open holes get no points, and neither do outcomes that a student wrote by hand.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest
from minigrad_lessons.exercises import EXERCISES
from minigrad_lessons.exercises.exercise import typed
from minigrad_lessons.grading import assignment
from minigrad_lessons.grading.marking import GONE
from nbformat import v4

from tests.classroom.course import (
    NBGRADER,
    answers,
    asked_in,
    holes,
    marked_by_nbgrader,
    nbgrader,
    run_program,
    slips,
)
from tests.sampling import all_of

pytestmark = pytest.mark.usefixtures("sandbox")

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


def test_released_version_has_no_answers(course: Path) -> None:
    notebook = released(course)
    assert [cell.source.count("...") for cell in holes(notebook)] == [1] * len(ASKED)
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert "<details>" not in prose and "Solution" not in prose
    assert not any(cell.get("outputs") for cell in notebook.cells)


def test_released_checks_are_locked(course: Path) -> None:
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


def test_every_exercise_belongs_to_one_chapter() -> None:
    """Two chapters have the number 5."""
    asked = [name for chapter in assignment.with_exercises("en") for name in asked_in(chapter)]
    assert sorted(asked) == sorted(EXERCISES)


def points_of(course: Path, student: str) -> float:
    header, *rows = [line.split(",") for line in (course / "grades.csv").read_text().splitlines()]
    (row,) = (row for row in rows if row[header.index("student_id")] == student)
    assert float(row[header.index("max_score")]) == len(ASKED)
    return float(row[header.index("score")])


def test_version_of_teacher_runs_completely(course: Path) -> None:
    """Every exercise is solved in it: no point is lost for the teacher."""
    source = nbformat.read(course / "source" / CHAPTER / f"{CHAPTER}.ipynb", as_version=4)
    for cell, name in zip(holes(source), ASKED, strict=True):
        assert cell.source == typed(
            cell.metadata["minigrad"]["hole"], EXERCISES[name].solution, EXERCISES[name].asks
        )
        assert re.sub(r"\s", "", cell.metadata["minigrad"]["hole"]).count("...") == 1


def test_unknown_chapter_raises_before_writing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert assignment.main([CHAPTER, "99_nothing", "--course", str(tmp_path)]) == 2
    assert "99_nothing" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


BAD = {
    "vast": "is larger than 20 MiB",
    "links": "cannot be read: a link",
    "pipe": "is no file",
    "prose": "is no notebook",
    "table": "is no notebook",
    "utf16": "is not UTF-8 text",
}


def test_bad_submissions_get_one_sentence_each(course: Path) -> None:
    """The marks of the others stay, and so do the submissions."""
    before = (course / "grades.csv").read_bytes()
    paths = {name: course / "submitted" / name / CHAPTER / f"{CHAPTER}.ipynb" for name in BAD}
    for path in paths.values():
        path.parent.mkdir(parents=True)
    with paths["vast"].open("wb") as vast:
        vast.truncate(2**30)
    for number in range(20):
        (paths["links"].parent / f"{number}.txt").symlink_to("/dev/zero")
    paths["links"].symlink_to("/dev/zero")
    os.mkfifo(paths["pipe"])
    paths["prose"].write_text("I could not open the notebook.")
    paths["table"].write_text("[1, 2]")
    paths["utf16"].write_bytes(nbformat.writes(released(course)).encode("utf-16"))
    try:
        done = run_program(course, NBGRADER, f"autograde {CHAPTER}")
        assert done.returncode == 1
        for name, sentence in BAD.items():
            assert f"NbGraderException: {name}: " in done.stderr, done.stderr
            (line,) = {line for line in done.stderr.splitlines() if f": {name}: " in line}
            assert line.endswith(sentence)
        assert {path.name for path in (course / "autograded").iterdir()} == set(STUDENTS)
        nbgrader(course, "export")
        assert (course / "grades.csv").read_bytes() == before
    finally:
        for path in paths.values():
            shutil.rmtree(path.parents[1])


if all_of("COURSE"):

    @pytest.mark.parametrize("chapter", assignment.with_exercises("en"))
    def test_every_answer_gets_its_mark(chapter: str, tmp_path: Path) -> None:
        """At night: a class in which each student types another answer, as many as there are."""
        students = range(max(len(answers(name)) for name in asked_in(chapter)))
        assert not list(slips(chapter, marked_by_nbgrader(tmp_path, chapter, students)))
