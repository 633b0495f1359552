"""A learning rate that is lowered in a variable: the optimizer keeps the number that it got."""

from __future__ import annotations

import ast

from ...model.program_text import Statement, assigned
from ..syntax import calls_in, keyword, names_in
from .evidence import Evidence, rates
from .programs import STEPS, training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    for name, optimizer in evidence.stepping:
        made = evidence.context.program.assignment(name)
        rate = "" if made is None else rate_given(made)
        if not rate or any("param_groups" in text for text in evidence.code):
            continue
        number = evidence.context.variables.get(rate)
        for statement in evidence.repeated:
            if rate not in targets(statement) or rate not in read_in(statement):
                continue
            if type(number) is not float or number in rates(optimizer) or is_read(evidence, rate):
                continue
            parts = {"line": evidence.context.line(statement), "rate": rate, "t": name}
            parts["kept"] = f"{rates(optimizer)[0]:g}"
            return Match(parts, (rate,))
    return None


def rate_given(made: Statement) -> str:
    """Return the variable that an optimizer got as its learning rate, or ""."""
    for call in calls_in(made.tree):
        given = next((w.value for w in call.keywords if w.arg == "lr"), None)
        if isinstance(given, ast.Name) and keyword(call, "lr") == "?":
            return given.id
    return ""


def targets(statement: Statement) -> set[str]:
    tree = statement.tree
    return {ast.unparse(tree.target)} if isinstance(tree, ast.AugAssign) else assigned(tree)


def read_in(statement: Statement) -> set[str]:
    names = names_in(getattr(statement.tree, "value", None))
    return names | (targets(statement) if isinstance(statement.tree, ast.AugAssign) else set())


def is_read(evidence: Evidence, rate: str) -> bool:
    """Return whether a line of the loops uses the rate for anything but its own next value."""
    return any(
        rate in names_in(s.tree) and rate not in targets(s) and "print(" not in s.text
        for s in evidence.repeated
    )


PROGRAM = training(
    first="rate = 0.1",
    opt="T.optim.SGD(net.parameters(), lr=rate)",
    steps=STEPS + "\nrate = rate * 0.5\n{then}",
)

RULE = Rule(
    key="rate_variable",
    severity=2,
    chapter="14",
    en=Words(
        "a learning rate that only a variable has",
        "{line} changes the variable `{rate}`, and `{t}` keeps the rate that it was made with, "
        "{kept}.",
        'Set it after that line: `{t}.param_groups[0]["lr"] = {rate}`.',
    ),
    zh=Words(
        "只改了变量里的学习率",
        "{line}改变的是变量 `{rate}`，而 `{t}` 仍用创建时的学习率 {kept}。",
        '请在这一行之后设置：`{t}.param_groups[0]["lr"] = {rate}`。',
    ),
    find=find,
    broken=PROGRAM.format(then="pass"),
    sound=PROGRAM.format(then='opt.param_groups[0]["lr"] = rate'),
    before=("exploding",),
)
