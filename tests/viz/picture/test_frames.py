"""Frames in pictures of small graphs: lines around modules, functions and iterations."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from types import ModuleType
from typing import Any, NamedTuple

import minigrad_viz as viz
import pytest

import minigrad as mg
from tests.viz.model.test_folding import network
from tests.viz.model.test_frame_hints import residual

SVG = "{http://www.w3.org/2000/svg}"
Parts = dict[str, "Part"]


class Part(NamedTuple):
    """A rectangle of a picture."""

    left: float
    top: float
    right: float
    bottom: float

    def contains(self, other: Part) -> bool:
        below = self.left <= other.left and self.top <= other.top
        return below and other.right <= self.right and other.bottom <= self.bottom

    def touches(self, other: Part) -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def parts(svg: str) -> tuple[Parts, Parts]:
    """Return the frames and the nodes of a picture, by their ids."""
    frames: Parts = {}
    nodes: Parts = {}
    for group in ET.fromstring(svg).iter(f"{SVG}g"):
        kind = group.get("class", "").split(" ")[0]
        if kind in ("frame", "node"):
            rects = [r for r in group.iter(f"{SVG}rect") if r.get("class") != "tray"]
            x, y, width, height = (
                float(rects[-1].get(name, "")) for name in ("x", "y", "width", "height")
            )
            found = frames if kind == "frame" else nodes
            found[group.get("id", "")] = Part(x, y, x + width, y + height)
    return frames, nodes


def blocks(lib: ModuleType) -> Any:
    net, compute = residual(lib)
    return compute(), net


def loop(lib: ModuleType, rounds: int = 3) -> Any:
    def cell(state: Any) -> Any:
        return (state @ weight + 1).tanh() * 2

    weight = lib.ones(3, 3, requires_grad=True)
    state = lib.ones(1, 3)
    for _ in range(rounds):
        state = cell(state)
    return state.sum(), {"weight": weight}


def names_of(drawing: Any) -> list[str]:
    return [frame.name for frame in drawing.model.enclosures]


def test_small_drawing_frames_its_calls(lib: ModuleType) -> None:
    with viz.watch():
        loss, names = blocks(lib)
        rounds, _ = loop(lib)
    drawing = viz.draw(loss, names=names)
    assert sorted(names_of(drawing)) == ["0", "0.fc", "1", "1.fc", "Sequential"]
    assert not [node for node in drawing.model.nodes if node.kind == "cluster"]
    looped = viz.draw(rounds)
    iterations = ["iteration 1", "iteration 2", "iteration 3"]
    assert sorted(names_of(looped)) == ["for _ in range(rounds)", *iterations]


def test_no_frame_around_one_operation() -> None:
    x = mg.ones(2, requires_grad=True)
    assert names_of(viz.draw(x.sin().sum())) == []


def test_fold_false_draws_no_frames() -> None:
    loss, _ = blocks(mg)
    plain = viz.draw(loss, names={}, fold=False)
    assert names_of(plain) == []
    assert plain.svg.count('class="frame"') == 0


@pytest.mark.parametrize("program", [blocks, loop, network])
@pytest.mark.parametrize("view", ["backward", "forward"])
def test_frames_contain_only_their_nodes(program: Any, view: Any) -> None:
    loss, names = program(mg)
    check(viz.draw(loss, names=names, view=view))


def test_frames_of_a_hub_contain_their_nodes() -> None:
    """Forty iterations use one weight, which has a lane of its own."""
    loss, names = loop(mg, 40)
    check(viz.draw(loss, names=names), "weight")


def check(drawing: Any, *lanes: str) -> None:
    """Each frame contains what is in it, but for nodes in `lanes`, and touches nothing else."""
    frames, nodes = parts(drawing.svg)
    model = drawing.model
    assert set(frames) == {each.id for each in model.enclosures} != set()
    inside = {each.id: set(each.nodes) for each in model.enclosures}
    within = {each.id: {each.id} for each in model.enclosures}
    for each in reversed(model.enclosures):
        if each.parent is not None:
            inside[each.parent] |= inside[each.id]
            within[each.parent] |= within[each.id]
    aside = {node.id for node in model.nodes if node.name in lanes}
    for id, frame in frames.items():
        for node, place in nodes.items():
            if node not in aside:
                assert frame.contains(place) if node in inside[id] else not frame.touches(place)
        for other, place in frames.items():
            if other in within[id]:
                assert frame.contains(place)
            elif id not in within[other]:
                assert not frame.touches(place)


def test_frame_names_lie_above_arrows() -> None:
    svg = viz.draw(blocks(mg)[0]).svg
    names = [found.start() for found in re.finditer('<g class="cluster">', svg)]
    assert len(names) == 5
    assert svg.rindex('class="edge') < names[0]
