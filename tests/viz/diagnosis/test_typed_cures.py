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

TWO_INPUTS = """
net, other = T.nn.Linear(3, 1), T.nn.Linear(2, 1)
x = T.rand(4, 3, dtype=T.float64)
z = T.rand(4, 2, dtype=T.float64)
out = net(x) + other(z)
"""

POSITIONS = """
table = T.nn.Embedding(4, 2)
class Net(T.nn.Module):
    def forward(self, words):
        return table(T.arange(words.size(1)))
net = Net()
words = T.zeros(2, 3)
for i in range(3):
    out = net(words)
    words = T.cat([words, T.zeros(2, 1)], 1)
"""

HEADS = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = T.nn.MultiheadAttention(4, 2)
    def forward(self, x, mask):
        return self.attention(x, x, x, attn_mask=mask)[0]
out = Net()(T.ones(2, 5, 4), T.zeros(5, 5))
"""

LAST_BATCH = """
data = T.utils.data.TensorDataset(T.randn(10, 3, 2))
loader = T.utils.data.DataLoader(data, batch_size=4)
net, h = T.nn.GRU(2, 5, batch_first=True), T.zeros(1, 4, 5)
for (x,) in loader:
    out, _ = net(x, h)
"""

ODD = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.up = T.nn.MaxPool2d(2), T.nn.Upsample(scale_factor=2)
    def forward(self, skip):
        x = self.up(self.down(skip))
        return T.cat([skip, x], 1)
x = T.randn(2, 1, 5, 5)
loss = T.nn.functional.mse_loss(Net()(x), T.ones(2, 2, 5, 5))
"""

CHANNELS = "images, mean = T.ones(2, 3, 4, 4), T.ones(3)\nimages = images - mean"

DECODER = """
net = T.nn.Sequential(T.nn.ConvTranspose2d(1, 1, 3, stride=2, padding=1))
x = T.randn(2, 1, 4, 4)
out = net(x)
loss = T.nn.functional.mse_loss(out, T.ones(2, 1, 8, 8))
"""

HELD_STATE = """
class State:
    h = T.zeros(1, 2, 3)
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = T.nn.GRU(3, 3)
    def forward(self, x, state):
        y, state.h = self.gru(x, state.h)
        return y
net, state = Net(), State()
for i in range(3):
    loss = net(T.ones(4, 2, 3), state).sum()
    loss.backward()
"""

PHASES = """
net = T.nn.Linear(2, 1)
for phase in ["Train"]:
    with T.set_grad_enabled(phase == "train"):
        loss = net(T.ones(3, 2)).mean()
    loss.backward()
"""

FILLED = """
w = T.ones(4, requires_grad=True)
p = T.sigmoid(w)
p[0] = p[0] * 2
p[1] = p[1] * 2
p.sum().backward()
"""

NUMBERS = """
import numpy as np
w, seen = T.ones(2, requires_grad=True), []
for i in range(3):
    loss = (w * i).sum()
    seen.append(loss)
mean = np.mean(seen)
"""

SEVERAL = """
class Net(T.nn.Module):
    def forward(self, x):
        mu = x.mean(1)
        return x, mu
x = T.ones(2, 3)
out = Net()(x)
loss = T.nn.functional.mse_loss(out, x)
"""

PAIRS = """
lstm = T.nn.LSTM(2, 3)
h, c, x = T.zeros(1, 2, 3), T.zeros(1, 2, 3), T.ones(4, 2, 2)
for i in range(2):
    out, h = lstm(x, (h, c))
"""


def typed(program: str, old: str, new: str, said: str = "") -> Typed:
    """Return a program of which one text becomes the quoted cure."""
    return Typed(program, (f"`{said or new}`",), ((old, new),))


FLOATS = "x, z = x.float(), z.float()"
RESIZED = "T.nn.functional.interpolate(x, size=skip.shape[2:])"
TRANSPOSED = "T.nn.ConvTranspose2d(1, 1, 3, stride=2, padding=1"
UNPACKED = "out, mu = Net()(x)"

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
    "two inputs of float64": typed(
        TWO_INPUTS, "out = net", f"{FLOATS}\nout = net", FLOATS
    ),
    "positions past a table": typed(POSITIONS, "net(words)", "net(words[:, -4:])"),
    "attention with the batch first": typed(
        HEADS,
        "T.nn.MultiheadAttention(4, 2)",
        "T.nn.MultiheadAttention(4, 2, batch_first=True)",
    ),
    "a state for the last batch": typed(
        LAST_BATCH,
        "T.utils.data.DataLoader(data, batch_size=4)",
        "T.utils.data.DataLoader(data, batch_size=4, drop_last=True)",
    ),
    "a skip of an odd size": typed(ODD, "[skip, x]", f"[skip, {RESIZED}]", RESIZED),
    "a mean for each channel": typed(CHANNELS, "- mean", "- mean[:, None, None]",
                                     "mean[:, None, None]"),
    "a decoder of another size": typed(
        DECODER, TRANSPOSED, f"{TRANSPOSED}, output_padding=1", "output_padding=1"
    ),
    "a state on an object": typed(
        HELD_STATE,
        "loss.backward()",
        "loss.backward()\n    state.h = state.h.detach()",
        "state.h = state.h.detach()",
    ),
    "a phase in another case": typed(PHASES, 'phase == "train"', "phase == 'Train'"),
    "a filled result": typed(FILLED, "p[0] =", "p = p.clone()\np[0] =", "p = p.clone()"),
    "a list of losses": typed(NUMBERS, "seen.append(loss)", "seen.append(loss.item())"),
    "several results of a model": typed(SEVERAL, "out = Net()(x)", UNPACKED),
    "a pair kept as a state": typed(
        PAIRS, "out, h = lstm(x, (h, c))", "out, (h, c) = lstm(x, (h, c))"
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
