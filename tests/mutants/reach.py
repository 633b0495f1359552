"""Which tests run which lines: measured with coverage.py, and kept until something changes.

A plugin of pytest with two uses. With MINIGRAD_REACH=folder it writes, one file for each test file,
how long each test takes and which lines of the packages it runs, and which of them run when the
packages are loaded. A test that is skipped can notice nothing and is left out; one that fails is
not, for some do only because Python words a refusal in another way while it is traced. With
MINIGRAD_TESTS=file it runs the tests that this file lists, in that order.
"""

from __future__ import annotations

import difflib
import gzip
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Sequence
from pathlib import Path
from typing import Any

import coverage
import pytest

SOURCES = ("minigrad", "viz/minigrad_viz")

Reach = dict[str, tuple[float, dict[str, int]]]
"""By test: its seconds, and by source file the lines that it runs, as the bits of a number."""

LOADING = "loading"
"""Stands in `Reach` for no test, but for what runs before the first one."""


def kept(folder: Path, file: str) -> Path:
    """Where it is kept what the tests of a file run."""
    return folder / f"{file.replace('/', '.')}.json.gz"


def read(folder: Path, file: str) -> Reach:
    path = kept(folder, file)
    return json.loads(gzip.decompress(path.read_bytes())) if path.exists() else {}


def carry(folder: Path, files: Iterable[str], sources: dict[str, str]) -> None:
    """Move what is kept of the tests of these files to where the lines of the sources are now."""
    path = folder / "sources.json.gz"
    before = json.loads(gzip.decompress(path.read_bytes())) if path.exists() else sources
    moves = {
        name: moved(before[name].splitlines(), text.splitlines())
        for name, text in sources.items()
        if before.get(name, text) != text
    }
    for file in files if moves else ():
        reach = read(folder, file)
        for _, lines in reach.values():
            for name in lines.keys() & moves.keys():
                lines[name] = moves[name](lines[name])
        kept(folder, file).write_bytes(gzip.compress(json.dumps(reach).encode(), 1))
    path.write_bytes(gzip.compress(json.dumps(sources).encode(), 1))


def moved(before: Sequence[str], after: Sequence[str]) -> Callable[[int], int]:
    """Turns the lines that ran into those that run in the file as it is now. Of new lines it is
    said that what ran those in their place, or the one before them, runs them."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    blocks = matcher.get_opcodes()

    def move(bits: int) -> int:
        result = 0
        for kind, a, a_end, b, b_end in blocks:
            if kind == "equal":
                result |= (bits >> a + 1 & ones(a_end - a)) << b + 1
            elif bits >> a & ones(a_end - a + 1):
                result |= ones(b_end - b) << b + 1
        return result

    return move


def ones(count: int) -> int:
    return (1 << count) - 1


class Measuring:
    """Tells coverage which test is running."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        include = [f"{source}/*" for source in SOURCES]
        self.coverage = coverage.Coverage(
            data_file=str(folder / "lines.sqlite"), include=include, config_file=False
        )
        self.seconds: dict[str, float] = {}
        self.skipped: set[str] = set()
        self.coverage.erase()
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        if sys.gettrace() is None:  # a test has taken the tracer away
            self.coverage.stop()
            self.coverage.start()
        self.coverage.switch_context(item.nodeid)
        begin = time.perf_counter()
        result = yield
        self.seconds[item.nodeid] = time.perf_counter() - begin
        self.coverage.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped:
            self.skipped.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        lines: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        data = self.coverage.get_data()
        for path in data.measured_files():
            name = Path(path).relative_to(Path.cwd()).as_posix()
            for line, tests in data.contexts_by_lineno(path).items():
                for test in tests:
                    lines[test][name] |= 1 << line
        files: dict[str, Reach] = defaultdict(dict)
        for test in self.seconds.keys() - self.skipped:
            files[test.partition("::")[0]][test] = round(self.seconds[test], 4), lines[test]
        known = read(self.folder, LOADING).get(LOADING, (0.0, {}))[1]
        for name, bits in known.items():
            lines[""][name] |= bits
        files[LOADING] = {LOADING: (0.0, lines[""])}
        for file, reach in files.items():
            kept(self.folder, file).write_bytes(gzip.compress(json.dumps(reach).encode(), 1))


class Selecting:
    """Runs the listed tests and no others, each file's tests together."""

    def __init__(self, listed: Iterable[str]) -> None:
        self.place = {test: place for place, test in enumerate(listed)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid in self.place]
        first: dict[Path, int] = {}
        for item in chosen:
            place = self.place[item.nodeid]
            first[item.path] = min(first.get(item.path, place), place)
        items[:] = sorted(chosen, key=lambda i: (first[i.path], self.place[i.nodeid]))


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Before anything is imported: what runs then makes the functions that tests call."""
    if folder := os.environ.get("MINIGRAD_REACH"):
        early_config.pluginmanager.register(Measuring(Path(folder)))


def pytest_configure(config: pytest.Config) -> None:
    if listed := os.environ.get("MINIGRAD_TESTS"):
        tests = Path(listed).read_text(encoding="utf-8").splitlines()
        config.pluginmanager.register(Selecting(tests))
