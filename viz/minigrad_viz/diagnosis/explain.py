"""explain(t): explain in a paragraph and a picture why a gradient is missing.

It also explains why a backward pass fails, which line changed a tensor in place, and where a NaN
first appeared. answers.py finds the answer about a tensor, and texts/ has the sentences. This file
reads the question and shows the answer.
"""

from __future__ import annotations

import ast
import contextlib
import html
import linecache
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import cached_property, partial
from types import FrameType
from typing import Any, cast

from ..model.autograd_nodes import is_accumulate
from ..model.either_library import AnyTensor, GivenNames, outside_modes
from ..model.graph_model import GraphModel, Walk
from ..model.lines import of_library
from ..model.names import is_tensor
from ..model.readable import check_tensor, is_any, refuse_own
from ..picture.graphviz import LayoutError, NoGraphviz, check_layout
from ..picture.image import IMAGES, image
from ..picture.placement import TooLarge
from ..picture.saving import Saved
from ..picture.svg import SVG, styled, svg
from ..picture.theme import LIGHT
from ..texts.language import Language, current_language
from ..texts.printable import printable
from .answer import arrange
from .answers import explain_gradient, explain_tensor
from .autograd_errors import explain_autograd_error
from .causes import FREED, Context, Finding
from .errors.table import ERRORS, explain_by_rules
from .errors.unknown import QUOTED, explain_unknown
from .evidence import Place, frames_of
from .harm import drop_harm
from .lessons import CHAPTER_OF
from .passes import PASSES
from .refined import GRADIENTS
from .rules.rule import Told
from .rules.table import RULES
from .syntax import calls_in, last_name

CAUSES: tuple[Told, ...] = (
    *(rule for rule in RULES if not rule.watched),
    *(rule for rule in GRADIENTS if rule.renamed),
    *ERRORS,
    *PASSES,
)
CHAPTER_OF_RULE = {rule.key: rule.chapter for rule in CAUSES if rule.chapter}
"""The chapters of the causes that are rules."""

MOST_DRAWN = 20_000
"""Larger graphs (in operations) get no picture, so the answer takes only seconds."""

MOST_SHOWN = 60
"""Larger pictures (in nodes) are reduced to the surroundings of the culprits."""

NEAR = 3
"""Distance from a culprit, in edges, at which a node of a large graph is still shown."""


class Explanation(Saved):
    """An answer that shows itself: text in a terminal, text and picture in a notebook.

    `cause` names the finding in one word, such as "not_leaf" or "in_place". `short` says what is
    wrong, where, and what to write; `text` is the whole answer.
    """

    def __init__(
        self,
        cause: str,
        short: str,
        draw: Callable[[], str] = lambda: "",
        alt: str = "",
        *,
        more: str = "",
        label: str = "",
    ) -> None:
        self.cause = cause
        self.short = short
        self.text = f"{short}\n\n{label} {more}" if more else short
        self._more = more
        self._label = label
        self._draw = draw
        self._alt = alt

    @cached_property
    def svg(self) -> str:
        """The picture of the graph, or "" if there is none.

        It is drawn on first access, since drawing takes longer than finding the answer.
        """
        return self._draw()

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}

    @property
    def html(self) -> str:
        """The paragraph and the picture."""
        words = f'<p style="max-width:72ch">{_coded(self.short)}</p>'
        if self._more:
            more = f'<p style="max-width:72ch">{_coded(self._more)}</p>'
            words += f"<details><summary>{html.escape(self._label)}</summary>{more}</details>"
        picture = image(self.svg, self._alt) + IMAGES if self.svg else ""
        return f'<div class="mg-explain mg-image">{words}{picture}</div>'


