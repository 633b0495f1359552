"""A program while it is written: its statements, inputs and names.

A tensor has its name in the reader's program, and its gradient that name after d_. What has no name
gets a kind and a number. All names are unique, and none is a word of the program itself.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

from ..model.autograd_nodes import is_accumulate, node_name
from ..model.graph_model import Walk
from .helpers import HELPERS
from .rewriting import Replacement

Place = tuple[int, int]
"""An output of a node: the node's identity, and which of its outputs."""

WORDS = {"np", "torch", "mg", *HELPERS, "given", "grads", "print", *keyword.kwlist}


class Input(NamedTuple):
    """An input of the program: its name, its value, and the code of the value."""

    name: str
    value: Any
    code: str


@dataclass
class Block:
    """The statements of one run of a node; `of` is the node, or None."""

    of: Any
    statements: list[ast.stmt] = field(default_factory=list)


class Unwritten(NamedTuple):
    """A node that the program calls or leaves out, and why."""

    node: Any
    reason: str


class Variables:
    """The names of one program."""

    def __init__(self, graph: Walk) -> None:
        self.graph = graph
        self.names = graph.names
        self._alive: list[Any] = []
        self._taken = set(WORDS)
        self._bases: dict[Place, str] = {}
        self._counts: Counter[str] = Counter()
        self._gradients: dict[Place, str] = {}

    def unique_name(self, name: str) -> str:
        """Return a unique name for a variable like `name`."""
        base = re.sub(r"\W+", "_", name).rstrip("_") or "x"
        base = f"_{base}" if base[0].isdigit() else base
        found, number = base, 1
        while found in self._taken:
            number += 1
            found = f"{base}_{number}"
        self._taken.add(found)
        return found

    def numbered_name(self, kind: str) -> str:
        """Return a name for something unnamed: its kind and a number."""
        self._counts[kind] += 1
        return self.unique_name(f"{kind}_{self._counts[kind]}")

    def base(self, node: Any, index: int) -> str:
        """Return the name of output `index` of a node, or of an AccumulateGrad's leaf."""
        place = (id(node), index)
        if place not in self._bases:
            self._alive.append(node)
            if is_accumulate(node):
                name = self.names.of(node.variable)
                found = self.unique_name(name) if name else self.numbered_name("leaf")
            else:
                name = self.names.of_output(node, index)
                short = re.sub(r"Backward\d*$", "", node_name(node))
                kind = (
                    re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", short).lower()
                    or "result"
                )
                if kind == "t" and node.next_functions[0][0] is not None:
                    name = name or f"{self.base(*node.next_functions[0])}_T"
                found = self.unique_name(name) if name else self.numbered_name(kind)
            self._bases[place] = found
        return self._bases[place]

    def gradient(self, node: Any, index: int) -> str:
        """Return the name of the gradient of output `index` of a node."""
        place = (id(node), index)
        if place not in self._gradients:
            self._gradients[place] = self.unique_name(f"d_{self.base(node, index)}")
        return self._gradients[place]


class Draft(Variables):
    """A program while it is written.

    blocks         the statements, in the order of the pass
    inputs         the inputs of the program, by name
    grads          the variable with a tensor's `.grad`, by the tensor's name
    not_written    nodes that are called or left out
    passes_within  whether a pass within the pass has begun
    """

    library = "numpy as np"

    def __init__(self, graph: Walk) -> None:
        super().__init__(graph)
        self.blocks: list[Block] = []
        self.inputs: dict[str, Input] = {}
        self.grads: dict[str, str] = {}
        self.not_written: list[Unwritten] = []
        self.passes_within = False
        self._fresh = count(1)
        self._temporary: set[str] = set()

    def temporary_name(self) -> str:
        name = self.unique_name(f"t{next(self._fresh)}")
        self._temporary.add(name)
        return name

    def add(self, node: Any, *statements: ast.stmt) -> None:
        if not self.blocks or self.blocks[-1].of is not node:
            self.blocks.append(Block(node))
        self.blocks[-1].statements += statements

    def note_unwritten(self, node: Any, reason: str) -> None:
        if not any(said.node is node and said.reason == reason for said in self.not_written):
            self.not_written.append(Unwritten(node, reason))

    def renumber(self) -> None:
        """Number the temporary variables 1, 2, 3, ... in the order of the text."""
        left = [
            name
            for block in self.blocks
            for statement in block.statements
            if isinstance(statement, ast.Assign)
            and isinstance(statement.targets[0], ast.Name)
            and (name := statement.targets[0].id) in self._temporary
        ]
        self._taken -= self._temporary
        if not left:
            return
        put = Replacement(
            {old: ast.Name(self.unique_name(f"t{at}")) for at, old in enumerate(left, start=1)}
        )
        for block in self.blocks:
            block.statements[:] = [put.visit(each) for each in block.statements]
