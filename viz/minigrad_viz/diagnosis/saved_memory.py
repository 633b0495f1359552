"""How much memory each module's call saves for the backward pass.

`viz.memory` counts in the same way. Each block of memory counts once, and as a whole if a view is
saved. What a hook packed counts at its packed size.
"""

from __future__ import annotations

from typing import Any

from ..ledger.saved_bytes import Memory, memory_behind, saved_by
from ..model.autograd_nodes import is_accumulate, nodes_from
from ..model.names import made_by
from .evidence import sequence_of


class SavedMemory:
    """Bytes by module, in the order of the modules' first calls."""

    def __init__(self) -> None:
        self.bytes: dict[int, int] = {}
        self.counted: set[int] = set()
        self.pieces: dict[tuple[str, int], Memory] = {}
        """Blocks of memory that are counted, or that belong to a parameter."""

    def add(self, module: Any, parameters: list[Any], results: list[Any], given: list[Any]) -> None:
        """Count what the nodes between a module's arguments and its results save.

        Nodes that were counted for an inner module are left out.
        """
        for each in parameters:
            self.is_new(memory_behind(each))
        borders = [node for each in given if (node := made_by(each)[0]) is not None]
        starts = [made_by(each)[0] for each in results if each.requires_grad]

        def stop(node: Any) -> bool:
            known = is_accumulate(node) or sequence_of(node) in self.counted
            return known or any(node is border for border in borders)

        total = 0
        for node in nodes_from(starts, stop):
            self.counted.add(sequence_of(node))
            total += self.count_new(node)
        if total:
            self.bytes[id(module)] = self.bytes.get(id(module), 0) + total

    def count_new(self, node: Any) -> int:
        return sum(each.memory.bytes for each in saved_by(node) if self.is_new(each.memory))

    def is_new(self, piece: Memory) -> bool:
        known = self.pieces.get(piece.key)
        self.pieces[piece.key] = piece
        return known is None or not known.alive()
