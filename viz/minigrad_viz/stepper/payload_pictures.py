"""The pictures of a pass that Python saves: the graph and, if it is folded, the inside of each box.

The stepper in a page lays out its graph itself. A saved picture or PDF shows the inside of the box
in which a step is. Each is small, and together they show every node once. Repeated operations give
boxes that differ only in names: these share one picture, and each box has its own texts for it. Ten
thousand operations then take little more time and space than a few hundred.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NotRequired, TypedDict

from ..model.arrange import Arrangement
from ..model.boxes import SEEN
from ..model.folding import Folding, folds
from ..model.graph_model import GraphModel, Node
from ..picture.stage import label_lines, on_stage, tooltip
from ..picture.svg import svg
from ..texts.printable import columns
from .payload import Payload

MOST_DRAWN = 60_000
"""The most nodes in all pictures of insides. Without repetition, drawing them takes a minute; the
boxes after them stay closed.
"""


class WordsData(TypedDict):
    """The texts of one node in a picture: its tooltip, if any, and the lines of its label."""

    node: int
    words: list[str]


class InsideData(TypedDict):
    """The inside of a box. Boxes that differ only in names share one picture: its "n0" and "e0"
    are the first of `nodes`, which include boxes, and of `edges`.
    """

    picture: int  # index into Illustrated.pictures
    nodes: list[str]
    edges: list[str]
    words: NotRequired[list[WordsData]]  # texts that replace those of the picture


class ClusterData(TypedDict):
    """A box that hides nodes. `id` is the id of its <g> element where it is drawn closed."""

    id: str
    name: str
    parent: str | None  # the box around it
    size: int
    inside: NotRequired[InsideData]  # absent if the box is always open or cannot be opened


class Illustrated(Payload):
    """A payload with pictures. Their <g> elements have the ids of nodes and edges."""

    svg: str  # empty if it cannot be drawn
    clusters: list[ClusterData]  # boxes of a folded graph, each after its parent
    pictures: list[str]  # SVG of the clusters' insides
    homes: dict[str, str]  # the innermost box around each node in a box


def with_picture(payload: Payload, picture: str) -> Illustrated:
    """Return a payload with one picture, in which nothing is folded."""
    return {**payload, "svg": picture, "clusters": [], "pictures": [], "homes": {}}


def illustrated(
    payload: Payload,
    model: GraphModel,
    frames: Arrangement,
    fold: bool | None,
    layout: str | None,
) -> Illustrated:
    """Return a payload with the pictures of its model. Raises the errors of `svg`."""
    if not folds(model, fold):
        return with_picture(payload, svg(model, layout=layout))
    folding = Folding(
        model, frames, most=0 if fold else SEEN
    )  # one level at a time, or as many as can be
    clusters = [
        ClusterData(id=each.id, name=each.name, parent=each.parent, size=folding.size[each.id])
        for each in folding.clusters.values()
    ]
    boxes = {cluster["id"]: cluster for cluster in clusters}
    insides = _Insides(layout)
    waiting = dict.fromkeys(folding.insides())
    while waiting:
        cluster, _ = waiting.popitem()
        if inside := insides.draw(folding.view(cluster)):
            boxes[cluster]["inside"] = inside
            # A box that is open in the whole may be closed in this picture.
            closed = (boxes[id] for id in inside["nodes"] if id in boxes)
            waiting.update((box["id"], None) for box in closed if "inside" not in box)
    return {
        **payload,
        "svg": svg(replace(folding.fold(folding.opened), enclosures=()), layout=layout),
        "clusters": clusters,
        "pictures": insides.pictures,
        "homes": {**folding.home},
    }


class _Insides:
    """Draws the insides of boxes, each different picture once."""

    def __init__(self, layout: str | None) -> None:
        self.layout = layout
        self.pictures: list[str] = []
        self.drawn = 0
        self.known: dict[object, tuple[int, list[list[str]]]] = {}

    def draw(self, view: GraphModel) -> InsideData | None:
        """Return the picture of a view, drawn or shared; None after too many."""
        view = on_stage(view)
        number = {node.id: f"n{place}" for place, node in enumerate(view.nodes)}
        edges = tuple(
            replace(edge, id=f"e{place}", source=number[edge.source], target=number[edge.target])
            for place, edge in enumerate(view.edges)
        )
        words = [_texts(node) for node in view.nodes]
        lines = tuple((edge.kind, edge.source, edge.target) for edge in edges)
        owners = [number.get(node.owner or "") for node in view.nodes]
        look = tuple(map(_look, view.nodes, words, owners)), lines
        if look not in self.known:
            self.drawn += len(view)
            if self.drawn > MOST_DRAWN:
                return None
            nodes = tuple(
                replace(node, id=number[node.id], owner=owner)
                for node, owner in zip(view.nodes, owners, strict=True)
            )
            self.pictures.append(svg(GraphModel(nodes, edges), layout=self.layout))
            self.known[look] = len(self.pictures) - 1, words
        picture, texts = self.known[look]
        inside = InsideData(picture=picture, nodes=list(number), edges=[e.id for e in view.edges])
        others = [
            WordsData(node=place, words=own)
            for place, (own, drawn) in enumerate(zip(words, texts, strict=True))
            if own != drawn
        ]
        return inside | {"words": others} if others else inside


def _texts(node: Node) -> list[str]:
    """The texts of a node, in the order of the SVG."""
    about = tooltip(node)
    return [*([] if about is None else [about]), *label_lines(node)]


def _look(node: Node, words: Sequence[str], owner: str | None) -> object:
    """The properties a node is drawn by: of its texts, only their widths."""
    lines = label_lines(node)
    return node.kind, node.saved, owner, len(words) - len(lines), tuple(map(columns, lines))
