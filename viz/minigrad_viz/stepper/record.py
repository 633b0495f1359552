"""Run a backward pass once, recorded, and return what is shown of it as plain data.

The engine that owns the graph runs the pass, as `loss.backward()` does: it writes `.grad` and frees
saved tensors, unless the request is for a rehearsal. Everything that is read from tensors and nodes
is read here. A `Recording` refers to none of them, so it can be shown at any later time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any, Literal, NamedTuple, cast

from minigrad.autograd.events import Accumulate, CodeLine, Error, Event, Seed, Value, sketched_by

from ..model.arrange import Arrangement
from ..model.collector import uncollected
from ..model.either_library import AnyTensor, GivenNames, OwnResult, is_pytorch, outside_modes
from ..model.frame_hints import frames_of
from ..model.graph_model import Detail, GraphModel, Walk, walk
from ..model.last_line import last_line
from ..model.lines import line_of
from ..model.names import is_tensor
from ..model.own_engines import OwnNode, OwnTensor, adopted, own_rule
from ..model.rules import rule_of
from ..model.scalar_results import scalar_results
from ..model.scalars import Scalar, letters_of, scalars_of
from ..model.sketches import sketch
from ..model.values import value_of
from ..passes.record import SetAside, pair_gradients, read_inputs, record_named, record_pass
from ..texts.language import Language
from .memory_lane import Lane, read_lane

Tensors = AnyTensor | OwnResult | Sequence[AnyTensor]
Gradients = AnyTensor | Sequence[AnyTensor | None] | Sequence[float]
Engine = Literal["minigrad", "pytorch", "own"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The arguments of `step`: the pass, and how to show it.

    `frame` is the caller's: its variables name the tensors, its code is quoted.
    """

    tensor: Tensors | Callable[[], Tensors]
    frame: FrameType
    gradient: Gradients | None = None
    names: GivenNames | None = None
    retain_graph: bool | None = None
    create_graph: bool = False
    inputs: Tensors | None = None
    in_turn: bool = False
    keep_grad: bool = True
    language: Language = "en"
    layout: str | None = None
    fold: bool | None = None
    show: tuple[str, ...] | None = None


