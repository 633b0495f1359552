"""A backward pass, recorded: run by the engine that owns the graph, and, if asked, without a trace
left in `.grad`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from minigrad import Tensor
from minigrad.autograd import backward, record
from minigrad.autograd.events import Error, Event, Forward

from .graph_model import Walk
from .names import made_by
from .pytorch_forward import watch_pytorch
from .pytorch_passes import is_pytorch, record_pytorch
from .readable import check_callable
from .watch import watch


def record_pass(
    graph: Walk,
    tensors: Sequence[Any],
    gradients: Sequence[Any],
    retain_graph: bool | None,
    create_graph: bool,
) -> tuple[list[Event], Exception | None]:
    """One pass. An error after the walk has begun is part of the story, before it is not."""
    if is_pytorch(tensors[0]):
        run = sys.modules["torch"].autograd.backward
        return record_pytorch(
            graph, tensors, gradients, lambda: run(tensors, gradients, retain_graph, create_graph)
        )
    if not isinstance(tensors[0], Tensor):
        raise TypeError(
            f"step() needs a tensor of minigrad or PyTorch, not a {type(tensors[0]).__name__}"
        )
    with record() as trace:
        try:
            backward(tensors, gradients, retain_graph, create_graph)
        except Exception as error:
            if not trace.events:
                raise
            last = trace.events[-1]
            if not isinstance(last, Error):
                trace.events.append(Error(last.node, type(error).__name__, str(error)))
            return trace.events, error
    return trace.events, None


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
