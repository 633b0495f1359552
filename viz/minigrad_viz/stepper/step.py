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
from typing import TYPE_CHECKING, Any, cast

from minigrad.autograd.events import Event, sketched_by

from ..explain.explain import reason_of
from ..model.either_library import AnyTensor, GivenNames, OwnResult
from ..model.graph_model import walk
from ..model.last_line import last_line
from ..model.names import is_tensor
from ..model.optional_packages import optional
from ..model.own_engines import OwnTensor, adopted
from ..model.passes import SetAside, computed, record_pass
from ..model.pytorch_modes import unseen
from ..model.pytorch_passes import is_pytorch
from ..model.readable import is_any
from ..model.sketches import sketch
from ..model.values import value_of
from ..picture.engines import LayoutError, NoEngine, check_engine
from ..picture.placement import TooLarge
from ..texts.language import chosen
from .frames import frames
from .memory_lane import Lane
from .payload_pictures import add_pictures

if TYPE_CHECKING:
    from .widget import Stepper

Tensors = AnyTensor | OwnResult | Sequence[AnyTensor]


def step(
    tensor: Tensors | Callable[[], Tensors],
    gradient: AnyTensor | Sequence[AnyTensor | None] | Sequence[float] | None = None,
    *,
    names: GivenNames | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Tensors | None = None,
    in_turn: bool = False,
    keep_grad: bool = True,
    language: str | None = None,
    engine: str | None = None,
    fold: bool | None = None,
) -> Stepper:
    """Run `tensor.backward(gradient, retain_graph=..., inputs=...)` and show every step of it.

    tensor    of minigrad or PyTorch; or a list of them, with a list of gradients: one pass from all
              of them, as by `autograd.backward`; or a function without arguments that computes
              the one or the other: `step(lambda: f(x))` goes through its operations first. What
              PyTorch computes in it, or inside `with watch():`, is shown with its code and modules;
              or a result of an engine of your own, if it has what model/own_engines.py says
    inputs    a tensor or a list: as for `backward`, they alone take gradients, and only what lies
              between runs, as by `autograd.grad(tensor, inputs)`; the others' `.grad` is left alone
    in_turn   for a list: call backward() on one after the other instead
    keep_grad without it, every `.grad` is put back as it was before: the same tensor with the same
              numbers (saved tensors are freed all the same, unless `retain_graph`)
    names     a dict of name to tensor, or a module; without it, the names of the caller's variables
    language  of captions and controls: "en" or "zh"; without it, what the environment variable
              MINIGRAD_LANGUAGE says, else English
    engine    what lays out the graph: "pygraphviz", "dot" or, in a browser, "viz.js"
    fold      show what a module computes, and operations that repeat, as boxes that open at a
              click; without it, graphs of more than 1,500 nodes are folded

    A backward pass that fails on its way is shown up to the failure, which is then the last step.
    What is wrong from the start is raised: TypeError if `tensor` is no tensor, ValueError if no
    operation made it or for an unknown language, and what `backward` itself says about `gradient`.
    """
    spoken = chosen(language)
    check_engine(engine)
    events: list[Event] = []
    if callable(tensor) and not is_tensor(tensor):
        with sketched_by(sketch):
            tensor, operations = computed(tensor, "step")
        events += operations
    several = is_any(tensor, list, tuple)
    tensors: list[Any] = list(cast(Sequence[AnyTensor], tensor)) if several else [tensor]
    gradients: list[Any] = [gradient] * len(tensors)
    if several and gradient is not None:
        if not is_any(gradient, list, tuple):
            raise TypeError(
                f"step() needs a list of gradients for a list of tensors, not a "
                f"{type(gradient).__name__}"
            )
        gradients = list(cast(Sequence[AnyTensor | None], gradient))
    tensors = adopted(tensors)
    if not tensors or len(gradients) != len(tensors):
        raise ValueError(f"step() got {len(tensors)} tensors and {len(gradients)} gradients")
    caller = sys._getframe(1)
    graph = walk(*tensors, names=names, frame=caller, who="step", language=spoken, hooks=True)
    if len({is_pytorch(each) for each in tensors}) > 1:
        raise TypeError("step() needs tensors of one library, not of both")
    optional("anywidget")
    from .widget import Stepper

    with unseen(), sketched_by(sketch):
        leaves = {
            node.id: value_of(graph.objects[node.id])
            for node in graph.model.nodes
            if node.kind in ("root", "leaf")
        }
        before = {
            node.id: None if (kept := graph.objects[node.id].grad) is None else value_of(kept)
            for node in graph.model.nodes
            if node.kind == "leaf"
        }
    lane = Lane(graph)
    passes = [(tensors, gradients)]
    if in_turn:
        passes = [([t], [g]) for t, g in zip(tensors, gradients, strict=True)]
    aside = None if keep_grad else SetAside(graph)
    wanted: list[Any] | None = None
    if inputs is not None:
        wanted = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
    for each in wanted or ():
        if not is_tensor(each):
            raise TypeError(f"step() needs tensors as inputs, not a {type(each).__name__}")
        if aside is not None:
            aside.take(each)
    error = None
    try:
        for roots, seeds in passes:
            with sketched_by(sketch):
                seen, error = record_pass(
                    graph, roots, seeds, retain_graph, create_graph, aside, wanted
                )
            events += seen
            if error is not None:
                break
    finally:
        if aside is not None:
            aside.put_back()
    with unseen():
        last_lines = {
            edge.target: last_line(graph.objects[edge.source], caller)
            for edge in graph.model.edges
            if edge.kind == "root"
        }
    payload = frames(
        graph,
        events,
        leaves=leaves,
        gradients=before,
        svg="",
        language=spoken,
        rehearsal=not keep_grad,
        last_lines=last_lines,
    )
    lane.add_to(payload)
    last = payload["events"][-1] if payload["events"] else None
    if error is not None and last is not None and last["kind"] == "error":
        own = isinstance(tensors[0], OwnTensor)
        if not own and (reason := reason_of(error, tensors, names, caller, spoken)):
            last["reason"] = reason
    with suppress(NoEngine, ImportError, TooLarge, LayoutError):  # the rest is worth showing
        add_pictures(payload, graph.model, fold, engine)
    try:
        return Stepper(payload, error)
    finally:
        del error  # whose traceback leads back here: a circle would keep the graph alive
