"""The exercises of the course and `check`, which judges an answer to one of them.

A chapter's exercises are in the module with its number; exercise.py says what an exercise is made
of, look.py how an answer is looked at. The chapters' modules hold the solutions: where students are
marked they are not installed (docs/teaching.md), and a check says that the marks come later.
"""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module
from typing import Any

from .exercise import Exercise, Verdict
from .judge import judge, judge_live
from .look import look
from .sentences import LATER, nothing

CHAPTERS = sorted(
    module.name for module in pkgutil.iter_modules(__path__) if module.name.startswith("chapter_")
)
EXERCISES: dict[str, Exercise] = {
    name: exercise
    for chapter in CHAPTERS
    for name, exercise in import_module(f"{__name__}.{chapter}").EXERCISES.items()
}


def check(name: str, *answers: Any) -> Verdict:
    """Say whether the answer to exercise `name` ("02.1") is right, and if not, why.

    The answer is found in the notebook that calls this. Never raises, whatever the answer is.
    """
    if not CHAPTERS:
        return Verdict(False, LATER)
    exercise = EXERCISES.get(name)
    if exercise is None:
        return Verdict(False, nothing(name))
    if not exercise.asks:
        return judge_live(exercise, answers)
    notebook = sys._getframe(1).f_globals
    return judge(exercise, look(name, exercise.asks, exercise.probe, notebook))
