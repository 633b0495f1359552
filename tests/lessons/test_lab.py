"""The lab of the week: from seven open holes to an engine that reads digits, cell by cell."""

from __future__ import annotations

import contextlib
import io
import linecache
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jupytext
import minigrad_viz as viz
import numpy as np
import pytest
from minigrad_lessons.exercises.exercise import Verdict, typed
from minigrad_lessons.grading import solutions
from minigrad_lessons.week import lab
from minigrad_lessons.week.holes import HOLES

import minigrad

CELLS = [
    cell
    for cell in jupytext.reads(lab.SOURCE.read_text(encoding="utf-8"), fmt="md:myst").cells
    if cell.cell_type == "code"
]


class Notebook:
    """A kernel that keeps what has run, as IPython does."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__", "In": [""]}

    def run(self, source: str) -> Any:
        """Run a cell; return the value of its last line if that is an expression."""
        self.names["In"].append(source)
        file = f"<cell {id(self)}, {len(self.names['In'])}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        body, _, last = source.rpartition("\n")
        with contextlib.suppress(SyntaxError):
            value = compile(last, "<cell>", "eval")
            exec(compile(body, file, "exec"), self.names)
            return eval(value, self.names)
        exec(compile(source, file, "exec"), self.names)
        return None


def filled(hole: int, source: str) -> str:
    return typed(source, HOLES[hole].solution, HOLES[hole].asks)


def typed_until(hole: int, text: str | None = None, open_after: bool = False) -> Notebook:
    """Return a notebook with the holes up to this one typed, this one with `text`."""
    notebook, number = Notebook(), 0
    notebook.run(CELLS[0].source)
    for cell in CELLS[1:]:
        tags = cell.metadata.get("tags", [])
        if "engine" not in tags:
            continue
        source = cell.source
        if "hole" in tags:
            number += 1
            if number > hole and not open_after:
                break
            if number == hole and text is not None:
                source = typed(source, text, HOLES[hole].asks)
            elif number <= hole:
                source = filled(number, source)
        notebook.run(source)
    return notebook


def test_engine_has_at_most_120_lines() -> None:
    assert len(HOLES) == sum(cell.hole > 0 for cell in lab.cells()) == 7
    assert lab.line_count() <= 120


def test_student_types_engine_and_trains() -> None:
    """Every cell of the lab, with each hole typed when its turn has come."""
    notebook, number, steppers, worse = Notebook(), 0, 0, 0
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for cell in CELLS:
            if "hole" in cell.metadata.get("tags", []):
                number += 1
                notebook.run(cell.source)
                assert notebook.run(f"check({number})") == Verdict(False, lab.still_open(number))
                notebook.run(filled(number, cell.source))
                continue
            value = notebook.run(cell.source)
            if isinstance(value, Verdict):
                assert value.right, (number, value)
            if cell.source.endswith(")") and "\nstep(" in f"\n{cell.source}":
                assert isinstance(value, viz.Stepper), cell.source
                steppers += 1
            if "\ncompare(" in f"\n{cell.source}":
                assert isinstance(value, lab.Note) if number == 1 else value.differ, cell.source
                worse += 1
    assert (number, steppers, worse) == (7, 7, 7)
    mine, library = printed.getvalue().split("epoch 10:")[1:]
    assert mine.splitlines() == library.splitlines()
    right = int(mine.splitlines()[-1].split()[4])
    assert right > 0.8 * 297


@pytest.mark.parametrize("number", HOLES)
def test_known_mistake_gets_its_sentence(number: int) -> None:
    for mistake in HOLES[number].mistakes:
        notebook = typed_until(number, mistake.typed)
        verdict = notebook.run(f"check({number})")
        assert verdict == Verdict(False, mistake.says), mistake.typed


@pytest.mark.parametrize("number", HOLES)
def test_counterexample_gives_another_answer(number: int) -> None:
    right, _ = lab.expected(number)
    wrong = lab.looked_at(number, lab.complete_engine(wrong=number))
    assert not lab.alike(wrong.seen, right)


def test_rescue_says_so_and_carries_on() -> None:
    notebook = Notebook()
    for cell in CELLS[:3]:
        notebook.run(cell.source)
    said = repr(notebook.run("after(5)"))
    assert "not your lines" in said and HOLES[5].solution in said
    assert notebook.run("check(5)").right
    hole = next(
        cell for cell in CELLS if "def walk(" in cell.source and "hole" in cell.metadata.tags
    )
    notebook.run(hole.source)
    assert notebook.run("check(6)") == Verdict(False, lab.still_open(6))
    notebook.run(filled(6, hole.source))
    assert notebook.run("check(6)").right
    with pytest.raises(ValueError, match="holes 1 to 7"):
        notebook.run("after(8)")


def test_earlier_open_hole_is_named() -> None:
    notebook = typed_until(1, open_after=True)
    assert notebook.run("check(3)").says.en.startswith("Hole 2 is open")
    assert notebook.run("check(1)").right


def test_answer_may_be_written_otherwise() -> None:
    recursive = """\
uses = {root: 0}

def visit(node):
    for below, _ in node.next_functions:
        new = below not in uses
        uses[below] = uses.get(below, 0) + 1
        if new:
            visit(below)

visit(root)
return uses"""
    assert typed_until(5, recursive).run("check(5)").right
    in_place = "if old is None:\n    return np.array(g)\nreturn np.add(old, g)"
    assert typed_until(4, in_place).run("check(4)").right


def test_walk_that_never_ends_is_stopped() -> None:
    verdict = typed_until(6, "while True:\n    pass").run("check(6)")
    assert "was stopped" in verdict.says.en


def test_engine_agrees_on_random_programs() -> None:
    """The complete engine and minigrad, on sums and products of arrays of several shapes."""
    draw = np.random.default_rng(0)
    for _ in range(20):
        shapes = [(2, 3), (3,), (2, 1), (), (1, 3)]
        numbers = [draw.normal(size=shape) for shape in shapes]
        steps = draw.integers(0, 5, size=(6, 3))

        def gradients(lib: Any, numbers: Any = numbers, steps: Any = steps) -> list[Any]:
            leaves = [lib.tensor(each, requires_grad=True) for each in numbers]
            found = list(leaves)
            for kind, one, other in steps:
                a, b = found[-1 - one], found[other]
                found.append(a * b if kind % 2 else a + b)
            found[-1].sum().backward()
            return [each.grad for each in leaves]

        mine = gradients(lab.Library(lab.complete_engine()))
        for one, other in zip(mine, gradients(minigrad), strict=True):
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_allclose(one, other.numpy(), rtol=1e-9)


def test_rescue_works_without_solutions_of_chapters(tmp_path: Path) -> None:
    """On a server whose exercises are marked later."""
    solutions.copy_without_solutions(tmp_path)
    program = (
        "from minigrad_lessons.week import lab\n"
        "Value = lab.complete_engine()['Value']\n"
        "x = Value(3.0)\n(x * x).backward()\nprint(x.grad)"
    )
    path = os.pathsep.join([str(tmp_path), *(each for each in sys.path if each)])
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "6.0", done.stderr


def test_error_comes_with_line_and_hint() -> None:
    said = typed_until(4, "return old.add(g)").run("check(4)").says
    assert "AttributeError: 'NoneType' object has no attribute 'add'" in said.en
    assert "at your line `return old.add(g)`" in said.en
    assert said.en.endswith(HOLES[4].otherwise.en) and said.zh.endswith(HOLES[4].otherwise.zh)
