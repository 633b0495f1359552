"""Gradients that are clipped before the pass that brings them, or after the step."""

from __future__ import annotations

import ast

from ...model.program_text import Statement, receivers
from ..syntax import calls_in, last_name, root_of_pass
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find a clip in an iteration whose one pass and one step have no clip between them."""
    if (scaled := find_scaled(evidence)) is not None:
        return scaled
    groups: dict[tuple[str, tuple[int, ...]], list[tuple[str, Statement]]] = {}
    for statement in evidence.repeated:
        if kind := kind_of(statement):
            groups.setdefault((statement.file, statement.loops), []).append((kind, statement))
    for group in groups.values():
        kinds = [kind for kind, _ in group]
        if sorted(kinds) != ["clip", "pass", "step"] or kinds in (IN_ORDER, TURNED):
            continue
        if any(statement.arms for _, statement in group):
            continue
        lines = {kind: evidence.context.line(statement) for kind, statement in group}
        late = kinds.index("clip") > kinds.index("step")
        when = evidence.context.say("clipped_late" if late else "clipped_early", **lines)
        cure = evidence.context.say("cure_clipped")
        return Match({"line": lines["clip"], "when": when, "cure": cure})
    return None


def find_scaled(evidence: Evidence) -> Match | None:
    """Find a clip of gradients that a GradScaler has multiplied, and never divides before."""
    if any("unscale_(" in text for text in evidence.code):
        return None
    for walked in evidence.passes:
        for root in map(root_of_pass, calls_in(walked.tree)):
            scaler = getattr(root.func, "value", None) if isinstance(root, ast.Call) else None
            if scaler is None or not isinstance(root, ast.Call) or last_name(root) != "scale":
                continue
            known = evidence.object_at(walked, scaler)
            for clip in (s for s in evidence.lines if kind_of(s) == "clip" and near(s, walked)):
                name = ast.unparse(scaler)
                steps = [c for s in evidence.lines if near(s, clip) for c in calls_in(s.tree)]
                given = [
                    c.args[0] for c in steps if ast.unparse(c.func) == f"{name}.step" and c.args
                ]
                enabled = getattr(known, "is_enabled", None)
                if given and callable(enabled) and enabled():
                    say = evidence.context.say
                    instead = f"{name}.unscale_({ast.unparse(given[0])})"
                    parts = {"when": say("clipped_scaled", scaler=name)}
                    parts |= {"cure": say("cure_unscaled", instead=instead)}
                    return Match({**parts, "line": evidence.context.line(clip)})
    return None


def near(later: Statement, statement: Statement) -> bool:
    """Return whether a statement stands below another, in the same loops."""
    same = later.loops == statement.loops and later.file == statement.file
    return same and later.line > statement.line


IN_ORDER = ["pass", "clip", "step"]
TURNED = ["step", "pass", "clip"]
"""The order in which a loop begins with the step by the gradients of the iteration before."""


def kind_of(statement: Statement) -> str:
    """Return "pass", "clip" or "step", or "" for another statement."""
    calls = calls_in(statement.tree)
    if any(map(root_of_pass, calls)):
        return "pass"
    if any(last_name(call).startswith("clip_grad_") for call in calls):
        return "clip"
    return "step" if is_step(statement) else ""


def is_step(statement: Statement) -> bool:
    schedules = ("sched", "decay", "warm")
    return any(
        not any(s in name.lower() for s in schedules) for name in receivers(statement, "step")
    )


PROGRAM = training(
    opt=0.01,
    steps="opt.zero_grad()\n{early}\nloss.backward()\n{right}\nopt.step()",
)

CLIP = "T.nn.utils.clip_grad_norm_(net.parameters(), 1.0)"

RULE = Rule(
    key="misplaced_clip",
    severity=2,
    chapter="14",
    en=Words(
        "gradients clipped at the wrong place",
        "{line} stands at the wrong place: {when}.",
        "{cure}",
    ),
    zh=Words(
        "在错误的位置裁剪梯度",
        "{line}的位置不对：{when}。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(early=CLIP, right="pass"),
    sound=PROGRAM.format(early="pass", right=CLIP),
    before=("exploding", "not_learned"),
)
