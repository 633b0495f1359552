"""Observe PyTorch: what its nodes save, and when its engine frees that.

An observer sees each call of PyTorch's functions, and finds the new nodes behind its result. A hook
at each node sees when the node runs. No hook sees when it frees its tensors, so the observer looks
at the node again when the next one runs. The end of a node, which is a C++ object, shows by a mark
in the node's metadata that ends with it. Row-tensor hooks would see every tensor, but would turn
off PyTorch's check for in-place writes.

Import this file only where PyTorch is imported.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from types import FrameType
from typing import Any, NamedTuple

from minigrad.autograd.events import CodeLine

from .._pytorch import (
    CallMode,
    around_passes,
    before_packing,
    pass_number,
    running_node,
    top_mode,
)
from ..model.autograd_nodes import is_accumulate, node_name, nodes_from
from ..model.either_library import outside_modes, sequence_number
from ..model.lines import line_of, running_line
from ..model.names import made_by
from .ledger import Ledger, MomentKind
from .saved_bytes import saved_by, tensors_in

NOTED = "minigrad_viz.memory"
"""The key of a Mark in the metadata of a node of PyTorch."""


class Mark:
    """Lives as long as a node of PyTorch."""


class Running(NamedTuple):
    """A node that has begun to run: the number of its pass, and its own in the ledger."""

    pass_number: int
    node: Any
    number: int


@contextmanager
def of_pytorch(ledger: Ledger) -> Iterator[None]:
    """Within the block, write down in `ledger` what PyTorch's nodes save and free."""
    observer = Observer(ledger)
    with around_passes(observer.during_pass), CallMode(observer):
        try:
            yield
        finally:
            observer.stop()


class Observer:
    """Sees the calls of PyTorch's functions, the nodes that run, and the nodes that end."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.handles: list[Any] = []
        self.marks: dict[int, weakref.ref[Mark]] = {}
        self.running: list[Running] = []
        """The node that ran last; one more for each pass within a pass."""

    def stop(self) -> None:
        for handle in self.handles:
            handle.remove()
        self.handles.clear()
        self.running.clear()
        self.marks.clear()

    def guarded(self, see: Callable[[], None]) -> None:
        """Call `see`; note its error in the ledger, so that the program goes on."""
        if self.ledger.trouble is None:
            try:
                with outside_modes():
                    see()
            except Exception as error:
                self.ledger.trouble = f"{type(error).__name__}: {error}"

    # --- Calls of functions

    def around(self, function: Any, args: Any, kwargs: Any, frame: FrameType) -> Any:
        with self.during_recomputation():
            result = function(*args, **kwargs)
        self.guarded(partial(self.note_call, args, result, frame))
        return result

    def note_call(self, args: Any, result: Any, frame: FrameType) -> None:
        self.settle()
        self.ledger.note_variables(frame)
        for tensor in (*tensors_in(result), *tensors_in(args, 1)):
            node, _ = made_by(tensor)
            if node is not None:
                self.note_nodes(node, frame)

    def note_nodes(self, root: Any, frame: FrameType) -> None:
        """Write down the nodes behind a result that are new, oldest first."""
        kind: MomentKind = "forward" if pass_number() == -1 else "again"
        for node in sorted(new_nodes(root), key=sequence_number):
            line = line_of(node) or (running_line(frame) if kind == "again" else None)
            if kind == "forward" or any(not each.packed for each in saved_by(node)):
                self.ledger.add_moment(kind, node_name(node), line)
            self.follow(node, self.ledger.note_saved(node, line, again=kind == "again"), line)

    def follow(self, node: Any, number: int, line: CodeLine | None) -> None:
        """Watch for the moments at which the node runs and ends."""
        mark = node.metadata[NOTED] = Mark()
        self.marks[number] = weakref.ref(mark, lambda _: self.gone(number))
        name = node_name(node)

        def note_run() -> None:
            self.settle()
            self.ledger.add_moment("backward", name, line)
            self.running.append(Running(pass_number(), running_node(), number))

        self.handles.append(node.register_prehook(lambda _: self.guarded(note_run)))

    def gone(self, number: int) -> None:
        if self.marks.pop(number, None) is not None:
            self.ledger.note_end(number)

    # --- Backward passes

    @contextmanager
    def during_pass(self) -> Iterator[None]:
        """Observe calls within a pass, too: PyTorch may have begun it with its modes off."""
        seen = getattr(top_mode(), "observer", None) is self
        with nullcontext() if seen else CallMode(self):
            try:
                yield
            finally:
                self.guarded(self.settle)
                self.guarded(self.ledger.note_recomputed_ends)

    def during_recomputation(self) -> AbstractContextManager[None]:
        """See the tensors that a checkpoint's hooks pack when it computes within a pass.

        The last of these hooks ends the operation, so its node cannot be seen.
        """
        if pass_number() == -1:
            return nullcontext()
        return before_packing(
            lambda tensor: self.guarded(partial(self.ledger.computed_again, tensor))
        )

    def settle(self) -> None:
        """Write down what the nodes that have finished running have freed."""
        now, node = pass_number(), running_node()
        for each in list(self.running):
            # A node is done once another one runs in its pass. Within a pass that it has begun,
            # which has a larger number, it still runs.
            within = each.pass_number < now
            if within or (each.pass_number == now and each.node is node):
                continue
            self.running.remove(each)
            if self.ledger.held.get(each.number) and not any(True for _ in saved_by(each.node)):
                self.ledger.note_freed(each.number)


def new_nodes(root: Any) -> list[Any]:
    """Return the nodes behind `root` that no ledger has noted yet."""
    return list(nodes_from([root], lambda node: is_accumulate(node) or NOTED in node.metadata))
