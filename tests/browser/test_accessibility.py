"""Nobody is left out: what axe-core finds wrong in the stepper, in both themes and all views."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser import recordings

Open = Callable[..., Any]


def complaints(page: Any, axe: str) -> list[str]:
    """Each rule that is broken, with the elements that break it."""
    page.wait_for_timeout(200)  # colours that are still fading have no contrast to measure
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)
    result = page.evaluate("axe.run('.minigrad-stepper')")
    assert len(result["passes"]) > 10
    return [
        f"{broken['id']} ({broken['impact']}): {found['html']} {found['failureSummary']}"
        for broken in result["violations"]
        for found in broken["nodes"]
    ]


@pytest.fixture(scope="session")
def axe(frontend: Path) -> str:
    return (frontend / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [500, 860, 1280])
def test_every_step_is_accessible(open_steppers: Open, axe: str, scheme: str, width: int) -> None:
    page = open_steppers(recordings.linear(), color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    for step in (0, 2, 4, 5):
        page.get_by_role("slider").fill(str(step))
        assert complaints(page, axe) == []


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
