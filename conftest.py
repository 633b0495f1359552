"""Turn skips into failures on request, for tests, doctests and notebooks.

MINIGRAD_REQUIRE_ALL=1 promises that everything that a test may use is installed. Then each skip and
each expected failure is a failure: from a fixture, `importorskip`, a mark, `# doctest: +SKIP` or a
cell's NBVAL_SKIP. Tests marked `gpu` may still skip. Tests marked `lite` may skip unless
MINIGRAD_PYODIDE names the folder that they need.
"""

from __future__ import annotations

import doctest
import os
from collections.abc import Generator
from typing import Any

import pytest
from _pytest.doctest import DoctestItem

# Doctests are collected by importing each file. These load with PyTorch alone, and have none.
collect_ignore = ["viz/minigrad_viz/_pytorch.py", "viz/minigrad_viz/ledger/of_pytorch.py"]

REQUIRE_ALL = os.environ.get("MINIGRAD_REQUIRE_ALL", "") not in ("", "0")
REQUIRE_LITE = os.environ.get("MINIGRAD_PYODIDE", "") != ""


LANGUAGE = os.environ.get("MINIGRAD_LANGUAGE")


@pytest.fixture(autouse=True)
def same_language() -> None:
    """Begin each test in the language of the run.

    A lesson that runs in the folder of a language sets it, and a fixture of a whole file may do so
    before its first test.
    """
    if LANGUAGE is None:
        os.environ.pop("MINIGRAD_LANGUAGE", None)
    else:
        os.environ["MINIGRAD_LANGUAGE"] = LANGUAGE


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
