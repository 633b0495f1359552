"""How much memory each module's call keeps for the backward pass.

It is counted as `viz.memory` counts: each piece once, all of it where a view is kept, and what a
hook has packed as it was packed.
"""

from __future__ import annotations

from typing import Any

from ..model.autograd_nodes import is_accumulate
from ..model.kept import Memory, kept, memory
from ..model.names import made_by
from .evidence import sequence_of


class SavedMemory:
    """Bytes by module, in the order in which the modules were first called."""

    def __init__(self) -> None:
        self.bytes: dict[int, int] = {}
        self.counted: set[int] = set()
        self.pieces: dict[tuple[str, int], Memory] = {}
        """What is counted, or is a parameter's own."""

    def add(self, module: Any, parameters: list[Any], results: list[Any], given: list[Any]) -> None:
        """Count what the nodes between what a module was given and its results keep, but for those
        that were counted for a module inside it.
        """
        for each in parameters:
            self.is_new(memory(each))
        borders = [node for each in given if (node := made_by(each)[0]) is not None]
        stack = [made_by(each)[0] for each in results if each.requires_grad]
        total = 0
        while stack:
            node = stack.pop()
            if node is None or any(node is b for b in borders) or is_accumulate(node):
                continue
            number = sequence_of(node)
            if number in self.counted:
                continue
            self.counted.add(number)
            stack += [each for each, _ in node.next_functions]
            total += self.kept(node)
        if total:
            self.bytes[id(module)] = self.bytes.get(id(module), 0) + total

    def kept(self, node: Any) -> int:
        return sum(each.memory.bytes for each in kept(node) if self.is_new(each.memory))

    def is_new(self, piece: Memory) -> bool:
        known = self.pieces.get(piece.key)
        self.pieces[piece.key] = piece
        return known is None or not known.alive()
