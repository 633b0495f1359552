"""A mean over the product of a row and a column: every sample is paired with every other."""

from __future__ import annotations

from typing import Any

from .broadcast_loss import as_text
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

REDUCING = ("Mean", "Sum")


def find(evidence: Evidence) -> Match | None:
    """Find a product of shapes [N] and [N, 1] of which the mean or sum is one number."""
    for node in evidence.nodes:
        shape = evidence.shape(node)
        square = len(shape) == 2 and shape[0] == shape[1] > 1
        if evidence.kind(node) != "Mul" or not square or not is_reduced(evidence, node):
            continue
        given = [evidence.shape(n, i) for n, i in node.next_functions if n is not None]
        column, row = (shape[0], 1), (shape[0],)
        if not given or any(each not in (column, row) for each in given) or len({*given}) > 2:
            continue
        if len(given) == 2 and given[0] == given[1]:
            continue
        other = row if given[0] == column else column
        where = evidence.context.where(evidence.node_line(node))
        parts = {"where": where, "given": as_text(given[0]), "other": as_text(other)}
        return Match({**parts, "both": as_text(shape)}, (), (node,))
    return None


def is_reduced(evidence: Evidence, node: Any) -> bool:
    """Return whether the only use of a result, but for its sign, is its mean or sum as a number."""
    for _ in range(3):
        using = evidence.parents.get(id(node), [])
        if len(using) != 1:
            return False
        node = using[0]
        if evidence.kind(node) in REDUCING:
            return evidence.shape(node) == ()
        if evidence.kind(node) != "Neg":
            return False
    return False


PROGRAM = training(
    net="T.nn.Linear(3, 4)",
    data="T.randn(8, 3), T.arange(8) % 4",
    before="weight = T.rand({shape})",
    inside="chosen = T.log_softmax(net(x), 1)[T.arange(8), y]\nloss = -(chosen * weight).mean()",
)

RULE = Rule(
    key="broadcast_product",
    chapter="6",
    en=Words(
        "a product that broadcasts",
        "The product{where} is of shapes {given} and {other}, so it has the shape {both}: every "
        "sample is multiplied with the number of every other.",
        "Give both the same shape, as `.squeeze(1)` of the one with two dimensions does.",
    ),
    zh=Words(
        "乘积发生了广播",
        "这个乘积{where}的两个形状是 {given} 和 {other}，所以结果的形状是 {both}：每个样本都与所有"
        "样本的数相乘。",
        "请使两者形状相同，例如对二维的那个用 `.squeeze(1)`。",
    ),
    find=find,
    broken=PROGRAM.format(shape="8, 1"),
    sound=PROGRAM.format(shape="8"),
)
