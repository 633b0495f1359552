"""A drawing as a page, light and dark; on request, the pictures of it in the README."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import pytest

import minigrad as mg


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_passes_in_one_picture(browser: Any, root: Path, tmp_path: Path, scheme: str) -> None:
    x = mg.ones(2, 3)
    w = mg.ones(3, 1, requires_grad=True)
    b = mg.zeros(1, requires_grad=True)
    loss = (x @ w + b).tanh().mean()
    file = viz.draw(loss, view="both").save(tmp_path / "both.html")
    context = browser.new_context(viewport={"width": 900, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    page.goto(file.as_uri())
    svg = page.locator("svg")
    text, fill = page.evaluate(
        "[document.querySelector('.operation text'), document.querySelector('.operation rect')]"
        ".map((shape) => getComputedStyle(shape).fill.match(/\\d+/g).map(Number)[0])"
    )
    assert (text > 200 > 50 > fill) if scheme == "dark" else (text < 50 < 200 < fill)
    if os.environ.get("MINIGRAD_SCREENSHOTS", "") not in ("", "0"):
        svg.screenshot(path=root / "docs" / f"both-{scheme}.png")
    context.close()
