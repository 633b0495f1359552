"""Every exercise, with every answer that is foreseen: the solution, each known mistake, and nothing
at all.

An answer is typed into the hole of the chapter's own cell and judged by the chapter's own check
cell, after the code that a reader has run before.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import io
import os
import re
import sys
from typing import Any

import jupytext
import matplotlib
import pytest
from minigrad_lessons import build, check
from minigrad_lessons.exercises import EXERCISES
from minigrad_lessons.exercises.exercise import EMPTY, Verdict, Words
from minigrad_lessons.language import let_displays_follow

from tests.record import PRESENT

CHECK = re.compile(r'check\("(\d\d\.\d)"')

# Outside of a notebook, a chapter's plots would wait on the screen to be closed.
matplotlib.use("agg")


@functools.cache
def cells_before_and_with(exercise: str) -> tuple[list[Any], str, str]:
    """The code a reader has run, the cell with the hole, and the cell with the check."""
    (source,) = (s for s in build.chapters() if s.stem.startswith(exercise.split(".")[0]))
    cells = jupytext.reads(source.read_text(encoding="utf-8"), fmt="md:myst").cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    (place,) = (i for i, cell in enumerate(code) if f'check("{exercise}"' in cell.source)
    assert "hole" in code[place - 1].metadata.get("tags", [])
    return code[: place - 1], code[place - 1].source, code[place].source


@functools.cache
def names_before(exercise: str, library: str = "minigrad") -> dict[str, Any]:
    """What a reader's kernel holds before the exercise.

    A chapter may train a network or start a cluster, so what precedes its exercises is run once,
    and not at all if they use nothing of it.
    """
    chapter, number = exercise.split(".")
    earlier = f"{chapter}.{int(number) - 1}"
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = cells_before_and_with(exercise)[0]
    if earlier in EXERCISES:
        names = dict(names_before(earlier, library))
        cells = cells[len(cells_before_and_with(earlier)[0]) :]
    else:
        opening, *cells = cells
        exec(opening.source.replace("import minigrad as", f"import {library} as"), names)
    if not needed(chapter) <= names.keys():
        with contextlib.redirect_stdout(io.StringIO()):
            for cell in cells:
                if "raises-exception" not in cell.metadata.get("tags", []):
                    exec(compile(cell.source, "<cell>", "exec"), names)
    if "plt" in names:
        names["plt"].close("all")
    return names


@functools.cache
def needed(chapter: str) -> set[str]:
    """The names that a chapter's exercises use, with any answer, and do not make themselves."""
    missing: set[str] = set()
    for name, exercise in EXERCISES.items():
        if name.startswith(chapter):
            _, hole, checking = cells_before_and_with(name)
            typed = [exercise.solution, *(hint.wrong for hint in exercise.hints)]
            programs = [hole.replace("...", each) for each in typed] + [checking]
            used, made = set(), set(dir(builtins))
            for node in (node for each in programs for node in ast.walk(ast.parse(each))):
                if isinstance(node, ast.Name):
                    (used if isinstance(node.ctx, ast.Load) else made).add(node.id)
                elif isinstance(node, ast.arg):
                    made.add(node.arg)
                elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.alias):
                    made.add(node.name)
            missing |= used - made
    return missing


def answer(exercise: str, typed: str, times: int = 1, library: str = "minigrad") -> Verdict:
    """The verdict after `typed` has been put into the hole and the check run so many times.

    A cell that fails has run as far as it got: the reader sees the error, and checks all the same.
    """
    _, hole, checking = cells_before_and_with(exercise)
    assert hole.count("...") == 1
    names = dict(names_before(exercise, library))
    with contextlib.redirect_stdout(io.StringIO()):
        with contextlib.suppress(Exception):
            exec(compile(hole.replace("...", typed), "<hole>", "exec"), names)
        for _ in range(times):
            verdict = eval(checking, names)
    assert isinstance(verdict, Verdict)
    return verdict


def test_chapters_and_data_name_the_same_exercises() -> None:
    asked = [
        number
        for source in build.chapters()
        for number in CHECK.findall(source.read_text(encoding="utf-8"))
    ]
    assert asked == sorted(EXERCISES)
    for chapter in {number.split(".")[0] for number in asked}:
        assert 2 <= sum(number.startswith(chapter) for number in asked) <= 4


