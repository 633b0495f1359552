"""A loss that compares a result with itself."""

from __future__ import annotations

import ast

from ...model.values import bare, has_numbers
from ..syntax import calls_in
from .copied_loss import copied_by
from .evidence import Evidence
from .rule import Match, Rule, Words
from .shuffled_apart import is_loss


def find(evidence: Evidence) -> Match | None:
    root = evidence.root
    if root is None or root.numel() != 1 or not has_numbers(root) or float(bare(root).item()) != 0:
        return None
    for statement in evidence.lines:
        for call in calls_in(statement.tree):
            if len(call.args) > 1 and is_loss(evidence, call):
                first, second = (without_copies(each) for each in call.args[:2])
                if first == second and first.isidentifier():
                    line = evidence.context.line(statement)
                    return Match({"line": line, "name": first}, (first,))
    return None


def without_copies(value: ast.expr) -> str:
    """Return the text of an expression without `detach()`, `clone()` and `data`."""
    while (inside := copied_by(value)) is not None:
        value = inside
    return ast.unparse(value)


PROGRAM = """
net = T.nn.Linear(3, 3)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x = T.randn(8, 3)
for i in range(4):
    made = net(x)
    loss = T.nn.functional.mse_loss(made, {target})
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="loss_of_itself",
    severity=3,
    chapter="16",
    words={
        "en": Words(
            "a loss of a result and itself",
            "{line} compares `{name}` with itself, so the loss is 0 whatever the model does.",
            "Give the loss the data as its second argument in place of `{name}`.",
        ),
        "zh": Words(
            "损失比较的是同一个结果",
            "{line}把 `{name}` 与它自己比较，所以无论模型怎样，损失都是 0。",
            "请把第二个参数 `{name}` 换成数据。",
        ),
    },
    find=find,
    broken=PROGRAM.format(target="made.detach()"),
    sound=PROGRAM.format(target="x"),
    before=("flat_output", "zero"),
)
