"""Folding: what belongs together in a large graph becomes one box."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from graphlib import TopologicalSorter
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.model.boxes import FOLDED_FROM, LONGEST_PERIOD, SEEN, runs
from minigrad_viz.model.folding import Folding
from minigrad_viz.model.frame_hints import frames_of
from minigrad_viz.model.graph_model import EVERYTHING, walk

import minigrad as mg
from tests.sampling import all_of


def network(lib: ModuleType) -> Any:
    """Two residual blocks of two layers, and a head; the parameters' names tell the modules."""
    names = {}
    h = lib.ones(2, 4)
    for block in ("blocks.0", "blocks.1"):
        w1, w2 = (lib.ones(4, 4, requires_grad=True) for _ in range(2))
        names |= {f"{block}.first.weight": w1, f"{block}.second.weight": w2}
        h = h + (h @ w1).relu() @ w2
    names["head.weight"] = w = lib.ones(4, 1, requires_grad=True)
    loss = (h @ w).sum()
    return loss, names | {"loss": loss}


def folding_of(tensor: Any, names: Any = None, *, saved: bool = True) -> Folding:
    graph = walk(tensor, names=names or {}, detail=EVERYTHING._replace(saved=saved))
    return Folding(graph.model, frames_of(graph.model, graph.objects, graph.names))


def seen(drawing: Any) -> list[str]:
    return [node.name for node in drawing.model.nodes if node.kind in ("cluster", "function")]


def test_modules_fold(lib: ModuleType) -> None:
    loss, names = network(lib)
    drawing = viz.draw(loss, names=names, fold=True)
    assert [n for n in seen(drawing) if "Backward" not in n] == ["blocks.0", "blocks.1"]
    sizes = {n.name: n.detail for n in drawing.model.nodes if n.kind == "cluster"}
    assert sizes["blocks.0"] == "11 nodes"  # its operations, saved tensors and leaves
    assert drawing.text == viz.draw(loss, names=names).text  # the text folds nothing


def test_boxes_open_by_name(lib: ModuleType) -> None:
    loss, names = network(lib)
    drawing = viz.draw(loss, names=names, fold=["blocks.1"])
    boxes = {node.name for node in drawing.model.nodes if node.kind == "cluster"}
    assert boxes == {"blocks.0"}
    assert [each.name for each in drawing.model.enclosures] == ["blocks.1"]
    # An operation without parameters belongs where its neighbours on both sides do.
    assert "ReluBackward0" in seen(drawing)
    assert seen(viz.draw(loss, names=names, fold=True)).count("ReluBackward0") == 0
    with pytest.raises(ValueError, match=r"folds into 'tail', but into .*'blocks.0'"):
        viz.draw(loss, names=names, fold=["tail"])


def test_the_names_of_a_module_fold(lib: ModuleType) -> None:
    net = lib.nn.Sequential(lib.nn.Linear(2, 2), lib.nn.Tanh(), lib.nn.Linear(2, 1))
    out = net(lib.ones(1, 2)).sum()
    by_variable = viz.draw(out, fold=["net"])
    by_module = viz.draw(out, names=net, fold=True)
    assert [n.name for n in by_variable.model.nodes if n.kind == "cluster"] == ["net.2", "net.0"]
    assert [n.name for n in by_module.model.nodes if n.kind == "cluster"] == ["2", "0"]


def test_folding_keeps_all_edges() -> None:
    loss, names = network(mg)
    folding = folding_of(loss, names)
    every = set(folding.clusters)
    for opened in (set[str](), every, folding.named(["blocks.0"])):
        model = folding.fold(opened)
        ids = [node.id for node in model.nodes]
        assert len(set(ids)) == len(ids)
        assert {e.source for e in model.edges} | {e.target for e in model.edges} <= set(ids)
        joined = {(e.source, e.target) for e in model.edges}
        expected = {
            (folding.shown_as(e.source, opened), folding.shown_as(e.target, opened))
            for e in folding.model.edges
        }
        assert joined == {(a, b) for a, b in expected if a != b}
    assert folding.fold(every) == folding.model


def test_repetitions_fold(lib: ModuleType) -> None:
    def drawn(rounds: int) -> Any:
        y = lib.ones(2, requires_grad=True) * 2
        for _ in range(rounds):
            y = (y * y).sin()
        return viz.draw(y.sum(), fold=True)

    with viz.watch():
        drawing = drawn(6)
    rounds = [f"iteration {number}" for number in range(6, 0, -1)]
    assert sorted(seen(drawing)) == sorted(["SumBackward0", *rounds, "MulBackward0"])
    assert [each.name for each in drawing.model.enclosures] == ["for _ in range(rounds)"]
    if lib is not mg:  # it notes no places unasked
        assert [each.name for each in drawn(8).model.enclosures] == ["Sin, Mul \u00d7 8"]


def test_chain_of_ten_thousand_operations(lib: ModuleType) -> None:
    x = y = lib.ones(1, requires_grad=True)
    for _ in range(10_000):
        y = y * x
    drawing = viz.draw(y)
    assert len(drawing.graph) > 30_000
    assert len(drawing.model) <= SEEN
    assert drawing.svg.count('class="node cluster"') > 20


def test_views_of_large_graphs_are_small() -> None:
    """Each view of any frame stays small enough to look at."""
    generator = itertools.cycle([1, 3, 2, 5, 4])
    x = y = mg.ones(1, requires_grad=True)
    operations = (y.__class__.sin, y.__class__.exp, y.__class__.tanh, y.__class__.abs)
    for place in range(4_000):  # no period of at most 24 in this
        y = operations[(next(generator) * place * place) % 4](y + x if place % 7 == 0 else y)
    folding = folding_of(y, saved=False)
    shown = folding.fold(folding.to_be_opened())
    assert len(shown) <= SEEN
    for cluster in folding.clusters:
        assert len(folding.view(cluster)) <= 2 * SEEN