@pytest.mark.parametrize("exercise", sorted(EXERCISES))
def test_nothing_is_not_yet_right(exercise: str) -> None:
    assert not answer(exercise, "...").right


@pytest.mark.parametrize("library", ["minigrad", "torch"])
@pytest.mark.parametrize("exercise", sorted(EXERCISES))
def test_the_solution_is_right_and_a_known_mistake_gets_its_hint(
    exercise: str, library: str
) -> None:
    pytest.importorskip(library)
    known = [(hint.wrong, Verdict(False, hint.says)) for hint in EXERCISES[exercise].hints]
    known += [(EXERCISES[exercise].solution, Verdict(True, EXERCISES[exercise].because))]
    for typed, verdict in known:
        assert answer(exercise, typed, library=library) == verdict, typed


STRANGE = [
    "None",
    "True",
    "'what?'",
    "[]",
    "{}",
    "float('nan')",
    "float('inf')",
    "10**400",
    "object",
    "1j",
    "b''",
    "[[]]",
    "mg.ones(0)",
    "mg.ones(2, 3, requires_grad=True)",
    "lambda *anything: 1 / 0",
    "lambda *anything: anything",
    "__import__('itertools').count()",
    "__import__('torch').full((), 7.3, requires_grad=True)",
]


@pytest.mark.parametrize("exercise", sorted(EXERCISES))
def test_no_answer_makes_a_check_raise_or_hang(exercise: str) -> None:
    for typed in STRANGE if PRESENT else STRANGE[:-1]:
        verdict = answer(exercise, typed)
        assert not verdict.right, typed
        assert verdict.says.en and verdict.says.zh


@pytest.mark.parametrize(
    "loop", ["while True: pass", "while True: x = x * 2", "[0 for _ in iter(int, 1)]"]
)
def test_a_function_that_never_ends_is_stopped(loop: str) -> None:
    before = sys.gettrace()
    typed = f"None\n\n\ndef mine(x):\n    {loop}"
    assert "was stopped" in answer("09.3", typed).says.en
    assert sys.gettrace() is before


@pytest.mark.parametrize("exercise", sorted(EXERCISES))
def test_a_check_can_be_run_again(exercise: str) -> None:
    assert answer(exercise, EXERCISES[exercise].solution, times=2).right


@pytest.mark.parametrize("exercise", sorted(EXERCISES))
def test_the_folded_solution_is_the_one_that_is_tested(exercise: str) -> None:
    """In each language, between an exercise's check and the next code cell stands its solution,
    folded.
    """
    (source,) = (s for s in build.chapters() if s.stem.startswith(exercise.split(".")[0]))
    cells = jupytext.reads(source.read_text(encoding="utf-8"), fmt="md:myst").cells
    (place,) = (i for i, c in enumerate(cells) if f'check("{exercise}"' in c.source)
    following = []
    for cell in cells[place + 1 :]:
        if cell.cell_type == "code":
            break
        following.append(cell)
    assert {cell.metadata["lang"] for cell in following} == {"en", "zh"}
    for cell in following:
        folded = cell.source[: cell.source.index("</details>")]
        assert f"```python\n{EXERCISES[exercise].solution}\n```" in folded


def test_a_verdict_speaks_the_language_of_the_folder(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert repr(check("02.1", 8)).startswith("Right. ")
    (tmp_path / "zh").mkdir()
    monkeypatch.chdir(tmp_path / "zh")
    assert repr(check("02.1", 8)).startswith("正确。")
    assert repr(check("02.1", 2)).startswith("还不对。")
    assert repr(check("02.1", ...)) == "还不对。" + EMPTY.zh


@pytest.mark.parametrize(("folder", "language"), [("zh", "zh"), ("en", "en"), ("else", "zh")])
def test_displays_speak_the_language_of_the_folder(
    folder: str, language: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the environment says, which a reader's JupyterLab may have inherited."""
    (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / folder)
    monkeypatch.setenv("MINIGRAD_LANGUAGE", "zh" if folder != "zh" else "en")
    let_displays_follow()
    assert os.environ["MINIGRAD_LANGUAGE"] == language


def test_an_unknown_exercise_is_no_error() -> None:
    assert check("99.9", 1) == Verdict(
        False, Words("There is no exercise '99.9'.", "没有编号为 '99.9' 的练习。")
    )
