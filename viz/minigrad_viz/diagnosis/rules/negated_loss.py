"""The negative of a loss that is never below 0: steps make the error larger, without end."""

from __future__ import annotations

from typing import Any

from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

ERRORS = ("MseLoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "NllLoss",
          "BinaryCrossEntropyWithLogits")  # fmt: skip


def find(evidence: Evidence) -> Match | None:
    """Find a negated error of which all parameters are moved, by the only pass."""
    root = evidence.root
    node: Any = None if root is None else root.grad_fn
    if evidence.kind(node) != "Neg" or not is_error(evidence, node.next_functions[0][0]):
        return None
    if any(g.get("maximize") for _, o in evidence.stepping for g in o.param_groups):
        return None
    held = evidence.leaves and all(id(leaf) in evidence.held for leaf in evidence.leaves)
    if not held or len({s.text for s in evidence.passes}) != 1:
        return None
    name = evidence.context.name(root)
    where = evidence.context.where(evidence.node_line(node))
    return Match({"t": name, "where": where}, (name,), (node,))


def is_error(evidence: Evidence, node: Any) -> bool:
    """Return whether a result is a loss by its name, or a mean or sum of squares of differences."""
    if evidence.kind(node) in ERRORS:
        return True
    if evidence.kind(node) not in ("Mean", "Sum"):
        return False
    square = node.next_functions[0][0]
    inside = square.next_functions[0][0] if evidence.kind(square) == "Pow" else None
    return evidence.kind(inside) in ("Sub", "Rsub")


PROGRAM = training(
    opt=0.01,
    inside="loss = {sign}((net(x) - y) ** 2).mean()",
)

RULE = Rule(
    key="negated_loss",
    chapter="11",
    en=Words(
        "a loss with a minus",
        "`{t}`{where} is the negative of an error that is never below 0. Steps make `{t}` smaller, "
        "so they make the error larger, without end.",
        "Leave the minus out.",
    ),
    zh=Words(
        "损失多了一个负号",
        "`{t}`{where}是一个不小于 0 的误差的相反数。更新使 `{t}` 变小，也就使误差越来越大，没有尽"
        "头。",
        "请去掉这个负号。",
    ),
    find=find,
    broken=PROGRAM.format(sign="-"),
    sound=PROGRAM.format(sign=""),
    before=("exploding",),
)
