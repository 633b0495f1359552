"""A new iterator in each iteration, which begins with the first batch again."""

from __future__ import annotations

import ast
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import Statement, assigned
from ..syntax import calls_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    for statement in evidence.lines:
        name = restarted(statement)
        around = [p for p in evidence.passes if statement.loops[-1:] == p.loops[-1:] != ()]
        if not name or not any(p.file == statement.file for p in around):
            continue
        inside = (s for s in evidence.lines if statement.loops[-1:] == s.loops[-1:])
        if any(name in assigned(s.tree) for s in inside):
            continue
        if begins_alike(evidence.context.variables.get(name)):
            made, batch = statement.tree, "batch"
            if isinstance(made, ast.Assign) and ast.unparse(made.value) == f"next(iter({name}))":
                batch = ast.unparse(made.targets[0]).strip("()")
            parts = {"line": evidence.context.line(statement), "name": name, "batch": batch}
            return Match(parts, (name,))
    return None


def restarted(statement: Statement) -> str:
    """Return the name in `next(iter(name))`."""
    for call in calls_in(statement.tree):
        inner = call.args[0] if ast.unparse(call.func) == "next" and call.args else None
        if isinstance(inner, ast.Call) and ast.unparse(inner.func) == "iter" and inner.args:
            if isinstance(inner.args[0], ast.Name):
                return inner.args[0].id
    return ""


def begins_alike(value: Any) -> bool:
    """Return whether each new iterator of a value begins with the same element."""
    if isinstance(value, list | tuple) or is_tensor(value):
        return True
    if type(value).__name__ != "DataLoader":
        return False
    sampler = getattr(value, "sampler", None)
    plain = type(getattr(value, "batch_sampler", None)).__name__ == "BatchSampler"
    return plain and type(sampler).__name__ == "SequentialSampler"


PROGRAM = training(
    data="",
    before="batches = [(T.randn(8, 3), T.randn(8, 1)) for _ in range(4)]\ngiven = {given}",
    inside="x, y = next({each})\nloss = (net(x) - y).pow(2).mean()",
)

RULE = Rule(
    key="same_batch",
    severity=2,
    chapter="14",
    en=Words(
        "the same batch each time",
        "{line} makes a new iterator of `{name}` in each iteration, which begins with the first "
        "batch again: the model sees no other.",
        "Write `for {batch} in {name}:`, or call `iter({name})` once before the loop.",
    ),
    zh=Words(
        "每次都是同一批数据",
        "{line}在每一轮都新建 `{name}` 的迭代器，它总是从第一批开始：模型看不到别的数据。",
        "请写 `for {batch} in {name}:`，或在循环之前只调用一次 `iter({name})`。",
    ),
    find=find,
    broken=PROGRAM.format(given="batches", each="iter(batches)"),
    sound=PROGRAM.format(given="iter(batches)", each="given"),
)
