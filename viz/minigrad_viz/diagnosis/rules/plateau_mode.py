"""A schedule that waits for a loss to rise: `mode="max"` lowers the rate at each better loss."""

from __future__ import annotations

import ast
from typing import Any

from ..syntax import calls_in, last_name
from .evidence import Evidence
from .optimizer import schedulers
from .programs import STEPS, training
from .rule import Match, Rule, Words

LOSSES = ("loss", "error", "mse", "cost")


def find(evidence: Evidence) -> Match | None:
    """Find a ReduceLROnPlateau in mode "max" that gets a loss; "min" and an accuracy alike."""
    for scheduler in schedulers(evidence):
        if type(scheduler).__name__ != "ReduceLROnPlateau" or scheduler.mode != "max":
            continue
        given = given_to(evidence, scheduler)
        if not any(each in given.lower() for each in LOSSES) or given.startswith("-"):
            continue
        made = [s for s in evidence.lines if "ReduceLROnPlateau(" in s.text]
        where = evidence.context.where(made[-1]) if made else ""
        return Match({"where": where, "given": given}, ("ReduceLROnPlateau",))
    return None


def given_to(evidence: Evidence, scheduler: Any) -> str:
    """Return the text of what `scheduler.step` gets."""
    for statement in evidence.lines:
        for call in calls_in(statement.tree):
            owner = getattr(call.func, "value", None)
            if last_name(call) == "step" and call.args and isinstance(owner, ast.expr):
                if evidence.object(owner) is scheduler:
                    return ast.unparse(call.args[0])
    return ""


PROGRAM = training(
    before='plan = T.optim.lr_scheduler.ReduceLROnPlateau(opt, mode="{mode}", patience=2)',
    steps=f"{STEPS}\nplan.step(loss.item())",
)

RULE = Rule(
    key="plateau_mode",
    severity=2,
    chapter="14",
    en=Words(
        "a schedule that waits for a rising loss",
        'ReduceLROnPlateau{where} has mode="max" and gets `{given}`, which is to fall: it lowers '
        "the learning rate although the loss falls.",
        'Write `mode="min"` there.',
    ),
    zh=Words(
        "学习率计划等着损失上升",
        'ReduceLROnPlateau{where}的 mode 是 "max"，得到的却是应当下降的 `{given}`：损失在下降，它也'
        "会降低学习率。",
        '请在那里写 `mode="min"`。',
    ),
    find=find,
    broken=PROGRAM.format(mode="max"),
    sound=PROGRAM.format(mode="min"),
    before=("unmoved", "tiny_rate"),
)
