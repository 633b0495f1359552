"""Record a backward pass of the reader's own engine, in the events of minigrad's recorder.

Such an engine has no recorder and no hooks, but it calls its own methods. During the pass, each
node's `backward` and `receive` (or each result's `walk`) are wrapped: the wrapper notes arguments
and results. So a step is a real call with its numbers, even where the engine is wrong. What no call
shows, such as freed tensors and kept gradients, is read from the objects at the next call.

model/own_engines.py lists what an engine must have.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minigrad.autograd.events import (
    Accumulate,
    Error,
    Event,
    Formula,
    Free,
    Hook,
    LeafGradient,
    Reduce,
    SavedValue,
    Seed,
    Start,
    Value,
    message_of,
    snapshot,
)

from ..model.autograd_nodes import is_accumulate
from ..model.graph_model import Walk
from ..model.own_engines import OwnNode, OwnTensor, array_of


def record_own(
    graph: Walk, root: OwnTensor, run: Callable[[], object]
) -> tuple[list[Event], Exception | None]:
    """Call `run`, a backward pass from `root`; return its events and the error that ended it.

    An error before the first node is raised.
    """
    recorder = Recorder(graph, root)
    try:
        recorder.watch()
        run()
        recorder.look(at_all=True)
    except Exception as error:
        if not recorder.events or isinstance(error, TooLong):
            raise
        recorder.failed(error)
        return recorder.events, error
    finally:
        recorder.stop()
    if not recorder.events:
        raise RuntimeError(
            f"backward() of this {type(root.of).__name__} has called none of its nodes: there is "
            "nothing to step through"
        )
    return recorder.events, None


MOST = 20_000
"""A recording ends here: to walk down every path may take forever."""


class TooLong(ValueError):
    """Raised inside the engine's calls, so what it has added to `.grad` stays there."""


class Turn:
    """A run of a node: the next edge to serve, and the result of its formula."""

    def __init__(self, node: OwnNode) -> None:
        self.node = node
        self.slot = 0
        self.outgoing: tuple[Any, ...] | None = None

    def edge_to(self, target: OwnNode) -> int | None:
        """Return the next edge that leads to `target`; None if there is none left."""
        edges = self.node.next_functions
        for slot in range(self.slot, len(edges)):
            if edges[slot][0] is target:
                self.slot = slot + 1
                return slot
        return None


