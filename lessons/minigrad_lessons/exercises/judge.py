"""The verdict on what was seen of an answer.

A check never raises: a learner who is stuck needs a sentence, not a traceback.
"""

from __future__ import annotations

import contextlib
from typing import Any

from .exercise import Exercise, Test, Verdict, Words
from .look import Look
from .sentences import EMPTY, IN_QUOTES, NO_VALUE
from .steps import EndlessError, bounded


def judge(exercise: Exercise, look: Look) -> Verdict:
    """Compare what was seen with what the exercise asks for."""
    answered = look.trouble is None
    if answered and holds(exercise.right, look.seen):
        return Verdict(True, exercise.because)
    if look.unfilled:
        return Verdict(False, EMPTY)
    if look.trouble is not None:
        return Verdict(False, look.trouble)
    known = (hint.says for hint in exercise.hints if holds(hint.when, look.seen))
    other = no_value(exercise, look.seen) or exercise.otherwise
    return Verdict(False, next(known, other))


def no_value(exercise: Exercise, seen: Any) -> Words | None:
    """What can be said of any wrong value: that there is none, or that a number is in quotes."""
    if exercise.probe is not None:
        return None
    if seen is None:
        return NO_VALUE
    if isinstance(seen, str):
        with contextlib.suppress(ValueError):
            return IN_QUOTES if holds(exercise.right, float(seen)) else None
    return None


def holds(test: Test, seen: Any) -> bool:
    """Whether what was seen passes the test; what breaks the test does not pass it."""
    try:
        with bounded():
            return bool(test(seen))
    except (Exception, EndlessError):
        return False
