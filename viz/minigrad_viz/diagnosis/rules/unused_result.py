"""A result of `relu(x)`, `x.squeeze(1)` or `x + noise` that a line computes and drops."""

from __future__ import annotations

import ast

from ...model.names import is_tensor
from ...model.program_text import Statement
from ..objects import is_module
from ..syntax import last_name, parenthesize
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

PURE = ("relu", "tanh", "sigmoid", "gelu", "leaky_relu", "softmax", "log_softmax", "dropout",
        "squeeze", "unsqueeze", "view", "reshape", "permute", "transpose", "flatten", "float",
        "long", "clamp", "detach", "normalize", "to", "masked_fill", "clone")  # fmt: skip
"""Functions that change nothing: they return a result."""

FROM_MODULE = ("to", "float")
"""Methods that change a module in place, and not a tensor."""


def find(evidence: Evidence) -> Match | None:
    for statement in (*evidence.forward_lines, *evidence.repeated):
        tree = statement.tree
        if not isinstance(tree, ast.Expr) or statement.arms:
            continue
        name = subject(evidence, statement, tree.value)
        if name:
            text = ast.unparse(tree.value)
            parts = {"line": evidence.context.line(statement), "t": name}
            return Match({**parts, "instead": f"{name} = {text}"}, (name,))
    return None


def subject(evidence: Evidence, statement: Statement, value: ast.expr) -> str:
    """Return the variable whose new value a line computes and drops, or ""."""
    if isinstance(value, ast.BinOp) and isinstance(value.left, ast.Name):
        return value.left.id if is_tensor(known(evidence, value.left.id, statement)) else ""
    if not isinstance(value, ast.Call) or last_name(value) not in PURE:
        return ""
    if any(word.arg in ("inplace", "out") for word in value.keywords):
        return ""
    owner = value.func.value if isinstance(value.func, ast.Attribute) else None
    text = "" if owner is None else ast.unparse(owner)
    namespace = text.rpartition(".")[2] in ("F", "functional", "nn", "torch", "T", "mg", "")
    given = value.args[0] if value.args and (namespace or text == "self") else owner
    name = "" if given is None else ast.unparse(given)
    thing = evidence.context.variables.get(name)
    if not name.isidentifier() or (thing is not None and not is_tensor(thing)):
        return ""
    if thing is None and last_name(value) in FROM_MODULE:
        return ""
    return "" if thing is not None and is_module(thing) else parenthesize(name)


def known(evidence: Evidence, name: str, statement: Statement) -> object:
    """Return the value of a variable; an argument of a forward counts as a tensor."""
    value = evidence.context.variables.get(name)
    return evidence.root if value is None and not statement.loops else value


PROGRAM = training(
    first="""
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = T.nn.Linear(3, 8), T.nn.Linear(8, 1)

    def forward(self, x):
        x = self.one(x)
        {line}T.relu(x)
        return self.two(x)""",
    net="Net()",
)

RULE = Rule(
    key="unused_result",
    severity=2,
    chapter="15",
    en=Words(
        "a result that is dropped",
        "{line} computes a new tensor and drops it: `{t}` stays as it was.",
        "Write `{instead}`.",
    ),
    zh=Words(
        "结果被丢弃",
        "{line}算出了一个新张量，但没有保存：`{t}` 还是原来的样子。",
        "请写成 `{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(line=""),
    sound=PROGRAM.format(line="x = "),
    before=("no_activation",),
)
