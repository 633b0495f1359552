"""A `return` or `break` in a training loop that no condition guards: one turn and no more."""

from __future__ import annotations

import ast

from ...model.program_text import Statement
from .evidence import Evidence, tree_of
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    for statement in (s for s in evidence.lines if s.loops and not s.arms):
        if not isinstance(statement.tree, ast.Return | ast.Break):
            continue
        walked = [
            p
            for p in evidence.passes
            if p.loops == statement.loops and p.file == statement.file and p.line < statement.line
        ]
        head = own_loop(evidence, statement) if walked else None
        if head is not None and walked[-1].line > head.lineno:
            parts = {"line": evidence.context.line(statement), "loop": head_text(head)}
            parts["word"] = "return" if isinstance(statement.tree, ast.Return) else "break"
            return Match(parts)
    return None


def own_loop(evidence: Evidence, statement: Statement) -> ast.For | ast.While | None:
    """Return the loop whose body itself has a line, and not only that of a function it calls."""
    for text in evidence.texts:
        for node in ast.walk(tree_of(text)):
            if isinstance(node, ast.For | ast.While) and node.lineno == statement.loops[-1]:
                if any(n.lineno == statement.line for n in plain_lines(node.body)):
                    return node
    return None


def plain_lines(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a body, with those of `with` blocks in it."""
    inner = [each.body for each in body if isinstance(each, ast.With)]
    return [*body, *(line for each in inner for line in plain_lines(each))]


def head_text(loop: ast.For | ast.While) -> str:
    if isinstance(loop, ast.For):
        return f"for {ast.unparse(loop.target)} in {ast.unparse(loop.iter)}:"
    return f"while {ast.unparse(loop.test)}:"


PROGRAM = """
net = T.nn.Linear(3, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
batches = [(T.randn(8, 3), T.randn(8, 1)) for _ in range(4)]


def epoch():
    for x, y in batches:
        opt.zero_grad()
        loss = (net(x) - y).pow(2).mean()
        loss.backward()
        opt.step()
    {inside}return loss


for i in range(4):
    loss = epoch()
"""

RULE = Rule(
    key="left_early",
    severity=2,
    chapter="14",
    en=Words(
        "a loop that ends in its first turn",
        "{line} stands inside `{loop}` without a condition, so the loop ends after one turn: the "
        "other batches are never seen.",
        "Move the `{word}` out of the loop's body.",
    ),
    zh=Words(
        "循环在第一轮就结束",
        "{line}在 `{loop}` 之内，又没有条件，所以循环只走一轮：其他批次从来没有用到。",
        "请把这个 `{word}` 移到循环体之外。",
    ),
    find=find,
    broken=PROGRAM.format(inside="    "),
    sound=PROGRAM.format(inside=""),
)
