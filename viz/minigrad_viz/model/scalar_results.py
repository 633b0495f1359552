"""The results of operations on scalars, if they can be known without running them again.

A node does not keep its result. A variable may hold it, the node may have saved it, and the rest is
arithmetic with the inputs, which are leaves, saved tensors or results that are known themselves.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from minigrad.autograd.events import Value, snapshot

from .autograd_nodes import saved_tensors
from .either_library import outside_modes
from .graph_model import Walk
from .own_engines import OwnNode
from .scalars import scalars_of
from .values import shape_of, value_of

Formula = Callable[..., float]

FORMULAS: Mapping[str, Formula] = {
    "AddBackward0": lambda self, other, alpha=1: self + alpha * other,
    "SubBackward0": lambda self, other, alpha=1: self - alpha * other,
    "MulBackward0": lambda self, other: self * other,
    "DivBackward0": lambda self, other: self / other,
    "PowBackward0": lambda self, exponent: self**exponent,
    "NegBackward0": lambda self: -self,
    "LogBackward0": lambda self: math.log(self),
    "SinBackward0": lambda self: math.sin(self),
    "CosBackward0": lambda self: math.cos(self),
}
"""Operations that do not save their result; the arguments are those of their saved values."""

ARGUMENTS = ("self", "other")
"""The names of the inputs of these operations, in order."""


def scalar_results(graph: Walk, leaves: Mapping[str, Value]) -> dict[str, Value]:
    """Return the results of operations that make one number, by the id of their node."""
    with outside_modes():
        return _Reading(graph, leaves).run()


class _Reading:
    def __init__(self, graph: Walk, leaves: Mapping[str, Value]) -> None:
        self.graph, self.leaves = graph, leaves
        self.nodes = {node.id: node for node in graph.model.nodes}
        self.below: dict[str, dict[int, str]] = {}
        for edge in graph.model.edges:
            if edge.kind == "next" and edge.slot is not None:
                self.below.setdefault(edge.source, {})[edge.slot] = edge.target
        self.known: dict[str, float] = {}
        self.given: dict[str, dict[str, float]] = {}  # the saved scalars of each node
        for node in graph.model.nodes:
            if node.kind == "leaf" and node.owner and node.id in leaves:
                self.learn(node.owner, leaves[node.id])
        for edge in graph.model.edges:
            if edge.kind == "root" and edge.source in leaves:
                self.learn(edge.target, leaves[edge.source])

    def learn(self, id: str, value: Value) -> None:
        if value.shape == () and value.data is not None and value.data.dtype.kind in "fiu":
            self.known[id] = float(value.data)

    def run(self) -> dict[str, Value]:
        scalars = {
            id: node
            for id, node in self.nodes.items()
            if node.kind == "function" and node.shape == ()
        }
        if not scalars:
            return {}
        for id in scalars:
            self.read(id)
        for id in self.inputs_first():
            if id in scalars and id not in self.known:
                self.compute(id)
        return {
            id: _value(self.known[id], node.dtype or "float32")
            for id, node in scalars.items()
            if id in self.known
        }

    def inputs_first(self) -> Iterator[str]:
        """Yield the nodes, each after those that its edges lead to."""
        seen: set[str] = set()
        for start in self.nodes:
            stack = [(start, False)]
            while stack:
                id, is_done = stack.pop()
                if is_done:
                    yield id
                elif id not in seen:
                    seen.add(id)
                    stack.append((id, True))
                    stack += [(next_id, False) for next_id in self.below.get(id, {}).values()]

    def read(self, id: str) -> None:
        """Read what a variable holds, and what the node has saved: its result and its inputs."""
        thing = self.graph.objects[id]
        for tensor in self.graph.names.results_of(thing):
            self.learn(id, value_of(tensor))
        given = self.given[id] = {}
        for name, tensor in saved_tensors(thing):
            if isinstance(tensor, str) or shape_of(tensor) != ():
                continue
            value = value_of(tensor)
            if value.data is None:
                continue
            given[name] = float(value.data)
            if name == "result":
                self.learn(id, value)
            elif name in ARGUMENTS:
                self.learn(self.below.get(id, {}).get(ARGUMENTS.index(name), ""), value)

    def compute(self, id: str) -> None:
        """Compute a result from what is known."""
        thing = self.graph.objects[id]
        formula = FORMULAS.get(self.nodes[id].name)
        if formula is None or isinstance(thing, OwnNode):
            return
        given: dict[str, Any] = self.given[id] | {e.name: e.value for e in scalars_of(thing)}
        for slot, target in self.below.get(id, {}).items():
            if target in self.known and slot < len(ARGUMENTS):
                given[ARGUMENTS[slot]] = self.known[target]
        with suppress(ArithmeticError, ValueError, TypeError):  # such as a missing argument
            self.known[id] = float(formula(**given))


def _value(number: float, dtype: str) -> Value:
    kind = np.float64 if dtype == "float64" else np.float32
    return snapshot(np.asarray(number, kind))._replace(dtype=dtype)
