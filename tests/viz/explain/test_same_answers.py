"""What `explain` says of programs that are seldom written stays as it is.

The answers were read and found right, and are kept (tests/viz/looks.py): cause, text in both
languages, and the nodes that are marked in the picture. That both libraries get the same answers is
shown on the programs of test_programs.py; these are the ways through the explanations that those do
not take.
"""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

import minigrad as mg
from tests.viz.explain.running import notebook
from tests.viz.explain.test_programs import marked
from tests.viz.looks import kept

START = """
import contextlib
x = T.ones(2, requires_grad=True)
w = T.tensor([2.0, 3.0], requires_grad=True)
"""

ERROR, OF_X, NAN = "viz.explain(error)", "viz.explain(x)", "viz.explain(y, nan=True)"
PROGRAMS: dict[str, tuple[str, str]] = {}


def program(name: str, ask: str, text: str) -> None:
    PROGRAMS[name] = START + dedent(text), ask


# --- Blocks of the reader's own that turn recording off

USED = """
with quiet:
    y = (x * 2).sum()
y.backward()
"""
program("a block with no_grad", ERROR, """
    @contextlib.contextmanager
    def quietly():
        with T.no_grad():
            yield
    with quietly():
        y = (x * 2).sum()
    y.backward()
    """)  # fmt: skip
program("a block that switches", ERROR, """
    @contextlib.contextmanager
    def quietly():
        T.set_grad_enabled(False)
        yield
        T.set_grad_enabled(True)
    with quietly():
        y = (x * 2).sum()
    y.backward()
    """)  # fmt: skip
program("a block that does nothing", ERROR, """
    @contextlib.contextmanager
    def loudly():
        yield
    with loudly():
        y = (x * 2).detach().sum()
    y.backward()
    """)  # fmt: skip
program("a class that switches", ERROR, """
    class Quiet:
        def __enter__(self):
            T.set_grad_enabled(False)
        def __exit__(self, *error):
            T.set_grad_enabled(True)
    quiet = Quiet()
    """ + USED.replace("\n", "\n    "))  # fmt: skip
program("a class that does nothing", ERROR, """
    class Loud:
        def __enter__(self):
            pass
        def __exit__(self, *error):
            pass
    with Loud():
        y = (x * 2).detach().sum()
    y.backward()
    """)  # fmt: skip
program("a class of no_grad's", ERROR, """
    class Quiet(T.no_grad):
        pass
    quiet = Quiet()
    """ + USED.replace("\n", "\n    "))  # fmt: skip

# --- Numbers that an object keeps

program("a running mean", ERROR, """
    class Meter:
        def __init__(self):
            self.mean = 0.0
        def add(self, loss):
            self.mean = self.mean * 0.9 + loss.item() * 0.1
    meter = Meter()
    meter.add((x * 2).sum())
    y = T.tensor(meter.mean)
    y.backward()
    """)  # fmt: skip
program("a running sum", ERROR, """
    class Meter:
        def __init__(self):
            self.total = None
        def add(self, loss):
            self.total = loss.detach() if self.total is None else self.total + loss.detach()
    meter = Meter()
    meter.add((x * 2).sum())
    y = meter.total * 1
    y.backward()
    """)  # fmt: skip
program("a property", ERROR, """
    class Model:
        @property
        def scaled(self):
            return (x * 2).detach()
    y = Model().scaled.sum()
    y.backward()
    """)  # fmt: skip

# --- Functions within functions

program("functions that call each other", ERROR, """
    def down(v, n):
        return v.detach() if n == 0 else down(v * 2, n - 1)
    y = down(x, 3).sum()
    y.backward()
    """)  # fmt: skip
program("a partial function", ERROR, """
    import functools
    def scaled(factor, v):
        return factor * v.detach()
    y = functools.partial(scaled, 2.0)(x).sum()
    y.backward()
    """)  # fmt: skip
