"""A discriminator that is given one label for real samples and for fakes."""

from __future__ import annotations

import ast

from .evidence import Evidence
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find `bce(disc(real), one) + bce(disc(fake.detach()), one)`."""
    for statement in evidence.repeated:
        for node in ast.walk(getattr(statement.tree, "value", None) or ast.Pass()):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
                if label := common_label(node.left, node.right):
                    return Match({"line": evidence.context.line(statement), "label": label})
    return None


def common_label(left: ast.expr, right: ast.expr) -> str:
    """Return the label of two losses of one model, one of them of detached samples, or ""."""
    if not isinstance(left, ast.Call) or not isinstance(right, ast.Call):
        return ""
    calls = [each.args[0] for each in (left, right) if len(each.args) == 2]
    if len(calls) != 2 or ast.unparse(left.func) != ast.unparse(right.func):
        return ""
    one, other = calls
    if not isinstance(one, ast.Call) or not isinstance(other, ast.Call):
        return ""
    same = ast.unparse(one.func) == ast.unparse(other.func)
    detached = [".detach()" in ast.unparse(each) for each in calls]
    label = ast.unparse(left.args[1])
    if same and sum(detached) == 1 and label == ast.unparse(right.args[1]):
        return label if ast.unparse(one) != ast.unparse(other) else ""
    return ""


PROGRAM = """
gen, disc = T.nn.Linear(2, 2), T.nn.Sequential(T.nn.Tanh(), T.nn.Linear(2, 1))
opt = T.optim.SGD(disc.parameters(), lr=0.1)
one, zero = T.ones(8, 1), T.zeros(8, 1)
bce = T.nn.BCEWithLogitsLoss()
for i in range(4):
    real, fake = T.randn(8, 2) + 2, gen(T.randn(8, 2))
    loss = bce(disc(real), one) + bce(disc(fake.detach()), {label})
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="same_label",
    chapter="16",
    en=Words(
        "one label for real and fake",
        "{line} gives real samples and fakes the same label `{label}`: there is nothing to tell "
        "apart.",
        "Give the fakes the other label.",
    ),
    zh=Words(
        "真假样本用了同一个标签",
        "{line}给真样本和假样本的标签都是 `{label}`：没有什么可以区分。",
        "请给假样本另一个标签。",
    ),
    find=find,
    broken=PROGRAM.format(label="one"),
    sound=PROGRAM.format(label="zero"),
)
