"""Forward mode and the backward pass of one program, side by side.

A tangent is how fast a value moves when the inputs move. A gradient is how much the result moves
with the value. The sum of their products over a cut through the graph is how fast the result moves.
It is the same for every cut: a node's tangent is J times those of its inputs, their gradients are J
transposed times its own, and g (J t) = (g J) t.

So a graph is cut in layers. The result is in the first layer, its operands are below it, and the
inputs that move are in the last; each edge goes down. A cut between two layers separates the result
from the inputs.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import ModuleType
from typing import Any, NamedTuple

from minigrad.autograd.events import Value

from ..model.either_library import outside_modes
from ..model.graph_model import NOTHING_SAVED, Edge, GraphModel, Node, Walk, walk
from ..model.names import is_tensor
from ..model.values import dense, value_of
from ..texts.language import Language
from .tangents import Moving, Ran, run_forward, tangents_through

ROUNDING = 1000
"""Two sums are equal if they differ by at most this many roundings of their largest part."""

ROUNDINGS = 30
"""Differences up to this many roundings are usual, and not shown."""


Crossing = tuple[float | None, float]
"""The sum of tangent times gradient, and the sum of the absolute values of its terms."""


class Place(NamedTuple):
    """A node of the graph with its values, tangents and gradients, one for each of its results.

    A tangent is None if the value does not move, a gradient if none arrived, a value if it was not
    recorded. `product` is the sum of their products, None if it is not known.
    """

    node: Node
    layer: int
    values: tuple[Value | None, ...]
    tangents: tuple[Value | None, ...]
    gradients: tuple[Value | None, ...]
    product: float | None


class Term(NamedTuple):
    """The contribution of an edge to a cut that it crosses."""

    source: str
    target: str
    product: float | None


class Cut(NamedTuple):
    """A cut below a layer, its terms, and their sum; None if that is not known."""

    layer: int
    terms: tuple[Term, ...]
    total: float | None


class Count(NamedTuple):
    """The cost of the whole derivative in one of the modes: passes, and operations in total."""

    passes: int
    operations: int


@dataclass(frozen=True, slots=True)
class Balance:
    """The two modes of one program, as plain data.

    derivative  how fast the result moves, by forward mode; None if that is not known
    inputs      the number of elements of the inputs, which can move
    outputs     the number of elements of the result
    rounding    the largest difference of equal sums
    parted      ids of the nodes where the modes disagree: the sums before and after them differ
    unseen      ids of the nodes whose tangent is not known
    """

    model: GraphModel
    places: tuple[Place, ...]
    cuts: tuple[Cut, ...]
    derivative: float | None
    inputs: int
    outputs: int
    forward: Count
    reverse: Count
    rounding: float
    parted: tuple[str, ...]
    unseen: tuple[str, ...]


class Question(NamedTuple):
    """A program with tangents, to run forwards and backwards.

    arguments  of `function`, by name
    tangents   of arguments, by their positions
    gradient   where the backward pass begins; None for 1
    """

    function: Callable[..., Any]
    arguments: Mapping[str, Any]
    tangents: Mapping[int, Any]
    gradient: Any
    library: ModuleType


def balance(
    program: Question,
    *,
    others: Mapping[str, Any],
    name: str,
    check: Callable[[Any], None],
    language: Language,
) -> Balance:
    """Run the program once with its tangents, and then its backward pass.

    others  names of other tensors in the graph
    name    of the result, unless the function has a variable for it
    check   raises for a result that will not do
    """
    function, arguments, tangents, gradient, library = program
    ran, given = run_forward(function, list(arguments.values()), tangents, library)
    with outside_modes():
        check(ran.result)
    inputs = {k: v for k, v in zip(arguments, given, strict=True) if is_tensor(v)}
    named: dict[str, Any] = {}
    for names in (inputs, ran.variables, {name: ran.result}, others):
        named |= {k: v for k, v in names.items() if k not in named}
    graph = walk(
        ran.result, names=named, detail=NOTHING_SAVED, who="forward_and_backward", language=language
    )
    moved = {id(given[place]): tangent for place, tangent in tangents.items()}
    with outside_modes():
        floating = [each for each in inputs.values() if each.is_floating_point()]
        reading = _Reading(graph, ran, floating, moved, gradient, library)
    reading.run_backward()
    with outside_modes():
        return reading.balance()


class _Reading:
    """One program: the part of its graph that depends on the inputs, with both modes' values."""

    def __init__(
        self,
        graph: Walk,
        ran: Ran,
        inputs: Sequence[Any],
        moved: Mapping[int, Any],
        gradient: Any,
        library: ModuleType,
    ) -> None:
        self.graph, self.ran, self.library = graph, ran, library
        self.inputs, self.moved = inputs, moved
        self.nodes = {node.id: node for node in graph.model.nodes}
        self.root = graph.model.root.id
        self.edges = self.edges_to_inputs()
        self.below: dict[str, list[Edge]] = {}
        self.above: dict[str, list[Edge]] = defaultdict(list)
        for edge in self.edges:
            self.below.setdefault(edge.source, []).append(edge)
            self.above[edge.target].append(edge)
        self.order = _sorted(self.root, self.below)
        self.seed = library.ones_like(ran.result) if gradient is None else gradient
        self.gradients: dict[str, list[Any]] = {self.root: [self.seed]}
        self.handed: dict[str, list[Any]] = {self.root: [self.seed]}
        self.tangents, self.unknown = self.forward()

    def edges_to_inputs(self) -> list[Edge]:
        """Return the edges of all nodes that depend on an input; ValueError if there are none.

        Other operands of these nodes are shown, but not the graphs behind them.
        """
        leaf_of = {node.owner: node.id for node in self.nodes.values() if node.kind == "leaf"}
        edges = [
            replace(edge, target=leaf_of.get(edge.target, edge.target))
            for edge in self.graph.model.edges
            if edge.kind in ("root", "next")
        ]
        users: dict[str, list[str]] = defaultdict(list)
        for edge in edges:
            users[edge.target].append(edge.source)
        self.users = {id(one): self.reached(one, users) for one in self.inputs}
        depend = set().union(*self.users.values())
        if self.root not in depend:
            raise ValueError(
                "forward_and_backward() found no way from the result back to an input: it does not "
                "depend on any, or was computed under no_grad"
            )
        return [edge for edge in edges if edge.source in depend]

    def reached(self, leaf: Any, users: Mapping[str, list[str]]) -> set[str]:
        """Return all nodes that depend on a leaf."""
        stack = [node for node, thing in self.graph.objects.items() if thing is leaf]
        found: set[str] = set()
        while stack:
            for user in users.get(stack.pop(), ()):
                if user not in found:
                    found.add(user)
                    stack.append(user)
        return found

    # --- The two passes

    def run_backward(self) -> None:
        """Run the pass to the inputs; note by hooks what each node gets and returns.

        Nothing is freed, and no `.grad` is written.
        """
        hooks = []

        def hook_of(node: str) -> Callable[[Any, Any], None]:
            def hook(grad_inputs: Any, grad_outputs: Any) -> None:
                with outside_modes():
                    self.gradients[node] = copies(grad_outputs)
                    self.handed[node] = copies(grad_inputs)

            return hook

        leaves = [node for node in self.order if self.is_input(node)]
        try:
            for node in self.below:
                if node != self.root:
                    hooks.append(self.graph.objects[node].register_hook(hook_of(node)))
            found = self.library.autograd.grad(
                [self.ran.result],
                [self.graph.objects[node] for node in leaves],
                [self.seed],
                allow_unused=True,
            )
        finally:
            for handle in hooks:
                handle.remove()
        with outside_modes():
            self.gradients |= {node: copies([g]) for node, g in zip(leaves, found, strict=True)}

    def is_input(self, node: str) -> bool:
        return any(self.graph.objects[node] is each for each in self.inputs)

    def forward(self) -> tuple[dict[tuple[str, int], Any], set[str]]:
        """Return the tangent of each result of each node, and the nodes where it is not known."""
        tangents: dict[tuple[str, int], Any] = {}
        unknown: set[str] = set()
        for node in reversed(self.order):
            thing, seen = self.graph.objects[node], self.ran.seen.moving
            if self.nodes[node].kind == "leaf":
                tangents[node, 0] = self.moved.get(id(thing))
                continue
            if node == self.root:
                (edge,) = self.below[node]
                tangents[node, 0] = tangents.get((edge.target, edge.index or 0))
                unknown |= {node} if edge.target in unknown else set()
                continue
            used = {edge.index or 0 for edge in self.above[node]}
            missing = {n for n in used if (id(thing), n) not in seen}
            tangents |= {(node, n): seen[id(thing), n].tangent for n in used - missing}
            if missing and any(edge.target in unknown for edge in self.below.get(node, ())):
                unknown.add(node)
                continue
            moving = {
                edge.slot or 0: tangent
                for edge in self.below.get(node, ())
                if (tangent := tangents.get((edge.target, edge.index or 0))) is not None
            }
            if missing and moving:
                found = tangents_through(thing, moving, self.library)
                if found is None:
                    unknown.add(node)
                else:
                    tangents |= {(node, n): found[n] for n in missing}
        return tangents, unknown

    # --- The comparison

    def balance(self) -> Balance:
        layers = self.layers()
        crossings = {edge.id: self.crossing(edge) for edge in self.edges}
        terms = {edge: product for edge, (product, _) in crossings.items()}
        crossing: list[list[Term]] = [[] for _ in range(max(layers.values()))]
        sizes = [0.0] * len(crossing)
        for edge in self.edges:
            if self.moves(edge):
                term = Term(edge.source, edge.target, terms[edge.id])
                for layer in range(layers[edge.source], layers[edge.target]):
                    crossing[layer].append(term)
                    sizes[layer] += crossings[edge.id][1]
        cuts = [
            Cut(layer, tuple(found), _sum([term.product for term in found]))
            for layer, found in enumerate(crossing)
        ]
        there = [node.id for node in self.graph.model.nodes if node.id in layers]
        places = tuple(self.place(node, layers[node]) for node in there)
        functions = {node for node in self.below if node != self.root}
        outputs = int(self.ran.result.numel())
        elements = {id(one): int(one.numel()) for one in self.inputs}
        each = sum(count * len(self.users[one] & functions) for one, count in elements.items())
        return Balance(
            GraphModel(tuple(place.node for place in places), tuple(self.edges)),
            places,
            tuple(cuts),
            derivative=terms[self.below[self.root][0].id],
            inputs=sum(elements.values()),
            outputs=outputs,
            forward=Count(sum(elements.values()), each),
            reverse=Count(outputs, outputs * len(functions)),
            rounding=ROUNDINGS * self.precision * max(filter(math.isfinite, sizes), default=0.0),
            parted=tuple(n for n in there if n not in self.unknown and self.parts(n)),
            unseen=tuple(node for node in there if node in self.unknown),
        )

    def layers(self) -> dict[str, int]:
        """Return the length of the longest path to each node; inputs that move are last."""
        layers = {self.root: 0}
        for node in self.order:
            for edge in self.below.get(node, ()):
                layers[edge.target] = max(layers.get(edge.target, 0), layers[node] + 1)
        last = max(layers.values())
        moved = (node for node in self.order if id(self.graph.objects[node]) in self.moved)
        return layers | {node: last for node in moved if node != self.root}

    def moves(self, edge: Edge) -> bool:
        target = (edge.target, edge.index or 0)
        return edge.target in self.unknown or self.tangents.get(target) is not None

    def crossing(self, edge: Edge) -> Crossing:
        """Return what an edge contributes to a cut; None if its tangent is not known."""
        if edge.target in self.unknown:
            return None, math.nan
        handed = self.handed.get(edge.source)
        g = None if handed is None else handed[edge.slot or 0]
        return product(self.tangents.get((edge.target, edge.index or 0)), g)

    def parts(self, node: str) -> bool:
        """Whether the sums before, at and after a node differ by more than rounding."""
        here = [
            product(self.tangents.get((node, n)), g)
            for n, g in enumerate(self.gradients.get(node, []))
        ]
        sent = [self.crossing(edge) for edge in self.above[node]]
        handed = [self.crossing(edge) for edge in self.below.get(node, ())]
        return any(self.differ(here, others) for others in (sent, handed) if others)

    def differ(self, some: Sequence[Crossing], others: Sequence[Crossing]) -> bool:
        """Whether two cuts have different sums; False if one is unknown or not finite."""
        one, other = _sum([p for p, _ in some]), _sum([p for p, _ in others])
        if one is None or other is None or not math.isfinite(one - other):
            return False
        size = max(sum(size for _, size in some), sum(size for _, size in others))
        return abs(one - other) > ROUNDING * self.precision * size

    @cached_property
    def precision(self) -> float:
        """The machine epsilon of the coarsest type in the graph."""
        names = {node.dtype for node in self.nodes.values() if node.dtype}
        kinds = [getattr(self.library, n) for n in names if "float" in n or "complex" in n]
        return max((float(self.library.finfo(kind).eps) for kind in kinds), default=0.0)

    def place(self, node: str, layer: int) -> Place:
        thing, kind = self.graph.objects[node], self.nodes[node].kind
        came = self.gradients.get(node, [])
        places = range(max(len(came), 1))
        tangents = [self.tangents.get((node, n)) for n in places]
        values: list[Value | None]
        if kind == "function":
            moving = self.ran.seen.moving
            seen: list[Moving | None] = [moving.get((id(thing), n)) for n in places]
            values = [None if each is None else each.value for each in seen]
        else:
            values = [value_of(thing)]
        total = None
        if node not in self.unknown:
            total = _sum([product(t, g)[0] for t, g in zip(tangents, came, strict=False)])
        return Place(
            self.nodes[node],
            layer,
            tuple(values),
            tuple(None if t is None else value_of(t) for t in tangents),
            tuple(None if g is None else value_of(g) for g in came) or (None,),
            total,
        )


def _sorted(root: str, below: Mapping[str, list[Edge]]) -> list[str]:
    """Return the nodes, each after all its users."""
    waiting = Counter(edge.target for edges in below.values() for edge in edges)
    ready, order = [root], []
    while ready:
        order.append(ready.pop())
        for edge in below.get(order[-1], ()):
            waiting[edge.target] -= 1
            if not waiting[edge.target]:
                ready.append(edge.target)
    return order


def copies(gradients: Sequence[Any]) -> list[Any]:
    return [None if g is None else g.detach().clone() for g in gradients]


def product(tangent: Any, gradient: Any) -> Crossing:
    """Return the sum of the elementwise products, and of their absolute values.

    The tangent is broadcast to a gradient whose broadcasting has not been undone yet.
    """
    if tangent is None or gradient is None:
        return 0.0, 0.0
    t, g = dense(tangent), dense(gradient)
    if "complex" in str(t.dtype):
        each = (t * g.conj()).real.double()
    else:
        each = t.double() * g.double()
    return float(each.sum().item()), float(each.abs().sum().item())


def _sum(numbers: Sequence[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if len(known) == len(numbers) else None
