"""Observe minigrad: what its nodes save, and when its engine frees that.

A recorder gets every operation and every run of a node. A weak reference to a node calls back when
the node ends.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from minigrad import Tensor
from minigrad.autograd.events import Event, Trace, recording

from ..model.autograd_nodes import is_accumulate, node_name
from ..model.lines import line_of
from .ledger import Ledger
from .saved_bytes import computed_again, saved_by


class Forgetful(list[Event]):
    """A list that stays empty: events would keep nodes alive."""

    def append(self, event: Event) -> None:
        pass


class Observer(Trace):
    """Writes down in a ledger what minigrad computes, saves and frees."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self.events = Forgetful()
        self.ledger = ledger
        self.known: dict[int, tuple[weakref.ref[Any], int]] = {}
        self.passes = False

    def computed(self, node: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        super().computed(node, inputs, outputs)
        self.ledger.note_variables(sys._getframe(1))
        if not node.next_functions:
            return
        made = [out.grad_fn for out in outputs if isinstance(out, Tensor)]
        for each in {id(each): each for each in (node, *made) if each is not None}.values():
            self.made(each)

    def made(self, node: Any) -> None:
        if isinstance(node, type) or id(node) in self.known or is_accumulate(node):
            return
        line = line_of(node)
        if not self.passes:
            self.ledger.add_moment("forward", node_name(node), line)
        elif any(not what.packed for what in saved_by(node)):
            self.ledger.add_moment("again", node_name(node), line)
        self.follow(node, self.ledger.note_saved(node, line, again=self.passes))

    def follow(self, node: Any, number: int) -> None:
        place = id(node)

        def gone(_: object) -> None:
            self.known.pop(place, None)
            self.ledger.note_end(number)

        self.known[place] = weakref.ref(node, gone), number

    def seeded(self, node: Any, index: int, g: Any) -> None:
        self.passes = True
        self.ledger.note_variables(sys._getframe(1))

    def started(self, node: Any, gradients: Sequence[Any]) -> Any:
        if not is_accumulate(node):
            self.ledger.add_moment("backward", node_name(node), line_of(node))
        saved = super().started(node, gradients)
        self._packed.clear()  # it would keep packed tensors alive
        return saved

    def unpacked(self, packed: Any, tensor: Any) -> None:
        again = computed_again(packed.hooks[1])
        for each in (*again, tensor) if again is not None else ():
            self.ledger.computed_again(each)

    def released(self, node: Any, saved: Any) -> None:
        if id(node) in self.known:
            self.ledger.note_freed(self.known[id(node)][1])

    def end_pass(self) -> None:
        super().end_pass()
        self.passes = False
        self.ledger.note_recomputed_ends()


@contextmanager
def of_minigrad(ledger: Ledger) -> Iterator[None]:
    """Within the block, write down in `ledger` what minigrad's nodes save and free."""
    observer = Observer(ledger)
    with recording(forward=True, kind=lambda: observer):
        try:
            yield
        finally:
            observer.known.clear()  # and its callbacks with it
