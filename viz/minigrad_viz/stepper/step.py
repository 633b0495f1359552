"""step(loss): run the real backward pass, recorded, and go through it forwards and backwards.

`step` runs the pass once and records it (`record`). The stepper that `show` makes of a recording
turns it into the data of a page (`payload`) when it is looked at.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..model.draws import Draws
from ..model.either_library import GivenNames
from ..model.names import is_tensor
from ..model.optional_packages import optional
from ..passes.rerun import Caller, Program
from ..picture.graphviz import check_layout
from ..texts.language import checked, current_language
from .nudge import Pushes
from .record import Gradients, Recording, Request, Tensors, record

if TYPE_CHECKING:
    from .widget import Stepper

VIEWS = ("versions", "memory", "scale", "steps", "waiting")
"""Parts that the plain view leaves out."""


def step(
    tensor: Tensors | Callable[[], Tensors],
    gradient: Gradients | None = None,
    *,
    names: GivenNames | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Tensors | None = None,
    in_turn: bool = False,
    keep_grad: bool = True,
    language: str | None = None,
    layout: str | None = None,
    fold: bool | None = None,
    show: str | Iterable[str] | None = None,
    nudge: bool = False,
) -> Stepper:
    """Run `tensor.backward(gradient, retain_graph=..., inputs=...)` and show every step of it.

    tensor    of minigrad or PyTorch. Or a list of tensors, with a list of gradients: one pass from
              all of them, as by `autograd.backward`. Or a function without arguments that computes
              either: `step(lambda: f(x))` shows its operations first, and what PyTorch computes in
              it, or inside `with watch():`, is shown with its code and modules. Or a result of an
              engine of your own that has what model/own_engines.py lists
    inputs    a tensor or a list: they alone take gradients, as for `backward`. Only the nodes
              between run, as by `autograd.grad(tensor, inputs)`, and no other `.grad` changes
    in_turn   for a list: call backward() on one after the other instead
    keep_grad if False, every `.grad` is put back as it was before: the same tensor with the same
              numbers. Saved tensors are still freed, unless `retain_graph`
    names     a dict of name to tensor, or a module; by default, the names of the caller's variables
    language  of captions and controls: "en" or "zh"; by default, that of `set_language`
    layout    what lays out the graph: "pygraphviz", "dot" or, in a browser, "viz.js"
    fold      whether the frames around modules, calls, iterations and lines are closed at first; by
              default, those are closed without which the graph would not fit
    show      "plain" for a first look: caption, code, graph and values alone; or what a plain view
              has besides, a name or several: "versions", "memory", "scale", "steps" (the list),
              "waiting" (gradients). By default, everything
    nudge     run the program again with up to 64 numbers pushed up and down, so that a saved page
              can show how far the result moves; by default, only `Stepper.nudge` runs it again

    A backward pass that fails on its way is shown up to the failure, which is the last step.

    Raises:
        TypeError: `tensor` is no tensor.
        ValueError: no operation made `tensor`, or the language, layout or `show` is unknown.
        Exception: what `backward` raises before it walks the graph, such as about `gradient`.
    """
    request = Request(
        tensor=tensor,
        frame=sys._getframe(1),
        gradient=gradient,
        names=names,
        retain_graph=retain_graph,
        create_graph=create_graph,
        inputs=inputs,
        in_turn=in_turn,
        keep_grad=keep_grad,
        language=current_language() if language is None else checked(language),
        layout=layout,
        fold=fold,
        show=views(show),
    )
    check_layout(layout)
    optional("anywidget")  # before the pass runs, which cannot be undone
    caller, draws = Caller.at(request.frame), Draws.now()
    leaves: dict[str, Any] = {}
    recording = record(request, leaves)
    function = tensor if callable(tensor) and not is_tensor(tensor) else None
    program = Program(function=function, caller=caller, draws=draws, leaves=leaves)
    seeds = list(gradient) if isinstance(gradient, list | tuple) else [gradient]
    roots = sum(node.kind == "root" for node in recording.model.nodes)
    seeds = seeds if len(seeds) == roots else [None] * roots
    try:
        return show_recording(recording, Pushes(recording, program, seeds), nudge)
    finally:
        del recording  # its error leads to this frame, and a cycle would keep the graph alive


def views(show: str | Iterable[str] | None) -> tuple[str, ...] | None:
    """Return what a plain view has besides; None for everything.

    >>> views("plain"), views(["memory"]), views(None)
    ((), ('memory',), None)
    """
    if show is None:
        return None
    chosen = (show,) if isinstance(show, str) else tuple(show)
    for each in chosen:
        if each not in ("plain", *VIEWS):
            known = ", ".join(map(repr, ("plain", *VIEWS)))
            raise ValueError(f"show must be one or several of {known}, not {each!r}")
    return tuple(each for each in chosen if each != "plain")


def show_recording(
    recording: Recording, pushes: Pushes | None = None, nudge: bool = False
) -> Stepper:
    """Return the stepper of a recording; with `nudge`, its pages contain answers to pushes."""
    from .widget import Stepper

    return Stepper(recording, pushes or Pushes(recording, None), nudge)
