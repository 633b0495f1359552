"""An update by hand that adds the gradient, so the loss grows."""

from __future__ import annotations

import ast

from ...model.program_text import Statement
from ..learners import list_of_numbers
from .evidence import Evidence
from .negated_loss import is_error
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    if not has_grown(evidence) and not goes_up(evidence):
        return None
    for statement in evidence.lines:
        tree = statement.tree
        if not isinstance(tree, ast.AugAssign) or not isinstance(tree.op, ast.Add):
            continue
        name = ast.unparse(tree.target)
        if statement.loops and adds_gradient(tree.value, name) and is_learned(evidence, name):
            instead = f"{name} -= {ast.unparse(tree.value)}"
            return Match({"line": line_of(evidence, statement), "instead": instead}, (name,))
    return None


def goes_up(evidence: Evidence) -> bool:
    """Return whether the loss is an error, and all that it depends on follows the gradient."""
    node = None if evidence.root is None else evidence.root.grad_fn
    if evidence.seen is not None or not evidence.leaves or not is_error(evidence, node):
        return False
    added = {ast.unparse(s.tree.target) for s in evidence.lines
             if isinstance(s.tree, ast.AugAssign) and isinstance(s.tree.op, ast.Add)
             and adds_gradient(s.tree.value, ast.unparse(s.tree.target))}  # fmt: skip
    return all(evidence.name(leaf) in added for leaf in evidence.leaves)


def line_of(evidence: Evidence, statement: Statement) -> str:
    return evidence.context.line(statement)


def has_grown(evidence: Evidence) -> bool:
    """Return whether the loss is larger than it was at first."""
    if evidence.seen is not None:
        numbers = evidence.seen.losses
        return len(numbers) > 1 and numbers == sorted(numbers) and numbers[0] < numbers[-1]
    variables = evidence.context.variables.items()
    lists = [list_of_numbers(value) for name, value in variables if "loss" in name.lower()]
    return any(len(numbers) > 1 and numbers[0] < numbers[-1] for numbers in lists)


def adds_gradient(value: ast.expr, name: str) -> bool:
    """Return whether a value is the variable's gradient times something, without a sign."""
    if any(isinstance(n, ast.UnaryOp | ast.Sub) for n in ast.walk(value)):
        return False
    factors = ast.unparse(value).split(" * ")
    return f"{name}.grad" in factors or f"{name}.grad.data" in factors


def is_learned(evidence: Evidence, name: str) -> bool:
    return any(evidence.name(leaf) == name for leaf in evidence.leaves)


PROGRAM = """
x, y = T.randn(8), T.randn(8)
w = T.ones(1, requires_grad=True)
losses = []
for i in range(4):
    loss = (w * x - y).pow(2).mean()
    loss.backward()
    with T.no_grad():
        w {sign}= 0.1 * w.grad
    w.grad = None
    losses.append(loss.item())
"""

RULE = Rule(
    key="uphill",
    chapter="11",
    en=Words(
        "an update uphill",
        "{line} adds the gradient, which points to where the loss grows, and the loss has grown.",
        "Subtract it: `{instead}`.",
    ),
    zh=Words(
        "沿梯度上升",
        "{line}加上了梯度，而梯度指向损失增大的方向，损失确实增大了。",
        "请改为减去：`{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(sign="+"),
    sound=PROGRAM.format(sign="-"),
)
