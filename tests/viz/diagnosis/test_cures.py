"""Cures are lines that can be typed, and are not said to programs that look alike."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.viz.diagnosis.running import notebook

OTHER_MODEL = """
net, other = T.nn.Linear(3, 1), T.nn.Linear(3, 1)
opt = T.optim.SGD(other.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
for i in range(3):
    opt.zero_grad()
    loss = net(T.ones(4, 3)).pow(2).mean()
    loss.backward()
    opt.step()
"""

SCALED = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.query = T.nn.Parameter(T.randn(3)) * 0.01
        self.value = T.nn.Linear(3, 1)

    def forward(self, x):
        return self.value(x * self.query)


net = Net()
opt = T.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    loss = net(T.ones(4, 3)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

PLAIN = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = T.ones(3, requires_grad=True)
        self.value = T.nn.Linear(3, 1)

    def forward(self, x):
        return self.value(x * self.scale)


net = Net()
opt = T.optim.SGD({held}, lr=0.1)
for i in range(3):
    opt.zero_grad()
    loss = net(T.ones(4, 3)).pow(2).mean()
    loss.backward()
    opt.step()
"""

STEPPED = """
cell = T.nn.Linear(3, 3)
opt = T.optim.SGD(cell.parameters(), lr=0.1)
state = T.ones(2, 3)
for i in range(3):
    {first}
    state = T.tanh(cell(state))
    state = T.tanh(cell(state))
    loss = state.pow(2).mean()
    {between}
    loss.backward(retain_graph=True)
    opt.step()
"""

CURES = {
    "options": (
        OTHER_MODEL,
        "viz.explain(loss)",
        "`opt = T.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=0.0001)`",
    ),
    "parameter": (SCALED, "viz.explain(error)", "`self.query = T.nn.Parameter(T.randn(3) * 0.01)`"),
    "plain": (
        PLAIN.format(held="net.parameters()"),
        "viz.explain(net.scale)",
        "Make `self.scale` an `nn.Parameter`",
    ),
    "state": (
        STEPPED.format(first="pass", between="pass"),
        "viz.explain(error)",
        "`state = state.detach()`",
    ),
}


@pytest.mark.parametrize("name", CURES)
def test_cure_can_be_typed(lib: ModuleType, name: str) -> None:
    program, question, cure = CURES[name]
    with notebook(lib, program) as cells:
        answer = cells.ask(question)
    assert cure in answer.short, answer.text


ALIKE = {
    "held": (PLAIN.format(held="[net.scale]"), "viz.explain(net.scale)", "nn.Parameter"),
    "new in each iteration": (
        STEPPED.format(first="state = T.ones(2, 3)", between="opt.step()"),
        "viz.explain(error)",
        "state.detach()",
    ),
}


@pytest.mark.parametrize("name", ALIKE)
def test_cure_is_not_said_to_a_program_that_looks_alike(lib: ModuleType, name: str) -> None:
    program, question, cure = ALIKE[name]
    with notebook(lib, program) as cells:
        answer = cells.ask(question)
    assert cure not in answer.text, answer.text
