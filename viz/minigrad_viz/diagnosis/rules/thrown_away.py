"""A layer's result that a method computes and does not use: the next line replaces it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from ...model.program_text import Statement, assigned
from ..syntax import calls_in, names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    for name, module, statements in evidence.forwards:
        for index, statement in enumerate(statements):
            layer = layer_called(module, statement)
            after = None if not layer else replacing(statements, index)
            if after is None:
                continue
            context, target = evidence.context, min(assigned(statement.tree))
            common = names_in(value_of(statement)) & names_in(value_of(after)) - {"self"}
            parts = {"layer": f"`{name}.{layer}`", "line": context.line(statement), "t": target}
            key = "new_value_after" if target in assigned(after.tree) else "read_by_none"
            parts["why"] = context.say(key, after=context.line(after), t=target)
            key = "cure_read_there" if len(common) == 1 else "cure_read_it"
            parts["cure"] = evidence.context.say(key, t=target, other=min(common, default=""))
            return Match(parts, (f"{name}.{layer}",))
    return None


def value_of(statement: Statement) -> ast.AST:
    return getattr(statement.tree, "value", None) or ast.Pass()


def layer_called(module: Any, statement: Statement) -> str:
    """Return the layer with parameters of a line such as `h = torch.relu(self.fc(x))`, or ""."""
    targets = assigned(statement.tree)
    if len(targets) != 1 or min(targets).startswith("_") or statement.arms or statement.loops:
        return ""
    for call in calls_in(value_of(statement)):
        owner, _, path = ast.unparse(call.func).partition(".")
        layer = getattr(module, path, None) if owner == "self" and path.isidentifier() else None
        if layer is not None and any(True for _ in getattr(layer, "parameters", tuple)()):
            return path
    return ""


def replacing(statements: Sequence[Statement], index: int) -> Statement | None:
    """Return the line that gives a variable a new value before any other line reads it.

    If no line reads or replaces it, return the next line with a variable of the same value.
    """
    name, later_lines = min(assigned(statements[index].tree)), statements[index + 1 :]
    if not any(name in names_in(later.tree) for later in later_lines):
        used = names_in(value_of(statements[index])) - {"self"}
        return next((s for s in later_lines if names_in(value_of(s)) & used), None)
    for later in later_lines:
        if later.arms or later.loops or not isinstance(later.tree, ast.Assign):
            return None
        if name in names_in(value_of(later)):
            return None
        if name in assigned(later.tree):
            return later
    return None


PROGRAM = training(
    first="""
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = T.nn.Linear(3, 3), T.nn.Linear(3, 1)

    def forward(self, x):
        h = T.tanh(self.one(x))
        h = self.two({argument})
        return h""",
    net="Net()",
)

RULE = Rule(
    key="thrown_away",
    severity=2,
    chapter="15",
    en=Words(
        "a result that is thrown away",
        "{line} computes with {layer}, and nothing reads the result: {why}. So {layer} gets no "
        "gradient.",
        "{cure}",
    ),
    zh=Words(
        "结果没有被使用",
        "{line}用 {layer} 计算，但结果没有被读取：{why}。所以 {layer} 得不到梯度。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(argument="x"),
    sound=PROGRAM.format(argument="h"),
    before=("unread_result", "cut", "not_called"),
)
