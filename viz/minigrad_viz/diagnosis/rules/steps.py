"""Matches of rules that only watched steps can show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..examination import Examination
from ..observed import Step, Watched
from ..reachable import held_by
from .evidence import Evidence
from .programs import training
from .rule import Finder, Match

LOOP = training(
    net="T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))",
    before="{before}",
    steps="opt.zero_grad()\n{inside}",
)
"""A training loop, with places for what is wrong in it."""

PLAIN = LOOP.format(before="", inside="loss.backward()\n    opt.step()")


def of_steps(looking: Callable[[Examination], Iterator[Match]]) -> Finder:
    """Return a finder that judges watched steps, and nothing without them."""

    def find(evidence: Evidence) -> Iterable[Match]:
        return () if evidence.exam is None else looking(evidence.exam)

    return find


def about(exam: Examination, things: Iterable[Any], *more: str, **parts: object) -> Match:
    """Return the match about watched parameters or names, which fill the place {names}."""
    names = [exam.name(x.tensor) if isinstance(x, Watched) else str(x) for x in things]
    names = list(dict.fromkeys(names))
    return Match({"names": exam.join_names(names), **parts}, tuple(names), more=more)


def optimizer_of(exam: Examination, found: list[Watched]) -> str:
    """Return the name of the optimizer that holds the first of these."""
    return next(exam.name(each) for each in exam.stepped if holds(each, found[0]))


def holds(optimizer: Any, watched: Watched) -> bool:
    return any(each is watched.tensor for each in held_by(optimizer))


def first_steps(exam: Examination, wanted: Callable[[Step], Any]) -> list[Step]:
    """Return the first step of each optimizer that satisfies a condition."""
    found: dict[int, Step] = {}
    for step in exam.seen.steps:
        if wanted(step):
            found.setdefault(id(step.optimizer), step)
    return list(found.values())


def step_parts(exam: Examination, step: Step) -> dict[str, object]:
    return {
        "optimizer": exam.name(step.optimizer),
        "where": exam.where(step.place),
        "iteration": step.iteration,
    }
