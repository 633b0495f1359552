"""A softmax over the batch where the classes are meant."""

from __future__ import annotations

from typing import Any

from ..evidence import saved_argument
from .evidence import Evidence
from .probabilities import PROGRAM
from .rule import Match, Rule, Words

OF_CLASSES = ("NllLoss", "Index", "Gather")
"""Operations that choose each sample's class."""


def find(evidence: Evidence) -> Match | None:
    for node in evidence.nodes:
        if evidence.kind(node) not in ("Softmax", "LogSoftmax") or dimension(evidence, node) != 0:
            continue
        shape = evidence.shape(node)
        if len(shape) > 1 and max(shape) > 1 and of_classes(evidence, node):
            where = evidence.context.where(evidence.node_line(node))
            parts: dict[str, object] = {"shape": f"[{', '.join(map(str, shape))}]", "where": where}
            parts["dim"] = chosen_dimension(evidence, node)
            return Match(parts, culprits=(node,))
    return None


def dimension(evidence: Evidence, node: Any) -> int | None:
    """Return the dimension over which a softmax goes, or None if the node does not tell."""
    try:
        place = int(saved_argument(node, "dim"))
    except (AttributeError, RuntimeError, ValueError, TypeError):
        return None
    place = place if place < 2**63 else place - 2**64  # PyTorch keeps it without a sign
    return place + len(evidence.shape(node)) if place < 0 else place


def chosen_dimension(evidence: Evidence, node: Any) -> int:
    """Return the dimension of the classes: that of the choice after a softmax, or 1."""
    for _ in range(4):
        node = next(iter(evidence.parents.get(id(node), [])), None)
        if evidence.kind(node) == "Gather":
            return dimension(evidence, node) or 1
    return 1


def of_classes(evidence: Evidence, node: Any) -> bool:
    """Return whether the softmax is a likelihood of classes."""
    logarithm, chosen = evidence.kind(node) == "LogSoftmax", False
    for _ in range(4):
        using = evidence.parents.get(id(node), [])
        if len(using) != 1:
            return False
        node = using[0]
        if evidence.kind(node) == "Log":
            logarithm = True
            if chosen:
                return True
        elif evidence.kind(node) == "LogSoftmax":
            return dimension(evidence, node) == 1
        elif evidence.kind(node) in OF_CLASSES:
            chosen = True
            if logarithm:
                return True
        elif evidence.kind(node) not in ("Add", "Neg", "Clamp", "ClampMin"):
            return False
    return False


RULE = Rule(
    key="softmax_dimension",
    chapter="16",
    en=Words(
        "softmax over the batch",
        "The softmax{where} goes over dimension 0 of the shape {shape}, which is the batch: it "
        "compares the samples with each other, and not the classes of each sample.",
        "Write `dim={dim}` there.",
    ),
    zh=Words(
        "沿批次做了 softmax",
        "这个 softmax{where}沿形状 {shape} 的第 0 维计算，那是批次：比较的是各个样本，而不是每个样"
        "本的各个类别。",
        "请在那里写 `dim={dim}`。",
    ),
    find=find,
    broken=PROGRAM.format(loss="-T.log_softmax(scores, 0)[T.arange(8), y].mean()"),
    sound=PROGRAM.format(loss="-T.log_softmax(scores, 1)[T.arange(8), y].mean()"),
)
