"""Pages that were looked at and found right stay as they are, to the point.

What a page draws is a list of texts, boxes and lines, each with its place, size and colours. The
lists of some pages are kept (tests/viz/looks.py) with the payloads that they were drawn from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.picture.palette import Colours
from minigrad_viz.stepper import pair_page, step_page
from minigrad_viz.stepper.export import SIZES
from minigrad_viz.stepper.pair_page import PairPages
from minigrad_viz.stepper.step_content import StepContents
from minigrad_viz.stepper.step_page import StepPages
from minigrad_viz.stepper.transcript import Transcript

import minigrad as mg
from tests.speaking import speaking
from tests.viz.looks import recall


class Noted:
    """A sheet that writes down what is drawn on it, to the point."""

    def __init__(self, width: float, height: float, colours: Colours) -> None:
        self.colours = colours
        self.lines = [f"sheet {width:.0f} {height:.0f}"]

    def note(self, kind: str, places: list[float], what: str, **how: Any) -> None:
        told = [f"{name}={value}" for name, value in how.items() if value not in (None, False)]
        where = " ".join(f"{place:.0f}" for place in places)
        self.lines.append(" ".join(filter(None, [kind, where, what, *told])).replace("-0 ", "0 "))

    def text(self, x: float, y: float, text: str, size: float, **how: Any) -> None:
        self.note("text", [x, y], f"{size:.1f} {text!r}", **rounded(how))

    def box(self, box: Any, **how: Any) -> None:
        self.note("box", [*box], "", **rounded(how))

    def path(self, way: Any, codes: Any, **how: Any) -> None:
        self.note("path", [each for at in way for each in at], f"{[*codes]}", **rounded(how))


def rounded(how: dict[str, Any]) -> dict[str, Any]:
    def short(value: Any) -> Any:
        if isinstance(value, tuple):
            return [f"{each:.0f}" for each in value]
        return f"{value:.1f}" if isinstance(value, float) else value

    return {name: short(value) for name, value in how.items()}


# --- The passes: their numbers are exact on every machine


def in_place() -> Any:
    x = mg.tensor([1.0, -2.0, 3.0], requires_grad=True)
    x.grad = mg.tensor([0.5, 0.0, 0.0])
    a = x * 2
    a[0] = a[1]
    a.mul_(x)
    with speaking("zh"):
        return viz.step((a * a).sum())


def network() -> Any:
    """A bias that is broadcast, a hook, three dimensions, and integers."""
    x = mg.arange(8.0).reshape(2, 2, 2) / 4
    w = mg.tensor([[1.0, -0.5], [0.25, 2.0]], requires_grad=True)
    b = mg.tensor([0.5, -1.0], requires_grad=True)
    h = (x @ w + b).relu()
    h.register_hook(lambda g: g * 2)
    picked = h[mg.tensor([0, 1, 1])]
    return viz.step((picked * picked * w.detach()).mean())


def failing() -> Any:
    x = mg.tensor([1.0, 0.0, 3.0], requires_grad=True)
    a = x * x
    y = (a * a / (x - x)).sum()
    a += 1
    return viz.step(y, fold=False)


def long() -> Any:
    """A page shows a part of the graph, and the whole next to it."""
    x = mg.tensor([0.5, -1.0], requires_grad=True)
    y = x
    for _ in range(14):
        y = (y + x).relu()
    return viz.step(y.sum(), fold=False)


def wide() -> Any:
    leaves = [mg.full((9, 11), float(place), requires_grad=True) for place in range(24)]
    return viz.step(mg.stack(leaves).sum(), fold=False)


def operations() -> Any:
    """Forwards, too, with what a hook packs and one that changes what a node gives."""
    x = mg.tensor([[1.0, -2.0]], requires_grad=True)

    def program() -> Any:
        with mg.autograd.graph.saved_tensors_hooks(lambda t: t.numpy(), mg.tensor):
            y = x**2
        low, high = (y * 2).split(1, dim=1)
        high.grad_fn.register_hook(lambda given, arrived: (given[0] + 1,))
        return (low * high).sum()

    return viz.step(program)


def folded() -> Any:
    mg.manual_seed(0)
    layers = [mg.nn.Sequential(mg.nn.Linear(2, 2), mg.nn.ReLU()) for _ in range(4)]
    net = mg.nn.Sequential(*layers)
    for parameter in net.parameters():
        parameter.data.fill_(0.5)
    return viz.step(net(mg.ones(1, 2)).sum(), fold=True)


def pair() -> Any:
    """With signs at the nodes that differ."""

    def program(cut: bool) -> Any:
        x = mg.tensor([1.0, 2.0], requires_grad=True)
        y = x * x
        return (x * (y.detach() if cut else y) * 2).sum()

    return viz.compare(program, True, False, titles=("cut", "whole"))


PAGES: dict[str, tuple[Callable[[], Any], str, bool, list[int]]] = {
    "operations on a small page": (operations, "small", False, [0, 2, 5, -1]),
    "a failure on a small page": (failing, "small", True, [-1]),
    "two passes on a small page": (pair, "small", False, [2]),
    "in place, in Chinese": (in_place, "slide", False, [2, 3, -1]),
    "a network": (network, "slide", True, [0, 1, 4, 5, 8]),
    "a network in a post": (network, "post", False, [6]),
    "a pass that fails": (failing, "post", False, [2, -1]),
    "a part of a long graph": (long, "slide", False, [3, 20]),
    "a part of a wide graph": (wide, "slide", True, [1, 17]),
    "a folded graph": (folded, "slide", False, [1, 5, 9]),
    "two passes": (pair, "slide", False, [0, 2, -1]),
}


def illustrated(shown: Any) -> Any:
    """The payload with the pictures of its pass or passes."""
    if "rows" not in shown.payload:
        return shown.illustrated
    return {**shown.payload, "passes": [stepper.illustrated for stepper in shown.steppers]}


def drawn(payload: Any, size: str, dark: bool, places: list[int]) -> list[list[str]]:
    """Return the pictures on the pages of a payload."""
    inches = (4.0, 4.5) if size == "small" else SIZES[size]
    count = len(payload["rows" if "rows" in payload else "steps"])
    chosen = [place % count for place in places]
    how = inches[0] * 72, inches[1] * 72, dark, chosen
    pages: Any = (
        PairPages(payload, payload["passes"], *how)
        if "rows" in payload
        else StepPages(payload, *how)
    )
    return [pages.page(place).lines for place in chosen]


@pytest.mark.parametrize("name", PAGES)
def test_pages_equal_stored_ones(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (step_page, pair_page):
        monkeypatch.setattr(module, "Sheet", Noted)
    make, *how = PAGES[name]

    def looked_at() -> Any:
        payload = illustrated(make())
        return {"payload": payload, "pages": drawn(payload, *how), "told": told(payload)}

    known = recall(__file__, name, looked_at)
    assert drawn(known["payload"], *how) == known["pages"]
    assert told(known["payload"]) == known["told"]


def told(payload: Any) -> list[str]:
    """Return the content of all pages of the payload, and its text."""
    lines = []
    for each in payload.get("passes", [payload]):
        contents = StepContents(each)
        lines += [repr(contents.at(place)) for place in range(len(each["steps"]))]
        lines.append(Transcript(each).text())
    return lines
