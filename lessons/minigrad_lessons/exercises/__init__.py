"""The exercises of the course and `check`, which judges an answer to one of them.

A chapter's exercises are in the module with its number; exercise.py says what an exercise is made
of, look.py how an answer is looked at. The chapters' modules hold the solutions: where students are
marked they have been removed (keys.py), and a check says that the marks come later.
"""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module

from . import sentences
from .exercise import Exercise, Verdict
from .judge import judge
from .look import left_open, look, without_answer

EXERCISES: dict[str, Exercise] = {}
LATER: dict[str, tuple[str, ...]] = {}
"""The exercises whose keys have been removed, and what each asks for."""

for module in sorted(found.name for found in pkgutil.iter_modules(__path__)):
    if module.startswith("chapter_"):
        chapter = import_module(f"{__name__}.{module}")
        EXERCISES |= getattr(chapter, "EXERCISES", {})
        LATER |= getattr(chapter, "LATER", {})


def check(name: str) -> Verdict:
    """Say whether the answer to exercise `name` ("02.1") is right, and if not, why.

    The answer is found in the notebook that calls this. Never raises, whatever the answer is.
    """
    notebook = sys._getframe(1).f_globals
    if name in LATER:
        missing = sentences.EMPTY if left_open(LATER[name], notebook) else None
        missing = missing or without_answer(LATER[name], notebook)
        return Verdict(False if missing else None, missing or sentences.LATER)
    exercise = EXERCISES.get(name)
    if exercise is None:
        return Verdict(False, sentences.nothing(name))
    return judge(exercise, look(name, exercise.asks, exercise.probe, notebook))
