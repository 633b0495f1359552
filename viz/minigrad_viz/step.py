"""step(loss): run the real backward pass, recorded, and go through it forwards and backwards.

The pass runs once, here, by the engine that always runs it; what can be stepped through afterwards
is its recording. So `.grad` is written and saved tensors are freed, as by `loss.backward()`, unless
the reader asks for a rehearsal. A forward pass is over when its result is there; who wants to step
through it as well gives the function that computes the result.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from minigrad import recording as tr
from minigrad.autograd import backward
from minigrad.tensor import Tensor

from . import pytorch
from .frames import frames
from .graph import Walk, walk
from .language import chosen
from .layout import LayoutError, NoEngine, check_engine, optional
from .names import is_tensor, made_by
from .picture import TooLarge
from .pictures import add_pictures
from .values import value_of

if TYPE_CHECKING:
    from .stepper import Stepper


def step(
    tensor: Any,
    gradient: Any = None,
    *,
    names: object = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    in_turn: bool = False,
    keep_grad: bool = True,
    language: str | None = None,
    engine: str | None = None,
    fold: bool | None = None,
) -> Stepper:
    """Run `tensor.backward(gradient, retain_graph=...)` and show every step of it.

    tensor    of minigrad or PyTorch; or a list of them, with a list of gradients: one pass from all
              of them, as by `autograd.backward`; or a function without arguments that computes
              the one or the other: `step(lambda: f(x))` goes through its operations first
    in_turn   for a list: call backward() on one after the other instead
    keep_grad without it, every `.grad` is put back as it was before: the same tensor with the same
              numbers (saved tensors are freed all the same, unless `retain_graph`)
    names     a dict of name to tensor, or a module; without it, the names of the caller's variables
    language  of captions and controls: "en" or "zh"; without it, what the environment variable
              MINIGRAD_LANGUAGE says, else English
    engine    what lays out the graph: "pygraphviz" or "dot"
    fold      show what a module computes, and operations that repeat, as boxes that open at a
              click; without it, graphs of more than 1,500 nodes are folded

    A backward pass that fails on its way is shown up to the failure, which is then the last step.
    What is wrong from the start is raised: TypeError if `tensor` is no tensor, ValueError if no
    operation made it or for an unknown language, and what `backward` itself says about `gradient`.
    """
    spoken = chosen(language)
    check_engine(engine)
    events: list[tr.Event] = []
    if callable(tensor) and not is_tensor(tensor):
        tensor, events = _computed(tensor)
    several = isinstance(tensor, list | tuple)
    tensors = list(tensor) if several else [tensor]
    gradients = list(gradient) if several and gradient is not None else [gradient] * len(tensors)
    if not tensors or len(gradients) != len(tensors):
        raise ValueError(f"step() got {len(tensors)} tensors and {len(gradients)} gradients")
    graph = walk(*tensors, names=names, frame=sys._getframe(1), who="step")
    if len({pytorch.is_pytorch(each) for each in tensors}) > 1:
        raise TypeError("step() needs tensors of one library, not of both")
    optional("anywidget")
    from .stepper import Stepper

    leaves = {
        node.id: value_of(graph.objects[node.id])
        for node in graph.model.nodes
        if node.kind in ("root", "leaf")
    }
    passes = [(tensors, gradients)]
    if in_turn:
        passes = [([t], [g]) for t, g in zip(tensors, gradients, strict=True)]
    put_back = None if keep_grad else set_aside(graph)
    error = None
    try:
        for roots, seeds in passes:
            seen, error = record_pass(graph, roots, seeds, retain_graph, create_graph)
            events += seen
            if error is not None:
                break
    finally:
        if put_back is not None:
            put_back()
    payload = frames(graph, events, leaves=leaves, svg="", language=spoken, rehearsal=not keep_grad)
    with suppress(NoEngine, ImportError, TooLarge, LayoutError):  # the rest is worth showing
        add_pictures(payload, graph.model, fold, engine)
    return Stepper(payload, error)


def _computed(function: Callable[[], Any]) -> tuple[Any, list[tr.Event]]:
    """What `function` returns, and the operations that it took."""
    with tr.record(forward=True) as trace, pytorch.watched(trace.events):
        result = function()
    return result, [event for event in trace if isinstance(event, tr.Forward)]


def record_pass(
    graph: Walk,
    tensors: Sequence[Any],
    gradients: Sequence[Any],
    retain_graph: bool | None,
    create_graph: bool,
) -> tuple[list[tr.Event], Exception | None]:
    """One pass. An error after the walk has begun is part of the story, before it is not."""
    if pytorch.is_pytorch(tensors[0]):
        run = sys.modules["torch"].autograd.backward
        return pytorch.record(
            graph, tensors, gradients, lambda: run(tensors, gradients, retain_graph, create_graph)
        )
    if not isinstance(tensors[0], Tensor):
        raise TypeError(
            f"step() needs a tensor of minigrad or PyTorch, not a {type(tensors[0]).__name__}"
        )
    with tr.record() as trace:
        try:
            backward(tensors, gradients, retain_graph, create_graph)
        except Exception as error:
            if not trace.events:
                raise
            last = trace.events[-1]
            if not isinstance(last, tr.Error):
                trace.events.append(tr.Error(last.node, type(error).__name__, str(error)))
            return trace.events, error
    return trace.events, None


def set_aside(graph: Walk) -> Callable[[], None]:
    """Let the pass write to copies of every `.grad`; the function that is returned puts the
    originals back.
    """
    leaves = [graph.objects[node.id] for node in graph.model.nodes if node.kind == "leaf"]
    kept = [tensor for tensor in graph.names if made_by(tensor)[0] and tensor.retains_grad]
    aside = [(tensor, tensor.grad) for tensor in {id(t): t for t in (*leaves, *kept)}.values()]
    for tensor, old in aside:
        if old is not None:
            tensor.grad = old.detach().clone()

    def put_back() -> None:
        for tensor, old in aside:
            tensor.grad = old

    return put_back
