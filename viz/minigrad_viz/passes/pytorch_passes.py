"""Record a backward pass of PyTorch, in the events of minigrad's own recorder.

PyTorch's engine has no recorder, but it calls hooks: before and after a node runs, and when a leaf
has its gradient. Every node of the graph gets hooks that only observe, before, between and after
the reader's own; they are removed after the pass. They see the engine's own gradients, and change
no bit of the result.

Two steps are invisible to hooks. The engine sums the gradients that wait for a node; the same sums
are computed here in the same order, and the node's Start has the engine's own. The engine undoes
broadcasting between formula and hook, so a `Formula` has the reduced gradient, and there is no
`Reduce`. A tensor hook has a name if the tensor is a variable of the reader's; otherwise only its
effect shows.

PyTorch is never imported here: a program with a tensor of PyTorch has imported it.
pytorch_forward.py observes a forward pass.
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
    message_of,
)

from ..model.autograd_nodes import is_accumulate, saved_tensors
from ..model.either_library import is_pytorch, outside_modes, sequence_number
from ..model.graph_model import Walk
from ..model.names import made_by
from ..model.values import bare, is_wrapper, value_of
from .pytorch_saved import saved_values


def record_pytorch(
    graph: Walk,
    tensors: Sequence[Any],
    gradients: Sequence[Any],
    run: Callable[[], None],
    inputs: Sequence[Any],
) -> tuple[list[Event], Exception | None]:
    """Call `run`, a backward pass over `graph` from `tensors`, and to `inputs` alone if given.

    Return its events, and the error that ended it, if one did. An error before the first node means
    that the call was wrong, and is raised.
    """
    error: Exception | None = None
    with outside_modes():
        recorder = Recorder(graph, inputs)
        seeds = recorder.seeds(tensors, gradients)
    try:
        with outside_modes():
            recorder.watch()
        try:
            run()
        except Exception as raised:
            with outside_modes():
                if not recorder.failed(raised):
                    raise
            error = raised
        else:
            recorder.finish()
    finally:
        with outside_modes():
            recorder.stop()
    if recorder.trouble is not None:
        if error is not None:
            raise error
        what = f"{type(recorder.trouble).__name__}: {recorder.trouble}"
        raise RuntimeError(f"the backward pass is over, but could not be recorded ({what})")
    return seeds + recorder.events, error


Place = tuple[int, int]
"""A node by `id`, and one of its outputs, where gradients are summed."""

Values = tuple[Value | None, ...]


class Watched(NamedTuple):
    """A dictionary of hooks with observing hooks among them."""

    hooks: dict[int, Any]
    last: int
    """The key of the last observing hook; later keys were added since."""


class Turn:
    """A run of a node. Only numbers of its gradients are stored.

    A reference to the tensor would keep AccumulateGrad from using it as `.grad`.
    """

    def __init__(self, node: Any) -> None:
        self.node = node
        self.hooks: list[str] = []
        """Names of the reader's hooks of this `kind` that are still to run."""
        self.kind = ""
        """The hooks that are running: "tensor", "node_pre", ...; "" during the formula."""
        self.arrived: dict[int, Values] = {}
        """The gradients after tensor hooks, by the index of the node's result."""
        self.shown: Values = ()
        """The gradients after the last hook."""
        self.given: Values = ()
        """The gradients that the formula gets."""
        self.started: int | None = None
        """The index of its Start among the events."""
        self.grad: Value | None = None
        """The `.grad` of an accumulate node's leaf before the run."""
        self.written = False
        self.saved: tuple[str, ...] = ()
        self.outgoing: tuple[Any, ...] | None = None
        """The gradients that it has returned."""


