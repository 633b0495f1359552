"""`exp(logvar)` as the standard deviation, where the divergence takes it as the variance."""

from __future__ import annotations

from typing import Any

from .evidence import RESHAPING, Evidence
from .programs import variational
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find `mu + exp(v) * noise` for a layer, and `1 + v - ... - exp(v)` of the same `v`."""
    for node in evidence.nodes:
        if evidence.kind(node) != "Exp" or not is_spread(evidence, node):
            continue
        source = node.next_functions[0][0]
        using = evidence.parents.get(id(source), [])
        others = [n for n in using if evidence.kind(n) == "Exp" and is_variance(evidence, n)]
        if others and any(evidence.kind(n) in ("Add", "Sub", "Rsub") for n in using):
            where = evidence.context.where(evidence.node_line(node))
            return Match({"where": where}, (), (node,))
    return None


def is_variance(evidence: Evidence, node: Any) -> bool:
    return any(evidence.kind(n) in ("Sub", "Rsub") for n in evidence.parents.get(id(node), []))


def is_spread(evidence: Evidence, node: Any) -> bool:
    """Return whether a result multiplies a constant, and the sum with it goes into a layer."""
    for product in evidence.parents.get(id(node), []):
        operands = [n for n, _ in product.next_functions if n is not None]
        if evidence.kind(product) != "Mul" or len(operands) != 1:
            continue
        for total in evidence.parents.get(id(product), []):
            using = evidence.parents.get(id(total), [])
            while using and evidence.kind(using[0]) in RESHAPING:
                using = evidence.parents.get(id(using[0]), [])
            layer = any(evidence.kind(n) in ("Addmm", "Mm", "Linear", "Convolution") for n in using)
            if evidence.kind(total) == "Add" and layer:
                return True
    return False


PROGRAM = variational(draw="z = mu + T.exp({half}logvar) * T.randn_like(mu)")

RULE = Rule(
    key="variance_as_spread",
    severity=2,
    chapter="16",
    en=Words(
        "a variance taken for a deviation",
        "The noise{where} is multiplied by the exponential of what the divergence takes as the "
        "logarithm of the variance: that is the variance, not the deviation.",
        "Write `exp(0.5 * logvar)` there.",
    ),
    zh=Words(
        "把方差当成标准差",
        "噪声{where}乘的是散度公式中对数方差的指数：那是方差，不是标准差。",
        "请在那里写 `exp(0.5 * logvar)`。",
    ),
    find=find,
    broken=PROGRAM.format(half=""),
    sound=PROGRAM.format(half="0.5 * "),
)
