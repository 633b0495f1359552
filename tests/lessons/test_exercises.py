"""Every exercise, with every answer that is foreseen: the solution and others that are right, each
known mistake, others that are wrong, and nothing at all.

An answer is typed into the hole of the chapter's own cell and judged by the chapter's own check
cell, after the code that a reader has run before.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import copy
import functools
import io
import math
import os
import random
import re
import sys
from typing import Any

import jupytext
import matplotlib
import numpy as np
import pytest
from minigrad_lessons import build, check
from minigrad_lessons.exercises import EXERCISES
from minigrad_lessons.exercises.exercise import Verdict, Words, bound, typed
from minigrad_lessons.exercises.judge import holds
from minigrad_lessons.exercises.look import Look, look
from minigrad_lessons.exercises.plain import plain
from minigrad_lessons.exercises.recognise import alike
from minigrad_lessons.exercises.sentences import EMPTY
from minigrad_lessons.lab.language import let_displays_follow

from tests.record import PRESENT
from tests.sampling import in_this_run

CHECK = re.compile(r'check\("(\d\d\.\d)"')

# Outside of a notebook, a chapter's plots would wait on the screen to be closed.
matplotlib.use("agg")


def cells_around(exercise: str) -> list[Any]:
    """All cells of the exercise's chapter."""
    (text,) = (text for text in texts() if f'check("{exercise}"' in text)
    return cells_of(text)


@functools.cache
def texts() -> list[str]:
    """Every chapter's source."""
    return [source.read_text(encoding="utf-8") for source in build.chapters()]


@functools.cache
def cells_of(text: str) -> list[Any]:
    """A chapter's cells. Its exercises share them: to read them takes a fifth of a second."""
    return list(jupytext.reads(text, fmt="md:myst").cells)


@functools.cache
def cells_before_and_with(exercise: str) -> tuple[list[Any], str, str]:
    """The code a reader has run, the cell with the hole, and the cell with the check."""
    code = [cell for cell in cells_around(exercise) if cell.cell_type == "code"]
    (place,) = (i for i, cell in enumerate(code) if f'check("{exercise}"' in cell.source)
    assert "hole" in code[place - 1].metadata.get("tags", [])
    return code[: place - 1], code[place - 1].source, code[place].source


@functools.cache
def names_before(exercise: str, library: str = "minigrad") -> dict[str, Any]:
    """Return the names of a reader's kernel before the exercise.

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
            programs = [typed(hole, each, exercise.asks) for each in foreseen(name)] + [checking]
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


def foreseen(exercise: str) -> list[str]:
    """Return every answer in the data of an exercise."""
    asked = EXERCISES[exercise]
    mistakes = [hint.wrong for hint in asked.hints]
    return [asked.solution, *asked.accepted, *mistakes, *asked.rejected]


def drawn_answers(exercise: str) -> list[str]:
    """Return the foreseen answers of this run."""
    asked = EXERCISES[exercise]
    others = {*asked.accepted, *asked.rejected}
    return [
        each
        for each in foreseen(exercise)
        if each not in others or in_this_run("COURSE", f"{exercise} {each}")
    ]


def answered(exercise: str, answer: str, library: str = "minigrad") -> dict[str, Any]:
    """Return the variables of a reader's kernel after the answer's cell has run.

    If the cell fails, the variables up to the error are there, and the reader may still check.
    """
    _, hole, _ = cells_before_and_with(exercise)
    assert hole.count("...") == 1
    cell = typed(hole, answer, EXERCISES[exercise].asks)
    names = dict(names_before(exercise, library)) | {"In": ["", cell]}
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
        exec(compile(cell, "<hole>", "exec"), names)
    return names


def checked(exercise: str, names: dict[str, Any]) -> Verdict:
    """Return the output of the chapter's check cell."""
    with contextlib.redirect_stdout(io.StringIO()):
        verdict = eval(cells_before_and_with(exercise)[2], names)
    assert isinstance(verdict, Verdict)
    return verdict


def answer(exercise: str, answer: str, library: str = "minigrad") -> Verdict:
    """The verdict after the answer has been typed into the hole."""
    return checked(exercise, answered(exercise, answer, library))


def test_chapters_and_data_name_the_same_exercises() -> None:
    asked = [
        number
        for source in build.chapters()
        for number in CHECK.findall(source.read_text(encoding="utf-8"))
    ]
    assert sorted(asked) == sorted(EXERCISES)  # chapter 5 is in two parts
    for chapter in {number.split(".")[0] for number in asked}:
        assert 2 <= sum(number.startswith(chapter) for number in asked) <= 7


