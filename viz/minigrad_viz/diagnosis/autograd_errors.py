"""The errors of autograd itself, which are told by their message and the tensors they were about.

Each row of ANSWERS has words of a message, which is the same in both libraries, and the function
that answers. Rows are asked in order, until one finds the cause. The other errors of a program have
rules (errors/table.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from minigrad.autograd.events import message_of

from ..model.autograd_nodes import node_name
from .adversary import detach_for_adversary
from .causes import FREED, UNNAMED, Context, Finding
from .earlier_pass import explain_in_loop
from .ended import explain_no_graph
from .evidence import arguments_in, versions_in
from .reachable import is_optimizer, things_in
from .syntax import parenthesize, target_of


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception, and the tensors of which a backward pass was asked."""

    context: Context
    error: BaseException
    message: str
    roots: list[Any]

    @property
    def trace(self) -> TracebackType | None:
        return self.error.__traceback__


def explain_autograd_error(
    context: Context, error: BaseException, tensors: list[Any]
) -> Finding | None:
    """Explain an exception of autograd, or return None for another one."""
    message, trace = message_of(error), error.__traceback__
    outputs = arguments_in(trace, "outputs")  # of autograd.grad()
    roots = [*outputs, *arguments_in(trace, "tensors", "self"), *tensors]
    if roots and context.names.of(roots[0]) is None:
        context.name_root(roots[0], trace)
    raised = Raised(context, error, message, roots)
    for words, answer in ANSWERS:
        if words in message and (finding := answer(raised)) is not None:
            return finding
    return None


def _broken_tensor(raised: Raised) -> Finding | None:
    """Explain a saved tensor that was freed or changed, in a graph that can be seen."""
    context = raised.context
    found = (context.find_failure(each, raised.message) for each in raised.roots)
    failure = next((finding for finding in found if finding is not None), None)
    if failure is not None and failure.cause in FREED:
        root = raised.roots[0]
        return detach_for_adversary(context, root, explain_in_loop(context, root, failure))
    return failure


def _unseen_change(raised: Raised) -> Finding:
    return raised.context.explain_unseen_change(versions_in(raised.message))


def _not_scalar(raised: Raised) -> Finding | None:
    if not raised.roots:
        return None
    context, root = raised.context, raised.roots[0]
    shape = f"[{', '.join(map(str, root.shape))}]"
    learns = any(is_optimizer(thing) for _, thing in things_in(context.places))
    call = "mean()" if learns else "sum()"  # a rate suits the mean of a batch
    parts = {"root": context.name(root), "one": f"{parenthesize(context.name(root))}.{call}"}
    finding = context.finding_in(root, "not_scalar", shape=shape, **parts)
    finding.sentences[1:1] = _asked_by(raised)
    return finding


def _no_graph(raised: Raised) -> Finding | None:
    if not raised.roots:
        return None
    bare = next((each for each in raised.roots if not each.requires_grad), raised.roots[0])
    return explain_no_graph(raised.context, bare)


def _leaf_in_place(raised: Raised) -> Finding:
    context = raised.context
    statement = context.find_raising_line(raised.trace)
    written = context.find_written(statement)
    leaf = next((t for t in written if t.is_leaf and t.requires_grad), None)
    name = target_of(statement) if leaf is None else context.name(leaf)
    parts = {"t": name or UNNAMED, "where": context.where(statement)}
    return Finding("leaf_in_place", [context.say("leaf_in_place", **parts)])


def _unused_input(raised: Raised) -> Finding | None:
    if not raised.roots:
        return None
    context, root = raised.context, raised.roots[0]
    index = re.search(r"at index (\d+)", raised.message)
    inputs = list(arguments_in(raised.trace, "inputs_tuple")) or list(
        arguments_in(raised.trace, "inputs")
    )
    place = int(index[1]) if index else 0
    if place >= len(inputs):
        return context.finding_in(root, "unused_input", root=context.name(root), t="t")
    t = inputs[place]
    root = next(arguments_in(raised.trace, "outputs"), root)
    finding = context.finding_in(root, "unused_input", root=context.name(root), t=context.name(t))
    finding.sentences += _asked_by(raised)
    if (source := _source_of(context, t, root)) is not None:
        made = context.program.assignment(context.name(t))
        parts = {"t": context.name(t), "root": context.name(root), "where": context.where(made)}
        parts["source"] = context.name(source)
        finding.sentences.append(context.say("cut_out_of", **parts))
        finding.sentences.append(context.say("cure_cut_out_of", **parts))
        return finding
    finding.sentences.append(context.say("cure_unused_input", t=context.name(t)))
    reached = context.explain_missing(t, root)
    finding.sentences += reached.sentences[1:]
    finding.culprits = reached.culprits
    return finding


def _source_of(context: Context, t: Any, root: Any) -> Any:
    """Return a named tensor from which both `t`, a result, and `root` were computed."""
    if t.grad_fn is None:
        return None
    for other in context.tensors:
        if other is not t and other is not root and other.requires_grad:
            if context.depends_on(t, other) and context.depends_on(root, other):
                return other
    return None


def _stopped_at_nan(raised: Raised) -> Finding | None:
    found = re.match(r"Function '(\w+)' returned nan", raised.message)
    if found is None or not raised.roots:
        return None
    context, root = raised.context, raised.roots[0]
    nodes = [node for node in context.operations(root) if node_name(node) == found[1]]
    where = context.where(context.node_line(nodes[0])) if len(nodes) == 1 else ""
    finding = context.finding_in(root, "nan_in_backward", node=found[1], where=where)
    finding.culprits = nodes
    return finding


def _inference_saved(raised: Raised) -> Finding:
    context = raised.context
    line = context.find_raising_line(raised.trace)
    sentences = [context.say("inference_saved", where=context.where(line))]
    if made := [s for s in context.program.statements if "inference_mode" in s.block]:
        sentences.append(context.say("made_in_inference", line=context.line(made[-1])))
    sentences.append(context.say("cure_inference_saved"))
    return Finding("inference_saved", sentences)


def _asked_by(raised: Raised) -> list[str]:
    """Name the line that asked for the pass, if it can be seen."""
    line = raised.context.find_raising_line(raised.trace)
    if line is None:
        return []
    return [raised.context.say("asked_by", line=raised.context.line(line))]


ANSWERS: tuple[tuple[str, Callable[[Raised], Finding | None]], ...] = (
    ("second time", _broken_tensor),
    ("inplace operation", _broken_tensor),
    ("modified by an inplace operation", _unseen_change),
    ("only for scalar outputs", _not_scalar),
    ("does not require grad and does not have a grad_fn", _no_graph),
    ("leaf Variable that requires grad", _leaf_in_place),
    ("not have been used in the graph", _unused_input),
    ("returned nan", _stopped_at_nan),
    ("Inference tensors cannot be saved", _inference_saved),
)
"""Words of a message, and the function that answers. A saved tensor is asked before a change, since
a change is told better in a graph that can be seen."""
