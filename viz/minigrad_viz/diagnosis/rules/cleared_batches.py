"""Gradients that each batch clears, and a step after the loop: only the last batch counts."""

from __future__ import annotations

from ...model.program_text import Statement, receivers
from ..reachable import is_optimizer
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    # The first step may come after the watched batches.
    known = evidence.stepping or [each for each in evidence.things if is_optimizer(each[1])]
    for name, _ in () if evidence.reads_gradients else known:
        steps = calls_of(evidence, name, "step")
        clearing = [s for s in calls_of(evidence, name, "zero_grad") if not s.arms]
        for step in steps:
            inside = [s for s in clearing if s.file == step.file and s.loops[:-1] == step.loops]
            inside = [s for s in inside if s.loops and s.line < step.line]
            if not inside or any(s.loops == inside[0].loops for s in steps):
                continue
            walked = [s for s in evidence.passes if s.loops == inside[0].loops]
            if walked and all(s.line > inside[0].line for s in walked):
                parts = {"clear": evidence.context.line(inside[0]), "t": name}
                return Match({**parts, "step": evidence.context.line(step)}, (name,))
    return None


def calls_of(evidence: Evidence, name: str, method: str) -> list[Statement]:
    lines = dict.fromkeys([*evidence.lines, *evidence.repeated])
    return [s for s in lines if name in receivers(s, method)]


PROGRAM = training(
    inside="""
{before}
for xb, yb in zip(x.chunk(2), y.chunk(2)):
    {inside}
    loss = (net(xb) - yb).pow(2).mean()
    loss.backward()""",
    steps="opt.step()",
)

RULE = Rule(
    key="cleared_batches",
    severity=2,
    chapter="14",
    en=Words(
        "a step for the last batch only",
        "{clear} clears the gradients before each batch, and {step} stands after the loop: only "
        "the last batch's gradient is used.",
        "Move `{t}.step()` into the loop, or `{t}.zero_grad()` before it.",
    ),
    zh=Words(
        "只对最后一个批次更新",
        "{clear}在每个批次之前清零梯度，而{step}在循环之后：只用到最后一个批次的梯度。",
        "请把 `{t}.step()` 移进循环，或把 `{t}.zero_grad()` 移到循环之前。",
    ),
    find=find,
    broken=PROGRAM.format(before="pass", inside="opt.zero_grad()"),
    sound=PROGRAM.format(before="opt.zero_grad()", inside="pass"),
)
