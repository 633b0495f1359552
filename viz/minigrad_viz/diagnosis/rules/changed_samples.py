"""Samples that a loop changes in place through a part of the data, again in each turn."""

from __future__ import annotations

import ast
from dataclasses import replace

import numpy as np

from ...model.names import is_tensor
from ...model.program_text import Statement, assigned
from ..syntax import calls_in, last_name, target_of
from .equal_samples import find as find_equal
from .evidence import END, Evidence
from .other_labels import data_set_lines
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find a line that changes samples in place: in `__getitem__`, or a slice of equal samples."""
    getting = [*data_set_lines(evidence, END)]
    for lines, equal in ((getting, Match()), ([*evidence.lines], find_equal(evidence))):
        for statement in lines if equal is not None else ():
            name = changed_name(statement)
            made = sliced_in(lines, name, statement, lines is getting) if name else None
            if made is None or equal is None or not (lines is getting or len(statement.loops) > 1):
                continue
            if lines is getting and not holds_rows(evidence, made):
                continue
            copied = f"{ast.unparse(made.tree.value)}.clone()"  # type: ignore[union-attr]
            parts = {"part": name, "line": evidence.context.line(statement)}
            parts |= {"made": evidence.context.line(made), "instead": f"{name} = {copied}"}
            return replace(equal, parts={**equal.parts, **parts}, names=equal.names or (name,))
    return None


def holds_rows(evidence: Evidence, made: Statement) -> bool:
    """Return whether the data set's attribute in `row = self.rows[i]` has parts that can change."""
    row = getattr(made.tree, "value", None)
    attribute = ast.unparse(row.value) if isinstance(row, ast.Subscript) else ""
    for value in evidence.context.variables.values():
        held = getattr(getattr(value, "dataset", value), "__dict__", {}).get(attribute[5:])
        first = held[0] if isinstance(held, list) and held else held
        if is_tensor(first) or (isinstance(first, np.ndarray) and first.ndim > (held is first)):
            return attribute.startswith("self.")
    return False


def changed_name(statement: Statement) -> str:
    """Return the variable that a line changes by what it holds: `x -= mean`, or `x.div_(std)`."""
    tree = statement.tree
    if isinstance(tree, ast.AugAssign):
        return tree.target.id if isinstance(tree.target, ast.Name) else ""
    called = [call for call in calls_in(tree) if last_name(call) in CHANGING]
    return target_of(statement) if called and isinstance(tree, ast.Expr) else ""


CHANGING = ("sub_", "div_", "mul_", "add_")


def sliced_in(lines: list[Statement], name: str, use: Statement, single: bool) -> Statement | None:
    """Return the line before `use` that makes a variable a part: `part = data[i:j]`."""
    before = [s for s in lines if s.file == use.file and s.line < use.line]
    making = [s for s in before if name in assigned(s.tree)]
    value = getattr(making[-1].tree, "value", None) if making else None
    if not isinstance(value, ast.Subscript) or len(assigned(making[-1].tree)) != 1:
        return None
    kinds = [n for n in ast.walk(value.slice) if isinstance(n, ast.Slice)]
    whole = isinstance(value.value, ast.Name | ast.Attribute)
    return making[-1] if (kinds or single) and whole else None


PROGRAM = """
T.manual_seed(0)
data, y = 255 * T.rand(32, 6), T.randn(32, 1)
mean, std = data.mean(), data.std()
net, mse = T.nn.Linear(6, 1), T.nn.MSELoss()
opt = T.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(12):
    for k in range(0, 32, 8):
        x = data[k : k + 8]
        {inside}
        opt.zero_grad()
        loss = mse(net(x), y[k : k + 8])
        loss.backward()
        opt.step()
"""

RULE = Rule(
    key="changed_samples",
    chapter="5b",
    en=Words(
        "data changed in place",
        "{line} changes the data themselves, for `{part}` is a part of them, made in {made}: it "
        "does so anew in each turn, until all samples are equal.",
        "Write `{instead}` there.",
    ),
    zh=Words(
        "数据被就地修改",
        "{line}修改的是数据本身，因为 `{part}` 是它的一部分（{made}）：每一轮都再改一次，直到所有样"
        "本都相等。",
        "请在那里写 `{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(inside="x -= mean\n        x /= std"),
    sound=PROGRAM.format(inside="x = (x - mean) / std"),
    before=("equal_samples",),
)
