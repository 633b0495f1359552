"""The same graph as the forward pass made it: tensors and operations, data flowing down.

Autograd keeps only the backward graph. Each of its nodes was made by one operation, whose name is
in the node's name, and a gradient flows to where a tensor came from. So the forward pass is the
backward graph reversed: nothing is guessed and nothing runs again. Tensors without a gradient (the
data in `data @ weight`) are known only if a node saved them, or if the operation was recorded.
Otherwise the picture shows a gap.

`overlaid` shows both at once: data down, gradients up, each operation next to its backward node.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from ..model.graph_model import ARGUMENTS, BEFORE, BEHIND, Edge, Gap, GraphModel, Node
from ..texts.numerals import shape_text
from ..texts.printable import printable

View = Literal["backward", "forward", "both"]
VIEWS: tuple[View, ...] = ("backward", "forward", "both")


def check_view(view: View) -> None:
    """Raise ValueError if `view` is not one of `VIEWS`."""
    if view not in VIEWS:
        raise ValueError(f"view must be one of {', '.join(map(repr, VIEWS))}, not {view!r}")


def seen_as(model: GraphModel, view: View) -> GraphModel:
    """Return a backward graph in one of the `VIEWS`."""
    if view == "backward":
        return model
    return forward_view(model) if view == "forward" else overlaid(model)


def operation_name(function: str) -> str:
    """Return the operation's name: "mse_loss" for MseLossBackward0, a user's Function unchanged."""
    name, word, number = function.partition("Backward")
    if not word or not number.isdecimal():
        return name
    return re.sub(r"(?<=[A-Za-z0-9])(?=[A-Z][a-z])", "_", name).lower()


def forward_view(model: GraphModel) -> GraphModel:
    """Tensors and operations: `n3op` is the operation that left the node n3, `n3r0` its first
    result.
    """
    view = _Forward(model)
    return GraphModel(tuple(view.nodes), tuple(view.edges))


def overlaid(model: GraphModel) -> GraphModel:
    """Both passes in one picture; an edge of the kind "made" joins an operation and its node."""
    view = _Forward(model)
    there = {node.id for node in view.nodes}
    nodes = view.nodes + [node for node in model.nodes if node.id not in there]
    made = [
        Edge(f"m{place}", "made", f"{node.id}op", node.id)
        for place, node in enumerate(model.nodes)
        if node.kind == "function"
    ]
    return GraphModel(tuple(nodes), (*view.edges, *model.edges, *made))


class _Forward:
    """One reading of a backward graph, the other way round."""

    def __init__(self, model: GraphModel) -> None:
        self.by_id = {node.id: node for node in model.nodes}
        self.leaf_of = {node.owner: node.id for node in model.nodes if node.kind == "leaf"}
        self.inputs: dict[str, list[tuple[int, str]]] = {}  # function -> its inputs' tensors
        self.results: dict[str, dict[int, str]] = {}  # function -> its results by number
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        constants: dict[str, str] = {}  # a constant's name -> its node
        saved: list[tuple[str, Node]] = []
        gaps = {node.id: {gap.slot: gap for gap in node.gaps} for node in model.nodes if node.gaps}
        for edge in model.edges:
            if edge.kind == "root":
                self.results.setdefault(edge.target, {}).setdefault(edge.index or 0, edge.source)
        for edge in model.edges:
            if edge.kind == "next":
                place = (edge.slot or 0, self.tensor(edge.target, edge.index or 0))
                self.inputs.setdefault(edge.source, []).append(place)
            elif edge.kind == "saved" and self.by_id[edge.target].constant:
                saved.append((edge.source, self.by_id[edge.target]))
        for function, node in sorted(saved, key=lambda pair: ARGUMENTS[pair[1].name]):
            tensor = constants.setdefault(node.variable or node.id, node.id)
            self.inputs.setdefault(function, []).append(
                (self.place(node.name, gaps.get(function, {}), function), tensor)
            )
        used = set(constants.values())
        missing: list[Node] = []
        for function, left in gaps.items():
            for slot, gap in left.items():
                missing.append(self.missing(function, gap))
                self.inputs.setdefault(function, []).append((slot, missing[-1].id))
        for node in model.nodes:
            if node.kind in ("root", "leaf"):
                self.nodes.append(node)
            elif node.kind == "function":
                self.add_operation(node)
            elif node.kind == "cluster":
                self.add_cluster(node)
            elif node.id in used:
                name = node.variable or node.number or ""
                self.nodes.append(replace(node, kind="tensor", name=name, owner=None, saved=None))
        self.nodes += missing

    def place(self, name: str, gaps: dict[int, Gap], function: str) -> int:
        """Where a constant stands among the inputs: it has left a gap there, unless it is of a kind
        that never has a gradient.
        """
        usual = ARGUMENTS[name]
        if usual == BEFORE:
            return usual
        if gaps and usual != BEHIND:
            return gaps.pop(usual if usual in gaps else min(gaps)).slot
        taken = {slot for slot, _ in self.inputs.get(function, ())}
        return next(n for n in itertools.count() if n not in taken)

    def missing(self, function: str, gap: Gap) -> Node:
        """Return the tensor at a gap, with what is known of it."""
        return Node(
            f"{function}i{gap.slot}",
            "tensor",
            gap.number or "",
            shape=gap.shape,
            dtype=gap.dtype,
            number=gap.number,
            saved="lost" if gap.shape is None else None,
            language=self.by_id[function].language,
        )

    def tensor(self, node: str, index: int) -> str:
        """The tensor whose gradient goes to output `index` of `node`."""
        if self.by_id[node].kind == "accumulate":
            return self.leaf_of[node]
        if self.by_id[node].kind == "cluster":
            return node
        return self.results.setdefault(node, {}).setdefault(index, f"{node}r{index}")

    def add_operation(self, node: Node) -> None:
        operation = f"{node.id}op"
        name = operation_name(node.name)
        self.nodes.append(
            Node(
                operation,
                "operation",
                name,
                owner=node.id,
                module=node.module,
                line=node.line,
                language=node.language,
            )
        )
        for slot, tensor in sorted(self.inputs.get(node.id, ())):
            self.join(tensor, operation, slot=slot)
        for index, tensor in sorted(self.results[node.id].items()):
            if tensor not in self.by_id:
                one = node.results[index] if node.results else node
                self.nodes.append(
                    Node(
                        tensor,
                        "tensor",
                        one.variable or "",
                        shape=one.shape,
                        dtype=one.dtype,
                        value=None if node.results else node.value,
                        language=node.language,
                    )
                )
            self.join(operation, tensor, index=index)

    def add_cluster(self, node: Node) -> None:
        """A box of an outline stands for the operations in it and for what they hand on."""
        self.nodes.append(node)
        for slot, tensor in sorted(self.inputs.get(node.id, ())):
            self.join(tensor, node.id, slot=slot)
        for index, tensor in sorted(self.results.get(node.id, {}).items()):
            self.join(node.id, tensor, index=index)

    def join(self, source: str, target: str, **data: int) -> None:
        self.edges.append(Edge(f"d{len(self.edges)}", "data", source, target, **data))


def program(model: GraphModel) -> str:
    """A forward view as text, one operation a line, inputs before what is made of them.

    Tensors without a name are numbered.
    """
    nodes = {node.id: node for node in model.nodes}
    inputs: dict[str, list[str]] = {}
    results: dict[str, list[str]] = {}
    for edge in model.edges:
        if edge.kind == "data" and nodes[edge.target].kind in ("operation", "cluster"):
            inputs.setdefault(edge.target, []).append(edge.source)
        elif edge.kind == "data":
            results.setdefault(edge.source, []).append(edge.target)
    for node in model.nodes:
        if node.kind == "cluster":  # several results are told apart in the picture alone
            results.setdefault(node.id, [node.id])
    makers = {tensor: operation for operation, made in results.items() for tensor in made}

    numbers: dict[str, str] = {}

    def called(tensor: str) -> str:
        name = printable(nodes[tensor].name) if nodes[tensor].kind != "cluster" else ""
        if nodes[tensor].saved == "lost":
            return "?"
        return name or numbers.setdefault(tensor, f"#{len(numbers) + 1}")

    def typed(tensor: str) -> str:
        shape, language = nodes[tensor].shape, nodes[tensor].language
        if shape is None:
            return called(tensor)
        return f"{called(tensor)}: {shape_text(shape, language)}"

    lines = [typed(node.id) for node in model.nodes if node.kind == "leaf"]
    for operation in _in_order(list(results), inputs, makers):
        arguments = ", ".join(map(called, inputs.get(operation, ())))
        made = ", ".join(map(typed, results[operation]))
        lines.append(f"{made} = {nodes[operation].name}({arguments})")
    return "\n".join(lines)


def _in_order(
    operations: list[str], inputs: dict[str, list[str]], makers: dict[str, str]
) -> Iterator[str]:
    """The operations, each after those that made its inputs; of boxes that use each other, one is
    the first.
    """
    done: set[str] = set()
    begun: set[str] = set()
    stack = operations[::-1]
    while stack:
        operation = stack[-1]
        if operation in done:
            stack.pop()
            continue
        before = [
            makers[t] for t in inputs.get(operation, ()) if makers.get(t, operation) != operation
        ]
        begun.add(operation)
        waiting = [other for other in before if other not in begun]
        if waiting:
            stack += waiting[::-1]
        else:
            done.add(stack.pop())
            yield operation
