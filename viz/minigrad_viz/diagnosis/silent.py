"""What the text and the graph of a program that raises no error show.

refined.py has the rules about gradients. This file finds lines of classes, operations without a
slope, losses whose graphs are kept, and the branch of where() that was not taken.
"""

from __future__ import annotations

import ast
import inspect
from types import FunctionType
from typing import Any

from ..model.autograd_nodes import node_name
from ..model.names import is_tensor
from ..model.program_text import Program, Statement, receivers
from .causes import Context, Finding
from .ended import find_library
from .evidence import kind_of, leads_to, state_of
from .history import History
from .objects import is_library, member

FLAT = ("Round", "Floor", "Ceil", "Trunc", "Sign", "Sgn", "Heaviside", "Bernoulli",
        "Normal")  # fmt: skip
"""Operations whose slope is zero wherever it exists."""


def cure_of_flat(context: Context, node: Any) -> str:
    drawn = node_name(node).startswith("Normal")
    return say_cure(context, "cure_drawn" if drawn else "cure_flat")


def say_cure(context: Context, key: str) -> str:
    return context.say(key, library=find_library(context)[0])


def find_storing_line(context: Context, path: str) -> Statement | None:
    """Return the line of __init__ that made the module of a parameter `net.head.weight`."""
    name, _, rest = path.partition(".")
    function = inspect.getattr_static(type(context.variables.get(name)), "__init__", None)
    part = rest.partition(".")[0]
    if not part or not isinstance(function, FunctionType) or is_library(function):
        return None
    for statement in Program.of(function).statements:
        targets = statement.tree.targets if isinstance(statement.tree, ast.Assign) else []
        if any(isinstance(each, ast.Attribute) and each.attr == part for each in targets):
            return statement
    return None


def return_line(kind: Any) -> Statement | None:
    """Return the only line in which the backward of a Function returns, or None."""
    lines = [s for s in statements_of(kind, "backward") if isinstance(s.tree, ast.Return)]
    return lines[0] if len(lines) == 1 else None


def statements_of(kind: Any, method: str) -> list[Statement]:
    """Return the statements of a class's method."""
    function = inspect.getattr_static(kind, method, None) if kind is not None else None
    function = getattr(function, "__func__", function)
    return Program.of(function).statements if isinstance(function, FunctionType) else []


def explain_kept_graphs(context: Context, t: Any) -> Finding | None:
    """Explain `total += loss` in a loop in which each loss has its own pass."""
    if not is_tensor(t) or t.grad_fn is None or state_of(context.operations(t)) == "kept":
        return None
    name = context.name(t)
    if (held := find_kept_by_object(context, t)) is not None:
        return held
    for statement in context.program.statements:
        target, instead = sum_of(statement)
        if target != name or not statement.loops:
            continue
        passes = [
            receiver
            for other in context.program.statements
            for receiver in receivers(other, "backward")
            if other.loops == statement.loops or receiver == name
        ]
        value = getattr(statement.tree, "value", None)
        added = {n.id for n in ast.walk(value or ast.Pass()) if isinstance(n, ast.Name)} - {name}
        if name in passes or not added & {*passes}:
            return None
        parts = {"t": name, "line": context.line(statement), "instead": instead}
        sentences = [context.say("kept_graphs", **parts), context.say("cure_kept_graphs", **parts)]
        return Finding("kept_graphs", sentences, t)
    return None


def find_kept_by_object(context: Context, t: Any) -> Finding | None:
    """Explain `self.total += loss` in a method if the sum is `t` or lies behind it."""
    history = History(lambda tensor: bool(tensor.requires_grad), context.running)
    for scope in history.scopes:
        walked = [s.loops for s in scope.statements if receivers(s, "backward") and s.loops]
        inside = [s for s in scope.statements if s.loops in walked]
        for function, bound, inner in history.functions_entered(scope, inside):
            first = function.__code__.co_varnames[:1]
            for statement in inner.statements:
                target, instead = sum_of(statement)
                owner, _, attribute = target.partition(".")
                if bound is None or (owner,) != first or not attribute:
                    continue
                held = member(bound, attribute)
                if not is_tensor(held) or not (held is t or context.depends_on(t, held)):
                    continue
                parts = {"t": target, "line": context.line(statement), "instead": instead}
                sentences = [
                    context.say("kept_graphs", **parts),
                    context.say("cure_kept_graphs", **parts),
                ]
                return Finding("kept_graphs", sentences, t)
    return None


def sum_of(statement: Statement) -> tuple[str, str]:
    """Return the target of `total += loss`, and the same line with a number added.

    `total = total + loss` counts too. Both are "" for another statement.
    """
    tree = statement.tree
    if isinstance(tree, ast.AugAssign) and isinstance(tree.op, ast.Add):
        target, added = ast.unparse(tree.target), tree.value
        start = f"{target} +="
    elif isinstance(tree, ast.Assign) and isinstance(tree.value, ast.BinOp):
        target, added = ast.unparse(tree.targets[0]), tree.value.right
        start = f"{target} = {target} +"
        if ast.unparse(tree.value.left) != target or not isinstance(tree.value.op, ast.Add):
            return "", ""
    else:
        return "", ""
    text = ast.unparse(added)
    return target, f"{start} {text if isinstance(added, ast.Name) else f'({text})'}.item()"


def explain_untaken(context: Context, t: Any, node: Any, made: Statement | None) -> list[str]:
    """Explain a NaN from the branch that where() did not take.

    Call it only if every gradient that became NaN came in as zero.
    """
    above = [n for n in context.operations(t) if node_name(n).startswith("WhereBackward")]
    if not any(leads_to(each, node) for each in above):
        return []
    sentences = [context.say("untaken")]
    for call in ast.walk(getattr(made, "tree", None) or ast.Pass()):
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("where"):
            if len(call.args) == 3 and (instead := guard(call, node)) is not None:
                return [*sentences, context.say("cure_untaken_by", instead=instead)]
    return [*sentences, context.say("cure_untaken")]


def guard(call: ast.Call, node: Any) -> str | None:
    """Return the call with another where() around the argument that made the NaN."""
    where, condition = ast.unparse(call.func), ast.unparse(call.args[0])
    operation = kind_of(node).lower()
    if operation not in ("sqrt", "log", "rsqrt", "reciprocal"):
        return None  # 1.0 may be outside of its domain
    for place, branch in ((1, call.args[1]), (2, call.args[2])):
        for inner in ast.walk(branch):
            if not isinstance(inner, ast.Call) or not isinstance(inner.func, ast.Attribute):
                continue
            if inner.func.attr != operation:
                continue
            argument = ast.unparse(inner.args[0] if inner.args else inner.func.value)
            taken = f"{argument}, 1.0" if place == 1 else f"1.0, {argument}"
            safe = f"{where}({condition}, {taken})"
            inside = ast.unparse(inner)
            new = f"{ast.unparse(inner.func)}({safe})" if inner.args else f"{safe}.{operation}()"
            return ast.unparse(call).replace(inside, new, 1)
    return None
