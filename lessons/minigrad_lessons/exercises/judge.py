"""The verdict on what was seen of an answer.

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
    """Compare what was seen with what the exercise asks for."""
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
    """What can be said of any wrong answer: there is no value, or a number is in quotes."""
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
    """Whether the answer is a function that gives something back: the solution says `return`, or is
    an expression, and then the cell around the hole says it.

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
    """Whether what was seen passes the test; what breaks the test does not pass it."""
    try:
        with bounded():
            return bool(test(seen))
    except (Exception, EndlessError):
        return False
