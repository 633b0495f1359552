"""Cures of errors, typed into programs whose first answers held only for a part of them."""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

import pytest

from tests.viz.diagnosis.running import notebook


class Typed(NamedTuple):
    """A program that raises an error, code of its answer, and the lines that become the cure."""

    program: str
    says: tuple[str, ...]
    edits: tuple[tuple[str, str], ...]


NO_STATE = """
net, head = T.nn.{layer}(3, 4), T.nn.Linear(4, 1)
state = None
x = T.randn(7, 5, 3)
for i in range(3):
    out, state = net(x, state)
    loss = head(out).mean()
    loss.backward()
"""

IN_A_MODULE = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.h = T.nn.GRUCell(3, 4), None
    def forward(self, x):
        self.h = self.cell(x, self.h)
        return self.h.sum()
net = T.nn.Sequential(Net())
for i in range(3):
    loss = net(T.randn(5, 3))
    loss.backward()
"""

TWO_WEIGHTS = """
w, b = T.ones(3, requires_grad=True), T.zeros(1, requires_grad=True)
for i in range(3):
    loss = (w.sum() + b).pow(2).sum()
    loss.backward()
    with T.{mode}():
        w = w - 0.1 * w.grad
        b = b - 0.1 * b.grad
    w.grad.zero_()
    b.grad.zero_()
"""

NO_WEIGHTS = """
w = T.randn(3)
b = T.zeros(1)
x, y = T.randn(4, 3), T.randn(4)
loss = (x @ w + b - y).pow(2).mean()
loss.backward()
print(w.grad + b.grad)
"""

READER = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.fc = T.nn.LSTM(3, 4, batch_first=True), T.nn.Linear(4, 1)
    def forward(self, x):
        {inside}
net, criterion = Net(), T.nn.MSELoss()
x, y = T.randn(5, 7, 3), T.randn({target})
for i in range(2):
    out = net(x)
    loss = criterion(out, y)
    assert out.shape == y.shape
"""

STORED = READER.format(inside="out = self.rnn(x)\n        return self.fc(out)", target="{target}")

CHAIN = """
class Between(T.nn.Module):
    def forward(self, pair): return pair
net = T.nn.Sequential(T.nn.GRU(3, 4), T.nn.Linear(4, 2))
x, y = T.randn(7, 5, 3), T.zeros({target}, dtype=T.int64)
loss = T.nn.functional.cross_entropy(net(x), y)
"""

SAMPLES = """
import numpy as np
data = [{sample} for n in (3, 5)]
loader = T.utils.data.DataLoader(data, batch_size=2)
for batch in loader:
    total = len(batch)
"""

PAD = "T.nn.utils.rnn.pad_sequence([s[0] for s in samples], batch_first=True)"
OF_ARRAYS = PAD.replace("s[0]", "T.as_tensor(s['x'])")
JOIN = "T.utils.data.default_collate([s{} for s in samples])"
NAME = "['name']"


def padded(sample: str, function: str) -> Typed:
    """Return a data set whose loader gets a function that pads."""
    option = f"collate_fn=lambda samples: {function}"
    edits = (("batch_size=2", f"batch_size=2, {option}"),)
    return Typed(SAMPLES.format(sample=sample), (f"`{option}`",), edits)


BLOCK = """
nn = T.nn
class Block(nn.Module):
    def __init__(self, cin, width, stride=1):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(cin, width, 3, stride=stride, padding=1), nn.ReLU())
        self.last = nn.Conv2d(width, width, 3, padding=1)
    def forward(self, x):
        {inside}
net = nn.Sequential(Block(4, 4), Block({sizes}))
out = net(T.ones(1, 4, 9, 9))
"""

LATER = "identity = x\n        out = self.last(self.body(x))\n        out += identity\n"


def after_pass(line: str) -> tuple[tuple[str, str], ...]:
    return (("loss.backward()", f"loss.backward()\n    {line}"),)


def block(inside: str, sizes: str, layer: str, short: str) -> Typed:
    """Return a block whose shortcut gets a layer."""
    edits = ("super().__init__()", f"super().__init__()\n        self.shortcut = {layer}")
    program = BLOCK.format(inside=inside, sizes=sizes)
    sums = (
        (f"+= {short}", f"+= self.shortcut({short})"),
        (f"+ {short}", f"+ self.shortcut({short})"),
    )
    used = next(pair for pair in sums if pair[0] in program)
    return Typed(
        program, (f"`self.shortcut = {layer}`", f"`self.shortcut({short})`"), (edits, used)
    )


DETACH = "state = state.detach()"
DETACH_ALL = "state = tuple(each.detach() for each in state)"
OF_NET = "net[0].h = net[0].h.detach()"
REQUIRES = ("w = T.randn(3, requires_grad=True)", "b = T.zeros(1, requires_grad=True)")
IN_PLACE = (
    ("w = w - 0.1 * w.grad", "w -= 0.1 * w.grad"),
    ("b = b - 0.1 * b.grad", "b -= 0.1 * b.grad"),
)

