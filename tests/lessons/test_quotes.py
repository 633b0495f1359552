"""What the lessons show of minigrad's own source is the source, and its names are there."""

from __future__ import annotations

import re

import jupytext
import nbformat
import pytest
from minigrad_lessons import build, quote

from minigrad import engine

QUOTES = (engine.count_uses, engine.Walk.run, engine.Walk.fitted)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_stored_quotes_are_current(language: str) -> None:
    path = build.LESSONS / language / "13_engine.ipynb"
    shown = [
        output.data["text/markdown"]
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "text/markdown" in output.get("data", {})
    ]
    current = [quote(function)._repr_markdown_() for function in QUOTES]
    assert shown == current, "the engine has changed: python -m minigrad_lessons.build 13_engine"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_the_prose_points_out_is_in_the_engine(language: str) -> None:
    """Every name in backticks in the part that reads the engine, but those of files and the API."""
    source = (build.LESSONS / "src" / "13_engine.md").read_text(encoding="utf-8")
    prose = [
        cell.source
        for cell in jupytext.reads(source, fmt="md:myst").cells
        if cell.cell_type == "markdown" and cell.metadata["lang"] == language
    ]
    opening = {"en": "## Reading minigrad's engine", "zh": "## 阅读 minigrad 的引擎"}[language]
    text = "\n".join(prose)
    part = text[text.index(opening) : text.index({"en": "## Exercises", "zh": "## 练习"}[language])]
    names = set(re.findall(r"`(\w+)`", part)) - {"retain_graph"}
    assert {"waiting", "incoming", "ready", "fitted", "full_turn"} <= names
    code = (build.LESSONS.parent / "minigrad" / "engine.py").read_text(encoding="utf-8")
    assert not [name for name in names if not re.search(rf"\b{name}\b", code)]
