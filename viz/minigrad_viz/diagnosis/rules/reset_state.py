"""A recurrent state that is made anew in each time step, or that no step carries on."""

from __future__ import annotations

import ast

from ...model.program_text import Statement, assigned
from ..objects import layer_kind
from ..syntax import creates, last_name, names_in
from .detached_state import loop_variables
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .unmasked_future import layer_of

CELLS = ("RNNCell", "GRUCell", "LSTMCell")


def find(evidence: Evidence) -> Match | None:
    """Find a cell whose recurrent weights get no gradient, and the line that gives its state."""
    bodies = [(None, evidence.repeated), *((m, lines) for _, m, lines in evidence.forwards)]
    for owner, statement in ((owner, s) for owner, lines in bodies for s in lines):
        call = getattr(statement.tree, "value", None)
        if not isinstance(call, ast.Call) or len(call.args) != 2 or not statement.loops:
            continue
        cell = layer_of(evidence, owner, call)
        weight = getattr(cell, "weight_hh", None)
        if layer_kind(cell) not in CELLS or evidence.gradient(weight) != 0:
            continue
        names = names_in(call.args[1])
        lines = evidence.repeated if owner is None else evidence.forward_lines
        made = [s for s in lines if names & assigned(s.tree) and makes(s)]
        made = [s for s in made if s.loops == statement.loops and s.line < statement.line]
        if made and names_in(call.args[0]) & loop_variables(evidence, statement):
            parts = {"line": evidence.context.line(made[-1]), "t": min(names)}
            parts["cell"] = evidence.name(cell)
            return Match(parts, (evidence.name(cell),))
    return None


def makes(statement: Statement) -> bool:
    """Return whether a line only makes tensors, also of a length that it asks for."""
    value = getattr(statement.tree, "value", None)
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    return all(isinstance(each, ast.expr) and creates(without_sizes(each)) for each in parts)


def without_sizes(tree: ast.expr) -> ast.expr:
    """Return a call such as `zeros(len(x), 4)` without its sizes."""
    sized = isinstance(tree, ast.Call) and last_name(tree) in ("zeros", "ones", "randn", "rand")
    return ast.Call(tree.func, [], []) if sized and isinstance(tree, ast.Call) else tree


PROGRAM = training(
    net="cell, head = T.nn.RNNCell(2, 4), T.nn.Linear(4, 1)",
    data="xs, y = T.randn(5, 8, 2), T.randn(8, 1)",
    inside="""
{before}
for t in range(5):
    {inside}
    h = cell(xs[t], h)
loss = (head(h) - y).pow(2).mean()""",
)

RULE = Rule(
    key="reset_state",
    chapter="14",
    en=Words(
        "a state that starts anew each time",
        "{line} makes the state `{t}` anew in each time step, so `{cell}` remembers nothing of the "
        "steps before.",
        "Move that line before the loop over time.",
    ),
    zh=Words(
        "每个时间步都重置状态",
        "{line}在每个时间步都重新创建状态 `{t}`，所以 `{cell}` 完全不记得前面的时间步。",
        "请把这一行移到时间循环之前。",
    ),
    find=find,
    broken=PROGRAM.format(before="pass", inside="h = T.zeros(8, 4)"),
    sound=PROGRAM.format(before="h = T.zeros(8, 4)", inside="pass"),
    before=("zero",),
)
