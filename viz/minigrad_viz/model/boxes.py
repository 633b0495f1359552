"""Boxes: what belongs together in a large graph, and which boxes are open at first.

Two things belong together. What a module computes (modules.py says how that is known). And what
repeats: the same operations again and again, as a loop leaves them; many repetitions form
boxes in boxes, none with more inside than a person can look at. A graph that shows neither is cut
into pieces in its own order, so that every graph can be drawn.

Only the names of operations and of their modules are looked at, so that a graph of a million
operations can be put into boxes before anything else is made of it (outline.py). Smaller ones are
read first and folded then (folding.py).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from .modules import Scope

FOLDED_FROM = 1_500
"""Graphs of more nodes than this are folded unless the reader says otherwise."""

SEEN = 100
"""Boxes are opened from outside in as long as no more nodes than this are seen."""

INSIDE = 30
"""How many parts a box made of repetitions has, at most."""

LONGEST_PERIOD = 24
REPEATED = 4
"""What comes at least so often in a row counts as repeated."""

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Cluster:
    """A box: what belongs together."""

    id: str
    name: str
    parent: str | None
    module: bool = True
    """Or is it what repeats?"""


class Arrangement(Generic[Key]):
    """Puts operations, which come in the order of the graph, into boxes.

    `clusters` are the boxes, each after the one that it is in; `home` says in which an operation
    is, if it is in any.
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
        """A new box."""
        id = f"c{len(self.clusters)}"
        self.clusters[id] = Cluster(id, name, parent, module)
        return id

    def arrange(self, operations: Sequence[Key], parent: str | None) -> None:
        """Put the operations of one module into it, repetitions in boxes of their own."""
        names = [self.name_of(operation) for operation in operations]
        alone: list[Sequence[Key]] = []
        repeated: list[tuple[int, int, int]] = []
        for start, period, count in runs(names):
            if count < REPEATED:
                alone += ((each,) for each in operations[start : start + period * count])
            else:
                repeated.append((start, period, count))
        many = len(repeated) > SEEN  # a box for each would be more than can be looked at
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
        """Put blocks into a box: as they are if they are few, else in boxes of their own,
        called by `name` and their numbers.
        """
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


class Boxes:
    """The boxes of a graph, and which of them are open.

    `own` is how much each has inside besides boxes, `loose` how much is in none. `most` is how much
    may be seen before boxes stay closed; `names` are those of the boxes that are open at first, in
    place of so many.
    """

    def __init__(
        self,
        clusters: dict[str, Cluster],
        own: Mapping[str, int],
        loose: int,
        *,
        most: int = SEEN,
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
        """The boxes with these names, and all that they are in. ValueError for a name that no
        box has.
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
        """The box, and those that it is in, from inside out."""
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
        """How much is seen of a box, or of the whole, if nothing inside is open."""
        own = self.loose if cluster is None else self.own.get(cluster, 0)
        return own + len(self.inside[cluster])
