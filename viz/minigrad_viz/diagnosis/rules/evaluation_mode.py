"""A model that learns in evaluation mode."""

from __future__ import annotations

from typing import Any

from ...model.program_text import Statement, receivers
from .evidence import Evidence
from .programs import STEPS, training
from .rule import Match, Rule, Words

MODE_DEPENDENT = ("Dropout", "BatchNorm", "RReLU")
"""Parts of the names of modules that compute something else in training."""


def find(evidence: Evidence) -> Match | None:
    if evidence.seen is not None:
        return find_watched(evidence)
    for name, module in evidence.modules:
        kinds = dependent(module)
        if not kinds or not any(p is t for p in module.parameters() for t in evidence.leaves):
            continue
        off = [s for s in evidence.lines if name in receivers(s, "eval") or turns_off(s, name)]
        on = [s for s in evidence.lines if f"{name}.train(" in s.text and not turns_off(s, name)]
        walked = [s for s in evidence.passes if s.loops]
        if not off or not walked:
            continue
        start = walked[-1].loops[-1]
        again = [s for s in on if start in s.loops]
        inside = [s for s in off if start in s.loops and s.arms[:1] != walked[-1].arms[:1]]
        inside += [s for s in off if start in s.loops and not s.arms]
        outer = [s for s in off if s.loops and s.loops == walked[-1].loops[: len(s.loops)]]
        inside += [s for s in outer if not s.arms and not any(s.loops[-1] in t.loops for t in on)]
        before = [s for s in off if not s.loops and s.line < start]
        if again or not (inside or before) or (before and any(s.line < start for s in on)):
            continue
        return describe(evidence, name, kinds, (inside or before)[-1])
    return None


def find_watched(evidence: Evidence) -> Match | None:
    """Find a step after the watched ones of a model in evaluation mode."""
    late = evidence.seen.late_eval if evidence.seen is not None else None
    if late is None:
        return None
    module = late[0]
    name, kinds = evidence.name(module), dependent(module)
    off = [s for s in evidence.lines if name in receivers(s, "eval") or turns_off(s, name)]
    return describe(evidence, name, kinds, off[-1] if off else None) if kinds else None


def describe(evidence: Evidence, name: str, kinds: list[str], line: Statement | None) -> Match:
    where = "" if line is None else evidence.context.where(line)
    parts = {"t": name, "kinds": ", ".join(kinds), "where": where}
    return Match({**parts, "instead": f"{name}.train()"}, (name,))


def turns_off(statement: Statement, name: str) -> bool:
    return f"{name}.train(False)" in statement.text


def dependent(module: Any) -> list[str]:
    """Return the kinds of such layers of a module that is in evaluation mode itself."""
    return [] if module.training else kinds_in_evaluation(module)


def kinds_in_evaluation(module: Any) -> list[str]:
    """Return the kinds of layers inside that are in evaluation mode and depend on it."""
    found = {
        type(each).__name__
        for each in module.modules()
        if not each.training and any(kind in type(each).__name__ for kind in MODE_DEPENDENT)
        if getattr(each, "p", None) != 0 and getattr(each, "track_running_stats", True)
        if not is_frozen(each)
    }
    return sorted(found)


def is_frozen(module: Any) -> bool:
    """Return whether a module has parameters, and none of them learns: its averages stay, too."""
    learn = {p.requires_grad for p in module.parameters()}
    return learn == {False}


PROGRAM = training(
    net="T.nn.Sequential(T.nn.Linear(3, 8), T.nn.Dropout(0.5), T.nn.Linear(8, 1))",
    inside="{first}\nloss = (net(x) - y).pow(2).mean()",
    steps=f"{STEPS}\nnet.eval()\nwith T.no_grad():\n    accuracy = (net(x) - y).abs().mean()",
)

RULE = Rule(
    key="evaluation_mode",
    severity=2,
    chapter="16",
    en=Words(
        "eval() while training",
        "`{t}` learns in evaluation mode, switched on{where}: its layers of {kinds} compute "
        "something else then.",
        "If that is not meant, call `{instead}` before each training step.",
    ),
    zh=Words(
        "训练时处于 eval()",
        "`{t}` 在评估模式下学习，打开它的地方{where}：其中的 {kinds} 此时的计算方式不同。",
        "如果这不是有意的，请在每个训练步之前调用 `{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(first="pass"),
    sound=PROGRAM.format(first="net.train()"),
)
