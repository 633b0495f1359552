"""A single number from which its own mean is subtracted: the result is always zero."""

from __future__ import annotations

import ast
import math

from ...model.values import bare, has_numbers
from ..syntax import last_name
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find the difference in the text, if the loss and each gradient is exactly zero."""
    root = evidence.root
    if root is None or root.numel() != 1 or not has_numbers(root) or not evidence.leaves:
        return None
    if float(bare(root).item()) != 0 or any(evidence.gradient(w) != 0 for w in evidence.leaves):
        return None
    for statement in evidence.lines:
        for node in ast.walk(statement.tree or ast.Pass()):
            if (name := centred_name(node)) and is_single(evidence, name):
                line = evidence.context.line(statement)
                return Match({"line": line, "t": name}, (name,))
    return None


def is_single(evidence: Evidence, name: str) -> bool:
    """Return whether a variable is a single number, or a local one of a loss of single numbers."""
    value = evidence.context.variables.get(name)
    if value is not None:
        return bool(getattr(value, "numel", lambda: 0)() == 1)
    factors = (n for n in evidence.nodes if evidence.kind(n) == "Mul")
    return all(math.prod(evidence.shape(node)) == 1 for node in factors)


def centred_name(node: ast.AST) -> str:
    """Return `r` for `r - r.mean()`, or ""."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub):
        return ""
    left, right = ast.unparse(node.left), node.right
    if isinstance(right, ast.Call) and last_name(right) == "mean":
        of = right.args[0] if right.args else getattr(right.func, "value", None)
        return left if of is not None and ast.unparse(of) == left else ""
    return ""


PROGRAM = training(
    net="logits = T.zeros(3, requires_grad=True)",
    opt="T.optim.SGD([logits], lr=0.1)",
    data="reward = T.tensor({rewards})",
    inside="advantage = reward - reward.mean()\n"
    "loss = -(advantage * T.log_softmax(logits, 0)[:{count}]).sum()",
)

RULE = Rule(
    key="centred",
    chapter="16",
    en=Words(
        "a number without its own mean",
        "{line} subtracts from `{t}` its own mean, and `{t}` holds one number: the difference is "
        "always 0, and so are the loss and every gradient.",
        "Take the mean over several samples, or over those of earlier iterations.",
    ),
    zh=Words(
        "一个数减去自己的均值",
        "{line}从 `{t}` 中减去它自己的均值，而 `{t}` 只有一个数：差总是 0，损失和所有梯度也是 0。",
        "请对多个样本求均值，或者用以前各轮的均值。",
    ),
    find=find,
    broken=PROGRAM.format(rewards="[2.0]", count=1),
    sound=PROGRAM.format(rewards="[2.0, 1.0]", count=2),
    before=("zero", "flat_output"),
)