program("reduce, map and lambda", ERROR, """
    import functools
    parts = list(map(lambda v: v.detach(), [x, x * 2]))
    y = functools.reduce(lambda a, b: a + b, parts).sum()
    y.backward()
    """)  # fmt: skip
program("a lambda that is called at once", ERROR, """
    y = (lambda v: v.detach() * 2)(x).sum()
    y.backward()
    """)  # fmt: skip
program("a dictionary of parts", ERROR, """
    parts = {"one": x * 2, "two": (x * 3).data}
    y = parts["two"].sum()
    y.backward()
    """)  # fmt: skip
program("indices", ERROR, """
    values, places = (x * 2).max(0)
    y = places.float()
    y.backward()
    """)  # fmt: skip
program("a global that a function sets", ERROR, """
    total = x.sum()
    def forget():
        global total
        total = total.detach()
    forget()
    total.backward()
    """)  # fmt: skip

# --- Loops whose turns hang together

program("a state in a list", ERROR, """
    h = [T.zeros(2)]
    for turn in range(2):
        h[0] = h[0] * w + x
        loss = h[0].sum()
        loss.backward()
    """)  # fmt: skip
program("a state that nobody sees", ERROR, """
    class Box:
        pass
    box = Box()
    setattr(box, "held", T.zeros(2))
    for turn in range(2):
        loss = (getattr(box, "held") * w + x).sum()
        vars(box).update(held=loss)
        loss.backward()
    """)  # fmt: skip
program("a state in a deque", ERROR, """
    from collections import deque
    past = deque([T.zeros(2)], maxlen=1)
    for turn in range(2):
        h = past[-1] * w + x
        past.append(h)
        h.sum().backward()
    """)  # fmt: skip
program("a state that is cut on its way", OF_X, """
    past = {}
    for turn in range(2):
        h = past.get("h", T.zeros(2)) * w + x
        past["h"] = h.detach()
        h.sum().backward()
    """)  # fmt: skip
program("a pass in the head of a loop", ERROR, """
    y = (x * w).sum()
    for turn in [y.backward(), y.backward()]:
        pass
    """)  # fmt: skip
program("a cached function", ERROR, """
    import functools
    @functools.lru_cache
    def features():
        return x * w
    for turn in range(2):
        loss = features().sum()
        loss.backward()
    """)  # fmt: skip
program("two losses of one graph", ERROR, """
    shared = x * w
    one = shared.sum()
    two = (shared * shared).sum()
    one.backward()
    two.backward()
    """)  # fmt: skip

# --- What is refused

program("a view of several, by a function", ERROR, """
    low, high = (x * 1).split(1)
    T.relu_(low)
    """)  # fmt: skip
program("a view of several, by a method", ERROR, """
    low, high = (x * 1).split(1)
    low.mul_(2)
    """)  # fmt: skip
program("a view of several, by an operator", ERROR, """
    low, high = (x * 1).split(1)
    low *= 2
    """)  # fmt: skip
program("an optimizer of nothing", ERROR, "optimizer = T.optim.SGD([], lr=0.1)\n")
program("an optimizer of a result", ERROR, "optimizer = T.optim.SGD([x * 2], lr=0.1)\n")
program("an optimizer of a tensor", ERROR, "optimizer = T.optim.SGD(x, lr=0.1)\n")
program("an optimizer of what is used up", ERROR, """
    model = T.nn.Linear(2, 1)
    parameters = model.parameters()
    count = sum(p.numel() for p in parameters)
    optimizer = T.optim.SGD(parameters, lr=0.1)
    """)  # fmt: skip
program("an optimizer of hidden layers", ERROR, """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = {"one": T.nn.Linear(2, 2)}
    net = Net()
    optimizer = T.optim.SGD(net.parameters(), lr=0.1)
    """)  # fmt: skip
program("saving a number", ERROR, """
    class Twice(T.autograd.Function):
        @staticmethod
        def forward(ctx, v):
            ctx.save_for_backward(2.0)
            return v * 2
    Twice.apply(x)
    """)  # fmt: skip
