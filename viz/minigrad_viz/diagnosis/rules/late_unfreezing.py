"""Parameters that a line unfreezes after the optimizer was made without them."""

from __future__ import annotations

import ast

from ...model.program_text import Statement
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence, tree_of
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    left = [leaf for leaf in evidence.leaves if id(leaf) not in evidence.held]
    if not left or len(evidence.optimizers) != 1 or evidence.reads_gradients:
        return None
    name, _ = evidence.optimizers[0]
    made = evidence.context.program.assignment(name)
    if made is None or made not in evidence.lines or "add_param_group" in "".join(evidence.code):
        return None
    module = next((n for n, m in evidence.modules if any(p is left[0] for p in m.parameters())), "")
    for statement in evidence.lines[evidence.lines.index(made) + 1 :] if module else ():
        if unfreezes(statement) and not statement.arms and concerns(evidence, statement, module):
            parts = {"line": evidence.context.line(statement), "optimizer": name}
            parts |= {"t": evidence.name(left[0]), "model": module}
            return Match(parts, (evidence.name(left[0]),))
    return None


def unfreezes(statement: Statement) -> bool:
    """Return whether a line sets `requires_grad` to True."""
    tree = statement.tree
    if isinstance(tree, ast.Assign) and isinstance(tree.value, ast.Constant):
        target = tree.targets[0]
        named = isinstance(target, ast.Attribute) and target.attr == "requires_grad"
        return named and tree.value.value is True
    return isinstance(tree, ast.Expr) and any(
        last_name(c) == "requires_grad_" and [ast.unparse(a) for a in c.args] in ([], ["True"])
        for c in calls_in(tree)
    )


def concerns(evidence: Evidence, statement: Statement, module: str) -> bool:
    """Return whether a line, or the loop around it, names the variable of a module."""
    trees: list[ast.AST] = [] if statement.tree is None else [statement.tree]
    for text in evidence.texts if statement.loops else ():
        loops = (n for n in ast.walk(tree_of(text)) if isinstance(n, ast.For))
        trees += [n.iter for n in loops if n.lineno == statement.loops[-1]]
    return any(module.partition(".")[0] in names_in(each) for each in trees)


PROGRAM = training(
    first="body, head = T.nn.Linear(3, 4), T.nn.Linear(4, 1)\nbody.requires_grad_(False)",
    net="",
    opt="T.optim.SGD(head.parameters(), lr=0.1)",
    before="body.requires_grad_({on})",
    inside="loss = (head(body(x).tanh()) - y).pow(2).mean()",
)

RULE = Rule(
    key="late_unfreezing",
    severity=2,
    chapter="15",
    en=Words(
        "unfrozen, and not held",
        "{line} unfreezes parameters after `{optimizer}` was made: `{t}` gets a gradient, and "
        "`{optimizer}` does not hold it.",
        'Write `{optimizer}.add_param_group({{"params": {model}.parameters()}})` after it.',
    ),
    zh=Words(
        "解冻了却没有交给优化器",
        "{line}在创建 `{optimizer}` 之后才解冻参数：`{t}` 有梯度，而 `{optimizer}` 没有它。",
        '请在它之后写 `{optimizer}.add_param_group({{"params": {model}.parameters()}})`。',
    ),
    find=find,
    broken=PROGRAM.format(on="True"),
    sound=PROGRAM.format(on="False"),
)
