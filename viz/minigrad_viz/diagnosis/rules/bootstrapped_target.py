"""A target of Q-learning that keeps its history: the loss also moves what it should reach."""

from __future__ import annotations

from typing import Any

from ...model.autograd_nodes import is_accumulate
from .attached_advantage import leaves
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

LOSSES = ("MseLoss", "SmoothL1Loss", "HuberLoss", "Sub")
LARGEST = ("Max", "Amax")


def find(evidence: Evidence) -> Match | None:
    """Find `reward + gamma * q(next).max()` in a loss against results of the same parameters."""
    for node in evidence.nodes:
        before = [n for n, _ in node.next_functions if n is not None]
        if evidence.kind(node) not in LOSSES or len(before) != 2:
            continue
        for target, chosen in (before, before[::-1]):
            largest = discounted_largest(evidence, target)
            if largest is not None and leaves(target) & leaves(chosen):
                where = evidence.context.where(evidence.node_line(largest))
                return Match({"where": where}, (), (largest,))
    return None


def discounted_largest(evidence: Evidence, target: Any) -> Any:
    """Return the maximum of `constant + factor * maximum`, or None for another result."""
    node, kinds = target, set[str]()
    for _ in range(8):
        if node is None or is_accumulate(node):
            return None
        if evidence.kind(node) in LARGEST:
            return node if kinds == {"Add", "Mul"} else None
        before = [n for n, _ in node.next_functions if n is not None]
        if len(before) != 1:
            return None
        if evidence.kind(node) in ("Add", "Mul"):
            kinds.add(evidence.kind(node))
        node = before[0]
    return None


PROGRAM = training(
    net="T.nn.Linear(3, 2)",
    data="",
    inside="""
state, after, reward = T.randn(8, 3), T.randn(8, 3), T.randn(8)
chosen = net(state)[T.arange(8), T.arange(8) % 2]
target = reward + 0.9 * net(after).max(1)[0]
loss = (chosen - target{detached}).pow(2).mean()""",
)

RULE = Rule(
    key="bootstrapped_target",
    severity=2,
    chapter="5",
    en=Words(
        "a target that learns too",
        "The target of the loss uses the largest value{where}, and keeps its history: the gradient "
        "also moves the target towards the prediction.",
        "Compute the target under no_grad, or call `.detach()` on it.",
    ),
    zh=Words(
        "目标也在学习",
        "损失的目标用到最大值{where}，又保留了历史：梯度也会把目标往预测的方向拉。",
        "请在 no_grad 之下计算目标，或者对它调用 `.detach()`。",
    ),
    find=find,
    broken=PROGRAM.format(detached=""),
    sound=PROGRAM.format(detached=".detach()"),
)
