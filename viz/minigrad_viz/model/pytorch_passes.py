"""Recording a backward pass of PyTorch, in the events of minigrad's own recorder.

PyTorch's engine keeps no record, but it calls hooks: before a node runs, after it has run, and when
a leaf has its gradient. So every node of the graph gets hooks that only look, put before, between
and after the reader's own, and taken out again when the pass is over. What they see are the
engine's own gradients.

Two things happen where no hook looks. What waits in front of a node is added up inside the engine:
the same sums, in the same order, are made here, and what the node then starts with is the engine's
own. And the engine itself undoes a broadcast between formula and hook, so a `Formula` shows what
came out of it afterwards and there is no `Reduce`. A tensor hook is seen by name if the reader has
a variable for its tensor; otherwise only by what it changed.

PyTorch is never imported here: whoever has a tensor of it has imported it. How a forward pass is
watched, pytorch_forward.py says.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from minigrad.autograd.events import (
    Accumulate,
    Error,
    Event,
    Formula,
    Free,
    Hook,
    LeafGradient,
    SavedValue,
    Seed,
    Start,
    Value,
)

from .autograd_nodes import is_accumulate, saved_tensors
from .graph_model import Walk
from .names import made_by
from .rules import saved_order
from .values import value_of


def is_pytorch(tensor: Any) -> bool:
    """Is this a tensor of PyTorch?"""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(tensor, torch.Tensor)


def record_pytorch(
    graph: Walk, tensors: Sequence[Any], gradients: Sequence[Any], run: Callable[[], None]
) -> tuple[list[Event], Exception | None]:
    """Call `run`, a backward pass over `graph` that begins at `tensors`.

    Returns what happened, and the exception that ended it, if one did. One that is raised before
    any node has its turn says that the call was wrong, and is not caught.
    """
    recorder = Recorder(graph)
    seeds = recorder.seeds(tensors, gradients)
    try:
        recorder.watch()
        try:
            run()
        except Exception as error:
            if recorder.current is None:
                raise
            recorder.hand_on()
            recorder.note(Error(recorder.current, type(error).__name__, str(error)))
            return seeds + recorder.events, error
        recorder.hand_on()
        return seeds + recorder.events, None
    finally:
        recorder.stop()


Place = tuple[int, int]
"""An autograd node, by identity, and one of its outputs: where gradients are added up."""


class Recorder:
    """The hooks of one backward pass, and what they have seen so far."""

    def __init__(self, graph: Walk) -> None:
        self.torch = sys.modules["torch"]
        self.events: list[Event] = []
        self.current: Any = None
        nodes = graph.model.nodes
        self.nodes = [graph.objects[n.id] for n in nodes if n.kind in ("function", "accumulate")]
        known = {id(node) for node in self.nodes}
        # The reader's variables, and the leaves: the tensors whose own hooks can be told.
        self.tensors: dict[Place, list[Any]] = {}
        for tensor in {id(tensor): tensor for tensor in graph.names}.values():
            node, index = made_by(tensor)
            if id(node) in known:
                self.tensors.setdefault((id(node), index), []).append(tensor)
        for node in self.nodes:
            if is_accumulate(node):
                self.tensors[(id(node), 0)] = [node.variable]
        self.waiting: dict[Place, Any] = {}
        self.given: dict[int, tuple[Any, ...]] = {}  # node -> the gradients that it runs on
        self.shown: tuple[Any, ...] = ()  # the gradients as the last hook left them
        self.over: list[tuple[Any, tuple[Any, ...]]] = []  # nodes that ran; their gradients
        self.before: dict[int, Value | None] = {}  # accumulate node -> the leaf's old gradient
        self.names: dict[int, list[str]] = {}  # node -> the names of what it saved
        self.handles: list[Any] = []

    def note(self, event: Event) -> None:
        self.events.append(event)

    # --- Putting the hooks in, and taking them out

    def watch(self) -> None:
        known: dict[int, list[Any]] = {}
        for (node_id, _), tensors in self.tensors.items():
            known.setdefault(node_id, []).extend(t for t in tensors if t._backward_hooks)
        for node in self.nodes:
            for tensor in known.get(id(node), ()):
                self.surround(tensor.register_hook, node, "tensor", self.hooks_begin)
            self.surround(node.register_prehook, node, "node_pre", self.arrive, self.start)
            self.surround(node.register_hook, node, "node_post", self.ran)
            if is_accumulate(node) and node.variable.requires_grad:
                register = node.variable.register_post_accumulate_grad_hook
                self.surround(register, node, "post_accumulate", self.leaf)

    def surround(
        self,
        register: Callable[[Any], Any],
        node: Any,
        kind: str,
        first: Callable[..., None],
        last: Callable[..., None] | None = None,
    ) -> None:
        """Let `first` be called before the hooks that are there, `last` after all of them, and
        `hook_ran` after each.
        """
        handle = register(partial(first, node))
        hooks = handle.hooks_dict_ref()
        self.handles.append(handle)
        order = [handle.id]
        for key in [key for key in hooks if key != handle.id]:
            name = getattr(hooks[key], "__name__", "")
            watcher = register(partial(self.hook_ran, node, kind, name))
            self.handles.append(watcher)
            order += [key, watcher.id]
        if last is not None:
            handle = register(partial(last, node))
            self.handles.append(handle)
            order.append(handle.id)
        # Hooks are called in the order in which they entered the dictionary.
        ordered = [(key, hooks[key]) for key in order]
        hooks.clear()
        hooks.update(ordered)

    def stop(self) -> None:
        for handle in self.handles:
            handle.remove()
        self.handles.clear()

    # --- What the hooks do, in the order in which they are called at a node

    def hooks_begin(self, node: Any, gradient: Any) -> None:
        """Before the first hook of a tensor."""
        self.turn_of(node)
        self.shown = (gradient,)

    def hook_ran(self, node: Any, kind: str, name: str, *seen: Any) -> None:
        """After each hook of the reader's."""
        self.turn_of(node)
        before, self.shown = self.shown, () if kind == "post_accumulate" else as_tuple(seen[0])
        self.note(Hook(node, kind, name, shots(before), shots(self.shown)))

    def arrive(self, node: Any, gradients: tuple[Any, ...]) -> None:
        """Before the first pre-hook: tensor hooks and retain_grad are done."""
        self.turn_of(node)
        for index, gradient in enumerate(gradients):
            place = (id(node), index)
            sum_here = self.waiting.pop(place, None)
            tensors = self.tensors.get(place, ())
            told = any(tensor._backward_hooks for tensor in tensors)
            if not told and sum_here is not None and not self.same(sum_here, gradient):
                self.note(Hook(node, "tensor", "", shots((sum_here,)), shots((gradient,))))
            if gradient is not None and any(tensor.retains_grad for tensor in tensors):
                self.note(Hook(node, "retain_grad", "", shots((gradient,)), shots((gradient,))))
        self.shown = gradients

    def start(self, node: Any, gradients: tuple[Any, ...]) -> None:
        """After the last pre-hook: the node runs."""
        self.turn_of(node)
        self.given[id(node)] = gradients
        if is_accumulate(node):
            if gradients[0] is not None:
                old = node.variable.grad
                self.before[id(node)] = None if old is None else value_of(old)
                self.note(Start(node, shots(gradients), ()))
            return
        saved = saved_values(node)
        self.names[id(node)] = [value.name for value in saved]
        self.note(Start(node, shots(gradients), saved))

    def leaf(self, node: Any, leaf: Any) -> None:
        """Before the first hook of a leaf that has its gradient."""
        self.turn_of(node)
        (added,) = shots(self.given[id(node)])
        assert added is not None
        self.note(LeafGradient(node, self.before[id(node)], added, value_of(leaf.grad)))
        self.shown = ()

    def ran(self, node: Any, outgoing: tuple[Any, ...], incoming: tuple[Any, ...]) -> None:
        """Before the first post-hook: the formula has been applied."""
        self.turn_of(node)
        given = self.given.pop(id(node), ())
        if not is_accumulate(node) and any(g is not None for g in (*given, *outgoing)):
            self.note(Formula(node, shots(outgoing)))
        self.shown = outgoing
        # Without hooks of the reader's, nothing will change the gradients any more.
        self.over.append((node, outgoing))

    # --- Between the hooks

    def turn_of(self, node: Any) -> None:
        """`node` is at work, so what other nodes have computed has been handed on."""
        if node is not self.current:
            self.hand_on()
            self.current = node

    def hand_on(self) -> None:
        """Tell the end of the turn of each node that has run: what it freed, what it handed on."""
        for node, outgoing in self.over:
            if node is self.current and self.shown is not outgoing:
                outgoing = self.shown  # as the last post-hook left them
            lost = {name for name, value in saved_tensors(node) if isinstance(value, str)}
            saved = self.names.pop(id(node), ())
            if freed := tuple(name for name in saved if name.partition("[")[0] in lost):
                self.note(Free(node, freed))
            for slot, (target, index) in enumerate(node.next_functions):
                if target is not None and slot < len(outgoing) and outgoing[slot] is not None:
                    self.add(node, slot, target, int(index), outgoing[slot])
        self.over.clear()

    def add(self, node: Any, slot: int, target: Any, index: int, added: Any) -> None:
        place = (id(target), index)
        before = self.waiting.get(place)
        after = self.waiting[place] = self.sum(before, added)
        first = None if before is None else value_of(before)
        self.note(Accumulate(node, slot, target, index, first, value_of(added), value_of(after)))

    def sum(self, before: Any, added: Any) -> Any:
        if before is None or before.shape != added.shape:
            return added
        with self.torch.no_grad():
            return before.detach() + added.detach()

    def seeds(self, tensors: Sequence[Any], gradients: Sequence[Any]) -> list[Event]:
        """What the pass will begin with. What cannot be, PyTorch itself will refuse."""
        events: list[Event] = []
        for tensor, gradient in zip(tensors, gradients, strict=True):
            seed = self.torch.ones_like(tensor.detach()) if gradient is None else gradient
            if is_pytorch(seed):
                node, index = tensor.grad_fn, int(tensor.output_nr)
                self.waiting[(id(node), index)] = self.sum(
                    self.waiting.get((id(node), index)), seed
                )
                events.append(Seed(node, index, value_of(seed)))
        return events

    def same(self, a: Any, b: Any) -> bool:
        """Are these gradients equal, but for the last digits?"""
        if b is None or a.shape != b.shape or a.layout is not b.layout:
            return False
        if a is b or a.layout is not self.torch.strided:
            return True
        return bool(self.torch.allclose(a.detach(), b.detach(), equal_nan=True))


