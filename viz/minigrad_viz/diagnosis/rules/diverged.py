"""A loop that has diverged: the loss is huge, and one step is as large as the weights."""

from __future__ import annotations

import math

from ...model.values import bare, has_numbers
from ..observed import largest
from .evidence import Evidence, rates
from .programs import training
from .rule import Match, Rule, Words

HUGE = 1e6
"""A loss beyond this, and weights beyond its fourth root, have grown."""

STEP = 0.5
"""A step of this share of the largest weight goes past every minimum."""


def find(evidence: Evidence) -> Match | None:
    root = evidence.root
    if evidence.seen is not None or root is None or root.numel() != 1 or not has_numbers(root):
        return None
    value = abs(float(bare(root).item()))
    if not math.isfinite(value) or value < HUGE:
        return None
    for name, optimizer in evidence.stepping:
        if "SGD" not in type(optimizer).__name__:
            continue
        rate = max(rates(optimizer), default=0.0)
        for leaf in evidence.leaves:
            weight, gradient = largest(leaf), evidence.gradient(leaf)
            if (
                id(leaf) in evidence.held
                and weight > HUGE**0.25
                and gradient * rate > STEP * weight
            ):
                parts = {"value": f"{float(bare(root).item()):.3g}", "optimizer": name}
                parts |= {"t": evidence.name(leaf), "gradient": f"{gradient:.2g}"}
                parts |= {"rate": f"{rate:g}", "weight": f"{weight:.2g}"}
                parts["where"] = evidence.context.where(evidence.context.program.assignment(name))
                return Match(parts, (name,))
    return None


PROGRAM = training(
    opt="T.optim.SGD(net.parameters(), lr={rate})",
    data="T.ones(8, 3), T.ones(8, 1)",
    turns="range(15)",
)

RULE = Rule(
    key="diverged",
    chapter="14",
    en=Words(
        "steps that are too large",
        "The loss has grown to {value}: a step of `{optimizer}`{where} is the rate {rate} times "
        "the gradient of `{t}`, {gradient}, while its weights are {weight}.",
        "Take a smaller learning rate, or divide the loss by the number of samples.",
    ),
    zh=Words(
        "步子太大",
        "损失已增大到 {value}：`{optimizer}`{where}的一步是学习率 {rate} 乘以 `{t}` 的梯度 "
        "{gradient}，而它的权重是 {weight}。",
        "请用更小的学习率，或把损失除以样本数。",
    ),
    find=find,
    broken=PROGRAM.format(rate=2.0),
    sound=PROGRAM.format(rate=0.1),
)
