"""A loop over layers of which only the last counts: each turn replaces the result before."""

from __future__ import annotations

import ast

from ...model.program_text import assigned
from ..syntax import calls_in, names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find `for layer in self.layers: y = layer(x)` in a forward method."""
    for name, _, statements in evidence.forwards:
        for statement in statements:
            head = next((s for s in statements if s.loops == statement.loops
                         and s.loops[-1:] == (s.line,) and s is not statement), None)  # fmt: skip
            targets = assigned(statement.tree)
            if head is None or len(targets) != 1 or statement.arms:
                continue
            layers, target = assigned(head.tree), min(targets)
            value = getattr(statement.tree, "value", None)
            called = {ast.unparse(call.func) for call in calls_in(value)}
            inside = [s for s in statements if s.loops[: len(head.loops)] == head.loops]
            if not called & layers or any(reads(s, target) for s in inside):
                continue
            given = [names_in(a) for c in calls_in(value) for a in c.args]
            fixed = {n for names in given for n in names} - layers - {"self"}
            changed = {n for s in inside if s is not head for n in assigned(s.tree)}
            if len(fixed - changed - MODULES) == 1 and not fixed & changed:
                parts = {"line": evidence.context.line(statement), "model": name, "t": target}
                return Match({**parts, "x": min(fixed - MODULES)}, (name,))
    return None


MODULES = {"torch", "F", "nn", "T", "mg"}


def reads(statement: object, name: str) -> bool:
    """Return whether a line reads a variable, also to change it."""
    tree = getattr(statement, "tree", None) or ast.Pass()
    loaded = (n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == name)
    return isinstance(tree, ast.AugAssign) or any(isinstance(n.ctx, ast.Load) for n in loaded)


PROGRAM = training(
    first="""
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = T.nn.ModuleList([T.nn.Linear(3, 3), T.nn.Linear(3, 3)])

    def forward(self, x):
        for layer in self.layers:
            {target} = T.tanh(layer(x))
        return {target}""",
    net="Net()",
    data="T.randn(8, 3), T.randn(8, 3)",
)

RULE = Rule(
    key="last_of_loop",
    severity=2,
    chapter="15",
    en=Words(
        "a loop of which the last turn counts",
        "{line} gives every layer the same `{x}`, and each turn of the loop replaces `{t}`: only "
        "the last layer counts.",
        "Give each layer the result of the one before: write `{x}` for `{t}` there, and after the "
        "loop.",
    ),
    zh=Words(
        "循环里只有最后一轮有用",
        "{line}给每一层的都是同一个 `{x}`，而循环的每一轮都替换 `{t}`：只有最后一层起作用。",
        "请把前一层的结果交给下一层：在那里和循环之后，把 `{t}` 写成 `{x}`。",
    ),
    find=find,
    broken=PROGRAM.format(target="y"),
    sound=PROGRAM.format(target="x"),
    before=("not_reached_by_loss", "cut", "unmoved"),
)
