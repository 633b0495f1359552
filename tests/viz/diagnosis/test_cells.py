"""explain in a notebook whose cells bind a name again, and in scripts: the line that it quotes is
the one that made the object that is asked about.
"""

from __future__ import annotations

import linecache
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest

from tests.viz.diagnosis.running import notebook

W = "w = T.tensor([1.0, 2.0], requires_grad=True)\n"
TRIED = "try:\n    {}\nexcept Exception as problem:\n    error = problem\n"


def asked(lib: ModuleType, cells: list[str], question: str, language: str = "en") -> Any:
    """Return the answer of explain after these cells of one notebook."""
    first, *others = cells
    with notebook(lib, first) as book:
        for cell in others:
            book.run(cell)
        return book.ask(question, language)


def says(answer: viz.Explanation, cause: str, *phrases: str) -> None:
    assert answer.cause == cause, answer.text
    for phrase in phrases:
        assert phrase in answer.text, answer.text


# --- A name that several cells bind


def test_another_name_for_what_was_bound_before(lib: ModuleType) -> None:
    cells = [W, "y = w * 2\nfirst = y\n", "y = w.exp()\n"]
    says(asked(lib, cells, "viz.explain(first)"), "not_leaf", "`y = w * 2`")
    says(asked(lib, cells, "viz.explain(y)"), "not_leaf", "`y = w.exp()`")


def test_saved_value_keeps_its_old_line(lib: ModuleType) -> None:
    fails = TRIED.format("loss.backward()")
    cells = [W, "y = w.exp()\nloss = y.sum()\ny += 1\n", "y = w * 3\ny += 5\n", fails]
    for question in ("viz.explain(error)", "viz.explain(loss)"):
        says(asked(lib, cells, question), "in_place", "`y = w.exp()`", "changed in `y += 1`")


def test_rebound_leaf_is_named(lib: ModuleType) -> None:
    cells = [
        W,
        "loss = (w * w).sum()\n",
        "w = T.ones(2, requires_grad=True)\n",
        "loss.backward()\n",
    ]
    answer = asked(lib, cells, "viz.explain(w, loss)")
    says(answer, "not_reached", "`loss = (w * w).sum()`", "`w = T.ones(2, requires_grad=True)`")
    assert "新的张量" in asked(lib, cells, "viz.explain(w, loss)", "zh").text


def test_unreached_line_of_failed_cell_is_ignored(lib: ModuleType) -> None:
    unreached = "if False:\n    x = T.ones(2, requires_grad=True)\n"
    answer = asked(lib, ["x = T.zeros(2)\n", unreached], "viz.explain(x)")
    says(answer, "not_required", "`x = T.zeros(2)`")


def test_earlier_pass_of_rebound_name(lib: ModuleType) -> None:
    state = "h = T.tanh(h * w + {})\nloss = h.sum()\n"
    cells = [W + "h = T.zeros(2)\n", state.format(1) + "loss.backward()\n", state.format(2)]
    cells.append(TRIED.format("loss.backward()"))
    for question in ("viz.explain(error)", "viz.explain(loss)"):
        says(asked(lib, cells, question), "carried", "`h = T.tanh(h * w + 2)`", "h.detach()")


# --- Whole numbers


@pytest.mark.parametrize("t", ["loss", "best"])
def test_cast_of_indices_is_no_cure(lib: ModuleType, t: str) -> None:
    cells = [W + "best = w.argmax()\nloss = (best - 2) ** 2\n"]
    answer = asked(lib, cells, f"viz.explain({t})")
    says(answer, "not_floating", "`w.argmax()` gives indices", "`best = w.argmax()`", "Chapter 12")
    assert "float()" not in answer.text
    says(asked(lib, cells, "viz.explain(w)"), "used_without_history", "`w.argmax()` gives indices")


def test_integers_are_converted_where_made(lib: ModuleType) -> None:
    cells = ["x = T.tensor([1, 2, 3])\ny = (x * x).sum()\n"]
    says(asked(lib, cells, "viz.explain(x)"), "not_floating", "Convert it with x.float()")
    answer = asked(lib, cells, "viz.explain(y)")
    says(answer, "not_floating", "computed from whole numbers, `x`")
    assert "y.float()" not in answer.text


# --- States


