"""A loss that was used as it should be: what can be seen of its learning, and what to type next."""

from __future__ import annotations

import ast
import inspect
import sys
from types import FunctionType, ModuleType
from typing import Any

from ..model.program_text import Statement, assigned, cuts, receivers
from ..model.values import bare, has_numbers
from .causes import Context, Finding
from .evidence import arguments_in
from .learners import list_of_numbers
from .observed import finite, largest
from .rules.evidence import Evidence
from .rules.outcome import idle, outcome, told
from .syntax import calls_in, names_in, root_of_pass

MOST_NAMED = 3
"""Gradients that are named."""


def explain_finished(context: Context, t: Any, evidence: Evidence) -> Finding | None:
    """Explain a loss whose one pass has run, or return None if the text does not show that."""
    name = context.name(t)
    others = [other for other, value in context.variables.items() if value is t and other != name]
    names = (name, returned_name(context, name), *others)
    walked = next(filter(None, (passes_once(evidence, each) for each in names)), None)
    walked = own_pass(evidence, name, walked)
    walked = walked or stepped_by_closure(evidence, name)
    if walked is None or has_failed(t):
        return None
    parts = {"t": name, "line": context.line(walked)}
    sentences = [context.say("finished", **parts)]
    if has_numbers(t):
        value = f"{float(bare(t).item()):.4g}"
        sentences.append(context.say("finished_value", t=name, value=value))
    for name, numbers in lists_of_losses(context):
        ends = {"first": f"{numbers[0]:.4g}", "last": f"{numbers[-1]:.4g}"}
        sentences.append(context.say("finished_list", name=name, count=len(numbers), **ends))
        break
    if (found := outcome(evidence)) is not None:
        sentences += told(evidence, found)
        sentences += idle(evidence)
    sentences.append(describe_gradients(context, evidence))
    sentences.append(next_call(context, evidence, walked))
    return Finding("finished", sentences)  # nothing in the graph is to be marked


def number_to_read(context: Context, t: Any, told: list[str]) -> str:
    """Return a sentence about a number from a loss that has had its own pass, or "".

    `told` are the sentences about the line in which its history was cut off.
    """
    if t.numel() != 1:
        return ""
    evidence = Evidence.afterwards(context, t)
    walked = {name for s in evidence.passes for name in receivers(s, "backward")}
    for statement in evidence.lines:
        names = names_in(getattr(statement.tree, "value", None)) & walked
        if names and cuts(statement) and any(statement.text in each for each in told):
            name, line = min(names), context.line(statement)
            return context.say("number_to_read", t=context.name(t), loss=name, line=line)
    return ""


def has_failed(t: Any) -> bool:
    """Return whether the last error that the interpreter showed is of a pass from `t`."""
    error = getattr(sys, "last_value", None)
    if not isinstance(error, BaseException):
        return False
    return any(each is t for each in arguments_in(error.__traceback__, "tensors", "self"))


def walks_from(evidence: Evidence, name: str) -> bool:
    """Return whether the text has a pass from a variable."""
    calls = (call for statement in evidence.passes for call in calls_in(statement.tree))
    roots = (root for call in calls if (root := root_of_pass(call)) is not None)
    return any(ast.unparse(root) == name for root in roots)


def passes_once(evidence: Evidence, name: str) -> Statement | None:
    """Return the last pass from a variable if each value of it had one pass at most."""
    found: Statement | None = None
    open_pass: Statement | None = None
    for statement in evidence.lines:
        if name in assigned(statement.tree) or adds_to(statement, name):
            open_pass = None
        roots = (root_of_pass(call) for call in calls_in(statement.tree))
        if any(root is not None and scaled(root) == name for root in roots):
            if open_pass is not None and same_branch(open_pass, statement):
                return None
            open_pass = found = statement
    if found is None or not made_where_walked(evidence, name, found):
        return None
    return found


def scaled(root: ast.expr) -> str:
    """Return the text of the loss from which a pass starts, without a factor: `loss / 4`."""
    while isinstance(root, ast.BinOp) and isinstance(root.op, ast.Mult | ast.Div):
        factor_first = isinstance(root.op, ast.Mult) and isinstance(root.left, ast.Constant)
        root = root.right if factor_first else root.left
    return ast.unparse(root)


def own_pass(evidence: Evidence, name: str, walked: Statement | None) -> Statement | None:
    """Return the pass of the running functions themselves, if a called one has its own as well."""
    here = {*evidence.context.program.statements}
    own = [s for s in evidence.passes if s in here and name in receivers(s, "backward")]
    return own[-1] if walked is not None and walked not in here and own else walked


