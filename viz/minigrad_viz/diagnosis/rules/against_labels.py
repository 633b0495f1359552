"""Predictions that have become the opposite of their labels: the loss has the wrong sign."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...model.names import is_tensor, made_by
from ...model.program_text import Statement
from ...model.values import bare, has_numbers
from ..objects import is_module
from ..syntax import last_name
from .evidence import Evidence
from .not_learned import passes_of
from .other_labels import Rows, arrays
from .policy_sign import SHAPING
from .programs import training
from .rule import Match, Rule, Words
from .signs import climbs, definitions, negated_loss

AGAINST = -0.5
"""The correlation of predictions with their labels below which they are opposite."""

FEWEST, PASSES = 30, 20
"""Numbers, and passes, from which on a correlation is no chance."""

ADVERSE = re.compile(r"revers|adversar|attack|GRL", re.I)
"""Programs in which a model is to be wrong."""


def find(evidence: Evidence) -> Match | None:
    """Find the result of a model that is correlated with its labels the wrong way."""
    if climbs(evidence) or passes_of(evidence) < PASSES or evidence.root is None:
        return None
    if any(map(ADVERSE.search, evidence.code)):
        return None
    nodes = {id(node) for node in evidence.nodes}
    known = arrays(evidence)
    for statement, name, labels in pairs(evidence):
        result: Any = evidence.context.variables.get(name)
        if labels not in known or not is_tensor(result) or not has_numbers(result):
            continue
        # Watched steps have kept the graph of an early loss, and not that of the last one.
        behind = evidence.seen is not None or id(made_by(result)[0]) in nodes
        plain = result.device.type == "cpu" and str(result.dtype).endswith(("float32", "float64"))
        if (
            not plain
            or not behind
            or not result.requires_grad
            or result.numel() != known[labels].size
        ):
            continue
        share = correlation(np.from_dlpack(bare(result)).ravel(), known[labels].ravel())
        if share < AGAINST:
            parts = {"line": evidence.context.line(statement), "t": name, "y": labels}
            parts |= {"share": f"{share:.2f}", "instead": negated_loss(evidence)}
            return Match(parts, (name,))
    return None


def pairs(evidence: Evidence) -> Iterator[tuple[Statement, str, str]]:
    """Yield the lines that give a model's results together with other variables to something."""
    computed = {
        n for names, value in definitions(evidence) for n in names if is_result(evidence, value)
    }
    for statement in dict.fromkeys((*evidence.lines, *evidence.repeated)):
        for node in ast.walk(statement.tree or ast.Pass()):
            sides = node.args if isinstance(node, ast.Call) else []
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Sub):
                sides = [node.left, node.right]
            if isinstance(node, ast.Call) and "embedding" in last_name(node).lower():
                continue  # a distance, which is small for what belongs together
            names = [each.id for each in map(bare_name, sides) if isinstance(each, ast.Name)]
            yield from ((statement, n, y) for n in names if n in computed for y in names if y != n)


def is_result(evidence: Evidence, tree: ast.expr) -> bool:
    """Return whether an expression is what a model returns, but for its shape or a sigmoid."""
    inner = bare_name(tree)
    return isinstance(inner, ast.Call) and is_module(evidence.object(inner.func))


def bare_name(tree: ast.expr) -> ast.expr:
    """Return what an expression gives another shape or type, or to a sigmoid."""
    while isinstance(tree, ast.Call) and last_name(tree) in KEEPING:
        owner = getattr(tree.func, "value", None)
        tree = tree.args[0] if last_name(tree) in GIVEN and tree.args else owner or tree.func
    return tree


GIVEN = ("sigmoid", "tanh")
KEEPING = {*SHAPING, *GIVEN, "float", "double", "to", "unsqueeze"} - {"sum", "mean", "stack", "cat"}


def correlation(results: Rows, labels: Rows) -> float:
    if (
        len(labels) < FEWEST
        or not np.isfinite(results).all()
        or not np.std(results) * np.std(labels)
    ):
        return 0.0
    return float(np.corrcoef(results.astype(float), labels.astype(float))[0, 1])


PROGRAM = training(
    data="T.randn(40, 3), None",
    before="y = T.sign(x[:, 0])",
    turns="range(40)",
    inside="score = net(x).squeeze(1)\nloss = T.clamp(1 {sign} y * score, min=0).mean()",
)

RULE = Rule(
    key="against_labels",
    chapter="11",
    en=Words(
        "predictions against their labels",
        "After training, `{t}` is the opposite of `{y}` in {line}: their correlation is "
        "{share}. The steps make the loss smaller, so its sign is wrong.",
        "Turn it round: `{instead}`.",
    ),
    zh=Words(
        "预测与标签相反",
        "训练之后，{line}里的 `{t}` 与 `{y}` 正好相反：相关系数是 {share}。更新使损失变小，"
        "所以损失的符号错了。",
        "请把它反过来：`{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(sign="+"),
    sound=PROGRAM.format(sign="-"),
)
