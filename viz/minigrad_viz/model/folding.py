"""Folding: what belongs together in a large graph becomes one box that can be opened.

Two things belong together. What a module computes (modules.py says how that is known). And what
repeats: the same operations again and again, as a loop leaves them; many repetitions form
boxes in boxes, none with more inside than a person can look at. A graph that shows neither is cut
into pieces in the order of its ids, so that every graph can be drawn.

Folding looks at the model alone, so it works on any graph. Read graph_model.py first.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from .graph_model import Edge, GraphModel, Node
from .modules import Scope
from .readable import short_repr

FOLDED_FROM = 1_500
"""Graphs of more nodes than this are folded unless the reader says otherwise."""

SEEN = 100
"""Boxes are opened from outside in as long as no more nodes than this are seen."""

INSIDE = 30
"""How many parts a box made of repetitions has, at most."""

LONGEST_PERIOD = 24
REPEATED = 4
"""What comes at least so often in a row counts as repeated."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """What belongs together: `nodes` are those of its own, not those of clusters inside it."""

    id: str
    name: str
    parent: str | None
    nodes: tuple[str, ...]
    module: bool = True
    """Or is it what repeats?"""


class Folding:
    """The clusters of a backward graph, and how `view`, a view of it, looks with some of them open.

    Without a view, it is the backward graph itself. `most` is how much may be seen before boxes
    stay closed; `names` are those of the boxes that are open at first, in place of so many.
    """

    def __init__(
        self,
        graph: GraphModel,
        view: GraphModel | None = None,
        *,
        most: int = SEEN,
        names: Iterable[str] = (),
    ) -> None:
        self.most = most
        self.model = graph if view is None else view
        self.clusters = {cluster.id: cluster for cluster in _Finder(graph).clusters()}
        home = {node: c.id for c in self.clusters.values() for node in c.nodes}
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
        self.inside: dict[str | None, list[str]] = defaultdict(list)
        for each in self.clusters.values():
            self.inside[each.parent].append(each.id)
        self.size: dict[str, int] = {}
        for id in reversed(self.clusters):  # a cluster comes after the one that it is in
            self.size[id] = len(self.members[id]) + sum(
                self.size[child] for child in self.inside[id]
            )
        self.opened = self.named(names) or self.to_be_opened()

    def named(self, names: Iterable[str]) -> set[str]:
        """The clusters with these names, and all that they are in. ValueError for a name that no
        cluster has.
        """
        by_name = {cluster.name: cluster.id for cluster in reversed(self.clusters.values())}
        found: set[str] = set()
        for name in names:
            if name not in by_name:
                known = ", ".join(map(repr, list(by_name)[:-21:-1])) or "nothing at all"
                raise ValueError(f"nothing in this graph folds into {name!r}, but into {known}")
            found.update(self.around(by_name[name]))
        return found

    def around(self, cluster: str | None) -> Iterator[str]:
        """The cluster, and those that it is in, from inside out."""
        while cluster is not None:
            yield cluster
            cluster = self.clusters[cluster].parent

    def to_be_opened(self, start: str | None = None) -> set[str]:
        """What can be opened inside `start` (or at all) before too much is seen."""
        seen = self._direct(start)
        opened: set[str] = set()
        waiting = deque(self.inside[start])
        while waiting:
            cluster = waiting.popleft()
            more = self._direct(cluster) - 1
            if seen + more <= (SEEN if self.alone(cluster) else self.most):
                seen += more
                opened.add(cluster)
                waiting.extend(self.inside[cluster])
        return opened

    def alone(self, cluster: str) -> bool:
        """Is all that there are boxes for in this one? Closed, it would hide how that is made up:
        the model of which everything is a part, and the list in which it has its layers.
        """
        parent = self.clusters[cluster].parent
        beside, inside = self.inside[parent], self.inside[cluster]
        return len(beside) == 1 and any(self.clusters[part].module for part in inside)

    def _direct(self, cluster: str | None) -> int:
        """How much is seen of a cluster, or of the whole, if nothing inside is open."""
        if cluster is None:
            own = len(self.model) - len(self.home)
        else:
            own = len(self.members[cluster])
        return own + len(self.inside[cluster])

    def shown_as(self, node: str, opened: Collection[str]) -> str:
        """The node, or the closed cluster that hides it."""
        hidden = node
        for cluster in self.around(self.home.get(node)):
            if cluster not in opened:
                hidden = cluster
        return hidden

    def closed_in(self, cluster: str | None) -> Iterator[str]:
        """The clusters that are closed, and seen, when `cluster` (or the whole) is looked into."""
        opened = self.opened if cluster is None else self.to_be_opened(cluster)
        waiting = self.inside[cluster][::-1]
        while waiting:
            inner = waiting.pop()
            if inner in opened:
                waiting += self.inside[inner][::-1]
            else:
                yield inner

    def insides(self) -> Iterator[str]:
        """The clusters that one can come upon closed, by opening one after the other."""
        waiting = list(self.closed_in(None))
        while waiting:
            cluster = waiting.pop()
            yield cluster
            waiting += self.closed_in(cluster)

    def fold(self, opened: Collection[str]) -> GraphModel:
        """The model with all clusters closed that are not `opened`."""
        places = {node.id: self.shown_as(node.id, opened) for node in self.model.nodes}
        return self._seen(places, self.model.edges)

    def view(self, cluster: str) -> GraphModel:
        """The inside of a cluster, with what is next to it outside."""
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
        """The nodes in `places`, each where it is shown, and what joins them."""
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


class _Finder:
    """Finds the clusters of a model."""

    def __init__(self, model: GraphModel) -> None:
        self.model = model
        self.by_id = {node.id: node for node in model.nodes}
        self.functions = [node.id for node in model.nodes if node.kind == "function"]
        self.users: dict[str, set[str]] = defaultdict(set)  # accumulate node -> functions
        for edge in model.edges:
            if edge.kind == "next" and self.by_id[edge.target].kind == "accumulate":
                self.users[edge.target].add(edge.source)
        self.found: list[tuple[str, str | None]] = []  # name and parent of each cluster
        self.home: dict[str, str] = {}

    def clusters(self) -> Iterator[Cluster]:
        """All clusters, each after the one that it is in."""
        members: dict[Scope, list[str]] = defaultdict(list)
        for function in self.functions:
            module = self.by_id[function].module
            members[tuple(module.split(".")) if module else ()].append(function)
        paths = {scope[:length] for scope in members for length in range(1, len(scope) + 1)}
        ids: dict[Scope, str | None] = {(): None}
        for path in sorted(paths, key=lambda path: (len(path), self.first(path, members))):
            ids[path] = self.add(".".join(path), ids[path[:-1]])
        modules = len(self.found)
        for scope in ids:
            self.arrange(members[scope], ids[scope])
        nodes: dict[str, list[str]] = defaultdict(list)
        for node in self.model.nodes:
            if (home := self.home_of(node)) is not None:
                nodes[home].append(node.id)
        for place, (name, parent) in enumerate(self.found):
            yield Cluster(f"c{place}", name, parent, tuple(nodes[f"c{place}"]), place < modules)

    def first(self, path: Scope, members: dict[Scope, list[str]]) -> int:
        """The number of the first function in a scope: the order in which clusters are named."""
        inside = (ids for scope, ids in members.items() if scope[: len(path)] == path)
        return min(int(ids[0][1:]) for ids in inside)

    def add(self, name: str, parent: str | None) -> str:
        self.found.append((name, parent))
        return f"c{len(self.found) - 1}"

    def home_of(self, node: Node) -> str | None:
        """Where a node belongs: saved tensors to their owner, a leaf to those who alone use it."""
        if node.kind == "function":
            return self.home.get(node.id)
        if node.kind == "saved":
            return self.home.get(node.owner or "")
        accumulate = node.id if node.kind == "accumulate" else node.owner
        homes = {self.home.get(user) for user in self.users.get(accumulate or "", ())}
        return homes.pop() if len(homes) == 1 else None

    # --- Repetitions

    def arrange(self, functions: Sequence[str], parent: str | None) -> None:
        """Put the functions of one module into it, repetitions in clusters of their own."""
        names = [self.by_id[function].name for function in functions]
        alone: list[list[str]] = []
        for start, period, count in _runs(names):
            blocks = [
                list(functions[start + i * period : start + (i + 1) * period]) for i in range(count)
            ]
            if count < REPEATED:
                alone += [[function] for block in blocks for function in block]
                continue
            steps = ", ".join(name.partition("Backward")[0] for name in names[start:][:period])
            self.split(blocks, self.add(f"{steps} \u00d7 {count:,}", parent), steps)
        if len(alone) > FOLDED_FROM:
            self.split(alone, parent, "part")
            return
        for (function,) in alone:
            if parent is not None:
                self.home[function] = parent

    def split(self, blocks: Sequence[list[str]], home: str | None, name: str) -> None:
        """Put blocks into a cluster: as they are if they are few, else in clusters of their own,
        called by `name` and their numbers.
        """
        pending = [(0, len(blocks), home)]
        while pending:
            start, end, cluster = pending.pop()
            if end - start <= INSIDE and cluster is not None:
                for block in blocks[start:end]:
                    for function in block:
                        self.home[function] = cluster
                continue
            size = INSIDE
            while size * INSIDE < end - start:
                size *= INSIDE
            for place in range(start, end, size):
                last = min(place + size, end)
                part = self.add(f"{name} {place + 1:,}\u2013{last:,}", cluster)
                pending.append((place, last, part))


def _runs(names: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The list in pieces: where each begins, how long it is, how often it comes in a row."""
    start = 0
    while start < len(names):
        period, count = 1, 1
        for candidate in range(1, LONGEST_PERIOD + 1):
            times = _times(names, start, candidate)
            if times >= REPEATED and times * candidate > period * count:
                period, count = candidate, times
        yield start, period, count
        start += period * count


def _times(names: Sequence[str], start: int, period: int) -> int:
    """How often the `period` names at `start` come in a row."""
    end = start + period
    while end < len(names) and names[end] == names[end - period]:
        end += 1
    return (end - start) // period


def folded(
    graph: GraphModel, view: GraphModel, fold: bool | None, opened: Iterable[str]
) -> Folding | None:
    """How `draw` folds a view of a backward graph (see there); None if it is drawn as it is."""
    if isinstance(opened, str) or not isinstance(opened, Iterable):
        raise TypeError(f'opened must be names, as in ("encoder",), not {short_repr(opened)}')
    names = list(opened)
    if fold is False or (fold is None and not names and len(view) <= FOLDED_FROM):
        return None
    return Folding(graph, view, most=0 if fold else SEEN, names=names)