def returned_name(context: Context, name: str) -> str:
    """Return the variable of a called function that a variable holds the value of, or ""."""
    making = context.program.making(name)
    made = None if making is None else context.line_in_function(making)
    return "" if made is None else min(assigned(made.tree), default="")


def stepped_by_closure(evidence: Evidence, name: str) -> Statement | None:
    """Return the line `loss = opt.step(closure)`, or the line of a function that returns it."""
    owners = {optimizer for optimizer, _ in evidence.optimizers}
    for statement in evidence.lines:
        if name not in assigned(statement.tree) and not isinstance(statement.tree, ast.Return):
            continue
        if any(call.args and owners & {*owner_of(call)} for call in calls_in(statement.tree)):
            return statement
    return None


def owner_of(call: ast.Call) -> list[str]:
    """Return the text of the object whose `step` is called, or nothing."""
    method = call.func
    steps = isinstance(method, ast.Attribute) and method.attr == "step"
    return [ast.unparse(method.value)] if steps and isinstance(method, ast.Attribute) else []


def adds_to(statement: Statement, name: str) -> bool:
    tree = statement.tree
    return isinstance(tree, ast.AugAssign) and ast.unparse(tree.target) == name


def same_branch(first: Statement, second: Statement) -> bool:
    """Return whether two statements can both run in one iteration."""
    arms = dict(first.arms)
    return all(arms.get(line, arm) == arm for line, arm in second.arms)


def made_where_walked(evidence: Evidence, name: str, walked: Statement) -> bool:
    """Return whether the loop with the pass also computes the loss."""
    making = [s for s in evidence.lines if name in assigned(s.tree) and s.file == walked.file]
    return not walked.loops or not making or any(s.loops == walked.loops for s in making)


def lists_of_losses(context: Context) -> list[tuple[str, list[float]]]:
    """Return lists of numbers whose name speaks of a loss."""
    found = []
    for name, value in context.variables.items():
        if "loss" in name.lower() and len(numbers := list_of_numbers(value)) > 1:
            found.append((name, numbers))
    return found


def describe_gradients(context: Context, evidence: Evidence) -> str:
    """Describe the gradients that are there."""
    leaves = [leaf for leaf in evidence.leaves if leaf.grad is not None and finite(leaf.grad)]
    if not leaves:
        return context.say("finished_cleared")
    leaves = [leaf for leaf in leaves if evidence.name(leaf) != type(leaf).__name__] or leaves
    zero = [f"`{evidence.name(leaf)}`" for leaf in leaves if largest(leaf.grad) == 0]
    if zero:
        return context.say("finished_zero", names=context.say("and").join(zero[:MOST_NAMED]))
    shown = [f"`{evidence.name(leaf)}` {largest(leaf.grad):.2g}" for leaf in leaves[:MOST_NAMED]]
    more = "" if len(leaves) <= MOST_NAMED else context.say("finished_more")
    return context.say("finished_gradients", names=context.say("and").join(shown) + more)


def next_call(context: Context, evidence: Evidence, walked: Statement) -> str:
    """Return the sentence with the call of `diagnose` that watches this step."""
    variables = context.variables.items()
    viz = next((n for n, v in variables if isinstance(v, ModuleType) and v.__name__ == VIZ), "viz")
    for name, value in variables:
        if isinstance(value, FunctionType) and contains(value, walked) and takes_nothing(value):
            return context.say("finished_function", call=f"{viz}.diagnose({name})")
    heads = (s for s in evidence.lines if s.file == walked.file and walked.loops[:1] == (s.line,))
    head = next((s for s in heads if s.loops[-1:] == (s.line,)), None)
    if head is None:
        return context.say("finished_step", call=f"{viz}.diagnose(train_step)")
    where = context.line(head)
    return context.say("finished_loop", call=f"with {viz}.diagnose():", head=where)


VIZ = __name__.partition(".")[0]


def contains(function: FunctionType, statement: Statement) -> bool:
    lines = [line for *_, line in function.__code__.co_lines() if line is not None]
    name = function.__code__.co_filename.rpartition("/")[2]
    same = not statement.file or name == statement.file
    return same and bool(lines) and min(lines) <= statement.line <= max(lines)


def takes_nothing(function: FunctionType) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    free = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return all(p.default is not p.empty or p.kind in free for p in parameters)
