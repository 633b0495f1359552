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


ADVERSARIES = """
gen, disc = T.nn.Linear(2, 2), T.nn.Sequential(T.nn.Tanh(), T.nn.Linear(2, 1))
opt_g = T.optim.SGD(gen.parameters(), lr=0.1)
opt_d = T.optim.SGD(disc.parameters(), lr=0.1)
z, real = T.randn(8, 2), T.randn(8, 2) + 2
"""


def test_reused_detached_samples_stay_detached(lib: ModuleType) -> None:
    """The first pass would free the samples' history for the second."""
    program = (
        f"{ADVERSARIES}for i in range(3):\n"
        "    fake = gen(z).detach()\n"
        "    loss_d = disc(fake).mean() - disc(real).mean()\n"
        "    opt_d.zero_grad(); loss_d.backward(); opt_d.step()\n"
        "    loss_g = -disc(fake).mean()\n"
        "    opt_g.zero_grad(); loss_g.backward(); opt_g.step()\n"
    )
    with notebook(lib, program) as cells:
        answer = cells.ask("viz.explain(loss_g)")
    assert "write `gen(z)` in place of `fake` in `loss_g = -disc(fake).mean()`" in answer.text
    assert "Leave .detach() out" not in answer.text


def test_loss_is_computed_anew_after_another_step(lib: ModuleType) -> None:
    """A pass before that step would give its optimizer the gradients of both losses."""
    program = (
        f"{ADVERSARIES}disc = T.nn.Sequential(disc, T.nn.Linear(1, 1))\n"
        "opt_d = T.optim.SGD(disc.parameters(), lr=0.1)\n"
        "fake = gen(z)\n"
        "loss_d = disc(fake.detach()).mean() - disc(real).mean()\nloss_g = -disc(fake).mean()\n"
        "opt_d.zero_grad(); loss_d.backward(); opt_d.step()\n"
        "opt_g.zero_grad(); loss_g.backward(); opt_g.step()\n"
    )
    with notebook(lib, program) as cells:
        answer = cells.ask("viz.explain(error)")
    assert "Call the model again after that step" in answer.text, answer.text


def test_no_other_model_is_told_to_learn(lib: ModuleType) -> None:
    """The optimizer of a copy is given the model of the loss, and not the loss the copy."""
    program = (
        f"import copy\n{SMALL_NET}target = copy.deepcopy(net)\n"
        "opt = T.optim.SGD(target.parameters(), lr=0.1)\n"
        "for i in range(3):\n"
        "    with T.no_grad():\n        goal = target(x)\n"
        "    loss = (net(x) - goal - 1).pow(2).mean()\n"
        "    opt.zero_grad(); loss.backward(); opt.step()\n"
    )
    with notebook(lib, program) as cells:
        answer = cells.ask("viz.explain(loss)")
    assert answer.cause == "other_tensors", answer.text
    assert "Write `opt = T.optim.SGD(net.parameters(), lr=0.1)`" in answer.text
    assert "with `target`" not in answer.text


def test_term_of_a_loss_is_explained_by_the_loss(lib: ModuleType) -> None:
    program = (
        "net = T.nn.Linear(3, 4)\nopt = T.optim.SGD(net.parameters(), lr=0.1)\n"
        "x, weight = T.randn(8, 3), T.rand(8, 1)\n"
        "for i in range(3):\n"
        "    term = -(T.log_softmax(net(x), 1)[T.arange(8), T.arange(8) % 4] * weight).mean()\n"
        "    loss = term + 0.1 * net.weight.pow(2).sum()\n"
        "    opt.zero_grad(); loss.backward(); opt.step()\n"
    )
    with notebook(lib, program) as cells:
        answer = cells.ask("viz.explain(term)")
    assert answer.cause == "broadcast_product", answer.text


def test_rules_read_the_body_of_a_try(lib: ModuleType) -> None:
    program = (
        f"{SMALL_NET}opt = T.optim.SGD(net.parameters(), lr=0.1)\n"
        "try:\n"
        "    for i in range(3):\n"
        "        T.manual_seed(0)\n"
        "        loss = (net(T.randn(8, 3)) - y).pow(2).mean()\n"
        "        opt.zero_grad(); loss.backward(); opt.step()\n"
        "finally:\n    done = True\n"
    )
    with notebook(lib, program) as cells:
        assert cells.ask("viz.explain(loss)").cause == "seed_in_loop"
