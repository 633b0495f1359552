"""Inputs that are shuffled, with targets that are not, or that are shuffled otherwise."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...model.names import is_tensor
from ...model.program_text import Statement, assigned
from ..ended import module_names
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

PERMUTING = re.compile(r"randperm$|permutation$")
"""Functions that return a new order in each call."""

DRAWING = re.compile(r"randperm$|permutation$|randint$|choice$")
"""Functions that return new places in each call."""


def find(evidence: Evidence) -> Match | None:
    """Find a loss of inputs in a new order and targets in another."""
    if (match := find_two_orders(evidence)) is not None:
        return match
    text = "\n".join(evidence.code)
    lines = [s for s in evidence.lines if s.loops]
    shuffled = {s: name for s in lines if (name := reordered(s) or by_order(evidence, s))}
    if "manual_seed(" in text.partition("randperm(")[2] or not shuffled:
        return None
    for call in (c for s in evidence.lines for c in calls_in(s.tree)):
        if len(call.args) < 2 or not is_loss(evidence, call):
            continue
        scores = names_behind(evidence, names_in(call.args[0]))
        targets = names_behind(evidence, names_in(call.args[1]))
        for statement, name in shuffled.items():
            if name not in scores or name in targets:
                continue
            other = next((n for n in targets if stays_aligned(evidence, n, name)), "")
            if other:
                line = evidence.context.line(statement)
                parts = {"line": line, "x": name, "y": other, "names": f"{name}, {other}"}
                return Match({**parts, **drawn_anew(evidence, name)}, (name, other))
    return None


def drawn_anew(evidence: Evidence, name: str) -> dict[str, object]:
    """Return the part of the cure that draws an order."""
    return {"order": f"{module_names(evidence.context)['library']}.randperm(len({name}))"}


def find_two_orders(evidence: Evidence) -> Match | None:
    """Find a loss of `x[randperm(n)]` and `y[randperm(n)]`: each call draws its own order."""
    drawn = {}
    for statement in evidence.repeated:
        for name, value in pairs_of(statement):
            if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name):
                if any(DRAWING.search(last_name(c)) for c in calls_in(ast.Expr(value.slice))):
                    drawn[name] = (statement, value.value.id)
    seeds = sum(text.count("seed(") for text in evidence.code)
    for statement in evidence.lines if seeds < 2 else ():
        for name, value in pairs_of(statement):
            if isinstance(value, ast.Call) and shuffles(evidence, last_name(value)):
                drawn[name] = (statement, ast.unparse(value.args[0]) if value.args else name)
    for call in (c for s in evidence.repeated for c in calls_in(s.tree) if len(drawn) > 1):
        if len(call.args) < 2 or not is_loss(evidence, call):
            continue
        scores, targets = (names_behind(evidence, names_in(a), False) for a in call.args[:2])
        one = [n for n in drawn if n in scores]
        other = [n for n in drawn if n in targets and n not in scores]
        if one and other:
            (statement, name), (later, labels) = drawn[one[0]], drawn[other[0]]
            lines = dict.fromkeys(map(evidence.context.line, (statement, later)))
            parts = {"line": evidence.context.say("and").join(lines), "x": name, "y": labels}
            parts["names"] = f"{one[0]}, {other[0]}"
            return Match({**parts, **drawn_anew(evidence, name)}, (name, labels))
    return find_drawn_apart(evidence)


def shuffles(evidence: Evidence, name: str) -> bool:
    """Return whether a function of the program returns its argument in a new order each time."""
    function = evidence.functions.get(name)
    if function is None or len(function[0].args.args) != 1:
        return False
    tree, text = function[0], ast.unparse(function[0])
    given = tree.args.args[0].arg
    returned = [n.value for n in ast.walk(tree) if isinstance(n, ast.Return)]
    chosen = all(isinstance(v, ast.Subscript) and ast.unparse(v.value) == given for v in returned)
    drawn = any(PERMUTING.search(last_name(c)) for c in calls_in(tree))
    return bool(returned) and chosen and drawn and not re.search("seed|generator", text)


def find_drawn_apart(evidence: Evidence) -> Match | None:
    """Find data and their targets in one function, each with `[randperm(n)]` of its own."""
    drawn: list[tuple[Statement, str, ast.expr]] = []
    for statement in evidence.lines:
        for _, value in pairs_of(statement):
            if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name):
                if any(PERMUTING.search(last_name(c)) for c in calls_in(ast.Expr(value.slice))):
                    drawn.append((statement, value.value.id, value.slice))
    line = evidence.context.line
    for statement, name, order in drawn:
        for later, other, _ in drawn:
            near = later.loops == statement.loops and later.file == statement.file
            if near and are_data_with_targets(evidence, name, other):
                lines = (statement,) if later == statement else (statement, later)
                parts = {"line": evidence.context.say("and").join(map(line, lines)), "x": name}
                parts |= {"y": other, "names": f"{name}, {other}", "order": ast.unparse(order)}
                return Match(parts, (name, other))
    return None


def are_data_with_targets(evidence: Evidence, name: str, other: str) -> bool:
    """Return whether two tensors have as many samples, and the second one number for each."""
    data: Any = evidence.context.variables.get(name)
    targets: Any = evidence.context.variables.get(other)
    if any(not (is_tensor(v) or isinstance(v, np.ndarray)) for v in (data, targets)):
        return False
    shape, other_shape = tuple(data.shape), tuple(targets.shape)
    learned = getattr(data, "requires_grad", False) or getattr(targets, "requires_grad", False)
    whole = len(shape) > 1 and len(other_shape) and shape[0] == other_shape[0]
    return bool(whole and math.prod(other_shape) == shape[0] < math.prod(shape) and not learned)


def pairs_of(statement: Statement) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that a line assigns with their values, place by place in tuples."""
    tree = statement.tree
    if not isinstance(tree, ast.Assign) or len(tree.targets) != 1:
        return
    target, value = tree.targets[0], tree.value
    pairs = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = [*zip(target.elts, value.elts, strict=False)]
    yield from ((t.id, v) for t, v in pairs if isinstance(t, ast.Name))


