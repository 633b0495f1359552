"""Turn skips into failures on request, for tests, doctests and notebooks.

MINIGRAD_REQUIRE_ALL=1 promises that everything that a test may use is installed. Then each skip and
each expected failure is a failure: from a fixture, `importorskip`, a mark, `# doctest: +SKIP` or a
cell's NBVAL_SKIP. Tests marked `gpu` may still skip. Tests marked `lite` may skip unless
MINIGRAD_PYODIDE names the folder that they need.

A test also fails if it leaves the language, the working directory, the default dtype or the
gradient mode changed for later tests, or cells of a notebook in linecache.
"""

from __future__ import annotations

import doctest
import linecache
import os
import re
import sys
from collections.abc import Generator
from typing import Any

import pytest
from _pytest.doctest import DoctestItem

# Doctests are collected by importing each file. These load with PyTorch alone, and have none. Those
# in pytorch_suite also import helpers that forbid a program to set flags of torch.backends.
collect_ignore = [
    "viz/minigrad_viz/_pytorch.py",
    "viz/minigrad_viz/ledger/of_pytorch.py",
    "tests/pytorch_suite",
]

CELL = re.compile(r"ipykernel_\d|^<ipython-input|^<stdin>|^<cell \d+>$")
"""What minigrad_viz takes for the file of a notebook's cell, or of a page's."""

REQUIRE_ALL = os.environ.get("MINIGRAD_REQUIRE_ALL", "") not in ("", "0")
REQUIRE_LITE = os.environ.get("MINIGRAD_PYODIDE", "") != ""


def state() -> dict[str, Any]:
    """Return the state of the process that decides what a later test of ours sees."""
    found: dict[str, Any] = {"working directory": os.getcwd()}
    found |= {name: os.environ[name] for name in os.environ if name.startswith("MINIGRAD_")}
    for library in ("minigrad", "torch"):
        module: Any = sys.modules.get(library)
        if hasattr(module, "is_grad_enabled"):
            found[f"{library}.is_grad_enabled()"] = module.is_grad_enabled()
            found[f"{library}.get_default_dtype()"] = module.get_default_dtype()
    language = sys.modules.get("minigrad_viz.texts.language")
    found["viz.set_language()"] = getattr(language, "_setting", None)
    found["cells in linecache"] = cells()
    return found


def cells() -> list[str]:
    """Return the cells in linecache: answers about the program of a later test would quote them."""
    return [name for name in linecache.cache if CELL.search(name)]


class Leaks:
    """Fails a test that leaves the process in another state than it found.

    A later test would fail instead, and only if both run in one process: it would find the language
    of another test, or gradients turned off.
    """

    def __init__(self) -> None:
        self.before = state()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self) -> Generator[None, Any, Any]:
        result = yield
        before, after = self.before, state()
        changed = [
            f"{name}: {before.get(name)!r} became {after.get(name)!r}"
            for name in sorted(before.keys() | after.keys())
            if before.get(name) != after.get(name)
            and (name in before or name.startswith("MINIGRAD_"))
        ]
        self.before = after
        if changed:
            self.restore(before)
            self.before = state()
        assert not changed, "\n".join(["the test does not put back", *changed])
        return result

    def restore(self, before: dict[str, Any]) -> None:
        """Give the next test the folder, the variables and the language of this one."""
        os.chdir(before["working directory"])
        for name in {*before, *os.environ}:
            if name.startswith("MINIGRAD_"):
                os.environ.pop(name, None)
                if name in before:
                    os.environ[name] = before[name]
        for name in set(cells()) - set(before["cells in linecache"]):
            del linecache.cache[name]
        if "minigrad_viz" in sys.modules:
            sys.modules["minigrad_viz"].set_language(before["viz.set_language()"])


def pytest_collection_finish(session: pytest.Session) -> None:
    session.config.pluginmanager.register(Leaks())


def forbid_skip(report: Any) -> None:
    """Turn a skip or an expected failure into a failure with the same reason."""
    if not report.skipped:
        return
    if hasattr(report, "wasxfail"):
        kind, reason = "expected failure", report.wasxfail
        del report.wasxfail
    else:
        kind = "skip"
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"this run allows no {kind}, but this was one: {reason}"


def skips_are_forbidden(item: pytest.Item) -> bool:
    if item.get_closest_marker("lite") is not None:
        return REQUIRE_LITE
    return REQUIRE_ALL and item.get_closest_marker("gpu") is None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    report = yield
    if skips_are_forbidden(item):
        forbid_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    report = yield
    if REQUIRE_ALL:
        forbid_skip(report)
    return report


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a doctest that leaves out a line, since pytest itself does not count that."""
    if REQUIRE_ALL and isinstance(item, DoctestItem):
        lines = [each for each in item.dtest.examples if each.options.get(doctest.SKIP)]
        if lines:
            pytest.skip(f"+SKIP: {lines[0].source.strip()}")
