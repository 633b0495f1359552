"""A penalty on a gradient that was computed without a graph, and so is a constant."""

from __future__ import annotations

import ast

from ...model.names import is_tensor
from ...model.program_text import Statement, assigned
from ..objects import is_module
from ..syntax import calls_in, is_grad, keyword, last_name, names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

SIZES = {"norm", "pow", "square", "vector_norm", "abs"}
"""Functions that penalties apply to a gradient."""


def find(evidence: Evidence) -> Match | None:
    root = None if evidence.root is None else evidence.context.names.of(evidence.root)
    if not root:
        return None
    for statement in evidence.lines:
        call = next((c for c in calls_in(statement.tree) if is_grad(c)), None)
        if call is None or keyword(call, "create_graph") is not None or len(call.args) < 2:
            continue
        if not isinstance(statement.tree, ast.Assign) or not is_data(evidence, call.args[1]):
            continue
        if is_penalized(evidence, statement, root):
            line = evidence.context.line(statement)
            names = ", ".join(sorted(assigned(statement.tree)))
            return Match({"line": line, "t": names, "loss": root}, (root,))
    return None


def is_data(evidence: Evidence, argument: ast.expr) -> bool:
    """Return whether the gradient is that of a tensor that does not learn."""
    inside = argument.elts if isinstance(argument, ast.List | ast.Tuple) else [argument]
    for each in inside:
        tensor = evidence.context.variables.get(ast.unparse(each))
        if not is_tensor(tensor) or type(tensor).__name__ == "Parameter":
            return False
        if id(tensor) in evidence.held or not tensor.requires_grad:
            return False
    return bool(inside)


def is_penalized(evidence: Evidence, statement: Statement, root: str) -> bool:
    """Return whether a size of the gradient goes into the loss, past no module."""
    known, sized = set(assigned(statement.tree)), False
    for later in evidence.lines:
        value = getattr(later.tree, "value", None)
        used = names_in(value) & known
        if later.loops != statement.loops or later.line <= statement.line or not used:
            continue
        calls = calls_in(later.tree)
        if ".detach()" in later.text or any(calls_module(evidence, c, known) for c in calls):
            continue
        squares = isinstance(value, ast.AST) and any(
            isinstance(n, ast.Pow) for n in ast.walk(value)
        )
        sized = sized or squares or any(last_name(c) in SIZES for c in calls)
        known |= assigned(later.tree)
    return sized and root in known


def calls_module(evidence: Evidence, call: ast.Call, known: set[str]) -> bool:
    """Return whether a module gets something that was computed from the gradient."""
    module = evidence.context.variables.get(ast.unparse(call.func))
    given = {name for each in call.args for name in names_in(each)}
    return module is not None and is_module(module) and bool(given & known)


PROGRAM = training(
    net="T.nn.Sequential(T.nn.Linear(2, 4), T.nn.Tanh(), T.nn.Linear(4, 1))",
    data="",
    inside="""
x = T.randn(8, 2, requires_grad=True)
out = net(x)
(slope,) = T.autograd.grad(out.sum(), x{options})
penalty = (slope.norm(dim=1) - 1).pow(2).mean()
loss = out.mean() + penalty""",
)

RULE = Rule(
    key="constant_penalty",
    severity=2,
    chapter="10",
    en=Words(
        "a penalty without a gradient",
        "{line} computes `{t}` without a graph, so the penalty in `{loss}` is a constant: it "
        "changes no parameter.",
        "Write `create_graph=True` in that call.",
    ),
    zh=Words(
        "惩罚项没有梯度",
        "{line}计算 `{t}` 时没有记录计算图，所以 `{loss}` 中的惩罚项是常数：它不改变任何参数。",
        "请在这个调用中写 `create_graph=True`。",
    ),
    find=find,
    broken=PROGRAM.format(options=", retain_graph=True"),
    sound=PROGRAM.format(options=", create_graph=True"),
)
