"""Programs give the same results in the browser and on CPython: kinds of numbers, pictures."""

from __future__ import annotations

import contextlib
import io
import json
import re

import pytest

from tests.lite.tab import Kernel

pytestmark = pytest.mark.lite

GRAPHS = """
import json, re
import minigrad as mg, minigrad_viz as viz

def programs():
    a = mg.tensor(2.0, requires_grad=True)
    b = mg.tensor(3.0, requires_grad=True)
    yield "a product", a * b + a
    mg.manual_seed(0)
    net = mg.nn.Sequential(mg.nn.Linear(4, 8), mg.nn.Tanh(), mg.nn.Linear(8, 3))
    labels = mg.tensor([0, 1, 2, 1, 0])
    yield "a network", mg.nn.functional.cross_entropy(net(mg.randn(5, 4)), labels)
    x = a
    for _ in range(12):
        x = mg.sin(x) * b + a
    yield "a loop over one weight", x
    for _ in range(60):
        x = x * a
    yield "a hub with a lane of its own", x

drawn = {}
for name, result in programs():
    for view in ("backward", "both"):
        picture = viz.draw(result, view=view, names={}, fold=False).svg
        # The tooltip shows the program's line, which has no file in a test.
        drawn[f"{name}, {view}"] = re.sub(r"<title>.*?</title>\\s*", "", picture, flags=re.S)
"""


def here(program: str) -> str:
    """Return the printed text of a program on CPython, in a namespace of its own."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(program, "<program>", "exec"), {"__name__": "__main__"})
    return said.getvalue()


NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def test_pictures_are_the_same(kernel: Kernel) -> None:
    """Every node and edge has its place, to a tenth of a point: it is the same Graphviz."""
    program = GRAPHS + "\nprint(json.dumps(drawn))"
    there, ours = json.loads(kernel.prints(program)), json.loads(here(program))
    assert there.keys() == ours.keys()
    for name, picture in ours.items():
        one, other = picture, there[name]
        assert NUMBER.split(other) == NUMBER.split(one), name
        pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
        assert max(abs(float(a) - float(b)) for a, b in pairs) <= 0.1, name


def test_layout_is_the_browsers(kernel: Kernel) -> None:
    program = "from minigrad_viz.picture.graphviz import choose_layout\nprint(choose_layout())"
    assert kernel.prints(program) == "viz.js\n"


def test_what_graphviz_refuses_is_a_layout_error(kernel: Kernel) -> None:
    program = """
from minigrad_viz.picture.graphviz import LayoutError, render
for source, format in (("digraph {", "svg"), ("digraph {}", "png")):
    try:
        render(source, format)
    except LayoutError as error:
        print(error)
"""
    syntax, png = kernel.prints(program).splitlines()
    assert "could not draw this graph: syntax error" in syntax
    assert png.endswith("in a browser it writes svg and plain, and no png")


def test_without_graphviz_there_is_the_text(kernel: Kernel) -> None:
    program = """
import minigrad as mg, minigrad_viz as viz
from minigrad_viz.picture import in_browser
x = mg.tensor(3.0, requires_grad=True)
in_browser.PACKAGE, name = "not_here", in_browser.PACKAGE
print(viz.draw(x * x)._repr_mimebundle_()["text/plain"])
in_browser.PACKAGE = name
"""
    text = kernel.prints(program)
    assert "No picture: Graphviz was not found. In a browser it is in" in text
    assert "digraph backward {" in text


KINDS = """
import minigrad as mg
import minigrad_viz as viz
a = mg.tensor([3.0, 1.0, 2.0])
grid = mg.arange(12.0).reshape(1, 1, 3, 4)
made = {
    "argmax": a.argmax(), "argmin": a.argmin(), "argsort": a.argsort(), "max": a.max(0)[1],
    "min": a.min(0)[1], "sort": a.sort()[1], "topk": a.topk(2)[1], "median": a.median(0)[1],
    "nonzero": a.nonzero(), "where": mg.where(a > 1)[0], "arange": mg.arange(3),
    "tensor": mg.tensor([1, 2]), "number": mg.tensor(3), "sum": (a > 1).sum(),
    "randint": mg.randint(5, (2,)), "randperm": mg.randperm(4), "cumsum": (a > 1).cumsum(0),
    "max_pool2d": mg.nn.functional.max_pool2d(grid, 2, return_indices=True)[1],
    "repeat_interleave": a.repeat_interleave(mg.tensor([1, 2, 0])).argmax(),
    "power": mg.tensor(3) ** 30, "bincount": mg.bincount(mg.tensor([1, 2])),
}
for name, tensor in made.items():
    print(name, tensor.dtype, tensor.tolist() if name not in ("randint", "randperm") else "")
x = mg.tensor([3.0, 1.0], requires_grad=True)
print(viz.step(lambda: (x * 2).max(0)[0] + mg.topk(x, 1)[0].sum()).text)
"""


def test_whole_numbers_have_64_bits(kernel: Kernel) -> None:
    """NumPy's default in WebAssembly is 32 bits; PyTorch's is 64 everywhere."""
    assert kernel.prints(KINDS) == here(KINDS)
