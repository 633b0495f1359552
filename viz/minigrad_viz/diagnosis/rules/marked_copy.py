"""A result that is cut off and told to require grad: the backward pass ends at the copy."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..syntax import last_name, names_in, parenthesize
from .evidence import Evidence
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find `out = net(x).detach().requires_grad_()`, if nothing behind the loss is held."""
    if reaches_held(evidence):
        return None
    modules = {name for name, module in evidence.modules if any_held(evidence, module)}
    for statement in dict.fromkeys([*evidence.lines, *evidence.repeated]):
        for bare in marked(getattr(statement.tree, "value", None)):
            if names_in(bare) & {name.partition(".")[0] for name in modules}:
                parts = {"line": evidence.context.line(statement), "bare": ast.unparse(bare)}
                parts["instead"] = parenthesize(ast.unparse(bare))
                return Match(parts, ())
    return None


def reaches_held(evidence: Evidence) -> bool:
    """Return whether the loss, or a watched pass, leads to a tensor that an optimizer holds."""
    if evidence.seen is None:
        behind = {id(leaf) for leaf in evidence.leaves}
        return not behind or any(identity in behind for identity in evidence.held)
    return any(w.passes for w in evidence.seen.watched.values() if id(w.tensor) in evidence.held)


def any_held(evidence: Evidence, module: Any) -> bool:
    return any(id(each) in evidence.held for each in module.parameters())


def marked(tree: ast.AST | None) -> Iterator[ast.expr]:
    """Yield the expressions before `.detach().requires_grad_()` or `.data.requires_grad_()`."""
    for node in ast.walk(tree or ast.Pass()):
        if not isinstance(node, ast.Call) or last_name(node) != "requires_grad_":
            continue
        inside = getattr(node.func, "value", None)
        while isinstance(inside, ast.Call) and last_name(inside) == "clone":
            inside = getattr(inside.func, "value", None)
        if isinstance(inside, ast.Call) and last_name(inside) == "detach":
            inside = inside.func
        if isinstance(inside, ast.Attribute) and inside.attr in ("detach", "data"):
            yield inside.value


PROGRAM = """
net = T.nn.Linear(3, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 1)
for i in range(4):
    made = net(x){cut}
    loss = (made - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="marked_copy",
    severity=3,
    chapter="5",
    words={
        "en": Words(
            "a copy that is told to require grad",
            "{line} cuts `{bare}` off from its history and makes the copy a leaf: the backward "
            "pass ends there, and reaches no parameter.",
            "Write `{instead}` alone there.",
        ),
        "zh": Words(
            "要求梯度的是副本",
            "{line}切断了 `{bare}` 的历史，并把副本变成叶子：反向传播到此为止，到不了任何参数。",
            "请在那里只写 `{instead}`。",
        ),
    },
    find=find,
    broken=PROGRAM.format(cut=".detach().requires_grad_()"),
    sound=PROGRAM.format(cut=""),
    before=("other_tensors", "not_reached_by_loss", "no_pass", "cut"),
)
