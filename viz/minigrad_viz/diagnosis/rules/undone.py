"""Steps that are undone: each iteration loads the same weights, or a schedule ends at zero."""

from __future__ import annotations

import ast

from ...model.program_text import Statement, assigned, receivers
from ..syntax import calls_in, last_name
from .evidence import Evidence
from .optimizer import schedulers
from .programs import STEPS, training
from .rule import Match, Rule, Words


def find_loaded(evidence: Evidence) -> Match | None:
    """Find a line of each iteration that loads a state from before the loop."""
    for statement in evidence.repeated:
        for call in calls_in(statement.tree):
            name = ast.unparse(call.args[0]) if len(call.args) == 1 else ""
            if last_name(call) != "load_state_dict" or statement.arms or not name.isidentifier():
                continue
            inside = any(name in assigned(s.tree) for s in evidence.repeated)
            known = name in evidence.context.variables
            if known and not inside and learns_with(evidence, statement):
                return Match({"line": evidence.context.line(statement), "state": name}, (name,))
    return None


def learns_with(evidence: Evidence, statement: Statement) -> bool:
    """Return whether a pass and a step stand in the same loops, or in a loop over data inside.

    A loop over epochs inside belongs to another fold, or another task.
    """
    lines = [s for s in evidence.repeated if s.file == statement.file]
    around = len(statement.loops)
    inside = [s for s in lines if s.loops[:around] == statement.loops]
    walked = [s for s in inside if receivers(s, "backward") and len(s.loops) <= around + 1]
    if not walked or not any(receivers(s, "step") and s.loops == walked[0].loops for s in lines):
        return False
    deeper = {s.loops for s in inside if len(s.loops) > around}
    heads = [s for s in lines if (s.line,) == s.loops[around:]]
    if walked[0].loops == statement.loops:
        return not deeper
    counted = any(name == "range" for s in heads for name in loops_over(s))
    return len(deeper) == 1 and len(heads) == 1 and not counted


def loops_over(head: Statement) -> set[str]:
    """Return the functions in the head of a loop."""
    return {last_name(call) for call in calls_in(getattr(head.tree, "value", None))}


def find_no_rate(evidence: Evidence) -> Match | None:
    """Find a schedule that multiplies the learning rate by zero."""
    for scheduler in schedulers(evidence):
        if getattr(scheduler, "gamma", 1) == 0:
            kind = type(scheduler).__name__
            made = [s for s in evidence.lines if f"{kind}(" in s.text]
            where = evidence.context.where(made[-1]) if made else ""
            return Match({"kind": kind, "where": where}, (kind,))
    return None


def find_rising(evidence: Evidence) -> Match | None:
    """Find a schedule that multiplies the learning rate by more than 1, again and again."""
    for scheduler in schedulers(evidence):
        gamma = getattr(scheduler, "gamma", 1)
        if type(gamma) in (int, float) and gamma > 1:
            kind = type(scheduler).__name__
            made = [s for s in evidence.lines if f"{kind}(" in s.text]
            where = evidence.context.where(made[-1]) if made else ""
            return Match({"kind": kind, "where": where, "gamma": f"{gamma:g}"}, (kind,))
    return None


PROGRAM = training(
    before="first = {{name: t.clone() for name, t in net.state_dict().items()}}\n{before}",
    inside="{inside}\nloss = (net(x) - y).pow(2).mean()",
)

LOADED = Rule(
    key="loaded_each_time",
    chapter="15",
    en=Words(
        "weights that are loaded again and again",
        "{line} loads the weights in `{state}` in each iteration, which undoes the last step.",
        "Move that line before the loop.",
    ),
    zh=Words(
        "权重被一再载入",
        "{line}在每一轮都载入 `{state}` 里的权重，这就撤销了上一步更新。",
        "请把这一行移到循环之前。",
    ),
    find=find_loaded,
    broken=PROGRAM.format(before="pass", inside="net.load_state_dict(first)"),
    sound=PROGRAM.format(before="net.load_state_dict(first)", inside="pass"),
    before=("unmoved",),
)

SCHEDULED = training(
    before="decay = T.optim.lr_scheduler.StepLR(opt, step_size=30, gamma={gamma})",
    steps=f"{STEPS}\ndecay.step()",
)

NO_RATE = Rule(
    key="factor_zero",
    chapter="14",
    en=Words(
        "a schedule that ends at zero",
        "`{kind}`{where} has gamma=0: it sets the learning rate to 0, and nothing moves after "
        "that.",
        "Take a factor above 0, such as `gamma=0.1`.",
    ),
    zh=Words(
        "学习率计划降到零",
        "`{kind}`{where}的 gamma=0：它把学习率设为 0，之后什么也不再更新。",
        "请用大于 0 的因子，例如 `gamma=0.1`。",
    ),
    find=find_no_rate,
    broken=SCHEDULED.format(gamma=0),
    sound=SCHEDULED.format(gamma=0.1),
    before=("unmoved", "tiny_rate"),
)

RISING = Rule(
    key="rising_rate",
    severity=2,
    chapter="14",
    en=Words(
        "a schedule that rises without end",
        "`{kind}`{where} has gamma={gamma}: each call of its step() makes the learning rate "
        "larger, until the steps go past every minimum.",
        "Take a factor below 1, such as `gamma=0.9`.",
    ),
    zh=Words(
        "学习率不断升高",
        "`{kind}`{where}的 gamma={gamma}：每次调用它的 step() 都使学习率变大，直到更新越过所有的极"
        "小值。",
        "请用小于 1 的因子，例如 `gamma=0.9`。",
    ),
    find=find_rising,
    broken=SCHEDULED.format(gamma=1.5),
    sound=SCHEDULED.format(gamma=0.9),
    before=("exploding", "nan"),
)
