"""Lessons run in the browser put out what CPython stored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.lite.outputs import differences
from tests.lite.tab import have_run, run

pytestmark = pytest.mark.lite

LANGUAGES = ("en", "zh")
LESSONS = ["01_graph", "05_stopping", "08_own_operation"]


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_puts_out_what_cpython_stored(root: Path, open_lab: Any, lesson: str) -> None:
    paths = [f"{language}/{lesson}.ipynb" for language in LANGUAGES]
    pages = [open_lab(path) for path in paths]  # side by side: each has a kernel of its own
    for page in pages:
        run(page)
    for path, page in zip(paths, pages, strict=True):
        cells = have_run(page)
        book = json.loads((root / "lessons" / path).read_text(encoding="utf-8"))
        stored = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
        found = list(differences(stored, cells))
        assert len(found) <= 0.05 * len(cells), "\n\n".join(found)
