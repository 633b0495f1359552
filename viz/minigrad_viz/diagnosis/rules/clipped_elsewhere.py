"""Gradients of a model that the loss does not reach are clipped, and those that count are not."""

from __future__ import annotations

import ast

from ..objects import is_module
from ..syntax import calls_in, last_name
from .evidence import Evidence
from .programs import STEPS, training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    reached = {id(leaf) for leaf in evidence.leaves}
    if not reached or len({s.text for s in evidence.passes}) != 1:
        return None
    for statement in evidence.repeated:
        for call in calls_in(statement.tree):
            given = call.args[0] if call.args and last_name(call).startswith("clip_grad_") else None
            owner = given.func if isinstance(given, ast.Call) and not given.args else None
            if not isinstance(owner, ast.Attribute) or owner.attr != "parameters":
                continue
            module = evidence.object(owner.value)
            if module is None or not is_module(module):
                continue
            if not any(id(p) in reached or p.grad is not None for p in module.parameters()):
                parts = {"line": evidence.context.line(statement)}
                return Match({**parts, "t": ast.unparse(owner.value)})
    return None


PROGRAM = training(
    first="other = T.nn.Linear(3, 1)",
    opt=0.01,
    steps=STEPS.replace("opt.s", "T.nn.utils.clip_grad_norm_({clipped}.parameters(), 1.0)\nopt.s"),
)

RULE = Rule(
    key="clipped_elsewhere",
    severity=2,
    chapter="14",
    en=Words(
        "other gradients clipped",
        "{line} clips the gradients of `{t}`, which has none: the loss does not reach it, and the "
        "gradients that the step uses stay as they are.",
        "Clip those of the model that learns.",
    ),
    zh=Words(
        "裁剪了别的梯度",
        "{line}裁剪 `{t}` 的梯度，而它没有梯度：损失到不了它，更新所用的梯度没有被裁剪。",
        "请裁剪正在学习的模型的梯度。",
    ),
    find=find,
    broken=PROGRAM.format(clipped="other"),
    sound=PROGRAM.format(clipped="net"),
    before=("diverged", "exploding"),
)
