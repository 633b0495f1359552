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

from ..arrays.snapshots import Value, snapshot
from .modes import modes
from .node import gradient_edge, raw


class SavedValue(NamedTuple):
    """A tensor that a node saved in the forward pass, as the node finds it when it runs.

    `name` is the formula's symbol for it ("self", "other", "result"); the node saw version
    `expected` when it saved the tensor, and the tensor is at `version` now.
    """

    name: str
    value: Value
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
    "post_accumulate"."""

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
    """The node failed; this is the last event of its backward pass."""

    node: Any
    type: str
    message: str


Event = Forward | Seed | Start | Hook | Formula | Reduce | Accumulate | LeafGradient | Free | Error
"""One thing that happened. `node` is the graph's own node object."""


class Trace:
    """The events of everything that ran while it was recording, oldest first."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._shots: dict[int, tuple[Any, int, Value]] = {}

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
        saved = tuple(
            [
                SavedValue(name, self.shot(array, version), expected, version)
                for name, array, expected, version in node._kept_values()
            ]
        )
        self.events.append(Start(node, self.shots(gradients), saved))
        return saved

    def applied(self, node: Any, outgoing: Sequence[Any]) -> None:
        self.events.append(Formula(node, self.shots(outgoing)))

    def failed(self, node: Any, error: Exception) -> None:
        self.events.append(Error(node, type(error).__name__, str(error)))

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
        self.forget(gradients)  # the leaf may take it over
        leaf = node.variable
        before = None if leaf._grad is None else snapshot(leaf._grad._array)
        self.events.append(Start(node, (arrived,), ()))
        run(*gradients)
        if leaf._requires_grad:
            after = arrived if before is None else snapshot(leaf._grad._array)
            self.events.append(LeafGradient(node, before, arrived, after))
        for hook in (leaf._post_hooks or {}).values():
            self.events.append(Hook(node, "post_accumulate", name_of_hook(hook), (), ()))

    def retained(self, node: Any, g: Any) -> None:
        kept = self.shots((g,))
        self.events.append(Hook(node, "retain_grad", "", kept, kept))

    def hooked(self, node: Any, kind: str, hook: Any, *args: Any) -> Any:
        """Call `hook`, and note what it made of its first argument: a gradient or several."""
        given = args[0] if isinstance(args[0], tuple) else (args[0],)
        before = self.shots(given)
        self.forget(given)  # the hook may write to it
        result = hook(*args)
        after = given if result is None else result if isinstance(result, tuple) else (result,)
        # (What is no tensor is for whoever called to refuse.)
        seen = self.shots([getattr(each, "_array", None) for each in after])
        self.events.append(Hook(node, kind, name_of_hook(hook), before, seen))
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

    def forget(self, gradients: Sequence[Any]) -> None:
        """Let go of gradients that someone else may write to from now on."""
        for g in gradients:
            self._shots.pop(id(raw(g)), None)

    def end_pass(self) -> None:
        """A backward pass is over: let go of its arrays."""
        self._shots.clear()

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
def recording(*, forward: bool = False) -> Iterator[Trace]:
    """`minigrad.autograd.record`, which says more."""
    before, trace = (modes.recorder, modes.lines, modes.watch), Trace()
    modes.recorder, modes.lines = trace, True
    modes.watch = trace.computed if forward else modes.level
    try:
        yield trace
    finally:
        modes.recorder, modes.lines, modes.watch = before
