"""The sign with which a part of a line enters the loss, through variables and functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...model.program_text import Statement, assigned, receivers
from ..syntax import last_name, names_in
from .evidence import Evidence

DEEPEST = 4
"""Lines to follow a term through, to the loss."""

KEEPING = ("sum", "mean", "stack", "cat", "squeeze", "unsqueeze", "view", "reshape", "flatten",
           "scale", "backward", "min", "minimum")  # fmt: skip
"""Functions whose result has the sign of what they get."""


def climbs(evidence: Evidence) -> bool:
    """Return whether an optimizer makes its loss larger."""
    return any(g.get("maximize") for _, o in evidence.stepping for g in o.param_groups)


def values(evidence: Evidence) -> Iterator[tuple[Statement, ast.expr]]:
    """Yield the lines that compute something, with the expression."""
    for statement in dict.fromkeys((*evidence.lines, *evidence.repeated, *evidence.forward_lines)):
        if (value := given_by(statement)[1]) is not None:
            yield statement, value


def given_by(statement: Statement) -> tuple[set[str], ast.expr | None]:
    """Return the variables that a line gives a value, and the value; `a.append(v)` counts."""
    tree = statement.tree
    call = tree.value if isinstance(tree, ast.Expr) else None
    if isinstance(call, ast.Call) and last_name(call) in STORING and call.args:
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        return names_in(owner), call.args[-1]
    if isinstance(tree, ast.AugAssign) and isinstance(tree.target, ast.Name):
        return ({tree.target.id}, tree.value) if isinstance(tree.op, ast.Add) else (set(), None)
    value = getattr(tree, "value", None)
    return assigned(tree), value if isinstance(value, ast.expr) else None


STORING = ("append", "appendleft", "insert", "extend")


def definitions(evidence: Evidence) -> Iterator[tuple[set[str], ast.expr]]:
    """Yield variables with their values.

    The variables of a loop have what the loop goes over, and parameters of functions what calls
    give them.
    """
    for statement, value in values(evidence):
        names = given_by(statement)[0]
        targets = getattr(statement.tree, "targets", None)
        pairs = [*paired(targets[0], value)] if targets else []
        yield from pairs or [(names, value)]
        for part in ast.walk(value):
            if isinstance(part, ast.comprehension):
                yield from paired(part.target, part.iter)
            elif isinstance(part, ast.Call) and last_name(part) in evidence.functions:
                arguments = evidence.functions[last_name(part)][0].args.args
                own = [each.arg for each in arguments if each.arg != "self"]
                yield from (({n}, v) for n, v in zip(own, part.args, strict=False))


def paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[set[str], ast.expr]]:
    """Yield names with values, place by place in tuples and in `zip`."""
    together: list[ast.expr] = []
    if isinstance(value, ast.Tuple):
        together = value.elts
    elif isinstance(value, ast.Call) and last_name(value) == "zip":
        together = value.args
    if isinstance(target, ast.Tuple) and together:
        yield from ((names_in(t), v) for t, v in zip(target.elts, together, strict=False))
    else:
        yield names_in(target), value


def sign_in_loss(
    evidence: Evidence, statement: Statement, value: ast.expr, node: ast.AST, depth: int = 0
) -> int:
    """Return the sign with which a part of a line's value enters the loss, or 0 if unknown."""
    sign = sign_inside(value, node)
    names = given_by(statement)[0]
    if not sign or depth > DEEPEST:
        return 0
    lines = (*evidence.lines, *evidence.repeated)
    starts = isinstance(value, ast.Call) and last_name(value) == "backward"
    if starts or any(names & receivers(s, "backward") for s in lines):
        return sign
    for other, found in values(evidence):
        if other == statement:
            continue
        for part in ast.walk(found):
            used = isinstance(part, ast.Name) and part.id in names
            if isinstance(statement.tree, ast.Return) and isinstance(part, ast.Call):
                used = encloses(evidence, last_name(part), statement)
            if used:
                after = sign_in_loss(evidence, other, found, part, depth + 1)
                if after:
                    return sign * after
    return 0


def negated_loss(evidence: Evidence) -> str:
    """Return the line that computes the loss, with a minus."""
    name = "" if evidence.root is None else evidence.context.name(evidence.root)
    made = evidence.context.program.assignment(name)
    value = None if made is None else getattr(made.tree, "value", None)
    text = ast.unparse(value) if isinstance(value, ast.expr) else name
    return f"{name} = -{text}" if isinstance(value, ast.Call) else f"{name} = -({text})"


def encloses(evidence: Evidence, name: str, statement: Statement) -> bool:
    """Return whether the function of this name contains a line."""
    function = evidence.functions.get(name)
    return function is not None and any(
        isinstance(n, ast.Return) and n.lineno == statement.line for n in ast.walk(function[0])
    )


def sign_inside(value: ast.expr, node: ast.AST) -> int:
    """Return the sign of a part in an expression of sums, factors and means, or 0."""
    if value is node:
        return 1
    match value:
        case ast.UnaryOp(op=ast.USub()):
            return -sign_inside(value.operand, node)
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            right = 1 if isinstance(value.op, ast.Add) else -1
            return sign_inside(value.left, node) or right * sign_inside(value.right, node)
        case ast.BinOp(op=ast.Mult() | ast.Div()):
            left, right = sign_inside(value.left, node), sign_inside(value.right, node)
            factor = value.right if left else value.left
            negative = ast.unparse(factor).startswith("-")
            return (left or right) * (-1 if negative else 1)
        case ast.List() | ast.Tuple():
            found = (sign_inside(each, node) for each in value.elts)
            return next((sign for sign in found if sign), 0)
        case ast.GeneratorExp() | ast.ListComp():
            return sign_inside(value.elt, node)
        case ast.Subscript():
            return sign_inside(value.value, node)
        case ast.Call() if last_name(value) in KEEPING:
            inner = [*value.args[:1], getattr(value.func, "value", None)]
            found = (sign_inside(e, node) for e in inner if isinstance(e, ast.expr))
            return next((sign for sign in found if sign), 0)
    return 0
