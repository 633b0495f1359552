"""A marked test runs some of its cases, always the same, and all of them at night."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.sampling import part_of_long_files, sample, sampled_tests

SWITCH = r'\b(?:sampled|all_of|first_of|sample|drawn|in_this_run)\("([A-Z]+)"'
"""The switch of a sample, in each way to draw one."""
CASES = [f"test_pages.py::test_a_page[{number}]" for number in range(12)]


class Case:
    """The attributes of a collected test that `sampled_tests` reads."""

    def __init__(self, nodeid: str, mark: pytest.Mark | None) -> None:
        self.nodeid, self.mark = nodeid, mark

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.mark


def chosen(mark: pytest.MarkDecorator) -> list[str]:
    """Return the names that run of twelve marked cases and a test without a mark."""
    items = [Case(name, mark.mark) for name in CASES] + [Case("test_pages.py::test_link", None)]
    return [item.nodeid for item in sampled_tests(items)]


def test_sample_is_small_and_stays_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MINIGRAD_PAGES", raising=False)
    first = chosen(pytest.mark.sampled("PAGES", 4))
    assert first == chosen(pytest.mark.sampled("PAGES", 4))
    assert len(first) == 5 and first[-1] == "test_pages.py::test_link"
    assert first == [name for name in [*CASES, first[-1]] if name in first]  # in order


def test_every_checkout_draws_the_same_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MINIGRAD_PAGES", raising=False)
    names = [f"{number:02}_chapter.ipynb" for number in range(20)]
    found = [sample("PAGES", [Path(root, name) for name in names], 3) for root in ("/a", "/bc/d")]
    assert [path.name for path in found[0]] == [path.name for path in found[1]]


def test_all_cases_run_with_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINIGRAD_PAGES", "all")
    assert len(chosen(pytest.mark.sampled("PAGES", 4))) == 13


def test_long_table_runs_a_part_when_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MINIGRAD_PAGES", raising=False)
    long, short = (
        [f"test_sums.py::{test}[{n}]" for n in range(20 + 40 * (test == "long"))]
        for test in ("long", "short")
    )
    items = [Case(name, None) for name in long + short]
    assert sampled_tests(items) == items
    names = [item.nodeid for item in sampled_tests(items, tables=True)]
    assert len(set(long) & set(names)) == 30 and set(short) <= set(names)
    assert names == [item.nodeid for item in sampled_tests(items[::-1], tables=True)][::-1]


def test_long_file_runs_a_third_when_sampled() -> None:
    files = {"long.py": 30, "short.py": 30, "one.py": 1}
    items = [Case(f"{file}::test_{n}", None) for file, count in files.items() for n in range(count)]
    names = [item.nodeid for item in part_of_long_files(items, {"long.py", "one.py"})]
    assert [sum(name.startswith(file) for name in names) for file in files] == [10, 30, 1]
    again = [item.nodeid for item in part_of_long_files(items[::-1], {"long.py", "one.py"})]
    assert names == again[::-1]


def nightly_paths(makefile: str) -> dict[str, list[str]]:
    """Return the files and folders that `make nightly` runs with each switch."""
    joined = makefile.replace("\\\n", " ")
    lists = dict(re.findall(r"^(\w+) := (.*)$", joined, re.M))
    commands = re.findall(r"^\tMINIGRAD_(\w+)=all (.*)$", joined.partition("\nnightly:")[2], re.M)
    return {
        switch: re.sub(r"\$\((\w+)\)", lambda name: lists.get(name[1], ""), command).split()
        for switch, command in commands
    }


def test_sampled_files_run_whole_at_night(root: Path) -> None:
    nightly = nightly_paths((root / "Makefile").read_text(encoding="utf-8"))
    nightly["LITE"] = ["tests/lite"]  # where there is a wheel of NumPy
    nightly["STEPPED"].append("tests/test_stepped.py")  # it steps through files that run themselves
    missing, used = [], set()
    for path in set((root / "tests").rglob("test_*.py")) - {Path(__file__)}:
        name = path.relative_to(root).as_posix()
        for switch in set(re.findall(SWITCH, path.read_text("utf-8"))):
            used.add(switch)
            if not any(name.startswith(each) for each in nightly[switch]):
                missing.append((switch, name))
    assert used and not missing
