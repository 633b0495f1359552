"""Cures as edits of state: what to change before a replay, and around each of its iterations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from ..examination import Examination, Problem
from ..observed import Watched
from ..reachable import held_by
from .allowed import root_of

Act = Callable[[], None]

RATE = 0.01
"""The learning rate that replaces one of nothing."""

DECAY = 1e-4
NORM = 1.0


def nothing() -> None:
    """Do nothing."""


@dataclass(frozen=True)
class Edit:
    """An edit of state: `once` before the replay, `before` and `after` each of its iterations."""

    key: str
    """The sentence `edit_<key>` describes the edit."""
    parts: Mapping[str, object] = field(default_factory=dict)
    once: Act = nothing
    before: Act = nothing
    after: Act = nothing


def named(exam: Examination, problem: Problem) -> list[Watched]:
    """Return the parameters that a problem names."""
    return [w for w in exam.seen.watched.values() if exam.name(w.tensor) in problem.names]


def holder(exam: Examination, watched: Watched) -> Any:
    """Return the optimizer that steps and holds a parameter, or None."""
    return next((o for o in exam.stepped if any(p is watched.tensor for p in held_by(o))), None)


def clear(exam: Examination, problem: Problem) -> Edit | None:
    found = named(exam, problem)
    optimizer = holder(exam, found[0]) if found else None
    if optimizer is None:
        return None
    return Edit("clear", {"optimizer": exam.name(optimizer)}, before=optimizer.zero_grad)


def clear_by_hand(exam: Examination, problem: Problem) -> Edit | None:
    found = named(exam, problem)

    def clear_all() -> None:
        for each in found:
            each.tensor.grad = None

    return Edit("clear_by_hand", {"name": exam.name(found[0].tensor)}, before=clear_all)


def hold(exam: Examination, problem: Problem) -> Edit | None:
    """Give parameters of modules that got gradients to the only optimizer that steps."""
    held = {*exam.held}
    found = [
        w.tensor
        for w in exam.seen.watched.values()
        if w.passes and w.tensor.requires_grad and id(w.tensor) not in held
        if type(w.tensor).__name__ == "Parameter" and id(w.tensor) in exam.owners
    ]
    if len(exam.stepped) != 1 or not found:
        return None
    optimizer = exam.stepped[0]
    parts = {"optimizer": exam.name(optimizer), "count": len(found)}
    return Edit("hold", parts, once=lambda: optimizer.add_param_group({"params": found}))


def thaw(exam: Examination, problem: Problem) -> Edit | None:
    found = named(exam, problem)

    def thaw_all() -> None:
        for each in found:
            each.tensor.requires_grad_(True)

    return Edit("thaw", {"name": exam.name(found[0].tensor)}, once=thaw_all) if found else None


def train(exam: Examination, problem: Problem) -> Edit | None:
    modules = [m for m in exam.modules.values() if exam.name(m) in problem.names]
    if not modules:
        return None
    return Edit("train", {"name": problem.names[0]}, before=modules[0].train)


def clip(exam: Examination, problem: Problem) -> Edit | None:
    found = named(exam, problem)
    optimizer = holder(exam, found[0]) if found else None
    if optimizer is None:
        return None
    library = import_module(root_of(type(found[0].tensor)))

    def limit(*given: Any) -> None:
        library.nn.utils.clip_grad_norm_(list(held_by(optimizer)), NORM)

    parts = {"norm": NORM, "optimizer": exam.name(optimizer)}
    return Edit("clip", parts, once=lambda: optimizer.register_step_pre_hook(limit) and None)


def step(exam: Examination, problem: Problem) -> Edit | None:
    found = [o for o in exam.seen.optimizers.values() if exam.name(o) in problem.names]
    return Edit("step", {"optimizer": problem.names[0]}, after=found[0].step) if found else None


def set_rate(exam: Examination, problem: Problem) -> Edit | None:
    return set_option(exam, problem, "rate", "lr", RATE)


def set_idle_rate(exam: Examination, problem: Problem) -> Edit | None:
    """Give groups with a rate of zero the largest rate of their optimizer."""
    known = [o for o in exam.stepped if exam.name(o) in problem.names]
    used = [float(group["lr"]) for o in known for group in o.param_groups]
    if not used or max(used) <= 0:
        return None
    return set_option(exam, problem, "rate", "lr", max(used))


def set_decay(exam: Examination, problem: Problem) -> Edit | None:
    return set_option(exam, problem, "decay", "weight_decay", DECAY)


def set_option(
    exam: Examination, problem: Problem, key: str, option: str, value: float
) -> Edit | None:
    found = [o for o in exam.stepped if exam.name(o) in problem.names]
    if not found:
        return None

    def set_groups() -> None:
        for group in found[0].param_groups:
            group[option] = value

    parts = {"optimizer": exam.name(found[0]), "value": f"{value:g}"}
    return Edit(key, parts, once=set_groups)


EDITS: Mapping[str, Callable[[Examination, Problem], Edit | None]] = {
    "not_cleared": clear,
    "not_cleared_by_hand": clear_by_hand,
    "not_held": hold,
    "hidden": hold,
    "held_elsewhere": hold,
    "plain_list": hold,
    "other_tensors": hold,
    "frozen": thaw,
    "eval": train,
    "evaluation_mode": train,
    "exploding": clip,
    "no_step": step,
    "tiny_rate": set_rate,
    "idle_group": set_idle_rate,
    "large_decay": set_decay,
}
"""The edit that a kind of problem is cured by, for those that an edit of state can cure."""
