"""The recorder: the engine's steps as a list of events, to be read afterwards.

A backward pass is over before anyone can watch it. Inside `with recording() as trace:` the engine
appends one event for each step, in order, with a snapshot of the numbers. The stepper draws this
list alone, so it cannot show a step that did not happen.

Each event names its node and is immutable. Without a recorder the engine pays one `is None` check
per node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ..arrays.snapshots import Value, message_of, snapshot
from .edges import place_of
from .modes import modes, rare
from .node import gradient_edge, unwrap
from .saved import PackedTensor


class SavedValue(NamedTuple):
    """A tensor that a node saved in the forward pass, as the node reads it when it runs.

    `name` is the tensor's symbol in the formula ("self", "other", "result"). The node saved version
    `expected`; the tensor is at `version` now. `value` is None where a saved-tensor hook has packed
    the tensor and the node did not unpack it.
    """

    name: str
    value: Value | None
    expected: int
    version: int


class Forward(NamedTuple):
    """An operation was computed and left `node` behind.

    `inputs` has one entry for each entry of `next_functions`; None stands for a value that is
    neither a tensor nor a number.
    """

    node: Any
    inputs: tuple[Value | None, ...]
    outputs: tuple[Value, ...]


class Seed(NamedTuple):
    """The walk begins: `gradient` is put into slot `index` of the root `node`."""

    node: Any
    index: int  # type: ignore[assignment]  # a place, not the method of a tuple
    gradient: Value


class Start(NamedTuple):
    """A node begins to run: its gradients are complete."""

    node: Any
    incoming: tuple[Value | None, ...]
    saved: tuple[SavedValue, ...]


class Hook(NamedTuple):
    """A hook ran.

    `kind` is "tensor", "retain_grad", "node_pre", "node_post" or "post_accumulate". For the last
    one, `before` and `after` are the leaf's `.grad`.
    """

    node: Any
    kind: str
    name: str
    before: tuple[Value | None, ...]
    after: tuple[Value | None, ...]


class Formula(NamedTuple):
    """The node's backward formula was applied. One gradient for each entry of `next_functions`."""

    node: Any
    outgoing: tuple[Value | None, ...]


class Reduce(NamedTuple):
    """Broadcasting was undone: the gradient for input `index` was summed to the input's shape."""

    node: Any
    index: int  # type: ignore[assignment]  # a place, not the method of a tuple
    before: Value
    after: Value


class Accumulate(NamedTuple):
    """`node` passes `added` to `target`.

    The sum that waits in the target's slot `index` changes from `before` to `after`.
    """

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
    """The node frees its saved tensors; a second backward through it is now an error."""

    node: Any
    names: tuple[str, ...]


class Error(NamedTuple):
    """The node failed, or a `hook` that it called ("tensor: clip").

    This is the last event of its backward pass.
    """

    node: Any
    type: str
    message: str
    hook: str = ""


Event = Forward | Seed | Start | Hook | Formula | Reduce | Accumulate | LeafGradient | Free | Error
"""One step of the engine. `node` is the graph's own node object."""


