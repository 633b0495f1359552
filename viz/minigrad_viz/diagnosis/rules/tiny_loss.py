"""A loss that is divided by a large number: its gradients move nothing."""

from __future__ import annotations

import ast

from ...model.program_text import Statement, assigned, receivers
from ..observed import largest
from .evidence import Evidence, rates
from .programs import training
from .rule import Match, Rule, Words

LARGE = 1e4
NOTHING = 1e-6
"""A step of this share of a weight changes nothing."""


def find(evidence: Evidence) -> Match | None:
    walked = {name for s in evidence.passes for name in receivers(s, "backward")}
    for statement in evidence.lines:
        number = divisor(statement) if assigned(statement.tree) & walked else 0.0
        if number >= LARGE and moves_nothing(evidence):
            parts = {"line": evidence.context.line(statement), "number": f"{number:g}"}
            return Match(parts, tuple(assigned(statement.tree)))
    return None


def divisor(statement: Statement) -> float:
    """Return the constant by which a line divides the value that it assigns, or 0."""
    value = getattr(statement.tree, "value", None)
    if not isinstance(value, ast.BinOp) or not isinstance(value.right, ast.Constant):
        return 0.0
    number = value.right.value
    if not isinstance(number, int | float) or not number:
        return 0.0
    if isinstance(value.op, ast.Div):
        return float(number)
    return 1 / float(number) if isinstance(value.op, ast.Mult) else 0.0


def moves_nothing(evidence: Evidence) -> bool:
    """Return whether the steps of SGD are next to nothing for every weight behind the loss."""
    plain = [o for _, o in evidence.stepping if type(o).__name__ == "SGD"]
    if not plain or len(plain) != len(evidence.stepping) or not evidence.leaves:
        return False
    rate = max(max(rates(o), default=0.0) for o in plain)
    steps = [(evidence.gradient(leaf) * rate, largest(leaf)) for leaf in evidence.leaves]
    return all(0 < step <= NOTHING * weight for step, weight in steps if weight)


PROGRAM = training(
    data="T.ones(8, 3), 3 * T.ones(8, 1)",
    inside="loss = (net(x) - y).pow(2).mean() / {number}",
)

RULE = Rule(
    key="tiny_loss",
    chapter="14",
    en=Words(
        "a loss divided to nothing",
        "{line} divides the loss by {number}, and the gradients with it: each step changes the "
        "weights by less than a millionth.",
        "Leave the division out, or divide by the number of samples only.",
    ),
    zh=Words(
        "损失被除得几乎为零",
        "{line}把损失除以 {number}，梯度也随之变小：每一步对权重的改变不到百万分之一。",
        "请去掉这个除法，或只除以样本数。",
    ),
    find=find,
    broken=PROGRAM.format(number="1e8"),
    sound=PROGRAM.format(number="2"),
    before=(
        "unmoved",
        "vanishing",
    ),
)
