"""A penalty on the weights that is computed from their numbers, without their history."""

from __future__ import annotations

import ast

from ...model.program_text import Statement, assigned, receivers
from ..syntax import names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

WITHOUT = {"data", "detach", "item"}


def find(evidence: Evidence) -> Match | None:
    """Find `sum(p.data.abs().sum() for p in net.parameters())` as a part of a loss."""
    for statement in evidence.lines:
        bare = penalty(statement) or penalty_in_loop(evidence, statement)
        tree = statement.tree
        grown = [ast.unparse(tree.target)] if isinstance(tree, ast.AugAssign) else []
        for target in [*grown, *sorted(assigned(tree))] if bare else ():
            if (loss := added_to(evidence, target)) is not None:
                parts = {"line": evidence.context.line(statement), "t": target, "bare": bare}
                parts["row"] = bare.rpartition(".")[0]
                return Match({**parts, "loss": evidence.context.line(loss)}, (target,))
    return None


def penalty(statement: Statement) -> str:
    """Return the text without a history for each parameter in a sum, such as `p.data`, or ""."""
    for node in ast.walk(getattr(statement.tree, "value", None) or ast.Pass()):
        if not isinstance(node, ast.GeneratorExp | ast.ListComp):
            continue
        if not ast.unparse(node.generators[0].iter).endswith("parameters()"):
            continue
        if bare := numbers_of(node.elt, names_in(node.generators[0].target)):
            return bare
    return ""


def penalty_in_loop(evidence: Evidence, statement: Statement) -> str:
    """Return the same for a line such as `size += p.data.norm()` in a loop over parameters."""
    value = getattr(statement.tree, "value", None)
    if not statement.loops or not isinstance(value, ast.expr):
        return ""
    for loop in evidence.loops_over_parameters:
        if loop.lineno == statement.loops[-1]:
            if any(statement.text in ast.unparse(each) for each in loop.body):
                return numbers_of(value, names_in(loop.target))
    return ""


def numbers_of(value: ast.AST, row: set[str]) -> str:
    """Return how an expression takes the numbers of a parameter, if that is its only use."""
    bare = [n for n in ast.walk(value) if isinstance(n, ast.Attribute) and n.attr in WITHOUT]
    found = [part for part in bare if names_in(part.value) & row]
    uses = [n for n in ast.walk(value) if isinstance(n, ast.Name) and n.id in row]
    whole = bool(found) and len(found) == len(uses)
    return f"{ast.unparse(found[0].value)}.{found[0].attr}" if whole else ""


def added_to(evidence: Evidence, name: str) -> Statement | None:
    """Return the line that adds a variable to the loss of a pass."""
    walked = {n for s in evidence.passes for n in receivers(s, "backward")}
    for statement in evidence.lines:
        value = getattr(statement.tree, "value", None)
        sums = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add)
        grows = isinstance(statement.tree, ast.AugAssign)
        target = statement.tree.target if isinstance(statement.tree, ast.AugAssign) else None
        targets = {ast.unparse(target)} if target is not None else assigned(statement.tree)
        if (sums or grows) and targets & walked and name in names_in(value):
            return statement
    return None


PROGRAM = training(
    inside="size = sum({of}.pow(2).sum() for p in net.parameters())\n"
    "loss = (net(x) - y).pow(2).mean() + 0.1 * size",
)

RULE = Rule(
    key="penalty_of_data",
    severity=2,
    chapter="5",
    en=Words(
        "a penalty without a gradient",
        "{line} computes `{t}` from `{bare}`, the numbers without their history: in {loss} it is a "
        "constant, and shrinks no weight.",
        "Write `{row}` in place of `{bare}`.",
    ),
    zh=Words(
        "没有梯度的惩罚项",
        "{line}用 `{bare}`（没有历史的数值）计算 `{t}`：在{loss}里它是常数，不会减小任何权重。",
        "请把 `{bare}` 写成 `{row}`。",
    ),
    find=find,
    broken=PROGRAM.format(of="p.data"),
    sound=PROGRAM.format(of="p"),
)
