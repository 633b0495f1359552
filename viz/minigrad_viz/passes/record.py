"""Record a backward pass, run by the engine that owns the graph.

A rehearsal leaves every `.grad` as it was.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from types import FrameType
from typing import Any
from warnings import catch_warnings, simplefilter

from minigrad.autograd import backward, record
from minigrad.autograd.events import Error, Event, Forward, Trace, message_of, recording

from ..model.either_library import is_pytorch, outside_modes
from ..model.graph_model import Walk
from ..model.names import given_names, is_tensor, made_by
from ..model.own_engines import OwnTensor
from ..model.readable import check_callable, is_any
from .own_passes import record_own
from .python_calls import leaves_of_call
from .pytorch_forward import watch_pytorch
from .pytorch_passes import record_pytorch
from .pytorch_writes import before_writes
from .watch import watch


def pair_gradients(who: str, tensor: Any, gradient: Any) -> tuple[list[Any], list[Any]]:
    """Return the roots of a pass and a gradient for each, from one tensor or a list of them.

    Raises:
        TypeError: there is a list of tensors and no list of gradients.
        ValueError: there are no tensors, or another number of gradients.
    """
    several = is_any(tensor, list, tuple)
    tensors = list(tensor) if several else [tensor]
    gradients = [gradient] * len(tensors)
    if several and gradient is not None:
        if not is_any(gradient, list, tuple):
            raise TypeError(
                f"{who}() needs a list of gradients for a list of tensors, not a "
                f"{type(gradient).__name__}"
            )
        gradients = list(gradient)
    if not tensors or len(gradients) != len(tensors):
        raise ValueError(f"{who}() got {len(tensors)} tensors and {len(gradients)} gradients")
    return tensors, gradients


def read_inputs(who: str, inputs: Any) -> list[Any] | None:
    """Return the tensors that alone take gradients, or None if all leaves do."""
    if inputs is None:
        return None
    wanted = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
    for each in wanted:
        if not is_tensor(each):
            raise TypeError(f"{who}() needs tensors as inputs, not a {type(each).__name__}")
    return wanted


def record_pass(
    graph: Walk,
    tensors: Sequence[Any],
    gradients: Sequence[Any],
    retain_graph: bool | None,
    create_graph: bool,
    aside: SetAside | None = None,
    inputs: Sequence[Any] | None = None,
) -> tuple[list[Event], Exception | None]:
    """Run one pass; return its events and the error that ended it, if one did.

    An error before the first node runs is raised. With `aside`, every `.grad` that the pass writes
    is set aside first. With `inputs`, only their gradients are computed.
    """
    if isinstance(tensors[0], OwnTensor):
        return _record_own(graph, tensors, gradients, retain_graph, create_graph, inputs)
    if is_pytorch(tensors[0]):
        run = sys.modules["torch"].autograd.backward

        def backward_of_pytorch() -> None:
            with nullcontext() if aside is None else before_writes(aside.take):
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
                trace.events.append(Error(last.node, type(error).__name__, message_of(error)))
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
    """Run one pass of the reader's own engine, whose `backward` gets only the given arguments."""
    if len(tensors) > 1 or inputs is not None:
        raise TypeError("step() takes one result of an engine of your own, and no inputs")
    given = [g for g in gradients if g is not None]
    how = {"retain_graph": retain_graph} if retain_graph is not None else {}
    how |= {"create_graph": True} if create_graph else {}
    return record_own(graph, tensors[0], partial(tensors[0].of.backward, *given, **how))


def record_forward(function: Callable[[], Any], who: str) -> tuple[Any, list[Forward]]:
    """Return the result of `function` and its operations.

    Raises:
        TypeError: the result is None, or the function needs arguments; the message names `who`.
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


def record_named(
    function: Callable[[], Any], who: str, names: Any, frame: FrameType
) -> tuple[Any, list[Forward], Any]:
    """Return the result of `function`, its operations, and names that include its own leaves.

    Names that the caller has given stay as they are.
    """
    with leaves_of_call(function) as leaves:
        result, events = record_forward(function, who)
    if names is None and leaves:
        names = given_names(None, frame)
        for name, leaf in leaves.values():
            names.add(name, leaf)
    return result, events, names


class SetAside:
    """The originals of every `.grad` that a pass may write; the pass writes copies.

    Without `last_hooks`, no post-accumulate hook runs. It could not change a gradient any more, and
    might take an optimizer's step with the gradients of a rehearsal.
    """

    def __init__(self, graph: Walk, *, last_hooks: bool = True) -> None:
        self.originals: dict[int, tuple[Any, Any]] = {}
        self.own: dict[int, tuple[Any, Any]] = {}
        self.last_hooks = last_hooks
        self.hooks: list[tuple[dict[int, Any], dict[int, Any]]] = []
        leaves = (graph.objects[node.id] for node in graph.model.nodes if node.kind == "leaf")
        kept = (tensor for tensor in graph.names if made_by(tensor)[0] and tensor.retains_grad)
        with outside_modes():
            reached = [*leaves, *kept]
        for tensor in reached:
            self.take(tensor)

    def take(self, tensor: Any) -> None:
        """Replace the tensor's `.grad` by a copy, once."""
        if isinstance(tensor, OwnTensor):  # its engine makes a new gradient for each sum
            self.own.setdefault(id(tensor.of), (tensor.of, tensor.of.grad))
        elif id(tensor) not in self.originals:
            with outside_modes():
                old = gradient_of(tensor)
                self.originals[id(tensor)] = tensor, old
                if old is not None:
                    tensor.grad = old.detach().clone()
                if not self.last_hooks and is_pytorch(tensor):
                    from .._pytorch import post_accumulate_hooks

                    hooks = post_accumulate_hooks(tensor)
                    self.hooks.append((hooks, dict(hooks)))
                    hooks.clear()

    def put_back(self) -> None:
        for hooks, before in self.hooks:
            hooks.update(before)
        with outside_modes():
            for tensor, original in (*self.originals.values(), *self.own.values()):
                tensor.grad = original


def gradient_of(tensor: Any) -> Any:
    """Return a tensor's `.grad`; a program may have set that of a result, too."""
    if tensor.retains_grad or tensor.grad_fn is None:  # a forbidden write has left no grad_fn
        return tensor.grad
    with catch_warnings():  # PyTorch's warning would not concern the reader
        simplefilter("ignore")
        return tensor.grad


class Rehearsal(Trace):
    """A recording that sets aside what the pass reaches besides the leaves of the graph.

    These are the leaves of a pass within the pass, and results without a name that keep their
    gradient.
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
