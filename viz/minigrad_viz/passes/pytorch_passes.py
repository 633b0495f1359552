"""Recording a backward pass of PyTorch, in the events of minigrad's own recorder.

PyTorch's engine keeps no record, but it calls hooks: before a node runs, after it has run, and when
a leaf has its gradient. So every node of the graph gets hooks that only look, put before, between
and after the reader's own, and taken out again when the pass is over. What they see are the
engine's own gradients; the pass must not notice them, by a bit of its result or otherwise.

Two things happen where no hook looks. What waits in front of a node is added up inside the engine:
the same sums, in the same order, are made here, and what the node then starts with is the engine's
own. And the engine itself undoes a broadcast between formula and hook, so a `Formula` shows what
came out of it afterwards and there is no `Reduce`. A tensor hook is seen by name if the reader has
a variable for its tensor; otherwise only by what it changed.

PyTorch is never imported here: whoever has a tensor of it has imported it. How a forward pass is
watched, pytorch_forward.py says.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

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
    said_by,
)

from .autograd_nodes import is_accumulate, saved_tensors
from .graph_model import Walk
from .names import made_by
from .pytorch_modes import unseen
from .pytorch_saved import saved_values
from .values import bare, is_wrapper, value_of


def is_pytorch(tensor: Any) -> bool:
    """Is this a tensor of PyTorch?"""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(tensor, torch.Tensor)


def record_pytorch(
    graph: Walk,
    tensors: Sequence[Any],
    gradients: Sequence[Any],
    run: Callable[[], None],
    inputs: Sequence[Any],
) -> tuple[list[Event], Exception | None]:
    """Call `run`, a backward pass over `graph` that begins at `tensors`; with `inputs`, it runs
    only as far as is needed for theirs.

    Returns what happened, and the exception that ended it, if one did. One that is raised before
    any node has its turn says that the call was wrong, and is not caught.
    """
    error: Exception | None = None
    with unseen():
        recorder = Recorder(graph, inputs)
        seeds = recorder.seeds(tensors, gradients)
    try:
        with unseen():
            recorder.watch()
        try:
            run()
        except Exception as raised:
            with unseen():
                if not recorder.failed(raised):
                    raise
            error = raised
        else:
            recorder.finish()
    finally:
        with unseen():
            recorder.stop()
    if recorder.trouble is not None:
        if error is not None:
            raise error
        what = f"{type(recorder.trouble).__name__}: {recorder.trouble}"
        raise RuntimeError(f"the backward pass is over, but could not be recorded ({what})")
    return seeds + recorder.events, error


Place = tuple[int, int]
"""An autograd node, by identity, and one of its outputs: where gradients are added up."""

Values = tuple[Value | None, ...]


class Watched(NamedTuple):
    """A dictionary of hooks into which watchers have been put."""

    hooks: dict[int, Any]
    last: int
    """The key of the last watcher: what comes behind it was added since."""


class Turn:
    """What is known of the node that is at work. Of its gradients nothing is kept but numbers: who
    keeps a tensor forbids AccumulateGrad to take it over as `.grad`.
    """

    def __init__(self, node: Any) -> None:
        self.node = node
        self.hooks: list[str] = []
        """Names of the hooks of the reader's that are still to be called, of the `kind` at work."""
        self.kind = ""
        """Which hooks are at work: "tensor", "node_pre", ...; "" while the formula is."""
        self.arrived: dict[int, Values] = {}
        """What tensor hooks have made of the gradient, by the place of the node's result."""
        self.shown: Values = ()
        """The gradients as the last hook left them."""
        self.given: Values = ()
        """The gradients that the node runs on."""
        self.started: int | None = None
        """The place of its Start among the events."""
        self.grad: Value | None = None
        """An accumulate node's leaf: its `.grad` before."""
        self.written = False
        self.saved: tuple[str, ...] = ()
        self.outgoing: tuple[Any, ...] | None = None
        """What it hands on, once it has run."""


