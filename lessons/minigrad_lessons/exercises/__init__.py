"""The exercises of the course and `check`, which judges an answer to one of them.

A chapter's exercises are in the module with its number. exercise.py defines an exercise, look.py
inspects an answer, judge.py judges it. The chapters' modules hold the solutions. In a class they
are removed (grading/solutions.py), and a check says that the marks come later.
"""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module

from . import judge, look, sentences
from .exercise import Exercise, Verdict

EXERCISES: dict[str, Exercise] = {}
LATER: dict[str, tuple[str, ...]] = {}
"""Exercises whose solutions have been removed, with the names that each asks for."""

for module in sorted(found.name for found in pkgutil.iter_modules(__path__)):
    if module.startswith("chapter_"):
        chapter = import_module(f"{__name__}.{module}")
        EXERCISES |= getattr(chapter, "EXERCISES", {})
        LATER |= getattr(chapter, "LATER", {})


def check(name: str) -> Verdict:
    """Return whether the answer to exercise `name` ("02.1") is right, and if not, why.

    The answer is taken from the calling notebook. It never raises, whatever the answer is.
    """
    notebook = sys._getframe(1).f_globals
    if name in LATER:
        missing = sentences.EMPTY if look.left_open(LATER[name], notebook) else None
        missing = missing or look.without_answer(LATER[name], notebook)
        return Verdict(False if missing else None, missing or sentences.LATER)
    exercise = EXERCISES.get(name)
    if exercise is None:
        return Verdict(False, sentences.nothing(name))
    return judge.judge(exercise, look.look(name, exercise.asks, exercise.probe, notebook))
