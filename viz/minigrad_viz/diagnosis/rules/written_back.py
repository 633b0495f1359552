"""Each iteration writes another model's weights over those that the optimizer has moved."""

from __future__ import annotations

import ast
from typing import Any

from ...model.program_text import Statement
from ..objects import is_module
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence
from .programs import STEPS, training
from .rule import Match, Rule, Words

WRITING = ("copy_", "add_", "lerp_", "mul_")
MOST = 0.5
"""Share of the other model's weights from which on a step is undone."""


def find(evidence: Evidence) -> Match | None:
    """Find `p.copy_(q)` in a loop over the parameters of a model that learns and of another."""
    for head in evidence.repeated:
        pair = models_of(evidence, head)
        for statement in evidence.repeated if pair else ():
            if head.line not in statement.loops or statement.file != head.file or statement.arms:
                continue
            shares = [writes(evidence, c, *pair[:2]) for c in calls_in(statement.tree) if pair]
            shares += [sets(evidence, statement.tree, *pair[:2])] if pair else []
            if pair and max(shares, default=0.0) >= MOST:
                parts = {"line": evidence.context.line(statement)}
                parts |= {"model": pair[2], "other": pair[3]}
                return Match(parts, (pair[2],))
    return None


def models_of(evidence: Evidence, head: Statement) -> tuple[str, str, str, str] | None:
    """Return two variables of a loop, and the models whose parameters they are.

    The first model's are moved by an optimizer, the second's are not, and a pass stands in the loop
    around.
    """
    loop = head.tree
    call = getattr(loop, "value", None) or getattr(loop, "iter", None)
    targets = getattr(loop, "targets", None) or [getattr(loop, "target", None)]
    if not isinstance(call, ast.Call) or last_name(call) != "zip" or len(call.args) != 2:
        return None
    names = targets[0].elts if isinstance(targets[0], ast.Tuple) else []
    texts = [ast.unparse(each).removesuffix(".parameters()") for each in call.args]
    around = head.loops[:-1] if head.loops[-1:] == (head.line,) else head.loops
    walked = any(p.loops == around and p.file == head.file for p in evidence.passes)
    if len(names) != 2 or not walked or head.arms:
        return None
    held = [is_held(evidence, text) for text in texts]
    if held == [True, False]:
        return ast.unparse(names[0]), ast.unparse(names[1]), texts[0], texts[1]
    if held == [False, True]:
        return ast.unparse(names[1]), ast.unparse(names[0]), texts[1], texts[0]
    return None


def is_held(evidence: Evidence, text: str) -> bool | None:
    """Return whether optimizers hold a model's parameters, or None if it is no model."""
    module = evidence.object(ast.parse(text, mode="eval").body)
    if module is None or not is_module(module):
        return None
    return any(id(p) in evidence.held for p in module.parameters())


def writes(evidence: Evidence, call: ast.Call, mine: str, other: str) -> float:
    """Return the share of `other` that a call writes into `mine`, or 0 if it is not known."""
    base: ast.expr = call.func
    while isinstance(base, ast.Attribute | ast.Call):
        base = base.func if isinstance(base, ast.Call) else base.value
    if ast.unparse(base) != mine or last_name(call) not in WRITING or not call.args:
        return 0.0
    if last_name(call) == "copy_":
        given = call.args[0]
        return share_in(evidence, given, other)
    if other not in names_in(call.args[0]):
        return 0.0
    alpha = next((w.value for w in call.keywords if w.arg in ("alpha", "weight")), None)
    alpha = call.args[1] if alpha is None and len(call.args) > 1 else alpha
    return 0.0 if alpha is None else number(evidence, alpha)


def sets(evidence: Evidence, tree: ast.stmt | None, mine: str, other: str) -> float:
    """Return the share of `other` in `mine.data = share * other.data + ...`, or 0."""
    if not isinstance(tree, ast.Assign) or ast.unparse(tree.targets[0]) != f"{mine}.data":
        return 0.0
    return share_in(evidence, tree.value, other)


def share_in(evidence: Evidence, value: ast.expr, other: str) -> float:
    """Return the factor of a tensor in a sum of products, or 0 if it is not known."""
    plain = ast.unparse(value).removesuffix(".data").removesuffix(".detach()")
    if plain == other:
        return 1.0
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        left, right = value.left, value.right
        return share_in(evidence, left, other) + share_in(evidence, right, other)
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        for factor, term in ((value.left, value.right), (value.right, value.left)):
            if (share := share_in(evidence, term, other)) != 0:
                return share * number(evidence, factor)
    return 0.0


def number(evidence: Evidence, tree: ast.expr) -> float:
    """Return the number of an expression of names and constants, or 0 if it is not known."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Sub):
        return number(evidence, tree.left) - number(evidence, tree.right)
    value: Any = tree.value if isinstance(tree, ast.Constant) else evidence.object(tree)
    return float(value) if type(value) in (int, float) else 0.0


PROGRAM = training(
    first="import copy\n\nnet = T.nn.Linear(3, 1)\nema = copy.deepcopy(net)",
    net="",
    data="",
    before="x, y, decay = T.randn(8, 3), T.randn(8, 1), 0.99",
    steps=STEPS
    + "\nwith T.no_grad():\n"
    + "    for p, e in zip(net.parameters(), ema.parameters()):\n        {write}",
)

RULE = Rule(
    key="written_back",
    chapter="15",
    en=Words(
        "an average in the wrong direction",
        "{line} writes the weights of `{other}` into `{model}` after each step, which undoes what "
        "the optimizer has learned.",
        "Write those of `{model}` into `{other}` in place of that.",
    ),
    zh=Words(
        "方向弄反的平均",
        "{line}在每次更新之后把 `{other}` 的权重写进 `{model}`，这就撤销了优化器学到的东西。",
        "请反过来，把 `{model}` 的权重写进 `{other}`。",
    ),
    find=find,
    broken=PROGRAM.format(write="p.mul_(1 - decay).add_(e, alpha=decay)"),
    sound=PROGRAM.format(write="e.mul_(decay).add_(p, alpha=1 - decay)"),
    before=("unmoved",),
)
