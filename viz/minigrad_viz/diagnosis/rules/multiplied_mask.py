"""A mask that is multiplied with scores before a softmax: a score of 0 hides nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...model.program_text import Statement
from ..syntax import assigned_in, calls_in, last_name
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    if not any(evidence.kind(node) in ("Softmax", "LogSoftmax") for node in evidence.nodes):
        return None
    masked = {name: s for s in evidence.lines for name, value in values(s) if mask_of(value)}
    for statement in evidence.lines:
        for call in calls_in(statement.tree):
            if not last_name(call).endswith("softmax"):
                continue
            owner = call.func.value if isinstance(call.func, ast.Attribute) else None
            given = [*call.args[:1], *([owner] if owner is not None else [])]
            for each in given:
                made = masked.get(ast.unparse(each)) if isinstance(each, ast.Name) else statement
                mask = mask_of(each) or next(
                    (m for _, v in values(made) if made is not statement and (m := mask_of(v))), ""
                )
                if made is not None and mask:
                    scores = evidence.context.line(made)
                    instead = f"masked_fill({mask} == 0, float('-inf'))"
                    return Match({"line": scores, "mask": mask, "instead": instead}, (mask,))
    return None


def values(statement: Statement | None) -> Iterator[tuple[str, ast.expr]]:
    """Yield the single name that a line assigns, with its value."""
    tree = None if statement is None else statement.tree
    names = assigned_in(tree)
    if isinstance(tree, ast.Assign) and len(names) == 1:
        yield min(names), tree.value


def mask_of(tree: ast.expr) -> str:
    """Return `mask` for the product `scores * mask`, or "" for another expression."""
    if not isinstance(tree, ast.BinOp) or not isinstance(tree.op, ast.Mult):
        return ""
    for side in (tree.right, tree.left):
        name = ast.unparse(side)
        if isinstance(side, ast.Name | ast.Attribute) and "mask" in name.lower():
            return name
    return ""


PROGRAM = training(
    net="first, out = T.nn.Linear(3, 4), T.nn.Linear(4, 1)",
    data="x, y, mask = T.randn(8, 3), T.randn(8, 1), T.tensor([1.0, 1.0, 1.0, 0.0])",
    inside="scores = first(x)\n"
    "weight = T.softmax({masked}, dim=1)\nloss = (out(weight) - y).pow(2).mean()",
)

RULE = Rule(
    key="multiplied_mask",
    severity=2,
    chapter="16",
    en=Words(
        "a mask that hides nothing",
        "{line} multiplies scores by `{mask}` before a softmax: a hidden score becomes 0, and the "
        "softmax gives it exp(0) = 1 before it divides, not 0.",
        "Set hidden scores to -inf: `scores.{instead}`.",
    ),
    zh=Words(
        "什么也没遮住的掩码",
        "{line}在 softmax 之前把分数乘以 `{mask}`：被遮住的分数变成 0，而 softmax 在相除之前给它的"
        "是 exp(0) = 1，不是 0。",
        "请把被遮住的分数设成 -inf：`scores.{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(masked="scores * mask"),
    sound=PROGRAM.format(masked='scores.masked_fill(mask == 0, float("-inf"))'),
)
