"""A ratio of new to old probabilities of which the old ones learn too: it is always 1."""

from __future__ import annotations

from typing import Any

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
