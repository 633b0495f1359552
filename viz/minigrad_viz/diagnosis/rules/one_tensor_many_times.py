"""A list of batches that holds one tensor many times, with the numbers written last."""

from __future__ import annotations

import ast
import re
from collections import deque
from collections.abc import Iterator
from textwrap import indent
from typing import Any

from ...model.either_library import version_of
from ...model.names import is_tensor
from ...model.program_text import Statement, assigned
from ..syntax import calls_in, last_name, names_in, target_of
from .evidence import Evidence
from .programs import STEPS, training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find a loop over a list to which a line appends the same tensor each time."""
    for statement in (*evidence.lines, *evidence.written):
        for name, changed in changed_and_kept(evidence, statement):
            return Match({"line": evidence.context.line(statement), "t": name}, (changed,))
    read = {name for s in evidence.repeated for name in names_in(s.tree)}
    for statement in evidence.lines:
        for call in calls_in(statement.tree) if statement.loops else ():
            owner = getattr(call.func, "value", None)
            if owner is None or last_name(call) != "append":
                continue
            name, kept = ast.unparse(owner), evidence.object_at(statement, owner)
            known = name.startswith("self.") or name in read
            if known and isinstance(kept, list | deque) and len(kept) > 1 and is_one([*kept]):
                return Match({"line": evidence.context.line(statement), "t": name}, (name,))
    return None


def changed_and_kept(evidence: Evidence, statement: Statement) -> Iterator[tuple[str, str]]:
    """Yield a list with the variable that a loop changes in place, puts into it and never binds."""
    call = getattr(statement.tree, "value", None)
    if not statement.loops or not isinstance(call, ast.Call) or last_name(call) != "append":
        return
    given = call.args[0].elts if isinstance(call.args[0], ast.Tuple) else call.args
    for name in [each.id for each in given if isinstance(each, ast.Name)]:
        known = (*evidence.lines, *evidence.written)
        inside = [s for s in known if s.file == statement.file and s.loops == statement.loops]
        bound = any(name in assigned(s.tree) for s in known if statement.loops[-1] in s.loops)
        made = [s for s in known if name in assigned(s.tree) and MADE.search(s.text)]
        if made and not bound and any(target_of(s) == name for s in inside):
            yield ast.unparse(getattr(call.func, "value", call.func)), name


MADE = re.compile(r"(?<!np.)(?<!numpy.)\b(zeros|empty|full|ones)(_like)?\(")


def is_one(kept: list[Any]) -> bool:
    """Return whether the elements, or a part of all tuples, are one tensor, changed in place."""
    rows = [each if isinstance(each, tuple) else (each,) for each in kept]
    for place in range(min(map(len, rows))):
        first = rows[0][place]
        often = is_tensor(first) and version_of(first) >= max(3, len(rows) // 2)
        if often and not first.requires_grad:
            if all(each[place] is first for each in rows):
                return True
    return False


PROGRAM = training(
    data="buffer, batches = T.zeros(8, 3), []",
    before="""
for k in range(4):
    buffer.copy_(T.randn(8, 3))
    batches.append(({given}, T.randn(8, 1)))
epochs = range(2)""",
    turns="epochs",
    inside="for x, y in batches:\n    loss = (net(x) - y).pow(2).mean()",
    steps=indent(STEPS, "    "),
)

RULE = Rule(
    key="one_tensor_many_times",
    severity=2,
    chapter="14",
    en=Words(
        "one tensor in place of many",
        "{line} puts the same tensor into `{t}` each time, so all of its elements hold the numbers "
        "that were written last.",
        "Append a copy there, with `.clone()`.",
    ),
    zh=Words(
        "许多次放入同一个张量",
        "{line}每次放进 `{t}` 的都是同一个张量，所以其中所有元素都是最后写入的数值。",
        "请放入副本，用 `.clone()`。",
    ),
    find=find,
    broken=PROGRAM.format(given="buffer"),
    sound=PROGRAM.format(given="buffer.clone()"),
    before=("changed_samples", "equal_samples", "zero_input", "alike_outputs", "not_learned"),
)
