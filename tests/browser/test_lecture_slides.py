"""The lecture in a browser: which keys turn its slides, and its handout on a phone."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import nbformat
import pytest
from minigrad_lessons import build
from minigrad_lessons.lab.language import Language
from minigrad_lessons.week import handout

import minigrad as mg
from tests.browser import waiting

BEYOND_SCREEN = """() => Array.from({ length: Reveal.getTotalSlides() }, () => {
  const slide = Reveal.getCurrentSlide()
  const below = slide.scrollHeight - slide.clientHeight
  const across = slide.scrollWidth - slide.clientWidth
  Reveal.next()
  return Math.max(below, across)
})"""
"""Turn all slides; return by how many pixels each of them is larger than the screen."""


FIGURES = """() => Array.from({ length: Reveal.getTotalSlides() }, () => {
  const figure = Reveal.getCurrentSlide().querySelector(".jp-RenderedSVG > :is(svg, img)")
  const height = figure?.clientHeight
  Reveal.next()
  return height
}).filter(Boolean)"""
"""The heights of the figures that viz.draw has drawn."""

VISIT = """([key, keyCode]) => Array.from({ length: Reveal.getTotalSlides() }, () => {
  const place = Reveal.getSlidePastCount()
  const pressed = { key, keyCode, bubbles: true, cancelable: true }
  document.body.dispatchEvent(new KeyboardEvent("keydown", pressed))
  return place
})"""
"""Press a key on every slide that it leads to; return the numbers of the slides."""

KEYS = {"ArrowRight": 39, "ArrowLeft": 37, " ": 32, "PageUp": 33, "PageDown": 34}


def program(lib: Any) -> Any:
    x = lib.tensor(3.0, requires_grad=True)
    return x * x


@pytest.fixture(scope="module")
def lecture(request: Any, frontend: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the slides, with steppers of another program that is recorded at once."""
    slides = pytest.importorskip("minigrad_lessons.week.slides", reason="nbconvert is missing")
    language: Language = getattr(request, "param", "en")
    notebook = nbformat.read(build.LESSONS / language / f"{handout.LECTURE}.ipynb", as_version=4)
    made = {
        "viz.step(": viz.step(program(mg)).html,
        "viz.compare(": viz.compare(program, mg, mg).html,
    }
    for cell in notebook.cells:
        for call, html in made.items():
            if cell.cell_type == "code" and call in cell.source:
                cell.outputs[0].data["text/html"] = html
    folder = tmp_path_factory.mktemp("slides")
    (folder / "index.html").write_text(slides.slides(notebook, language), encoding="utf-8")
    for name in ("slides.js", "slides.css"):
        shutil.copy(slides.PARTS / name, folder)
    (folder / "reveal.js").symlink_to(frontend / "node_modules" / "reveal.js")
    return (folder / "index.html").as_uri()


@pytest.fixture
def slides(page: Any, lecture: str) -> Any:
    """The first slide, in a page whose slides turn without motion."""
    page.goto(lecture)
    page.locator(".reveal.ready").wait_for()
    page.evaluate("Reveal.configure({ transition: 'none' })")
    return page


def place(slides: Any) -> int:
    """The number of the slide that shows."""
    return int(slides.evaluate("Reveal.getSlidePastCount()"))


def shown(slides: Any, selector: str, call: str = "") -> Any:
    """Show the first slide with an element, and return the elements of this kind on it."""
    count = slides.evaluate("Reveal.getTotalSlides()")
    for _ in range(count):
        slide = slides.locator("section.present:not(.stack)").last
        if slide.locator(selector).count() and call in slide.inner_text():
            return slide.locator(selector)
        slides.evaluate("Reveal.next()")
    raise AssertionError(f"no slide has {selector}")


@pytest.mark.parametrize("lecture", ["en", "zh"], indirect=True)
def test_slides_fit_the_screen(slides: Any) -> None:
    assert slides.locator(".reveal > .controls").get_attribute("data-controls-layout") == "edges"
    count = slides.evaluate("Reveal.getTotalSlides()")
    assert count > 15 and slides.locator(".slide-number-b").inner_text() == str(count)
    slides.locator(".minigrad-stepper").nth(2).wait_for(state="attached")
    assert slides.evaluate(BEYOND_SCREEN) == [0] * count


def test_each_key_visits_every_slide(slides: Any) -> None:
    everything = list(range(slides.evaluate("Reveal.getTotalSlides()")))
    for key in KEYS:  # from the first slide to the last, back, and so on
        visited = slides.evaluate(VISIT, [key, KEYS[key]])
        assert visited == (everything[::-1] if key in ("ArrowLeft", "PageUp") else everything), key


def test_open_option_keeps_no_arrow(slides: Any) -> None:
    options = shown(slides, ".minigrad-poll details")
    here = place(slides)
    for number in range(options.count()):
        options.nth(number).locator("summary").click()
        # One option is open at a time.
        opened = [each.get_attribute("open") is not None for each in options.all()]
        assert opened == [at == number for at in range(options.count())]
    for key in list(KEYS)[::2]:
        options.first.locator("summary").click()
        slides.keyboard.press(key)
        assert place(slides) == here + 1, key
        slides.keyboard.press("PageUp")
    options.first.locator("summary").focus()  # as Tab does
    before = options.first.get_attribute("open")
    slides.keyboard.press(" ")
    assert place(slides) == here and options.first.get_attribute("open") != before


@pytest.mark.parametrize("call", ["viz.step(", "viz.compare("])
def test_stepper_steps_after_a_click(slides: Any, call: str) -> None:
    stepper = shown(slides, ".minigrad-stepper", call).first
    here = place(slides)
    position, hints = stepper.locator(".position").last, slides.locator(".present .minigrad-keys")
    before = [each.is_visible() for each in hints.last.locator("span").all()]
    slides.keyboard.press("ArrowRight")
    assert place(slides) == here + 1
    slides.keyboard.press("ArrowLeft")
    assert place(slides) == here and position.text_content().startswith("1 /")
    waiting.drawn(slides)
    stepper.locator(".canvas svg .n").last.click()
    after = [each.is_visible() for each in hints.last.locator("span").all()]
    assert (before, after) == ([True, False], [False, True])
    slides.keyboard.press("Home")
    slides.keyboard.press("ArrowRight")
    assert place(slides) == here and position.text_content().startswith("2 /")
    slides.keyboard.press("PageDown")
    assert place(slides) == here + 1
    slides.keyboard.press("PageUp")
    assert place(slides) == here and position.text_content().startswith("2 /")
    slides.keyboard.press("ArrowRight")  # turning the page took the focus from the stepper
    assert place(slides) == here + 1


def test_figures_fill_their_slides(slides: Any) -> None:
    heights = slides.evaluate(FIGURES)
    assert len(heights) == 3
    assert all(height > 0.85 * slides.viewport_size["height"] for height in heights)


@pytest.mark.parametrize("call", ["viz.step(", "viz.compare("])
def test_waiting_gradient_is_seen_whole(slides: Any, call: str) -> None:
    slides.set_viewport_size({"width": 1280, "height": 720})
    stepper = shown(slides, ".minigrad-stepper", call).first
    waiting.drawn(slides)
    stepper.locator(".controls").get_by_role("button", name="Next step").click()
    row, pane = stepper.locator(".buffers tbody tr").first, stepper.locator(".buffers").first
    assert "2 of 2" in row.inner_text()
    [inner, outer] = [each.bounding_box() for each in (row, pane)]
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"] < 720


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
