"""The lecture in a browser: its slides turn, and its polls open.

The slides have the outputs that the notebooks store; test_exported_notebooks.py steps on slides.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest
from minigrad_lessons import build
from minigrad_lessons.lab.language import Language
from minigrad_lessons.week import handout

BEYOND_SCREEN = """() => Array.from({ length: Reveal.getTotalSlides() }, () => {
  const slide = Reveal.getCurrentSlide()
  const below = slide.scrollHeight - slide.clientHeight
  const across = slide.scrollWidth - slide.clientWidth
  Reveal.next()
  return Math.max(below, across)
})"""
"""Turn all slides; return by how many pixels each of them is larger than the screen."""


@pytest.mark.parametrize("language", ["en", "zh"])
def test_slides_turn_and_polls_open(
    page: Any, frontend: Path, tmp_path: Path, language: Language
) -> None:
    slides = pytest.importorskip("minigrad_lessons.week.slides", reason="nbconvert is missing")
    stored = build.LESSONS / language / f"{handout.LECTURE}.ipynb"
    text = slides.slides(nbformat.read(stored, as_version=4))
    (tmp_path / "index.html").write_text(text, encoding="utf-8")
    for name in ("slides.js", "slides.css"):
        shutil.copy(slides.PARTS / name, tmp_path)
    (tmp_path / "reveal.js").symlink_to(frontend / "node_modules" / "reveal.js")
    page.goto((tmp_path / "index.html").as_uri())
    page.locator(".reveal.ready").wait_for()
    assert page.locator(".reveal .controls").get_attribute("data-controls-layout") == "edges"
    count = page.evaluate("Reveal.getTotalSlides()")
    assert count > 15 and page.locator(".slide-number-b").inner_text() == str(count)
    assert page.evaluate(BEYOND_SCREEN) == [0] * count
    page.evaluate("Reveal.slide(0)")
    option = page.locator("section.present:not(.stack) details").first
    for _ in range(count):
        if option.count():
            break
        page.evaluate("Reveal.next()")
    place = page.evaluate("Reveal.getIndices()")  # the address follows a second later
    option.locator("summary").click()
    assert option.get_attribute("open") is not None
    page.keyboard.press("ArrowRight")  # keys of a poll turn no slide
    assert page.evaluate("Reveal.getIndices()") == place


@pytest.mark.parametrize("language", ["en", "zh"])
def test_handout_fits_a_phone(
    page: Any, frontend: Path, tmp_path: Path, language: Language
) -> None:
    sheet = tmp_path / "handout.html"
    sheet.write_text(handout.handout(language), encoding="utf-8")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(sheet.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.evaluate((frontend / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run()).violations.map(({ id }) => id)")
    assert found == []
