"""A binary cross-entropy whose probabilities and labels have changed places."""

from __future__ import annotations

from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

LOSSES = ("BinaryCrossEntropy", "BinaryCrossEntropyWithLogits")


def find(evidence: Evidence) -> Match | None:
    """Find a loss whose labels have a history, and whose probabilities have none."""
    for node in evidence.nodes:
        if evidence.kind(node) in LOSSES and len(node.next_functions) > 1:
            (given, _), (label, _) = node.next_functions[:2]
            if given is None and label is not None:
                where = evidence.context.where(evidence.node_line(node))
                return Match({"where": where}, culprits=(node,))
    return None


PROGRAM = training(
    net="T.nn.Sequential(T.nn.Linear(3, 1), T.nn.Sigmoid())",
    data="T.randn(8, 3), 0.1 + 0.8 * (T.rand(8, 1) > 0.5).float()",
    inside="loss = T.nn.functional.binary_cross_entropy({given})",
)

RULE = Rule(
    key="swapped_labels",
    severity=2,
    chapter="16",
    en=Words(
        "labels and probabilities in each other's place",
        "The loss{where} takes the model's result as its labels and the labels as its "
        "probabilities: the gradient goes to the labels' place.",
        "Give it the model's result first, and then the labels.",
    ),
    zh=Words(
        "标签与概率的位置颠倒",
        "这个损失{where}把模型的结果当作标签，把标签当作概率：梯度流向了标签的位置。",
        "请先给模型的结果，再给标签。",
    ),
    find=find,
    broken=PROGRAM.format(given="y, net(x)"),
    sound=PROGRAM.format(given="net(x), y"),
)