IN_PLACE_SAID = tuple(f"`{new}`" for _, new in IN_PLACE)
AFTER_GRU = ("GRU(3, 4)", "GRU(3, 4), Between()")

TYPED = {
    "a state of None": Typed(
        NO_STATE.format(layer="GRU"), (f"`{DETACH}` right after",), after_pass(DETACH)
    ),
    "a pair of None": Typed(
        NO_STATE.format(layer="LSTM"), (f"`{DETACH_ALL}` right after",), after_pass(DETACH_ALL)
    ),
    "a module's state of None": Typed(IN_A_MODULE, (f"`{OF_NET}`",), after_pass(OF_NET)),
    "two weights": Typed(
        TWO_WEIGHTS.format(mode="enable_grad"),
        IN_PLACE_SAID,
        (*IN_PLACE, ("enable_grad", "no_grad")),
    ),
    "two weights under no_grad": Typed(
        TWO_WEIGHTS.format(mode="no_grad"), IN_PLACE_SAID, IN_PLACE
    ),
    "two weights without grad": Typed(NO_WEIGHTS, REQUIRES, tuple(zip(
        ("w = T.randn(3)", "b = T.zeros(1)"), REQUIRES, strict=True))),
    "a stored tuple, last step": Typed(
        STORED.format(target="5, 1"),
        ("`out, _ = self.rnn(x)`", "`return self.fc(out[:, -1])`"),
        (("out = self.rnn(x)", "out, _ = self.rnn(x)"), ("self.fc(out)", "self.fc(out[:, -1])")),
    ),
    "a stored tuple, each step": Typed(
        STORED.format(target="5, 7, 1"),
        ("Write `out, _ = self.rnn(x)`.",),
        (("out = self.rnn(x)", "out, _ = self.rnn(x)"),),
    ),
    "a tuple in a call, last step": Typed(
        READER.format(inside="return self.fc(self.rnn(x))", target="5, 1"),
        ("`self.rnn(x)[0][:, -1]`",),
        (("self.rnn(x)", "self.rnn(x)[0][:, -1]"),),
    ),
    "a tuple in a chain, last step": Typed(
        CHAIN.format(target="5"),
        ("return pair[0][-1]`", "as `y` has no"),
        (AFTER_GRU, ("return pair", "return pair[0][-1]")),
    ),
    "a tuple in a chain, each step": Typed(
        CHAIN.format(target="7, 2"),
        ("return pair[0]`.",),
        (AFTER_GRU, ("return pair", "return pair[0]")),
    ),
    "sequences with labels": padded("(T.ones(n), 0)", f"({PAD}, {JOIN.format('[1]')})"),
    "arrays in dictionaries": padded(
        '{"x": np.ones(n), "name": "a"}', f"{{'x': {OF_ARRAYS}, 'name': {JOIN.format(NAME)}}}"
    ),
    "sequences alone": padded("T.ones(n)", PAD.replace("[s[0] for s in samples]", "samples")),
    "a block of more channels": block(
        "return self.last(self.body(x)) + x", "4, 8", "nn.Conv2d(cin, width, 1)", "x"
    ),
    "a block with strides": block(
        LATER + "        return out",
        "4, 8, 2",
        "nn.Conv2d(cin, width, 1, stride=stride)",
        "identity",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TYPED)
def test_typed_cure_removes_the_error(lib: ModuleType, name: str) -> None:
    typed = TYPED[name]
    with notebook(lib, typed.program) as cells:
        answers = [cells.ask("viz.explain(error)", language) for language in ("en", "zh")]
    assert all(code in answers[0].text for code in typed.says), answers[0].text
    quoted = [code for code in typed.says if code.startswith("`") and code.endswith("`")]
    assert all(code in answers[1].text for code in quoted), answers[1].text
    program = typed.program
    for old, new in typed.edits:
        assert old in program
        program = program.replace(old, new, 1)
    with notebook(lib, program) as cells:
        assert cells.scope["error"] is None, cells.scope["error"]


IMAGES = SAMPLES.format(sample="(T.ones(3, n, n), 1)")


def test_images_of_other_sizes_are_not_padded(lib: ModuleType) -> None:
    with notebook(lib, IMAGES) as cells:
        text = cells.ask("viz.explain(error)").text
    assert "one size in the data set" in text and "pad_sequence" not in text, text


COPIED = """
{first}
net = T.nn.Linear(3, 1)
target = net
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, later = T.randn(8, 3), T.randn(8, 3)
for i in range(4):
    opt.zero_grad()
    loss = (net(x) - 1 - 0.9 * target(later).detach()).pow(2).mean()
    loss.backward()
    opt.step()
"""


@pytest.mark.parametrize(
    ("first", "cure"),
    [
        ("", "`import copy` and `target = copy.deepcopy("),
        ("import copy as c", "Write `target = c.deepcopy("),
        ("from copy import deepcopy", "Write `target = deepcopy("),
    ],
)
def test_copy_is_imported_by_its_cure(lib: ModuleType, first: str, cure: str) -> None:
    with notebook(lib, COPIED.format(first=first)) as cells:
        text = cells.ask("viz.explain(loss)").text
    assert cure in text, text
