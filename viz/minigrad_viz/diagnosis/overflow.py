"""A NaN that appears after some iterations: the operation, the iteration, the values, and a cure.

When the loss is asked about, its weights are NaN already, and the numbers of the iteration in which
the first NaN appeared are gone. The structure of the graph is still there, and so are the numbers
that variables hold.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator
from typing import Any

from ..model.autograd_nodes import is_accumulate, node_name, saved_tensors
from ..model.names import is_tensor, made_by
from ..model.program_text import Statement
from ..model.values import bare, dense, has_numbers
from .causes import Context, Finding
from .evidence import nonfinite, sequence_of
from .learners import list_of_numbers
from .syntax import update_of

RISKY = {
    "Log": "log", "Log2": "log", "Log10": "log", "Log1P": "log", "Logit": "log",
    "Sqrt": "sqrt", "Rsqrt": "sqrt", "LinalgVectorNorm": "sqrt", "Norm": "sqrt", "Std": "sqrt",
    "Div": "div", "Reciprocal": "div", "Exp": "exp", "Cosh": "exp", "Sinh": "exp",
    "Acos": "sqrt", "Asin": "sqrt",
}  # fmt: skip
"""Operations that make NaN or infinity of finite numbers, and the kind of their cure."""

OF_SCORES = {"Softmax": "log_softmax", "Sigmoid": "binary_cross_entropy_with_logits"}


def explain_late_nan(context: Context, t: Any, finding: Finding) -> Finding:
    """Explain a NaN that a loss and its leaf hold, if a loop has changed the leaf."""
    leaves = (node.variable for node in context.nodes(t) if is_accumulate(node))
    leaf = next((each for each in leaves if nonfinite(each)), None)
    update = changing_line(context, leaf)
    if leaf is None or update is None:
        return finding
    parts = {"t": context.name(t), "leaf": context.name(leaf), "line": context.line(update)}
    for name, made in nonfinite_data(context):
        parts |= {"data": name, "where": context.where(made), "what": nonfinite(t) or "NaN"}
        sentences = [context.say("nan_data", **parts), context.say("cure_nan_data")]
        return Finding("nan_late", sentences, finding.shown, finding.culprits, topic="nan_value")
    hidden = nonfinite(t) == ""  # the loss does not read the leaf where it is NaN
    key = "nan_late_hidden" if hidden else "nan_late"
    sentences = [context.say(key, what=nonfinite(t) or nonfinite(leaf), **parts)]
    before: float | None = None
    for name, place, last in first_nonfinite_number(context):
        before = last
        key = "nan_late_number" if last is None else "nan_late_after"
        shown = "" if last is None else f"{last:.3g}"
        sentences.append(context.say(key, name=name, number=place + 1, last=shown))
        break
    node = next(risky_nodes(context, t, backward=hidden), None)
    if node is not None and not (before is not None and abs(before) > LARGE):
        sentences += describe_risk(context, node)
    else:
        sentences.append(context.say("cure_nan_rate"))
    sentences.append(context.say("nan_late_diagnose"))
    return Finding("nan_late", sentences, finding.shown, finding.culprits, topic="nan_value")


def nonfinite_data(context: Context) -> Iterator[tuple[str, Statement]]:
    """Yield variables made before the loops from no weight, whose numbers are not finite."""
    for name, value in context.variables.items():
        made = context.program.assignment(name) if is_tensor(value) else None
        if made is not None and not made.loops and not value.requires_grad and nonfinite(value):
            yield name, made


LARGE = 1e6
"""A loss beyond this has grown with the weights."""


def changing_line(context: Context, leaf: Any) -> Statement | None:
    """Return the line in a loop that changes a leaf: an optimizer's step, or an update by hand."""
    if leaf is None:
        return None
    name = context.name(leaf)
    for statement in reversed(context.find_steps(leaf)):
        return statement
    for statement in reversed(context.program.statements):
        update = update_of(statement)
        by_hand = update is not None and update[0] == name
        value = getattr(statement.tree, "value", None)
        read = "" if value is None else ast.unparse(value)
        if by_hand or (".grad" in read and statement.loops and "zero_grad" not in read):
            return statement
    return None


