"""The verdict on an answer.

A check never raises: a learner who is stuck needs a sentence, not a traceback.
"""

from __future__ import annotations

import ast
import contextlib
from typing import Any

from .exercise import Exercise, Test, Verdict, Words
from .look import Look
from .sentences import EMPTY, IN_QUOTES, NO_VALUE, ONE_STRING, RETURNS_NONE
from .steps import EndlessError, bounded


def judge(exercise: Exercise, look: Look) -> Verdict:
    """Judge a look at an answer by the tests and hints of the exercise."""
    answered = look.trouble is None
    if answered and holds(exercise.right, look.seen):
        return Verdict(True, exercise.because)
    if look.unfilled:
        return Verdict(False, EMPTY)
    if look.trouble is not None:
        return Verdict(False, look.trouble)
    known = (hint.says for hint in exercise.hints if holds(hint.when, look.seen))
    other = no_value(exercise, look) or exercise.otherwise
    return Verdict(False, next(known, other))


def no_value(exercise: Exercise, look: Look) -> Words | None:
    """Return a sentence if there is no value, or if a number is in quotes."""
    if exercise.probe is not None:
        return RETURNS_NONE if look.nothing and returns(exercise.solution) else None
    if look.seen is None:
        return NO_VALUE
    if isinstance(look.seen, str):
        if exercise.solution.startswith("["):
            return ONE_STRING
        with contextlib.suppress(ValueError):
            return IN_QUOTES if holds(exercise.right, float(look.seen)) else None
    return None


def returns(solution: str) -> bool:
    """Return whether the answer is a function that returns a value.

    Its solution has a `return`, or is an expression, and the cell around the hole returns it.

    >>> returns("x * x"), returns("y = x * x\\nreturn y"), returns("x.grad = None")
    (True, True, False)
    """
    if "return " in solution:
        return True
    with contextlib.suppress(SyntaxError):
        ast.parse(solution, mode="eval")
        return True
    return False


def holds(test: Test, seen: Any) -> bool:
    """Return whether `seen` passes the test. A value that makes the test raise does not pass."""
    try:
        with bounded():
            return bool(test(seen))
    except (Exception, EndlessError):
        return False
