"""Run the tests of one file on one library, and write a line of JSON for each.

    python -m tests.pytorch_suite.one_file LIBRARY FOLDER FILE IDS

A line is [id, outcome, reason, seconds]: the outcome is "passed", "failed" or "skipped". Without
IDS, a file of names, the lines are [id, function] of all tests, and none runs.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import types
import unittest
import warnings
from pathlib import Path
from typing import Any

SECONDS = 20
"""Time for one test."""


class TooLong(BaseException):
    """A test that takes longer than `SECONDS`."""


def on_alarm(*_: Any) -> None:
    raise TooLong(f"it takes longer than {SECONDS} seconds")


class Outcomes(unittest.TestResult):
    """Prints each outcome as it comes."""

    def __init__(self, file: str, out: Any) -> None:
        super().__init__()
        self.file, self.out = file, out

    def startTest(self, test: Any) -> None:
        super().startTest(test)
        self.told = ("passed", "")
        self.began = time.perf_counter()
        signal.alarm(SECONDS)

    def stopTest(self, test: Any) -> None:
        signal.alarm(0)
        super().stopTest(test)
        took = round(time.perf_counter() - self.began, 2)
        name = f"{self.file}::{type(test).__name__}::{test._testMethodName}"
        print(json.dumps([name, *self.told, took]), file=self.out, flush=True)

    def addSkip(self, test: Any, reason: str) -> None:
        self.told = "skipped", reason

    def addError(self, test: Any, error: Any) -> None:
        self.told = "failed", said(error)

    addFailure = addError  # type: ignore[assignment]

    def addSubTest(self, test: Any, subtest: Any, error: Any) -> None:
        if error is not None:
            self.told = "failed", said(error)

    def addExpectedFailure(self, test: Any, error: Any) -> None:
        self.told = "skipped", "PyTorch expects it to fail"

    def addUnexpectedSuccess(self, test: Any) -> None:
        self.told = "failed", "unexpected success"


def said(error: Any) -> str:
    """Return type and message of an error, in one line."""
    return " ".join(f"{error[0].__name__}: {error[1]}".split())[:400]


def all_tests(module: types.ModuleType) -> dict[str, unittest.TestCase]:
    """Return the tests of a module by class and name."""
    found: dict[str, unittest.TestCase] = {}
    for name, kind in sorted(vars(module).items()):
        if isinstance(kind, type) and issubclass(kind, unittest.TestCase):
            for method in unittest.TestLoader().getTestCaseNames(kind):
                if kind.__module__ == module.__name__ or name.endswith("CPU"):
                    found[f"{kind.__name__}::{method}"] = kind(method)
    return found


def run(library: str, folder: Path, file: str, wanted: set[str] | None, out: Any) -> None:
    from . import stand_ins, standing

    stand_ins.replace()
    if library == "minigrad":
        from . import helpers

        helpers.forbid_processes()
    sys.path.insert(0, str(folder))
    os.chdir(folder)
    name = "pytorch_" + file.removesuffix(".py").replace("/", "_")
    module = standing.load(folder / file, name, library == "minigrad")
    tests = all_tests(module)
    if wanted is None:
        for name, test in tests.items():
            function = getattr(type(test), test._testMethodName).__name__
            print(json.dumps([f"{file}::{name}", function]), file=out)
        return
    suite = unittest.TestSuite(test for name, test in tests.items() if f"{file}::{name}" in wanted)
    signal.signal(signal.SIGALRM, on_alarm)
    warnings.simplefilter("ignore")
    suite.run(Outcomes(file, out))


def main() -> None:
    library, folder, file, *rest = sys.argv[1:]
    wanted = set(Path(rest[0]).read_text("utf-8").split("\n")) if rest else None
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    sys.stdout = sys.stderr
    run(library, Path(folder), file, wanted, out)
    out.flush()
    os._exit(0)  # threads of a test may still run


if __name__ == "__main__":
    main()
