"""Pictures that stand in a page as images: they follow the page's theme."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import minigrad_viz as viz
import pytest

import minigrad as mg
from tests.browser.hosts import DARK_TEXT, LIGHT_TEXT


def displays() -> list[Any]:
    x = mg.ones(2, requires_grad=True)
    y = x * x
    return [viz.explain(y), viz.loss_curve([3, 2, 1]), viz.explore(lambda x: x * x, x=(0, 1))]


@pytest.mark.parametrize("system", ["light", "dark"])
@pytest.mark.parametrize("page_says", ["true", "false", None])
def test_an_image_follows_the_page_else_the_system(
    system: str, page_says: str | None, page: Any, tmp_path: Path
) -> None:
    """A plot is dark if its words are light; nothing in a light one is, on a grey page."""
    told = "" if page_says is None else f' data-jp-theme-light="{page_says}"'
    shown = "".join(display.html for display in displays())
    file = tmp_path / "page.html"
    text = f"<!doctype html><meta charset=utf-8><body{told} style='background:#808080'>{shown}"
    file.write_text(text, encoding="utf-8")
    page.set_viewport_size({"width": 900, "height": 700})
    page.emulate_media(color_scheme=system)
    page.goto(file.as_uri())
    images = page.locator("img")
    assert images.count() == 4
    dark = page_says == "false" or (page_says is None and system == "dark")
    for image in images.all():
        assert image.evaluate("e => e.decode().then(() => e.naturalWidth)") > 50
        scheme = image.evaluate("e => getComputedStyle(e).colorScheme")
        expected = {"true": "light", "false": "dark", None: "normal"}[page_says]
        assert scheme == expected
    picture = images.nth(1).screenshot()
    assert (brightest(page, picture) > 235) == dark


@pytest.mark.parametrize(
    "says", ["data-jp-theme-light={true}", "data-theme={theme}", "class=vscode-{theme}"]
)
def test_drawing_and_program_follow_a_page(says: str, page: Any, tmp_path: Path) -> None:
    """As JupyterLab says it; marimo and sites of documentation; VS Code."""
    x = mg.ones(2, requires_grad=True)
    y = x * x
    shown = viz.draw(y).svg + viz.program(y.sum()).html
    for theme in ("light", "dark"):
        told = says.format(theme=theme, true=str(theme == "light").lower())
        file = tmp_path / "page.html"
        file.write_text(f"<!doctype html><meta charset=utf-8><body {told}>{shown}", "utf-8")
        page.emulate_media(color_scheme="light" if theme == "dark" else "dark")
        page.goto(file.as_uri())
        ink = {"light": LIGHT_TEXT, "dark": DARK_TEXT}[theme]
        title = page.locator("svg .title").first
        assert title.evaluate("e => getComputedStyle(e).fill") == ink
        assert page.locator("pre").evaluate("e => getComputedStyle(e).color") == ink


def brightest(page: Any, picture: bytes) -> float:
    return float(
        page.evaluate(
            """async (bytes) => {
              const blob = new Blob([new Uint8Array(bytes)], { type: "image/png" });
              const bitmap = await createImageBitmap(blob);
              const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
              const context = canvas.getContext("2d");
              context.drawImage(bitmap, 0, 0);
              const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
              let found = 0;
              for (let i = 0; i < data.length; i += 4)
                found = Math.max(found, (data[i] + data[i + 1] + data[i + 2]) / 3);
              return found;
            }""",
            list(picture),
        )
    )
