"""The recorder: what the engine did, as a list of events that can be looked at afterwards.

A backward pass is over before anyone can watch it. Inside `with recording() as trace:` the engine
appends one event for each thing it does, in the order in which it does it, with a snapshot
of the numbers involved. The stepper is drawn from this list and from nothing else, which is why it
cannot show a step that did not happen.

Each event names the node it belongs to and cannot be changed: an event is a fact. With no recorder
active the engine pays one `is None` check a node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ..arrays.snapshots import Value, said_by, snapshot
from .modes import modes
from .node import gradient_edge, raw
from .saved import PackedTensor


class SavedValue(NamedTuple):
    """A tensor that a node saved in the forward pass, as the node finds it when it runs.

    `name` is the formula's symbol for it ("self", "other", "result"); the node saw version
    `expected` when it saved the tensor, and the tensor is at `version` now. `value` is None where a
    saved-tensor hook has packed it and the node did not ask for it.
    """

    name: str
    value: Value | None
    expected: int
    version: int


class Forward(NamedTuple):
    """An operation has been computed and has left `node` behind. One of `inputs` for each entry of
    `next_functions`; None is what is no tensor and no number."""

    node: Any
    inputs: tuple[Value | None, ...]
    outputs: tuple[Value, ...]


class Seed(NamedTuple):
    """The walk begins: `gradient` is put into slot `index` of the root `node`."""

    node: Any
    index: int  # type: ignore[assignment]  # a place, not the method of a tuple
    gradient: Value


class Start(NamedTuple):
    """A node begins to run: nothing that uses its output is left to wait for."""

    node: Any
    incoming: tuple[Value | None, ...]
    saved: tuple[SavedValue, ...]


class Hook(NamedTuple):
    """A hook ran. `kind` is one of "tensor", "retain_grad", "node_pre", "node_post",
    "post_accumulate"; of the last, `before` and `after` are the leaf's `.grad`."""

    node: Any
    kind: str
    name: str
    before: tuple[Value | None, ...]
    after: tuple[Value | None, ...]


class Formula(NamedTuple):
    """The node's backward formula has been applied; one entry for each entry of
    `next_functions`."""

    node: Any
    outgoing: tuple[Value | None, ...]


class Reduce(NamedTuple):
    """Broadcasting undone: the gradient for input `index` was summed back to the input's own
    shape."""

    node: Any
    index: int  # type: ignore[assignment]  # a place, not the method of a tuple
    before: Value
    after: Value


class Accumulate(NamedTuple):
    """`node` hands `added` on to `target`; the sum waiting in the target's slot `index` goes from
    `before` to `after`."""

    node: Any
    edge: int
    target: Any
    index: int  # type: ignore[assignment]  # a place, not the method of a tuple
    before: Value | None
    added: Value
    after: Value


class LeafGradient(NamedTuple):
    """An AccumulateGrad node adds to its leaf's `.grad`."""

    node: Any
    before: Value | None
    added: Value
    after: Value


class Free(NamedTuple):
    """The node lets go of what it saved; a second backward through it is now an error."""

    node: Any
    names: tuple[str, ...]


class Error(NamedTuple):
    """The node failed, or a `hook` that it called ("tensor: clip"); this is the last event of its
    backward pass."""

    node: Any
    type: str
    message: str
    hook: str = ""


Event = Forward | Seed | Start | Hook | Formula | Reduce | Accumulate | LeafGradient | Free | Error
"""One thing that happened. `node` is the graph's own node object."""