def reordered(statement: Statement) -> str:
    """Return the name in `x = x[randperm(len(x))]`: the order is in no variable."""
    tree = statement.tree
    if not isinstance(tree, ast.Assign) or not isinstance(tree.value, ast.Subscript):
        return ""
    name = ast.unparse(tree.targets[0])
    same = name.isidentifier() and ast.unparse(tree.value.value) == name
    calls = calls_in(ast.Expr(tree.value.slice))
    return name if same and any(PERMUTING.search(last_name(c)) for c in calls) else ""


def by_order(evidence: Evidence, statement: Statement) -> str:
    """Return the name in `x = x[order]` if the order is a new one and orders nothing else."""
    tree = statement.tree
    if not isinstance(tree, ast.Assign) or not isinstance(tree.value, ast.Subscript):
        return ""
    name, order = ast.unparse(tree.targets[0]), ast.unparse(tree.value.slice)
    if ast.unparse(tree.value.value) != name or not order.isidentifier():
        return ""
    made = [s for s in evidence.lines if order in assigned(s.tree)]
    used = [s for s in evidence.lines if order in names_in(s.tree) - assigned(s.tree)]
    new = made and any(PERMUTING.search(last_name(c)) for c in calls_in(made[-1].tree))
    return name if new and made[-1].loops == statement.loops and used == [statement] else ""


def is_loss(evidence: Evidence, call: ast.Call) -> bool:
    """Return whether a call compares scores with targets, as a loss function does."""
    name = last_name(call)
    if name.endswith(("_loss", "cross_entropy", "cross_entropy_with_logits")):
        return True
    if isinstance(call.func, ast.Call):  # nn.MSELoss()(scores, y)
        return last_name(call.func).endswith("Loss")
    value = evidence.context.variables.get(ast.unparse(call.func))
    return type(value).__name__.endswith("Loss")


def names_behind(evidence: Evidence, names: set[str], looped: bool = True) -> set[str]:
    """Return names, and those of the loops' lines, or of all, from which they are computed."""
    found = set(names)
    lines = [s for s in evidence.lines if s.loops or not looped]
    while True:
        making = [s for s in lines if assigned(s.tree) & found]
        more = {name for s in making for name in names_of_value(s, found)} - found
        if not more:
            return found
        found |= more


def names_of_value(statement: Statement, wanted: set[str]) -> set[str]:
    """Return the names that a line computes the wanted ones from, place by place in tuples."""
    tree = statement.tree
    if not isinstance(tree, ast.Assign) or len(tree.targets) != 1:
        return set()
    target, value = tree.targets[0], tree.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = zip(target.elts, value.elts, strict=False)
        return {n for t, v in pairs if names_in(t) & wanted for n in names_in(v)}
    return names_in(value)


def stays_aligned(evidence: Evidence, name: str, inputs: str) -> bool:
    """Return whether a tensor has a number for each input, and keeps its own order."""
    variables = evidence.context.variables
    mine, other = variables.get(name), variables.get(inputs)
    if not is_tensor(mine) or not is_tensor(other) or not len(mine.shape) or mine.requires_grad:
        return False
    inside = [s for s in evidence.lines if s.loops and name in assigned(s.tree)]
    return bool(mine.shape[0] == other.shape[0] and all(reordered(s) == name for s in inside))


PROGRAM = training(
    inside="""
{order}
x = x[{which}]
{targets}
loss = T.nn.functional.mse_loss(net(x), y)""",
)

RULE = Rule(
    key="shuffled_apart",
    chapter="14",
    en=Words(
        "inputs and targets in different orders",
        "{line} shuffles `{x}`, and `{y}` does not get the same order: each input is compared with "
        "the target of another.",
        "Draw the order once: `order = {order}`, then `{names} = {x}[order], {y}[order]`.",
    ),
    zh=Words(
        "输入与目标的顺序不同",
        "{line}打乱了 `{x}`，而 `{y}` 没有按同样的顺序排列：每个输入都在与别的输入的目标比较。",
        "请只抽取一次顺序：`order = {order}`，然后 `{names} = {x}[order], {y}[order]`。",
    ),
    find=find,
    broken=PROGRAM.format(order="pass", which="T.randperm(len(x))", targets="pass"),
    sound=PROGRAM.format(order="order = T.randperm(len(x))", which="order", targets="y = y[order]"),
    before=("other_labels",),
)
