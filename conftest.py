"""The rule that a skip must not hide: for tests, doctests and notebooks alike.

Where MINIGRAD_REQUIRE_ALL=1 promises that all is installed that a test may use, whatever is
skipped or expected to fail is a failure, whether that came from a fixture, from `importorskip`,
from a mark, from `# doctest: +SKIP` or from a cell's NBVAL_SKIP. Only tests marked `gpu` keep the
right to skip, and those marked `lite` unless MINIGRAD_PYODIDE names what they need: then they may
not, whatever else is promised.
"""

from __future__ import annotations

import doctest
import os
from collections.abc import Generator
from typing import Any

import pytest
from _pytest.doctest import DoctestItem

REQUIRE_ALL = os.environ.get("MINIGRAD_REQUIRE_ALL", "") not in ("", "0")
REQUIRE_LITE = os.environ.get("MINIGRAD_PYODIDE", "") != ""


def forbid_skip(report: Any) -> None:
    """Turn a skip, or a failure that was expected, into one that keeps its reason."""
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
    """A single line that a doctest leaves out is no skip to pytest."""
    if REQUIRE_ALL and isinstance(item, DoctestItem):
        lines = [each for each in item.dtest.examples if each.options.get(doctest.SKIP)]
        if lines:
            pytest.skip(f"+SKIP: {lines[0].source.strip()}")
