"""A batch of which all samples are equal, with targets that differ."""

from __future__ import annotations

import ast

from ...model.names import is_tensor
from ...model.values import bare, has_numbers, shape_of
from ..objects import is_module
from ..syntax import calls_in, names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .shuffled_apart import is_loss

FEWEST = 4
"""Samples from which on it is no chance that all are equal."""


def find(evidence: Evidence) -> Match | None:
    calls = [call for s in evidence.repeated for call in calls_in(s.tree)]
    losses = [call for call in calls if len(call.args) > 1 and is_loss(evidence, call)]
    targets = {name for call in losses for name in names_in(call.args[1])}
    if not any(rows_differ(evidence, name) for name in targets):
        return None
    for statement in evidence.repeated:
        for call in calls_in(statement.tree):
            module = evidence.object(call.func)
            name = ast.unparse(call.args[0]) if len(call.args) == 1 else ""
            if module is None or not is_module(module) or name in targets:
                continue
            value = evidence.context.variables.get(name)
            if is_tensor(value) and value.is_floating_point() and not value.requires_grad:
                if has_rows(value) and not rows_differ(evidence, name):
                    count = shape_of(value)[0]
                    parts = {"t": name, "line": evidence.context.line(statement)}
                    made = evidence.context.program.assignment(name) or statement
                    parts |= {"count": str(count), "made": evidence.context.where(made)}
                    return Match(parts, (name,))
    return None


def has_rows(tensor: object) -> bool:
    shape = shape_of(tensor)
    return has_numbers(tensor) and len(shape) > 1 and shape[0] >= FEWEST


def rows_differ(evidence: Evidence, name: str) -> bool:
    """Return whether a variable is a tensor whose rows are not all equal."""
    value = evidence.context.variables.get(name)
    if not is_tensor(value) or not has_numbers(value) or not shape_of(value):
        return False
    numbers = bare(value)
    return shape_of(value)[0] >= FEWEST and bool((numbers != numbers[:1]).any())


PROGRAM = training(
    data="",
    before="mse, data, y = T.nn.MSELoss(), T.randn(8, 3), T.randn(8, 1)",
    inside="x = T.stack([data[{index}] for k in range(8)])\nloss = mse(net(x), y)",
)

RULE = Rule(
    key="equal_samples",
    chapter="16",
    en=Words(
        "one sample again and again",
        "All {count} samples of `{t}` in {line} are equal, and their targets are not: nothing can "
        "be learned from them. They are made{made}.",
        "Use the index of each sample, or leave out what makes them alike.",
    ),
    zh=Words(
        "同一个样本反复出现",
        "{line}里 `{t}` 的 {count} 个样本全都相等，而它们的目标不同：从中什么也学不到。创建它们的地"
        "方{made}。",
        "请使用每个样本自己的下标，或去掉使它们相同的操作。",
    ),
    find=find,
    broken=PROGRAM.format(index="0"),
    sound=PROGRAM.format(index="k"),
    before=("zero_input", "zero"),
)
