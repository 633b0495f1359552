"""Frames: nested groups of operations that a picture can close, and that never form a cycle.

Hints (frame_hints.py) say which operations belong together: those of one module's call, of one
function's call, of one iteration, of one line. A hint is a proposal. `x + f(x)` with the addition
inside a frame and `f` outside of it would make an arrow into the frame and out of it again, and
closed frames would form a cycle. So a frame here is a stretch that can run as one:

- Within a frame, the proposed groups are contracted one after the other.
- Each node of a group gets a number: how often a path from the graph's roots has left the group
  and entered it again on its way to the node. Nodes with the same number form one frame: no path
  leaves it and returns. Nodes with a larger number are not before those with a smaller one.

Where a frame still has too many parts, repeated operations form frames, and then consecutive
pieces of an order in which the nodes can run, which never form a cycle.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush
from typing import Literal, NamedTuple, TypeVar

from .boxes import REPEATED, runs

Key = TypeVar("Key", bound=Hashable)

FrameKind = Literal["module", "function", "loop", "iteration", "line", "repeat", "part"]

MOST_PARTS = 12
"""A frame has at most this many parts where no hint makes it larger."""

MOST_WORK = 4_000_000
"""Steps in which groups that form a cycle are taken apart; after them, they are given up."""


TELLS: dict[FrameKind, int] = {"module": 3, "iteration": 2, "function": 1, "loop": 1}
"""Which name says more, of a frame and the only one in it."""


class Hint(NamedTuple):
    """A proposal: operations with the same `key` inside the same frame belong together."""

    kind: FrameKind
    name: str
    key: Hashable


@dataclass(slots=True)
class Frame:
    """A group of operations. `parent` is the id of the frame around it, None outside of all."""

    id: str
    kind: FrameKind
    name: str
    parent: str | None


@dataclass(slots=True)
class Arrangement:
    """The frames, each after its parent, and the innermost frame of each node that is in one."""

    frames: list[Frame] = field(default_factory=list)
    home: dict[str, str] = field(default_factory=dict)

    def named(self) -> Arrangement:
        """Return the frames of modules, functions, loops and iterations alone."""
        nearest: dict[str | None, str | None] = {None: None}  # such a frame around each
        kept = []
        for frame in self.frames:
            nearest[frame.id] = around = nearest[frame.parent]
            if frame.kind in TELLS:
                nearest[frame.id] = frame.id
                kept.append(replace(frame, parent=around))
        homes = ((node, nearest[frame]) for node, frame in self.home.items())
        return Arrangement(kept, {node: frame for node, frame in homes if frame is not None})


def arrange(
    order: Sequence[str],
    below: Mapping[str, Sequence[str]],
    hints: Mapping[str, Sequence[Hint]],
    names: Mapping[str, str],
) -> Arrangement:
    """Put the nodes of an acyclic graph into frames.

    Args:
        order: the nodes; of two nodes that may run in either order, the earlier one is first.
        below: the nodes that a node's edges lead to.
        hints: the proposed frames around a node, from the outside in.
        names: what a node computes, to find repetitions.

    >>> hints = {node: [Hint("line", "y = f(x)", 1)] for node in "ab"}
    >>> made = arrange("abc", {"a": "b", "b": "c"}, hints, {})
    >>> [frame.name for frame in made.frames], made.home
    (['y = f(x)'], {'a': 'f0', 'b': 'f0'})
    """
    return _Arranging(order, below, hints, names).run()


class _Arranging:
    def __init__(
        self,
        order: Sequence[str],
        below: Mapping[str, Sequence[str]],
        hints: Mapping[str, Sequence[Hint]],
        names: Mapping[str, str],
    ) -> None:
        known = set(order)
        self.below = {node: [n for n in below.get(node, ()) if n in known] for node in order}
        self.hints, self.names = hints, names
        self.order = in_order(order, self.below)
        self.made = Arrangement()

    def run(self) -> Arrangement:
        waiting: list[tuple[list[str], int, str | None]] = [(self.order, 0, None)]
        while waiting:
            nodes, depth, parent = waiting.pop()
            parts = self.split(nodes, depth)
            if parent is None or len(parts) > 1:
                waiting += self.place(parts, depth, parent)
            else:  # a frame with one frame in it says no more than the inner one
                (hint, inside), *_ = parts
                self.rename(parent, hint)
                waiting.append((inside, depth + 1, parent))
        return self.made

    def place(
        self, parts: list[tuple[Hint | None, list[str]]], depth: int, parent: str | None
    ) -> Iterator[tuple[list[str], int, str | None]]:
        """Make a frame of each part of several nodes; yield those whose insides are left."""
        whole = parent is None and len(parts) == 1
        for home, piece in self.grouped(parts, parent):
            for hint, inside in piece:
                if hint is None or len(inside) == 1:
                    if home is not None:
                        self.made.home.update(dict.fromkeys(inside, home))
                elif whole:  # a frame around everything hides everything
                    yield inside, depth + 1, None
                else:
                    yield inside, depth + 1, self.add(hint, home)

    def add(self, hint: Hint, parent: str | None) -> str:
        frame = Frame(f"f{len(self.made.frames)}", hint.kind, hint.name, parent)
        self.made.frames.append(frame)
        return frame.id

    def rename(self, id: str, hint: Hint | None) -> None:
        """Give a frame the name of the only one in it, if that says more."""
        frame = self.made.frames[int(id[1:])]
        if (
            hint is not None
            and TELLS.get(hint.kind, 0) >= TELLS.get(frame.kind, 0)
            and TELLS.get(hint.kind)
        ):
            frame.kind, frame.name = hint.kind, hint.name

    # --- Groups within a frame

    def split(self, nodes: list[str], depth: int) -> list[tuple[Hint | None, list[str]]]:
        """Return the parts of a frame, in the order in which they can run."""
        group: dict[str, Hint] = {}
        for node in nodes:
            path = self.hints.get(node, ())
            if depth < len(path):
                group[node] = path[depth]
        part = self.acyclic(nodes, group)
        members: dict[Hashable, list[str]] = defaultdict(list)
        for node in nodes:
            members[part.get(node, node)].append(node)
        if len(members) == 1:
            (inside,) = members.values()
            return [(group.get(inside[0]), inside)]
        place = {node: key for key, inside in members.items() for node in inside}
        first = {key: number for number, key in enumerate(members)}
        edges: dict[int, list[int]] = {number: [] for number in first.values()}
        for node in nodes:
            for other in self.below[node]:
                if other in place and place[other] != place[node]:
                    edges[first[place[node]]].append(first[place[other]])
        inside_of = list(members.values())
        return [
            (group.get(inside_of[n][0]) if len(inside_of[n]) > 1 else None, inside_of[n])
            for n in in_order(list(edges), edges)
        ]

    def acyclic(self, nodes: list[str], group: dict[str, Hint]) -> dict[str, Hashable]:
        """Return the part of each node in a group: its hint, and a number where it was split."""
        part: dict[str, Hashable] = {node: hint.key for node, hint in group.items()}
        keys = {hint.key for hint in group.values()}
        own = {node: ("node", node) for node in nodes}
        tangled = self.tangled(nodes, {node: part.get(node, own[node]) for node in nodes})
        place: dict[str, Hashable] = {
            node: own[node] if part.get(node) in tangled else part.get(node, own[node])
            for node in nodes
        }
        work = 0
        for key in sorted((k for k in tangled if k in keys), key=lambda k: str(k)):
            work += len(nodes)
            entries = self.entries(nodes, place, part, key) if work <= MOST_WORK else {}
            for node in nodes:
                if part.get(node) == key:
                    if node in entries:
                        place[node] = part[node] = (key, entries[node])
                    else:
                        del part[node]
        return part

    def tangled(self, nodes: list[str], place: dict[str, Hashable]) -> set[Hashable]:
        """Return the places that form cycles when each is one node."""
        after: dict[Hashable, set[Hashable]] = {place[node]: set() for node in nodes}
        for node in nodes:
            for other in self.below[node]:
                if other in place and place[other] != place[node]:
                    after[place[node]].add(place[other])
        return in_cycles(after)

    def entries(
        self,
        nodes: list[str],
        place: dict[str, Hashable],
        part: dict[str, Hashable],
        key: Hashable,
    ) -> dict[str, int]:
        """Return how often a path has left and entered the group `key` on its way to each node.

        The places contracted so far count as one node each.
        """
        after: dict[Hashable, list[Hashable]] = {place[node]: [] for node in nodes}
        inside: set[Hashable] = {place[node] for node in nodes if part.get(node) == key}
        for node in nodes:
            for other in self.below[node]:
                if other in place and place[other] != place[node]:
                    after[place[node]].append(place[other])
        count = dict.fromkeys(after, 0)
        left: dict[Hashable, int] = dict.fromkeys(after, -1)
        for each in in_order(list(after), after):
            if each in inside:
                count[each] = max(count[each], left[each] + 1)
            for next_place in after[each]:
                if each in inside:
                    if next_place in inside:
                        count[next_place] = max(count[next_place], count[each])
                    else:
                        left[next_place] = max(left[next_place], count[each])
                else:
                    left[next_place] = max(left[next_place], left[each])
        return {node: count[place[node]] for node in nodes if part.get(node) == key}

    # --- Repetitions and pieces

    def grouped(
        self, parts: list[tuple[Hint | None, list[str]]], parent: str | None
    ) -> Iterator[tuple[str | None, list[tuple[Hint | None, list[str]]]]]:
        """Yield parts with the frame that they are in: repetitions and pieces get frames."""
        if len(parts) <= MOST_PARTS:
            yield parent, parts
            return
        texts = [hint.name if hint else self.names.get(nodes[0], "") for hint, nodes in parts]
        pieces: list[tuple[str | None, list[tuple[Hint | None, list[str]]]]] = []
        alone: list[tuple[Hint | None, list[str]]] = []
        found = list(runs(texts))
        repeats = [count for _, _, count in found if count >= REPEATED]
        for start, period, count in found if len(repeats) <= MOST_PARTS else []:
            stretch = parts[start : start + period * count]
            if count < REPEATED or len(stretch) == len(parts):
                alone += stretch
                continue
            name = ", ".join(_plain(text) for text in texts[start : start + period])
            pieces += self.cut(alone, parent) if len(alone) > MOST_PARTS else [(parent, alone)]
            alone = []
            home = self.add(Hint("repeat", f"{name} \u00d7 {count:,}", start), parent)
            pieces += self.cut(stretch, home, period)
        if not pieces:
            alone = parts
        pieces += self.cut(alone, parent) if len(alone) > MOST_PARTS else [(parent, alone)]
        yield from pieces

    def cut(
        self, parts: list[tuple[Hint | None, list[str]]], home: str | None, period: int = 1
    ) -> Iterator[tuple[str | None, list[tuple[Hint | None, list[str]]]]]:
        """Cut parts into consecutive pieces, and long pieces again; yield each with its frame."""
        waiting = [(0, len(parts), home)]
        while waiting:
            start, end, frame = waiting.pop()
            if end - start <= MOST_PARTS:
                yield frame, parts[start:end]
                continue
            size = max(MOST_PARTS // 2 // period, 1) * period
            if size >= end - start:  # one repetition alone has too many parts
                size = MOST_PARTS // 2
            while size * (MOST_PARTS // 2) < end - start:
                size *= MOST_PARTS // 2
            for place in range(start, end, size):
                last = min(place + size, end)
                if last - place == 1:
                    yield frame, parts[place:last]
                    continue
                name = f"{place // period + 1:,}\u2013{(last - 1) // period + 1:,}"
                waiting.append((place, last, self.add(Hint("part", name, place), frame)))


def _plain(name: str) -> str:
    return name.partition("Backward")[0]


def in_order(nodes: Sequence[Key], below: Mapping[Key, Sequence[Key]]) -> list[Key]:
    """Return the nodes so that each is before those below it, else as they were."""
    number = {node: place for place, node in enumerate(nodes)}
    waiting = dict.fromkeys(nodes, 0)
    for node in nodes:
        for other in below[node]:
            waiting[other] += 1
    ready = [number[node] for node in nodes if waiting[node] == 0]
    heapify(ready)
    found = []
    while ready:
        node = nodes[heappop(ready)]
        found.append(node)
        for other in below[node]:
            waiting[other] -= 1
            if waiting[other] == 0:
                heappush(ready, number[other])
    return found


def in_cycles(after: Mapping[Hashable, set[Hashable]]) -> set[Hashable]:
    """Return the nodes that lie on a cycle (Tarjan's algorithm, without recursion)."""
    index: dict[Hashable, int] = {}
    low: dict[Hashable, int] = {}
    stack: list[Hashable] = []
    open_nodes: set[Hashable] = set()
    found: set[Hashable] = set()
    for start in after:
        if start in index:
            continue
        calls = [(start, iter(after[start]))]
        index[start] = low[start] = len(index)
        stack.append(start)
        open_nodes.add(start)
        while calls:
            node, rest = calls[-1]
            other = next(rest, None)
            if other is None:
                calls.pop()
                if calls:
                    low[calls[-1][0]] = min(low[calls[-1][0]], low[node])
                if low[node] == index[node]:
                    ring: list[Hashable] = []
                    while not ring or ring[-1] != node:
                        ring.append(stack.pop())
                    open_nodes.difference_update(ring)
                    if len(ring) > 1:
                        found.update(ring)
            elif other not in index:
                index[other] = low[other] = len(index)
                stack.append(other)
                open_nodes.add(other)
                calls.append((other, iter(after[other])))
            elif other in open_nodes:
                low[node] = min(low[node], index[other])
    return found
