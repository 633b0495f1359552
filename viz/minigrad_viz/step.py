"""step(loss): run the real backward pass, recorded, and go through it forwards and backwards.

The pass runs once, here, by the engine that always runs it; what can be stepped through afterwards
is its recording. So `.grad` is written and saved tensors are freed, as by `loss.backward()`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from minigrad import trace as tr
from minigrad.tensor import Tensor

from .captions import LANGUAGES, Language
from .frames import frames
from .graph import Walk, walk
from .layout import LayoutError, NoEngine, check_engine, optional
from .picture import TooLarge
from .svg import svg

if TYPE_CHECKING:
    from .stepper import Stepper


def step(
    tensor: Any,
    gradient: Any = None,
    *,
    names: object = None,
    retain_graph: bool | None = None,
    language: Language = "en",
    engine: str | None = None,
) -> Stepper:
    """Run `tensor.backward(gradient, retain_graph=...)` and show every step of it.

    names     a dict of name to tensor, or a module; without it, the names of the caller's variables
    language  of captions and controls: "en" or "zh"
    engine    what lays out the graph: "pygraphviz" or "dot"

    A backward pass that fails on its way is shown up to the failure, which is then the last step.
    What is wrong from the start is raised: TypeError if `tensor` is not a tensor of minigrad,
    ValueError if no operation made it or for an unknown language, and what `backward` itself says
    about `gradient`.
    """
    if language not in LANGUAGES:
        raise ValueError(f"language must be one of {', '.join(map(repr, LANGUAGES))}")
    check_engine(engine)
    _check_recordable(tensor)
    graph = walk(tensor, names=names, frame=sys._getframe(1), who="step")
    optional("anywidget")
    from .stepper import Stepper

    leaves = {
        node.id: _value(graph.objects[node.id])
        for node in graph.model.nodes
        if node.kind in ("root", "leaf")
    }
    events, error = _run(tensor, gradient, retain_graph, graph)
    try:
        picture = svg(graph.model, engine=engine)
    except (NoEngine, ImportError, TooLarge, LayoutError):
        picture = ""
    payload = frames(graph, events, leaves=leaves, svg=picture, language=language)
    return Stepper(payload, error)


def _check_recordable(tensor: Any) -> None:
    if isinstance(tensor, Tensor):
        return
    if type(tensor).__module__.partition(".")[0] == "torch":
        raise TypeError(
            "step() records minigrad's engine, and this is a tensor of PyTorch: draw() and tree() "
            "show its graph"
        )
    raise TypeError(f"step() needs a tensor of minigrad, not a {type(tensor).__name__}")


def _run(
    tensor: Any, gradient: Any, retain_graph: bool | None, graph: Walk
) -> tuple[list[tr.Event], Exception | None]:
    """The pass itself. An error after the walk has begun is part of the story, before it is not."""
    with tr.record() as trace:
        try:
            tensor.backward(gradient, retain_graph=retain_graph)
        except Exception as error:
            if not trace.events:
                raise
            last = trace.events[-1]
            if not isinstance(last, tr.Error):
                trace.events.append(tr.Error(last.node, type(error).__name__, str(error)))
            return trace.events, error
    return trace.events, None


def _value(tensor: Any) -> tr.Value:
    """The tensor's numbers at this moment."""
    return tr.snapshot(tensor.detach().cpu().numpy())