@pytest.mark.sampled("COURSE", 40)
@pytest.mark.parametrize("library", ["minigrad", "torch"])
@pytest.mark.parametrize("exercise", sorted(EXERCISES))
def test_nothing_is_told_from_a_wrong_answer(exercise: str, library: str) -> None:
    pytest.importorskip(library)
    assert answer(exercise, "...", library) == Verdict(False, EMPTY)


@pytest.mark.parametrize(
    ("exercise", "library"),
    [(name, "minigrad") for name in sorted(EXERCISES)]
    + [(name, "torch") for name in sorted(EXERCISES) if in_this_run("COURSE", name)],
)
def test_foreseen_answers_get_their_verdict(exercise: str, library: str) -> None:
    """Check the solution and each mistake with a hint, and a third of the other answers.

    In a third of the exercises, check again, and again after a walk through every graph.
    """
    pytest.importorskip(library)
    asked = EXERCISES[exercise]
    right = Verdict(True, asked.because)
    hints = {hint.wrong: Verdict(False, hint.says) for hint in asked.hints}
    for each in drawn_answers(exercise):
        names = answered(exercise, each, library)
        verdict = checked(exercise, names)
        if each in asked.rejected:
            assert not verdict.right, each
            assert verdict.says not in [hint.says for hint in asked.hints], each
        else:
            assert verdict == hints.get(each, right), each
        if in_this_run("COURSE", exercise):
            assert checked(exercise, names) == verdict, each
            walk_all(names)
            assert checked(exercise, names) == verdict, each


def walk_all(names: dict[str, Any]) -> None:
    """Call backward() on all tensors, as a reader may have done in other cells."""
    for value in list(names.values()):
        if hasattr(value, "backward") and not isinstance(value, type):
            with contextlib.suppress(Exception):
                value.sum().backward()


@pytest.mark.parametrize("exercise", sorted(EXERCISES))
def test_six_answers_are_foreseen(exercise: str) -> None:
    assert len(set(foreseen(exercise))) == len(foreseen(exercise)) >= 6


@pytest.mark.sampled("COURSE", 20)
@pytest.mark.parametrize("exercise", sorted(EXERCISES))
def test_cell_binds_the_names_of_exercise(
    exercise: str,
) -> None:
    """Names that stand in no other exercise of the chapter: one is not judged by another's."""
    _, hole, checking = cells_before_and_with(exercise)
    asks = set(EXERCISES[exercise].asks)
    assert asks <= bound(hole)
    assert checking.strip() == f'check("{exercise}")'
    for other, asked in EXERCISES.items():
        if other != exercise and other.startswith(exercise.split(".")[0]):
            assert not asks & set(asked.asks), other


@pytest.mark.sampled("COURSE", 20)
@pytest.mark.parametrize("exercise", sorted(EXERCISES))
def test_cell_not_run_is_reported(exercise: str) -> None:
    names = dict(names_before(exercise)) | {"In": []}
    verdict = checked(exercise, names)
    assert not verdict.right
    assert any(f"`{ask}` is not defined" in verdict.says.en for ask in EXERCISES[exercise].asks)


def seen(exercise: str, answer: str, library: str = "minigrad") -> Any:
    asked = EXERCISES[exercise]
    found: Look = look(exercise, asked.asks, asked.probe, answered(exercise, answer, library))
    return found.seen


@pytest.mark.sampled("COURSE", 20)
@pytest.mark.parametrize("exercise", sorted(EXERCISES))
def test_what_is_seen_is_plain(exercise: str) -> None:
    found = seen(exercise, EXERCISES[exercise].solution)
    assert found is not None
    assert plain(found) == found


@pytest.mark.sampled("COURSE", 20)
@pytest.mark.parametrize("exercise", sorted(EXERCISES))
def test_observations_cannot_be_guessed(exercise: str) -> None:
    """In a class `seen` comes out of a process in which the student may do anything."""
    asked = EXERCISES[exercise]
    if asked.probe is not None:
        guesses: list[Any] = [None, True, False, 0, 1, 1.0, "", "right", [], {}]
        guesses += [[each] * count for each in (None, True, False, 0, 1) for count in range(1, 20)]
        assert not [guess for guess in guesses if holds(asked.right, guess)]


