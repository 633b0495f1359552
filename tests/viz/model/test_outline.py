"""The outline of a graph that is too large to be read node by node."""

from __future__ import annotations

from collections import Counter
from graphlib import TopologicalSorter
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.model.boxes import FOLDED_FROM, SEEN

import minigrad as mg
from tests.viz.model.test_folding import network


@pytest.fixture(autouse=True)
def all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minigrad_viz.picture.draw.OUTLINED_FROM", 5)


def whole(tensor: Any, **options: Any) -> Any:
    """Return the graph as `draw` builds it when it reads each node."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("minigrad_viz.picture.draw.OUTLINED_FROM", 10**6)
        return viz.draw(tensor, saved=False, **options)


def said(model: Any) -> tuple[Counter[Any], Counter[Any]]:
    """The nodes with their words, and the edges by the words at their ends."""
    words = {node.id: (node.kind, node.lines, node.about) for node in model.nodes}
    edges = ((e.kind, words[e.source], words[e.target], e.slot, e.index) for e in model.edges)
    return Counter(words.values()), Counter(edges)


def chain(lib: ModuleType) -> Any:
    y = x = lib.ones(1, requires_grad=True)
    for _ in range(FOLDED_FROM):
        y = (y * x).sin()
    return y, {"x": x}


def recurrent(lib: ModuleType) -> Any:
    cell = lib.nn.RNNCell(3, 4)
    state = lib.zeros(1, 4)
    for step in range(20):
        state = cell(lib.ones(1, 3) * step, state)
    return (state * lib.ones(1, 4, requires_grad=True)).sum(), {"cell": cell.weight_hh}


def two_ways(lib: ModuleType) -> Any:
    """Without modules and with little that repeats; results of one node that go two ways."""
    x, w = (lib.ones(4, requires_grad=True) for _ in range(2))
    a, b = (x * w).split(2)
    c = (a + b.exp()) * b
    for _ in range(5):
        c = c.tanh() + c
    return c.sum(), {"x": x, "w": w}


@pytest.mark.parametrize("program", [network, chain, recurrent, two_ways])
def test_no_node_of_an_outline_is_lost(lib: ModuleType, program: Any) -> None:
    """Each is counted in a box, or has the words and edges that it has in the whole graph."""
    root, names = program(lib)
    every = whole(root, names=names, fold=False).model
    words, edges = said(every)
    for fold in (True, None):
        model = viz.draw(root, names=names, fold=fold).model
        boxes = [node for node in model.nodes if node.kind == "cluster"]
        inside = sum(int((box.number or "").replace(",", "")) for box in boxes)
        assert inside + len(model) - len(boxes) == len(every)
        shown, joined = said(model)
        assert Counter({w: n for w, n in shown.items() if w[0] != "cluster"}) <= words
        plain = {e: n for e, n in joined.items() if "cluster" not in (e[1][0], e[2][0])}
        assert Counter(plain) <= edges
        assert boxes or (shown, joined) == (words, edges)


def test_boxes_open_by_name(lib: ModuleType) -> None:
    loss, names = network(lib)
    for opened, closed in (
        (["blocks.1"], {"head", "blocks.0", "blocks.1.first", "blocks.1.second"}),
        (["head", "blocks.0.first"], {"blocks.0.second", "blocks.1"}),
    ):
        found = viz.draw(loss, names=names, fold=opened).model
        assert {node.name for node in found.nodes if node.kind == "cluster"} == closed
    with pytest.raises(ValueError, match=r"folds into 'tail', but into .*'head'"):
        viz.draw(loss, names=names, fold=["tail"])


def test_recorder_knows_the_modules(lib: ModuleType) -> None:
    net = lib.nn.Sequential(lib.nn.Linear(2, 2), lib.nn.Tanh(), lib.nn.Linear(2, 1))
    drawing = viz.draw(lambda: net(lib.ones(1, 2)).sum(), fold=True)
    boxes = {node.name: node.detail for node in drawing.model.nodes if node.kind == "cluster"}
    assert boxes["net.1"] == "1 nodes"


def test_its_text_is_short() -> None:
    y, names = chain(mg)
    drawing = viz.draw(y, names=names, fold=True)
    assert drawing.text == (
        "result  [1]\n└─ Sin, Mul × 1,500  3,000 nodes\n   └─ AccumulateGrad\n      └─ x  [1]"
    )
    assert len(viz.draw(y).text.splitlines()) < 3 * SEEN
    forward = viz.draw(y, names=names, fold=True, view="forward")
    assert forward.text == "x: [1]\nresult: [1] = Sin, Mul × 1,500(x)"


@pytest.mark.parametrize("view", ["forward", "both"])
def test_the_other_views_have_its_boxes(lib: ModuleType, view: Any) -> None:
    loss, names = network(lib)
    drawing = viz.draw(loss, names=names, fold=True, view=view)
    boxes = {node.id: node for node in drawing.model.nodes if node.kind == "cluster"}
    assert sorted(node.name for node in boxes.values()) == ["blocks.0", "blocks.1", "head"]
    data = {(e.source, e.target) for e in drawing.model.edges if e.kind == "data"}
    assert {start for start, _ in data} >= set(boxes)
    ends = {boxes[end].name for _, end in data if end in boxes}
    assert ends >= {"blocks.1", "head"}  # the first one takes no tensor that is drawn
    ids = {node.id for node in drawing.model.nodes}
    assert all({e.source, e.target} <= ids for e in drawing.model.edges)
    lines = drawing.text.splitlines()
    for name in ("blocks.0", "blocks.1", "head"):
        assert any(f" = {name}(" in line for line in lines)


def taking_turns(lib: ModuleType) -> Any:
    """Two modules that use each other's results."""
    a, b, h = (lib.ones(2, requires_grad=True) for _ in range(3))
    y = ((h * a) * b * a) * b
    return y + 1, {"one.a": a, "two.b": b, "h": h}


