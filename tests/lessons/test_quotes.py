"""The lessons quote minigrad's source exactly, and their statements about it are true."""

from __future__ import annotations

import re
import textwrap

import jupytext
import nbformat
import pytest
from minigrad_lessons import build, quote

from minigrad.core import engine


def test_quote_equals_the_file() -> None:
    quoted = quote(engine.Walk.run)
    file = (build.LESSONS.parent / quoted.file).read_text(encoding="utf-8")
    assert quoted.source.startswith("def run(self")
    assert textwrap.indent(quoted.source, "    ") in file
    assert f"```python\n{quoted.source}```" in quoted._repr_markdown_()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_quotes_are_never_stored(language: str) -> None:
    cells = nbformat.read(build.LESSONS / language / "13_engine.ipynb", as_version=4).cells
    data = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
    stored = [each["text/markdown"] for each in data if "text/markdown" in each]
    assert stored == ["`minigrad/core/engine.py`\n\n```python\n...\n```\n"] * 3


@pytest.mark.parametrize("language", ["en", "zh"])
def test_prose_names_parts_of_engine(language: str) -> None:
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
    assert {"waiting", "incoming", "ready", "fitted", "full_iteration"} <= names
    code = (build.LESSONS.parent / "minigrad" / "core" / "engine.py").read_text(encoding="utf-8")
    assert not [name for name in names if not re.search(rf"\b{name}\b", code)]
