"""Remarks and doubts around right predictions: drawn with a seed, for every prediction.

A remark never turns a right answer into a wrong one, and a doubt is never accepted.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator

from minigrad_lessons import predict
from minigrad_lessons.predictions import PREDICTIONS
from minigrad_lessons.predictions.prediction import label
from minigrad_lessons.predictions.reading import meaning

from tests.sampling import all_of

REMARKS = {
    "en": (
        ("{}, {}", "{} - {}", "{} ({})", "{}: {}", "{}, because {}", "{} since {}", "{}; {}"),
        ("the rule", "this graph", "the engine", "that function", "the chapter", "our formula"),
        ("says it", "works that way", "was explained above", "is simple here", "never lies"),
    ),
    "zh": (
        ("{}，{}", "{}（{}）", "{}：{}", "{}，因为{}", "{}；{}"),
        ("规则", "这张图", "引擎", "那个函数", "书里", "公式"),
        ("就这么说的", "是这样工作的", "前面讲过", "很简单", "从来不骗人"),
    ),
}
"""Ways to add a remark, and remarks by subject and verb."""
PLAIN = (
    "{}",
    "it is {}",
    "I think {}",
    "the answer is {}",
    "{}.",
    "是{}",
    "答案是{}",
    "我觉得是{}",
)


def asked_for() -> list[str]:
    return [name for name, each in PREDICTIONS.items() if not each.choices]


def remarked(seed: int, per_prediction: int, place: int = 0) -> Iterator[tuple[str, str]]:
    """Yield names of predictions and the answer at a place with a remark."""
    draw = random.Random(seed)
    for name, (language, (ways, subjects, verbs)) in itertools.product(
        asked_for(), REMARKS.items()
    ):
        answer = label(PREDICTIONS[name].answers[place], language).replace(";", ",")
        for _ in range(per_prediction if "any" not in answer else 0):
            space = " " if language == "en" else ""
            remark = draw.choice(subjects) + space + draw.choice(verbs)
            yield name, draw.choice(ways).format(answer, remark)


def test_remark_leaves_right_answer_right() -> None:
    typed = list(remarked(1, 12 if all_of("COURSE") else 3))
    assert [each for each in typed if predict(each[0]).judge(each[1]).place != 0] == []


def test_remark_leaves_wrong_answer_wrong() -> None:
    """It is not read where all values of the right answer stand in the text."""
    typed = list(remarked(2, 6 if all_of("COURSE") else 2, place=1))
    verdicts = [predict(name).judge(form) for name, form in typed]
    assert [form for form, said in zip(typed, verdicts, strict=True) if said.place == 0] == []
    assert sum(said.place == 1 for said in verdicts) > 0.9 * len(typed) > 200


def test_plain_answer_is_right() -> None:
    for name in asked_for():
        right = label(PREDICTIONS[name].right, "en").replace(";", ",")
        for form in PLAIN:
            assert predict(name).judge(form.format(right)).place == 0, (name, form)


DOUBTS = """not R|maybe R|R, maybe|R or W|either R or W|between R and W|R? no, W|R, no, W|R; no: W
less than R|more than R|at least R|almost R|close to R|> R|R+|R and more|R at most|R, or not
R, doubled|R, halved|R, or double|R but W|R at first, W at the end|R until it is cleared, then W
W, not R|W, although R is expected|W because R is the old one|I thought R, but it is W
R? I do not think so|R, wait, W|R, sorry, W|R is wrong|R in the text, W here|R, not sure
不是R|可能R|R，也许吧|R或W|R还是W|不到R|超过R|至少R|R以上|比R多|原来是R|R，不对，W|R？不，W
先R后W|R，然后W|以为是R，其实是W|应该是R但是W|W，不是R|W而不是R|除了R|几乎R|R才怪|R吗|R，不确定"""
"""Statements that are wrong, or sure of nothing, where R is right and W is not."""


def doubted() -> Iterator[tuple[str, str]]:
    """Yield names of predictions and doubts, each with the right answer and a wrong one."""
    for name in asked_for():
        prediction = PREDICTIONS[name]
        right = min(prediction.right.split("|"), key=lambda each: len(meaning(each)))
        answers = (each.answer.split("|")[0] for each in prediction.wrong)
        wrong = next((each for each in answers if not re.search("any|error", each)), None)
        if wrong is not None and "error" not in prediction.right:
            for form in re.split(r"[|\n]", DOUBTS):
                yield name, form.replace("R", right).replace("W", wrong)


def test_doubt_is_never_accepted() -> None:
    typed = list(doubted())
    assert len(typed) > 3_000
    asked = typed if all_of("COURSE") else list(itertools.islice(typed, 0, None, 5))
    assert [each for each in asked if predict(each[0]).judge(each[1]).place == 0] == []


def test_remark_with_number_is_read() -> None:
    """What the number does decides: a reason may name any, a second answer may not."""
    right = ("60, since g is 5", "60, 5 times 12", "12 times 5, 60", "60, not 12", "60: 3 * 20")
    wrong = (
        "60, 12",
        "60, so 12",
        "60, it is 12",
        "60, doubled",
        "60, divided by 5",
        "60, then 12",
    )
    for typed in right:
        assert predict("08.a").judge(typed).place == 0, typed
    for typed in wrong:
        assert predict("08.a").judge(typed).kind == "unread", typed
