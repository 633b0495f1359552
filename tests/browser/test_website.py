"""The web site of the lessons, opened from disk: it steps, and it asks nobody for anything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

website = pytest.importorskip("minigrad_lessons.website", reason="nbconvert is not installed")
CHAPTER = "02_backward"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of two chapters in either language, just built."""
    folder: Path = tmp_path_factory.mktemp("site")
    sources = website.build.named(["00_index", CHAPTER])
    written = website.write(sources, folder)
    assert written == sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return folder


@pytest.fixture
def visit(page: Any, site: Path) -> Iterator[Any]:
    """Open a page of the site, in a window that is not wide."""
    page.set_viewport_size({"width": 1100, "height": 900})

    def open_it(name: str) -> Any:
        page.goto((site / name).as_uri())
        return page

    yield open_it
    page.evaluate("localStorage.clear()")  # where the site keeps the theme


def test_the_front_page_leads_to_the_index(visit: Any) -> None:
    page = visit("index.html")
    page.wait_for_url("**/en/00_index.html")
    page.get_by_role("link", name="backward and .grad").first.click()
    page.wait_for_url(f"**/en/{CHAPTER}.html")
    assert page.get_by_role("heading", level=1).inner_text() == "2 · backward and .grad"


def test_a_chapter_steps(visit: Any) -> None:
    stepper = visit(f"en/{CHAPTER}.html").locator(".stepper").first
    position = stepper.locator(".position")
    count = int(position.inner_text().split("/")[1])
    assert count > 2
    for step in range(2, count + 1):
        stepper.get_by_role("button", name="Next step").click()
        assert position.inner_text() == f"{step} / {count}"
    assert "AccumulateGrad" in stepper.locator(".node h2 strong").inner_text()
    stepper.get_by_role("button", name="First step").click()
    assert position.inner_text() == f"1 / {count}"


def test_every_cell_of_the_chapter_is_there(visit: Any) -> None:
    page = visit(f"en/{CHAPTER}.html")
    notebook = website.build.LESSONS / "en" / f"{CHAPTER}.ipynb"
    cells = website.build.nbformat.read(notebook, as_version=4).cells
    assert page.locator(".cell").count() == len(cells)
    figures = [c for c in cells if c.source.startswith("viz.draw(")]
    assert page.locator(".output_html > svg:visible").count() == len(figures) > 0


def test_formulas_are_drawn(visit: Any) -> None:
    page = visit(f"en/{CHAPTER}.html")
    formulas = page.locator("p math:visible").all()
    assert len(formulas) > 5
    assert all(formula.bounding_box()["height"] > 5 for formula in formulas)
    assert "$" not in page.locator("main").inner_text()


def test_the_other_language_is_one_click_away(visit: Any) -> None:
    page = visit(f"en/{CHAPTER}.html")
    page.get_by_role("link", name="中文").click()
    page.wait_for_url(f"**/zh/{CHAPTER}.html")
    page.locator(".stepper").first.get_by_role("button", name="下一步").click()
    assert page.locator("html").get_attribute("lang") == "zh"
    page.get_by_role("link", name="English").click()
    page.wait_for_url(f"**/en/{CHAPTER}.html")


def test_dark_is_one_click_away_and_stays(visit: Any) -> None:
    def brightness(selector: str) -> int:
        colour = page.locator(selector).first.evaluate(
            "e => getComputedStyle(e).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)"
        )
        return sum(colour)

    page = visit(f"en/{CHAPTER}.html")
    assert brightness("body") > 600 and brightness(".stepper") > 600
    page.get_by_role("button", name="Light or dark").click()
    assert brightness("body") < 150 and brightness(".highlight") < 150
    node = page.locator(".output_html > svg text").first
    dark = node.evaluate("e => getComputedStyle(e).fill")
    page.get_by_role("button", name="Light or dark").click()
    assert node.evaluate("e => getComputedStyle(e).fill") != dark
    page.get_by_role("button", name="Light or dark").click()
    page.reload()
    assert brightness("body") < 150
    page.get_by_role("button", name="Light or dark").click()
    assert brightness("body") > 600


@pytest.mark.parametrize("width", [1100, 420])
def test_a_page_is_not_wider_than_the_screen(visit: Any, width: int) -> None:
    page = visit(f"zh/{CHAPTER}.html")
    page.set_viewport_size({"width": width, "height": 900})
    page.locator(".stepper").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
