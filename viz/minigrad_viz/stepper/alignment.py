"""Which node of one pass is which of another, and which of their steps stand side by side.

Two programs, or one program twice, seldom leave graphs of which anybody could say at a glance what
is what. Certain are these cases: graphs that can be walked together from their roots to their
leaves, edge by edge, are alike, and every node has its partner. In others, what the same ways lead
to from the results, operations of the same name and the same line, belongs together as far as it is
so. The rest is put in the order in which it ran, which is that of the program, and those of the
same name and line belong together, if both graphs have equally many left. Where they have not,
steps are put side by side in their order, to be looked at, but which of three is the one that the
other graph lacks cannot be known: such nodes are `unsure`, and nothing is said about each.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from ..texts.sentences import word
from .payload import NodeData, Payload

Key = tuple[str, object]
"""What an operation is known by: its name, and its line, or its variable where no line is known."""

Row = tuple[int | None, int | None]
"""The steps that stand side by side, from 0; None where one of the two has none."""


class Way(NamedTuple):
    """Where an edge leads: to which node, and to which of its results."""

    target: str
    result: int | None


class Graph:
    """What the two graphs are compared by."""

    def __init__(self, payload: Payload) -> None:
        self.payload = payload
        self.nodes = {node["id"]: node for node in payload["nodes"]}
        self.ways: dict[str, dict[int, Way]] = defaultdict(dict)
        for edge in payload["edges"]:
            if edge["kind"] in ("root", "next", "leaf"):
                way = Way(edge["target"], edge.get("index"))
                self.ways[edge["source"]][edge.get("slot", 0)] = way
        self.roots = [node["id"] for node in payload["nodes"] if node["kind"] == "root"]
        self.leaves = {
            node["owner"]: node
            for node in payload["nodes"]
            if node["kind"] == "leaf" and "owner" in node
        }
        numbers = range(1, len(self.leaves) + 1)
        self.unnamed = {word(payload["language"], "leaf", number=n) for n in numbers}
        names = Counter(leaf["name"] for leaf in self.leaves.values())
        self.unnamed |= {name for name, count in names.items() if count > 1}
        self.functions = self._in_order()
        self.keys = {id: self._key(self.nodes[id]) for id in self.functions}
        self.counts = Counter(self.keys.values())

    def _in_order(self) -> list[str]:
        """The operations in the order in which they ran; then those that did not."""
        events = self.payload["events"]
        ran = (
            step["node"]
            for step in self.payload["steps"]
            if events[step["first"]]["kind"] not in ("seed", "forward")
        )
        everything = dict.fromkeys([*ran, *self.nodes])
        return [id for id in everything if self.nodes[id]["kind"] == "function"]

    def _key(self, node: NodeData) -> Key:
        line = node.get("line")
        if line is None:
            named, colon, _ = node["label"].partition("\n")[2].partition(": ")
            return node["name"], named if colon else ""
        return node["name"], (self.payload["files"][line["file"]]["name"], line["line"])

    def leaf_name(self, node: str) -> str | None:
        """What the reader calls the leaf of an AccumulateGrad, if that is the name of one alone."""
        leaf = self.leaves.get(node)
        return None if leaf is None or leaf["name"] in self.unnamed else leaf["name"]


class Alignment:
    """Of two passes.

    `partner` has, for a node of the first, that of the second, as far as it is known; `alike` says
    that the graphs are the same, operation for operation and edge for edge; `unsure` are the nodes
    of which it is not known, in the first and in the second; `rows` are the steps side by side.
    """

    def __init__(self, one: Payload, other: Payload) -> None:
        self.graphs = Graph(one), Graph(other)
        self.unsure: tuple[set[str], set[str]] = (set(), set())
        together = _walked_together(*self.graphs)
        self.alike = together is not None
        self.partner = self._by_order() if together is None else together
        self._add_saved()
        self.known = set(self.partner), set(self.partner.values())
        self.rows = list(self._rows())

    # --- Nodes

    def _by_order(self) -> dict[str, str]:
        one, other = self.graphs
        partner = dict(zip(one.roots, other.roots, strict=False))
        partner |= self._from_results()
        known = partner.keys(), set(partner.values())
        places: dict[Key, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
        for side, graph in enumerate(self.graphs):
            for id in graph.functions:
                if id not in known[side]:
                    places[graph.keys[id]][side].append(id)
        for some, others in places.values():
            if len(some) == len(others):
                partner |= zip(some, others, strict=True)
            elif some and others:
                self.unsure[0].update(some)
                self.unsure[1].update(others)
        self._add_leaves(partner)
        return partner

    def _from_results(self) -> dict[str, str]:
        """Operations to which the same ways lead from the results, if no other way says else."""
        one, other = self.graphs
        stack = list(zip(one.roots, other.roots, strict=False))
        met: dict[tuple[str, str], None] = {}
        while stack:
            some, others = stack.pop()
            ways, seconds = one.ways[some], other.ways[others]
            for slot in sorted(ways.keys() & seconds.keys()):
                pair = ways[slot].target, seconds[slot].target
                key = one.keys.get(pair[0])
                if key is None or key != other.keys.get(pair[1]) or pair in met:
                    continue
                met[pair] = None
                stack.append(pair)
            if len(met) > 4 * (len(one.nodes) + len(other.nodes)):
                return {}  # every node may be every other
        return _only(met)

    def _add_leaves(self, partner: dict[str, str]) -> None:
        """Leaves of the same name; and of those without one, what the same edges lead to."""
        one, other = self.graphs
        named = [
            {name: id for id in graph.leaves if (name := graph.leaf_name(id))}
            for graph in self.graphs
        ]
        for name, id in named[0].items():
            if name in named[1]:
                partner[id] = named[1][name]
        taken = set(partner.values())
        found: dict[tuple[str, str], None] = {}
        for some, others in partner.items():
            for slot, (target, _) in one.ways[some].items():
                second = other.ways[others].get(slot)
                if second is None or target in partner or second.target in taken:
                    continue
                if target in one.leaves and second.target in other.leaves:
                    names = one.leaf_name(target), other.leaf_name(second.target)
                    if None in names:
                        found[target, second.target] = None
        partner |= _only(found)
        taken = set(partner.values())
        rest = [
            [id for id in graph.leaves if id not in known]
            for graph, known in zip(self.graphs, (partner, taken), strict=True)
        ]
        nameless = (
            graph.leaf_name(id) is None
            for graph, leaves in zip(self.graphs, rest, strict=True)
            for id in leaves
        )  # fmt: skip
        if all(rest) and any(nameless):  # which may be any of the others
            for side, graph in enumerate(self.graphs):
                self.unsure[side].update(rest[side])
                self.unsure[side].update(graph.leaves[id]["id"] for id in rest[side])
        for some, others in [*partner.items()]:
            if some in one.leaves and others in other.leaves:
                partner[one.leaves[some]["id"]] = other.leaves[others]["id"]

    def _add_saved(self) -> None:
        """Saved tensors, by what their node calls them."""
        one, other = self.graphs
        there = {(node["owner"], attribute(node["name"])): node["id"] for node in _saved(other)}
        for node in _saved(one):
            found = there.get((self.partner.get(node["owner"], ""), attribute(node["name"])))
            if found is not None:
                self.partner[node["id"]] = found

    # --- Steps

    def _rows(self) -> Iterator[Row]:
        """The steps of both in their order, those that belong together side by side."""
        one, other = (list(self._turns(side)) for side in (0, 1))
        pairs = enumerate(zip(one, other, strict=False))
        same = next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
        yield from ((place, place) for place in range(same))
        matcher = SequenceMatcher(None, one[same:], other[same:], autojunk=False)
        for kind, *places in matcher.get_opcodes():
            i, end, j, last = (same + place for place in places)
            if kind == "equal" or end - i == last - j == 1:  # one stands in place of the other
                yield from zip(range(i, end), range(j, last), strict=True)
                continue
            yield from ((place, None) for place in range(i, end))
            yield from ((None, place) for place in range(j, last))

    def _turns(self, side: int) -> Iterator[object]:
        """What each step of a pass is known by: equal where two belong together."""
        graph = self.graphs[side]
        seen: Counter[object] = Counter()
        for step in graph.payload["steps"]:
            kind = graph.payload["events"][step["first"]]["kind"]
            node = step["node"]
            if kind != "seed" and node in self.unsure[side]:
                yield (kind, graph.keys.get(node))
                continue
            name: object = (side, node)
            if kind == "seed":
                name = "seed"
            elif node in self.known[side]:
                name = self.partner[node] if side == 0 else node
            seen[kind, name] += 1  # a node may run again
            yield (kind == "forward", name, seen[kind, name])


def _only(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The pairs of what is in no other pair."""
    kept = [*pairs]
    often = Counter(here for here, _ in kept), Counter(there for _, there in kept)
    return {here: there for here, there in kept if often[0][here] == often[1][there] == 1}


def attribute(name: str) -> str:
    """What its node calls a saved tensor, of which the variable's name stands behind it."""
    return name.partition(" = ")[0]


def _saved(graph: Graph) -> Sequence[NodeData]:
    return [n for n in graph.nodes.values() if n["kind"] == "saved" and "owner" in n]


def _walked_together(one: Graph, other: Graph) -> dict[str, str] | None:
    """The partner of each node, if the graphs are alike; else None."""
    if len(one.roots) != len(other.roots):
        return None
    partner: dict[str, str] = {}
    back: dict[str, str] = {}
    stack = list(zip(one.roots, other.roots, strict=True))
    while stack:
        some, others = stack.pop()
        if some in partner or others in back:
            if partner.get(some) != others or back.get(others) != some:
                return None
            continue
        partner[some], back[others] = others, some
        node, second = one.nodes[some], other.nodes[others]
        named = node["kind"] in ("function", "accumulate")
        if node["kind"] != second["kind"] or (named and node["name"] != second["name"]):
            return None
        ways, seconds = one.ways[some], other.ways[others]
        if ways.keys() != seconds.keys():
            return None
        for slot, way in ways.items():
            if way.result != seconds[slot].result:
                return None
            stack.append((way.target, seconds[slot].target))
    return partner
