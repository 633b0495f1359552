"""The pictures of a stepper: the graph and, where it is folded, what is inside each box.

The browser cannot lay out a graph, and a stepper has no kernel to ask. So whoever opens a box gets
a picture of its inside, drawn in advance; each is small, and together they show every node once.
Where operations repeat, boxes differ in the names in them and in nothing else: such boxes share one
picture, and each says what to write into it. So ten thousand operations take little more time and
room than a few hundred.
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
"""Nodes in all pictures of insides together. Where nothing repeats, drawing takes a minute for so
many; boxes that come after them stay closed.
"""


def add_pictures(
    payload: Payload, model: GraphModel, fold: bool | None, engine: str | None
) -> None:
    """Draw the model into the payload. Raises what `svg` raises."""
    if fold is False or (fold is None and len(model) <= FOLDED_FROM):
        payload["svg"] = svg(model, engine=engine)
        return
    folding = Folding(model, most=0 if fold else SEEN)  # one level at a time, or as many as can be
    payload["svg"] = svg(folding.fold(folding.opened), engine=engine)
    payload["clusters"] = [
        ClusterData(id=each.id, name=each.name, parent=each.parent, size=folding.size[each.id])
        for each in folding.clusters.values()
    ]
    boxes = {cluster["id"]: cluster for cluster in payload["clusters"]}
    insides = _Insides(engine)
    waiting = dict.fromkeys(folding.insides())
    while waiting:
        cluster, _ = waiting.popitem()
        if inside := insides.of(folding.view(cluster)):
            boxes[cluster]["inside"] = inside
            # What is open in the whole may stand closed beside another box.
            beside = (boxes[id] for id in inside["nodes"] if id in boxes)
            waiting.update((box["id"], None) for box in beside if "inside" not in box)
    payload["pictures"] = insides.pictures
    for node in payload["nodes"]:
        if node["id"] in folding.home:
            node["cluster"] = folding.home[node["id"]]


class _Insides:
    """The pictures that have been drawn, each once."""

    def __init__(self, engine: str | None) -> None:
        self.engine = engine
        self.pictures: list[str] = []
        self.drawn = 0
        self.known: dict[object, tuple[int, list[list[str]]]] = {}

    def of(self, view: GraphModel) -> InsideData | None:
        """The picture of a view, drawn if there is none like it; None if there are too many."""
        number = {node.id: f"n{place}" for place, node in enumerate(view.nodes)}
        edges = tuple(
            replace(edge, id=f"e{place}", source=number[edge.source], target=number[edge.target])
            for place, edge in enumerate(view.edges)
        )
        words = [_words(node) for node in view.nodes]
        lines = tuple((edge.kind, edge.source, edge.target) for edge in edges)
        look = tuple(map(_look, view.nodes, words)), lines
        if look not in self.known:
            self.drawn += len(view)
            if self.drawn > MOST_DRAWN:
                return None
            nodes = tuple(replace(node, id=number[node.id]) for node in view.nodes)
            self.pictures.append(svg(GraphModel(nodes, edges), engine=self.engine))
            self.known[look] = len(self.pictures) - 1, words
        picture, written = self.known[look]
        inside = InsideData(picture=picture, nodes=list(number), edges=[e.id for e in view.edges])
        others = [
            WordsData(node=place, words=own)
            for place, (own, drawn) in enumerate(zip(words, written, strict=True))
            if own != drawn
        ]
        return inside | {"words": others} if others else inside


def _words(node: Node) -> list[str]:
    """All that is written on a node, in the order of the SVG."""
    about = tooltip(node)
    return [*([] if about is None else [about]), *label_lines(node)]


def _look(node: Node, words: Sequence[str]) -> object:
    """What a node is drawn by, but for what is written on it: that is as wide."""
    lines = label_lines(node)
    return node.kind, node.saved, len(words) - len(lines), tuple(map(columns, lines))