class NodeFacts(NamedTuple):
    """Facts about a node that only its object tells.

    rule      the formula of its operation in LaTeX
    own_rule  the formula in the reader's own code
    scalars   the numbers that it holds, and letters the rule's letters with their saved tensors
    line      the line that made it
    inputs    for each input of its operation, whether a gradient goes to it
    """

    rule: str
    own_rule: str
    scalars: tuple[Scalar, ...]
    letters: tuple[tuple[str, str], ...]
    line: CodeLine | None
    inputs: tuple[bool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A recorded pass, or several in turn, without tensors and without nodes of autograd.

    model       the graph
    frames      its frames
    facts       facts about its nodes, by id
    events      what the engine did, in order; `node` and `target` of an event are ids
    passes      how many passes were recorded, including those that hooks ran
    leaves      values of the roots and leaves before the pass, by id
    results     scalar results of operations that are known, by id
    gradients   each leaf's `.grad` before the pass, by id
    last_lines  lines of the roots' nodes, read from the caller's code, by id
    lane        memory that the graph kept before the pass; None if it is unknown
    engine      the engine that ran the pass
    error       the exception that ended the pass, and `reason` its explanation
    rehearsal   whether every `.grad` was put back

    `language`, `layout`, `fold` and `show` are those of the request.
    """

    model: GraphModel
    frames: Arrangement
    facts: Mapping[str, NodeFacts]
    events: tuple[Event, ...]
    passes: int
    leaves: Mapping[str, Value]
    results: Mapping[str, Value]
    gradients: Mapping[str, Value | None]
    last_lines: Mapping[str, CodeLine | None]
    lane: Lane | None
    engine: Engine
    error: Exception | None
    reason: str
    rehearsal: bool
    language: Language
    layout: str | None
    fold: bool | None
    show: tuple[str, ...] | None


def record(request: Request, leaves_found: dict[str, Any] | None = None) -> Recording:
    """Run the pass and return its recording, which ends at the failure if the pass fails.

    `leaves_found` gets the leaves by name.

    Raises:
        TypeError: `request.tensor` is no tensor, or tensors of two libraries.
        ValueError: no operation made a tensor, or tensors and gradients differ in number.
        Exception: what `backward` itself raises before it walks the graph.
    """
    roots, seeds, events, names = read_roots(request)
    frame, language = request.frame, request.language
    graph = walk(
        *roots, names=names, frame=frame, who="step", language=language, detail=Detail(hooks=True)
    )
    if len({is_pytorch(each) for each in roots}) > 1:
        raise TypeError("step() needs tensors of one library, not of both")
    leaves, gradients = read_leaves(graph)
    if leaves_found is not None:
        found = (node for node in graph.model.nodes if node.kind == "leaf")
        leaves_found |= {node.name: graph.objects[node.id] for node in found}
    results = scalar_results(graph, leaves)
    lane = read_lane(graph)
    error = run_passes(graph, request, roots, seeds, events)
    try:
        own = isinstance(roots[0], OwnTensor)
        last_lines = read_last_lines(graph, frame)
        facts = read_facts(graph)
        known = tuple(name_nodes(events, graph))
        reason = ""
        if error is not None and not own and known and isinstance(known[-1], Error):
            # Only a failed pass imports these hundred modules.
            from ..diagnosis.explain import reason_of

            reason = reason_of(error, roots, names, frame, language)
        return Recording(
            model=graph.model,
            frames=frames_of(graph.model, graph.objects, graph.names),
            facts=facts,
            events=known,
            passes=count_passes(events),
            leaves=leaves,
            results=results,
            gradients=gradients,
            last_lines=last_lines,
            lane=lane,
            engine="own" if own else "pytorch" if is_pytorch(roots[0]) else "minigrad",
            error=error,
            reason=reason,
            rehearsal=not request.keep_grad,
            language=language,
            layout=request.layout,
            fold=request.fold,
            show=request.show,
        )
    finally:
        del error  # its traceback leads to this frame, and a circle would keep the graph alive


def read_roots(request: Request) -> tuple[list[Any], list[Any], list[Event], Any]:
    """Return the tensors to start at, their gradients, their operations, and names.

    The operations are recorded only if the request has a function in place of a tensor.
    """
    tensor, gradient, names = request.tensor, request.gradient, cast(Any, request.names)
    events: list[Event] = []
    if callable(tensor) and not is_tensor(tensor):
        with sketched_by(sketch):
            tensor, operations, names = record_named(tensor, "step", names, request.frame)
        events += operations
    tensors, gradients = pair_gradients("step", tensor, gradient)
    return adopted(tensors), gradients, events, names


def run_passes(
    graph: Walk, request: Request, roots: list[Any], seeds: list[Any], events: list[Event]
) -> Exception | None:
    """Run one pass from all roots, or one from each; add to `events`, return the first error."""
    inputs = read_inputs("step", request.inputs)
    aside = None if request.keep_grad else SetAside(graph)
    passes = [(roots, seeds)]
    if request.in_turn:
        passes = [([root], [seed]) for root, seed in zip(roots, seeds, strict=True)]
    retain, create = request.retain_graph, request.create_graph
    error = None
    try:
        if aside is not None:
            for each in inputs or ():
                aside.take(each)
        for tensors, gradients in passes:
            with sketched_by(sketch):
                seen, error = record_pass(graph, tensors, gradients, retain, create, aside, inputs)
            events += seen
            if error is not None:
                break
        return error
    finally:
        del error  # as in `record`
        if aside is not None:
            aside.put_back()


def read_leaves(graph: Walk) -> tuple[dict[str, Value], dict[str, Value | None]]:
    """Return the values of the roots and leaves, and of the leaves' `.grad`, by id."""
    values: dict[str, Value] = {}
    gradients: dict[str, Value | None] = {}
    with outside_modes(), sketched_by(sketch):
        for node in graph.model.nodes:
            if node.kind in ("root", "leaf"):
                values[node.id] = value_of(graph.objects[node.id])
        for node in graph.model.nodes:
            if node.kind == "leaf":
                grad = graph.objects[node.id].grad
                gradients[node.id] = None if grad is None else value_of(grad)
    return values, gradients


def read_last_lines(graph: Walk, frame: FrameType) -> dict[str, CodeLine | None]:
    """Return the lines of the roots' nodes, where the caller's code leaves no doubt, by id."""
    with outside_modes():
        return {
            edge.target: last_line(graph.objects[edge.source], frame)
            for edge in graph.model.edges
            if edge.kind == "root"
        }


@uncollected()
def read_facts(graph: Walk) -> dict[str, NodeFacts]:
    """Return the facts about operations and AccumulateGrads, by id."""
    facts = {}
    for node in graph.model.nodes:
        if node.kind in ("function", "accumulate"):
            thing = graph.objects[node.id]
            rule = rule_of(thing)
            own = isinstance(thing, OwnNode) and node.kind == "function"
            facts[node.id] = NodeFacts(
                rule=rule,
                own_rule=own_rule(thing) if own else "",
                scalars=tuple(scalars_of(thing)) if rule else (),
                letters=tuple(letters_of(thing)) if rule else (),
                line=line_of(thing),
                inputs=tuple([target is not None for target, _ in thing.next_functions]),
            )
    return facts


def name_nodes(events: Iterable[Event], graph: Walk) -> Iterable[Event]:
    """Replace the nodes of events by their ids, and leave out events of other graphs."""
    ids = {id(thing): name for name, thing in graph.objects.items()}
    for event in events:
        node = ids.get(id(event.node))
        if node is None:
            continue
        if isinstance(event, Accumulate):
            target = ids.get(id(event.target))
            if target is not None:
                yield event._replace(node=node, target=target)
        else:
            yield event._replace(node=node)


def count_passes(events: Sequence[Event]) -> int:
    """Return the number of backward passes: each begins with one seed or several."""
    seeds = [isinstance(event, Seed) for event in events]
    return sum(now and not before for before, now in zip([False, *seeds], seeds, strict=False))
