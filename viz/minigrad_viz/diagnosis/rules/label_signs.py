"""Labels 0 and 1 in a loss that takes -1 and 1: the zeros say nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...model.names import is_tensor
from ...model.values import bare, has_numbers
from ..syntax import calls_in, last_name
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

PLACES = {"cosine_embedding_loss": 2, "CosineEmbeddingLoss": 2, "margin_ranking_loss": 2,
          "MarginRankingLoss": 2, "hinge_embedding_loss": 1, "HingeEmbeddingLoss": 1,
          "soft_margin_loss": 1, "SoftMarginLoss": 1}  # fmt: skip
"""Losses of labels with signs, and the place of the labels."""


def find(evidence: Evidence) -> Match | None:
    for statement in evidence.lines:
        for call in calls_in(statement.tree):
            for name in labels_of(evidence, call):
                value = evidence.context.variables.get(name)
                if is_tensor(value) and are_zeros_and_ones(value):
                    parts = {"line": evidence.context.line(statement), "t": name}
                    return Match(parts, (name,))
    return None


def labels_of(evidence: Evidence, call: ast.Call) -> Iterator[str]:
    """Yield the variables that are labels with signs in a call."""
    kind = type(evidence.object(call.func)).__name__
    place = PLACES.get(last_name(call), PLACES.get(kind))
    if place is not None and len(call.args) > place and isinstance(call.args[place], ast.Name):
        yield ast.unparse(call.args[place])
    if last_name(call) in ("clamp", "clamp_min", "relu"):
        inner = call.args[0] if call.args else getattr(call.func, "value", None)
        yield from factors(inner)
        yield from factors(getattr(call.func, "value", None))


def factors(tree: ast.AST | None) -> Iterator[str]:
    """Yield the variables that are a factor of the product in `1 - t * score`."""
    if not isinstance(tree, ast.BinOp) or not isinstance(tree.op, ast.Sub):
        return
    one, product = tree.left, tree.right
    if not isinstance(one, ast.Constant) or one.value not in (1, 1.0):
        return
    if isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult):
        names = [e.id for e in (product.left, product.right) if isinstance(e, ast.Name)]
        yield from (name for name in names if "mask" not in name.lower())


def are_zeros_and_ones(tensor: Any) -> bool:
    if tensor.requires_grad or not has_numbers(tensor) or tensor.numel() < 2:
        return False
    numbers = bare(tensor)
    zeros, ones = numbers == 0, numbers == 1
    return bool((zeros | ones).all()) and bool(zeros.any()) and bool(ones.any())


PROGRAM = training(
    data="",
    before="x = T.randn(8, 3)\nt = T.tensor([[{low}], [1.0]] * 4)",
    inside="loss = T.clamp(1 - t * net(x), min=0).mean()",
)

RULE = Rule(
    key="label_signs",
    severity=2,
    chapter="16",
    en=Words(
        "labels without a sign",
        "The loss in {line} takes the labels -1 and 1, and `{t}` has 0 and 1: a sample with the "
        "label 0 teaches nothing.",
        "Write `{t} = 2 * {t} - 1`.",
    ),
    zh=Words(
        "标签没有正负号",
        "{line}的损失需要标签 -1 和 1，而 `{t}` 是 0 和 1：标签为 0 的样本什么也教不了。",
        "请写 `{t} = 2 * {t} - 1`。",
    ),
    find=find,
    broken=PROGRAM.format(low=0.0),
    sound=PROGRAM.format(low=-1.0),
)
