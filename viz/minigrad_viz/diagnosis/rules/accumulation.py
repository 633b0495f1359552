"""Gradients that are meant to add up over several batches, and are cleared in each."""

from __future__ import annotations

import ast

from ...model.program_text import Statement, receivers
from ..reachable import is_optimizer
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    # Of watched steps, the first that steps may come later.
    for name in [name for name, thing in evidence.things if is_optimizer(thing)]:
        for step in evidence.lines:
            if name not in receivers(step, "step") or not step.loops:
                continue
            rare = [arm for arm in step.arms if counts_iterations(evidence, arm[0], step)]
            clears = [s for s in evidence.lines if name in receivers(s, "zero_grad")]
            if not rare or not clears or not has_pass_outside(evidence, step, rare):
                continue
            always = [s for s in clears if s.loops == step.loops and not {*rare} & {*s.arms}]
            if len(always) == len(clears) and not any(s.arms for s in always):
                line = evidence.context.line
                parts = {"line": line(always[0]), "step": line(step), "clearing": always[0].text}
                return Match({**parts, "optimizer": name}, (name,))
    return None


def counts_iterations(evidence: Evidence, line: int, step: Statement) -> bool:
    """Return whether the `if` at a line asks for a remainder, and has the step in its body."""
    for text in evidence.texts:
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and node.lineno == line and not node.orelse:
                inside = any(step.text in ast.unparse(each) for each in node.body)
                if inside and any(isinstance(each, ast.Mod) for each in ast.walk(node.test)):
                    return True
    return False


def has_pass_outside(evidence: Evidence, step: Statement, rare: list[tuple[int, int]]) -> bool:
    """Return whether each iteration has a pass, not only those with a step."""
    return any(
        s.loops == step.loops and s.file == step.file and not {*rare} & {*s.arms}
        for s in evidence.passes
    )


PROGRAM = training(
    data="T.randn(12, 8, 3), T.randn(12, 8, 1)",
    inside="{always}\nloss = (net(x[i]) - y[i]).pow(2).mean() / 2",
    steps="loss.backward()\nif (i + 1) % 2 == 0:\n    opt.step()\n    {rarely}",
    turns="range(12)",
)

RULE = Rule(
    key="accumulation_cleared",
    severity=2,
    chapter="11",
    en=Words(
        "accumulated gradients cleared",
        "{line} runs zero_grad in each iteration, and {step} only in some: the step uses the "
        "gradients of its own iteration alone.",
        "Move `{clearing}` to the step, right after it.",
    ),
    zh=Words(
        "累积的梯度被清除",
        "{line}在每一轮都清除梯度，而{step}只在部分轮次运行：这一步只用到它所在那一轮的梯度。",
        "请把 `{clearing}` 移到 step() 之后，与它放在一起。",
    ),
    find=find,
    broken=PROGRAM.format(always="opt.zero_grad()", rarely="pass"),
    sound=PROGRAM.format(always="pass", rarely="opt.zero_grad()"),
)
