"""A chapter is handed out and marked by nbgrader itself: one point an exercise for the solutions,
none for holes that nobody filled.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from minigrad_lessons import assignment
from minigrad_lessons.exercises import EXERCISES

CHAPTER = "02_backward"
ASKED = sorted(name for name in EXERCISES if name.startswith("02."))


@pytest.fixture(scope="module")
def course(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course whose assignment is released, in which two students hand in."""
    pytest.importorskip("nbgrader", reason="nbgrader is not installed (pip install '.[classroom]')")
    folder = tmp_path_factory.mktemp("course")
    shutil.copy(root / "deploy" / "nbgrader" / "nbgrader_config.py", folder)
    assert assignment.main([CHAPTER, "--lang", "en", "--course", str(folder)]) == 0
    nbgrader(folder, f"generate_assignment {CHAPTER}")
    for student, answered in [("diligent", True), ("absent", False)]:
        handed_in = folder / "submitted" / student / CHAPTER / f"{CHAPTER}.ipynb"
        handed_in.parent.mkdir(parents=True)
        notebook = released(folder)
        for cell, name in zip(holes(notebook), ASKED, strict=True):
            if answered:
                cell.source = cell.source.replace("...", EXERCISES[name].solution)
        nbformat.write(notebook, handed_in)
    nbgrader(folder, f"autograde {CHAPTER}", "export")
    return folder


# What `nbgrader COMMAND` does, for several commands in one process: it takes seconds to start.
COMMANDS = """
import sys
from nbgrader.apps.nbgraderapp import NbGraderApp
for command in sys.argv[1:]:
    NbGraderApp.launch_instance(command.split())
    NbGraderApp.clear_instance()
"""


def nbgrader(folder: Path, *commands: str) -> None:
    scripts = str(Path(sys.executable).parent)  # nbgrader calls alembic by its name
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS, *commands],
        cwd=folder,
        env=os.environ | {"PATH": os.pathsep.join([scripts, os.environ["PATH"]])},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr


def released(course: Path) -> Any:
    return nbformat.read(course / "release" / CHAPTER / f"{CHAPTER}.ipynb", as_version=4)


def holes(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if "hole" in cell.metadata.get("tags", [])]


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


@pytest.mark.parametrize(("student", "points"), [("diligent", len(ASKED)), ("absent", 0)])
def test_solutions_get_full_marks_and_holes_none(course: Path, student: str, points: int) -> None:
    header, *rows = [line.split(",") for line in (course / "grades.csv").read_text().splitlines()]
    (row,) = (row for row in rows if row[header.index("student_id")] == student)
    assert float(row[header.index("score")]) == points
    assert float(row[header.index("max_score")]) == len(ASKED)


def test_the_teachers_version_runs_from_the_first_cell_to_the_last(course: Path) -> None:
    """Every exercise is solved in it: no point is lost for the teacher."""
    source = nbformat.read(course / "source" / CHAPTER / f"{CHAPTER}.ipynb", as_version=4)
    for cell, name in zip(holes(source), ASKED, strict=True):
        assert EXERCISES[name].solution in cell.source
        assert re.sub(r"\s", "", cell.metadata["minigrad"]["hole"]).count("...") == 1


def test_an_unknown_chapter_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert assignment.main([CHAPTER, "99_nothing", "--course", str(tmp_path)]) == 2
    assert "99_nothing" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
