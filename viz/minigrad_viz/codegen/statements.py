"""A backward pass as it is being written down: its statements, and what they are about.

A tensor is called as the reader calls it, its gradient d_ and that; who has no name gets the kind
of thing it is and a number. No two are called the same, and none as the program's own words.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

from minigrad.autograd.formulas import Put

from .autograd_nodes import is_accumulate, node_name
from .graph_model import Walk

Place = tuple[int, int]
"""An output of a node: the node's identity, and which of its outputs."""

WORDS = {"np", "torch", "mg", "erf", "call", "given", "grads", "print", *keyword.kwlist}


class Input(NamedTuple):
    """What the program begins with: its name, its value, and how the value is written."""

    name: str
    value: Any
    code: str


@dataclass
class Block:
    """The statements of one turn of a node; `of` is the node, or None."""

    of: Any
    statements: list[ast.stmt] = field(default_factory=list)


class Said(NamedTuple):
    """What the program cannot say in its own words: which node, and why."""

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

    def unique(self, name: str) -> str:
        """A name for a variable like `name` that no other has."""
        base = re.sub(r"\W", "_", name) or "x"
        base = f"_{base}" if base[0].isdigit() else base
        found, number = base, 1
        while found in self._taken:
            number += 1
            found = f"{base}_{number}"
        self._taken.add(found)
        return found

    def numbered(self, kind: str) -> str:
        """A name for what the reader has not named: the kind of thing it is, and a number."""
        self._counts[kind] += 1
        return self.unique(f"{kind}_{self._counts[kind]}")

    def base(self, node: Any, index: int) -> str:
        """What output `index` of a node is called, or the leaf that an AccumulateGrad adds to."""
        place = (id(node), index)
        if place not in self._bases:
            self._alive.append(node)
            if is_accumulate(node):
                name = self.names.of(node.variable)
                found = self.unique(name) if name else self.numbered("leaf")
            else:
                name = self.names.of_output(node, index)
                short = re.sub(r"Backward\d*$", "", node_name(node))
                kind = (
                    re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", short).lower()
                    or "result"
                )
                if kind == "t" and node.next_functions[0][0] is not None:
                    name = name or f"{self.base(*node.next_functions[0])}_T"
                found = self.unique(name) if name else self.numbered(kind)
            self._bases[place] = found
        return self._bases[place]

    def gradient(self, node: Any, index: int) -> str:
        """What the gradient of output `index` of a node is called."""
        place = (id(node), index)
        if place not in self._gradients:
            self._gradients[place] = self.unique(f"d_{self.base(node, index)}")
        return self._gradients[place]


class Draft(Variables):
    """A program that is being written.

    blocks         the statements, in the order of the pass
    inputs         what the program begins with
    grads          what a tensor is called by the reader, and the variable with its `.grad`
    not_written    what is called or left out
    passes_within  whether a pass within the pass has begun
    """

    library = "numpy as np"

    def __init__(self, graph: Walk) -> None:
        super().__init__(graph)
        self.blocks: list[Block] = []
        self.inputs: dict[str, Input] = {}
        self.grads: dict[str, str] = {}
        self.not_written: list[Said] = []
        self.passes_within = False
        self._fresh = count(1)
        self._temporary: set[str] = set()

    def fresh(self) -> str:
        name = self.unique(f"t{next(self._fresh)}")
        self._temporary.add(name)
        return name

    def say(self, node: Any, *statements: ast.stmt) -> None:
        if not self.blocks or self.blocks[-1].of is not node:
            self.blocks.append(Block(node))
        self.blocks[-1].statements += statements

    def cannot(self, node: Any, reason: str) -> None:
        if not any(said.node is node and said.reason == reason for said in self.not_written):
            self.not_written.append(Said(node, reason))

    def renumber(self) -> None:
        """Give what is computed on the way the numbers 1, 2, 3, ... in the order of the text."""
        left = [
            name
            for block in self.blocks
            for statement in block.statements
            if isinstance(statement, ast.Assign)
            and isinstance(statement.targets[0], ast.Name)
            and (name := statement.targets[0].id) in self._temporary
        ]
        self._taken -= self._temporary
        put = Put({old: ast.Name(self.unique(f"t{at}")) for at, old in enumerate(left, start=1)})
        for block in self.blocks:
            block.statements[:] = [put.visit(each) for each in block.statements]
