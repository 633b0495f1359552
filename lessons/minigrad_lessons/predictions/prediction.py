"""A prediction as plain data, and the box that asks for it.

A chapter asks for the output of the next cell. The reader commits to an answer, reads whether it is
right and why, and then runs the cell, whose stored output is folded until then (build.py).
judge.js judges answers in a page, which has no kernel, and judge.py does the same in Python.

The box is HTML with its program inside, like the stepper. A widget's view would be a key into a
running kernel, and show an error in a notebook that is opened again. Where scripts do not run, the
answer is folded.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..exercises.exercise import Words
from ..lab.language import Language
from .judge import Verdict, judge
from .reading import WORDS, meaning

__all__ = ["Asked", "Prediction", "Words", "Wrong"]

CODE = re.compile("`([^`]+)`")
TRIES = 2


def program() -> str:
    """Return the program that shows the box and judges answers."""
    parts = ("reading.js", "remarks.js", "judge.js", "predict.js")
    texts = ((Path(__file__).parent / part).read_text(encoding="utf-8") for part in parts)
    words = json.dumps(WORDS, ensure_ascii=False, separators=(",", ":"))
    return "\n".join([f"const WORDS = {words};", *texts])


MODULE = program()
"""The program that shows the box and judges answers."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong answer as it is typed, and a sentence that is true of everyone who gives it."""

    answer: str
    says: Words


@dataclass(frozen=True, slots=True)
class Prediction:
    """The output of the next cell, and the reason.

    An answer is one or more numbers and words, "7" or "0, 4, 8" or "None", or a short phrase;
    other spellings follow after a "|", as in "None|nothing|无". In a wrong answer "any" stands for
    any value. With `choices` the reader sees a button for each answer, labelled with the first
    spelling in the reader's language, and with `fields` an input for each of them. The hint comes
    after a wrong answer that is not foreseen. `unless` is a pattern, in Python and in a page, of
    statements that are wrong although the right value stands in them.
    """

    right: str
    why: Words
    wrong: tuple[Wrong, ...] = ()
    choices: bool = False
    fields: tuple[Words, ...] = ()
    hint: Words | None = None
    unless: str = ""

    @property
    def answers(self) -> list[str]:
        """The known answers; the right one is the first."""
        return [self.right, *(wrong.answer for wrong in self.wrong)]


SAID = {
    "gap": Words(" ", ""),  # between two sentences
    "ask": Words("Your prediction", "你的预测"),
    "answer": Words("Answer", "提交"),
    "reveal": Words("Show me", "直接看答案"),
    "right": Words("Right.", "正确。"),
    "other": Words("Not this time.", "这次没猜中。"),
    "again": Words("Try once more.", "再试一次。"),
    "unread": Words(
        "I read this as {}, and cannot compare that with an answer. Write it in another way; this "
        "was no try.",
        "我读到的是 {}，没法和答案相比。请换一种写法，这次不算。",
    ),
    "you": Words("You said {}.", "你的预测：{}。"),
    "is": Words("The answer: {}.", "答案：{}。"),
    "run": Words("Now run the next cell and see.", "现在运行下一个单元格，看看结果。"),
    "shown": Words("The output stands below.", "输出就在下面。"),
    "first": Words("Run this cell to answer.", "运行这个单元格，就可以作答。"),
    "fold": Words("The answer", "答案"),
    "plain": Words(
        "Write down your prediction, then run the next cell.",
        "先写下你的预测，再运行下一个单元格。",
    ),
}
"""The texts of the box."""

COUNT = Words(
    "I read this as {{}}, but {count} values are asked for. Write all of them; this was no try.",
    "我读到的是 {{}}，而题目问的是 {count} 个值。请全部写出来，这次不算。",
)
"""SAID["unread"] where the answer has several values."""


PRINTED = re.compile(r"(?:(?:None|True|False|inf|nan|-?[0-9.]+)(?:, |$))+")
"""An answer as Python prints it."""


def label(answer: str, language: Language) -> str:
    """Return the spelling to show: as Python prints it, or else the first one in the language.

    >>> label("None|nothing|无", "zh"), label("an error|报错", "zh"), label("an error|报错", "en")
    ('None', '报错', 'an error')
    """
    spellings = [each.strip() for each in answer.split("|")]
    chinese = [each for each in spellings if any("\u4e00" <= sign <= "\u9fff" for sign in each)]
    if language == "zh" and chinese and not PRINTED.fullmatch(spellings[0]):
        return chinese[0]
    return spellings[0]


@dataclass(frozen=True, slots=True)
class Asked:
    """A prediction in one language. A notebook shows its box."""

    name: str
    prediction: Prediction
    language: Language

    def judge(self, typed: str) -> Verdict:
        """Judge an answer as the box does.

        >>> from minigrad_lessons import predict
        >>> predict("00.b").judge("十八倍").place
        0
        """
        asked = self.prediction
        return judge(typed, asked.answers, self.field_names, asked.unless)

    @property
    def field_names(self) -> list[str]:
        return [field.en for field in self.prediction.fields]

    def payload(self) -> dict[str, Any]:
        """Return the data for predict.js."""
        answers = [
            {"answer": self.prediction.right, "says": self.prediction.why},
            *map(asdict, self.prediction.wrong),
        ]
        for each in answers:
            each["label"] = label(each["answer"], self.language)
            each["says"] = Words(*each["says"]).text(self.language)
        hint = self.prediction.hint
        two_choices = self.prediction.choices and len(answers) == TRIES
        return {
            "name": self.name,
            "answers": answers,  # the right one is the first
            "choices": self.prediction.choices,
            "fields": [field.text(self.language) for field in self.prediction.fields],
            "names": self.field_names,
            "unless": self.prediction.unless,
            "hint": hint.text(self.language) if hint else None,
            "tries": 1 if two_choices else TRIES,
            "language": self.language,
            "said": self.said(),
        }

    def said(self) -> dict[str, str]:
        """Return the texts of the box."""
        found = {key: words.text(self.language) for key, words in SAID.items()}
        values = meaning(self.prediction.right.split("|")[0])
        if len(values) > 1:
            found["unread"] = COUNT.text(self.language).format(count=len(values))
        return found

    @property
    def html(self) -> str:
        """Return the box as HTML."""
        said = {key: html.escape(words.text(self.language)) for key, words in SAID.items()}
        why = html.escape(self.prediction.why.text(self.language))
        right = html.escape(label(self.prediction.right, self.language))
        return FRAGMENT.format(
            name=html.escape(self.name),
            first=said["first"],
            fold=said["fold"],
            answer=said["is"].format(f"<strong>{right}</strong>"),
            gap=said["gap"],
            why=CODE.sub(r"<code>\1</code>", why),
            module=MODULE,
            payload=json.dumps(self.payload(), ensure_ascii=False).replace("</", "<\\/"),
        )

    def __repr__(self) -> str:
        return SAID["plain"].text(self.language)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": repr(self)}


# The whole module becomes a part of the page. Only the tests use its exports.
FRAGMENT = """<div class="minigrad-prediction" data-prediction="{name}">
<p class="minigrad-run">{first}</p>
<details><summary>{fold}</summary><p>{answer}{gap}{why}</p></details>
</div>
<script type="module">
{module}
mountAll({payload});
</script>"""
