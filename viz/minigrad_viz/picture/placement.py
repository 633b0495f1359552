"""From a model to Graphviz's drawing, for any graph of a size that a person can look at.

Graphviz puts the nodes in layers and makes room in every layer for each edge that passes it. If
many operations use one tensor (a loop over one weight), that takes minutes, or hours. So the edges
of such a hub are left out of the layout. The hub gets a lane to the right of everything else, and
its edges are drawn afterwards: across, and then along the lane.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Container, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from ..model.graph_model import Edge, GraphModel
from .apart import ADVICE
from .dot import dot_source, layering, side_by_side
from .graphviz import render
from .stage import frame_name, on_stage

CROWD = 250
"""A node whose edges pass more layers than this, all together, is a hub."""

LONG_WAYS = 500
"""Where the edges pass more layers than this, all together, Graphviz would take seconds to find the
best place of each in each layer; places that are nearly as good look no worse.
"""

LANE = 40.0
"""Points between two lanes, and the radius of an edge's bend into its lane."""

APART = 4.0
"""Points between two edges that leave one row."""

MARGIN, TITLE = 10.0, 26.0
"""Points between a frame and what is in it: at the sides, and above, where its name is."""

ARROW = 7.0
"""Points from where a line ends to where its arrow points."""

MOST_NODES = 12_000
"""Larger graphs are refused: their layout would take minutes, and show nothing."""


SMALL = 300
"""Nodes and edges of a graph that takes Graphviz less than a second, whatever its shape."""


def is_small(model: GraphModel) -> bool:
    """Return whether Graphviz needs no limits for this graph."""
    return max(len(model), len(model.edges)) <= SMALL


class TooLarge(ValueError):
    """The graph has more nodes than a picture can show. The message says what to do instead."""

    def __init__(self, nodes: int) -> None:
        super().__init__(
            f"this graph has {nodes:,} nodes, and a picture can show {MOST_NODES:,}. {ADVICE}"
        )


def picture(
    model: GraphModel, format: str, *, layout: str | None = None, background: str = "transparent"
) -> bytes:
    """The drawing as "svg", "png" or "pdf". TooLarge, or what `render` raises."""
    if len(model) > MOST_NODES:
        raise TooLarge(len(model))
    model = on_stage(model)
    layers = _layers(model)
    hubs = _hubs(model, layers)
    # One edge of each stays, so that the node has a layer: the shortest.
    without = {edge.id for edges in hubs.values() for edge in edges[1:]}
    passed = sum(_passed(edge, layers) for edge in model.edges if edge.id not in without)
    rough = passed > LONG_WAYS
    if not hubs:
        source = dot_source(model, background=background, rough=rough)
        return render(source, format, layout=layout, small=is_small(model))
    straight = set(_longest_way(model, layers, hubs))
    plain = dot_source(model, without=without, straight=straight, rough=rough)
    boxes = _boxes(render(plain, "plain", layout=layout, small=is_small(model)).decode())
    frames = dict(_frames(model, boxes, hubs))
    _move_aside(boxes, hubs)
    source = dot_source(
        model,
        background=background,
        places={node: f"{box.x:.2f},{box.y:.2f}" for node, box in boxes.items()} | frames,
        paths={edge.id: path for edge, path in _paths(boxes, hubs)},
    )
    return render(source, format, layout=layout, program="nop2", small=is_small(model))


def _layers(model: GraphModel) -> dict[str, int]:
    """How far each node is from the result: the edges on the longest way to it. About so far away
    is the layer that it will be in.
    """
    same = {other: one for one, other in side_by_side(model)}
    away: dict[str, list[str]] = defaultdict(list)
    waiting = {node.id: 0 for node in model.nodes if node.id not in same}
    for edge in layering(model):
        near, far = (same.get(end, end) for end in _from_the_result(edge))
        away[near].append(far)
        waiting[far] += 1
    layers = {node: 0 for node, count in waiting.items() if count == 0}
    ready = list(layers)
    while ready:
        node = ready.pop()
        for other in away[node]:
            layers[other] = max(layers.get(other, 0), layers[node] + 1)
            waiting[other] -= 1
            if waiting[other] == 0:
                ready.append(other)
    # Boxes may stand in a circle: their layers are as good as any.
    return {node.id: layers.get(same.get(node.id, node.id), 0) for node in model.nodes}


def _from_the_result(edge: Edge) -> tuple[str, str]:
    """The ends of an edge, the one first that is nearer to the result. Data flows towards it."""
    return (edge.target, edge.source) if edge.kind == "data" else (edge.source, edge.target)


def _passed(edge: Edge, layers: dict[str, int]) -> int:
    """How many layers lie between the ends."""
    return max(abs(layers[edge.target] - layers[edge.source]) - 1, 0)


