"""The exercises of the course and `check`, which judges an answer to one of them.

A chapter's exercises are in the module with its number; exercise.py says what an exercise is made
of.
"""

from __future__ import annotations

from typing import Any

from . import (
    chapter_01,
    chapter_02,
    chapter_03,
    chapter_04,
    chapter_05,
    chapter_06,
    chapter_07,
    chapter_08,
    chapter_09,
    chapter_10,
    chapter_11,
    chapter_12,
    chapter_13,
    chapter_14,
)
from .exercise import Exercise, Verdict, Words, judge

EXERCISES: dict[str, Exercise] = {
    **chapter_01.EXERCISES,
    **chapter_02.EXERCISES,
    **chapter_03.EXERCISES,
    **chapter_04.EXERCISES,
    **chapter_05.EXERCISES,
    **chapter_06.EXERCISES,
    **chapter_07.EXERCISES,
    **chapter_08.EXERCISES,
    **chapter_09.EXERCISES,
    **chapter_10.EXERCISES,
    **chapter_11.EXERCISES,
    **chapter_12.EXERCISES,
    **chapter_13.EXERCISES,
    **chapter_14.EXERCISES,
}


def check(name: str, *answers: Any) -> Verdict:
    """Say whether the answers to exercise `name` ("02.1") are right, and if not, why.

    Never raises, whatever the answers are.
    """
    exercise = EXERCISES.get(name)
    if exercise is None:
        nothing = Words(f"There is no exercise {name!r}.", f"没有编号为 {name!r} 的练习。")
        return Verdict(False, nothing)
    return judge(exercise, answers)