class Trace:
    """The events of everything that ran while the trace was recording, oldest first."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._shots: dict[int, tuple[Any, int, Value]] = {}
        self._packed: dict[PackedTensor, tuple[int, int]] = {}

    def computed(self, node: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Record an operation of the forward pass. (Its parameters follow its inputs.)"""
        if modes.level is not None:
            modes.level(node, inputs, outputs)
        if isinstance(node, type) or not node._edges:
            return  # it has left no node
        taken = inputs[: len(node._edges)]
        made = [out for out in outputs if hasattr(out, "_array")]
        if len(made) == 1 and made[0]._view is not None:
            # The history of a written view begins at the node that reads the view from its base.
            node = place_of(gradient_edge(made[0]))[0] or node
        self.events.append(
            Forward(node, tuple(map(_input, taken)), tuple(snapshot(out._array) for out in made))
        )

    # --- Methods that the engine calls. A gradient is an array, a Tensor or None.

    def seeded(self, node: Any, index: int, g: Any) -> None:
        self.events.append(Seed(node, index, snapshot(unwrap(g))))

    def started(self, node: Any, gradients: Sequence[Any]) -> tuple[SavedValue, ...]:
        """Record that a node begins; return its saved values."""
        saved: list[SavedValue] = []
        for name, kept, expected, version in node._kept_values():
            value = None
            if isinstance(kept, PackedTensor):  # only the node may unpack it
                self._packed[kept] = len(self.events), len(saved)
            else:
                value = self.shot(kept, version)
            saved.append(SavedValue(name, value, expected, version))
        self.events.append(Start(node, self.shots(gradients), tuple(saved)))
        return tuple(saved)

    def unpacked(self, packed: PackedTensor, tensor: Any) -> None:
        """Complete the node's Start event with a tensor that a hook has unpacked."""
        if packed in self._packed:
            at, place = self._packed.pop(packed)
            start: Any = self.events[at]
            saved = list(start.saved)
            saved[place] = saved[place]._replace(value=snapshot(tensor._array))
            self.events[at] = start._replace(saved=tuple(saved))

    def applied(self, node: Any, outgoing: Sequence[Any]) -> None:
        if not node.rule:  # a user's function may have written to its inputs
            self._shots.clear()
        self.events.append(Formula(node, self.shots(outgoing)))

    def failed(self, node: Any, error: Exception, hook: str = "") -> None:
        last = self.events[-1] if self.events else None
        if not (isinstance(last, Error) and last.node is node):  # else the hook has recorded it
            self.events.append(Error(node, type(error).__name__, message_of(error), hook))

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
        """Run an AccumulateGrad, and record how its leaf's `.grad` changes."""
        arrived = self.shot(gradients[0])
        self._shots.pop(id(unwrap(gradients[0])))  # the leaf may take it over
        leaf = node.variable
        before = None if leaf._grad is None else snapshot(leaf._grad._array)
        hooks, leaf._post_hooks = leaf._post_hooks, None  # each gets an event of its own below
        try:
            run(*gradients)
        finally:
            leaf._post_hooks = hooks
        if leaf._requires_grad:
            after = arrived if before is None else snapshot(leaf._grad._array)
            self.events.append(LeafGradient(node, before, arrived, after))
        node._pass_nothing()

    def retained(self, node: Any, tensor: Any, g: Any) -> None:
        """Record that the gradient `g` is about to be stored in `tensor.grad`."""
        kept = self.shots((g,))
        self.events.append(Hook(node, "retain_grad", "", kept, kept))

    def hooked(self, node: Any, kind: str, hook: Any, *args: Any) -> Any:
        """Call `hook`, and record what it did to its first argument.

        That is a gradient, a tuple of gradients, or a leaf with its `.grad`.
        """
        of_leaf, name = kind == "post_accumulate", name_of_hook(hook)

        def seen(after: Any) -> tuple[Value | None, ...]:
            # (The caller raises for a result that is not a tensor.)
            now = args[0]._grad if of_leaf else args[0] if after is None else after
            arrays = [getattr(g, "_array", None) for g in (now if type(now) is tuple else (now,))]
            return tuple([None if array is None else snapshot(array) for array in arrays])

        before = seen(None)
        self._shots.clear()  # the hook may write to it, and to tensors that share its memory
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
        """Return a `snapshot`, made once for an array that is read often.

        A gradient leaves one node, waits, and arrives at the next, and is not written on the way.
        For a tensor, `version` tells whether it was written.
        """
        array = unwrap(g)
        known = self._shots.get(id(array))
        if known is None or known[1] != version:
            # (Holding the array keeps its id from being reused.)
            known = self._shots[id(array)] = (array, version, snapshot(array))
        return known[2]

    def end_pass(self) -> None:
        """Free the arrays of a backward pass that is over."""
        self._shots.clear()
        self._packed.clear()

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)


def name_of_hook(hook: Any) -> str:
    return getattr(hook, "__name__", "")


def _input(value: Any) -> Value | None:
    """Return a snapshot of an operation's input, which may be a number."""
    if isinstance(value, bool | int | float):
        return snapshot(np.asarray(value))
    array = getattr(value, "_array", None)
    return None if array is None else snapshot(array)


@contextmanager
def recording(*, forward: bool = False, kind: Callable[[], Trace] = Trace) -> Iterator[Trace]:
    """Record events; `kind` makes the trace. See `minigrad.autograd.record`."""
    before, trace = (modes.recorder, modes.lines, modes.watch), kind()
    modes.recorder, modes.lines, rare.used = trace, True, True
    modes.watch = trace.computed if forward else modes.level
    try:
        yield trace
    finally:
        modes.recorder, modes.lines, modes.watch = before
