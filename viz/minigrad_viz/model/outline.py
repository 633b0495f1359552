"""The outline of a graph that is too large to be read node by node, such as a million operations.

A node of the picture for each operation and each saved tensor would take minutes and gigabytes.
Here only the names of operations and their edges are read, as lists of numbers. boxes.py puts the
numbers into boxes, which never form a cycle. Only boxes, and operations and leaves in no closed
box, become nodes. Saved tensors are left out.

The result is a model like any other, but its boxes cannot be opened later: `opened` names the open
ones. Read graph_model.py and boxes.py first.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from sys import intern
from types import FrameType, MappingProxyType
from typing import TYPE_CHECKING, Any

from ..texts.language import Language
from .arrange import in_order
from .autograd_nodes import is_accumulate, node_name
from .boxes import SEEN, Arrangement, Boxes
from .frame_hints import made_at
from .graph_model import EVERYTHING, GraphModel, Walker, made_by_operations
from .module_calls import noted_module
from .modules import modules

if TYPE_CHECKING:
    from minigrad.autograd.events import Value

OUTLINED_FROM = 100_000
"""From this number of operations on, `draw` shows the outline."""


def outline(
    tensor: Any,
    *,
    names: object,
    frame: FrameType | None,
    who: str,
    language: Language,
    computed: Mapping[int, Sequence[Value | None]] = MappingProxyType({}),
    most: int = SEEN,
    opened: Iterable[str] = (),
) -> GraphModel:
    """Return the graph behind a tensor, of any size. Arguments are as for `walk` and `Boxes`."""
    with made_by_operations([tensor], names, frame, who) as (roots, known):
        walker = Walker(known, language, computed, EVERYTHING._replace(saved=False), who)
        return _Outline(roots[0], walker).model(most, opened)


class _Outline:
    """One reading of a graph in numbers.

    Operations have the numbers 0, 1, ... in the order of a depth-first walk, AccumulateGrad nodes
    -1, -2, ... They index a list with the operations first and the leaves at its end, backwards.
    """

    def __init__(self, root: Any, walker: Walker) -> None:
        self.root = root
        self.walker = walker
        self.operations: list[Any] = []
        self.accumulates: list[Any] = []
        self.names: list[str] = []  # of the operations
        self.numbers: dict[int, int] = {}  # by the identity of a node
        self.sources, self.targets = array("q"), array("q")  # the edges, in numbers
        self.read()

    def read(self) -> None:
        ends = array("Q")
        stack = [self.root.grad_fn]
        while stack:
            node = stack.pop()
            if id(node) in self.numbers:
                continue
            if is_accumulate(node):
                self.accumulates.append(node)
                self.numbers[id(node)] = -len(self.accumulates)
                continue
            number = self.numbers[id(node)] = len(self.operations)
            self.operations.append(node)
            self.names.append(intern(node_name(node)))
            inputs = [target for target, _ in node.next_functions if target is not None]
            for target in inputs:
                self.sources.append(number)
                ends.append(id(target))
            stack += reversed(inputs)
        self.targets.extend(map(self.numbers.__getitem__, ends))

    def in_order(self) -> Sequence[int]:
        """Return the operations, each before those that its edges lead to, the last made first."""
        made = [made_at(node, place) for place, node in enumerate(self.operations)]
        order = sorted(range(len(made)), key=made.__getitem__, reverse=True)
        place = array("q", order)
        for number, operation in enumerate(order):
            place[operation] = number
        edges = zip(self.sources, self.targets, strict=True)
        if all(target < 0 or place[source] < place[target] for source, target in edges):
            return order
        below: dict[int, list[int]] = {operation: [] for operation in order}  # several threads
        for source, target in zip(self.sources, self.targets, strict=True):
            if target >= 0:
                below[source].append(target)
        return in_order(order, below)

    def model(self, most: int, opened: Iterable[str]) -> GraphModel:
        """Return the visible nodes; boxes stay closed from `most` visible nodes on."""
        module_of = self.modules()
        arranged = Arrangement(self.in_order(), self.names.__getitem__, module_of.get)
        home = self.homes(arranged.home)
        loose = [leaf for leaf in range(-len(self.accumulates), 0) if home[leaf] is None]
        if len(loose) > SEEN:
            box = arranged.add(f"AccumulateGrad \u00d7 {len(loose):,}", None)
            for leaf in loose:
                home[leaf] = box
        nodes = [*home, *home[len(self.operations) :]]  # a leaf has another of its own
        own = Counter(filter(None, nodes))
        boxes = Boxes(arranged.clusters, own, len(nodes) - own.total(), most=most, names=opened)
        return self.seen(boxes, home, module_of)

    def modules(self) -> Mapping[int, str]:
        """Return the modules of the operations, from parameters' names or from a recording."""
        leaves = [self.walker.names.of(node.variable) or "" for node in self.accumulates[::-1]]
        noted: dict[int, str] = {}
        if self.walker.computed:
            for number, node in enumerate(self.operations):
                with suppress(KeyError):
                    noted[number] = self.walker.path_of(noted_module(node))
        if not noted and not any("." in name for name in leaves):
            return {}
        used: dict[int, list[str]] = {}
        below: dict[int, list[int]] = {number: [] for number in range(len(self.operations))}
        for source, target in zip(self.sources, self.targets, strict=True):
            if target < 0:
                used.setdefault(source, []).append(leaves[target])
            else:
                below[source].append(target)
        return modules(used, below, noted)

    def homes(self, arranged: dict[int, str]) -> list[str | None]:
        """Return the box of each operation, and of each leaf whose users share one."""
        found = [arranged.get(number) for number in range(len(self.operations))]
        found += [None] * len(self.accumulates)
        used: set[int] = set()
        for source, target in zip(self.sources, self.targets, strict=True):
            if target < 0:
                if target not in used:
                    found[target] = found[source]
                    used.add(target)
                elif found[target] != found[source]:
                    found[target] = None
        return found

    def seen(
        self, boxes: Boxes, home: Sequence[str | None], module_of: Mapping[int, str]
    ) -> GraphModel:
        """Return the visible nodes and the edges between them."""
        closed: dict[str | None, str | None] = {None: None}  # the outermost closed box around each
        for id_, cluster in boxes.clusters.items():
            closed[id_] = closed[cluster.parent] or (None if id_ in boxes.opened else id_)
        walker = self.walker
        root = walker.add_root(self.root, "result", 1)
        single: dict[int, str] = {}  # of what is in no closed box: number -> id in the model
        shown: dict[str, str] = {}  # the boxes
        places: list[str] = [""] * len(home)  # the id of the node that shows each number
        leaves = ((-place, node) for place, node in enumerate(self.accumulates, start=1))
        for number, node in chain(enumerate(self.operations), leaves):
            box = closed[home[number]]
            if box is None:
                single[number] = self.add(number, node, module_of)
            elif number < 0 and walker.names.of(node.variable) is None:
                walker.unnamed += 1  # leaves without a name are counted, also those in boxes
            if box is not None and box not in shown:
                name, size = boxes.clusters[box].name, f"{boxes.size[box]:,}"
                shown[box] = walker.add("cluster", name, number=size)
            places[number] = single[number] if box is None else shown[box]

        first = self.numbers[id(self.root.grad_fn)]
        which = {"index": int(self.root.output_nr)} if first in single else {}
        walker.join("root", root, places[first], **which)
        joined: set[tuple[str, str]] = set()
        for source, target in zip(self.sources, self.targets, strict=True):
            ends = places[source], places[target]
            if ends[0] != ends[1] and ends not in joined:
                joined.add(ends)
                if source not in single or target not in single:
                    walker.join("next", *ends)
        for number, made in single.items():
            edges = self.operations[number].next_functions if number >= 0 else ()
            for slot, (target, index) in enumerate(edges):
                end = None if target is None else self.numbers[id(target)]
                if end in single:
                    walker.join("next", made, single[end], slot=slot, index=int(index))
        walker.join_leaves()
        return GraphModel(tuple(walker.nodes), tuple(walker.edges))

    def add(self, number: int, node: Any, module_of: Mapping[int, str]) -> str:
        """Add a node for an operation or a leaf in no closed box."""
        if number < 0:
            return self.walker.add_leaf(node)
        made = self.walker.add_function(node, node.next_functions)
        self.walker.set_module(made, module_of.get(number))
        return made
