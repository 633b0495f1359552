"""A backward pass from a leaf of its own, while the criterion's value has another name."""

from __future__ import annotations

import ast
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import Statement, assigned
from ..syntax import calls_in, creates, root_of_pass
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .shuffled_apart import is_loss


def find(evidence: Evidence) -> Match | None:
    for walked in evidence.passes:
        for call in calls_in(walked.tree):
            start = root_of_pass(call)
            name = start.id if isinstance(start, ast.Name) else ""
            leaf = evidence.context.variables.get(name)
            made = evidence.context.program.assignment(name) if name else None
            if made is None or not is_made(evidence, leaf, made):
                continue
            if (other := criterion(evidence, walked, name)) is not None:
                parts = {"t": name, "where": evidence.context.where(made), "other": other[0]}
                parts |= {"line": evidence.context.line(walked)}
                parts["made"] = evidence.context.line(other[1])
                return Match(parts, (name,))
    return None


def is_made(evidence: Evidence, leaf: Any, made: Statement) -> bool:
    """Return whether a variable is a single number of its own that nothing learns."""
    if not is_tensor(leaf) or not leaf.is_leaf or leaf.numel() != 1 or id(leaf) in evidence.held:
        return False
    value = getattr(made.tree, "value", None)
    return bool(leaf.requires_grad) and isinstance(value, ast.expr) and creates(value)


def criterion(evidence: Evidence, walked: Statement, name: str) -> tuple[str, Statement] | None:
    """Return the variable that gets the value of a loss in the same iteration, and its line."""
    for statement in evidence.lines:
        call = getattr(statement.tree, "value", None)
        same = statement.loops == walked.loops and statement.file == walked.file
        if same and isinstance(call, ast.Call) and is_loss(evidence, call):
            targets = assigned(statement.tree) - {name}
            if len(targets) == 1 and not is_walked(evidence, min(targets)):
                return min(targets), statement
    return None


def is_walked(evidence: Evidence, name: str) -> bool:
    starts = (root_of_pass(c) for s in evidence.passes for c in calls_in(s.tree))
    return any(start is not None and ast.unparse(start) == name for start in starts)


PROGRAM = training(
    before="loss = T.zeros(1, requires_grad=True)",
    inside="{name} = T.nn.functional.mse_loss(net(x), y)",
)

RULE = Rule(
    key="unlinked_loss",
    chapter="5",
    en=Words(
        "a pass from another tensor",
        "{line} starts from `{t}`{where}, a tensor of its own to which no model leads. The loss is "
        "`{other}` in {made}, and no pass starts from it.",
        "Write `{other}.backward()`.",
    ),
    zh=Words(
        "从另一个张量反向传播",
        "{line}从 `{t}`{where}出发，这是一个单独的张量，与模型无关。损失是{made}里的 `{other}`，却"
        "没有从它反向传播。",
        "请写 `{other}.backward()`。",
    ),
    find=find,
    broken=PROGRAM.format(name="cost"),
    sound=PROGRAM.format(name="loss"),
    before=("cut", "no_pass", "pass_elsewhere"),
)
