"""Pictures that were looked at and found right stay as they are.

Graphviz's answers differ between its versions. So its questions and answers are stored
(tests/viz/looks.py) with the picture made of them. The questions must be
the same, and so must the picture.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.model.graph_model import Edge, GraphModel, Node
from minigrad_viz.picture import levels, placement
from minigrad_viz.picture.graphviz import render
from minigrad_viz.picture.theme import style_sheet

import minigrad as mg
from tests.speaking import speaking
from tests.viz.looks import recall


def saved() -> str:
    """Saved tensors: named, a constant, changed, and freed."""
    x, w = mg.ones(2, 3, requires_grad=True), mg.ones(3, requires_grad=True)
    mask = mg.tensor([True, False])
    a = (x * w).exp()
    b = a.sum(1).masked_fill(mask, 0.0) * 3
    b.sin().sum().backward(retain_graph=True)
    c = b.sigmoid()
    c.sum().backward()
    a += 1
    very_long_name_of_a_result_that_has_no_room_on_its_node = c.prod()
    return str(viz.draw(very_long_name_of_a_result_that_has_no_room_on_its_node).svg)


def both_ways() -> str:
    x, w = mg.ones(2, 3), mg.ones(3, 2, requires_grad=True)
    low, high = (x @ w).relu().split(1)
    with speaking("zh"):
        return str(viz.draw((low * high).sum() / 2, view="both").svg)


def forwards() -> str:
    x, data = mg.ones(2, requires_grad=True), mg.ones(2)
    return str(viz.draw((data - x * data).max(0)[0], view="forward").svg)


def folded() -> str:
    layers = [mg.nn.Sequential(mg.nn.Linear(2, 2), mg.nn.Tanh()) for _ in range(3)]
    net = mg.nn.Sequential(*layers)
    for parameter in net.parameters():
        mg.nn.init.zeros_(parameter)
    return str(viz.draw(net(mg.ones(1, 2)).sum(), fold=True).svg)


def two_hubs() -> str:
    """Which have lanes of their own: one is used in every turn, the other has a leaf."""
    x, w = mg.ones(2, requires_grad=True), mg.ones(2, requires_grad=True)
    y, twice = x, w * 2
    for _ in range(5):
        y = (y * w).sin() + twice
    return str(viz.draw(y.sum(), saved=False, fold=False).svg)


def in_rows() -> str:
    """A graph in layers that are given, with texts at the lines between them."""
    nodes = [Node("a", "root", "a"), *(Node(n, "function", n) for n in "bcd")]
    nodes += [Node("e", "leaf", "e", shape=(2,)), Node("f", "saved", "f", shape=(2,))]
    nodes.append(Node("g", "cluster", "g"))
    edges = ["ab", "ac", "bd", "cd", "de", "bf", "dg"]
    model = GraphModel(
        tuple(nodes), tuple(Edge(f"e{at}", "next", *ends) for at, ends in enumerate(edges))
    )
    layers = {"a": 0, "b": 1, "c": 1, "d": 2, "e": 3, "f": 2, "g": 3}
    said = ["one", "two tensors, 8 bytes", "three"]
    return levels.levels(model, layers, said, still={"c", "e1"})


MADE = (saved, both_ways, forwards, folded, two_hubs, in_rows)


@pytest.mark.parametrize("make", MADE, ids=lambda make: make.__name__)
def test_pictures_equal_stored_ones(
    make: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(placement, "CROWD", 8)
    monkeypatch.setattr(placement, "LONG_WAYS", 30)

    def looked_at() -> Any:
        """Return Graphviz's input and output, and the picture."""
        asked = []

        def noted(source: str, format: str, *, layout: str | None = None, **how: str) -> bytes:
            answer = render(source, format, layout=layout, **how)
            asked.append([[source, format, how], answer.decode()])
            return answer

        return {"asked": asked, "svg": drawn(noted)}

    def drawn(answers: Callable[..., bytes]) -> str:
        with monkeypatch.context() as patched:
            for module in (placement, levels):
                patched.setattr(module, "render", answers)
            # Lines of this file move when it is edited.
            return re.sub(r"py:\d+", "py", make().replace(style_sheet(), ""))

    known = recall(__file__, make.__name__, looked_at)
    answers = iter(known["asked"])

    def answered(source: str, format: str, *, layout: str | None = None, **how: str) -> bytes:
        question, answer = next(answers)
        assert [source, format, how] == question
        return str(answer).encode()

    assert drawn(answered) == known["svg"]
    assert not [*answers]
