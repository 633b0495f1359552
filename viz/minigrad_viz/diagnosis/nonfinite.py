"""Find where a NaN first appeared: in a value of the forward pass, or in a gradient.

A graph does not keep all values. Known are the leaves, the saved tensors, and the tensors that have
names. Operations are searched in the order in which they ran. For gradients, the backward pass is
rehearsed under the recorder: nothing is freed, and every `.grad` is restored.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from minigrad.autograd.events import Formula, Start, Value

from ..model.autograd_nodes import is_accumulate, node_name, saved_tensors
from ..model.draws import draws_put_back
from ..model.either_library import output_metadata
from ..model.graph_model import Walk
from ..model.names import made_by
from ..model.rules import plain, rule_of
from ..passes.record import SetAside, record_pass
from ..texts.numerals import value_data, value_text
from .causes import Context, Finding
from .evidence import nonfinite, sequence_of
from .silent import explain_untaken

Output = tuple[int, int]
"""An autograd node, by identity, and the index of its result."""


def first_nonfinite(context: Context, t: Any, *, rehearse: bool) -> Finding:
    """Explain where the first NaN (or else the first infinity) behind `t` comes from.

    With `rehearse`, the backward pass of a graph with finite values is rehearsed.
    """
    what = nonfinite(t)
    if what:
        return search_values(context, t, what)
    saved = (value for node in context.operations(t) for _, value in saved_tensors(node))
    if not rehearse or any(isinstance(value, str) for value in saved):
        return context.report("values_finite", t)
    return search_gradients(context, t, context.walk(t))


def search_values(context: Context, t: Any, what: str) -> Finding:
    functions = sorted(context.operations(t), key=sequence_of)  # in the order in which they ran
    known: dict[Output, str] = {}
    taken: dict[int, list[tuple[str, str]]] = {}  # node -> its constants and their state
    leaves: dict[int, tuple[str, str]] = {}  # the same for leaves, by their AccumulateGrad node

    def note(tensor: Any) -> None:
        node, index = made_by(tensor)
        if node is not None:
            known.setdefault((id(node), index), nonfinite(tensor))

    for tensor in (t, *context.tensors):
        note(tensor)
    for node in functions:
        for name, saved in saved_tensors(node):
            if isinstance(saved, str):
                continue
            note(saved)
            if made_by(saved)[0] is None and not saved.requires_grad:
                shown = context.names.of(saved) or f"{node_name(node)}'s {name}"
                taken.setdefault(id(node), []).append((shown, nonfinite(saved)))
        for maker, _ in node.next_functions:
            if maker is not None and is_accumulate(maker):
                if id(maker) not in leaves:  # a leaf may be used a hundred thousand times
                    leaves[id(maker)] = context.name(maker.variable), nonfinite(maker.variable)
                    known[(id(maker), 0)] = leaves[id(maker)][1]
                taken.setdefault(id(node), []).append(leaves[id(maker)])

    infinite: Any = None
    for node in functions:
        for shown, state in taken.get(id(node), ()):
            if state == what:
                finding = context.report("nan_leaf", t, leaf=shown, what=what)
                finding.culprits.append(node)
                return finding
        states = {known.get((id(node), index), "") for index in range(outputs_of(node))}
        if what in states:
            break
        if "inf" in states and infinite is None:
            infinite = node
    return finding_at(context, t, node, what, known, taken, infinite)


def finding_at(
    context: Context,
    t: Any,
    node: Any,
    what: str,
    known: dict[Output, str],
    taken: dict[int, list[tuple[str, str]]],
    infinite: Any,
) -> Finding:
    """Make the finding that `what` first appears at `node`."""
    sure = all(
        id(node) in taken if maker is None else (id(maker), index) in known
        for maker, index in node.next_functions
    )
    where = context.where(context.node_line(node))
    cause = "nan_value" if sure else "nan_value_about"
    finding = context.report(cause, t, node=node_name(node), where=where, what=what)
    finding.culprits.append(node)
    if infinite is not None:
        where = context.where(context.node_line(infinite))
        finding.sentences.append(context.say("inf_before", node=node_name(infinite), where=where))
    return finding


def outputs_of(node: Any) -> int:
    return len(output_metadata(node)) or 1


def search_gradients(context: Context, t: Any, graph: Walk) -> Finding:
    """Rehearse the backward pass, and search the result of every formula."""
    ones = t.detach().clone().fill_(1)
    aside = SetAside(graph, last_hooks=False)
    # Checkpoints and hooks may draw random numbers, which the real pass draws again.
    with draws_put_back(), attributes_restored(context.operations(t)):
        try:
            events, _ = record_pass(graph, [t], [ones], True, False, aside)
        finally:
            aside.put_back()
    coming: dict[int, tuple[Value | None, ...]] = {}
    for event in events:
        if isinstance(event, Start):
            coming[id(event.node)] = event.incoming
        if not isinstance(event, Formula):
            continue
        what = worst(event.outgoing)
        if not what:
            continue
        incoming = coming.get(id(event.node), ())
        node = event.node
        parts: dict[str, object] = {"node": node_name(node), "what": what}
        parts["where"] = context.where(context.node_line(node))
        parts["incoming"] = describe_values(context, incoming)
        parts["outgoing"] = describe_values(context, event.outgoing)
        finding = context.report("nan_gradient", t, **parts)
        if rule := rule_of(node):
            with contextlib.suppress(ImportError):  # formulas need the extra `viz`
                finding.sentences.append(context.say("formula", rule=plain(rule)))
        if zero_where_not_finite(incoming, event.outgoing):
            finding.sentences += explain_untaken(context, t, node, context.node_line(node))
        finding.culprits.append(node)
        return finding
    return context.report("all_finite", t)


@contextlib.contextmanager
def attributes_restored(nodes: Iterable[Any]) -> Iterator[None]:
    """Restore the attributes of user Functions' nodes after the block.

    A user's backward may delete what its forward stored on the node.
    """
    kept = [(vars(node), dict(vars(node))) for node in nodes if hasattr(node, "__dict__")]
    try:
        yield
    finally:
        for attributes, before in kept:
            attributes.clear()
            attributes.update(before)


def zero_where_not_finite(
    incoming: tuple[Value | None, ...], outgoing: tuple[Value | None, ...]
) -> bool:
    """Return whether every non-finite number came from a gradient of zero."""
    came = incoming[0].data if len(incoming) == 1 and incoming[0] is not None else None
    gone = [value.data for value in outgoing if value is not None and worst((value,))]
    if came is None or not gone:
        return False
    return all(g is not None and g.shape == came.shape and (came[~np.isfinite(g)] == 0).all()
               for g in gone)  # fmt: skip


def worst(values: tuple[Value | None, ...]) -> str:
    """Return "nan" or "inf" if the values contain one."""
    found = ""
    for value in values:
        if value is None:
            continue
        if value.data is not None and value.data.dtype.kind == "f":
            if np.isnan(value.data).any():
                return "nan"
            found = found or ("inf" if np.isinf(value.data).any() else "")
        elif value.summary is not None and value.summary.nonfinite:
            found = found or "nan"
    return found


def describe_values(context: Context, values: tuple[Value | None, ...]) -> str:
    shown = (value_text(value_data(v), context.language) for v in values if v is not None)
    return context.say("and").join(shown)