LOOP = """
h = T.zeros(2)
for x in (1.0, 2.0):
    h = T.tanh({} * w + x)
    loss = h.sum()
    try:
        loss.backward()
    except RuntimeError as problem:
        error = problem
"""


def test_carried_state_is_named_without_error(lib: ModuleType) -> None:
    cells = [W + LOOP.format("h")]
    for question in ("viz.explain(loss)", "viz.explain(error)", "viz.explain(loss, error)"):
        says(asked(lib, cells, question), "carried", "`h = h.detach()`", "Chapter 14")


def test_detached_state_is_not_blamed(lib: ModuleType) -> None:
    says(asked(lib, [W + LOOP.format("h.detach()")], "viz.explain(loss)"), "finished")


def test_state_of_one_iteration_is_not_blamed(lib: ModuleType) -> None:
    once = LOOP.format("h").replace("(1.0, 2.0)", "(1.0,)")
    says(asked(lib, [W + once], "viz.explain(loss)"), "finished")


# --- autograd.grad()


def test_a_gradient_that_was_not_recorded(lib: ModuleType) -> None:
    cells = [W + "(g,) = T.autograd.grad((w**3).sum(), w)\n"]
    says(asked(lib, cells, "viz.explain(g)"), "not_required", "create_graph=True", "Chapter 10")
    says(asked(lib, cells, "viz.explain(w, g)"), "not_reached", "create_graph=True", "Chapter 10")


def test_a_gradient_that_was_returned(lib: ModuleType) -> None:
    cells = ["y = T.ones(2, requires_grad=True).sum()\ny.backward()\n"]
    cells += [W + "y = (w**3).sum()\ng = T.autograd.grad(y, w)\n"]
    answer = asked(lib, cells, "viz.explain(w)")
    says(answer, "by_grad", "`g = T.autograd.grad(y, w)`", "Chapter 4")


# --- Names of the library


def test_advice_speaks_as_the_program_does(lib: ModuleType) -> None:
    library = lib.__name__
    tried = TRIED.format("y.backward(mg.ones(2))")
    cells = ["import torch" if library == "minigrad" else "import minigrad"]
    cells += [f"import {library} as mg\ny = mg.ones(3, requires_grad=True) * 2\n", tried]
    says(asked(lib, cells, "viz.explain(error)"), "wrong_shape", "mg.ones_like(y)")


# --- Scripts


SCRIPT = """
def main():
    model = T.nn.Linear(3, 1)
    for p in model.parameters():
        p.requires_grad = False
    plain = T.zeros(3)
    loss = model(T.ones(2, 3) + plain).mean()
    unknown = compute(plain)
    return viz.explain(loss), viz.explain(unknown), viz.explain(plain)
"""


def test_loss_of_script_gets_no_requires_grad(lib: ModuleType) -> None:
    """To do so makes the error go away, and nothing learn."""
    name = "frozen_model.py"
    linecache.cache[name] = (len(SCRIPT), None, SCRIPT.splitlines(True), name)
    scope: dict[str, Any] = {"T": lib, "viz": viz, "compute": lambda t: t.sum(), "__name__": "s"}
    exec(compile(SCRIPT, name, "exec"), scope)
    loss, unknown, plain = scope["main"]()
    says(loss, "not_required", "`p.requires_grad = False`")
    assert "requires_grad_()" not in loss.text
    assert "unknown.requires_grad_()" not in unknown.text
    says(plain, "not_required", "Call plain.requires_grad_()")


# --- Chapters

SUBJECTS = {
    "12": "loss = T.tensor(w.sum().item())\n",
    "14": "total = 0.0\nfor _ in range(3):\n    loss = w.sum() ** 2\n    loss.backward()\n"
    "    total += loss\nloss = total\n",
    "15": "w = T.nn.Linear(2, 1)\nfor p in w.parameters():\n    p.requires_grad_(False)\n"
    "loss = w(T.ones(1, 2)).sum()\n",
    "5": "loss = w.detach().sum()\n",
}


@pytest.mark.parametrize("chapter", SUBJECTS)
def test_answer_names_chapter_of_subject(lib: ModuleType, chapter: str) -> None:
    answer = asked(lib, [W + SUBJECTS[chapter]], "viz.explain(loss)")
    assert f"Chapter {chapter} of the lessons" in answer.text, answer.text
