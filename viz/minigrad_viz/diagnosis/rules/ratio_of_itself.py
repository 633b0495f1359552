"""A ratio of new to old probabilities of which the old ones learn too: it is always 1."""

from __future__ import annotations

import ast
from typing import Any

from ...model.program_text import Statement
from ..syntax import last_name
from .attached_advantage import is_chosen, leaves
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find `exp(new - old)` of two choices of log-probabilities of the same parameters."""
    for node in evidence.nodes:
        before: Any = node.next_functions[0][0] if evidence.kind(node) == "Exp" else None
        if evidence.kind(before) != "Sub":
            continue
        sides = [n for n, _ in before.next_functions if n is not None]
        if len(sides) == 2 and all(is_chosen(evidence, n) for n in sides):
            if leaves(sides[0]) == leaves(sides[1]):
                where = evidence.context.where(evidence.node_line(node))
                return Match({"where": where}, (), (node,))
    return None


def find_inverted(evidence: Evidence) -> Match | None:
    """Find `exp(old - new)` or `old / new`, clipped as the ratio of a policy is."""
    for node in evidence.nodes:
        before = (
            [n for n, _ in node.next_functions] if evidence.kind(node) in ("Exp", "Div") else []
        )
        if evidence.kind(node) == "Exp":
            inner = before[0]
            before = [n for n, _ in inner.next_functions] if evidence.kind(inner) == "Sub" else []
        if len(before) == 2 and before[0] is None and before[1] is not None:
            if is_clipped(evidence, node):
                line, instead = turned_round(evidence, evidence.kind(node))
                where = evidence.context.where(line or evidence.node_line(node))
                return Match({"where": where, "instead": instead}, (), (node,))
    return None


def is_clipped(evidence: Evidence, ratio: Any) -> bool:
    """Return whether a result and its clamp are both multiplied, and the smaller product counts."""
    users = evidence.parents.get(id(ratio), [])
    clamped = [p for n in users if evidence.kind(n) == "Clamp" for p in users_of(evidence, n)]
    smaller = [p for n in users if evidence.kind(n) == "Mul" for p in users_of(evidence, n)]
    least = [p for n in clamped if evidence.kind(n) == "Mul" for p in users_of(evidence, n)]
    return any(n is m for n in smaller for m in least if evidence.kind(m) in LEAST)


LEAST = ("Minimum", "Min", "Fmin")


def users_of(evidence: Evidence, node: Any) -> list[Any]:
    return evidence.parents.get(id(node), [])


def turned_round(evidence: Evidence, kind: str) -> tuple[Statement | None, str]:
    """Return the only line with such a ratio, and the ratio the other way round."""
    found = dict[Statement, str]()
    for statement in (*evidence.lines, *evidence.repeated):
        for node in ast.walk(statement.tree or ast.Pass()):
            if kind == "Exp" and isinstance(node, ast.Call) and last_name(node) == "exp":
                inner = node.args[0] if node.args else getattr(node.func, "value", None)
                if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Sub):
                    new, old = ast.unparse(inner.right), ast.unparse(inner.left)
                    prefix = f"{ast.unparse(node.func)}(" if node.args else "("
                    found[statement] = f"{prefix}{new} - {old})" + ("" if node.args else ".exp()")
            elif kind == "Div" and isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
                found[statement] = f"{ast.unparse(node.right)} / {ast.unparse(node.left)}"
    return next(iter(found.items())) if len(found) == 1 else (None, "new / old")


PROGRAM = training(
    net="T.nn.Linear(3, 2)",
    data="",
    inside="""
x, action, gain = T.randn(8, 3), T.arange(8) % 2, T.randn(8)
new = T.log_softmax(net(x), 1)[T.arange(8), action]
old = T.log_softmax(net(x), 1)[T.arange(8), action]{detached}
loss = -(T.exp(new - old) * gain).mean()""",
)

RULE = Rule(
    key="ratio_of_itself",
    chapter="5",
    en=Words(
        "a ratio that is always 1",
        "Both log-probabilities of the ratio{where} have a history of the same parameters: their "
        "gradients cancel each other.",
        "Call `.detach()` on the old ones.",
    ),
    zh=Words(
        "比值总是 1",
        "比值{where}中的两个对数概率都保留着同一组参数的历史：它们的梯度互相抵消。",
        "请对旧的对数概率调用 `.detach()`。",
    ),
    find=find,
    broken=PROGRAM.format(detached=""),
    sound=PROGRAM.format(detached=".detach()"),
    before=("zero",),
)

CLIPPED = training(
    net="T.nn.Linear(3, 2)",
    data="",
    inside="""
x, action, gain = T.randn(8, 3), T.arange(8) % 2, T.rand(8)
new = T.log_softmax(net(x), 1)[T.arange(8), action]
old = new.detach() - 0.05 * T.rand(8)
ratio = T.exp({apart})
loss = -T.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean()""",
)

INVERTED = Rule(
    key="ratio_upside_down",
    chapter="16",
    en=Words(
        "a ratio upside down",
        "The ratio{where} is that of old to new chances, for what learns stands below: steps make "
        "actions of large gain less likely.",
        "Write `{instead}`.",
    ),
    zh=Words(
        "颠倒的比值",
        "比值{where}是旧概率比新概率，因为会学习的在分母上：更新使收益大的动作越来越不可能。",
        "请写成 `{instead}`。",
    ),
    find=find_inverted,
    broken=CLIPPED.format(apart="old - new"),
    sound=CLIPPED.format(apart="new - old"),
)