def first_nonfinite_number(context: Context) -> Iterator[tuple[str, int, float | None]]:
    """Yield lists of numbers that become NaN: name, first place, and the number before it."""
    for name, value in context.variables.items():
        numbers = list_of_numbers(value)
        place = next((i for i, each in enumerate(numbers) if not math.isfinite(each)), None)
        if place is not None:
            yield name, place, float(numbers[place - 1]) if place else None


def risky_nodes(context: Context, root: Any, backward: bool = False) -> Iterator[Any]:
    """Yield the operations behind a root that may have made its NaN, in the order they ran.

    With `backward`, the NaN is in a gradient: a root of zero is finite, and its slope is not.
    """
    results = {made_by(t)[0]: t for t in context.tensors if t.grad_fn is not None}
    for node in sorted(context.operations(root), key=sequence_of):
        kind = RISKY.get(node_name(node).partition("Backward")[0])
        result = results.get(node)
        if kind is None:
            continue
        if result is not None and nonfinite(result) == "":
            if not (backward and kind == "sqrt" and has_zero(result)):
                continue
        if not domain_is_safe(context, node):
            yield node


def has_zero(value: Any) -> bool:
    return has_numbers(value) and float(dense(bare(value)).abs().min().item()) == 0


def domain_is_safe(context: Context, node: Any) -> bool:
    """Return whether the known numbers of a node's input are far from where it has no value."""
    kind = RISKY[node_name(node).partition("Backward")[0]]
    for value in inputs_of(context, node):
        if nonfinite(value) or not has_numbers(value):
            continue
        numbers = dense(bare(value))
        low, high = float(numbers.min().item()), float(numbers.max().item())
        if kind == "log" and low > 0:
            return True
        if kind == "exp" and high < EXPONENT:
            return True
    return False


EXPONENT = 80.0
"""exp() of float32 numbers is finite up to about 88."""


def inputs_of(context: Context, node: Any) -> Iterator[Any]:
    """Yield the tensors that a node was computed from, if they are saved or have names."""
    yield from (saved for _, saved in saved_tensors(node) if is_tensor(saved))
    makers = [maker for maker, _ in node.next_functions if maker is not None]
    for t in context.tensors:
        made = made_by(t)[0] if t.requires_grad else None
        if made is not None and any(made is maker for maker in makers):
            yield t


def two_behind(nodes: Iterable[Any]) -> Iterator[Any]:
    """Yield nodes and those before them: of `1 - p`, the subtraction and what made p."""
    for node in nodes:
        yield node
        yield from (maker for maker, _ in node.next_functions if maker is not None)


def describe_risk(context: Context, node: Any) -> list[str]:
    """Describe an operation that may make NaN, the numbers it got, and its cure."""
    kind = RISKY[node_name(node).partition("Backward")[0]]
    where = context.where(context.node_line(node))
    sentences = [context.say("nan_risk", node=node_name(node), where=where)]
    for value in inputs_of(context, node):
        name = context.names.of(value)
        if name and not nonfinite(value) and has_numbers(value):
            numbers = dense(bare(value))
            low, high = float(numbers.min().item()), float(numbers.max().item())
            sentences.append(context.say("nan_range", t=name, low=f"{low:.3g}", high=f"{high:.3g}"))
            break
    before = (maker for maker, _ in node.next_functions if maker is not None)
    behind = {node_name(maker).partition("Backward")[0] for maker in two_behind(before)}
    if kind == "log" and (scores := [OF_SCORES[k] for k in OF_SCORES if k in behind]):
        sentences.append(context.say("cure_nan_scores", instead=scores[0]))
    else:
        sentences.append(context.say(f"cure_nan_{kind}"))
    return sentences
