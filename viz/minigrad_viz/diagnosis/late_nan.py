"""A NaN that a finished loop has left: the numbers, the mask or the setting that made it.

When the loss is asked about, its weights are NaN already, and the numbers of the iteration in which
the first NaN appeared are gone. The structure of the graph is still there, and so are the numbers
that variables hold.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..model.autograd_nodes import is_accumulate, node_name
from ..model.names import is_tensor
from ..model.program_text import Statement
from ..model.values import bare, has_numbers
from .causes import Context, Finding
from .domains import describe_risk, find_fault, risky_nodes
from .evidence import leads_to, nonfinite, sequence_of
from .learners import list_of_numbers
from .reachable import held_by
from .rules.data_scale import far_data
from .rules.evidence import Evidence, rates
from .rules.table import RULES, matches
from .syntax import calls_in, keyword, last_name, names_in, shows_operation, update_of

Fault = Callable[[Evidence], list[str]]
"""A function that returns sentences about a fault, or none where it is not there."""


def explain_known_fault(context: Context, t: Any, finding: Finding) -> Finding:
    """Explain a NaN in `t` by numbers, a mask or labels that make it, if they are known."""
    said = find_fault(context, t) or find_text_fault(Evidence.afterwards(context, t))
    seen = nonfinite(t) == "inf" or any(
        getattr(each, "key", "") == "inf_before" for each in finding.sentences
    )
    node = None if said or seen else next(risky_nodes(context, t), None)
    if node is not None:
        said = describe_risk(context, node)
    if not said:
        return finding
    sentences = [context.say("nan_known", t=context.name(t), what=nonfinite(t)), *said]
    return Finding(finding.cause, sentences, finding.shown, finding.culprits)


def explain_nan_gradient(context: Context, t: Any, finding: Finding) -> Finding:
    """Explain a NaN in `t.grad`, if the numbers that made it are known."""
    for root in context.find_roots(t):
        if said := find_fault(context, root, backward=True):
            known = context.say("nan_known_grad", t=context.name(t), what=nonfinite(t.grad))
            sentences = [known, *said]
            return Finding(finding.cause, sentences, root, finding.culprits, topic="nan_gradient")
    for root in context.find_roots(t)[:1]:
        evidence = Evidence.afterwards(context, root)
        said = first_said(FAULTS, evidence)
        node = next(risky_nodes(context, root, backward=nonfinite(root) == ""), None)
        if said or node is not None:
            said = said or describe_risk(context, node)
            known = context.say("nan_known_grad", t=context.name(t), what=nonfinite(t.grad))
            return Finding(finding.cause, [known, *said], root, [])
    return finding


def explain_late_nan(context: Context, t: Any, finding: Finding) -> Finding:
    """Explain a NaN that a loss and its leaf hold, if a loop has changed the leaf."""
    leaves = (node.variable for node in context.nodes(t) if is_accumulate(node))
    leaf = next((each for each in leaves if nonfinite(each)), None)
    if leaf is None:
        return finding
    evidence = Evidence.afterwards(context, t)
    update = changing_line(evidence, leaf)
    if update is None:
        return explain_known_fault(context, t, finding) if nonfinite(t) else finding
    parts = {"t": context.name(t), "leaf": evidence.name(leaf), "line": context.line(update)}
    for name, made in nonfinite_data(context):
        parts |= {"data": name, "where": context.where(made), "what": nonfinite(t) or "NaN"}
        sentences = [context.say("nan_data", **parts), context.say("cure_nan_data")]
        return Finding("nan_late", sentences, finding.shown, finding.culprits, topic="nan_value")
    hidden = nonfinite(t) == ""  # the loss does not read the leaf where it is NaN
    key = "nan_late_hidden" if hidden else "nan_late"
    sentences = [context.say(key, what=nonfinite(t) or nonfinite(leaf), **parts)]
    if said := first_said(FAULTS, evidence):
        sentences += said
        return Finding("nan_late", sentences, finding.shown, finding.culprits, topic="nan_value")
    name, place, before = first_nonfinite_number(context) or ("", 0, None)
    if name:
        key = "nan_late_number" if before is None else "nan_late_after"
        shown = "" if before is None else f"{before:.3g}"
        sentences.append(context.say(key, name=name, number=place + 1, last=shown))
    node = next(risky_nodes(context, t, backward=hidden), None)
    if node is not None and not (before is not None and abs(before) > LARGE):
        sentences += describe_risk(context, node)
    else:
        grew = before is not None and abs(before) > LARGE
        known = describe_rate(evidence) or describe_data(context, evidence)
        sentences += known or [context.say("cure_nan_rate" if grew else "cure_nan_grew")]
    sentences.append(context.say("nan_late_diagnose"))
    return Finding("nan_late", sentences, finding.shown, finding.culprits, topic="nan_value")


def describe_rate(evidence: Evidence) -> list[str]:
    """Describe plain gradient descent with a learning rate of 1 or more."""
    for name, optimizer in evidence.stepping:
        rate = max(rates(optimizer), default=0.0)
        if type(optimizer).__name__ == "SGD" and rate >= 1:
            said = evidence.context.say("nan_by_rate", t=name, rate=f"{rate:g}")
            return [said, evidence.context.say("cure_nan_by_rate")]
    return []


def describe_data(context: Context, evidence: Evidence) -> list[str]:
    """Describe data far from 1 that a line of the loop reads."""
    if (found := far_data(evidence, FAR_DATA)) is None:
        return []
    return [context.say("nan_by_data", **found), context.say("cure_nan_by_data", **found)]


FAR_DATA = 300.0
"""Data with numbers beyond this make gradients a hundred thousand times as large."""


def nonfinite_data(context: Context) -> Iterator[tuple[str, Statement]]:
    """Yield variables made before the loops from no weight, whose numbers are not finite."""
    for name, value in context.variables.items():
        made = context.program.making(name) if is_tensor(value) else None
        if made is None or made.loops or value.requires_grad or not nonfinite(value):
            continue
        earlier = context.program.statements[: context.program.statements.index(made)]
        if not any(each.loops for each in earlier if each.file == made.file):
            yield name, made


LARGE = 1e6
"""A loss beyond this has grown with the weights."""


def changing_line(evidence: Evidence, leaf: Any) -> Statement | None:
    """Return the line that changes a leaf: an optimizer's step, or an update by hand."""
    context, lines = evidence.context, evidence.lines
    for name, optimizer in evidence.optimizers:
        if any(each is leaf for each in held_by(optimizer)):
            if steps := evidence.calls("step", name):
                return steps[-1]
    name = context.name(leaf)
    for statement in reversed(lines):
        update = update_of(statement)
        by_hand = update is not None and update[0] == name
        value = getattr(statement.tree, "value", None)
        read = "" if value is None else ast.unparse(value)
        if by_hand or (".grad" in read and statement.loops and "zero_grad" not in read):
            return statement
    return None


