"""How much memory each module's call keeps for the backward pass.

Tensors that a hook has packed are left out: to unpack one may compute it anew.
"""

from __future__ import annotations

from typing import Any

from ..model.autograd_nodes import is_accumulate, saved_tensors
from ..model.names import made_by
from .evidence import memory, sequence_of


class SavedMemory:
    """Bytes by module, in the order in which the modules were first called."""

    def __init__(self) -> None:
        self.bytes: dict[int, int] = {}
        self.counted: set[int] = set()
        self.places: set[Any] = set()

    def add(self, module: Any, parameters: list[Any], results: list[Any], given: list[Any]) -> None:
        """Count what the nodes between what a module was given and its results keep, but for those
        that were counted for a module inside it.
        """
        self.places |= {memory(each) for each in parameters}
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
        total = 0
        for _, saved in saved_tensors(node):
            if not isinstance(saved, str) and (place := memory(saved)) not in self.places:
                self.places.add(place)
                total += int(saved.numel()) * int(saved.element_size())
        return total
