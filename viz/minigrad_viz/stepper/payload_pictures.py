"""The pictures of a stepper: the graph and, if it is folded, the inside of each box.

A browser cannot lay out a graph, and a stepper has no kernel. The insides are therefore drawn in
advance. Each is small, and together they show every node once. Repeated operations give boxes that
differ only in names: these share one picture, and each box has its own texts for it. Ten thousand
operations then take little more time and space than a few hundred.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..model.boxes import FOLDED_FROM, SEEN
from ..model.folding import Folding
from ..model.graph_model import GraphModel, Node
from ..picture.dot import label_lines
from ..picture.svg import svg, tooltip
from ..texts.printable import columns
from .payload import ClusterData, InsideData, Payload, WordsData

MOST_DRAWN = 60_000
"""The most nodes in all pictures of insides. Without repetition, drawing them takes a minute; the
boxes after them stay closed.
"""


def add_pictures(
    payload: Payload, model: GraphModel, fold: bool | None, layout: str | None
) -> None:
    """Draw the model into the payload. Raises the errors of `svg`."""
    if fold is False or (fold is None and len(model) <= FOLDED_FROM):
        payload["svg"] = svg(model, layout=layout)
        return
    folding = Folding(model, most=0 if fold else SEEN)  # one level at a time, or as many as can be
    payload["svg"] = svg(folding.fold(folding.opened), layout=layout)
    payload["clusters"] = [
        ClusterData(id=each.id, name=each.name, parent=each.parent, size=folding.size[each.id])
        for each in folding.clusters.values()
    ]
    boxes = {cluster["id"]: cluster for cluster in payload["clusters"]}
    insides = _Insides(layout)
    waiting = dict.fromkeys(folding.insides())
    while waiting:
        cluster, _ = waiting.popitem()
        if inside := insides.draw(folding.view(cluster)):
            boxes[cluster]["inside"] = inside
            # A box that is open in the whole may be closed in this picture.
            closed = (boxes[id] for id in inside["nodes"] if id in boxes)
            waiting.update((box["id"], None) for box in closed if "inside" not in box)
    payload["pictures"] = insides.pictures
    for node in payload["nodes"]:
        if node["id"] in folding.home:
            node["cluster"] = folding.home[node["id"]]


class _Insides:
    """Draws the insides of boxes, each different picture once."""

    def __init__(self, layout: str | None) -> None:
        self.layout = layout
        self.pictures: list[str] = []
        self.drawn = 0
        self.known: dict[object, tuple[int, list[list[str]]]] = {}

    def draw(self, view: GraphModel) -> InsideData | None:
        """Return the picture of a view, drawn or shared; None after too many."""
        number = {node.id: f"n{place}" for place, node in enumerate(view.nodes)}
        edges = tuple(
            replace(edge, id=f"e{place}", source=number[edge.source], target=number[edge.target])
            for place, edge in enumerate(view.edges)
        )
        words = [_texts(node) for node in view.nodes]
        lines = tuple((edge.kind, edge.source, edge.target) for edge in edges)
        look = tuple(map(_look, view.nodes, words)), lines
        if look not in self.known:
            self.drawn += len(view)
            if self.drawn > MOST_DRAWN:
                return None
            nodes = tuple(replace(node, id=number[node.id]) for node in view.nodes)
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


def _look(node: Node, words: Sequence[str]) -> object:
    """The properties a node is drawn by: of its texts, only their widths."""
    lines = label_lines(node)
    return node.kind, node.saved, len(words) - len(lines), tuple(map(columns, lines))