def _hubs(model: GraphModel, layers: dict[str, int]) -> dict[str, list[Edge]]:
    """The nodes whose edges would fill the layers, each with these edges, the shortest first."""
    passed = partial(_passed, layers=layers)
    sides: dict[tuple[str, bool], list[Edge]] = defaultdict(list)
    for edge in model.edges:
        if passed(edge):
            sides[edge.source, True].append(edge)
            sides[edge.target, False].append(edge)
    hubs: dict[str, list[Edge]] = defaultdict(list)
    taken: set[str] = set()
    for (node, _), edges in sorted(sides.items(), key=lambda side: -sum(map(passed, side[1]))):
        # An edge that one hub has is out of the other's way.
        left = [edge for edge in edges if edge.id not in taken]
        if sum(map(passed, left)) > CROWD:
            hubs[node] += sorted(left, key=passed)
            taken.update(edge.id for edge in left)
    return hubs


def _longest_way(model: GraphModel, layers: dict[str, int], hubs: Container[str]) -> Iterator[str]:
    """The edges of the longest way through the graph, which look best in a straight line."""
    nearer: dict[str, tuple[str, Edge]] = {}
    for edge in layering(model):
        near, far = _from_the_result(edge)
        if near not in hubs and far not in hubs and layers[near] == layers[far] - 1:
            nearer.setdefault(far, (near, edge))
    node = max(nearer, key=layers.__getitem__, default="")
    while node in nearer:
        node, edge = nearer[node]
        yield edge.id


class _Box(NamedTuple):
    """Where the middle of a node is, and how large it is, in points; y grows upwards."""

    x: float
    y: float
    width: float
    height: float


def _boxes(plain: str) -> dict[str, _Box]:
    """The nodes' places, from Graphviz's plain format: "node id x y width height ..." in inches."""
    rows = [line.split(" ", 6) for line in plain.splitlines() if line.startswith("node ")]
    return {row[1]: _Box(*(float(number) * 72 for number in row[2:6])) for row in rows}


def _frames(
    model: GraphModel, boxes: Mapping[str, _Box], hubs: Container[str]
) -> Iterator[tuple[str, str]]:
    """Yield the place of each enclosure: around its nodes, without hubs, and its enclosures."""
    inside: dict[str | None, list[tuple[float, float, float, float]]] = defaultdict(list)
    for each in reversed(model.enclosures):  # after the enclosures in it
        for node in each.nodes:
            if node in boxes and node not in hubs:
                x, y, wide, high = boxes[node]
                inside[each.id].append((x - wide / 2, y - high / 2, x + wide / 2, y + high / 2))
        if inside[each.id]:
            lefts, bottoms, rights, tops = zip(*inside[each.id], strict=True)
            left = min(lefts) - MARGIN
            right = max(max(rights) + MARGIN, left + frame_name(each).width + MARGIN)
            place = left, min(bottoms) - MARGIN, right, max(tops) + TITLE
            inside[each.parent].append(place)
            yield each.id, ",".join(f"{number:.2f}" for number in place)


def _move_aside(boxes: dict[str, _Box], hubs: Collection[str]) -> None:
    """Give each hub a lane."""
    right = max(box.x + box.width / 2 for node, box in boxes.items() if node not in hubs)
    for hub in hubs:
        width = boxes[hub].width
        boxes[hub] = boxes[hub]._replace(x=right + LANE + width / 2)
        right += LANE + width


def _paths(boxes: dict[str, _Box], hubs: dict[str, list[Edge]]) -> Iterator[tuple[Edge, str]]:
    """The edges of the hubs, each with its way as Graphviz writes it: Bezier curves, and where the
    arrow points.
    """
    drawn: dict[tuple[str, str], int] = defaultdict(int)
    for place, (hub, edges) in enumerate(hubs.items()):
        lane = boxes[hub]
        for edge in edges:
            leaving = edge.source == hub
            other = boxes[edge.target if leaving else edge.source]
            up = 1 if other.y > lane.y else -1
            number = place + drawn[edge.source, edge.target]
            y = other.y + APART * (number % 5 - 2)  # what stands in one row has lines of its own
            drawn[edge.source, edge.target] += 1
            start = (other.x + other.width / 2, y)
            drop = abs(y - lane.y) - lane.height / 2
            if drop <= ARROW:  # side by side
                end = (lane.x - lane.width / 2, y)
                way = [start, start, end, end]
            else:
                corner, bend = (lane.x, y), (lane.x, y - up * min(LANE, drop / 2))
                end = (lane.x, lane.y + up * lane.height / 2)
                way = [start, corner, corner, bend, bend, bend, end]
            if leaving:
                way.reverse()
            yield edge, _with_arrow(way)


def _with_arrow(way: list[tuple[float, float]]) -> str:
    """The points of a curve as Graphviz writes them, ending where the arrow begins."""
    (x, y), tip = next(point for point in way[-2::-1] if point != way[-1]), way[-1]
    length = max(abs(tip[0] - x), abs(tip[1] - y), 1.0)
    end = (tip[0] - ARROW * (tip[0] - x) / length, tip[1] - ARROW * (tip[1] - y) / length)
    points = " ".join(f"{x:.2f},{y:.2f}" for x, y in [*way[:-1], end])
    return f"e,{tip[0]:.2f},{tip[1]:.2f} {points}"