class Trace:
    """The events of everything that ran while it was recording, oldest first."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._shots: dict[int, tuple[Any, int, Value]] = {}
        self._packed: dict[PackedTensor, tuple[int, int]] = {}

    def computed(self, node: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Note an operation of the forward pass. (What follows its inputs are parameters.)"""
        if modes.level is not None:
            modes.level(node, inputs, outputs)
        if not node.next_functions:
            return  # it has left no node
        taken = inputs[: len(node.next_functions)]
        made = [out for out in outputs if hasattr(out, "_array")]
        if len(made) == 1 and made[0]._view is not None:
            # A view that has been written begins at what reads it off its base.
            node = gradient_edge(made[0])[0] or node
        self.events.append(
            Forward(node, tuple(map(_input, taken)), tuple(snapshot(out._array) for out in made))
        )

    # --- What the engine says of a backward pass. A gradient is an array, a Tensor or None.

    def seeded(self, node: Any, index: int, g: Any) -> None:
        self.events.append(Seed(node, index, snapshot(raw(g))))

    def started(self, node: Any, gradients: Sequence[Any]) -> tuple[SavedValue, ...]:
        """Returns what the node has saved."""
        saved: list[SavedValue] = []
        for name, kept, expected, version in node._kept_values():
            value = None
            if isinstance(kept, PackedTensor):  # to unpack it is for the node alone
                self._packed[kept] = len(self.events), len(saved)
            else:
                value = self.shot(kept, version)
            saved.append(SavedValue(name, value, expected, version))
        self.events.append(Start(node, self.shots(gradients), tuple(saved)))
        return tuple(saved)

    def unpacked(self, packed: PackedTensor, tensor: Any) -> None:
        """A hook has unpacked what a node had saved: now it is known what the node starts with."""
        if packed in self._packed:
            at, place = self._packed.pop(packed)
            start: Any = self.events[at]
            saved = list(start.saved)
            saved[place] = saved[place]._replace(value=snapshot(tensor._array))
            self.events[at] = start._replace(saved=tuple(saved))

    def applied(self, node: Any, outgoing: Sequence[Any]) -> None:
        if not node.rule:  # a user's function, which may have written to what it was given
            self._shots.clear()
        self.events.append(Formula(node, self.shots(outgoing)))

    def failed(self, node: Any, error: Exception, hook: str = "") -> None:
        last = self.events[-1] if self.events else None
        if not (isinstance(last, Error) and last.node is node):  # else its hook has said so
            self.events.append(Error(node, type(error).__name__, said_by(error), hook))

    def reduced(self, node: Any, index: int, before: Any, after: Any) -> None:
        self.events.append(Reduce(node, index, self.shot(before), self.shot(after)))

    def handed_over(self, node: Any, edge: int, before: Any, added: Any, after: Any) -> None:
        target, index = node.next_functions[edge]
        new = total = self.shot(added)
        old = None
        if before is not None:
            old, total = self.shot(before), self.shot(after)
        self.events.append(Accumulate(node, edge, target, index, old, new, total))

    def released(self, node: Any, saved: Sequence[SavedValue]) -> None:
        self.events.append(Free(node, tuple([each.name for each in saved])))

    def accumulate(self, node: Any, run: Callable[..., object], gradients: Sequence[Any]) -> None:
        """Let an AccumulateGrad `run`, and note what becomes of its leaf's `.grad`."""
        arrived = self.shot(gradients[0])
        self._shots.pop(id(raw(gradients[0])))  # the leaf may take it over
        leaf = node.variable
        before = None if leaf._grad is None else snapshot(leaf._grad._array)
        hooks, leaf._post_hooks = leaf._post_hooks, None  # each has an event of its own, after this
        try:
            run(*gradients)
        finally:
            leaf._post_hooks = hooks
        if leaf._requires_grad:
            after = arrived if before is None else snapshot(leaf._grad._array)
            self.events.append(LeafGradient(node, before, arrived, after))
        node._pass_nothing()

    def retained(self, node: Any, tensor: Any, g: Any) -> None:
        """The gradient `g` is about to be kept in `tensor.grad`."""
        kept = self.shots((g,))
        self.events.append(Hook(node, "retain_grad", "", kept, kept))

    def hooked(self, node: Any, kind: str, hook: Any, *args: Any) -> Any:
        """Call `hook`, and note what it made of its first argument: a gradient or several, or a
        leaf with its `.grad`."""
        of_leaf, name = kind == "post_accumulate", name_of_hook(hook)

        def seen(after: Any) -> tuple[Value | None, ...]:
            # (What is no tensor is for whoever called to refuse.)
            now = args[0]._grad if of_leaf else args[0] if after is None else after
            arrays = [getattr(g, "_array", None) for g in (now if type(now) is tuple else (now,))]
            return tuple([None if array is None else snapshot(array) for array in arrays])

        before = seen(None)
        self._shots.clear()  # the hook may write to it, and to what shares its memory
        try:
            result = hook(*args)
        except Exception as error:
            self.failed(node, error, f"{kind}: {name}" if name else kind)
            raise
        self.events.append(Hook(node, kind, name, before, seen(result)))
        return result

    # --- Snapshots

    def shots(self, gradients: Sequence[Any]) -> tuple[Value | None, ...]:
        return tuple([None if g is None else self.shot(g) for g in gradients])

    def shot(self, g: Any, version: int = 0) -> Value:
        """`snapshot`, made once for an array that is looked at often.

        The same gradient leaves one node, waits, and arrives at the next, and nobody writes to it
        on the way; of a tensor, `version` tells whether anybody has written to it.
        """
        array = raw(g)
        known = self._shots.get(id(array))
        if known is None or known[1] != version:
            # (Holding the array keeps its id from others.)
            known = self._shots[id(array)] = (array, version, snapshot(array))
        return known[2]

    def end_pass(self) -> None:
        """A backward pass is over: let go of its arrays."""
        self._shots.clear()
        self._packed.clear()

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)


def name_of_hook(hook: Any) -> str:
    return getattr(hook, "__name__", "")


def _input(value: Any) -> Value | None:
    """A snapshot of an operation's input, which may be a number."""
    if isinstance(value, bool | int | float):
        return snapshot(np.asarray(value))
    array = getattr(value, "_array", None)
    return None if array is None else snapshot(array)


@contextmanager
def recording(*, forward: bool = False, kind: Callable[[], Trace] = Trace) -> Iterator[Trace]:
    """`minigrad.autograd.record`, which says more; `kind` makes the trace."""
    before, trace = (modes.recorder, modes.lines, modes.watch), kind()
    modes.recorder, modes.lines = trace, True
    modes.watch = trace.computed if forward else modes.level
    try:
        yield trace
    finally:
        modes.recorder, modes.lines, modes.watch = before
