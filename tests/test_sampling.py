"""A marked test runs some of its cases, always the same, and all of them at night."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.sampling import marked_sample

CASES = [f"test_pages.py::test_a_page[{number}]" for number in range(12)]


class Case:
    """The attributes of a collected test that `marked_sample` reads."""

    def __init__(self, nodeid: str, mark: pytest.Mark | None) -> None:
        self.nodeid, self.mark = nodeid, mark

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.mark


def chosen(mark: pytest.MarkDecorator) -> list[str]:
    """Return the names that run of twelve marked cases and a test without a mark."""
    items = [Case(name, mark.mark) for name in CASES] + [Case("test_pages.py::test_link", None)]
    return [item.nodeid for item in marked_sample(items)]


def test_sample_is_small_and_stays_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MINIGRAD_PAGES", raising=False)
    first = chosen(pytest.mark.sampled("PAGES", 4))
    assert first == chosen(pytest.mark.sampled("PAGES", 4))
    assert len(first) == 5 and first[-1] == "test_pages.py::test_link"
    assert first == [name for name in [*CASES, first[-1]] if name in first]  # in order


def test_all_cases_run_with_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINIGRAD_PAGES", "all")
    assert len(chosen(pytest.mark.sampled("PAGES", 4))) == 13


def test_switches_of_marks_run_at_night(root: Path) -> None:
    nightly = (root / "Makefile").read_text(encoding="utf-8").partition("\nnightly:")[2]
    files = [path.read_text(encoding="utf-8") for path in (root / "tests").rglob("test_*.py")]
    used = {switch for text in files for switch in re.findall(r'^@.*sampled\("(\w+)"', text, re.M)}
    assert used
    assert all(f"MINIGRAD_{switch}=all " in nightly for switch in used)
