"""explain(t): in one paragraph and one picture, why a gradient is missing, why a backward pass
fails, which line changed a tensor in place, where a NaN first appeared.

causes.py finds out, texts/ has the words, nonfinite.py looks for NaN; here the question is
understood and the answer shown.
"""

from __future__ import annotations

import html
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import cached_property, partial
from types import FrameType, TracebackType
from typing import Any, cast

from minigrad.autograd.events import said_by

from ..model.autograd_nodes import is_accumulate, node_name
from ..model.either_library import AnyTensor, GivenNames
from ..model.graph_model import GraphModel, Walk
from ..model.names import is_tensor
from ..model.program import receivers
from ..model.pytorch_modes import unseen
from ..model.readable import check_tensor, is_any, refuse_own
from ..picture.engines import LayoutError, NoEngine, check_engine
from ..picture.image import IMAGES, image
from ..picture.placement import TooLarge
from ..picture.svg import SVG, styled, svg
from ..picture.theme import LIGHT
from ..texts.language import Language, chosen
from ..texts.printable import printable
from .causes import UNNAMED, Case, Finding
from .earlier_pass import after_a_loop, in_a_loop
from .ended import about as about_of
from .ended import lost, no_graph, not_floating, rebound, unrecorded, without_history
from .evidence import arguments_in, frames_of, versions_in
from .fate import UNKNOWN
from .lessons import CHAPTER_OF
from .nonfinite import first_nonfinite
from .refusals import refused
from .silent import kept_graphs, refined
from .syntax import enclosed, target_of

MOST_DRAWN = 20_000
"""Of a graph of more operations there is no picture; the answer comes in seconds all the same."""

MOST_SHOWN = 60
"""A picture of more nodes than this is cut down to what lies around the culprits."""

NEAR = 3
"""How many edges away from a culprit a node of a large graph is still shown."""


FAILURES = ("in_place", "freed", "freed_shared", "freed_part")
"""The causes that lie in what an operation has saved."""


class Explanation:
    """An answer that shows itself: text in a terminal, text and picture in a notebook.

    `cause` names what was found in a word, such as "not_leaf" or "in_place".
    """

    def __init__(
        self, cause: str, text: str, draw: Callable[[], str] = lambda: "", alt: str = ""
    ) -> None:
        self.cause = cause
        self.text = text
        self._draw = draw
        self._alt = alt

    @cached_property
    def svg(self) -> str:
        """The picture, empty if there is none to show: of the graph as it was, drawn when somebody
        looks, since most of an answer's time would go into it.
        """
        return self._draw()

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}

    @property
    def html(self) -> str:
        """The paragraph and the picture."""
        words = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(self.text))
        picture = image(self.svg, self._alt) + IMAGES if self.svg else ""
        return (
            f'<div class="mg-explain mg-image"><p style="max-width:72ch">{words}</p>{picture}</div>'
        )


def explain(
    subject: AnyTensor | BaseException,
    context: AnyTensor | BaseException | None = None,
    *,
    nan: bool = False,
    names: GivenNames | None = None,
    language: str | None = None,
    engine: str | None = None,
) -> Explanation:
    """Why is `.grad` of this tensor None? Why did this backward pass fail? Where does the NaN come
    from?

        explain(w)              what there is to say about w: its .grad, its history, a NaN in it
        explain(w, loss)        why a backward pass from `loss` brings w no gradient
        explain(error)          why a backward pass raised this exception
        explain(loss, error)    the same, for an exception without a traceback
        explain(loss, nan=True) where a NaN first appears: in the values, else in the gradients,
                                for which the pass is rehearsed (nothing is freed, every .grad is
                                put back; hooks run, but those that wait for a leaf's gradient)

    Tensors are of minigrad or PyTorch. `names` is a dict of name to tensor, or a module; without
    it, the names of the caller's variables. `language` is "en" or "zh", `engine` what lays out the
    graph. TypeError for anything but tensors and exceptions; ValueError for an unknown language or
    engine.

    >>> import minigrad as mg
    >>> import minigrad_viz as viz
    >>> x = mg.tensor([1.0, 2.0])
    >>> viz.explain(x).cause
    'not_required'
    """
    spoken = chosen(language)
    check_engine(engine)
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
    caller = sys._getframe(1)
    places = [(caller, caller.f_lineno)]
    if error is not None:
        places += frames_of(error.__traceback__)
    with unseen():
        case = Case(spoken, names, places)
        if error is not None:
            finding = _of_error(case, error, tensors)
        elif len(tensors) == 2:
            finding = _gradient(case, *tensors)
        else:
            finding = _of_tensor(case, tensors[0], nan)
    chapter = CHAPTER_OF.get(finding.about) or CHAPTER_OF.get(finding.cause)
    if chapter is not None:
        finding.sentences.append(case.say("lesson", number=chapter))
    text = _paragraph(case, finding)
    return Explanation(finding.cause, text, _picture(case, finding, engine), case.say("picture"))