class Recorder:
    """The wrapped methods of one pass, and the events so far."""

    def __init__(self, graph: Walk, root: OwnTensor) -> None:
        self.events: list[Event] = []
        nodes = graph.model.nodes
        self.nodes = [graph.objects[n.id] for n in nodes if n.kind in ("function", "accumulate")]
        self.wrapped: list[tuple[Any, str]] = []
        self.turns: list[Turn] = []
        """The running nodes of an engine that walks down every path, the innermost last.

        Of an engine that goes node by node, all nodes that have run.
        """
        self.last: Turn | None = None
        """The last run."""
        self.kept = {id(node): self.saved_names(node) for node in self.nodes}
        self.results = {id(t.of): t for t in graph.names if t.retains_grad}
        self.before = {key: t.of.grad for key, t in self.results.items()}

    def note(self, event: Event) -> None:
        if len(self.events) == MOST:
            raise TooLong(
                f"step() ends where a pass has more than {MOST:,} events, as this one has: in the "
                "middle of it. Take a smaller graph, or one with fewer paths"
            )
        self.events.append(event)

    # --- Wrapping

    def watch(self) -> None:
        for node in self.nodes:
            if node.paths:
                self.wrap(node, "walk", self.note_walk)
            else:
                self.wrap(node, "receive", self.note_arrival)
                self.wrap(node, "backward", self.note_run)

    def wrap(self, node: OwnNode, name: str, seen: Callable[..., Any]) -> None:
        method = getattr(node.of, name, None)
        if not callable(method):
            raise TypeError(
                f"step() cannot look on at this {type(node.of).__name__}, which has no {name}(g); "
                "model/own_engines.py says what an engine of your own must have"
            )

        def watched(*args: Any) -> Any:
            return seen(node, method, *args)

        setattr(node.of, name, watched)
        self.wrapped.append((node.of, name))

    def stop(self) -> None:
        for thing, name in self.wrapped:
            delattr(thing, name)

    # --- The wrapped methods

    def note_walk(self, node: OwnNode, walk: Callable[..., Any], g: Any) -> Any:
        """A result walks down every path, within the call of the result above it."""
        self.look()
        if self.turns:
            above = self.turns[-1]
            self.note_handover(above, node, None, g, g)
        else:
            self.note(Seed(node, 0, shot(g)))
        self.start(node, g)
        turn = Turn(node)
        self.turns.append(turn)
        self.last = turn
        leaf = node.variable.of if is_accumulate(node) else None
        before = None if leaf is None else leaf.grad
        walk(g)
        if leaf is not None and leaf.grad is not None:
            self.note(LeafGradient(node, shot_or_none(before), shot(g), shot(leaf.grad)))
        self.look()
        self.turns.pop()
        self.last = self.turns[-1] if self.turns else turn

    def note_arrival(self, node: OwnNode, receive: Callable[..., Any], g: Any) -> Any:
        """A gradient arrives at a node, and is added to those that wait there."""
        self.look()
        before = node.of.incoming
        receive(g)
        after = node.of.incoming
        if not self.turns:
            self.note(Seed(node, 0, shot(after)))
        else:
            self.note_handover(self.giver(node, g), node, before, g, after)

    def note_run(self, node: OwnNode, backward: Callable[..., Any], g: Any) -> Any:
        """A node's formula runs."""
        self.look()
        if not self.events:
            self.note(Seed(node, 0, shot(g)))
        self.start(node, g)
        turn = self.last = Turn(node)
        self.turns.append(turn)
        leaf = node.variable.of if is_accumulate(node) else None
        before = None if leaf is None else leaf.grad
        outgoing = backward(g)
        if leaf is not None:
            if leaf.grad is not None:
                after = shot(leaf.grad)
                self.note(LeafGradient(node, shot_or_none(before), shot(g), after))
        else:
            turn.outgoing = tuple(outgoing)
            self.note(Formula(node, tuple(map(shot_or_none, turn.outgoing))))
        return outgoing

    def giver(self, target: OwnNode, g: Any) -> Turn:
        """Return the run that gave the gradient, usually the last one.

        An engine may run other nodes in between.
        """
        for turn in reversed(self.turns):
            edges = turn.node.next_functions
            for slot, part in enumerate(turn.outgoing or ()):
                unserved = turn.slot <= slot < len(edges)
                if unserved and part is g and edges[slot][0] is target:
                    return turn
        return self.turns[-1]

    def start(self, node: OwnNode, g: Any) -> None:
        saved = tuple(
            SavedValue(name, shot(tensor), expected, version)
            for name, tensor, expected, version in node.saved()
        )
        self.note(Start(node, (shot(g),), saved))

    def note_handover(self, turn: Turn, target: OwnNode, before: Any, g: Any, after: Any) -> None:
        slot = turn.edge_to(target)
        if slot is None:
            return
        if turn.outgoing is not None and slot < len(turn.outgoing):
            given, arrived = shot(turn.outgoing[slot]), shot(g)
            if given.shape != arrived.shape:
                self.note(Reduce(turn.node, slot, given, arrived))
        first = shot_or_none(before)
        self.note(Accumulate(turn.node, slot, target, 0, first, shot(g), shot(after)))

    # --- State that no call shows

    def look(self, *, at_all: bool = False) -> None:
        """Note what the last node has freed, and which results have kept their gradient.

        After the pass, look `at_all` nodes.
        """
        ran = [self.last.node] if self.last is not None else []
        for node in self.nodes if at_all else ran:
            names = self.kept[id(node)]
            if names and not self.saved_names(node):
                self.kept[id(node)] = ()
                self.note(Free(node, names))
        for key, tensor in self.results.items():
            now = tensor.of.grad
            if now is not self.before[key]:
                self.before[key] = now
                kept = (shot(now),)
                self.note(Hook(tensor.grad_fn, "retain_grad", "", kept, kept))

    @staticmethod
    def saved_names(node: OwnNode) -> tuple[str, ...]:
        return tuple(name for name, *_ in node.saved())

    def failed(self, error: Exception) -> None:
        """Note that the last node has failed."""
        node = self.last.node if self.last is not None else self.events[-1].node
        self.note(Error(node, type(error).__name__, message_of(error)))


def shot(value: Any) -> Value:
    return snapshot(array_of(value.of if isinstance(value, OwnTensor) else value))


def shot_or_none(value: Any) -> Value | None:
    return None if value is None else shot(value)