def test_module_has_a_box_for_each_stretch(lib: ModuleType) -> None:
    root, names = taking_turns(lib)
    drawing = viz.draw(root, names=names, fold=True, view="both")
    lines = [line for line in drawing.text.splitlines() if "(" in line and "Backward" not in line]
    assert [line.partition("(")[0].split()[-1] for line in lines][:4] == [
        "one",
        "two",
        "one",
        "two",
    ]


def scattered(lib: ModuleType) -> Any:
    """More operations than are seen, few of which repeat, with connections over long ways."""
    earlier = [lib.ones(2, requires_grad=True)]
    state = 1
    for place in range(2 * FOLDED_FROM):
        state = (state * 1103515245 + 12345) % 2**31
        y = getattr(earlier[-1], ("sin", "exp", "tanh", "abs")[state // 2**16 % 4])()
        if place % 40 < 8:  # which repeats
            y = earlier[-1].cos()
        earlier.append(y + earlier[state // 2**8 % len(earlier)] if place % 5 == 0 else y)
    return earlier[-1], {}


PROGRAMS = [network, chain, recurrent, two_ways, taking_turns, scattered]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("fold", [True, None])
def test_boxes_of_an_outline_form_no_cycle(lib: ModuleType, program: Any, fold: Any) -> None:
    root, names = program(lib)
    drawing = viz.draw(root, names=names, fold=fold)
    after: dict[str, set[str]] = {node.id: set() for node in drawing.model.nodes}
    for edge in drawing.model.edges:
        after[edge.source].add(edge.target)
    TopologicalSorter(after).prepare()  # which raises for a cycle


def test_shared_leaves_are_one_box() -> None:
    shared = [mg.ones(1, requires_grad=True) for _ in range(SEEN + 1)]
    total = mg.zeros(1)
    for weight in shared:
        total = total + weight
    for weight in shared:
        total = total * weight
    model = viz.draw(total, names={}, fold=True).model
    boxes = {node.name: node.detail for node in model.nodes if node.kind == "cluster"}
    assert boxes == {
        "Mul × 101": "101 nodes",
        "Add × 101": "101 nodes",
        "AccumulateGrad × 101": "202 nodes",
    }


def test_many_repetitions_are_cut_in_order() -> None:
    """Each thing four times, and no run like the one before: a box for each would be thousands."""
    y = mg.ones(1, requires_grad=True)
    kinds = (mg.sin, mg.exp, mg.tanh, mg.abs)
    state = 1
    for _ in range(FOLDED_FROM + 200):
        state = (state * 1103515245 + 12345) % 2**31
        for _ in range(4 + state // 2**8 % 3):
            y = kinds[state // 2**16 % 4](y)
    model = viz.draw(y).model
    assert len(model) <= SEEN


def test_fold_false_refuses_large_graphs(lib: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minigrad_viz.model.graph_model.MOST_OPERATIONS", 10)
    y, _ = chain(lib)
    with pytest.raises(ValueError, match=r"^draw\(\) ends where .* more than 10 operations"):
        viz.draw(y, fold=False)
    assert len(viz.draw(y).model) <= SEEN
