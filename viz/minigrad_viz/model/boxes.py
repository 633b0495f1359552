"""Boxes: groups of operations that a picture can close, and which of them are open at first.

folding.py makes boxes of the stepper's frames. An outline (outline.py), of a graph too large to be
read node by node, knows names alone. This file puts its operations into boxes. Consecutive ones of
one module form a box (modules.py finds the modules). So do the same operations in a row, as a loop
makes them; many repetitions form boxes in boxes, each small enough to look at. A graph with neither
is cut into pieces, so every graph can be drawn.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, NamedTuple, TypeVar

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


class Module(NamedTuple, Generic[Key]):
    """Consecutive operations of one module."""

    scope: Scope
    inside: tuple[Key, ...]


class Arrangement(Generic[Key]):
    """Puts operations into boxes, each of which is a stretch that can run as one.

    The operations come in an order in which they can run, and a box holds consecutive ones. So no
    arrow leads out of a box and into it again, and closed boxes never form a cycle. A module that
    runs several times has a box for each stretch.

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
        self.module_of = module_of
        modules = {module_of(operation) for operation in operations}
        self.scopes = {each: tuple(each.split(".")) if each else () for each in modules}
        self.waiting: list[tuple[Sequence[Key], int, str | None]] = [(operations, 0, None)]
        while self.waiting:
            inside, depth, box = self.waiting.pop()
            self.arrange(list(self.parts(inside, depth)), box)

    def add(self, name: str, parent: str | None, *, module: bool = False) -> str:
        """Add a box; return its id."""
        id = f"c{len(self.clusters)}"
        self.clusters[id] = Cluster(id, name, parent, module)
        return id

    def scope_of(self, operation: Key) -> Scope:
        return self.scopes[self.module_of(operation)]

    def parts(self, operations: Sequence[Key], depth: int) -> Iterator[Key | Module[Key]]:
        """Yield the parts of a box: inner modules, and operations that are in none."""
        modules = groupby(operations, key=lambda operation: self.scope_of(operation)[: depth + 1])
        for scope, stretch in modules:
            if len(scope) > depth:
                inside = tuple(stretch)
                yield Module(common_scope({self.scope_of(each) for each in inside}), inside)
            else:
                yield from stretch

    def arrange(self, parts: Sequence[Key | Module[Key]], home: str | None) -> None:
        """Put the parts of a box into it, and repetitions into inner boxes."""
        names = [
            ".".join(part.scope) if isinstance(part, Module) else self.name_of(part)
            for part in parts
        ]
        stretches: list[list[Key | Module[Key]]] = [[]]  # before, between and after repetitions
        repeated: list[tuple[int, int, int]] = []
        for start, period, count in runs(names):
            if count < REPEATED:
                stretches[-1] += parts[start : start + period * count]
            else:
                repeated.append((start, period, count))
                stretches.append([])
        many = len(repeated) > SEEN  # too many boxes to look at
        if many:
            stretches, repeated = [list(parts)], []
        for start, period, count in repeated:
            ends = range(start + period, start + period * count + 1, period)
            blocks = [parts[end - period : end] for end in ends]
            steps = ", ".join(name.partition("Backward")[0] for name in names[start:][:period])
            self.split(blocks, self.add(f"{steps} \u00d7 {count:,}", home), steps)
        many = many or sum(map(len, stretches)) > SEEN
        for stretch in stretches:
            if many and len(stretch) > INSIDE:
                self.split([(part,) for part in stretch], home, "part")
            else:
                self.put(stretch, home)

    def put(self, parts: Iterable[Key | Module[Key]], home: str | None) -> None:
        """Put parts into a box, modules as boxes of their own, whose insides are arranged later."""
        for part in parts:
            if isinstance(part, Module):
                inner = self.add(".".join(part.scope), home, module=True)
                self.waiting.append((part.inside, len(part.scope), inner))
            elif home is not None:
                self.home[part] = home

    def split(
        self, blocks: Sequence[Sequence[Key | Module[Key]]], home: str | None, name: str
    ) -> None:
        """Put blocks into a box: directly if they are few, else in boxes named by their numbers."""
        pending = [(0, len(blocks), home)]
        while pending:
            start, end, cluster = pending.pop()
            if end - start <= INSIDE and cluster is not None:
                for block in blocks[start:end]:
                    self.put(block, cluster)
                continue
            size = INSIDE
            while size * INSIDE < end - start:
                size *= INSIDE
            for place in range(start, end, size):
                last = min(place + size, end)
                part = self.add(f"{name} {place + 1:,}\u2013{last:,}", cluster)
                pending.append((place, last, part))


def common_scope(scopes: Collection[Scope]) -> Scope:
    """Return the innermost module around several."""
    first, last = min(scopes), max(scopes)
    pairs = enumerate(zip(first, last, strict=False))
    return first[: next((place for place, (one, other) in pairs if one != other), len(first))]


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
