"""A sum that is the same whatever goes in: of a softmax, or of normalized numbers."""

from __future__ import annotations

import math
from typing import Any

from ...model.autograd_nodes import is_accumulate
from ..evidence import leads_to
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

NORMALIZED = ("NativeLayerNorm", "NativeGroupNorm", "NativeBatchNorm")
SUMS = ("Sum", "Mean")
NOISE = 1e-5
"""Gradients below this are the rounding of zero."""


def find(evidence: Evidence) -> Match | None:
    root = evidence.root
    if root is None or root.grad_fn is None or not evidence.leaves:
        return None
    gradients = [evidence.gradient(leaf) for leaf in evidence.leaves]
    if not all(math.isfinite(g) and abs(g) < NOISE for g in gradients):
        return None
    ends = [node for node in evidence.context.nodes(root) if is_accumulate(node)]
    for node in evidence.nodes:
        inside = node.next_functions[0][0] if node.next_functions else None
        if evidence.kind(node) not in SUMS or not is_constant(evidence, node, inside):
            continue
        if not any(leads_to(root.grad_fn, end, without=node) for end in ends):
            softmax = evidence.kind(inside) == "Softmax"
            what = evidence.context.say("sum_of_softmax" if softmax else "sum_of_normalized")
            where = evidence.context.where(evidence.node_line(node))
            return Match({"where": where, "what": what}, culprits=(node,))
    return None


def is_constant(evidence: Evidence, node: Any, inside: Any) -> bool:
    """Return whether a sum over all elements is of a softmax, or of numbers with the mean 0."""
    if inside is None or math.prod(evidence.shape(node)) != 1:
        return False
    if evidence.kind(inside) == "Softmax":
        return True
    weights = [n for n, _ in inside.next_functions[1:] if n is not None]
    return evidence.kind(inside) in NORMALIZED and not weights


PROGRAM = training(
    net="T.nn.Linear(3, 4)",
    data="",
    before="x = T.randn(8, 3)",
    inside="loss = {loss}",
)

RULE = Rule(
    key="constant_sum",
    chapter="16",
    en=Words(
        "a sum that is always the same",
        "The sum{where} is {what}, which is the same whatever goes in: it has no slope.",
        "Weigh the numbers differently, or choose one of them, as a loss with targets does.",
    ),
    zh=Words(
        "和总是一样",
        "这个和{where}是{what}，无论输入是什么它都一样：没有斜率。",
        "请给这些数不同的权重，或者选出其中一个，像带目标的损失那样。",
    ),
    find=find,
    broken=PROGRAM.format(loss="T.softmax(net(x), 1).sum()"),
    sound=PROGRAM.format(loss="T.softmax(net(x), 1)[:, 0].sum()"),
    before=("zero",),
)