@pytest.mark.sampled("COURSE", 20)
@pytest.mark.parametrize("exercise", sorted(set(EXERCISES) - {"09.3"}))
def test_shapes_do_not_reveal_numbers(exercise: str) -> None:
    """A student can read the probe and its inputs.

    09.3 accepts any function whose graph varies, so invented graphs and slopes pass.
    """
    asked = EXERCISES[exercise]
    found = seen(exercise, asked.solution)
    for other in (math.nan, math.inf, None, True, 0, 1, 7.25, 1e308, "", [], {}):
        for kinds in ((float,), (float, int), (str,), (float, int, bool, str)):
            forged = with_leaves(found, other, kinds)
            assert alike(forged, found) or not holds(asked.right, forged), forged


def with_leaves(found: Any, other: Any, kinds: tuple[type, ...]) -> Any:
    """Return the outputs with all values of these kinds replaced."""
    if isinstance(found, list):
        return [with_leaves(each, other, kinds) for each in found]
    if isinstance(found, dict):
        return {key: with_leaves(each, other, kinds) for key, each in found.items()}
    return other if type(found) in kinds else found


@pytest.mark.sampled("COURSE", 40)
@pytest.mark.parametrize("library", ["minigrad", "torch"])
@pytest.mark.parametrize("exercise", sorted(EXERCISES))
def test_a_check_leaves_everything_as_it_was(exercise: str, library: str) -> None:
    pytest.importorskip(library)
    names = answered(exercise, EXERCISES[exercise].solution, library)
    mg = names["mg"]

    def state() -> list[Any]:
        tensors = {
            name: (value.detach().tolist(), value.is_leaf and value.grad is not None)
            for name, value in names.items()
            if isinstance(value, mg.Tensor)
        }
        drawn = [mg.get_rng_state().tolist(), str(np.random.get_state()), random.getstate()]  # noqa: NPY002
        return [tensors, drawn, mg.is_grad_enabled(), sorted(names)]

    mg.set_grad_enabled(False)
    try:
        before = copy.deepcopy(state())
        assert checked(exercise, names).right
        assert state() == before
    finally:
        mg.set_grad_enabled(True)


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


@pytest.mark.sampled("COURSE", 20)
@pytest.mark.parametrize("exercise", sorted(EXERCISES))
def test_no_answer_breaks_a_check(exercise: str) -> None:
    for each in STRANGE if PRESENT else STRANGE[:-1]:
        if not in_this_run("COURSE", f"{exercise} {each}"):
            continue
        verdict = answer(exercise, each)
        assert not verdict.right, each
        assert verdict.says.en and verdict.says.zh


@pytest.mark.parametrize(
    "loop", ["while True: pass", "while True: w = w * 2", "[0 for _ in iter(int, 1)]"]
)
def test_a_function_that_never_ends_is_stopped(loop: str) -> None:
    before = sys.gettrace()
    says = answer("90.2", f"def shard_part(w, x, y, total):\n    {loop}").says
    assert says.en.startswith("`shard_part(tensor(1., requires_grad=True), tensor([1., 2., 3.])")
    assert "was stopped" in says.en
    assert sys.gettrace() is before


@pytest.mark.sampled("COURSE", 20)
@pytest.mark.parametrize("exercise", sorted(EXERCISES))
def test_folded_solution_is_tested(exercise: str) -> None:
    """In each language, between an exercise's check and the next code cell stands its solution,
    folded.
    """
    cells = cells_around(exercise)
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


def test_verdict_has_language_of_folder(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = Verdict(True, Words("So it is.", "就是这样。"))
    assert repr(verdict) == "Right. So it is."
    (tmp_path / "zh").mkdir()
    monkeypatch.chdir(tmp_path / "zh")
    assert repr(verdict) == "正确。就是这样。"
    assert repr(Verdict(False, EMPTY)) == "还不对。" + EMPTY.zh


@pytest.mark.parametrize(("folder", "language"), [("zh", "zh"), ("en", "en"), ("else", "zh")])
def test_displays_speak_the_language_of_the_folder(
    folder: str, language: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment variable, which JupyterLab may have inherited, does not count."""
    (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / folder)
    monkeypatch.setenv("MINIGRAD_LANGUAGE", "zh" if folder != "zh" else "en")
    let_displays_follow()
    assert os.environ["MINIGRAD_LANGUAGE"] == language


def test_an_unknown_exercise_is_no_error() -> None:
    assert check("99.9") == Verdict(
        False, Words("There is no exercise '99.9'.", "没有编号为 '99.9' 的练习。")
    )
