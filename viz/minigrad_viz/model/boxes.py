"""Boxes: groups of operations that a picture can close, and which of them are open at first.

folding.py makes boxes of the stepper's frames. An outline (outline.py), of a graph too large to be
read node by node, knows names alone. This file puts its operations into boxes. Those of one module
form a box (modules.py finds the modules). So do the same operations in a row, as a loop makes them;
many repetitions form boxes in boxes, each small enough to look at. A graph with neither is cut into
pieces in its own order, so every graph can be drawn.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from .modules import Scope

FOLDED_FROM = 1_500
"""Graphs of more nodes than this are folded by default."""

SEEN = 100
"""Boxes are opened from the outside in, until this many nodes would be visible."""

INSIDE = 30
"""The largest number of parts in a box of repetitions."""

LONGEST_PERIOD = 24
REPEATED = 4
"""The smallest number of repetitions in a row that form a box."""

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Cluster:
    """A box: a group of operations."""

    id: str
    name: str
    parent: str | None
    module: bool = True
    """False for a box of repetitions."""


class Arrangement(Generic[Key]):
    """Puts operations, given in the order of the graph, into boxes.

    clusters  the boxes, each after the box around it
    home      the box of an operation, if it is in one
    """

    def __init__(
        self,
        operations: Sequence[Key],
        name_of: Callable[[Key], str],
        module_of: Callable[[Key], str | None],
    ) -> None:
        self.name_of = name_of
        self.clusters: dict[str, Cluster] = {}
        self.home: dict[Key, str] = {}
        members: dict[str, list[Key]] = {}
        scopes: dict[str, Scope] = {}
        first: dict[Scope, int] = {}
        for place, operation in enumerate(operations):
            module = module_of(operation) or ""
            if module not in members:
                members[module] = []
                scopes[module] = scope = tuple(module.split(".")) if module else ()
                for length in range(1, len(scope) + 1):
                    first.setdefault(scope[:length], place)
            members[module].append(operation)
        ids: dict[Scope, str | None] = {(): None}
        for path in sorted(first, key=lambda path: (len(path), first[path])):
            ids[path] = self.add(".".join(path), ids[path[:-1]], module=True)
        by_scope = {scopes[module]: inside for module, inside in members.items()}
        for scope, id in ids.items():
            self.arrange(by_scope.get(scope, ()), id)

    def add(self, name: str, parent: str | None, *, module: bool = False) -> str:
        """Add a box; return its id."""
        id = f"c{len(self.clusters)}"
        self.clusters[id] = Cluster(id, name, parent, module)
        return id

    def arrange(self, operations: Sequence[Key], parent: str | None) -> None:
        """Put the operations of one module into its box, and repetitions into inner boxes."""
        names = [self.name_of(operation) for operation in operations]
        alone: list[Sequence[Key]] = []
        repeated: list[tuple[int, int, int]] = []
        for start, period, count in runs(names):
            if count < REPEATED:
                alone += ((each,) for each in operations[start : start + period * count])
            else:
                repeated.append((start, period, count))
        many = len(repeated) > SEEN  # too many boxes to look at
        if many:
            alone, repeated = [(operation,) for operation in operations], []
        for start, period, count in repeated:
            ends = range(start + period, start + period * count + 1, period)
            blocks = [operations[end - period : end] for end in ends]
            steps = ", ".join(name.partition("Backward")[0] for name in names[start:][:period])
            self.split(blocks, self.add(f"{steps} \u00d7 {count:,}", parent), steps)
        if many or len(alone) > FOLDED_FROM:
            self.split(alone, parent, "part")
            return
        for (operation,) in alone:
            if parent is not None:
                self.home[operation] = parent

    def split(self, blocks: Sequence[Sequence[Key]], home: str | None, name: str) -> None:
        """Put blocks into a box: directly if they are few, else in boxes named by their numbers."""
        pending = [(0, len(blocks), home)]
        while pending:
            start, end, cluster = pending.pop()
            if end - start <= INSIDE and cluster is not None:
                for block in blocks[start:end]:
                    for operation in block:
                        self.home[operation] = cluster
                continue
            size = INSIDE
            while size * INSIDE < end - start:
                size *= INSIDE
            for place in range(start, end, size):
                last = min(place + size, end)
                part = self.add(f"{name} {place + 1:,}\u2013{last:,}", cluster)
                pending.append((place, last, part))


def runs(names: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield the pieces of a list: the start of each, its length, its repetitions in a row."""
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
    """Return how often the `period` names at `start` come in a row."""
    end = start + period
    while end < len(names) and names[end] == names[end - period]:
        end += 1
    return (end - start) // period


def boxes_around(clusters: Mapping[str, Cluster], box: str | None) -> Iterator[str]:
    """Yield a box and the boxes around it, from the inside out."""
    while box is not None:
        yield box
        box = clusters[box].parent


class Boxes:
    """The boxes of a graph, and which of them are open.

    own    the number of nodes in each box, inner boxes apart
    loose  the number of nodes in no box
    most   the number of visible nodes at which boxes stay closed; None opens all
    names  the boxes that are open at first, in place of `most`
    """

    def __init__(
        self,
        clusters: dict[str, Cluster],
        own: Mapping[str, int],
        loose: int,
        *,
        most: int | None = SEEN,
        names: Iterable[str] = (),
    ) -> None:
        self.clusters, self.own, self.loose, self.most = clusters, own, loose, most
        self.inside: dict[str | None, list[str]] = defaultdict(list)
        for each in clusters.values():
            self.inside[each.parent].append(each.id)
        self.size: dict[str, int] = {}
        for id in reversed(clusters):  # a box comes after the one that it is in
            self.size[id] = own.get(id, 0) + sum(self.size[child] for child in self.inside[id])
        self.opened = self.named(names) or self.to_be_opened()

    def named(self, names: Iterable[str]) -> set[str]:
        """Return the boxes with these names, and all boxes around them.

        Raises:
            ValueError: no box has the name.
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
        """Yield the box and the boxes around it, from the inside out."""
        yield from boxes_around(self.clusters, cluster)

    def to_be_opened(self, start: str | None = None) -> set[str]:
        """Return the boxes to open inside `start` (or in the whole graph)."""
        seen = self._direct(start)
        opened: set[str] = set()
        waiting = deque(self.inside[start])
        while waiting:
            cluster = waiting.popleft()
            more = self._direct(cluster) - 1
            room = SEEN if self.alone(cluster) else self.most
            if self.most is None or room is None or seen + more <= room:
                seen += more
                opened.add(cluster)
                waiting.extend(self.inside[cluster])
        return opened

    def alone(self, cluster: str) -> bool:
        """Whether this box holds all others of its level, such as the whole model or its only list.

        Closed, it would hide the model's structure.
        """
        parent = self.clusters[cluster].parent
        siblings, inside = self.inside[parent], self.inside[cluster]
        return len(siblings) == 1 and any(self.clusters[part].module for part in inside)

    def _direct(self, cluster: str | None) -> int:
        """Return the number of visible nodes in a box or the graph with inner boxes closed."""
        own = self.loose if cluster is None else self.own.get(cluster, 0)
        return own + len(self.inside[cluster])
