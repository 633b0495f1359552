"""Relatives of programs whose first answers were wrong: what is to be said, and what is not."""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

import pytest

from tests.viz.diagnosis.running import notebook
from tests.viz.diagnosis.test_rules import diagnosed, explained


class Relative(NamedTuple):
    """A program, the question about it, and words that the answer has and has not."""

    program: str
    says: tuple[str, ...]
    never: tuple[str, ...] = ()
    ask: str = "viz.explain(loss)"
    watched: bool = True
    """Whether `diagnose` is to say the same."""


START = """
nn, F = T.nn, T.nn.functional
T.manual_seed(0)
"""

STEPS = """
for turn in range(6):
    {inside}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def steps(before: str, inside: str) -> str:
    return START + before.strip("\n") + STEPS.format(inside=inside)


NET = """
net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 2))
opt = T.optim.{optimizer}(net.parameters(), lr=0.1)
x, y = T.randn(12, 4), T.arange(12) % 2
"""

PARTS = NET.format(optimizer="SGD") + "parts = list(zip(x.chunk(3), y.chunk(3)))\n"

UNNAMED = (
    START
    + NET
    + """
for turn in range(4):
    F.cross_entropy(net({given}), y).backward()
    opt.step()
    opt.zero_grad()
"""
)

BATCHED = """
net = nn.Sequential(nn.BatchNorm1d(4), nn.Linear(4, 2))
{before}
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(12, 4), T.arange(12) % 2
def valid(model):
    net.train(False)
    net.eval()
valid(net)
"""

READING = """
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.out = nn.Embedding(9, 4), nn.Linear(4, 2)
        self.q = nn.Parameter(T.randn(4))
    def forward(self, ids, keep):
        e = self.table(ids)
        s = (e @ self.q).masked_fill({mask}, float("-inf"))
        return self.out((T.softmax(s, dim=1).unsqueeze(-1) * e).sum(1))
net = Reader()
opt = T.optim.SGD(net.parameters(), lr=0.1)
words, y = T.randint(1, 9, (8, 6)), T.arange(8) % 2
keep = T.arange(6)[None] < (T.arange(8) % 3 + 2)[:, None]
words = words.masked_fill(~keep, 0)
"""

TWICE = """
class Words(nn.Module):
    def __init__(self, width, rows):
        super().__init__()
        self.table = nn.Embedding(rows, width)
        {second}
net = Words(3, rows=5)
net.table(T.tensor([1, 5]))
"""

OUTSIDE = """
nn = T.nn
a = T.zeros(1, requires_grad=True)
b = T.exp(a)
net = nn.Linear(2, 1)
opt = T.optim.SGD([{held}], lr=0.1)
x = T.randn(4, 2)
for turn in range(2):
    loss = (b * net(x)).pow(2).mean()
    loss.backward()
    opt.step()
"""

JUMPING = """
net = T.nn.Linear(4, 2)
x, y = T.randn(6, 4), T.randn(6)
scores = net(x)
chances = {chances}
loss = (chances.argmax(1).float() - y).pow(2).mean()
loss.backward()
"""

RELATIVES = {
    "numbers of losses in a list": Relative(
        steps(
            PARTS,
            "loss = T.tensor([float(F.cross_entropy(net(a), b)) for a, b in parts], "
            "requires_grad=True).sum()",
        ),
        ("T.stack([F.cross_entropy(net(a), b) for a, b in parts])",),
        ("retain_grad", "requires_grad_("),
    ),
    "numbers made to require grad": Relative(
        steps(
            PARTS,
            "loss = T.tensor([F.cross_entropy(net(a), b).item() for a, b in parts])"
            ".requires_grad_().sum()",
        ),
        ("T.stack([F.cross_entropy(net(a), b) for a, b in parts])",),
        ("retain_grad",),
    ),
    "cleared state of Adam": Relative(
        UNNAMED.format(optimizer="Adam", given="x"),
        ("`opt.zero_grad()`", "has cleared it since the last pass"),
        ("Use ",),
        "viz.explain(net[0].weight)",
        watched=False,
    ),
    "cleared by plain descent": Relative(
        UNNAMED.format(optimizer="SGD", given="x"),
        ("has cleared it since the last pass",),
        ("Use ",),
        "viz.explain(net[0].weight)",
        watched=False,
    ),
    "never used": Relative(
        UNNAMED.format(optimizer="Adam", given="x") + "other = nn.Linear(2, 2)\n",
        ("nothing that you have a name for",),
        ("cleared",),
        "viz.explain(other.weight)",
        watched=False,
    ),
    "eval in another function": Relative(
        steps(BATCHED.format(before=""), "loss = F.cross_entropy(net(x), y)"),
        ("`net.0` has averaged no batch", "`net.train()`", "`net.eval()`"),
        ("learning rate",),
    ),
    "words hidden by infinity": Relative(
        steps(READING.format(mask="keep"), "loss = F.cross_entropy(net(words, keep), y)"),
        ("`~keep`",),
        ("vanish",),
    ),
    "rows for two layers": Relative(
        START + TWICE.format(second="self.back = nn.Linear(width, rows)"),
        ("`Words(3, rows=6)`",),
        (),
        "viz.explain(error)",
        watched=False,
    ),
    "rows for one layer": Relative(
        START + TWICE.format(second="self.back = nn.Linear(width, 2)"),
        ("`nn.Embedding(6, width)`",),
        (),
        "viz.explain(error)",
        watched=False,
    ),
    "an optimizer changes it": Relative(
        OUTSIDE.format(held="a, *net.parameters()"),
        ("Move `b = T.exp(a)`", "an optimizer changes a"),
        ("detach",),
        "viz.explain(error)",
        watched=False,
    ),
    "no optimizer changes it": Relative(
        OUTSIDE.format(held="*net.parameters()"),
        ("into the loop", "b.detach()"),
        (),
        "viz.explain(error)",
        watched=False,
    ),
    "index of a softmax": Relative(
        JUMPING.format(chances="scores.softmax(1)"),
        ("`scores`", "cross-entropy"),
        ("`chances` itself",),
        "viz.explain(error)",
        watched=False,
    ),
    "index of scores": Relative(
        JUMPING.format(chances="scores * 2"),
        ("`chances` itself",),
        (),
        "viz.explain(error)",
        watched=False,
    ),
}

SOUND = {
    "averages of batches": steps(
        BATCHED.format(before="net(T.randn(8, 4))") + "net[0].eval()\nnet.train()\nnet[0].eval()\n",
        "loss = F.cross_entropy(net(x), y)",
    ),
    "a mask that keeps words": steps(
        READING.format(mask="~keep"), "loss = F.cross_entropy(net(words, keep), y)"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RELATIVES)
def test_relative_gets_its_own_answer(lib: ModuleType, name: str) -> None:
    relative = RELATIVES[name]
    with notebook(lib, relative.program) as cells:
        texts = [cells.ask(relative.ask).text]
    if relative.watched:
        texts.append(diagnosed(lib, relative.program).text)
    for text in texts:
        assert all(words in text for words in relative.says), text
        assert not any(words in text for words in relative.never), text


@pytest.mark.parametrize("name", SOUND)
def test_sound_relative_is_finished(lib: ModuleType, name: str) -> None:
    answer = explained(lib, SOUND[name])
    assert answer.cause == "finished", answer.text
    report = diagnosed(lib, SOUND[name])
    assert report.kinds == (), report.text