def reason_of(
    error: BaseException, tensors: list[Any], names: object, caller: FrameType, language: Language
) -> str:
    """Why a backward pass from `tensors`, called in the frame `caller`, raised `error`, or where in
    the code of the reader; empty where there is no more to say than the error does.
    """
    case = Case(language, names, [(caller, caller.f_lineno)])
    finding = _of_error(case, error, tensors)
    if finding.cause == "unknown_error":  # the reader's own: of a hook, or of a Function's backward
        del finding.sentences[0]
    return _paragraph(case, finding)


def _paragraph(case: Case, finding: Finding) -> str:
    # A name or a line of the program may hold anything; the text stays one paragraph.
    return case.say("space").join(printable(sentence) for sentence in finding.sentences)


def _of_tensor(case: Case, t: Any, nan: bool) -> Finding:
    if t.grad_fn is None:
        return _gradient(case, t)
    failure = case.failure(t)
    if failure is not None and failure.cause == "in_place" and failure.about != "by_step":
        return failure  # that weights have moved on since is no fault, as long as no pass fails
    if not nan and (kept := kept_graphs(case, t)) is not None:
        return kept
    # Once a pass has run, what it freed hides where a NaN came from; the values may still tell.
    finding = first_nonfinite(case, t, rehearse=nan)
    if nan or finding.cause != "values_finite":
        return finding
    # Of a loss one asks why it cannot be walked again; of what lies before it, for its gradient.
    if failure is not None and failure.about == "by_step":
        failure = None
    if failure is not None and t.numel() == 1 and not t.retains_grad and not case.leads_on(t):
        return after_a_loop(case, t, failure)
    return _gradient(case, t)


def _gradient(case: Case, t: Any, root: Any = None) -> Finding:
    finding = case.gradient(t, root)
    said: list[str] = []
    fate, about = UNKNOWN, ""
    if finding.cause == "not_reached" and root is not None:
        fate, said = lost(case, t, root)
        about = about_of(fate)
        if not said and len(finding.sentences) == 1:
            finding.sentences += rebound(case, t, root)
    elif finding.cause == "not_required" and case.same_numbers(t) is None:
        about, said = without_history(case, t)
    elif finding.cause == "not_floating":
        return not_floating(case, t, finding)
    elif finding.lost is not None and len(finding.sentences) == 1:
        finding.sentences += unrecorded(case, finding.lost)
    if said:
        finding.sentences[1:] = said
        finding.about = about
    elif root is None and finding.cause in ("not_called", "never_used"):
        walked = {name for s in case.program.statements for name in receivers(s, "backward")}
        others = [other for other in case.tensors if case.name(other) in walked]
        others = [other for other in others if other.requires_grad and not case.leads(other, t)]
        if len(others) == 1:  # the pass went elsewhere
            elsewhere = _gradient(case, t, others[0])
            if elsewhere.about:
                return elsewhere
    return refined(case, t, finding, fate.kind)


