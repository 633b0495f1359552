"""Pair the nodes of two passes, and put their steps side by side.

Graphs are alike if they can be walked together from roots to leaves, edge by edge: then every node
has a partner. Otherwise partners are found in two ways:

1. Operations of the same name and line to which the same paths lead from the results.
2. The other operations in the order in which they ran, paired by name and line, if both graphs have
   equally many of them.

If their numbers differ, it is unknown which operation the other graph lacks. Such nodes are
`unsure`: their steps are shown side by side, and no difference is reported.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from ..texts.sentences import word
from .payload import NodeData, Payload

Key = tuple[str, object]
"""Identifies an operation: its name, and its line, or its variable if no line is known."""

Row = tuple[int | None, int | None]
"""Indices of two steps side by side; None if a pass has none."""


class End(NamedTuple):
    """The end of an edge: a node, and the index of its result."""

    target: str
    result: int | None


class Graph:
    """A graph with the properties that are compared."""

    def __init__(self, payload: Payload) -> None:
        self.payload = payload
        self.nodes = {node["id"]: node for node in payload["nodes"]}
        self.ends: dict[str, dict[int, End]] = defaultdict(dict)
        for edge in payload["edges"]:
            if edge["kind"] in ("root", "next", "leaf"):
                end = End(edge["target"], edge.get("index"))
                self.ends[edge["source"]][edge.get("slot", 0)] = end
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
        self.functions = self._sort_functions()
        self.keys = {id: self._key(self.nodes[id]) for id in self.functions}
        self.counts = Counter(self.keys.values())

    def _sort_functions(self) -> list[str]:
        """Return the operations in the order in which they ran; then those that did not run."""
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
        """The name of an AccumulateGrad's leaf, if no other leaf has that name."""
        leaf = self.leaves.get(node)
        return None if leaf is None or leaf["name"] in self.unnamed else leaf["name"]


class Alignment:
    """The partners and rows of two passes.

    partner  the known partners: a node of the first graph, and its node of the second
    alike    whether the graphs are the same, operation for operation and edge for edge
    unsure   the nodes of each graph whose partners are unknown
    known    the nodes of each graph that have partners
    rows     the steps side by side
    """

    def __init__(self, one: Payload, other: Payload) -> None:
        self.graphs = Graph(one), Graph(other)
        self.unsure: tuple[set[str], set[str]] = (set(), set())
        partner = _walk_together(*self.graphs)
        self.alike = partner is not None
        self.partner = self._pair_by_order() if partner is None else partner
        self._add_saved()
        self.known = set(self.partner), set(self.partner.values())
        self.rows = list(self._pair_steps())

    # --- Nodes

    def _pair_by_order(self) -> dict[str, str]:
        one, other = self.graphs
        partner = dict(zip(one.roots, other.roots, strict=False))
        partner |= self._pair_from_results()
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

    def _pair_from_results(self) -> dict[str, str]:
        """Pair operations to which the same paths lead, if no path contradicts it."""
        one, other = self.graphs
        stack = list(zip(one.roots, other.roots, strict=False))
        met: dict[tuple[str, str], None] = {}
        while stack:
            some, others = stack.pop()
            ends, seconds = one.ends[some], other.ends[others]
            for slot in sorted(ends.keys() & seconds.keys()):
                pair = ends[slot].target, seconds[slot].target
                key = one.keys.get(pair[0])
                if key is None or key != other.keys.get(pair[1]) or pair in met:
                    continue
                met[pair] = None
                stack.append(pair)
            if len(met) > 4 * (len(one.nodes) + len(other.nodes)):
                return {}  # nearly every node is paired with every other
        return _unique_pairs(met)

    def _add_leaves(self, partner: dict[str, str]) -> None:
        """Pair leaves of the same name, and leaves without names to which the same edges lead."""
        one, other = self.graphs
        named = [
            {name: id for id in graph.leaves if (name := graph.leaf_name(id))}
            for graph in self.graphs
        ]
        for name, id in named[0].items():
            if name in named[1]:
                partner[id] = named[1][name]
        taken = set(partner.values())
        pairs: dict[tuple[str, str], None] = {}
        for some, others in partner.items():
            for slot, (target, _) in one.ends[some].items():
                second = other.ends[others].get(slot)
                if second is None or target in partner or second.target in taken:
                    continue
                if target in one.leaves and second.target in other.leaves:
                    names = one.leaf_name(target), other.leaf_name(second.target)
                    if None in names:
                        pairs[target, second.target] = None
        partner |= _unique_pairs(pairs)
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
        if all(rest) and any(nameless):  # a leaf without a name may be any of the others
            for side, graph in enumerate(self.graphs):
                self.unsure[side].update(rest[side])
                self.unsure[side].update(graph.leaves[id]["id"] for id in rest[side])
        for some, others in [*partner.items()]:
            if some in one.leaves and others in other.leaves:
                partner[one.leaves[some]["id"]] = other.leaves[others]["id"]

    def _add_saved(self) -> None:
        """Pair saved tensors by their node and their name in it."""
        one, other = self.graphs
        there = {
            (node["owner"], attribute(node["name"])): node["id"] for node in _saved_nodes(other)
        }
        for node in _saved_nodes(one):
            second = there.get((self.partner.get(node["owner"], ""), attribute(node["name"])))
            if second is not None:
                self.partner[node["id"]] = second

    # --- Steps

    def _pair_steps(self) -> Iterator[Row]:
        """Yield the steps of both passes in order, partners side by side."""
        one, other = (list(self._step_keys(side)) for side in (0, 1))
        pairs = enumerate(zip(one, other, strict=False))
        same = next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
        yield from ((place, place) for place in range(same))
        matcher = SequenceMatcher(None, one[same:], other[same:], autojunk=False)
        for kind, *places in matcher.get_opcodes():
            i, end, j, last = (same + place for place in places)
            if kind == "equal" or end - i == last - j == 1:  # one step replaces another
                yield from zip(range(i, end), range(j, last), strict=True)
                continue
            yield from ((place, None) for place in range(i, end))
            yield from ((None, place) for place in range(j, last))

    def _step_keys(self, side: int) -> Iterator[object]:
        """Yield a key for each step of a pass; the keys of partners are equal."""
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


def _unique_pairs(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the pairs whose nodes are in no other pair."""
    listed = [*pairs]
    often = Counter(here for here, _ in listed), Counter(there for _, there in listed)
    return {here: there for here, there in listed if often[0][here] == often[1][there] == 1}


def attribute(name: str) -> str:
    """The attribute of its node from the name of a saved tensor, "self = x"."""
    return name.partition(" = ")[0]


def _saved_nodes(graph: Graph) -> Sequence[NodeData]:
    return [n for n in graph.nodes.values() if n["kind"] == "saved" and "owner" in n]


def _walk_together(one: Graph, other: Graph) -> dict[str, str] | None:
    """Return the partner of each node, or None if the graphs differ."""
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
        ends, seconds = one.ends[some], other.ends[others]
        if ends.keys() != seconds.keys():
            return None
        for slot, end in ends.items():
            if end.result != seconds[slot].result:
                return None
            stack.append((end.target, seconds[slot].target))
    return partner