def as_tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def shots(tensors: Sequence[Any]) -> tuple[Value | None, ...]:
    return tuple(None if tensor is None else value_of(tensor) for tensor in tensors)


def saved_values(node: Any) -> tuple[SavedValue, ...]:
    """The tensors that the node finds when it runs, in the order of its formula.

    One that has been changed in place is no longer handed out, but PyTorch's own wrapper around it
    still shows its numbers, and the refusal tells both versions.
    """
    found = {}
    for name, value in saved_tensors(node):
        if value == "changed":
            found.update(_changed(node, name))
        elif not isinstance(value, str):
            version = int(value._version)
            found[name] = SavedValue(name, value_of(value), version, version)
    order = saved_order(node)
    return tuple(sorted(found.values(), key=lambda saved: order.get(saved.name, len(order))))


def _changed(node: Any, name: str) -> dict[str, SavedValue]:
    """What was saved under `name`, at least one of whose tensors has been changed in place."""
    attribute = name if name == "saved_tensors" else f"_saved_{name}"
    raw = getattr(node, f"_raw{attribute if attribute[0] == '_' else '_' + attribute}", ())
    several = isinstance(raw, tuple | list)
    found = {}
    for place, wrapper in enumerate(raw if several else (raw,)):
        tensor = wrapper.data
        if tensor is None:
            continue
        version = expected = int(tensor._version)
        try:
            wrapper.unpack()
        except RuntimeError as refusal:
            if told := re.search(r"is at version (\d+); expected version (\d+)", str(refusal)):
                version, expected = map(int, told.groups())
        key = f"{name}[{place}]" if several else name
        found[key] = SavedValue(key, value_of(tensor), expected, version)
    return found
