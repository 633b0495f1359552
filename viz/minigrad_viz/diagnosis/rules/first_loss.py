"""A first loss far above that of a guess: ln(classes)."""

from __future__ import annotations

import math
from typing import Any

from ..evidence import saved_argument
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

TIMES, MORE, FEWEST = 4, 4, 8
"""The loss of few samples may be large by chance; this is `TIMES` a guess and `MORE`."""

LARGE_INPUT = 30
"""Inputs of this size, such as pixels up to 255, make scores that are as large."""


def find(evidence: Evidence) -> Match | None:
    seen, root = evidence.seen, evidence.root
    if seen is None or not seen.losses or root is None or not is_mean(root.grad_fn):
        return None
    scores = evidence.input_of(root.grad_fn)
    shape = evidence.shape(scores) if evidence.kind(scores) == "LogSoftmax" else ()
    if len(shape) != 2 or shape[0] < FEWEST or shape[1] < 2:
        return None
    guess, value = math.log(shape[1]), seen.losses[0]
    if not TIMES * guess + MORE < value < math.inf:
        return None
    context = evidence.context
    given = max(seen.given.values(), default=0.0)
    cause = "first_loss_inputs" if given > LARGE_INPUT else "first_loss_weights"
    parts = {"where": context.where(evidence.node_line(root.grad_fn)), "value": f"{value:.4g}"}
    parts |= {"count": str(shape[1]), "guess": f"{guess:.2f}"}
    parts["cure"] = context.say(f"cure_{cause}", given=f"{given:.4g}")
    return Match(parts, (), (scores,))


def is_mean(node: Any) -> bool:
    """Return whether a node is a mean of negative log-likelihoods."""
    try:
        return int(saved_argument(node, "reduction")) == 1
    except (AttributeError, RuntimeError, ValueError, TypeError):
        return False


PROGRAM = training(
    net="T.nn.Linear(30, 5)",
    opt="T.optim.SGD(net.parameters(), lr=1e-6)",
    data="T.rand(10, 30) * {scale}, T.tensor([0, 1, 2, 3, 4] * 2)",
    inside="loss = T.nn.functional.cross_entropy(net(x), y)",
)

RULE = Rule(
    key="first_loss",
    severity=1,
    chapter="16",
    en=Words(
        "a first loss far above a guess",
        "The first watched loss{where} is {value}. A guess among {count} classes costs ln({count}) "
        "= {guess}: the scores are large and wrong.",
        "{cure}",
    ),
    zh=Words(
        "最初的损失远大于随机猜测",
        "观察到的第一个损失{where}是 {value}。在 {count} 个类别中随机猜测的损失是 ln({count}) = "
        "{guess}：得分很大，而且是错的。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(scale=255),
    sound=PROGRAM.format(scale=1),
    watched=True,
)
