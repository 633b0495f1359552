"""What a prediction is: plain data, and the box that asks for it.

A chapter asks what the next cell will put out. The reader commits to an answer, is told whether it
is right and why, and then runs the cell, whose stored output is folded until then (build.py).
Answers are judged by predict.js alone, because a page has no kernel.

The box is HTML with its program in it, as the stepper is, and not a widget's view: a view is a key
into a running kernel, and a saved notebook that is opened again would show an error in its place.
Where scripts do not run, the answer is behind a fold.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..exercises.exercise import Words
from ..language import Language

__all__ = ["Asked", "Prediction", "Words", "Wrong"]

CODE = re.compile("`([^`]+)`")
MODULE = (Path(__file__).parent / "predict.js").read_text(encoding="utf-8")
"""The program that shows the box and judges what is typed into it."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong answer that people give, as they type it, and what is to be said of it: true of
    whoever gives it.
    """

    answer: str
    says: Words


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the next cell puts out, and why.

    An answer is one or more numbers and words, "7" or "0, 4, 8" or "None", or a short phrase;
    spellings that are as good stand behind a "|", as in "None|nothing|无". With `choices` the
    reader is shown buttons, one for each answer, with the first spelling in the reader's language.
    """

    right: str
    why: Words
    wrong: tuple[Wrong, ...] = ()
    choices: bool = False


SAID = {
    "gap": Words(" ", ""),  # between two sentences
    "ask": Words("Your prediction", "你的预测"),
    "answer": Words("Answer", "提交"),
    "reveal": Words("Show me", "直接看答案"),
    "right": Words("Right.", "正确。"),
    "other": Words("Not this time.", "这次没猜中。"),
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
"""What the box itself says."""


def label(answer: str, language: Language) -> str:
    """The first spelling in a language; the very first where none is in it.

    >>> label("None|nothing|无", "zh"), label("None|nothing|无", "en"), label("7", "zh")
    ('无', 'None', '7')
    """
    spellings = [each.strip() for each in answer.split("|")]
    chinese = [each for each in spellings if any("\u4e00" <= sign <= "\u9fff" for sign in each)]
    return chinese[0] if language == "zh" and chinese else spellings[0]


@dataclass(frozen=True, slots=True)
class Asked:
    """A prediction that is asked for, in one language. A notebook shows the box."""

    name: str
    prediction: Prediction
    language: Language

    def payload(self) -> dict[str, Any]:
        """All that predict.js needs to know."""
        answers = [
            {"answer": self.prediction.right, "says": self.prediction.why},
            *map(asdict, self.prediction.wrong),
        ]
        for each in answers:
            each["label"] = label(each["answer"], self.language)
            each["says"] = Words(*each["says"]).spoken(self.language)
        return {
            "name": self.name,
            "answers": answers,  # the right one is the first
            "choices": self.prediction.choices,
            "language": self.language,
            "said": {key: words.spoken(self.language) for key, words in SAID.items()},
        }

    @property
    def html(self) -> str:
        """The box as a piece of a page."""
        said = {key: html.escape(words.spoken(self.language)) for key, words in SAID.items()}
        why = html.escape(self.prediction.why.spoken(self.language))
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
        return SAID["plain"].spoken(self.language)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": repr(self)}


# The program is the whole module, made a part of the page's own: what it exports, it exports to
# nobody here, and to the tests as a file.
FRAGMENT = """<div class="minigrad-prediction" data-prediction="{name}">
<p class="minigrad-run">{first}</p>
<details><summary>{fold}</summary><p>{answer}{gap}{why}</p></details>
</div>
<script type="module">
{module}
mountAll({payload});
</script>"""
