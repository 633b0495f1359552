"""A learned factor of a loss: it falls without end, for that makes the loss smaller."""

from __future__ import annotations

from typing import Any

from ...model.autograd_nodes import is_accumulate
from ..evidence import saved_argument
from .evidence import Evidence
from .rule import Match, Rule, Words

POSITIVE = ("MseLoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "NllLoss", "BinaryCrossEntropy",
            "BinaryCrossEntropyWithLogits")  # fmt: skip
"""Losses that are never below 0."""


def find(evidence: Evidence) -> Match | None:
    """Find `w * loss` in the sum that is the loss, where nothing else uses `w`."""
    for node in evidence.nodes:
        before = [n for n, _ in node.next_functions if n is not None]
        if evidence.kind(node) != "Mul" or len(before) != 2 or not is_added(evidence, node):
            continue
        for factor, term in (before, before[::-1]):
            if not is_accumulate(factor) or not is_positive(evidence, term):
                continue
            leaf = factor.variable
            alone = len(evidence.parents.get(id(factor), [])) == 1
            if alone and id(leaf) in evidence.held and leaf.numel() <= MOST:
                where = evidence.context.where(evidence.node_line(node))
                name = evidence.name(leaf)
                return Match({"t": name, "where": where}, (name,), (node,))
    return None


MOST = 20
"""Terms of a loss."""


def is_positive(evidence: Evidence, node: Any) -> bool:
    """Return whether a result is losses that are never below 0."""
    if evidence.kind(node) in ("Stack", "Cat"):
        return all(is_positive(evidence, each) for each, _ in node.next_functions)
    if evidence.kind(node) in ("Mean", "Sum", "Unsqueeze"):
        return is_positive(evidence, node.next_functions[0][0])
    return evidence.kind(node) in POSITIVE or is_square(evidence, node)


def is_square(evidence: Evidence, node: Any) -> bool:
    """Return whether a result is the square of a difference."""
    if evidence.kind(node) != "Pow":
        return False
    inner = evidence.kind(node.next_functions[0][0])
    return inner in ("Sub", "Rsub") and saved_argument(node, "exponent") == 2


def is_added(evidence: Evidence, node: Any) -> bool:
    """Return whether sums alone lead from a term to the loss."""
    root = None if evidence.root is None else evidence.root.grad_fn
    for _ in range(50):
        if node is root:
            return True
        using = evidence.parents.get(id(node), [])
        if len(using) != 1 or evidence.kind(using[0]) not in ("Add", "Sum", "Mean"):
            return False
        node = using[0]
    return False


PROGRAM = """
net = T.nn.Linear(3, 2)
w = T.nn.Parameter(T.tensor(1.0))
opt = T.optim.SGD([*net.parameters(), w], lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 2)
mse = T.nn.MSELoss()
for i in range(4):
    out = net(x)
    loss = mse(out[:, 0], y[:, 0]) + {factor} * mse(out[:, 1], y[:, 1]){rest}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="learned_factor",
    severity=2,
    chapter="16",
    en=Words(
        "a weight that learns to be small",
        "`{t}` multiplies a loss that is never below 0{where}, and learns: the sum falls without "
        "end as `{t}` falls, below 0 too.",
        "Write `{library}.exp(-{t}) * loss + {t}`, with that term for `loss`.",
    ),
    zh=Words(
        "学着变小的权重",
        "`{t}` 与一个不小于 0 的损失相乘{where}，并且会学习：`{t}` 越小，总和就越小，降到 0 以下也"
        "不停。",
        "请写成 `{library}.exp(-{t}) * loss + {t}`，其中 `loss` 是那一项。",
    ),
    find=find,
    broken=PROGRAM.format(factor="w", rest=""),
    sound=PROGRAM.format(factor="T.exp(-w)", rest=" + w"),
)
