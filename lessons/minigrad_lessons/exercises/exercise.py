"""What an exercise is: plain data that a check reads, so that a test can try every answer that is
foreseen.

A chapter shows a code cell with a hole, `...`, and below it a cell that calls `check`. The check
says right, or not yet and why. Each mistake that learners are known to make is a `Hint`: the
mistake as it would be typed, how to recognise its result, and what to say. A check never raises
and always comes to an end, whatever it is given: a learner who is stuck needs a sentence, not a
traceback, and not a kernel that hangs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, NamedTuple

from ..language import Language, language

Test = Callable[..., bool]


class Words(NamedTuple):
    """One sentence in every language."""

    en: str
    zh: str

    def spoken(self, tongue: Language) -> str:
        return self.en if tongue == "en" else self.zh


@dataclass(frozen=True, slots=True)
class Hint:
    """A known mistake: `wrong` is what the learner types into the hole, `when` recognises what
    comes of it.
    """

    wrong: str
    when: Test
    says: Words


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise. `solution` is code for the hole; `right` decides; `because` says why the right
    answer is right.
    """

    solution: str
    right: Test
    because: Words
    hints: tuple[Hint, ...]
    otherwise: Words


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found. A notebook shows it as one sentence."""

    right: bool
    says: Words

    def __repr__(self) -> str:
        opening = Words("Right.", "正确。") if self.right else Words("Not yet.", "还不对。")
        tongue = language()
        gap = " " if tongue == "en" else ""
        return opening.spoken(tongue) + gap + self.says.spoken(tongue)


EMPTY = Words(
    "Replace the ... in the cell above by your answer, run that cell, then this one.",
    "请把上一个单元格里的 ... 换成你的答案，先运行那个单元格，再运行这一个。",
)


def judge(exercise: Exercise, answers: tuple[Any, ...]) -> Verdict:
    """Compare the answers with what the exercise asks for."""
    if any(answer is ... for answer in answers):
        return Verdict(False, EMPTY)
    if holds(exercise.right, answers):
        return Verdict(True, exercise.because)
    known = (hint.says for hint in exercise.hints if holds(hint.when, answers))
    return Verdict(False, next(known, exercise.otherwise))


def holds(test: Test, answers: tuple[Any, ...]) -> bool:
    """Whether the answers pass the test; an answer that breaks the test does not pass it."""
    try:
        with bounded():
            return bool(test(*answers))
    except Exception:
        return False


class EndlessError(Exception):
    """A function of the notebook was called, and had not come back after very many steps."""


STEPS = 100_000
"""Instructions of Python: loops of some thousand rounds, and a fraction of a second."""


@contextmanager
def bounded() -> Iterator[None]:
    """Within, the notebook's own code raises EndlessError after too many steps.

    Steps are counted, not seconds: a verdict must not depend on how busy the machine is.
    """
    left = STEPS

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        if frame.f_globals.get("__name__") != "__main__":
            return None  # a library's code, which comes to an end
        frame.f_trace_opcodes = True
        left -= 1
        if left < 0:
            raise EndlessError
        return count

    outside = sys.gettrace()
    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(outside)
