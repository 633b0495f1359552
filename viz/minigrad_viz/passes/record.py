"""A backward pass, recorded: run by the engine that owns the graph, and, if asked, without a trace
left in `.grad`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any
from warnings import catch_warnings, simplefilter

from minigrad.autograd import backward, record
from minigrad.autograd.events import Error, Event, Forward, Trace, recording, said_by

from .graph_model import Walk
from .names import made_by
from .own_engines import OwnTensor
from .own_passes import record_own
from .pytorch_forward import watch_pytorch
from .pytorch_modes import unseen
from .pytorch_passes import is_pytorch, record_pytorch
from .pytorch_writes import noticed
from .readable import check_callable
from .watch import watch


def record_pass(
    graph: Walk,
    tensors: Sequence[Any],
    gradients: Sequence[Any],
    retain_graph: bool | None,
    create_graph: bool,
    aside: SetAside | None = None,
    inputs: Sequence[Any] | None = None,
) -> tuple[list[Event], Exception | None]:
    """One pass. An error after the walk has begun is part of the story, before it is not. What
    the pass writes to and is not yet `aside` is set aside, if that is given. With `inputs`, it
    brings their gradients alone.
    """
    if isinstance(tensors[0], OwnTensor):
        return _record_own(graph, tensors, gradients, retain_graph, create_graph, inputs)
    if is_pytorch(tensors[0]):
        run = sys.modules["torch"].autograd.backward

        def backward_of_pytorch() -> None:
            with nullcontext() if aside is None else noticed(aside.take):
                run(tensors, gradients, retain_graph, create_graph, inputs=inputs)

        return record_pytorch(graph, tensors, gradients, backward_of_pytorch, inputs or ())
    with recording(kind=Trace if aside is None else partial(Rehearsal, aside)) as trace:
        try:
            backward(tensors, gradients, retain_graph, create_graph, inputs=inputs)
        except Exception as error:
            if not trace.events:
                raise
            last = trace.events[-1]
            if not isinstance(last, Error):
                trace.events.append(Error(last.node, type(error).__name__, said_by(error)))
            return trace.events, error
    return trace.events, None


def _record_own(
    graph: Walk,
    tensors: Sequence[Any],
    gradients: Sequence[Any],
    retain_graph: bool | None,
    create_graph: bool,
    inputs: Sequence[Any] | None,
) -> tuple[list[Event], Exception | None]:
    """One pass of the reader's own engine, whose `backward` may know no other argument than what is
    really given.
    """
    if len(tensors) > 1 or inputs is not None:
        raise TypeError("step() takes one result of an engine of your own, and no inputs")
    given = [g for g in gradients if g is not None]
    how = {"retain_graph": retain_graph} if retain_graph is not None else {}
    how |= {"create_graph": True} if create_graph else {}
    return record_own(graph, tensors[0], partial(tensors[0].of.backward, *given, **how))


def computed(function: Callable[[], Any], who: str) -> tuple[Any, list[Forward]]:
    """What `function` returns, and the operations that it took. TypeError, in the name of `who`, if
    that is nothing, or if it cannot be called without arguments.
    """
    check_callable(function, who)
    with watch(), record(forward=True) as trace, watch_pytorch(trace.events):
        result = function()
    if result is None:
        raise TypeError(
            f"the function given to {who}() must return the tensor that it computes, and returned "
            "None. If it calls backward() itself, let it return the loss instead"
        )
    return result, [event for event in trace if isinstance(event, Forward)]


class SetAside:
    """The originals of every `.grad` that a pass may write to; the pass writes to copies.

    Without `last_hooks`, no hook runs that waits for a leaf to have its gradient: it comes too late
    to change one, and may take an optimizer's step with what is only a rehearsal's.
    """

    def __init__(self, graph: Walk, *, last_hooks: bool = True) -> None:
        self.originals: dict[int, tuple[Any, Any]] = {}
        self.own: dict[int, tuple[Any, Any]] = {}
        self.last_hooks = last_hooks
        self.hooks: list[tuple[dict[int, Any], dict[int, Any]]] = []
        leaves = (graph.objects[node.id] for node in graph.model.nodes if node.kind == "leaf")
        kept = (tensor for tensor in graph.names if made_by(tensor)[0] and tensor.retains_grad)
        with unseen():
            reached = [*leaves, *kept]
        for tensor in reached:
            self.take(tensor)

    def take(self, tensor: Any) -> None:
        """Put a copy in the place of the tensor's `.grad`, unless one is there already."""
        if isinstance(tensor, OwnTensor):  # its engine makes a new gradient for each sum
            self.own.setdefault(id(tensor.of), (tensor.of, tensor.of.grad))
        elif id(tensor) not in self.originals:
            with unseen():
                old = gradient_of(tensor)
                self.originals[id(tensor)] = tensor, old
                if old is not None:
                    tensor.grad = old.detach().clone()
                if not self.last_hooks and is_pytorch(tensor):
                    hooks = tensor._post_accumulate_grad_hooks or {}
                    self.hooks.append((hooks, dict(hooks)))
                    hooks.clear()

    def put_back(self) -> None:
        for hooks, before in self.hooks:
            hooks.update(before)
        with unseen():
            for tensor, original in (*self.originals.values(), *self.own.values()):
                tensor.grad = original


def gradient_of(tensor: Any) -> Any:
    """A tensor's `.grad`; a result that does not keep its own may have been given one."""
    if tensor.grad_fn is None or tensor.retains_grad:
        return tensor.grad
    with catch_warnings():  # that it is asked for is no mistake of the reader's
        simplefilter("ignore")
        return tensor.grad


class Rehearsal(Trace):
    """A recording that sets aside also what only the pass itself comes to: the leaves of a pass
    within the pass, and results without a name that keep their gradient.
    """

    def __init__(self, aside: SetAside) -> None:
        super().__init__()
        self.aside = aside

    def accumulate(self, node: Any, run: Callable[..., object], gradients: Sequence[Any]) -> None:
        self.aside.take(node.variable)
        super().accumulate(node, run, gradients)

    def retained(self, node: Any, tensor: Any, g: Any) -> None:
        self.aside.take(tensor)
        super().retained(node, tensor, g)

    def hooked(self, node: Any, kind: str, hook: Any, *args: Any) -> Any:
        if kind == "post_accumulate" and not self.aside.last_hooks:
            return None
        return super().hooked(node, kind, hook, *args)
