"""A recurrent state that is detached in each time step of one sequence."""

from __future__ import annotations

import ast
from typing import Any

from ...model.program_text import Statement, assigned
from ..objects import is_module
from ..syntax import names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .unmasked_future import layer_of


def find(evidence: Evidence) -> Match | None:
    """Find `h = cell(x[t], h.detach())` in a loop over time, with the pass after the loop."""
    bodies = [(module, s) for _, module, statements in evidence.forwards for s in statements]
    for module, statement in (*((None, s) for s in evidence.lines), *bodies):
        name = carried(evidence, module, statement)
        around = statement.loops[:-1]
        after = [
            p
            for p in evidence.passes
            if p.file == statement.file and p.loops == around and p.line > statement.line
        ]
        inside = [p for p in evidence.passes if statement.loops[-1:] == p.loops[len(around) :][:1]]
        if not name or not (after or module) or inside:
            continue
        made = cut_alone(evidence, statement, name) or statement
        passes = after or list(evidence.passes)
        if passes:
            parts = {"line": evidence.context.line(made), "h": name}
            parts["old"] = f"{name}.data" if f"{name}.data" in made.text else f"{name}.detach()"
            parts["pass"] = evidence.context.line(passes[0])
            return Match(parts, (name,))
    return None


def cut_alone(evidence: Evidence, statement: Statement, name: str) -> Statement | None:
    """Return the line `h = h.detach()` in the loop of a statement, run in each turn of it."""
    for other in (*evidence.lines, *evidence.forward_lines):
        if (other.file, other.loops, other.arms) == (statement.file, statement.loops, ()):
            value = getattr(other.tree, "value", None)
            text = ast.unparse(value) if isinstance(value, ast.expr) else ""
            if text == f"{name}.detach_()" or (
                name in assigned(other.tree) and text in (f"{name}.detach()", f"{name}.data")
            ):
                return other
    return None


def carried(evidence: Evidence, module: Any, statement: Statement) -> str:
    """Return the state that a module computes from its own detached value and the time."""
    tree = statement.tree
    call = tree.value if isinstance(tree, ast.Assign) else None
    if not statement.loops or not isinstance(call, ast.Call) or len(call.args) < 2:
        return ""
    if not is_learning(evidence, layer_of(evidence, module, call)):
        return ""
    times = set(loop_variables(evidence, statement))
    if not any(names_in(each) & times for each in call.args):
        return ""
    parts = {ast.unparse(part) for each in call.args[1:] for part in ast.walk(each)}
    for name in sorted(assigned(tree) & parts):
        if {f"{name}.detach()", f"{name}.data"} & parts or cut_alone(evidence, statement, name):
            return name
    return ""


def is_learning(evidence: Evidence, module: Any) -> bool:
    """Return whether this is a module with parameters that the loss depends on."""
    if module is None or not is_module(module):
        return False
    return any(p is leaf for p in module.parameters() for leaf in evidence.leaves)


def loop_variables(evidence: Evidence, statement: Statement) -> set[str]:
    """Return the variables of the innermost loop around a statement."""
    for text in evidence.texts:
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.For) and node.lineno == statement.loops[-1]:
                if statement.text in ast.unparse(node):
                    return names_in(node.target)
    return set()


PROGRAM = training(
    net="cell, head = T.nn.RNNCell(2, 4), T.nn.Linear(4, 1)",
    data="xs, y = T.randn(5, 8, 2), T.randn(8, 1)",
    inside="""
h = T.zeros(8, 4)
for t in range(5):
    h = cell(xs[t], {state})
loss = (head(h) - y).pow(2).mean()""",
)

RULE = Rule(
    key="detached_state",
    severity=2,
    chapter="14",
    en=Words(
        "no gradient through time",
        "{line} detaches `{h}` in each time step, so {pass} reaches the last step alone: nothing "
        "is learned through time.",
        "Write `{h}` in place of `{old}` there, and detach it only between sequences.",
    ),
    zh=Words(
        "梯度没有沿时间传播",
        "{line}在每个时间步都把 `{h}` 从计算图分离，所以{pass}只到达最后一步：模型学不到跨时间的联"
        "系。",
        "请在那里把 `{old}` 写成 `{h}`，只在序列之间分离。",
    ),
    find=find,
    broken=PROGRAM.format(state="h.detach()"),
    sound=PROGRAM.format(state="h"),
)
