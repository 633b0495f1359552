"""Attention weights over the batch: a softmax of places goes over dimension 0."""

from __future__ import annotations

from typing import Any

from ..evidence import saved_argument
from .broadcast_loss import as_text
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .softmax_dimension import dimension


def find(evidence: Evidence) -> Match | None:
    """Find a softmax over the batch of a tensor with more dimensions than the scores."""
    rows = {evidence.shape(n)[0] for n in evidence.nodes if evidence.kind(n) == "LogSoftmax"
            and len(evidence.shape(n)) == 2}  # fmt: skip
    for node in evidence.nodes:
        shape = evidence.shape(node)
        if evidence.kind(node) != "Softmax" or len(shape) != 3 or dimension(evidence, node) != 0:
            continue
        placed = shape[2] == 1 and summed_over_places(evidence, node)
        placed = placed or rows == {shape[0]}
        if placed and shape[0] != shape[1] and shape[1] > 1:
            where = evidence.context.where(evidence.node_line(node))
            return Match({"shape": as_text(shape), "where": where}, (), (node,))
    return None


def summed_over_places(evidence: Evidence, node: Any) -> bool:
    """Return whether the weights' products are summed over dimension 1 alone."""
    using = evidence.parents.get(id(node), [])
    products = [each for each in using if evidence.kind(each) == "Mul"]
    sums = [each for product in products for each in evidence.parents.get(id(product), [])]
    return bool(sums) and all(
        evidence.kind(each) == "Sum" and summed_dimensions(each) == (1,) for each in sums
    )


def summed_dimensions(node: Any) -> tuple[int, ...]:
    """Return the dimensions over which a sum of a tensor with three goes."""
    try:
        given = saved_argument(node, "dim")
    except (AttributeError, RuntimeError):
        return ()
    places = given if isinstance(given, list | tuple) else (given,)
    whole = [int(each) for each in places if each is not None]
    return tuple((p - 2**64 if p >= 2**63 else p) % 3 for p in whole)


PROGRAM = training(
    first="score, head = T.nn.Linear(3, 1), T.nn.Linear(3, 2)",
    net="",
    opt="T.optim.SGD([*score.parameters(), *head.parameters()], lr=0.1)",
    data="T.randn(8, 5, 3), T.arange(8) % 2",
    inside="weights = T.softmax(score(x), dim={dim})\n"
    "loss = T.nn.functional.cross_entropy(head((weights * x).sum(1)), y)",
)

RULE = Rule(
    key="batch_attention",
    severity=2,
    chapter="16",
    en=Words(
        "weights over the batch",
        "The softmax{where} of shape {shape} goes over dimension 0, which is the batch: the "
        "weights of a sample depend on the other samples, and do not add up to 1.",
        "Write `dim=1` there, the dimension of the places.",
    ),
    zh=Words(
        "沿批次计算权重",
        "这个 softmax{where}形状是 {shape}，沿第 0 维即批次计算：一个样本的权重取决于其他样本，加起"
        "来也不是 1。",
        "请在那里写 `dim=1`，即各个位置所在的维。",
    ),
    find=find,
    broken=PROGRAM.format(dim=0),
    sound=PROGRAM.format(dim=1),
)
