"""A drawing as a page: light and dark, with boxes that open; on request, the pictures of it in the
README.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import pytest

import minigrad as mg
from tests.browser.waiting import until


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_passes_in_one_picture(page: Any, root: Path, tmp_path: Path, scheme: str) -> None:
    x = mg.ones(2, 3)
    w = mg.ones(3, 1, requires_grad=True)
    b = mg.zeros(1, requires_grad=True)
    loss = (x @ w + b).tanh().mean()
    file = viz.draw(loss, view="both").save(tmp_path / "both.html")
    page.set_viewport_size({"width": 900, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto(file.as_uri())
    svg = page.locator("svg")
    text, fill = page.evaluate(
        "[document.querySelector('.operation text'), document.querySelector('.operation rect')]"
        ".map((shape) => getComputedStyle(shape).fill.match(/\\d+/g).map(Number)[0])"
    )
    assert (text > 200 > 50 > fill) if scheme == "dark" else (text < 50 < 200 < fill)
    if os.environ.get("MINIGRAD_SCREENSHOTS", "") not in ("", "0"):
        svg.screenshot(path=root / "docs" / f"both-{scheme}.png")


HOSTILE = "<img src=x onerror=alert(1)>"


def test_boxes_open_by_keyboard_and_close_again(page: Any, tmp_path: Path) -> None:
    first, second = (mg.ones(4, 4, requires_grad=True) for _ in range(2))
    result = ((mg.ones(2, 4) @ first @ first).tanh() @ second @ second).sum()
    names = {f"{HOSTILE}.0.weight": first, f"{HOSTILE}.1.weight": second}
    drawing = viz.draw(result, names=names, fold=True)
    page.goto(drawing.save(tmp_path / "folded.html").as_uri())

    def shown() -> list[str]:
        texts = page.locator("svg .title:visible").all_text_contents()
        return [text for text in texts if text not in ("result", "SumBackward0")]

    whole = [f"{HOSTILE}.1", "TanhBackward0", f"{HOSTILE}.0"]
    assert shown() == whole  # the box around all of them is open
    closed = page.locator("main a")
    assert closed.first.get_attribute("aria-expanded") == "false"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    path = page.locator("nav:visible a")
    path.first.wait_for()
    assert "MmBackward0" in shown()
    assert path.all_inner_texts() == ["whole graph", f"{HOSTILE}.1"]
    assert path.last.get_attribute("aria-expanded") == "true"
    page.go_back()
    until(page, lambda: shown() == whole)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    path.first.wait_for()
    assert path.all_inner_texts()[0] == "whole graph"
    path.first.click()
    until(page, lambda: shown() == whole)
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(set(ids)) == len(ids)
    assert page.locator("script, img").count() == 0
