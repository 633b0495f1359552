"""An update that gives the name of a parameter to a new tensor and leaves the parameter."""

from __future__ import annotations

import ast

from ...model.program_text import Statement
from ..syntax import update_of
from .evidence import Evidence
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    for statement in evidence.lines:
        update = update_of(statement)
        if update is None or not isinstance(statement.tree, ast.Assign):
            continue
        name, _, instead = update
        if [ast.unparse(t) for t in statement.tree.targets] != [name] or not name.isidentifier():
            continue
        if (head := loop_over(evidence, statement, name)) is not None:
            line, over = evidence.context.line(statement), evidence.context.line(head)
            parts = {"t": name, "line": line, "head": over, "instead": instead}
            return Match(parts, (name,))
    return None


def loop_over(evidence: Evidence, statement: Statement, name: str) -> Statement | None:
    """Return the head of the loop around a statement whose variable is `name`."""
    for head in evidence.lines:
        tree = head.tree
        inside = head.file == statement.file and head.line in statement.loops
        if inside and isinstance(tree, ast.Assign):
            targets = {n.id for t in tree.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
            if name in targets and head.text.startswith(("for ", "async for ")):
                return head
    return None


PROGRAM = """
net = T.nn.Linear(3, 1)
x, y = T.randn(8, 3), T.randn(8, 1)
for i in range(4):
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    with T.no_grad():
        for p in net.parameters():
            {update}
    net.zero_grad()
"""

RULE = Rule(
    key="rebound_parameter",
    chapter="5",
    en=Words(
        "an update that changes nothing",
        "{line} gives the name `{t}` to a new tensor, and the parameter that {head} took from the "
        "model stays as it is.",
        "Change it in place, under no_grad: `{instead}`.",
    ),
    zh=Words(
        "更新没有改变参数",
        "{line}只是把名字 `{t}` 给了一个新张量，{head}从模型中取出的参数并没有改变。",
        "请在 no_grad 下原地修改：`{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(update="p = p - 0.1 * p.grad"),
    sound=PROGRAM.format(update="p -= 0.1 * p.grad"),
    before=("not_held", "never_cleared"),
)
