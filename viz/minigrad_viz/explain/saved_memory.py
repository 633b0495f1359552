"""How much memory each module's call keeps for the backward pass.

A node's tensors are counted where no hook has packed them: to unpack one may compute it anew.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

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
            if not packed(node):
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


def packed(node: Any) -> bool:
    """Has a hook packed what the node keeps?"""
    kind = type(node)
    if kind not in SLOTS:
        SLOTS[kind] = tuple(name for name in dir(kind) if name.startswith("_raw_saved_"))
    for name in SLOTS[kind]:
        slots = getattr(node, name)
        for slot in slots if isinstance(slots, list | tuple) else (slots,):
            if getattr(slot, "unpack_hook", None) is not None:
                return True
    return False


SLOTS: WeakKeyDictionary[type, tuple[str, ...]] = WeakKeyDictionary()
"""The attributes by which a kind of node shows what it keeps as it keeps it."""
