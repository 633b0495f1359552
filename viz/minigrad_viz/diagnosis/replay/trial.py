"""Trials of cures: a few iterations with an edit of state, judged, and then undone."""

from __future__ import annotations

import contextlib
import io
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ...model.either_library import outside_modes
from ..examination import Examination, Problem
from ..observed import Observed
from .edits import EDITS, Edit
from .reach import Reach, RefusedError
from .snapshot import Snapshot

ITERATIONS = 3
"""Iterations of a replay."""

MOST_TRIED = 3
"""Cures that are tried for one report."""

SLOWEST = 20.0
"""Seconds that the watched iterations may have taken if they are to be replayed."""

SMALLEST_FALL = 1e-6
"""A loss that falls by a smaller share has not moved."""

FAR = 10.0
"""A loss that the watched steps raised by more came from parameters that exploded."""

Judge = Callable[[Examination], list[Problem]]


@dataclass(frozen=True)
class Outcome:
    """Result of a replay: the losses, the kinds of its findings, or the error that it raised."""

    losses: tuple[float, ...] = ()
    kinds: frozenset[str] = frozenset()
    error: str = ""


def try_cures(
    exam: Examination, problems: list[Problem], step: Callable[[], Any], judge: Judge, took: float
) -> list[Problem]:
    """Try the cures that are edits of state, and say in each problem what came of it."""
    said: list[Problem] = []
    tried = 0
    reach: Reach | RefusedError | None = None
    for problem in problems:
        edit = EDITS[problem.kind](exam, problem) if problem.kind in EDITS else None
        if edit is None or tried == MOST_TRIED:
            said.append(problem)
            continue
        reach = reach or find_reach(exam, step, took)
        if isinstance(reach, RefusedError):
            why = exam.say(f"untried_{reach.key}", name=reach.name)
            said.append(replace(problem, tried=exam.say("untried", why=why)))
            continue
        tried += 1
        outcome = replay(exam, edit, step, reach, judge)
        said.append(describe(exam, problem, edit, outcome))
    return said


def find_reach(exam: Examination, step: Callable[[], Any], took: float) -> Reach | RefusedError:
    """Return everything that the step or a cure can change, or why it must not run again."""
    if took > SLOWEST:
        return RefusedError("slow", "")
    seen = exam.seen
    others = [*seen.optimizers.values(), *exam.modules.values()]
    others += [each.tensor for each in seen.watched.values()]
    try:
        return Reach(step, [(exam.name(each), each) for each in others])
    except RefusedError as refused:
        return refused


def repeat(exam: Examination, step: Callable[[], Any], took: float) -> str:
    """Run a step that took some seconds again and again, and say where the loss goes."""
    reach = find_reach(exam, step, took) if took * REPEATED < LONGEST else None
    if reach is None or isinstance(reach, RefusedError):
        return ""
    losses = replay(exam, Edit("same"), step, reach, lambda _: [], REPEATED).losses
    if not losses or not math.isfinite(sum(losses)):
        return ""
    ends = dict(zip(("first", "last"), numbers(losses[0], losses[-1]), strict=True))
    return exam.say("same_batch", count=REPEATED, **ends)


REPEATED, LONGEST = 20, 10.0
"""Iterations on one batch, and the seconds that they may take."""


def replay(
    exam: Examination,
    edit: Edit,
    step: Callable[[], Any],
    reach: Reach,
    judge: Judge,
    iterations: int = ITERATIONS,
) -> Outcome:
    """Run the step with an edit, with prints held back, and restore everything."""
    with outside_modes():
        kept = Snapshot(reach)
    seen = Observed(exam.seen.things, exam.seen.caller, iterations, exam.language)
    try:
        with held_back():
            try:
                edit.once()
                seen.start()
                for iteration in range(1, iterations + 1):
                    kept.restore_draws()
                    edit.before()
                    seen.begin(iteration)
                    step()
                    edit.after()
            except Exception as error:
                return Outcome(error=f"{type(error).__name__}: {error}".partition("\n")[0])
            finally:
                seen.stop()
            with outside_modes():
                found = judge(Examination(seen, exam.language))
        kinds = {each.kind for each in found}
        if seen.trouble is not None:
            kinds |= {*EDITS}
        return Outcome(losses_of(seen), frozenset(kinds))
    finally:
        with outside_modes():
            kept.restore()


@contextlib.contextmanager
def held_back() -> Any:
    """Hold back prints and warnings."""
    silent = io.StringIO()
    with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield


def losses_of(seen: Observed) -> tuple[float, ...]:
    """Return the loss of each iteration, or nothing unless each has one pass from a scalar."""
    count = seen.iterations or 0
    if [each.iteration for each in seen.passes] != list(range(1, count + 1)):
        return ()
    return tuple(each.value for each in seen.passes)


def describe(exam: Examination, problem: Problem, edit: Edit, outcome: Outcome) -> Problem:
    """Say what came of a cure; one that does not help is not said as a cure."""
    ends: dict[str, object] = {}
    falls = True
    if outcome.losses:
        first, last = outcome.losses[0], outcome.losses[-1]
        ends = dict(zip(("first", "last"), numbers(first, last), strict=True))
        falls = first - last > SMALLEST_FALL * abs(first) and math.isfinite(last)
    what = exam.say(f"edit_{edit.key}", **edit.parts)
    parts = {**ends, "what": what, "count": ITERATIONS}
    if not outcome.error and falls and problem.kind not in outcome.kinds:
        key = "tried_falls" if ends else "tried_gone"
        return replace(problem, tried=exam.say(key, **parts))
    if edit.key == "clip" and went_far(exam, outcome):
        return replace(problem, tried=exam.say("untried", why=exam.say("untried_far")))
    key = "in_vain_falls" if ends else "in_vain"
    if outcome.error:
        key = "in_vain_raised"
    elif problem.kind in outcome.kinds:
        key = "in_vain"
    text = exam.say(key, error=outcome.error, **parts)
    return replace(problem, cure="", tried=text)


def went_far(exam: Examination, outcome: Outcome) -> bool:
    """Return whether the watched steps left parameters from which no cure can be judged."""
    if not outcome.losses or not exam.seen.losses:
        return True
    return not abs(outcome.losses[0]) <= FAR * abs(exam.seen.losses[0])


def numbers(first: float, last: float) -> tuple[str, str]:
    """Write two numbers with as many digits as tell them apart."""
    for digits in range(3, 8):
        written = f"{first:.{digits}g}", f"{last:.{digits}g}"
        if written[0] != written[1]:
            break
    return written
