"""Predictions in a real browser: what the box's program takes for right, and how it is used."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from minigrad_lessons import build, predict
from minigrad_lessons.exercises import EXERCISES
from minigrad_lessons.exercises.judge import holds
from minigrad_lessons.exercises.plain import plain
from minigrad_lessons.predictions import PREDICTIONS
from minigrad_lessons.predictions.prediction import MODULE, Asked, Prediction, Words, Wrong
from minigrad_lessons.site import exercises

from tests.lessons.test_remarks import doubted, remarked
from tests.sampling import all_of

JUDGE = """async ([module, questions]) => {
    const { judge } = await import("data:text/javascript," + encodeURIComponent(module))
    return questions.map(([typed, texts, fields, unless]) => {
        const { place, kind } = judge(typed, texts, fields, unless)
        return [place, kind]
    })
}"""
CHECK = """async ([module, questions]) => {
    const { judgeExactly } = await import("data:text/javascript," + encodeURIComponent(module))
    return questions.map(([typed, texts]) => {
        const answers = texts.map((answer) => ({ answer }))
        return answers.indexOf(judgeExactly(typed, answers))
    })
}"""

Question = tuple[str, list[str]]
Judge = Callable[[list[Question]], list[int]]


@pytest.fixture
def judge(page: Any) -> Judge:
    """The place of the known answer that each text is; -1: none of them."""
    return lambda questions: [
        place for place, _ in page.evaluate(JUDGE, [MODULE, [[*each, []] for each in questions]])
    ]


@pytest.fixture
def check(page: Any) -> Judge:
    """The same for the answers of an exercise."""
    return lambda questions: list(page.evaluate(CHECK, [MODULE, questions]))


def answers_of(name: str) -> list[str]:
    return PREDICTIONS[name].answers


# --- Every prediction of the course


def outputs() -> dict[str, str]:
    """For each prediction what the cell puts out that answers it, as it is stored."""
    found = {}
    for source in build.chapters():
        path = build.notebook_path(source, "en")
        cells = nbformat.read(path, as_version=4).cells
        for asking, cell in itertools.pairwise(cells):
            if "ask" in asking.metadata.get("tags", []):
                found[asking.source.split('"')[1]] = "\n".join(map(said, cell.outputs))
    return found


def said(output: Any) -> str:
    """Return the text of an output; of an error its class."""
    if output.output_type == "error":
        return str(output.ename)
    return build.unfolded(output.get("text") or output["data"]["text/plain"])


def right_answers(name: str) -> list[str]:
    """The answers of a prediction; if it asks for the way as well, the last of its values."""
    answers = answers_of(name)
    last = [answers[0].split("|")[0].split(", ")[-1].split("; ")[-1]]
    return last if name in {"00.c", "02.b"} else answers


def test_right_answer_is_output_of_cell(judge: Judge) -> None:
    stored = outputs()
    questions = [(stored[name], right_answers(name)) for name in PREDICTIONS]
    judged = dict(zip(PREDICTIONS, judge(questions), strict=True))
    assert judged == dict.fromkeys(PREDICTIONS, 0), stored


FORMS = Path(__file__).parents[1] / "lessons" / "predicted_forms.json"


def test_page_judges_as_python_does(page: Any) -> None:
    """Every form of the table, at its own prediction and at another; remarks and doubts."""
    table = json.loads(FORMS.read_text(encoding="utf-8"))
    asked = [predict(name) for name in PREDICTIONS]
    questions, expected = [], []

    def add(each: Asked, form: str) -> None:
        unless = each.prediction.unless
        questions.append([form, each.prediction.answers, each.field_names, unless])
        verdict = each.judge(form)
        expected.append([verdict.place, verdict.kind])

    for place, own in enumerate(asked):
        other = asked[(place + 7) % len(asked)]
        forms = [form for forms in table[own.name].values() for form in forms]
        for form in forms if all_of("PAGES") else forms[::8]:
            for each in (own, other):
                add(each, form)
    drawn = [*remarked(3, 2), *remarked(4, 2, place=1), *doubted()]
    for name, form in drawn if all_of("PAGES") else drawn[::16]:
        add(predict(name), form)
    found = page.evaluate(JUDGE, [MODULE, questions])
    pairs = zip(questions, found, expected, strict=True)
    assert [(q[0], f, e) for q, f, e in pairs if f != e] == []


def test_a_page_judges_an_exercise_as_its_check_does(check: Judge) -> None:
    """Every literal answer that an exercise knows, where the page has a box for it."""
    questions: list[Question] = []
    expected: list[tuple[str, str]] = []
    for name, exercise in EXERCISES.items():
        answers = exercises.known(exercise)
        if answers is None:
            continue
        (solution,) = exercises.literal(exercise.solution)
        rejected = [*(hint.wrong for hint in exercise.hints), *exercise.rejected]
        for typed in (exercise.solution, *exercise.accepted, *rejected):
            for value in exercises.literal(typed):
                if isinstance(value, str) and not isinstance(solution, str):
                    continue  # in a box there are no quotes: "3" and 3 are the same
                questions.append((exercises.text(value), [each["answer"] for each in answers]))
                right = holds(exercise.right, value)
                known = (hint.says for hint in exercise.hints if holds(hint.when, value))
                says = exercise.because if right else next(known, exercise.otherwise)
                expected.append((name, says.en))
    assert len(questions) > 80
    found = []
    for (name, _), (_, texts), place in zip(expected, questions, check(questions), strict=True):
        answers = exercises.known(EXERCISES[name])
        assert answers is not None and len(answers) == len(texts)
        says = answers[place]["says"] if place >= 0 else EXERCISES[name].otherwise
        found.append((name, says.en))
    assert found == expected


def variants(answer: Any) -> Iterator[Any]:
    """Nearly right answers: the page must judge them as the check in Python does."""
    yield from (answer, [answer], [[answer]], [answer, answer], None, True, 0, "")
    if isinstance(answer, int | float) and not isinstance(answer, bool):
        yield from (answer * (1 + 5e-5), answer * (1 + 5e-4), answer + 1e-7, -answer, answer + 1)
        yield from (round(answer, 1), round(answer, 2), [answer, 0])
    if isinstance(answer, str):
        yield from (answer.lower(), answer.upper(), answer.swapcase(), answer + "s", answer[:-1])
    if isinstance(answer, list):
        yield from (answer[::-1], answer[1:], answer[:-1], [*answer, answer[0]], list(answer[0:1]))
        yield [answer[:1], answer[1:]]
        yield [part for each in answer for part in (each if isinstance(each, list) else [each])]
        if all(isinstance(part, str) for part in answer):
            yield from ([part.lower() for part in answer], [part.upper() for part in answer])
            yield from ("".join(answer), {"set": sorted(answer)}, {"set": sorted(answer[1:])})


def test_near_answers_are_judged_alike(check: Judge) -> None:
    """Right in both or in neither: lists in lists, other letters, sets, numbers that are close."""
    questions: list[Question] = []
    expected = []
    for name, exercise in EXERCISES.items():
        answers = exercises.known(exercise)
        if answers is None:
            continue
        for value in variants(exercises.literal(exercise.solution)[0]):
            questions.append((exercises.text(value), [str(each["answer"]) for each in answers]))
            expected.append((name, value, holds(exercise.right, value)))
    assert len(questions) > 400
    places = check(questions)
    found = [(n, v, place == 0) for (n, v, _), place in zip(expected, places, strict=True)]
    assert [pair for pair in zip(found, expected, strict=True) if pair[0] != pair[1]] == []


TYPED = [  # exercise, what is typed in Python, what is typed in a page, whether it is right
    ("06.4", "[[4, 1], [2, 5]]", "[[4, 1], [2, 5]]", True),
    ("06.4", "((4, 1), (2, 5))", "((4, 1), (2, 5))", True),
    ("06.4", "[[4., 1.], [2., 5.]]", "tensor([[4., 1.], [2., 5.]])", True),
    ("06.4", "[[4, 1], [2, 5]]", "［4，1］，［2，5］", True),
    ("06.4", "[4, 1, 2, 5]", "4, 1, 2, 5", False),
    ("06.4", "[[4, 1, 2, 5]]", "[[4, 1, 2, 5]]", False),
    ("06.4", "[[4, 1], [2], 5]", "[[4, 1], [2], 5]", False),
    ("06.1", "[5, 3]", "5 3", True),
    ("06.1", "[[5, 3]]", "[[5, 3]]", True),
    ("06.1", "[[5], [3]]", "[[5], [3]]", False),
    ("06.1", "5, 3", "5, 3", True),
    ("14.1", "8", "8", True),
    ("14.1", "8", "cut_grad = 8", True),
    ("14.1", "[8]", "[8]", True),
    ("14.1", "(8,)", "(8,)", True),
    ("14.1", "2 * 2 + 4", "2 * 2 + 4", True),
    ("14.1", "8.0004", "8.0004", True),
    ("14.1", "8.01", "8.01", False),
    ("90.1", "0.2", "80 / 400", True),
    ("90.1", "0.2", "(50 + 30) / (100 + 300)", True),
    ("90.1", "0.2001", "0.2001", False),
    ("01.2", '"NegBackward0"', '"NegBackward0"', True),
    ("01.2", '"NegBackward0"', "NegBackward0。", True),
    ("01.2", '"negbackward0"', "negbackward0", False),
    ("01.2", '["NegBackward0"]', "[NegBackward0]", False),
    ("03.3", '["a", "p"]', "['a', 'p']", True),
    ("03.3", '["p", "a"]', "p a", True),
    ("03.3", '["A", "P"]', "A, P", False),
    ("03.3", '{"a", "p"}', "{a, p}", True),
    ("03.3", '"ap"', "ap", False),
    ("03.3", '["a", ["p"]]', "[a, [p]]", False),
    ("16.1", '["E", "C", "A"]', "E, C, A", True),
    ("16.1", '["e", "c", "a"]', "e、c、a", True),
    ("08.2", "[True, False, False]", "True, False, False", True),
    ("08.2", "[True, False, False]", "(true, false, false)", True),
    ("08.2", "[1, 0, 0]", "1, 0, 0", False),
    ("08.2", '["True", "False"]', "True, False", False),
]


def test_python_and_page_judge_alike(check: Judge) -> None:
    by_python = []
    for name, python, _, _ in TYPED:
        value = plain(eval(python))  # rows of this table, and no learner's
        by_python.append(holds(EXERCISES[name].right, value))
    questions = []
    for name, _, typed, _ in TYPED:
        answers = exercises.known(EXERCISES[name])
        assert answers is not None
        questions.append((typed, [str(each["answer"]) for each in answers]))
    in_page = [place == 0 for place in check(questions)]
    table = zip(TYPED, by_python, in_page, strict=True)
    assert [(*row[:3], python, page) for row, python, page in table] == [
        (*row[:3], row[3], row[3]) for row in TYPED
    ]


# --- The judge

SAME = [
    ("7", "7"),
    ("7.0", "7"),
    (" 7. ", "7"),
    ("７", "7"),
    ("tensor(7.)", "7"),
    ("tensor(7., grad_fn=<AddBackward0>)", "7"),
    ("u.grad = 7", "7"),
    ("−3", "-3"),
    ("-0", "0"),
    ("1/3", "0.3333"),
    ("0.33", "1/3"),
    ("0.067", "0.0667"),
    ("0.96403", "0.9640"),
    ("1e-3", "0.001"),
    ("1e-05", "0.00001"),
    ("2 * 3 + 1", "7"),
    ("(1/4)**2", "0.0625"),
    ("64 * 100 + 1_0", "6410"),
    ("３＋４", "7"),
    ("-(3)", "-3"),
    ("0 8 16 24", "0, 8, 16, 24"),
    ("[0, 8, 16, 24]", "0, 8, 16, 24"),
    ("0，8、16；24", "0, 8, 16, 24"),
    ("tensor([ 0.,  8., 16., 24.])", "0, 8, 16, 24"),
    ("tensor([[1., 2.],\n        [3., 4.]], dtype=mg.float64)", "1, 2, 3, 4"),
    ("torch.Size([2, 3])", "2, 3"),
    ("tensor(4.)\ntensor(3.)\n", "4, 3"),
    ("none", "None|nothing|无"),
    ("无。", "None|nothing|无"),
    ("Nothing!", "None|nothing|无"),
    ("True,true, FALSE", "True, True, False"),
    ("nan", "nan"),
    ("-inf", "-inf"),
    ("-∞", "-inf"),
    ("in-place", "in place"),
    ("In  Place.", "in place"),
    ("就地 修改", "就地修改"),
    ("“None”", "None"),
    ("RuntimeError", "an error|RuntimeError|报错"),
    ("None, 4", "None, 4"),
    ("1-2-3", "1, 2, 3"),
]
OTHER = [
    ("6", "7"),
    ("7.4", "7"),
    ("12.4", "12"),
    ("12", "12.4"),
    ("101", "100"),
    ("1.52", "1.5"),
    ("0.3", "1/3"),
    ("0.34", "1/3"),
    ("1", "0.9640"),
    ("0.001", "0"),
    ("3", "-3"),
    ("inf", "-inf"),
    ("0, 8, 16", "0, 8, 16, 24"),
    ("8, 0, 16, 24", "0, 8, 16, 24"),
    ("7, 7", "7"),
    ("no", "None|nothing|无"),
    ("0", "None|nothing|无"),
    ("None", "0"),
    ("", "None"),
    ("(", "None"),
    ("3 + 5", "7"),
    ("1/0", "0"),
    ("...", "None"),
    ("1 2", "12"),
    ("4, None", "None, 4"),
    ("nan", "0"),
]


def test_answers_that_mean_the_same_are_the_same(judge: Judge) -> None:
    wrong = [pair for pair, place in zip(SAME, judge([(t, [m]) for t, m in SAME]), strict=True)
             if place != 0]  # fmt: skip
    assert wrong == []


def test_answers_that_mean_something_else_are_not(judge: Judge) -> None:
    wrong = [pair for pair, place in zip(OTHER, judge([(t, [m]) for t, m in OTHER]), strict=True)
             if place != -1]  # fmt: skip
    assert wrong == []


# --- The box

PAGE = """<!doctype html>
<html lang="{language}" data-theme="{theme}">
<meta charset="utf-8">
<title>predictions</title>
<style>
body {{ color: #14213d; background: #fff }}
[data-theme=dark] body {{ color: #e6eaf2; background: #11151d }}
</style>
<main>{boxes}</main>
</html>
"""
SLOPE = Prediction(
    right="2",
    why=Words("The slope of `2x` is 2.", "`2x` 的斜率是 2。"),
    wrong=(Wrong("x", Words("That is the input.", "那是输入。")),),
    hint=Words("Nudge it.", "推一推。"),
)
WORD = Prediction(
    right="None|nothing|无",
    why=Words("It was never requested.", "没有人要求过。"),
    wrong=(Wrong("0", Words("A zero would be a number.", "零是一个数。")),),
    choices=True,
)


@pytest.fixture
def ask(page: Any, tmp_path: Path) -> Callable[..., Any]:
    """Open a page that asks for predictions; its boxes."""

    def open_page(*predictions: Prediction, language: Any = "en", theme: str = "light") -> Any:
        boxes = [Asked(f"0{n}.a", each, language).html for n, each in enumerate(predictions)]
        file = tmp_path / "page.html"
        text = PAGE.format(language=language, theme=theme, boxes="\n".join(boxes))
        file.write_text(text, encoding="utf-8")
        page.goto(file.as_uri())
        page.locator(".minigrad-prediction[data-live]").nth(len(predictions) - 1).wait_for()
        return page.locator(".minigrad-prediction")

    return open_page


def test_the_right_answer_is_told_why(ask: Any) -> None:
    box = ask(SLOPE)
    box.get_by_label("Your prediction").fill("2.0")
    box.get_by_role("button", name="Answer").click()
    assert box.get_by_role("status").inner_text().split("\n\n") == [
        "Right. The answer: 2. The slope of 2x is 2.",
        "Now run the next cell and see.",
    ]
    assert box.locator("code").inner_text() == "2x"
    assert box.locator(".ask").count() == 0


def lines(box: Any) -> list[str]:
    return list(box.get_by_role("status").inner_text().split("\n\n"))


def test_known_mistake_then_answer(ask: Any) -> None:
    """After the first try the mistake is explained, after the second the answer is told."""
    box = ask(SLOPE)
    box.get_by_label("Your prediction").fill("X")
    box.get_by_label("Your prediction").press("Enter")
    assert lines(box) == ["Not this time. You said x. That is the input. Try once more."]
    box.get_by_role("button", name="Answer").click()
    assert lines(box)[:2] == [
        "Not this time. You said x. That is the input.",
        "The answer: 2. The slope of 2x is 2.",
    ]
    assert box.locator(".ask").count() == 0


def test_unknown_mistake_brings_hint(ask: Any) -> None:
    box = ask(SLOPE)
    for typed in ("5", "6"):
        box.get_by_label("Your prediction").fill(typed)
        box.get_by_role("button", name="Answer").click()
        if typed == "5":
            assert lines(box) == ["Not this time. You said 5. Nudge it. Try once more."]
            assert box.get_by_role("button", name="Show me").is_visible()
    assert lines(box)[:2] == [
        "Not this time. You said 6.",
        "The answer: 2. The slope of 2x is 2.",
    ]


def test_unread_text_costs_no_try(ask: Any) -> None:
    box = ask(SLOPE)
    for typed in ("<b>maybe</b>", "2 or 3", "2 or 4"):
        box.get_by_label("Your prediction").fill(typed)
        box.get_by_role("button", name="Answer").click()
        assert lines(box)[0].startswith("I read this as "), typed
        assert box.get_attribute("data-verdict") is None
    box.get_by_label("Your prediction").fill("two")
    box.get_by_role("button", name="Answer").click()
    assert lines(box)[0].startswith("Right.")


def test_each_thing_asked_has_field(ask: Any) -> None:
    box = ask(PREDICTIONS["00.c"])
    box.get_by_label("paths").fill("three")
    box.get_by_label("paths").press("Enter")
    assert box.get_by_label("each brings").evaluate("e => e === document.activeElement")
    box.get_by_role("button", name="Answer").click()
    assert lines(box)[0].startswith("I read this as 3, but 3 values are asked for.")
    box.get_by_label("each brings").fill("2*2")
    box.get_by_label("slope").fill("12")
    box.get_by_label("slope").press("Enter")
    assert lines(box)[0].startswith("Right. The answer: 3; 4; 12.")


def test_nothing_typed_is_no_answer(ask: Any) -> None:
    box = ask(SLOPE)
    box.get_by_role("button", name="Answer").click()
    assert box.get_by_role("status").inner_text() == ""
    assert box.get_by_label("Your prediction").evaluate("e => e === document.activeElement")


def test_the_answer_can_be_seen_without_one(ask: Any) -> None:
    box = ask(SLOPE)
    box.get_by_role("button", name="Show me").click()
    assert box.get_by_role("status").inner_text().startswith("The answer: 2.")
    assert box.get_attribute("data-verdict") is None


def test_choices_are_shuffled_buttons(ask: Any) -> None:
    box = ask(WORD, language="zh")
    assert box.get_by_role("button").all_inner_texts() == ["0", "None", "直接看答案"]
    box.get_by_role("button", name="0", exact=True).click()
    assert box.get_by_role("status").inner_text().split("\n\n") == [
        "这次没猜中。你的预测：0。零是一个数。",
        "答案：None。没有人要求过。",
        "现在运行下一个单元格，看看结果。",
    ]


def test_a_box_is_used_without_a_mouse(ask: Any) -> None:
    boxes = ask(SLOPE, WORD)
    page = boxes.page
    page.keyboard.press("Tab")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    first, second = boxes.all()
    assert first.get_by_role("status").inner_text().startswith("Right.")
    assert first.get_by_role("status").evaluate("e => e === document.activeElement")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert second.get_by_role("status").inner_text().startswith("Right. The answer: None.")


def test_a_page_that_shows_the_output_says_so(ask: Any) -> None:
    box = ask(SLOPE)
    box.page.evaluate("""addEventListener("minigrad-predicted", (event) => {
        document.title = event.detail.name
        event.preventDefault()
    })""")
    box.get_by_role("button", name="Show me").click()
    assert box.get_by_role("status").inner_text().endswith("The output stands below.")
    assert box.page.title() == "00.a"


LOOK = """async () => {
    const found = await axe.run("main", { resultTypes: ["violations"] })
    const broken = found.violations.flatMap(({ id, impact, nodes }) =>
        nodes.map((node) => `${id} (${impact}): ${node.html} ${node.failureSummary}`))
    return [found.passes.length, broken]
}"""


@pytest.mark.sampled("PAGES", 2)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_box_is_accessible(ask: Any, frontend: Path, language: str, theme: str) -> None:
    boxes = ask(SLOPE, WORD, SLOPE, language=language, theme=theme)
    page = boxes.page
    page.evaluate((frontend / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8"))
    boxes.nth(0).get_by_role("textbox").fill("x")
    boxes.nth(0).get_by_role("textbox").press("Enter")
    assert boxes.nth(0).get_attribute("data-verdict") == "wrong"
    passed, broken = page.evaluate(LOOK)
    assert passed > 10
    assert broken == []
    boxes.nth(1).get_by_role("button").nth(1).click()
    boxes.nth(2).get_by_role("button").nth(1).click()
    _, broken = page.evaluate(LOOK)
    assert broken == []


def test_answer_is_folded_without_scripts(page: Any) -> None:
    box = Asked("00.a", SLOPE, "en").html.partition("<script")[0]
    page.set_content(box)
    assert not page.get_by_text("The slope of").is_visible()
    page.get_by_text("The answer", exact=True).click()
    assert page.locator("details p").inner_text() == "The answer: 2. The slope of 2x is 2."


SUMS = (
    *("2 + 2 * 3", "64 * 10 + 1", "(1/4)**2", "2**3**2", "-2**2", "(-2)**2", "10 - 4 - 3"),
    *("12 / 3 / 2", "2 * -3", "+(1.5)", "1_000 * 2", ".5 + 5.", "1e-3 * 1e3", "((7))", "2**-1"),
)
NO_SUMS = ("1 +", "(1 + 2", "2 3 + 4", "1 // 2 * 3", "1 / 0", "3 * e", "(" * 100_000)


def test_arithmetic_is_computed_as_python_does(judge: Judge) -> None:
    assert judge([(typed, [str(eval(typed))]) for typed in SUMS]) == [0] * len(SUMS)
    anything = [str(number) for number in range(-10, 11)]
    assert judge([(typed, anything) for typed in NO_SUMS]) == [-1] * len(NO_SUMS)