class Recorder:
    """The hooks of one backward pass, and what they have seen so far.

    They look and do nothing else: what they return is None, they keep no gradient longer than the
    engine does, and an error of theirs never reaches the pass.
    """

    def __init__(self, graph: Walk, inputs: Sequence[Any]) -> None:
        self.torch = sys.modules["torch"]
        self.events: list[Event] = []
        self.turn: Turn | None = None
        self.task: int | None = None  # PyTorch's number for the pass; one within it has another
        self.trouble: Exception | None = None
        nodes = graph.model.nodes
        self.nodes = [graph.objects[n.id] for n in nodes if n.kind in ("function", "accumulate")]
        known = {id(node) for node in self.nodes}
        # The reader's variables, and the leaves: the tensors whose own hooks can be told.
        self.tensors: dict[Place, list[Any]] = {}
        for tensor in {id(tensor): tensor for tensor in (*graph.names, *inputs)}.values():
            node, index = made_by(tensor)
            if id(node) in known:
                self.tensors.setdefault((id(node), index), []).append(tensor)
        for node in self.nodes:
            if is_accumulate(node):
                self.tensors[(id(node), 0)] = [node.variable]
        self.runs = self.leading_to(inputs) if inputs else known
        self.waiting: dict[Place, Any] = {}
        self.begun: list[Any] = []  # the nodes that the pass begins at
        self.ran: set[int] = set()
        self.handles: list[Any] = []
        self.pre: dict[int, Watched] = {}  # node -> its pre-hooks

    def leading_to(self, inputs: Sequence[Any]) -> set[int]:
        """The nodes that have to run for the gradients of `inputs`."""
        wanted = {id(each) for each in inputs}
        found = [node for node in self.nodes if is_accumulate(node) and id(node.variable) in wanted]
        found += [made_by(each)[0] for each in inputs if made_by(each)[0] is not None]
        above: dict[int, list[Any]] = {}
        for node in self.nodes:
            for target, _ in node.next_functions:
                above.setdefault(id(target), []).append(node)
        runs: set[int] = set()
        while found:
            node = found.pop()
            if id(node) not in runs:
                runs.add(id(node))
                found += above.get(id(node), ())
        return runs

    def note(self, event: Event) -> None:
        self.events.append(event)

    # --- Putting the hooks in, and taking them out

    def watch(self) -> None:
        known: dict[int, list[tuple[int, Any]]] = {}
        for (node_id, index), tensors in self.tensors.items():
            hooked = [(index, tensor) for tensor in tensors if tensor._backward_hooks]
            known.setdefault(node_id, []).extend(hooked)
        for node in self.nodes:
            for index, tensor in known.get(id(node), ()):
                begin = partial(self.hooks_begin, index)
                self.surround(tensor.register_hook, node, "tensor", begin, index=index)
            self.pre[id(node)] = self.surround(
                node.register_prehook, node, "node_pre", self.arrive, self.start
            )

    def surround(
        self,
        register: Callable[[Any], Any],
        node: Any,
        kind: str,
        first: Callable[..., None],
        last: Callable[..., None] | None = None,
        index: int = 0,
    ) -> Watched:
        """Let `first` be called before the hooks that are there, `last` after all of them, and
        `hook_ran` after each.
        """
        names: dict[int, str] = {}  # of the reader's hooks that are called this time

        def begin(*given: Any) -> None:
            names.update((key, names_of[key]) for key in names_of if key in hooks)
            self.look(partial(first, node), given)
            if self.turn is not None and self.is_mine():
                self.turn.kind, self.turn.hooks = kind, list(names.values())

        def after(key: int, *given: Any) -> None:
            if key in names:  # else another hook has removed it before its turn
                self.look(partial(self.hook_ran, node, kind, names.pop(key), index), given)

        handle = register(begin)
        hooks = handle.hooks_dict_ref()
        self.handles.append(handle)
        names_of = {key: getattr(h, "__name__", "") for key, h in hooks.items() if key != handle.id}
        order = [handle.id]
        for key in names_of:
            watcher = register(partial(after, key))
            self.handles.append(watcher)
            order += [key, watcher.id]
        if last is not None:
            handle = register(lambda *given: self.look(partial(last, node), given))
            self.handles.append(handle)
            order.append(handle.id)
        # Hooks are called in the order in which they entered the dictionary.
        ordered = [(key, hooks[key]) for key in order]
        hooks.clear()
        hooks.update(ordered)
        return Watched(hooks, order[-1])

    def stop(self) -> None:
        for handle in self.handles:
            handle.remove()
        self.handles.clear()

    def is_mine(self) -> bool:
        """Does this pass call, and not one that a hook or a formula has begun within it?"""
        task = self.torch._C._current_graph_task_id()
        if self.task is None:
            self.task = task
        return bool(task == self.task)

    def look(self, see: Callable[..., None], given: tuple[Any, ...]) -> None:
        if self.trouble is None and self.is_mine():
            self.guarded(see, *given)

    def guarded(self, see: Callable[..., None], *given: Any) -> None:
        try:
            with unseen():
                see(*given)
        except Exception as error:  # it is the pass that matters
            self.trouble = error

    def finish(self) -> None:
        """The pass is over."""
        if self.trouble is None:
            self.guarded(self.hand_on)

    # --- What the hooks do, in the order in which they are called at a node

    def hooks_begin(self, index: int, node: Any, gradient: Any) -> None:
        """Before the first hook of a tensor."""
        turn = self.turn_of(node)
        turn.shown = turn.arrived[index] = shots((gradient,))

    def hook_ran(self, node: Any, kind: str, name: str, index: int, *seen: Any) -> None:
        """After each hook of the reader's."""
        turn = self.turn_of(node)
        turn.hooks = turn.hooks[1:]
        now = seen[0].grad if kind == "post_accumulate" else seen[0]
        before, turn.shown = turn.shown, shots(as_tuple(now))
        if kind == "tensor":
            turn.arrived[index] = turn.shown
        self.note(Hook(node, kind, name, before, turn.shown))

    def arrive(self, node: Any, gradients: tuple[Any, ...]) -> None:
        """Before the first pre-hook: tensor hooks and retain_grad are done."""
        turn = self.turn_of(node)
        turn.shown = shots(gradients)
        for index, gradient in enumerate(gradients):
            now = (turn.shown[index],)
            sum_here = self.waiting.pop((id(node), index), None)
            if index in turn.arrived:
                before, changed = turn.arrived[index], not alike(turn.arrived[index], now)
            else:
                changed = sum_here is not None and not self.same(sum_here, gradient)
                before = shots((sum_here,)) if changed else now
            if changed:
                self.note(Hook(node, "tensor", "", before, now))
            tensors = self.tensors.get((id(node), index), ())
            if gradient is not None and any(tensor.retains_grad for tensor in tensors):
                self.note(Hook(node, "retain_grad", "", now, now))

    def start(self, node: Any, gradients: tuple[Any, ...]) -> None:
        """After the last pre-hook: the node runs."""
        turn = self.turn_of(node)
        turn.kind, turn.given = "", turn.shown
        saved: tuple[SavedValue, ...] = ()
        if is_accumulate(node):
            leaf = node.variable
            turn.grad = None if leaf.grad is None else value_of(leaf.grad)
            if leaf._post_accumulate_grad_hooks:
                register = leaf.register_post_accumulate_grad_hook
                self.surround(register, node, "post_accumulate", self.leaf)
        else:
            saved = saved_values(node)
            turn.saved = tuple(value.name for value in saved)
        turn.started = len(self.events)
        self.note(Start(node, turn.given, saved))
        # Only now: the hooks of the reader's that ran so far may have added some here.
        self.surround(node.register_hook, node, "node_post", self.has_run, self.end)

    def leaf(self, node: Any, leaf: Any) -> None:
        """Before the first hook of a leaf that has its gradient."""
        self.write(self.turn_of(node))

    def write(self, turn: Turn) -> None:
        """An accumulate node has added to its leaf's `.grad`, if anything has arrived."""
        leaf, turn.written = turn.node.variable, True
        turn.shown = (None if leaf.grad is None else value_of(leaf.grad),)
        (after,) = turn.shown
        if leaf.requires_grad and turn.given[0] is not None and after is not None:
            self.note(LeafGradient(turn.node, turn.grad, turn.given[0], after))

    def has_run(self, node: Any, outgoing: tuple[Any, ...], incoming: tuple[Any, ...]) -> None:
        """Before the first post-hook: the formula has been applied."""
        turn = self.turn_of(node)
        watched = self.pre[id(node)]
        if next(reversed(watched.hooks)) != watched.last:
            self.restart(turn, shots(incoming))
        if is_accumulate(node):
            if not turn.written:
                self.write(turn)
        elif any(g is not None for g in (*turn.given, *outgoing)):
            self.note(Formula(node, shots(outgoing)))
        turn.shown = shots(outgoing)

    def restart(self, turn: Turn, given: Values) -> None:
        """Pre-hooks that were added in this pass have run after `start`: what they made of the
        gradients is what the node has run on.
        """
        if turn.started is None or alike(turn.given, given):
            return
        start: Any = self.events[turn.started]
        late: list[Event] = [
            Hook(turn.node, "node_pre", "", turn.given, given),
            start._replace(incoming=given),
        ]
        for event in self.events[turn.started + 1 :]:
            if isinstance(event, LeafGradient) and given[0] is not None:
                event = event._replace(added=given[0])
            late.append(event)
        self.events[turn.started :] = late
        turn.given = given

    def end(self, node: Any, outgoing: tuple[Any, ...], incoming: tuple[Any, ...]) -> None:
        """After the last post-hook."""
        turn = self.turn_of(node)
        turn.kind, turn.outgoing = "over", outgoing
        self.ran.add(id(node))

    # --- Between the hooks

    def turn_of(self, node: Any) -> Turn:
        """`node` is at work, so what other nodes have computed has been handed on."""
        if self.turn is None or node is not self.turn.node:
            self.hand_on()
            self.turn = Turn(node)
        return self.turn

    def hand_on(self) -> None:
        """Tell the end of a turn: what the node freed, what it handed on."""
        turn = self.turn
        if turn is None or turn.outgoing is None:
            return
        node, outgoing, turn.outgoing = turn.node, turn.outgoing, None
        if turn.saved:
            lost = {name for name, value in saved_tensors(node) if value == "freed"}
            freed = tuple(name for name in turn.saved if name.partition("[")[0] in lost)
            if freed:
                self.note(Free(node, freed))
        for slot, (target, index) in enumerate(node.next_functions):
            if id(target) in self.runs and slot < len(outgoing) and outgoing[slot] is not None:
                self.add(node, slot, target, int(index), outgoing[slot])

    def add(self, node: Any, slot: int, target: Any, index: int, added: Any) -> None:
        place = (id(target), index)
        before = self.waiting.get(place)
        after = self.waiting[place] = self.sum(before, added)
        first = None if before is None else value_of(before)
        self.note(Accumulate(node, slot, target, index, first, value_of(added), value_of(after)))

    def sum(self, before: Any, added: Any) -> Any:
        if before is None or is_wrapper(before) or is_wrapper(added):
            return added
        before, added = bare(before), bare(added)
        if self.is_usual(before, added) and before.shape != added.shape:
            return added
        if before.is_sparse and not added.is_sparse:  # PyTorch has no such sum
            before, added = added, before
        with self.torch.no_grad():
            return before + added

    def seeds(self, tensors: Sequence[Any], gradients: Sequence[Any]) -> list[Event]:
        """What the pass will begin with. What cannot be, PyTorch itself will refuse."""
        events: list[Event] = []
        for tensor, gradient in zip(tensors, gradients, strict=True):
            seed = self.torch.ones_like(bare(tensor)) if gradient is None else gradient
            if is_pytorch(seed):
                node, index = tensor.grad_fn, int(tensor.output_nr)
                self.begun.append(node)
                self.waiting[(id(node), index)] = self.sum(
                    self.waiting.get((id(node), index)), seed
                )
                events.append(Seed(node, index, value_of(seed)))
        return events

    def same(self, a: Any, b: Any) -> bool:
        """Are these gradients equal, but for the last digits? What cannot be compared is."""
        if b is None:
            return False
        if a is b or not self.is_usual(a, b):
            return True
        a, b = bare(a), bare(b)
        if a.is_complex() and not b.is_complex():
            a = a.real
        # The engine gives a gradient the element type of its tensor.
        return a.shape == b.shape and bool(self.torch.allclose(a.to(b.dtype), b, equal_nan=True))

    def is_usual(self, *tensors: Any) -> bool:
        """Have all of them a shape and numbers that can be compared?"""
        strided = self.torch.strided
        return not any(
            is_wrapper(t) or t.is_nested or t.is_meta or t.layout is not strided for t in tensors
        )

    # --- A pass that fails

    def failed(self, error: Exception) -> bool:
        """Note at which node and hook the pass failed. False: before any node had its turn."""
        if self.trouble is not None:
            return True
        turn, hook = self.turn, ""
        called = called_by_the_engine(error)
        if (turn is None or turn.kind == "over") and called is not None:
            # No node is at work, and still the engine has called something: the hooks of a tensor
            # that the reader has no variable for come before all others at the next node.
            self.hand_on()
            node = self.next_node()
            if node is not None:
                turn, hook = self.turn_of(node), f"tensor: {called}"
        elif turn is not None and turn.kind not in ("", "over"):
            name = turn.hooks[0] if turn.hooks else called or ""
            hook = f"{turn.kind}: {name}" if name else turn.kind
        if turn is None:
            return False
        self.hand_on()
        self.note(Error(turn.node, type(error).__name__, said_by(error), hook))
        return True

    def next_node(self) -> Any:
        """The node that the engine takes next: the newest to which everything has come; None if
        that cannot be told.
        """
        above: dict[int, list[Any]] = {}
        reached: dict[int, Any] = {}
        stack = list(self.begun)
        while stack:
            node = stack.pop()
            if id(node) in reached or id(node) not in self.runs:
                continue
            reached[id(node)] = node
            for target, _ in node.next_functions:
                if target is not None:
                    above.setdefault(id(target), []).append(node)
                    stack.append(target)
        ready = [
            node
            for node in reached.values()
            if id(node) not in self.ran
            and all(id(each) in self.ran for each in above.get(id(node), ()))
        ]
        newest = max((int(node._sequence_nr()) for node in ready), default=0)
        found = [node for node in ready if int(node._sequence_nr()) == newest]
        return found[0] if len(found) == 1 else None


def called_by_the_engine(error: Exception) -> str | None:
    """The name of the Python function that PyTorch's engine has called and that raised `error`;
    None if the error is the engine's own.
    """
    trace, inside = error.__traceback__, False
    while trace is not None:
        code = trace.tb_frame.f_code
        if inside:
            return code.co_name
        inside = code.co_name == "_engine_run_backward"
        trace = trace.tb_next
    return None


def alike(one: Values, other: Values) -> bool:
    """Are these the same numbers?"""
    return len(one) == len(other) and all(map(_equal, one, other))


def _equal(one: Value | None, other: Value | None) -> bool:
    if one is None or other is None or one.data is None or other.data is None:
        return one == other
    return one.shape == other.shape and np.array_equal(one.data, other.data, equal_nan=True)


def as_tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def shots(tensors: Sequence[Any]) -> tuple[Value | None, ...]:
    return tuple(None if tensor is None else value_of(tensor) for tensor in tensors)
