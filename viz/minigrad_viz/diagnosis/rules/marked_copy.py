"""A result that is cut off and told to require grad: the backward pass ends at the copy."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...model.program_text import Statement, assigned, receivers
from ..ended import explain_lost
from ..syntax import creates, last_name, names_in, parenthesize
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find `out = net(x).detach().requires_grad_()`, if nothing behind the loss is held."""
    if evidence.reads_gradients or reaches_held(evidence):
        return None
    modules = {name for name, module in evidence.modules if any_held(evidence, module)}
    for statement in dict.fromkeys([*evidence.lines, *evidence.repeated]):
        for bare in marked(getattr(statement.tree, "value", None)):
            if names_in(bare) & {name.partition(".")[0] for name in modules}:
                parts = {"line": evidence.context.line(statement), "bare": ast.unparse(bare)}
                parts["instead"] = parenthesize(ast.unparse(bare))
                return Match(parts, ())
    return None


def find_loss(evidence: Evidence) -> Match | None:
    """Find `loss.requires_grad = True` for a loss without a history."""
    if reaches_held(evidence) or (evidence.root is not None and evidence.leaves):
        return None
    lines = [*dict.fromkeys([*evidence.lines, *evidence.repeated])]
    walked = {name for s in lines for name in receivers(s, "backward")}
    for statement in lines:
        for name in sorted(told(statement) & walked):
            made = [s for s in lines if name in assigned(s.tree) and s.loops == statement.loops]
            value = getattr(made[-1].tree, "value", None) if made else None
            if isinstance(value, ast.expr) and not creates(value):
                parts = {"line": evidence.context.line(statement), "t": name}
                parts["made"] = evidence.context.line(made[-1])
                return Match(parts, (name,), (), tuple(end_of_history(evidence)))
    return None


def end_of_history(evidence: Evidence) -> list[str]:
    """Return the sentence about the line in which the history ended, if the text tells."""
    held = next(iter(evidence.held.values()), None)
    if evidence.seen is not None or held is None or evidence.root is None:
        return []
    fate, sentences = explain_lost(evidence.context, held, evidence.root)
    return sentences[:1] if fate.kind == "cut" else []


def told(statement: Statement) -> set[str]:
    """Return the variables that a line tells to require grad."""
    tree = statement.tree
    if isinstance(tree, ast.Assign) and ast.unparse(tree.value) == "True":
        targets = [t for t in tree.targets if isinstance(t, ast.Attribute)]
        return {ast.unparse(t.value) for t in targets if t.attr == "requires_grad"}
    return receivers(statement, "requires_grad_")


def reaches_held(evidence: Evidence) -> bool:
    """Return whether the loss, or a watched pass, leads to a tensor that an optimizer holds."""
    if evidence.seen is None:
        if evidence.root is not None and evidence.root.is_leaf:
            return False
        behind = {id(leaf) for leaf in evidence.leaves}
        return not behind or any(identity in behind for identity in evidence.held)
    return any(w.passes for w in evidence.seen.watched.values() if id(w.tensor) in evidence.held)


def any_held(evidence: Evidence, module: Any) -> bool:
    return any(id(each) in evidence.held for each in module.parameters())


def marked(tree: ast.AST | None) -> Iterator[ast.expr]:
    """Yield the expressions before `.detach().requires_grad_()` or `.data.requires_grad_()`."""
    for node in ast.walk(tree or ast.Pass()):
        if not isinstance(node, ast.Call) or last_name(node) != "requires_grad_":
            continue
        inside = getattr(node.func, "value", None)
        while isinstance(inside, ast.Call) and last_name(inside) == "clone":
            inside = getattr(inside.func, "value", None)
        if isinstance(inside, ast.Call) and last_name(inside) == "detach":
            inside = inside.func
        if isinstance(inside, ast.Attribute) and inside.attr in ("detach", "data"):
            yield inside.value


PROGRAM = training(
    inside="made = net(x){cut}\nloss = (made - y).pow(2).mean()",
)

RULE = Rule(
    key="marked_copy",
    chapter="5",
    en=Words(
        "a copy that is told to require grad",
        "{line} cuts `{bare}` off from its history and makes the copy a leaf: the backward pass "
        "ends there, and reaches no parameter.",
        "Write `{instead}` alone there.",
    ),
    zh=Words(
        "要求梯度的是副本",
        "{line}切断了 `{bare}` 的历史，并把副本变成叶子：反向传播到此为止，到不了任何参数。",
        "请在那里只写 `{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(cut=".detach().requires_grad_()"),
    sound=PROGRAM.format(cut=""),
    before=("other_tensors", "not_reached_by_loss", "no_pass", "pass_elsewhere", "cut"),
)

FREE = training(
    net="T.nn.Linear(3, 4)",
    data="T.randn(8, 3), T.tensor([0.0, 1.0] * 4)",
    inside="made = {made}\nloss = (made - y).pow(2).mean()\n{line}",
)

LOSS = Rule(
    key="marked_loss",
    chapter="5",
    en=Words(
        "a loss that is told to require grad",
        "{line} makes `{t}` a leaf, and {made} gives it no history: the backward pass ends there, "
        "and reaches no parameter.",
        "Take that line out, and compute `{t}` without argmax(), a comparison, detach() or NumPy.",
    ),
    zh=Words(
        "要求梯度的是损失本身",
        "{line}把 `{t}` 变成叶子，而{made}没有给它历史：反向传播到此为止，到不了任何参数。",
        "请去掉这一行，并且计算 `{t}` 时不用 argmax()、比较、detach() 或 NumPy。",
    ),
    find=find_loss,
    broken=FREE.format(made="net(x).sum(1).detach()", line="loss.requires_grad = True"),
    sound=FREE.format(made="net(x).sum(1)", line="pass"),
    before=("not_reached_by_loss", "no_pass", "pass_elsewhere", "cut"),
)
