"""Units of a layer with equal weights and equal gradients, which stay equal for ever."""

from __future__ import annotations

import re
from typing import Any

from ...model.autograd_nodes import is_accumulate
from ...model.values import bare, dense, has_numbers
from ..observed import finite, largest
from ..syntax import as_code
from .evidence import RESHAPING, Evidence
from .programs import training
from .rule import Match, Rule, Words

CONSTANT = re.compile(r"constant_|zeros_|ones_|fill_|zero_\(|full|eye_|ones\(")
"""Calls that fill a parameter with one number."""

ACTIVATIONS = ("Relu", "Tanh", "Sigmoid", "Gelu", "Silu", "Elu", "Selu", "LeakyRelu", "Softplus",
               "Hardtanh", "Mish", "Celu", "Threshold", "Hardswish", "Hardsigmoid")  # fmt: skip
LAYERS = ("Addmm", "Mm", "Bmm", "Add", "Linear", "Convolution", "NativeBatchNorm")

CLOSE = 1e-5
"""Units differ if their numbers do by this share of the largest."""


def find(evidence: Evidence) -> Match | None:
    """Find a weight whose units are all alike, in its numbers and in its gradient."""
    for leaf in evidence.leaves:
        turned = is_right_factor(evidence, leaf)
        looped = turned and any(s.loops for s in evidence.passes)
        count = leaf.shape[turned] if len(leaf.shape) > 1 else 0
        if count < 2 or not (looped or type(leaf).__name__ == "Parameter"):
            continue
        if leaf.grad is None or not evidence.gradient(leaf) + largest(leaf) > 0:
            continue
        numbers = [t.T if turned else t for t in (bare(leaf), bare(leaf.grad))]
        if all(map(has_equal_rows, numbers)) and is_hidden(evidence, leaf):
            name = evidence.name(leaf)
            attribute = as_code(name)
            lines = [s for s in evidence.lines if CONSTANT.search(s.text) and attribute in s.text]
            where = evidence.context.where(lines[-1]) if lines else ""
            parts = {"t": name, "where": where, "count": count, "code": attribute}
            return Match(parts, (name,))
    return None


def is_right_factor(evidence: Evidence, leaf: Any) -> bool:
    """Return whether a matrix is `W` in `x @ W`: its columns are the units."""
    products = (n for n in evidence.nodes if evidence.kind(n) in ("Mm", "Matmul", "Addmm"))
    factors = (n.next_functions[-1][0] for n in products)
    return len(leaf.shape) == 2 and any(
        n is not None and is_accumulate(n) and n.variable is leaf for n in factors
    )


def is_hidden(evidence: Evidence, leaf: Any) -> bool:
    """Return whether the results of a layer go into an activation.

    Of an output that is only summed, equal parts may be right.
    """
    ends = (n for n in evidence.context.nodes(evidence.root) if is_accumulate(n))
    layer = [n for n in ends if n.variable is leaf]
    while layer:
        users = [user for node in layer for user in evidence.parents.get(id(node), [])]
        if any(evidence.kind(user) in ACTIVATIONS for user in users):
            return True
        layer = [user for user in users if evidence.kind(user) in (*LAYERS, *RESHAPING)]
    return False


def has_equal_rows(tensor: Any) -> bool:
    """Return whether all rows of a tensor are the same."""
    if not has_numbers(tensor) or not finite(tensor):
        return False
    rows = dense(bare(tensor))
    spread = float((rows - rows[:1]).abs().max().item())
    return spread <= CLOSE * float(rows.abs().max().item())


PROGRAM = training(
    net="T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))",
    before="T.nn.init.constant_(net[0].weight, 0.3)\nT.nn.init.zeros_(net[0].bias)\n{last}",
)

RULE = Rule(
    key="alike_units",
    chapter="15",
    en=Words(
        "units that are all alike",
        "The {count} units of `{t}`{where} have the same weights and the same gradients, so they "
        "stay identical: the layer is as good as one unit.",
        "Initialise it with random numbers, as with `{nn}.init.xavier_uniform_({code})`.",
    ),
    zh=Words(
        "所有单元都一样",
        "`{t}`{where}的 {count} 个单元权重相同，梯度也相同，所以一直相同：这一层等于只有一个单元。",
        "请用随机数初始化，例如 `{nn}.init.xavier_uniform_({code})`。",
    ),
    find=find,
    broken=PROGRAM.format(last="T.nn.init.constant_(net[2].weight, 0.3)"),
    sound=PROGRAM.format(last="T.nn.init.normal_(net[2].weight)"),
)
