"""Tables of figures name the day and the command of the measurement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "README.zh.md", *sorted((ROOT / "docs").glob("*.md"))]
UNIT = r"(?:ns|µs|ms|s|KB|MB|GB|MiB|GiB|%)"
MEASURED = re.compile(rf"[\d.,]+ ?{UNIT}(?: ± \d+%)?")
NUMBER = re.compile(r"[\d.,]+")
DAY = re.compile(r"\d{1,2} [A-Z][a-z]+ 20\d\d|20\d\d 年 \d{1,2} 月 \d{1,2} 日")
COMMAND = re.compile(r"`(?:make|python|\.venv/bin/python)\b[^`]*`")


def tables(section: str) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Yield the head and the rows of each table."""
    for found in re.findall(r"(?:^\|.*\n)+", section, flags=re.MULTILINE):
        rows = [[cell.strip() for cell in row[1:-1].split("|")] for row in found.splitlines()]
        yield rows[0], rows[2:]


def is_measured(head: list[str], rows: list[list[str]]) -> bool:
    """Whether a table has figures with a unit, in their cells or in its head."""
    cells = [(title, cell) for row in rows for title, cell in zip(head, row, strict=False)]
    found = [
        cell
        for title, cell in cells
        if MEASURED.fullmatch(cell) or (re.search(rf"\b{UNIT}$", title) and NUMBER.fullmatch(cell))
    ]
    return len(found) > 1


def measured(document: Path) -> list[str]:
    """Return the sections with measured tables."""
    sections = re.split(r"^(?=#{1,4} )", document.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [each for each in sections if any(is_measured(*table) for table in tables(each))]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_figures_have_a_day_and_a_command(document: Path) -> None:
    for section in measured(document):
        heading = section.splitlines()[0]
        assert DAY.search(section), heading
        assert COMMAND.search(section), heading


def test_measured_tables_are_found() -> None:
    found = {document.name: len(measured(document)) for document in DOCUMENTS}
    assert found["benchmark.md"] >= 2
    assert found["performance.md"] >= 2
    assert found["teaching.md"] >= 1