def test_graphs_fold_only_when_they_are_large() -> None:
    def chain(length: int) -> Any:
        y = mg.ones(1, requires_grad=True)
        for _ in range(length):
            y = y + 1
        return viz.draw(y, saved=False)

    assert len(chain(FOLDED_FROM - 3).model) == FOLDED_FROM
    assert len(chain(FOLDED_FROM - 2).model) < SEEN


def test_the_forward_view_folds() -> None:
    y = mg.ones(1, requires_grad=True)
    for _ in range(3_000):
        y = y + 1
    for view in ("forward", "both"):
        drawing = viz.draw(y, saved=False, view=view)  # type: ignore[arg-type]
        assert len(drawing.model) <= SEEN


def test_stepper_pictures_every_box() -> None:
    y = mg.ones(1, requires_grad=True)
    for _ in range(FOLDED_FROM):
        y = y + 1
    payload = viz.step(y).illustrated
    assert payload["svg"].count('class="node') <= SEEN
    boxes = {cluster["id"]: cluster for cluster in payload["clusters"]}
    drawn = set(re.findall(r'id="(\w+)"', payload["svg"]))
    for box in boxes.values():
        drawn.update(box["inside"]["nodes"] if "inside" in box else ())
    # A leaf's box stands for its AccumulateGrad.
    own = (node["id"] for node in payload["nodes"] if node["kind"] != "accumulate")
    assert drawn.issuperset(own)
    assert viz.step(mg.ones(1, requires_grad=True) * 2).illustrated["clusters"] == []


def filled(payload: Any, inside: Any) -> list[tuple[str, list[str]]]:
    """List an opened box as a reader sees it: each node with its words, in page order."""
    root = ET.fromstring(payload["pictures"][inside["picture"]])
    own = {words["node"]: words["words"] for words in inside.get("words", ())}
    seen = []
    for group in root.iter():
        if re.fullmatch(r"n\d+", id := group.get("id", "")):
            place = int(id[1:])
            words = [e.text or "" for e in group if e.tag.endswith(("}title", "}text"))]
            seen.append((inside["nodes"][place], own.get(place, words)))
    return seen


def test_similar_boxes_share_a_picture() -> None:
    weights = [mg.ones(2, requires_grad=True) for _ in range(1_000)]
    h = mg.ones(2)
    for weight in weights:
        h = (h * weight).tanh()
    names = {f"w{place}": weight for place, weight in enumerate(weights)}
    payload = viz.step(h.sum(), names=names).illustrated
    boxes = {box["id"]: box for box in payload["clusters"]}
    insides = [box["inside"] for box in boxes.values() if "inside" in box]
    assert len(payload["pictures"]) < len(insides) / 2
    label = {node["id"]: node["label"].split("\n") for node in payload["nodes"]}
    for node in payload["nodes"]:
        if node["kind"] == "saved":  # a chip has the name alone
            label[node["id"]] = [node["name"].rpartition(" = ")[2]]
    for inside in insides:
        for id, words in filled(payload, inside):
            box = boxes.get(id)
            lines = [box["name"], f"{box['size']:,} nodes"] if box else label[id]
            assert words[-len(lines) :] == lines
        lines_in = {edge["id"]: edge for edge in payload["edges"]}
        assert lines_in.keys() >= set(inside["edges"])


def test_every_box_has_an_inside() -> None:
    y = x = mg.ones(1, requires_grad=True)
    many = 10_000 if all_of("PROOFS") else 2_500
    for _ in range(many):
        y = y * x
    payload = viz.step(y, names={}).illustrated
    opens = {box["id"] for box in payload["clusters"] if "inside" in box}
    shown = set(re.findall(r'id="(f\d+)"', payload["svg"]))
    shown.update(
        id
        for box in payload["clusters"]
        for id in box.get("inside", {"nodes": []})["nodes"]
        if id.startswith("f")
    )
    assert len(opens) > many / 34
    assert shown == opens
    assert len(payload["pictures"]) < 100


def test_large_boxes_stay_closed(monkeypatch: Any) -> None:
    monkeypatch.setattr("minigrad_viz.stepper.payload_pictures.MOST_DRAWN", 100)
    y = x = mg.ones(1, requires_grad=True)
    for _ in range(FOLDED_FROM):
        y = y * x
    payload = viz.step(y, names={}).illustrated
    opens = ["inside" in box for box in payload["clusters"]]
    assert any(opens)
    assert not all(opens)


@pytest.mark.parametrize("period", [1, 2, LONGEST_PERIOD, LONGEST_PERIOD + 1])
def test_repetition_is_found(period: int) -> None:
    """24 different layers in a row are still one block that is repeated; 25 are not."""
    assert LONGEST_PERIOD == 24
    names = [f"layer {place}" for place in range(period)] * 4
    found = [(start, length, count) for start, length, count in runs(names) if count > 1]
    assert found == ([(0, period, 4)] if period <= LONGEST_PERIOD else [])


def test_boxes_of_residual_blocks_make_no_cycle(lib: Any) -> None:
    class Block(lib.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.fc = lib.nn.Linear(4, 4)

        def forward(self, x: Any) -> Any:
            return x + self.fc(x).tanh()

    net = lib.nn.Sequential(*[Block() for _ in range(6)])
    seen = viz.draw(net(lib.ones(1, 4)).sum(), names=net, fold=True).model
    below: dict[str, set[str]] = {node.id: set() for node in seen.nodes}
    for edge in seen.edges:
        below[edge.source].add(edge.target)
    assert any(node.kind == "cluster" for node in seen.nodes)
    TopologicalSorter(below).prepare()  # raises for a cycle
