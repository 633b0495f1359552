"""A sum or mean over the samples that comes before each sample's own factor or logarithm."""

from __future__ import annotations

import math
from typing import Any

from .batch_for_time import ERRORS
from .evidence import Evidence
from .over_batch import WORDS
from .programs import training
from .rule import Match, Rule, Words

CURVED = ("LogSigmoid", "Softplus", "Sigmoid")
"""Operations of which each pair needs its own."""

ENOUGH = 8
"""Rows from which on they are samples, and not the words of one."""


def find(evidence: Evidence) -> Match | None:
    """Find one number of all samples that stands where each sample's number belongs."""
    for node in evidence.nodes:
        kind = evidence.kind(node)
        if kind not in (*CURVED, "Mul"):
            continue
        inner = evidence.input_of(node)
        if kind != "Mul":
            key, count = "pairs", count_of(evidence, inner) if of_pairs(evidence, inner) else 0
        else:
            places = [place for place, (each, _) in enumerate(node.next_functions) if each]
            inner = evidence.input_of(node, places[0]) if len(places) == 1 else None
            while evidence.kind(inner) == "Neg":
                inner = evidence.input_of(inner)
            key, count = "factor", count_of(evidence, inner)
            count = count if count == math.prod(evidence.shape(node)) else 0
            if not is_summed(evidence, node):
                continue
        if count > 1:
            what = WORDS.get(evidence.kind(inner), "over_mean")
            parts = {"count": count, "node": kind, "what": evidence.context.say(what)}
            parts["where"] = evidence.context.where(evidence.node_line(inner))
            parts["why"] = evidence.context.say(f"summed_{key}", **parts)
            of_loss = "_loss" if key == "factor" and evidence.kind(inner) not in WORDS else ""
            cure = evidence.context.say(f"cure_summed_{key}{of_loss}", **parts)
            return Match({**parts, "cure": cure}, (), (inner,))
    return None


def count_of(evidence: Evidence, node: Any) -> int:
    """Return the number of samples of which a node makes one number, or 0."""
    if evidence.kind(node) not in ("Sum", "Mean", "NllLoss", *ERRORS) or evidence.shape(node):
        return 0
    before, index = next(((n, i) for n, i in node.next_functions if n), (None, 0))
    shape = () if before is None else evidence.shape(before, index)
    return shape[0] if shape else 0


def of_pairs(evidence: Evidence, node: Any) -> bool:
    """Return whether a sum is of differences, each of a row's scores or features."""
    if evidence.kind(node) != "Sum" or count_of(evidence, node) < ENOUGH:
        return False
    inner = evidence.input_of(node)
    factors = [evidence.input_of(inner, 0), evidence.input_of(inner, 1)] if inner else []
    kinds = [evidence.kind(each) for each in factors]
    if evidence.kind(inner) == "Sub":
        return {*kinds} <= {"Sum", "Mean", "Bmm"}
    rows = None not in factors and len({*map(evidence.shape, factors)}) == 1
    rows = rows and len(evidence.shape(inner)) == 2
    return evidence.kind(inner) == "Mul" and rows and "Sub" in kinds


def is_summed(evidence: Evidence, node: Any) -> bool:
    """Return whether the only use of a product is its sum or mean: the factors add up, too."""
    while len(using := evidence.parents.get(id(node), [])) == 1:
        if evidence.kind(node := using[0]) != "Neg":
            return evidence.kind(node) in ("Sum", "Mean") and not evidence.shape(node)
    return False


PROGRAM = training(
    data="T.randn(8, 3), T.rand(8)",
    inside="loss = ({mean}(net(x)[:, 0].pow(2)) * y).sum()",
)

RULE = Rule(
    key="summed_early",
    severity=2,
    chapter="16",
    en=Words(
        "samples summed too early",
        "{what}{where} makes one number of {count} samples, {why}.",
        "{cure}",
    ),
    zh=Words(
        "过早地对样本求和",
        "{what}{where}把 {count} 个样本变成一个数，{why}。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(mean="T.mean"),
    sound=PROGRAM.format(mean=""),
)
