"""`if (i + 1) % 4:` around a step: it is true in every iteration but each fourth."""

from __future__ import annotations

import ast

from ...model.program_text import receivers
from ..syntax import calls_in, root_of_pass
from .evidence import Evidence, tree_of
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    for name, _ in evidence.optimizers:
        for step in evidence.lines:
            if name not in receivers(step, "step") or not step.loops:
                continue
            for line, arm in step.arms:
                test = None if arm else bare_remainder(evidence, line, step.text)
                if test is not None and has_pass_before(evidence, line):
                    parts = {"line": evidence.context.line(step), "test": ast.unparse(test)}
                    return Match(parts, (name,))
    return None


def bare_remainder(evidence: Evidence, line: int, inside: str) -> ast.expr | None:
    """Return the test of the `if` at a line if it is a remainder that is compared with nothing."""
    for text in evidence.texts:
        for node in ast.walk(tree_of(text)):
            if isinstance(node, ast.If) and node.lineno == line and not node.orelse:
                test = node.test
                remainder = isinstance(test, ast.BinOp) and isinstance(test.op, ast.Mod)
                if remainder and any(inside in ast.unparse(each) for each in node.body):
                    return test
    return None


def has_pass_before(evidence: Evidence, line: int) -> bool:
    """Return whether the pass is not under the same `if`."""
    walked = [s for s in evidence.passes if any(map(root_of_pass, calls_in(s.tree)))]
    return any(line not in {at for at, _ in s.arms} for s in walked)


PROGRAM = training(
    data="T.randn(12, 8, 3), T.randn(12, 8, 1)",
    turns="range(12)",
    inside="loss = (net(x[i]) - y[i]).pow(2).mean() / 4",
    steps="loss.backward()\nif (i + 1) % 4{compared}:\n    opt.step()\n    opt.zero_grad()",
)

RULE = Rule(
    key="remainder",
    severity=2,
    chapter="14",
    en=Words(
        "a remainder that is not compared",
        "{line} runs if `{test}` is not 0, which is so in all iterations but those that were "
        "meant.",
        "Write `if {test} == 0:`.",
    ),
    zh=Words(
        "余数没有作比较",
        "只要 `{test}` 不为 0，{line}就会执行：这恰好是除了所想的那几轮之外的每一轮。",
        "请写成 `if {test} == 0:`。",
    ),
    find=find,
    broken=PROGRAM.format(compared=""),
    sound=PROGRAM.format(compared=" == 0"),
)