def _coded(text: str) -> str:
    """Return text as HTML, with code between backticks."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(text))


def explain(
    subject: AnyTensor | BaseException,
    context: AnyTensor | BaseException | None = None,
    *,
    nan: bool = False,
    names: GivenNames | None = None,
    layout: str | None = None,
) -> Explanation:
    """Explain why `.grad` is None, why a backward pass failed, or where a NaN comes from.

        explain(w)              explains w: its .grad, its history, a NaN in it
        explain(w, loss)        explains why a backward pass from `loss` gives w no gradient
        explain(error)          explains why a backward pass raised this exception
        explain(loss, error)    does the same for an exception without a traceback
        explain(loss, nan=True) finds the first NaN: in the values, or else in the gradients

    To find a NaN in the gradients, `explain` rehearses the pass. Nothing is freed and every .grad
    is restored. Hooks run, except those that wait for a leaf's gradient.

    Args:
        subject: a tensor of minigrad or PyTorch, or an exception.
        context: the result that a gradient is expected from, or an exception.
        nan: whether to look for a NaN.
        names: a dict of name to tensor, or a module; by default the caller's variables.
        layout: the program that places the nodes of the graph.

    Raises:
        TypeError: an argument is neither a tensor nor an exception.
        ValueError: the layout is unknown.

    >>> import minigrad as mg
    >>> import minigrad_viz as viz
    >>> x = mg.tensor([1.0, 2.0])
    >>> viz.explain(x).cause
    'not_required'
    """
    language = current_language()
    check_layout(layout)
    given = [each for each in (subject, context) if is_any(each, BaseException)]
    error = cast(BaseException, given[0]) if given else None
    tensors = [each for each in (subject, context) if is_tensor(each)]
    if len(tensors) + (error is not None) != 1 + (context is not None):
        wrong = context if is_tensor(subject) or subject is error else subject
        refuse_own(wrong, "explain")
        raise TypeError(
            f"explain() needs a tensor of minigrad or PyTorch, or an exception, not a "
            f"{type(wrong).__name__}"
        )
    for each in tensors:
        check_tensor(each, "explain", unversioned=True)
    caller = _users_frame(sys._getframe(1))
    places = [(caller, caller.f_lineno)]
    if error is not None:
        places += frames_of(error.__traceback__)
    with outside_modes():
        known = Context(language, names, places)
        for each in tensors:
            _name_by_call(known, each, places[0])
        if error is not None:
            finding = _explain_error(known, error, tensors)
        elif len(tensors) == 2:
            finding = explain_gradient(known, *tensors)
        else:
            finding = explain_tensor(known, tensors[0], nan)
    drop_harm(known, finding, tensors)
    chapter = CHAPTER_OF.get(finding.topic) or CHAPTER_OF.get(finding.cause)
    chapter = chapter or CHAPTER_OF_RULE.get(finding.cause)
    if chapter is not None:
        finding.sentences.append(known.say("lesson", number=chapter))
    short, more = (_joined(known, part) for part in arrange(finding, language))
    draw = _picture(known, finding, layout)
    return Explanation(
        finding.cause, short, draw, known.say("picture"), more=more, label=known.say("more")
    )


def _name_by_call(context: Context, tensor: AnyTensor, place: Place) -> None:
    """Name an unnamed tensor by its expression in the call: `net.layers[0].weight`."""
    if context.names.of(tensor) is not None:
        return
    frame, line = place
    text = linecache.getline(frame.f_code.co_filename, line, frame.f_globals).strip()
    with contextlib.suppress(SyntaxError, ValueError, RecursionError):
        for call in calls_in(ast.parse(text)):
            first = call.args[0] if last_name(call) == "explain" and call.args else None
            if isinstance(first, ast.Attribute | ast.Subscript) and len(call.args) == 1:
                context.names.add(ast.unparse(first), tensor)


def _users_frame(frame: FrameType) -> FrameType:
    """Return the innermost frame of the program: `diagnose` and the stepper call explain(), too."""
    outer: FrameType | None = frame
    while outer is not None and of_library(outer):
        outer = outer.f_back
    return outer or frame


def reason_of(
    error: BaseException, tensors: list[Any], names: object, caller: FrameType, language: Language
) -> str:
    """Explain why a backward pass from `tensors`, called in the frame `caller`, raised `error`.

    If only the line in the user's code is known, name that. Return "" if the error says it all.
    """
    context = Context(language, names, [(caller, caller.f_lineno)])
    finding = _explain_error(context, error, tensors)
    if finding.cause in QUOTED:  # raised by a hook or by a Function's backward
        del finding.sentences[0]
    drop_harm(context, finding, [])
    return _joined(context, finding.sentences)


def _joined(context: Context, sentences: list[str]) -> str:
    # Names and lines of the program may contain anything; the text stays one paragraph.
    return context.say("space").join(printable(sentence) for sentence in sentences)


def _explain_error(context: Context, error: BaseException, tensors: list[Any]) -> Finding:
    """Explain an exception: one of autograd by its message, another by the rules."""
    line = context.find_raising_line(error.__traceback__)
    return (
        explain_autograd_error(context, error, tensors)
        or explain_by_rules(context, error, line)
        or explain_unknown(context, error, line)
    )


# --- The picture


def _picture(context: Context, finding: Finding, layout: str | None) -> Callable[[], str]:
    """Return a function that draws the graph with the culprits marked. It holds no tensor."""
    if finding.shown is None or len(context.operations(finding.shown)) > MOST_DRAWN:
        return lambda: ""
    graph = context.walk(finding.shown)
    marked = _culprit_ids(graph, finding)
    return partial(_draw_marked, _crop(graph.model, marked), marked, layout)


def _draw_marked(model: GraphModel, marked: set[str], layout: str | None) -> str:
    """Return the picture, or "" if it cannot be drawn."""
    try:
        return _mark(svg(model, layout=layout), marked)
    except (NoGraphviz, ImportError, TooLarge, LayoutError):
        return ""


def _culprit_ids(graph: Walk, finding: Finding) -> set[str]:
    """Return the ids of the culprits in the graph.

    An AccumulateGrad node brings its leaf. A failing operation brings the saved tensors it misses.
    """
    culprits = finding.culprits
    wanted = {id(node) for node in culprits}
    wanted |= {id(node.variable) for node in culprits if is_accumulate(node)}
    ids = {name for name, thing in graph.objects.items() if id(thing) in wanted}
    if finding.cause in ("in_place", *FREED):
        lost = ("freed", "changed")
        ids |= {n.id for n in graph.model.nodes if n.owner in ids and n.saved in lost}
    return ids


def _crop(model: GraphModel, marked: set[str]) -> GraphModel:
    """Return the part of a large graph around the marked nodes and the root."""
    if len(model) <= MOST_SHOWN:
        return model
    root = model.root.id
    near, reached = {root, *marked}, {*marked} or {root}
    for _ in range(NEAR):
        reached = {
            end
            for edge in model.edges
            if edge.source in reached or edge.target in reached
            for end in (edge.source, edge.target)
        }
        near |= reached
        if len(near) > MOST_SHOWN:
            break
    edges = tuple(e for e in model.edges if e.source in near and e.target in near)
    return GraphModel(tuple(node for node in model.nodes if node.id in near), edges)


def _mark(drawn: str, marked: set[str]) -> str:
    """Return the picture with a heavy border around the marked nodes."""
    ET.register_namespace("", SVG)
    root = ET.fromstring(drawn)
    for group in root.iter(f"{{{SVG}}}g"):
        if group.get("id") in marked:
            group.set("class", f"{group.get('class', '')} culprit")
            for shape in group:
                if shape.tag != f"{{{SVG}}}text":
                    shape.set("stroke", LIGHT.lost)
                    shape.set("stroke-width", "3.5")
    shapes = ":is(rect,path,polygon,polyline)"
    border = f".mg-graph .culprit {shapes}{{stroke:var(--mg-lost)}}</style>"
    return styled(ET.tostring(root, encoding="unicode")).replace("</style>", border, 1)