class Recorder:
    """The observing hooks of one backward pass, and the events so far.

    The hooks return None, and hold no gradient longer than the engine does. An error of theirs
    never reaches the pass.
    """

    def __init__(self, graph: Walk, inputs: Sequence[Any]) -> None:
        from .. import _pytorch

        self.torch, self.private = sys.modules["torch"], _pytorch
        self.events: list[Event] = []
        self.turn: Turn | None = None
        self.task: int | None = None  # the number of the pass; one within it has another
        self.trouble: Exception | None = None
        nodes = graph.model.nodes
        self.nodes = [graph.objects[n.id] for n in nodes if n.kind in ("function", "accumulate")]
        known = {id(node) for node in self.nodes}
        # The reader's variables and the leaves: tensors whose hooks have names.
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
        """Return the nodes that must run for the gradients of `inputs`."""
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

    # --- Registering and removing the hooks

    def watch(self) -> None:
        known: dict[int, list[tuple[int, Any]]] = {}
        for (node_id, index), tensors in self.tensors.items():
            hooked = [(index, tensor) for tensor in tensors if self.private.tensor_hooks(tensor)]
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
        """Register `first` before the existing hooks, `last` behind, `hook_ran` after each."""
        names: dict[int, str] = {}  # of the reader's hooks that run this time

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
        """Whether this pass is running, and no pass within it."""
        task = self.private.pass_number()
        if self.task is None:
            self.task = task
        return bool(task == self.task)

    def look(self, see: Callable[..., None], given: tuple[Any, ...]) -> None:
        if self.trouble is None and self.is_mine():
            self.guarded(see, *given)

    def guarded(self, see: Callable[..., None], *given: Any) -> None:
        try:
            with outside_modes():
                see(*given)
        except Exception as error:  # the pass must go on
            self.trouble = error

    def finish(self) -> None:
        """The pass is over."""
        if self.trouble is None:
            self.guarded(self.hand_on)

    # --- The observing hooks, in the order in which they run at a node

    def hooks_begin(self, index: int, node: Any, gradient: Any) -> None:
        """Run before the first hook of a tensor."""
        turn = self.turn_of(node)
        turn.shown = turn.arrived[index] = shots((gradient,))

    def hook_ran(self, node: Any, kind: str, name: str, index: int, *seen: Any) -> None:
        """Run after each hook of the reader's."""
        turn = self.turn_of(node)
        turn.hooks = turn.hooks[1:]
        now = seen[0].grad if kind == "post_accumulate" else seen[0]
        before, turn.shown = turn.shown, shots(as_tuple(now))
        if kind == "tensor":
            turn.arrived[index] = turn.shown
        self.note(Hook(node, kind, name, before, turn.shown))

    def arrive(self, node: Any, gradients: tuple[Any, ...]) -> None:
        """Run before the first pre-hook, after tensor hooks and retain_grad."""
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
        """Run after the last pre-hook, just before the formula."""
        turn = self.turn_of(node)
        turn.kind, turn.given = "", turn.shown
        saved: tuple[SavedValue, ...] = ()
        if is_accumulate(node):
            leaf = node.variable
            turn.grad = None if leaf.grad is None else value_of(leaf.grad)
            if self.private.post_accumulate_hooks(leaf):
                register = leaf.register_post_accumulate_grad_hook
                self.surround(register, node, "post_accumulate", self.leaf)
        else:
            saved = saved_values(node)
            turn.saved = tuple(value.name for value in saved)
        turn.started = len(self.events)
        self.note(Start(node, turn.given, saved))
        # Only now, since the reader's hooks so far may have added post-hooks.
        self.surround(node.register_hook, node, "node_post", self.has_run, self.end)

    def leaf(self, node: Any, leaf: Any) -> None:
        """Run before the first post-accumulate hook of a leaf."""
        self.write(self.turn_of(node))

    def write(self, turn: Turn) -> None:
        """Note that an accumulate node has added to its leaf's `.grad`, if a gradient arrived."""
        leaf, turn.written = turn.node.variable, True
        turn.shown = (None if leaf.grad is None else value_of(leaf.grad),)
        (after,) = turn.shown
        if leaf.requires_grad and turn.given[0] is not None and after is not None:
            self.note(LeafGradient(turn.node, turn.grad, turn.given[0], after))

    def has_run(self, node: Any, outgoing: tuple[Any, ...], incoming: tuple[Any, ...]) -> None:
        """Run before the first post-hook, just after the formula."""
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
        """Correct the Start if pre-hooks that were added in this pass changed the gradients."""
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
        """Run after the last post-hook."""
        turn = self.turn_of(node)
        turn.kind, turn.outgoing = "over", outgoing
        self.ran.add(id(node))

    # --- Between the hooks

    def turn_of(self, node: Any) -> Turn:
        """Return the run of `node`; the runs before it have handed on their gradients."""
        if self.turn is None or node is not self.turn.node:
            self.hand_on()
            self.turn = Turn(node)
        return self.turn

    def hand_on(self) -> None:
        """Note the end of a run: what the node has freed, and where its gradients went."""
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
        """Return the Seeds of the pass; PyTorch itself refuses wrong ones."""
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
        """Whether gradients are equal but for the last digits, or cannot be compared."""
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
        """Whether all tensors have shapes and numbers that can be compared."""
        strided = self.torch.strided
        return not any(
            is_wrapper(t) or t.is_nested or t.is_meta or t.layout is not strided for t in tensors
        )

    # --- A pass that fails

    def failed(self, error: Exception) -> bool:
        """Note at which node and hook the pass failed; return False if before the first node."""
        if self.trouble is not None:
            return True
        turn, hook = self.turn, ""
        called = called_by_the_engine(error)
        if (turn is None or turn.kind == "over") and called is not None:
            # Between two nodes, the engine has called a hook of a tensor without a variable, which
            # runs before all others at the next node.
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
        self.note(Error(turn.node, type(error).__name__, message_of(error), hook))
        return True

    def next_node(self) -> Any:
        """Return the node that the engine runs next: the newest one that waits for nothing more.

        None if several are equally new.
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
        newest = max((sequence_number(node) for node in ready), default=0)
        found = [node for node in ready if sequence_number(node) == newest]
        return found[0] if len(found) == 1 else None


def called_by_the_engine(error: Exception) -> str | None:
    """Return the name of the Python function that the engine has called and that raised `error`.

    None if the error is the engine's own.
    """
    from .._pytorch import ENGINE_CALL

    trace, inside = error.__traceback__, False
    while trace is not None:
        code = trace.tb_frame.f_code
        if inside:
            return code.co_name
        inside = code.co_name == ENGINE_CALL
        trace = trace.tb_next
    return None


def alike(one: Values, other: Values) -> bool:
    """Whether these are the same numbers."""
    return len(one) == len(other) and all(map(_equal, one, other))


def _equal(one: Value | None, other: Value | None) -> bool:
    if one is None or other is None or one.data is None or other.data is None:
        return one == other
    return one.shape == other.shape and np.array_equal(one.data, other.data, equal_nan=True)


def as_tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def shots(tensors: Sequence[Any]) -> tuple[Value | None, ...]:
    return tuple(None if tensor is None else value_of(tensor) for tensor in tensors)