def first_nonfinite_number(context: Context) -> tuple[str, int, float | None] | None:
    """Return a list of numbers that becomes NaN: name, first place, and the number before it."""
    for name, value in context.variables.items():
        numbers = list_of_numbers(value)
        place = next((i for i, each in enumerate(numbers) if not math.isfinite(each)), None)
        if place is not None:
            return name, place, float(numbers[place - 1]) if place else None
    return None


# --- A mask, labels or a setting, which the text names


def find_text_fault(evidence: Evidence) -> list[str]:
    """Return sentences about a mask, labels or a setting that alone make a loss NaN."""
    faults = (find_masked_row, find_ignored_labels, find_empty_mean, find_no_eps)
    return first_said(faults, evidence)


def first_said(faults: Sequence[Fault], evidence: Evidence) -> list[str]:
    """Return the sentences about the first of these faults that is there."""
    return next((said for find in faults if (said := find(evidence))), [])


INFINITE = ("-inf", "'-inf'", '"-inf"', "-torch.inf", "-math.inf", "-np.inf")


def find_masked_row(evidence: Evidence) -> list[str]:
    """Find a softmax of scores of which a mask sets a complete row to -inf."""
    context = evidence.context
    if not any(evidence.kind(node) in ("Softmax", "LogSoftmax") for node in evidence.nodes):
        return []
    for statement in evidence.lines:
        if "mask" not in statement.text or not any(text in statement.text for text in INFINITE):
            continue
        for call in calls_in(statement.tree):
            mask = mask_of(context, call)
            if mask is not None and bool(mask[1].all(-1).any().item()):
                parts = {"line": context.line(statement), "t": mask[0]}
                return [context.say("fault_mask", **parts), context.say("cure_nan_mask")]
    return []


def mask_of(context: Context, call: ast.Call) -> tuple[str, Any] | None:
    """Return the mask of `scores.masked_fill(mask, -inf)` if a variable holds it."""
    if last_name(call) not in ("masked_fill", "masked_fill_") or not call.args:
        return None
    tree = call.args[0]
    while isinstance(tree, ast.Call | ast.Subscript | ast.Attribute):  # mask.unsqueeze(1)
        tree = tree.func if isinstance(tree, ast.Call) else tree.value
    name = ast.unparse(tree)
    mask = context.variables.get(name)
    if not is_tensor(mask) or not str(mask.dtype).endswith("bool") or not len(mask.shape):
        return None
    return name, mask


