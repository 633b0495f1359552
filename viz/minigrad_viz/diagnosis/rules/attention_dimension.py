"""Attention weights that a softmax normalizes over another dimension than the product sums."""

from __future__ import annotations

from typing import Any

from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .softmax_dimension import dimension

PRODUCTS = ("Bmm", "Mm", "Matmul")
BETWEEN = ("Div", "Mul", "MaskedFill", "Add", "Where", "NativeDropout", "UnsafeView", "View",
           "Expand", "Clone", "Reshape", "ReshapeAlias")  # fmt: skip
"""Operations between the product of scores and the softmax, or the softmax and its use."""


def find(evidence: Evidence) -> Match | None:
    for node in evidence.nodes:
        if evidence.kind(node) != "Softmax":
            continue
        place, rank = dimension(evidence, node), len(evidence.shape(node))
        if place != rank - 2 or rank < 3 or not of_scores(evidence, node):
            continue
        if weighs_values(evidence, node):
            shape = f"[{', '.join(map(str, evidence.shape(node)))}]"
            where = evidence.context.where(evidence.node_line(node))
            return Match({"shape": shape, "dim": place, "where": where}, culprits=(node,))
    return None


def of_scores(evidence: Evidence, node: Any) -> bool:
    """Return whether the softmax gets a product of queries and keys."""
    for _ in range(6):
        node = next((n for n, _ in node.next_functions if n is not None), None)
        if evidence.kind(node) in PRODUCTS:
            return True
        if node is None or evidence.kind(node) not in BETWEEN:
            return False
    return False


def weighs_values(evidence: Evidence, node: Any) -> bool:
    """Return whether a product sums its last dimension: the weights are the first factor."""
    for _ in range(6):
        using = evidence.parents.get(id(node), [])
        if len(using) != 1:
            return False
        if evidence.kind(using[0]) in PRODUCTS:
            return bool(using[0].next_functions[0][0] is node)
        if evidence.kind(using[0]) not in BETWEEN:
            return False
        node = using[0]
    return False


PROGRAM = training(
    first="q, k, v = T.nn.Linear(4, 4), T.nn.Linear(4, 4), T.nn.Linear(4, 4)",
    net="",
    opt="T.optim.SGD([*q.parameters(), *k.parameters(), *v.parameters()], lr=0.1)",
    data="T.randn(2, 5, 4), T.randn(2, 5, 4)",
    inside="scores = q(x) @ k(x).transpose(1, 2) / 2\n"
    "loss = (T.softmax(scores, {dim}) @ v(x) - y).pow(2).mean()",
)

RULE = Rule(
    key="attention_dimension",
    severity=2,
    chapter="16",
    en=Words(
        "attention that does not sum to 1",
        "The softmax{where} goes over dimension {dim} of {shape}, the queries, and the product "
        "after it sums over the last, the keys: the weights of a query do not sum to 1.",
        "Write `dim=-1` there.",
    ),
    zh=Words(
        "注意力权重之和不是 1",
        "这个 softmax{where}沿 {shape} 的第 {dim} 维（查询）计算，而后面的乘积沿最后一维（键）求"
        "和：一个查询的权重之和不是 1。",
        "请在那里写 `dim=-1`。",
    ),
    find=find,
    broken=PROGRAM.format(dim=1),
    sound=PROGRAM.format(dim=-1),
)