program("a Function that is called", ERROR, """
    class Twice(T.autograd.Function):
        @staticmethod
        def forward(ctx, v):
            return v * 2
    y = Twice()(x)
    """)  # fmt: skip
program("forward without apply", ERROR, """
    class Twice(T.autograd.Function):
        @staticmethod
        def forward(ctx, v):
            return v * 2
    y = Twice.forward(x)
    """)  # fmt: skip
program("an input without a name", ERROR, "T.autograd.grad((x * w).sum(), [T.ones(2)])\n")
program("an input that is not used", ERROR, "T.autograd.grad((x * 2).sum(), [x, w])\n")
program("a list that is no loss", ERROR, "losses = [x.sum(), w.sum()]\nlosses.backward()\n")
program("a number that is no loss", ERROR, "loss = (x * w).sum().item()\nloss.backward()\n")
program("a function without return", ERROR, """
    def loss_of(v):
        loss = (v * 2).sum()
    loss = loss_of(x)
    loss.backward()
    """)  # fmt: skip
program("a gradient of another size", ERROR, "x.grad = T.ones(3)\n")
program("a flag of a result", ERROR, "y = x * 2\ny.requires_grad = False\n")
program("a hook where none is needed", ERROR, "T.ones(2).register_hook(print)\n")
program("numbers of integers", ERROR, "n = T.tensor([1, 2])\nn.requires_grad_()\n")
program("a parameter's place", ERROR, "net = T.nn.Linear(2, 2)\nnet.weight = x * 2\n")
program("as an array", ERROR, "y = (x * 2).numpy()\n")

# --- Gradients that do not come

NOTHING = """
    class Nothing(T.autograd.Function):
        @staticmethod
        def forward(ctx, v):
            return v * 2
        @staticmethod
        def backward(ctx, g):
            return None
"""
program("a Function that returns None", OF_X, NOTHING + """
    y = (Nothing.apply(x) * w).sum()
    y.backward()
    """)  # fmt: skip
program("never used", OF_X, "(w * 2).sum().backward()\n")
program("used without history", OF_X, "(x.detach() * w).sum().backward()\n")
program("taken away", OF_X, "(x * w).sum().backward()\nx.grad = None\n")
program("zero", OF_X, "(x * 0 * w).sum().backward()\n")
program("no leaf", "viz.explain(y)", "y = x * w\ny.sum().backward()\n")

# --- What is not finite

program("nan in a leaf", NAN, "z = T.tensor([float('nan'), 1.0])\ny = (x * z * w).sum()\n")
program("nan from a number", NAN, "y = ((x - 2).log() * w).sum()\n")
program("inf before nan", NAN, "a = (x * 0).log()\ny = (a - a).sum()\n")
program("inf alone", NAN, "y = (w / (x - 1)).sum()\n")
program("nan in the gradient", NAN, "y = (x - 1).sqrt().sum() * 0\n")
program("a branch not taken", NAN, "y = T.where(x > 1, (x - 1).sqrt(), x).sum()\n")
program("all finite", NAN, "y = (x * w).sum()\n")


@pytest.mark.parametrize(
    ("name", "cure"),
    [
        ("a view of several, by a function", "`low = T.relu(low)`"),
        ("as an array", "(x * 2).detach().numpy()"),
    ],
)
def test_a_cure_that_can_be_written(name: str, cure: str) -> None:
    """A module is not what was changed, and a method needs parentheses around a product."""
    text, question = PROGRAMS[name]
    with notebook(mg, text) as cells:
        answer = cells.ask(question).text
    assert cure in answer and not answer.startswith("T is")


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_answer_is_as_it_was(name: str) -> None:
    text, question = PROGRAMS[name]

    def answers() -> Any:
        with notebook(mg, text) as cells:
            assert (cells.scope["error"] is None) == ("error" not in question)
            both = [cells.ask(question, language) for language in ("en", "zh")]
        return [both[0].cause, *(each.text for each in both), marked(both[0].svg)]

    assert answers() == kept(__file__, name, answers)
