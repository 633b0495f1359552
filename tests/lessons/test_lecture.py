"""The lecture of the week: its slides, polls, notes and handout."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from minigrad_lessons import build
from minigrad_lessons.lab.language import LANGUAGES, Language
from minigrad_lessons.predictions import PREDICTIONS
from minigrad_lessons.predictions.prediction import label
from minigrad_lessons.site import pages
from minigrad_lessons.week import slides
from minigrad_lessons.week.handout import handout, print_page, write_handout
from minigrad_lessons.week.polls import Poll, poll
from nbformat import NotebookNode

ELSEWHERE = re.compile(r"(?:src|href)=[\"']?(?:https?:)?//|@import url\([\"']?(?:https?:)?//")
SHEET = re.compile(rb"/Type\s*/Page\b")
MINUTES = {
    "en": re.compile(r"\*\*Minutes (\d+) to (\d+)\.\*\*"),
    "zh": re.compile(r"\*\*第 (\d+) 到 (\d+) 分钟\*\*。"),
}


def lecture(language: Language) -> NotebookNode:
    path = build.LESSONS / language / f"{slides.LECTURE}.ipynb"
    return nbformat.read(path, as_version=4)


def kind(cell: NotebookNode) -> str:
    return str(cell.metadata.get("slideshow", {}).get("slide_type", ""))


@pytest.mark.parametrize("language", LANGUAGES)
def test_notes_cover_75_minutes(language: Language) -> None:
    notes = [cell.source for cell in lecture(language).cells if kind(cell) == "notes"]
    spans = [MINUTES[language].match(each) for each in notes]
    times = [(int(span[1]), int(span[2])) for span in spans if span]
    assert len(times) == len(notes) >= 8
    assert times[0][0] == 0 and times[-1][1] == 75
    assert [end for _, end in times[:-1]] == [begin for begin, _ in times[1:]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_six_polls_offer_known_wrong_answers(language: Language) -> None:
    cells = [cell for cell in lecture(language).cells if cell.source.startswith("poll(")]
    names = [re.findall(r'"(.+)"', cell.source)[0] for cell in cells]
    assert len(names) == len(set(names)) == 6
    for name, cell in zip(names, cells, strict=True):
        prediction = PREDICTIONS[name]
        options = Poll(name, language).options()
        answers = [prediction.right, *(wrong.answer for wrong in prediction.wrong)]
        assert {each.answer for each in options} == {label(a, language) for a in answers}
        right = [each for each in options if each.right]
        assert [each.says for each in right] == [prediction.why.text(language)]
        assert "<script" not in cell.outputs[0].data["text/html"]
        assert cell.outputs[0].data["text/html"].count(f'<details name="{name}">') == len(options)


@pytest.mark.parametrize("language", LANGUAGES)
def test_slides_load_nothing_from_elsewhere(language: Language) -> None:
    notebook = lecture(language)
    begin = sum(kind(cell) in ("slide", "subslide") for cell in notebook.cells)
    page = slides.slides(notebook, language)
    assert ELSEWHERE.search(page) is None
    assert "MathJax" not in page
    assert page.count('<aside class="notes">') == sum(
        kind(cell) == "notes" for cell in lecture(language).cells
    )
    # The title begins the first slide, and each slide is a stack of its subslides.
    assert begin + 1 <= page.count("<section") <= 2 * (begin + 1)
    for name in ("slides.js", "slides.css"):
        assert name in page
        assert "http" not in (slides.PARTS / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_handout_has_a_front_and_a_back(language: Language) -> None:
    page = handout(language)
    assert page.count('<section class="back">') == 1
    assert "<svg" in page and "$" not in page.replace("$style", "")
    assert {"en": "saved tensor", "zh": "保存的张量"}[language] in page
    assert ELSEWHERE.search(page) is None


@pytest.mark.parametrize("language", ["en", "zh"])
def test_handout_prints_on_two_pages(chromium: str, tmp_path: Path, language: Language) -> None:
    page = tmp_path / "handout.html"
    page.write_text(handout(language), encoding="utf-8")
    assert print_page(page, chromium) == ""
    assert len(SHEET.findall(page.with_suffix(".pdf").read_bytes())) == 2


def test_site_has_handout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The page of the lecture links it, and the build writes it, here without Sphinx and a PDF."""
    sources = build.named([slides.LECTURE])
    monkeypatch.setattr("minigrad_lessons.site.chapters.ran", lambda notebook, *_: notebook)
    monkeypatch.setattr("minigrad_lessons.site.sources.write_documents", lambda *_: None)
    monkeypatch.setattr("minigrad_lessons.site.pages.run", lambda *arguments: None)
    monkeypatch.setattr("minigrad_lessons.site.shared.share", lambda *_: None)
    monkeypatch.setattr("minigrad_lessons.week.handout.print_page", lambda *_: "for this test")
    pages.build_site(sources, tmp_path / "site", tmp_path, reference=False)
    for language in LANGUAGES:
        text = (tmp_path / "sources" / language / f"{slides.LECTURE}.ipynb").read_text("utf-8")
        assert "handout.html" in text
        assert (tmp_path / "site" / language / "handout.html").exists()


def test_missing_browser_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nothing = str(tmp_path / "no-browser")
    assert not write_handout("en", tmp_path, nothing)
    assert (tmp_path / "handout.html").exists() and not (tmp_path / "handout.pdf").exists()
    assert "handout.html: no PDF, " in capsys.readouterr().err


def test_missing_reveal_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(slides, "find_spec", lambda name: None)
    assert slides.main(["-o", str(tmp_path)]) == 1
    assert "pip install '.[lab,slides]'" in capsys.readouterr().err


def test_unknown_poll_raises() -> None:
    with pytest.raises(ValueError, match=r"no prediction '99\.a'"):
        poll("99.a")
