"""Looking on while minigrad computes: what its operations keep, and when its engine lets go.

Its recorder hears of every operation and of every turn of a node, and a node can be referred to
weakly, which tells when it is gone.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from minigrad import Tensor
from minigrad.autograd.events import Event, Trace, recording

from .autograd_nodes import is_accumulate, node_name
from .kept import computed_again, kept
from .lines import line_of
from .memory_ledger import Ledger


class Forgetful(list[Event]):
    """Events keep nodes alive, which would then never be gone."""

    def append(self, event: Event) -> None:
        pass


class Looking(Trace):
    """Hears of what minigrad computes, and of what its engine does."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self.events = Forgetful()
        self.ledger = ledger
        self.known: dict[int, tuple[weakref.ref[Any], int]] = {}
        self.passes = False

    def computed(self, node: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        super().computed(node, inputs, outputs)
        self.ledger.look_at(sys._getframe(1))
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
            self.ledger.happens("forward", node_name(node), line)
        elif any(not what.packed for what in kept(node)):
            self.ledger.happens("again", node_name(node), line)
        self.follow(node, self.ledger.keeps(node, line, again=self.passes))

    def follow(self, node: Any, number: int) -> None:
        place = id(node)

        def gone(_: object) -> None:
            self.known.pop(place, None)
            self.ledger.is_gone(number)

        self.known[place] = weakref.ref(node, gone), number

    def seeded(self, node: Any, index: int, g: Any) -> None:
        self.passes = True
        self.ledger.look_at(sys._getframe(1))

    def started(self, node: Any, gradients: Sequence[Any]) -> Any:
        if not is_accumulate(node):
            self.ledger.happens("backward", node_name(node), line_of(node))
        saved = super().started(node, gradients)
        self._packed.clear()  # which would keep what was packed
        return saved

    def unpacked(self, packed: Any, tensor: Any) -> None:
        again = computed_again(packed.hooks[1])
        for each in (*again, tensor) if again is not None else ():
            self.ledger.computed_again(each)

    def released(self, node: Any, saved: Any) -> None:
        if id(node) in self.known:
            self.ledger.lets_go(self.known[id(node)][1])

    def end_pass(self) -> None:
        super().end_pass()
        self.passes = False
        self.ledger.look_again()


@contextmanager
def of_minigrad(ledger: Ledger) -> Iterator[None]:
    looking = Looking(ledger)
    with recording(forward=True, kind=lambda: looking):
        try:
            yield
        finally:
            looking.known.clear()  # whose callbacks would go on
