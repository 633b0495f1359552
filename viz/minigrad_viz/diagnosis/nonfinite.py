"""Where a NaN first appeared: in a value on the way forward, or in a gradient on the way back.

The values of a graph are not all kept. What is known are the leaves, what operations saved, and the
tensors that the program still has names for; the operations are gone through in the order in which
they ran. For the gradients the backward pass is rehearsed under the recorder: nothing is freed, and
every `.grad` is put back.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from minigrad.autograd.events import Formula, Start, Value

from ..model.autograd_nodes import is_accumulate, node_name, saved_tensors
from ..model.draws import draws_put_back
from ..model.graph_model import Walk
from ..model.names import made_by
from ..model.passes import SetAside, record_pass
from ..model.pytorch_passes import is_pytorch
from ..model.rules import plain, rule_of
from ..texts.numerals import value_data, value_text
from .causes import Case, Finding
from .evidence import nonfinite, sequence_of
from .silent import untaken

Output = tuple[int, int]
"""An autograd node, by identity, and which of its results."""


def first_nonfinite(case: Case, t: Any, *, rehearse: bool) -> Finding:
    """Where the first NaN (or, if there is none, the first infinity) behind `t` comes from. With
    `rehearse`, a graph whose values are all finite has its backward pass rehearsed.
    """
    what = nonfinite(t)
    if what:
        return in_values(case, t, what)
    saved = (value for node in case.operations(t) for _, value in saved_tensors(node))
    if not rehearse or any(isinstance(value, str) for value in saved):
        return case.found("values_finite", t)
    return in_gradients(case, t, case.walk(t))


def in_values(case: Case, t: Any, what: str) -> Finding:
    functions = sorted(case.operations(t), key=sequence_of)  # in the order in which they ran
    known: dict[Output, str] = {}
    taken: dict[int, list[tuple[str, str]]] = {}  # node -> its constants and their state
    leaves: dict[int, tuple[str, str]] = {}  # the same of leaves, by the node that adds to them

    def note(tensor: Any) -> None:
        node, index = made_by(tensor)
        if node is not None:
            known.setdefault((id(node), index), nonfinite(tensor))

    for tensor in (t, *case.tensors):
        note(tensor)
    for node in functions:
        for name, saved in saved_tensors(node):
            if isinstance(saved, str):
                continue
            note(saved)
            if made_by(saved)[0] is None and not saved.requires_grad:
                shown = case.names.of(saved) or f"{node_name(node)}'s {name}"
                taken.setdefault(id(node), []).append((shown, nonfinite(saved)))
        for maker, _ in node.next_functions:
            if maker is not None and is_accumulate(maker):
                if id(maker) not in leaves:  # a leaf may be used a hundred thousand times
                    leaves[id(maker)] = case.name(maker.variable), nonfinite(maker.variable)
                    known[(id(maker), 0)] = leaves[id(maker)][1]
                taken.setdefault(id(node), []).append(leaves[id(maker)])

    infinite: Any = None
    for node in functions:
        for shown, state in taken.get(id(node), ()):
            if state == what:
                finding = case.found("nan_leaf", t, leaf=shown, what=what)
                finding.culprits.append(node)
                return finding
        states = {known.get((id(node), index), "") for index in range(outputs_of(node))}
        if what in states:
            break
        if "inf" in states and infinite is None:
            infinite = node
    return at(case, t, node, what, known, taken, infinite)


def at(
    case: Case,
    t: Any,
    node: Any,
    what: str,
    known: dict[Output, str],
    taken: dict[int, list[tuple[str, str]]],
    infinite: Any,
) -> Finding:
    """The finding that `what` first shows at `node`."""
    sure = all(
        id(node) in taken if maker is None else (id(maker), index) in known
        for maker, index in node.next_functions
    )
    where = case.where(case.node_line(node))
    cause = "nan_value" if sure else "nan_value_about"
    finding = case.found(cause, t, node=node_name(node), where=where, what=what)
    finding.culprits.append(node)
    if infinite is not None:
        where = case.where(case.node_line(infinite))
        finding.sentences.append(case.say("inf_before", node=node_name(infinite), where=where))
    return finding


def outputs_of(node: Any) -> int:
    return len(getattr(node, "_input_metadata", ())) or 1


def in_gradients(case: Case, t: Any, graph: Walk) -> Finding:
    """Rehearse the backward pass, and look at what every formula gives."""
    library = sys.modules["torch" if is_pytorch(t) else "minigrad"]
    ones = t.detach().clone().fill_(1)
    aside = SetAside(graph, last_hooks=False)
    # A checkpoint, or a hook, may draw: the pass itself will anew.
    with draws_put_back(library), attributes_put_back(case.operations(t)):
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
        parts["where"] = case.where(case.node_line(node))
        parts["incoming"] = words(case, incoming)
        parts["outgoing"] = words(case, event.outgoing)
        finding = case.found("nan_gradient", t, **parts)
        if rule := rule_of(node):
            with contextlib.suppress(ImportError):  # formulas need a package of the extra `viz`
                finding.sentences.append(case.say("formula", rule=plain(rule)))
        if zero_where_not_finite(incoming, event.outgoing):
            finding.sentences += untaken(case, t, node, case.node_line(node))
        finding.culprits.append(node)
        return finding
    return case.found("all_finite", t)


@contextlib.contextmanager
def attributes_put_back(nodes: Iterable[Any]) -> Iterator[None]:
    """After the block a user's Function finds on its node what it has written there before: it may
    delete it once it is used.
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
    """Has every number that is not finite come from a gradient that was zero?"""
    came = incoming[0].data if len(incoming) == 1 and incoming[0] is not None else None
    gone = [value.data for value in outgoing if value is not None and worst((value,))]
    if came is None or not gone:
        return False
    return all(g is not None and g.shape == came.shape and (came[~np.isfinite(g)] == 0).all()
               for g in gone)  # fmt: skip


def worst(values: tuple[Value | None, ...]) -> str:
    """ "nan" or "inf" if the values hold one."""
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


def words(case: Case, values: tuple[Value | None, ...]) -> str:
    shown = (value_text(value_data(v), case.language) for v in values if v is not None)
    return case.say("and").join(shown)
