"""A method that is named and not called: `opt.step` without its parentheses."""

from __future__ import annotations

import ast

from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

METHODS = ("backward", "step", "zero_grad")


def find(evidence: Evidence) -> Match | None:
    for statement in evidence.lines:
        tree = statement.tree
        if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Attribute):
            if tree.value.attr in METHODS:
                text = ast.unparse(tree.value)
                line = evidence.context.line(statement)
                return Match({"line": line, "text": text}, (text,))
    return None


RULE = Rule(
    key="no_parentheses",
    chapter="4",
    en=Words(
        "a method that is not called",
        "{line} only names the method and does not call it: the parentheses are missing.",
        "Write `{text}()`.",
    ),
    zh=Words(
        "方法没有被调用",
        "{line}只写出了方法的名字，没有调用它：缺少括号。",
        "请写成 `{text}()`。",
    ),
    find=find,
    before=("no_pass", "pass_elsewhere", "no_step"),
    broken=training(steps="opt.zero_grad()\nloss.backward()\nopt.step"),
    sound=training(before="step = opt.step", steps="opt.zero_grad()\nloss.backward()\nstep()"),
)
