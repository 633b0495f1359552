"""The memory lane above the slider, in a real browser: it follows the steps, leads to them, and
says in words what the curve shows.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import pytest

import minigrad as mg
from minigrad.utils.checkpoint import checkpoint
from tests.browser import recordings
from tests.browser.test_accessibility import complaints
from tests.speaking import speaking

Open = Callable[..., Any]


def payload(language: str = "en") -> Any:
    x = mg.ones(2, 3, requires_grad=True)
    y = x.exp()
    loss = (y * y).tanh().sum()
    with speaking(language):
        return viz.step(loss).payload


def said(page: Any) -> str:
    return str(page.locator(".memory .summary-text").text_content())


def test_it_follows_the_steps_both_ways(open_steppers: Open) -> None:
    page = open_steppers(payload())
    assert said(page) == "Kept: 48 bytes (at most 48, from step 1)"
    lane = page.locator(".memory .lane")
    for held in (48, 24, 24, 0, 0):  # sum, tanh, mul, exp, x
        page.get_by_role("button", name="Next step", exact=True).click()
        assert f": {held} bytes (" in said(page)
        assert lane.get_attribute("aria-label").endswith(f": {held} bytes")
    page.get_by_role("button", name="First step", exact=True).click()
    assert ": 48 bytes (" in said(page)


def test_freed_tensors_stay_until_the_step_ends(open_steppers: Open) -> None:
    page = open_steppers(payload())
    page.get_by_label("Follow").select_option("detail")
    slider = page.get_by_role("slider")
    seen = []
    for stop in range(int(slider.get_attribute("max")) + 1):
        slider.fill(str(stop))
        seen.append((page.locator(".node h2 strong").inner_text(), said(page).split(" (")[0]))
    turn = [held.rpartition(": ")[2] for name, held in seen if name == "TanhBackward0"]
    assert len(turn) > 2
    assert turn == ["48 bytes"] * (len(turn) - 1) + ["24 bytes"]


def test_a_click_and_a_key_lead_to_a_step(open_steppers: Open) -> None:
    page = open_steppers(payload())
    lane = page.locator(".memory .lane")
    box = lane.bounding_box()
    lane.click(position={"x": box["width"] * 0.99, "y": 10})
    assert page.locator(".position").inner_text() == "6 / 6"
    lane.click(position={"x": box["width"] * 0.2, "y": 10})
    assert page.locator(".position").inner_text() == "2 / 6"
    page.locator(".memory summary").focus()
    page.keyboard.press("Enter")
    page.locator(".memory tbody tr").first.wait_for()
    y = page.locator(".memory tbody tr").filter(has=page.get_by_text("y", exact=True))
    assert y.locator("td").all_inner_texts() == ["24 bytes", "ExpBackward0", "step 5"]
    y.get_by_role("button", name="step 5").focus()
    page.keyboard.press("Enter")
    assert page.locator(".position").inner_text() == "5 / 6"
    assert y.get_attribute("class") == "gone"


@pytest.mark.sampled("PAGES", 2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_is_accessible(open_steppers: Open, frontend: Path, scheme: str, language: str) -> None:
    axe = (frontend / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    page = open_steppers(payload(language), color_scheme=scheme)
    page.set_viewport_size({"width": 420, "height": 800})
    page.locator(".controls .more").click()
    page.locator(".memory summary").click()
    page.locator(".memory tbody tr").first.wait_for()
    page.keyboard.press("End")
    assert complaints(page, axe) == []


@pytest.mark.parametrize("mode", ["node", "detail"])
def test_thumb_moves_along_the_curve(open_steppers: Open, mode: str) -> None:
    """The mark of the current stop is in the curve where the slider's thumb is."""
    page = open_steppers(payload())
    page.get_by_label("Follow").select_option(mode)
    slider, lane = page.get_by_role("slider"), page.locator(".memory .lane")
    count = int(slider.get_attribute("max"))
    outer, curve = slider.bounding_box(), lane.bounding_box()
    assert outer["x"] + 8 == pytest.approx(curve["x"], abs=1)
    assert outer["width"] - 16 == pytest.approx(curve["width"], abs=1)
    for stop in (0, 1, count):
        slider.fill(str(stop))
        mark = page.locator(".memory rect.now").evaluate(
            "e => { const { left, right } = e.getBoundingClientRect(); return (left + right) / 2 }"
        )
        assert mark == pytest.approx(curve["x"] + curve["width"] * stop / count, abs=1)


def test_where_nothing_can_be_told_there_is_no_lane(open_steppers: Open) -> None:
    page = open_steppers(recordings.twice())
    assert page.locator(".memory").count() == 0


def test_what_cannot_be_seen_is_said_where_the_lane_is(open_steppers: Open) -> None:
    kept: list[Any] = []

    def pack(tensor: Any) -> int:
        kept.append(tensor)
        return len(kept) - 1

    x = mg.ones(2, 3, requires_grad=True)
    with mg.autograd.graph.saved_tensors_hooks(pack, kept.__getitem__):
        y = x.exp()
    page = open_steppers(viz.step(y.tanh().sum()).payload)
    assert page.locator(".memory summary").inner_text().startswith("Kept (visible part): 24 bytes")
    page.locator(".memory summary").click()
    assert "packed what ExpBackward0 keeps" in page.locator(".memory p").inner_text()
    y = checkpoint(lambda x: x.exp().tanh(), x * 2, use_reentrant=False).sum()
    page = open_steppers(viz.step(y).payload)
    assert page.locator(".memory").inner_text().startswith("A checkpoint computes part")
    assert page.locator(".memory .lane").count() == 0
