"""A prediction as a poll in a lecture: the right answer among the known wrong ones.

Every option opens and says which thought leads to it. A poll is HTML without a program, so that it
works in a saved notebook, in slides and on paper.
"""

from __future__ import annotations

import html
from dataclasses import dataclass

from ..exercises.exercise import Words
from ..lab.language import Language, language
from ..predictions import PREDICTIONS
from ..predictions.prediction import CODE, label

LETTERS = "ABCDEFGH"
RIGHT = Words("Right.", "正确。")


@dataclass(frozen=True, slots=True)
class Option:
    """An answer: its letter, its text, what it means, and whether it is right."""

    letter: str
    answer: str
    says: str
    right: bool


@dataclass(frozen=True, slots=True)
class Poll:
    """The options of a prediction, in an order that does not tell which is right."""

    name: str
    language: Language

    def options(self) -> list[Option]:
        prediction = PREDICTIONS[self.name]
        known = [(prediction.right, prediction.why, True)]
        known += [(wrong.answer, wrong.says, False) for wrong in prediction.wrong]
        texts = [(label(answer, self.language), words, right) for answer, words, right in known]
        return [
            Option(letter, answer, words.text(self.language), right)
            for letter, (answer, words, right) in zip(
                LETTERS, sorted(texts, key=order), strict=False
            )
        ]

    def __repr__(self) -> str:
        return "\n".join(f"{each.letter}  {each.answer}" for each in self.options())

    def _repr_html_(self) -> str:
        return f'<div class="minigrad-poll">{"".join(map(self.row, self.options()))}</div>'

    def row(self, option: Option) -> str:
        says = CODE.sub(r"<code>\1</code>", html.escape(option.says))
        if option.right:
            says = RIGHT.text(self.language) + (" " if self.language == "en" else "") + says
        answer = f"<b>{option.letter}</b> &nbsp; {html.escape(option.answer)}"
        # Options of one name close each other.
        return f'<details name="{self.name}"><summary>{answer}</summary><p>{says}</p></details>'


def order(option: tuple[str, Words, bool]) -> tuple[bool, float, str]:
    """Return the place of an option: numbers by size, then words.

    >>> words = Words("", "")
    >>> [answer for answer, *_ in sorted([("None", words, True), ("9", words, False)], key=order)]
    ['9', 'None']
    """
    answer = option[0]
    try:
        return False, float(answer), answer
    except ValueError:
        return True, 0.0, answer


def poll(name: str) -> Poll:
    """Return a prediction as a poll, for a notebook or slides.

    Raises ValueError if there is no prediction of this name.

    >>> poll("00.b")
    A  2
    B  3
    C  6
    D  9
    E  18
    """
    if name not in PREDICTIONS:
        raise ValueError(f"there is no prediction {name!r}")
    return Poll(name, language())
