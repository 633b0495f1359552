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
program("another block under no_grad", ERROR, """
    with T.no_grad():
        with contextlib.suppress(ValueError):
            y = (x * 2).sum()
    y.backward()
    """)  # fmt: skip
program("recording on again under no_grad", OF_X, """
    with T.no_grad():
        with T.enable_grad():
            y = (x.detach() * w).sum()
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
program("a lock", ERROR, """
    import threading
    with threading.Lock():
        y = x * 2
    y = y.detach().sum()
    y.backward()
    """)  # fmt: skip
program("a function of Python's that gives a block", ERROR, """
    import tempfile
    with tempfile.TemporaryFile():
        y = x * 2
    y = y.detach().sum()
    y.backward()
    """)  # fmt: skip
program("a mode that is set on", ERROR, """
    T.set_grad_enabled(True)
    y = x * 2
    y = y.detach().sum()
    y.backward()
    """)  # fmt: skip
program("a mode that is set off and on", ERROR, """
    T.set_grad_enabled(False)
    T.set_grad_enabled(True)
    y = x * 2
    y = y.detach().sum()
    y.backward()
    """)  # fmt: skip
program("a lock that is entered by hand", ERROR, """
    import threading
    lock = threading.Lock()
    lock.__enter__()
    y = x * 2
    y = y.detach().sum()
    lock.__exit__(None, None, None)
    y.backward()
    """)  # fmt: skip
program("a mode that is entered by hand", ERROR, """
    T.no_grad().__enter__()
    y = (x * 2).sum()
    y.backward()
    """)  # fmt: skip
program("a mode with a name that is entered by hand", ERROR, """
    mode = T.no_grad()
    mode.__enter__()
    y = (x * 2).sum()
    mode.__exit__(None, None, None)
    y.backward()
    """)  # fmt: skip
program("a mode that was left by hand", ERROR, """
    mode = T.no_grad()
    mode.__enter__()
    mode.__exit__(None, None, None)
    y = x * 2
    y = y.detach().sum()
    y.backward()
    """)  # fmt: skip
program("a block around the call", ERROR, """
    @contextlib.contextmanager
    def quietly():
        with T.no_grad():
            yield
    def run():
        (x * 2).sum().backward()
    with quietly():
        run()
    """)  # fmt: skip
program("a block that may be on, and is", ERROR, """
    training = True
    with T.set_grad_enabled(training):
        y = x * 2
    y = y.detach().sum()
    y.backward()
    """)  # fmt: skip
program("a block that may be on, and is not", ERROR, """
    training = False
    with T.set_grad_enabled(training):
        y = x * 2
    y = y.sum()
    y.backward()
    """)  # fmt: skip

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
program("what a program stores in an object", ERROR, """
    class Box:
        pass
    box = Box()
    box.h = x.detach()
    y = (box.h * 2).sum()
    y.backward()
    """)  # fmt: skip
program("what only one branch stores in an object", ERROR, """
    class Box:
        pass
    box = Box()
    setattr(box, "h", x * 2)
    if x is None:
        box.h = T.zeros(2)
    else:
        y = box.h.detach().sum()
    y.backward()
    """)  # fmt: skip
program("a number of the class", ERROR, """
    class Net(T.nn.Module):
        factor = 2.0
        def forward(self, v):
            return (v * self.factor).detach()
    y = Net()(x).sum()
    y.backward()
    """)  # fmt: skip
program("a number out of a function of Python's", ERROR, """
    import operator
    number = operator.methodcaller("item")
    n = number((x * 2).sum())
    y = T.tensor(n)
    y.backward()
    """)  # fmt: skip
program("a copy of a result", ERROR, "y = T.tensor((x * 2).sum())\ny.backward()\n")
for asked in ("x.numel()", "x.shape[0]", "len(x)"):
    name = f"what has only asked for {asked}"
    program(name, ERROR, f"y = (T.ones(2) * {asked}).detach().sum()\ny.backward()\n")
program("what is only made like another", ERROR, """
    y = (T.zeros_like(x) + 1).detach().sum()
    y.backward()
    """)  # fmt: skip
program("whole numbers from outside", "viz.explain(n)", """
    import numpy
    n = T.from_numpy(numpy.arange(3))
    """)  # fmt: skip

# --- Functions within functions

CHECKPOINT = """
    from importlib import import_module
    checkpoint = import_module(f"{T.__name__}.utils.checkpoint").checkpoint
    def scaled(v):
        return v * w
"""
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
program("a lambda with a default", ERROR, """
    y = (lambda v, factor=2.0: (v * factor).detach())(x).sum()
    y.backward()
    """)  # fmt: skip
program("a leaf that a function makes", ERROR, """
    def loss():
        v = T.ones(2)
        v.requires_grad = True
        return (v * 2).detach().sum()
    y = loss()
    y.backward()
    """)  # fmt: skip
program("a leaf that a function makes by a method", ERROR, """
    def loss():
        v = T.ones(2)
        v.requires_grad_()
        return (v * 2).detach().sum()
    y = loss()
    y.backward()
    """)  # fmt: skip
program("a leaf that a function takes back", ERROR, """
    def loss():
        v = T.ones(2)
        v.requires_grad_()
        v.requires_grad_(False)
        return (v * 2).sum()
    y = loss()
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
program("a global that is read before it is given", ERROR, """
    h = T.ones(2)
    def step():
        global h
        out = h.detach() * 2
        h = x * 1
        return out
    y = step().sum()
    y.backward()
    """)  # fmt: skip
program("an element of a row", ERROR, """
    pair = (x * 2, x.detach())
    y = pair[1].sum()
    y.backward()
    """)  # fmt: skip
program("what is sent to a generator", ERROR, """
    def steps():
        got = yield x * 2
        yield got.detach()
    g = steps()
    next(g)
    y = g.send(T.ones(2)).sum()
    y.backward()
    """)  # fmt: skip
program("a function without text", ERROR, """
    exec("def f(v):\\n    return v.detach()")
    y = f(x).sum()
    y.backward()
    """)  # fmt: skip
program("a pass without text", ERROR, """
    y = (x * 2).detach().sum()
    exec("y.backward()")
    """)  # fmt: skip
program("a call by name and by place", ERROR, """
    def run(v, factor):
        (v * factor).sum().backward()
    run(T.ones(2), factor=x.detach())
    """)  # fmt: skip
program("a call without text", ERROR, """
    def run(v):
        v.sum().backward()
    exec("run(x.detach())")
    """)  # fmt: skip
program("a result without text", ERROR, """
    loss = (x * 2).sum()
    y = eval("loss.detach()")
    y.backward()
    """)  # fmt: skip
program("a checkpoint of numbers", ERROR, CHECKPOINT + """
    y = checkpoint(scaled, T.ones(2), use_reentrant=False).detach().sum()
    y.backward()
    """)  # fmt: skip
program("a reentrant checkpoint of numbers", ERROR, CHECKPOINT + """
    y = checkpoint(scaled, T.ones(2), use_reentrant=True).sum()
    y.backward()
    """)  # fmt: skip
program("a reentrant checkpoint", ERROR, CHECKPOINT + """
    y = checkpoint(scaled, x, use_reentrant=True).detach().sum()
    y.backward()
    """)  # fmt: skip
program("a sum of too many terms", ERROR, f"y = ({' + '.join(['x'] * 600)}).detach().sum()\n"
        "y.backward()\n")  # fmt: skip
program("too many ways", ERROR, "y = x\n" + "".join(
    f"if x[0] > {n}:\n    y = y * 2\nelse:\n    y = y * 3\n" for n in range(30)
) + "y = y.detach().sum()\ny.backward()\n")  # fmt: skip

# --- Where nothing is recorded

program("a sum under no_grad", ERROR, """
    total = T.zeros(())
    with T.no_grad():
        total += (x * 2).sum()
    total.backward()
    """)  # fmt: skip
program("a list under no_grad", ERROR, """
    parts = []
    with T.no_grad():
        parts.append((x * 2).sum())
    y = sum(parts)
    y.backward()
    """)  # fmt: skip
program("elements under no_grad", ERROR, """
    rows = T.zeros(2)
    with T.no_grad():
        rows[0] = (x * 2).sum()
    y = rows.sum()
    y.backward()
    """)  # fmt: skip
program("a pass under no_grad", ERROR, """
    with T.no_grad():
        (x * 2).sum().backward()
    """)  # fmt: skip
program("a list that a decorated function fills", ERROR, """
    parts = []
    @T.no_grad()
    def keep(v):
        parts.append(v * 2)
    keep(x)
    y = sum(parts).sum()
    y.backward()
    """)  # fmt: skip

# --- Gradients of gradients

program("a gradient with history", ERROR, """
    y = (x**3).sum()
    y.backward(create_graph=True)
    z = x.grad.detach().sum()
    z.backward()
    """)  # fmt: skip
program("a gradient with history, of what has gone", ERROR, """
    v = T.ones(2, requires_grad=True)
    y = (v**3).sum()
    y.backward(create_graph=True)
    z = (v.grad * 2).detach().sum()
    v = None
    z.backward()
    """)  # fmt: skip
program("a gradient of another", "viz.explain(x, loss)", """
    v = T.ones(2, requires_grad=True)
    (w * v).sum().backward()
    loss = (w.grad * w).sum()
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
SHARED = """
    shared = []
    shared.append(x * w)
    for turn in range(2):
        h = shared[0] * 2
        loss = h.sum()
"""
program("a list that keeps nothing of a turn", ERROR, SHARED + """
        loss.backward()
    """)  # fmt: skip
program("a list that keeps numbers of a turn", ERROR, SHARED + """
        h = h.detach()
        shared.append(h)
        loss.backward()
    """)  # fmt: skip
program("a list that keeps a number", ERROR, SHARED + """
        shared.append(loss.detach())
        loss.backward()
    """)  # fmt: skip

program("states of a pair, asked without the error", "viz.explain(loss)", """
    h, c = T.zeros(2), T.zeros(2)
    state = (h, c)
    for turn in range(2):
        state = (state[0] * w + x, state[1] * x)
        loss = (state[0] * state[1]).sum() + state[0].sum()
        try:
            loss.backward()
        except RuntimeError:
            pass
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
program("a view of several, by an element", ERROR, """
    low, high = (x * 1).split(1)
    low[0] = 2.0
    """)  # fmt: skip
program("saving a number under another name", ERROR, """
    class Twice(T.autograd.Function):
        @staticmethod
        def forward(ctx, v):
            ctx.save_for_backward(2.0)
            return v * 2
    twice = Twice.apply
    twice(x)
    """)  # fmt: skip
program("a frozen parameter as input", ERROR, """
    net = T.nn.Linear(2, 1)
    net.weight.requires_grad_(False)
    T.autograd.grad(net(x).sum(), net.weight)
    """)  # fmt: skip
program("a copy that is named by keyword", ERROR, "import copy\ncopy.deepcopy(x=x * 2)\n")
program("a start of another size", ERROR, "y = x * 2\ny.backward(T.ones(3))\n")
program("a start of another size, by a function", ERROR, """
    y = x * 2
    T.autograd.backward(y, grad_tensors=T.ones(3))
    """)  # fmt: skip
program("a start of another size, by keywords", ERROR, """
    y = x * 2
    T.autograd.grad(outputs=y, inputs=x, grad_outputs=T.ones(3))
    """)  # fmt: skip
program("a start of another size, in a list", ERROR, """
    T.autograd.backward(tensors=[w * 2], grad_tensors=[T.ones(3)])
    """)  # fmt: skip
program("no single number, in a list", ERROR, "T.autograd.backward([x * 2])\n")
program("no history, by keywords", ERROR, "T.autograd.grad(outputs=x.detach().sum(), inputs=x)\n")
AGAIN = """
    except Exception as problem:
        raise type(problem)(str(problem))
"""
program("raised again: an input", ERROR, """
    try:
        T.autograd.grad((x * w).sum(), [T.ones(2)])
""" + AGAIN)  # fmt: skip
program("raised again: an unused input", "viz.explain(loss, error)", """
    loss = (x * 2).sum()
    try:
        T.autograd.grad(loss, [x, w])
""" + AGAIN)  # fmt: skip
program("raised again: a change", ERROR, """
    y = x * 1
    z = (y * y).sum()
    y += 1
    try:
        z.backward()
""" + AGAIN)  # fmt: skip
program("raised again: a change of nobody knows what", ERROR, """
    def run():
        y = x * 1
        z = (y * y).sum()
        y += 1
        z.backward()
    try:
        run()
""" + AGAIN)  # fmt: skip
program("raised again: an optimizer of a result", ERROR, """
    try:
        T.optim.SGD([x * 2], lr=0.1)
""" + AGAIN)  # fmt: skip
program("raised again: a start of another size", ERROR, """
    try:
        (x * 2).backward(T.ones(3))
""" + AGAIN)  # fmt: skip

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
program("Functions that return None on all ways", OF_X, NOTHING + """
    y = (Nothing.apply(x) + Nothing.apply(x) * w).sum()
    y.backward()
    """)  # fmt: skip
program("a Function that returns None on one of two ways", OF_X, NOTHING + """
    y = (Nothing.apply(x) + x * w).sum()
    y.backward()
    x.grad = None
    """)  # fmt: skip
program("a root without a name", "viz.explain(x, (x.detach() * w).sum())", "")
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
program("nan in the gradients of two results", NAN, """
    class Two(T.autograd.Function):
        @staticmethod
        def forward(ctx, v):
            return v * 2, v * 3
        @staticmethod
        def backward(ctx, g, h):
            return (g + h) * float("nan")
    a, b = Two.apply(x)
    y = (a + b).sum()
    """)  # fmt: skip
program("nan in a large gradient", NAN, """
    large = T.zeros(100, 1000, requires_grad=True)
    y = (large.sqrt() * 0).sum()
    """)  # fmt: skip
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
