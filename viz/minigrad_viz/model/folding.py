"""Folding: a frame of a large graph becomes one box that can be opened.

The frames are those of the stepper (arrange.py), so no box is on a cycle. Read graph_model.py and
boxes.py first.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from ..texts.language import Language
from ..texts.sentences import word
from .arrange import Arrangement, Frame
from .boxes import FOLDED_FROM, SEEN, Boxes, Cluster, boxes_around
from .graph_model import Edge, Enclosure, GraphModel, Node
from .readable import short_repr


class Folding(Boxes):
    """The boxes of a backward graph, and how a `view` of it looks with some of them open.

    Without `view`, the view is the backward graph itself.
    """

    def __init__(
        self,
        graph: GraphModel,
        frames: Arrangement,
        view: GraphModel | None = None,
        *,
        most: int | None = SEEN,
        names: Iterable[str] = (),
    ) -> None:
        self.model = graph if view is None else view
        language = graph.root.language
        clusters = {
            frame.id: Cluster(frame.id, frame_title(frame, language), frame.parent)
            for frame in frames.frames
        }
        home = homes(graph, clusters, frames.home)
        # "n3op", "n3r0" and "n3i1" of a forward view belong where the node n3 does.
        backward = {node.id: re.sub(r"(op|[ir]\d+)$", "", node.id) for node in self.model.nodes}
        self.home = {id: home[node] for id, node in backward.items() if node in home}
        self.number = {node.id: place for place, node in enumerate(self.model.nodes)}
        self.members: dict[str, list[str]] = defaultdict(list)
        for node, cluster in self.home.items():
            self.members[cluster].append(node)
        self.edges: dict[str, list[Edge]] = defaultdict(list)  # by each of their ends
        for edge in self.model.edges:
            self.edges[edge.source].append(edge)
            self.edges[edge.target].append(edge)
        own = {cluster: len(inside) for cluster, inside in self.members.items()}
        loose = len(self.model) - len(self.home)
        super().__init__(clusters, own, loose, most=most, names=names)

    def shown_as(self, node: str, opened: Collection[str]) -> str:
        """Return the node, or the closed cluster that hides it."""
        hidden = node
        for cluster in self.around(self.home.get(node)):
            if cluster not in opened:
                hidden = cluster
        return hidden

    def closed_in(self, cluster: str | None) -> Iterator[str]:
        """Yield the closed clusters that are visible inside `cluster` (or in the whole graph)."""
        opened = self.opened if cluster is None else self.to_be_opened(cluster)
        waiting = self.inside[cluster][::-1]
        while waiting:
            inner = waiting.pop()
            if inner in opened:
                waiting += self.inside[inner][::-1]
            else:
                yield inner

    def insides(self) -> Iterator[str]:
        """Yield every cluster that can be visible and closed, after any number of openings."""
        waiting = list(self.closed_in(None))
        while waiting:
            cluster = waiting.pop()
            yield cluster
            waiting += self.closed_in(cluster)

    def fold(self, opened: Collection[str]) -> GraphModel:
        """Return the model with all clusters closed but the `opened` ones."""
        places = {node.id: self.shown_as(node.id, opened) for node in self.model.nodes}
        return self._seen(places, self.model.edges, opened)

    def view(self, cluster: str) -> GraphModel:
        """Return the inside of a cluster, with its neighbours outside."""
        opened = {*self.around(cluster), *self.to_be_opened(cluster)}
        edges: dict[str, Edge] = {}
        waiting = [cluster]
        while waiting:
            inner = waiting.pop()
            waiting += self.inside[inner]
            for node in self.members[inner]:
                edges.update((edge.id, edge) for edge in self.edges[node])
        ends = {end for edge in edges.values() for end in (edge.source, edge.target)}
        in_order = sorted(ends, key=self.number.__getitem__)
        places = {node: self.shown_as(node, opened) for node in in_order}
        return self._seen(places, edges.values(), {cluster, *self.to_be_opened(cluster)})

    def _seen(
        self, places: dict[str, str], edges: Iterable[Edge], opened: Collection[str]
    ) -> GraphModel:
        """Return the nodes, each in the place where it is visible, and the edges between them.

        A line is drawn around each of the `opened` clusters.
        """
        nodes: dict[str, Node] = {}
        for node, place in places.items():
            if place == node:
                nodes[place] = self.model.nodes[self.number[node]]
            elif place not in nodes:
                name, size = self.clusters[place].name, f"{self.size[place]:,}"
                spoken = self.model.root.language
                nodes[place] = Node(place, "cluster", name, number=size, language=spoken)
        joined: dict[tuple[str, str], Edge] = {}
        for edge in edges:
            ends = places[edge.source], places[edge.target]
            if ends == (edge.source, edge.target):
                joined[edge.id, ""] = edge
            elif ends[0] != ends[1]:
                moved = replace(edge, source=ends[0], target=ends[1], slot=None, index=None)
                joined.setdefault(ends, moved)
        return GraphModel(
            tuple(nodes.values()), tuple(joined.values()), tuple(self._enclosures(nodes, opened))
        )

    def _enclosures(self, nodes: Iterable[str], opened: Collection[str]) -> Iterator[Enclosure]:
        inside: dict[str | None, list[str]] = defaultdict(list)
        for node in nodes:
            closed = self.clusters.get(node)
            inside[closed.parent if closed else self.home.get(node)].append(node)
        for id, cluster in self.clusters.items():
            if id in opened:
                parent = cluster.parent if cluster.parent in opened else None
                yield Enclosure(id, cluster.name, parent, tuple(inside[id]))


def frame_title(frame: Frame, language: Language) -> str:
    """Return the name of a frame: that of its call, or the number of its iteration in words."""
    if frame.kind == "iteration":
        return word(language, "iteration", number=frame.name)
    return frame.name


def homes(
    model: GraphModel, clusters: Mapping[str, Cluster], home: Mapping[str, str]
) -> dict[str, str]:
    """Return the box of each node that is in one, from those of the functions.

    A saved tensor is in the box of its owner, a leaf in the innermost box around all its users.
    """
    found = dict(home)
    shared: dict[str, list[str]] = {}  # accumulate node -> the boxes around all its users
    leaves = {node.id for node in model.nodes if node.kind == "accumulate"}
    for edge in model.edges:
        if edge.kind == "next" and edge.target in leaves:
            around = list(boxes_around(clusters, home.get(edge.source)))
            known = shared.get(edge.target, around)
            shared[edge.target] = [box for box in known if box in around]
    found.update((leaf, boxes[0]) for leaf, boxes in shared.items() if boxes)
    for node in model.nodes:
        if node.owner in found:
            found[node.id] = found[node.owner]
    return found


Fold = bool | Iterable[str] | None
"""The boxes to fold: all (True), none (False), as many as the size of the graph requires (None), or
all but those of these names."""


def folds(graph: GraphModel, fold: Fold) -> bool:
    """Whether a graph of this size is folded."""
    whether, _ = read_fold(fold)
    return len(graph) > FOLDED_FROM if whether is None else whether


def read_fold(fold: Fold) -> tuple[bool | None, list[str]]:
    """Return whether to fold, and the names of boxes that stay open.

    Raises:
        TypeError: it is neither True, False, None nor a list of names.
    """
    if fold is None or isinstance(fold, bool):
        return fold, []
    if isinstance(fold, Iterable) and not isinstance(fold, str):
        opened = list(fold)
        if all(isinstance(name, str) for name in opened):
            return True, opened
    raise TypeError(
        "fold must be True, False, None or the boxes that stay open, as in "
        f'("encoder",), not {short_repr(fold)}'
    )
