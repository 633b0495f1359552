"""No answer tells an input, a target or a loss to require grad, and none guesses without text."""

from __future__ import annotations

import linecache
from types import ModuleType

import pytest

from tests.viz.diagnosis.program_files import broken_programs
from tests.viz.diagnosis.running import Notebook, notebook

SMALL_NET = "net = T.nn.Linear(3, 1)\nx, y = T.randn(8, 3), T.randn(8, 1)\n"

PROGRAMS = {
    "target": "x, goal = T.randn(4, 3), T.randn(4, 1)\n(x.sum(1) - goal).pow(2).sum().backward()\n",
    "loss": (
        f"{SMALL_NET}with T.no_grad():\n    loss = (net(x) - y).pow(2).mean()\nloss.backward()\n"
    ),
    "update": (
        "x, y, v = T.randn(4), T.randn(4), T.zeros(1)\n"
        "for i in range(2):\n"
        "    loss = (v * x - y).pow(2).mean()\n"
        "    loss.backward()\n"
        "    v -= 0.1 * v.grad\n"
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_data_are_not_told_to_require_grad(lib: ModuleType, name: str) -> None:
    with notebook(lib, PROGRAMS[name]) as cells:
        text = cells.ask("viz.explain(error)").text
    wrong = [f"{each}.requires_grad_()" for each in ("x", "y", "goal", "loss")]
    assert not any(each in text for each in wrong), text
    assert "create_graph" not in text and "retain_graph" not in text


def test_updated_weight_is_named_with_its_line(lib: ModuleType) -> None:
    with notebook(lib, PROGRAMS["update"]) as cells:
        answer = cells.ask("viz.explain(error)")
    assert "`x, y, v = T.randn(4), T.randn(4), T.zeros(1)`" in answer.text
    assert "`v.requires_grad_()`" in answer.text


def test_step_between_passes_forbids_retaining(lib: ModuleType) -> None:
    program = (
        f"{SMALL_NET}opt = T.optim.SGD(net.parameters(), lr=0.1)\n"
        "loss = (net(x) - y).pow(2).mean()\nloss.backward()\nopt.step()\nloss.backward()\n"
    )
    with notebook(lib, program) as cells:
        answer = cells.ask("viz.explain(error)")
    assert "retain_graph" not in answer.text, answer.text


@pytest.mark.parametrize("causes", [("no_graph", "freed", "freed_shared", "finished")])
def test_no_cure_is_guessed_without_text(lib: ModuleType, causes: tuple[str, ...]) -> None:
    found = [b for b in broken_programs().values() if b.cause in causes and not b.library]
    for broken in found[::10]:
        before = dict(linecache.cache)
        linecache.cache.clear()
        try:
            answer = WithoutText(lib, broken.program).ask(broken.ask)
        finally:
            linecache.cache.clear()
            linecache.cache.update(before)
        cures = ("requires_grad_()", "create_graph=True", "retain_graph=True", "requires_grad=True")
        assert not any(each in answer.text for each in cures), (broken.name, answer.text)


class WithoutText(Notebook):
    """A program whose text is nowhere, as after exec() of a string."""

    def run(self, cell: str) -> None:
        exec(compile(cell, "<string>", "exec"), self.scope)