def find_ignored_labels(evidence: Evidence) -> list[str]:
    """Find a cross-entropy all of whose labels are the index that it ignores."""
    context = evidence.context
    if not any(evidence.kind(node).startswith("NllLoss") for node in evidence.nodes):
        return []
    for statement in evidence.lines:
        for call in calls_in(statement.tree):
            loss = context.variables.get(ast.unparse(call.func))
            named = keyword(call, "ignore_index")
            ignored = named if isinstance(named, int) else getattr(loss, "ignore_index", None)
            labels = context.variables.get(ast.unparse(call.args[1])) if call.args[1:] else None
            if type(ignored) is int and is_tensor(labels) and not labels.is_floating_point():
                if has_numbers(labels) and bool((bare(labels) == ignored).all().item()):
                    parts = {"line": context.line(statement), "t": ast.unparse(call.args[1])}
                    said = context.say("fault_labels", ignored=str(ignored), **parts)
                    return [said, context.say("cure_nan_labels")]
    return []


def find_empty_mean(evidence: Evidence) -> list[str]:
    """Find a mean of no numbers."""
    for node in evidence.nodes:
        if not evidence.kind(node).startswith(("Mean", "MseLoss", "L1Loss", "SmoothL1Loss")):
            continue
        for maker, index in node.next_functions:
            if maker is not None and not is_accumulate(maker) and 0 in evidence.shape(maker, index):
                context = evidence.context
                parts = {"node": node_name(node), "where": context.where(context.node_line(node))}
                return [context.say("fault_empty", **parts), context.say("cure_nan_empty")]
    return []


def find_by_rule(evidence: Evidence) -> list[str]:
    """Return the sentences of a rule about a line that brings a NaN."""
    for rule, match in matches(evidence, OF_NAN):
        return rule.sentences(match, evidence.context.language)
    return []


EXPLODED = {"nan", "exploding"}
OF_NAN = tuple(rule for rule in RULES if EXPLODED & {*rule.before} and not rule.watched)
"""Rules about lines that alone can make a NaN."""


def find_growing_state(evidence: Evidence) -> list[str]:
    """Find a weight that multiplies a state again and again, with nothing that bounds it."""
    context = evidence.context
    if any(evidence.kind(node) in ("Tanh", "Sigmoid") for node in evidence.nodes):
        return []
    for leaf in evidence.leaves:
        using = [n for n in evidence.nodes if evidence.kind(n) in ("Mm", "Addmm", "Mul", "Mv")]
        using = [n for n in using if any(is_leaf_of(each, leaf) for each, _ in n.next_functions)]
        if len(using) >= STEPS and follow(using):
            name = context.name(leaf)
            shown = [s for s in evidence.repeated if name in names_in(s.tree)]
            shown = [s for s in shown if shows_operation(node_name(using[-1]), s)]
            line = shown[0] if len(shown) == 1 else context.node_line(using[-1])
            parts = {"t": name, "count": len(using), "where": context.where(line)}
            return [context.say("fault_state", **parts), context.say("cure_nan_state", **parts)]
    return []


def is_leaf_of(node: Any, leaf: Any) -> bool:
    return node is not None and is_accumulate(node) and node.variable is leaf


def follow(nodes: list[Any]) -> bool:
    """Return whether each product gets what came out of the one before."""
    first, *_, last = sorted(nodes, key=sequence_of)
    return leads_to(last, first)


STEPS = 30
"""Products with one weight from which on a state can overflow."""


def find_bare_spread(evidence: Evidence) -> list[str]:
    """Find a quotient by a standard deviation or a norm to which nothing is added."""
    context = evidence.context
    for statement in evidence.repeated:
        for node in ast.walk(statement.tree or ast.Pass()):
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
                continue
            if isinstance(node.right, ast.Call) and last_name(node.right) in ("std", "var", "norm"):
                parts = {"line": context.line(statement), "t": ast.unparse(node.right)}
                return [context.say("fault_spread", **parts), context.say("cure_nan_spread")]
    return []


def find_no_eps(evidence: Evidence) -> list[str]:
    """Find an optimizer that divides by the root of a mean square without adding anything."""
    context = evidence.context
    for name, optimizer in evidence.stepping:
        if any(group.get("eps", 1) == 0 for group in optimizer.param_groups):
            made: Statement | None = context.program.assignment(name)
            parts = {"t": name, "where": context.where(made)}
            return [context.say("fault_eps", **parts), context.say("cure_nan_eps")]
    return []


FAULTS = (find_text_fault, find_by_rule, find_bare_spread, find_growing_state)
"""What may have brought a NaN into a weight, the most certain first."""
