"""Folding: a group of operations in a large graph becomes one box that can be opened.

boxes.py forms the groups. Folding reads the model alone, so it works on any graph. Read
graph_model.py and boxes.py first.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace

from .arrange import in_cycles
from .boxes import FOLDED_FROM, SEEN, Arrangement, Boxes, Cluster
from .graph_model import Edge, GraphModel, Node
from .readable import short_repr


class Folding(Boxes):
    """The boxes of a backward graph, and how a `view` of it looks with some of them open.

    Without `view`, the view is the backward graph itself.
    """

    def __init__(
        self,
        graph: GraphModel,
        view: GraphModel | None = None,
        *,
        most: int = SEEN,
        names: Iterable[str] = (),
    ) -> None:
        self.model = graph if view is None else view
        clusters, home = _boxes(graph)
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
        return self._seen(places, self.model.edges)

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
        return self._seen(places, edges.values())

    def _seen(self, places: dict[str, str], edges: Iterable[Edge]) -> GraphModel:
        """Return the nodes, each in the place where it is visible, and the edges between them."""
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
        return GraphModel(tuple(nodes.values()), tuple(joined.values()))


def _boxes(model: GraphModel) -> tuple[dict[str, Cluster], dict[str, str]]:
    """Return the boxes of a model, and the box of each node that is in one.

    A saved tensor is in the box of its owner, a leaf in the box of its users if they share one.
    """
    nodes = {node.id: node for node in model.nodes}
    functions = [node.id for node in model.nodes if node.kind == "function"]
    arranged = Arrangement(
        functions, lambda function: nodes[function].name, lambda function: nodes[function].module
    )
    users: dict[str, set[str | None]] = defaultdict(set)  # accumulate node -> its users' homes
    for edge in model.edges:
        if edge.kind == "next" and nodes[edge.target].kind == "accumulate":
            users[edge.target].add(arranged.home.get(edge.source))
    home: dict[str, str] = {}
    for node in model.nodes:
        owner = node.id if node.kind in ("function", "accumulate") else node.owner or ""
        if node.kind in ("function", "saved"):
            homes = {arranged.home.get(owner)}
        else:
            homes = users.get(owner, set())
        if len(homes) == 1 and (only := next(iter(homes))) is not None:
            home[node.id] = only
    clusters = arranged.clusters
    if len(model) <= FOLDED_FROM:  # more must be folded to be drawn at all
        while turning := boxes_in_cycles(model, clusters, home):
            clusters, home = without(turning, clusters, home)
    return clusters, home


def boxes_in_cycles(
    model: GraphModel, clusters: Mapping[str, Cluster], home: Mapping[str, str]
) -> set[str]:
    """Return boxes of repetitions that would lie on a cycle if they were closed.

    In x + f(x), six times, the six additions are no stretch that could run as one.
    """

    def around(node: str) -> list[str]:
        """The boxes around a node, from the outside in, and the node."""
        path, box = [node], home.get(node)
        while box is not None:
            path.append(box)
            box = clusters[box].parent
        return path[::-1]

    after: dict[Hashable, set[Hashable]] = {}
    for edge in model.edges:
        ends = zip(around(edge.source), around(edge.target), strict=False)
        for source, target in ends:
            if source != target:
                after.setdefault(source, set()).add(target)
                after.setdefault(target, set())
                break
    found = {str(each) for each in in_cycles(after) if each in clusters}
    return {each for each in found if not clusters[each].module}


def without(
    boxes: set[str], clusters: Mapping[str, Cluster], home: Mapping[str, str]
) -> tuple[dict[str, Cluster], dict[str, str]]:
    """Return the boxes and homes without some boxes: what was inside moves outwards."""

    def outer(box: str | None) -> str | None:
        while box in boxes:
            box = clusters[box].parent
        return box

    left = {
        id: replace(each, parent=outer(each.parent))
        for id, each in clusters.items()
        if id not in boxes
    }
    homes = {node: place for node, box in home.items() if (place := outer(box)) is not None}
    return left, homes


Fold = bool | Iterable[str] | None
"""The boxes to fold: all (True), none (False), as many as the size of the graph requires (None), or
all but those of these names."""


def folded(graph: GraphModel, view: GraphModel, fold: Fold) -> Folding | None:
    """Fold a view of a backward graph as `draw` does; None if it is drawn as it is."""
    fold, opened = read_fold(fold)
    if fold is False or (fold is None and len(view) <= FOLDED_FROM):
        return None
    return Folding(graph, view, most=0 if fold else SEEN, names=opened)


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
