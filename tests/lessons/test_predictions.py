"""The predictions as data: each is requested once, in its chapter, before a cell that answers it.

The forms in predicted_forms.json were written before the judge: what people type, right and wrong.
tests/browser/test_predictions.py asks the page's judge about the same table.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from minigrad_lessons import build, predict
from minigrad_lessons.predictions import CHAPTERS, PREDICTIONS
from minigrad_lessons.predictions.judge import judge
from minigrad_lessons.predictions.prediction import Asked, Prediction, label

from tests.sampling import all_of

ASKS = re.compile(r'predict\("(\d\d\.[a-z])"\)')
PHRASE = {"en": "> **Predict, then run.** ", "zh": "> **先预测，再运行。** "}
NOTEBOOKS = [build.notebook_path(s, tongue) for s in build.chapters() for tongue in build.LANGUAGES]


def cells_of(path: Path) -> list[Any]:
    return list(nbformat.read(path, as_version=4).cells)


def tagged(cell: Any, tag: str) -> bool:
    return tag in cell.metadata.get("tags", [])


def asked(path: Path) -> list[str]:
    """The names of the predictions that a notebook asks for."""
    found = (ASKS.fullmatch(cell.source) for cell in cells_of(path) if tagged(cell, "ask"))
    return [each[1] for each in found if each]


WITH = [path for path in NOTEBOOKS if path.exists() and asked(path)]


NOT_YET = {"11_training"}
"""Chapters whose predictions still stand above their own outputs; the list only becomes shorter."""


WEEK = {source.stem for source in build.chapters() if source.parent.name == "week"}
"""The lecture has polls, and neither lab nor assignment asks for predictions."""


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", WITH, ids=name)
def test_question_box_and_answer_are_adjacent(path: Path) -> None:
    cells = cells_of(path)
    places = [place for place, cell in enumerate(cells) if tagged(cell, "ask")]
    for place in places:
        assert ASKS.fullmatch(cells[place].source), cells[place].source
        question = cells[place - 1]
        assert question.cell_type == "markdown"
        assert PHRASE[path.parent.name] in question.source.split("\n\n")[-1]
        assert tagged(cells[place + 1], "predict")
        assert cells[place + 1].outputs
    assert sum(tagged(cell, "predict") for cell in cells) == len(places)
    prose = "".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert prose.count(PHRASE[path.parent.name]) == len(places)


def test_every_chapter_asks() -> None:
    """But for the front page, which says what "predict" means, and the week."""
    without = {path.stem for path in NOTEBOOKS} - {path.stem for path in WITH}
    assert without <= NOT_YET | WEEK | {"00_index"}


@pytest.mark.parametrize("path", WITH, ids=name)
def test_chapter_has_three_ordered_predictions(path: Path) -> None:
    number = path.stem[:2]
    assert len(asked(path)) >= 3
    names = [name for part in sorted(path.parent.glob(f"{number}_*")) for name in asked(part)]
    assert names == [f"{number}.{letter}" for letter in "abcdefghijkl"[: len(names)]]


@pytest.mark.parametrize("path", WITH, ids=name)
def test_only_predicted_outputs_are_folded(path: Path) -> None:
    for cell in cells_of(path):
        folded = cell.metadata.get("jupyter") == {"outputs_hidden": True}
        answers = tagged(cell, "predict") or (tagged(cell, "told") and cell.cell_type == "code")
        assert folded == answers, cell.source
        if folded and cell.outputs[0].output_type != "error":
            assert first_line(cell.outputs[0]) in lines_above(path.parent.name), cell.source


def first_line(output: Any) -> str:
    """Return the text that JupyterLab shows for a folded output."""
    if output.output_type == "stream":
        return str(output.text).splitlines()[0]
    kinds = ("text/html", "image/svg+xml", "text/plain")
    text = next(output.data[kind] for kind in kinds if kind in output.data)
    return str(text).splitlines()[0]


def lines_above(language: Any) -> set[str]:
    line = build.PREDICT_FIRST[language].strip()
    return {line, f"<!-- {line} -->"}


@pytest.mark.parametrize("path", WITH, ids=name)
def test_prose_on_predicted_output_is_folded(path: Path) -> None:
    """The first words after each such output, and nothing that a heading or a question begins."""
    above = build.AFTERWARDS[path.parent.name]
    cells = cells_of(path)
    for place, cell in enumerate(cells):
        if cell.cell_type == "markdown":
            folded = cell.metadata.get("jupyter") == {"source_hidden": True}
            assert folded == tagged(cell, "told") == cell.source.startswith(above)
            assert not (folded and re.search(r"^(#|>)", cell.source, re.MULTILINE))
        if tagged(cell, "predict"):
            words = next(c for c in cells[place + 1 :] if c.cell_type == "markdown")
            assert tagged(words, "told") or re.match(r"#|>", words.source), words.source


def test_folding_ends_at_heading_or_question() -> None:
    v4 = nbformat.v4
    cells = [
        v4.new_markdown_cell("Before."),
        v4.new_code_cell("1 + 1", metadata={"tags": ["predict"]}),
        v4.new_code_cell("viz.draw(x)"),
        v4.new_markdown_cell("It is 2.\n\nTwo."),
        v4.new_code_cell("x"),
        v4.new_markdown_cell("More.\n\n> **Predict, then run.** And now?"),
        v4.new_code_cell("viz.draw(y)"),
    ]
    told = build.folded(cells, "en")
    assert [(cell.source, cell.metadata.get("jupyter")) for cell in told] == [
        ("Before.", None),
        ("1 + 1", None),  # as code_metadata has folded it
        ("viz.draw(x)", {"outputs_hidden": True}),
        (build.AFTERWARDS["en"] + "It is 2.\n\nTwo.", {"source_hidden": True}),
        ("x", None),
        ("More.\n\n> **Predict, then run.** And now?", None),
        ("viz.draw(y)", None),
    ]


@pytest.mark.parametrize("path", WITH, ids=name)
def test_stored_box_folds_the_answer(path: Path) -> None:
    for cell in cells_of(path):
        if tagged(cell, "ask"):
            (output,) = cell.outputs
            page = output.data["text/html"]
            assert "<script" not in page
            answer = label(PREDICTIONS[ASKS.findall(cell.source)[0]].right, path.parent.name)
            before, _, behind = page.partition("<details>")
            assert f"<strong>{answer}</strong>" in behind and answer not in before.split(">")


def test_only_text_can_be_predicted() -> None:
    picture = nbformat.v4.new_output("display_data", {"image/svg+xml": "<svg/>", "text/plain": "1"})
    about = {"tags": ["predict"]}
    with pytest.raises(build.ChapterError, match="must be text"):
        build.fold(nbformat.v4.new_code_cell("draw()", outputs=[picture], metadata=about), "en")


def test_every_prediction_is_asked_for_once() -> None:
    assert sorted(each for path in WITH if path.parent.name == "en" for each in asked(path)) == (
        sorted(PREDICTIONS)
    )


def test_every_chapter_s_predictions_have_its_number() -> None:
    numbers = {each.removeprefix("chapter_") for each in CHAPTERS}
    assert {each.split(".")[0] for each in PREDICTIONS} == numbers


@pytest.mark.parametrize("each", PREDICTIONS)
def test_a_prediction_speaks_both_languages(each: str) -> None:
    prediction = PREDICTIONS[each]
    assert prediction.wrong
    hints = [] if prediction.hint is None else [prediction.hint]
    for words in (prediction.why, *hints, *(wrong.says for wrong in prediction.wrong)):
        assert re.search(r"[一-龥]", words.zh) and not re.search(r"[一-龥]", words.en)
        assert words.en[-1] in ".?!" and words.zh[-1] in "。？！"
        assert words.en.count("`") % 2 == 0 and words.zh.count("`") % 2 == 0


@pytest.mark.parametrize("each", PREDICTIONS)
def test_no_two_answers_look_alike(each: str) -> None:
    prediction = PREDICTIONS[each]
    answers = [prediction.right, *(wrong.answer for wrong in prediction.wrong)]
    for tongue in build.LANGUAGES:
        assert len({label(answer, tongue) for answer in answers}) == len(answers)


def test_an_unknown_prediction_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"no prediction '99\.a'"):
        predict("99.a")


def test_prediction_has_language_of_folder(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "zh").mkdir()
    monkeypatch.chdir(tmp_path / "zh")
    assert predict("02.a").language == "zh"
    assert "预测" in repr(predict("02.a"))
    assert PREDICTIONS["02.a"].why.zh in predict("02.a").html


def test_what_an_answer_holds_ends_no_script() -> None:
    strange = Prediction("</script><b>", PREDICTIONS["02.a"].why)
    page = Asked("x", strange, "en").html
    assert page.count("</script>") == 1 and "<b>" not in page.partition("<script")[0]


FORMS = json.loads((Path(__file__).parent / "predicted_forms.json").read_text(encoding="utf-8"))


def test_forms_cover_every_prediction() -> None:
    assert set(FORMS) == set(PREDICTIONS)
    assert sum(len(forms["right"]) for forms in FORMS.values()) > 1_000
    assert sum(len(forms["wrong"]) for forms in FORMS.values()) > 600


def test_judge_accepts_natural_right_forms() -> None:
    """At least 99 in 100; the others are not read, or not in the way they are meant."""
    typed = [(name, form) for name, forms in FORMS.items() for form in forms["right"]]
    refused = [(name, form) for name, form in typed if predict(name).judge(form).place != 0]
    assert len(refused) <= len(typed) / 100, refused


def test_judge_accepts_no_wrong_form() -> None:
    typed = [(name, form) for name, forms in FORMS.items() for form in forms["wrong"]]
    assert [(n, form) for n, form in typed if predict(n).judge(form).place == 0] == []


def test_unread_right_form_is_no_try() -> None:
    """Right forms that the judge cannot read, most of them with a remark; the list is a tenth."""
    typed = [(name, form) for name, forms in FORMS.items() for form in forms.get("unread", [])]
    assert [each for each in typed if predict(each[0]).judge(each[1]).kind != "unread"] == []
    assert 10 * len(typed) < sum(len(forms["right"]) for forms in FORMS.values())


@pytest.mark.parametrize("name", PREDICTIONS)
def test_spelling_belongs_to_its_answer_alone(name: str) -> None:
    answers = PREDICTIONS[name].answers
    for place, answer in enumerate(answers):
        for spelling in answer.split("|"):
            typed = spelling.replace("any", "-77")
            assert predict(name).judge(typed).place == place, spelling


UNREAD = (
    *("maybe 18", "18 or 9", "more than 18", "at least 18", "not 18", "18, 18", "", "(", "1/0"),
    *("3*5=18", "what?", "...", "十八或九", "不到十八", "(" * 100_000),
)


@pytest.mark.parametrize("typed", UNREAD, ids=range(len(UNREAD)))
def test_unreadable_text_is_no_try(typed: str) -> None:
    assert judge(typed, ["18", "9"]).kind == "unread"


def test_readable_wrong_answer_is_a_try() -> None:
    for typed in ("17", "None", "error", "二十", "1/2"):
        assert judge(typed, ["18", "9"]).kind == "other", typed
    assert judge("9", ["18", "9"]).place == 1


def test_reading_names_values() -> None:
    assert judge("3 paths, each brings 4", ["3, 4, 12"]).reading == "3, 4"
    assert judge("五、负八百一十", ["5, -810"]).reading == "5, -810"


def test_field_with_remark_is_right() -> None:
    assert predict("03.a").judge("13\nthree times that, 39").place == 0
    assert predict("03.a").judge("13\nthree times that, 36").place != 0


def test_parts_are_told_in_any_order() -> None:
    for typed in (
        "2 for the third, 1 for the first, 0 for the second",
        "第 1 个 0，第 0 个 1，第 2 个 2",
    ):
        assert predict("12.c").judge(typed).place == 0, typed


DOUBTED = """not R|can't be R|less than R|between W and R|either R or W|R, then W|R? no, W
R becomes W|R, which becomes W|W instead of R|W; PyTorch: R|R at first, W at the end
I thought R, but it is W|> R|anything but R|R and counting|half of R|R minus W|it was R, now it is W
W, not R|R only in the first step
不是R|不到R|比R少|R或W|先R后W|R，然后W|不是R而是W|从R到W|以为是R，其实是W|难道是R
W，不是R|R的一半|除了R"""
"""Statements that are wrong where R is right and W is not."""


def test_judge_accepts_no_doubted_right_number() -> None:
    typed = []
    for name, prediction in PREDICTIONS.items():
        right = prediction.right.split("|")[0]
        wrong = [w.answer.split("|")[0] for w in prediction.wrong]
        numbers = [each for each in wrong if re.fullmatch("-?[1-9][0-9.]*", each)]
        if numbers and re.fullmatch("-?[1-9][0-9.]*", right):
            forms = re.split(r"[|\n]", DOUBTED)
            typed += [(name, f.replace("R", right).replace("W", numbers[0])) for f in forms]
    assert len(typed) > 1_000
    asked = typed if all_of("COURSE") else typed[::5]
    assert [each for each in asked if predict(each[0]).judge(each[1]).place == 0] == []


def test_right_number_in_wrong_statement_is_unread() -> None:
    for name, typed in (("01.c", "2: x and y"), ("15.b", "2 个不变的"), ("11.b", "5 turns")):
        assert predict(name).judge(typed).kind == "unread", typed


@pytest.mark.parametrize("name", PREDICTIONS)
def test_typed_prediction_has_hint(name: str) -> None:
    """With choices, each wrong answer has a sentence of its own."""
    prediction = PREDICTIONS[name]
    assert (prediction.hint is None) == prediction.choices
    right = label(prediction.right, "en")
    assert prediction.hint is None or len(right) < 3 or right not in prediction.hint.en


@pytest.mark.parametrize("name", PREDICTIONS)
def test_sentence_on_wrong_answer_hides_right_one(name: str) -> None:
    """A second try follows it. A right answer of one or two signs may stand in another number."""
    prediction = PREDICTIONS[name]
    right = label(prediction.right, "en")
    for wrong in prediction.wrong if len(right) > 2 and not prediction.choices else ():
        pattern = rf"(?<![-\w.]){re.escape(right)}(?![\w.]*\w)"
        assert not re.search(pattern, wrong.says.en + wrong.says.zh, re.ASCII), wrong.says.en