def _of_error(case: Case, error: BaseException, tensors: list[Any]) -> Finding:
    """What an exception of autograd means. Its message tells which it is, in either library."""
    message, trace = said_by(error), error.__traceback__
    outputs = list(arguments_in(trace, "outputs"))  # of autograd.grad()
    roots = [*outputs, *arguments_in(trace, "tensors", "self"), *tensors]
    root = roots[0] if roots else None
    if root is not None and case.names.of(root) is None:
        case.call_by_text(root, trace)
    if root is not None and ("second time" in message or "inplace operation" in message):
        broken = (case.failure(each, message) for each in roots)
        failure = next((finding for finding in broken if finding is not None), None)
        if failure is not None and failure.cause in ("freed", "freed_shared", "freed_part"):
            return in_a_loop(case, root, failure)
        if failure is not None:
            return failure
    if "modified by an inplace operation" in message:
        return case.changed_unseen(versions_in(message))
    if root is not None and "only for scalar outputs" in message:
        shape = f"[{', '.join(map(str, root.shape))}]"
        parts = {"root": case.name(root), "one": f"{enclosed(case.name(root))}.sum()"}
        finding = case.about(root, "not_scalar", shape=shape, **parts)
        line = case.raised_at(trace)
        if line is not None:
            finding.sentences.insert(1, case.say("asked_by", line=case.line(line)))
        return finding
    if root is not None and "does not require grad and does not have a grad_fn" in message:
        bare = next((each for each in roots if not each.requires_grad), root)
        return no_graph(case, bare)
    if "leaf Variable that requires grad" in message:
        return _leaf_in_place(case, error)
    if "not have been used in the graph" in message and root is not None:
        return _unused(case, root, message, trace)
    nan = re.match(r"Function '(\w+)' returned nan", message)
    if nan is not None and root is not None:
        return _stopped_at_nan(case, root, nan[1])
    line = case.raised_at(trace)
    if "Inference tensors cannot be saved" in message:
        return Finding("inference_saved", [case.say("inference_saved", where=case.where(line))])
    if (refusal := refused(case, error, line)) is not None:
        return refusal
    kind = type(error).__name__
    said = f"{kind}: {message.rstrip('.')}" if message else kind
    finding = Finding("unknown_error", [case.say("unknown_error", error=said)])
    if line is not None:
        finding.sentences.append(case.say("raised_at", line=case.line(line)))
    return finding


def _leaf_in_place(case: Case, error: BaseException) -> Finding:
    statement = case.raised_at(error.__traceback__)
    written = case.written_by(statement)
    leaf = next((t for t in written if t.is_leaf and t.requires_grad), None)
    name = target_of(statement) if leaf is None else case.name(leaf)
    parts = {"t": name or UNNAMED, "where": case.where(statement)}
    return Finding("leaf_in_place", [case.say("leaf_in_place", **parts)])


def _unused(case: Case, root: Any, message: str, trace: TracebackType | None) -> Finding:
    index = re.search(r"at index (\d+)", message)
    inputs = list(arguments_in(trace, "inputs"))
    place = int(index[1]) if index else 0
    if place >= len(inputs):
        return case.about(root, "unused_input", root=case.name(root), t="t")
    t = inputs[place]
    root = next(arguments_in(trace, "outputs"), root)
    finding = case.about(root, "unused_input", root=case.name(root), t=case.name(t))
    line = case.raised_at(trace)
    if line is not None:
        finding.sentences.append(case.say("asked_by", line=case.line(line)))
    finding.sentences.append(case.say("cure_unused_input", t=case.name(t)))
    reached = case.between(t, root)
    finding.sentences += reached.sentences[1:]
    finding.culprits = reached.culprits
    return finding


def _stopped_at_nan(case: Case, root: Any, name: str) -> Finding:
    nodes = [node for node in case.operations(root) if node_name(node) == name]
    where = case.where(case.node_line(nodes[0])) if len(nodes) == 1 else ""
    finding = case.about(root, "nan_in_backward", node=name, where=where)
    finding.culprits = nodes
    return finding


# --- The picture


def _picture(case: Case, finding: Finding, engine: str | None) -> Callable[[], str]:
    """What draws the graph with the culprits marked. It keeps no tensor."""
    if finding.shown is None or len(case.operations(finding.shown)) > MOST_DRAWN:
        return lambda: ""
    graph = case.walk(finding.shown)
    marked = _ids(graph, finding)
    return partial(_drawn, _around(graph.model, marked), marked, engine)


def _drawn(model: GraphModel, marked: set[str], engine: str | None) -> str:
    """The picture; nothing where it cannot be drawn."""
    try:
        return _marked(svg(model, engine=engine), marked)
    except (NoEngine, ImportError, TooLarge, LayoutError):
        return ""


def _ids(graph: Walk, finding: Finding) -> set[str]:
    """The ids of the culprits; of an AccumulateGrad its leaf's too, and where backward fails those
    of the saved tensors that an operation misses.
    """
    culprits = finding.culprits
    wanted = {id(node) for node in culprits}
    wanted |= {id(node.variable) for node in culprits if is_accumulate(node)}
    ids = {name for name, thing in graph.objects.items() if id(thing) in wanted}
    if finding.cause in FAILURES:
        lost = ("freed", "changed")
        ids |= {n.id for n in graph.model.nodes if n.owner in ids and n.saved in lost}
    return ids


def _around(model: GraphModel, marked: set[str]) -> GraphModel:
    """The part of a large graph that lies around the marked nodes, and its root."""
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


def _marked(drawn: str, marked: set[str]) -> str:
    """The picture with a heavy border around the marked nodes."""
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
