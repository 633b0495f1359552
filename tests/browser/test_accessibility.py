"""Accessibility: axe-core finds no problem in the stepper, in both themes and all views."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import pytest

import minigrad as mg
from tests.browser import recordings
from tests.browser.waiting import drawn
from tests.sampling import first_of

Open = Callable[..., Any]

LOOK = """async () => {
    const found = await axe.run(".minigrad-stepper", { resultTypes: ["violations"] })
    const broken = found.violations.flatMap(({ id, impact, nodes }) =>
        nodes.map((node) => `${id} (${impact}): ${node.html} ${node.failureSummary}`))
    return [found.passes.length, broken]
}"""


def complaints(page: Any, axe: str) -> list[str]:
    """Each rule that is broken, with the elements that break it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)
    drawn(page)  # colours that still fade have no contrast to measure
    passed, broken = page.evaluate(LOOK)
    assert passed > 10
    return broken


@pytest.fixture(scope="session")
def axe(frontend: Path) -> str:
    return (frontend / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


SIZES = [(width, scheme) for width in (500, 860, 1280) for scheme in ("dark", "light")]


@pytest.mark.parametrize(("width", "scheme"), first_of("PAGES", SIZES))
def test_every_step_is_accessible(open_steppers: Open, axe: str, scheme: str, width: int) -> None:
    page = open_steppers(recordings.linear(), color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    for step in (0, 2, 4, 5):
        page.get_by_role("slider").fill(str(step))
        assert complaints(page, axe) == []


@pytest.mark.sampled("PAGES", 1)
@pytest.mark.parametrize("width", [420, 1024])
def test_a_page_of_its_own_is_accessible_as_a_whole(
    page: Any, axe: str, tmp_path: Path, width: int
) -> None:
    x = mg.tensor([3.0, float("nan")], requires_grad=True)
    page.set_viewport_size({"width": width, "height": 768})
    page.goto(viz.step((x**3).sum()).save(tmp_path / "page.html").as_uri() + "#step=3")
    page.locator(".stepper").wait_for()
    page.locator(".side:last-child td[data-flat]").first.click()
    page.evaluate(axe)
    drawn(page)
    found = page.evaluate(LOOK.replace('axe.run(".minigrad-stepper", ', "axe.run(document, "))
    assert found[1] == []
    assert page.get_by_role("main").get_by_role("heading", level=1).count() == 1


@pytest.mark.sampled("PAGES", 1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_questions_errors_and_searches_are_accessible(
    open_steppers: Open, axe: str, scheme: str
) -> None:
    page = open_steppers(recordings.hostile(), recordings.twice("zh"), color_scheme=scheme)
    english, chinese = page.locator(".stepper").all()
    english.get_by_role("button", name="Last step").click()
    english.get_by_role("searchbox").fill("img")
    english.get_by_role("button", name="Stop here").click()
    chinese.get_by_role("button", name="先预测").click()
    chinese.get_by_role("button", name="下一步").click()
    assert chinese.locator(".question").count() == 1
    assert complaints(page, axe) == []


@pytest.mark.sampled("PAGES", 1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_heat_map_is_accessible(open_steppers: Open, axe: str, scheme: str) -> None:
    x = mg.ones(12, 10, requires_grad=True)
    page = open_steppers(viz.step((x.softmax(1) * x).sum()).payload, color_scheme=scheme)
    page.get_by_role("slider").fill("3")
    page.locator(".side:last-child .mark").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".work").inner_text().startswith("[0, 1]")
    assert complaints(page, axe) == []


def test_steppers_of_a_page_have_different_names(open_steppers: Open, axe: str) -> None:
    x = mg.tensor([2.0, 3.0], requires_grad=True)
    both = viz.compare(lambda power: (x**power).sum(), 2, 3).payload
    page = open_steppers(recordings.linear(), recordings.linear(), recordings.twice("zh"), both)
    page.evaluate(axe)
    found = page.evaluate(LOOK.replace('axe.run(".minigrad-stepper", ', "axe.run(document, "))
    assert [each for each in found[1] if each.startswith("landmark-unique")] == []
    names = [region.get_attribute("aria-label") for region in page.get_by_role("region").all()]
    assert len(names) == len(set(names)) == 4
