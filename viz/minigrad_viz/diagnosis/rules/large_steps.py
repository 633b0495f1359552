"""An optimizer that moves every weight by about its rate, with a rate far above the weights."""

from __future__ import annotations

import math
from typing import Any

from ...model.values import bare, has_numbers
from ..observed import finite, largest
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

OF_SIZE_RATE = ("Adam", "NAdam", "RAdam", "RMSprop", "Adagrad")
LARGE = 1.0
"""A rate that is too large for any layer."""

LEAST = 0.1
"""The least rate that can be too large for layers whose weights start small."""

FAR = 2.0
"""Times the largest weight with which a layer starts, from which on its weights are far off."""


def find(evidence: Evidence) -> Match | None:
    for name, optimizer in evidence.stepping:
        kind = type(optimizer).__name__
        if not kind.startswith(OF_SIZE_RATE):
            continue
        for group in optimizer.param_groups:
            learned = [p for p in group["params"] if type(p).__name__ == "Parameter"]
            rate = float(group.get("lr", 0))
            weights = [p for p in learned if len(p.shape) > 1]
            if (weights and rate >= LARGE) or are_dead(weights, learned, rate):
                where = evidence.context.where(evidence.context.program.assignment(name))
                parts = {"optimizer": name, "where": where, "kind": kind}
                return Match({**parts, "rate": f"{rate:g}"}, (name,))
    return None


def are_dead(weights: list[Any], learned: list[Any], rate: float) -> bool:
    """Return whether such steps have carried a layer to where its gradient is zero.

    The gradient of the first layer is zero too, and some parameter has another one.
    """
    if rate < LEAST or not weights or stored(weights[0]) != 0:
        return False
    if not any(stored(each) > 0 for each in learned):
        return False
    return any(stored(each) == 0 and is_far(each, rate) for each in weights)


def is_far(weight: Any, rate: float) -> bool:
    """Return whether weights are far above those with which a layer starts, as the rate is."""
    far = FAR / math.sqrt(math.prod(weight.shape[1:]) or 1)
    sized = rate >= far and has_numbers(weight)
    return sized and float(bare(weight).abs().mean().item()) > far


def stored(parameter: Any) -> float:
    """Return the largest element of the gradient that is there, or NaN."""
    gradient = parameter.grad
    return math.nan if gradient is None or not finite(gradient) else largest(gradient)


PROGRAM = training(opt="T.optim.Adam(net.parameters(), lr={rate})")

RULE = Rule(
    key="large_steps",
    chapter="14",
    en=Words(
        "steps as large as the rate",
        "`{optimizer}`{where} has the learning rate {rate}, and {kind} moves each weight by about "
        "its rate in each step: the weights jump and do not settle.",
        "Take a rate such as `lr=1e-3`.",
    ),
    zh=Words(
        "步长与学习率一样大",
        "`{optimizer}`{where}的学习率是 {rate}，而 {kind} 每一步使每个权重移动大约一个学习率：权重"
        "来回跳动，不能收敛。",
        "请用 `lr=1e-3` 这样的学习率。",
    ),
    find=find,
    broken=PROGRAM.format(rate=10.0),
    sound=PROGRAM.format(rate=0.01),
    before=("exploding", "dead_units", "zero_input", "zero"),
)
