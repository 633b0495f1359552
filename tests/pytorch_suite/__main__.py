"""Run PyTorch's tests on both libraries, and compare with the lists in tests/.

A test that fails here must be in pytorch_expected_failures.txt with the reason; one that passes
must not. What PyTorch itself fails does not count.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from minigrad.arrays.left_out import OUT_OF_SCOPE

from .sources import ROOT, test_files, tests_folder

SELECTION = ROOT / "tests/pytorch_selection.txt"
FAILURES = ROOT / "tests/pytorch_expected_failures.txt"
LEFT_OUT = ROOT / "tests/pytorch_left_out.txt"

SLOW = 10.0
"""Seconds on either library from which a test is left out."""

SHARE_LEFT_OUT = 0.1
"""The share of a file's tests that may be left out by name, with a reason each."""

VARIANTS = 4
"""Tests that are selected of those that one function makes by its parameters."""

MINUTES = 30
"""Time for one file on one library."""

DTYPES = ("float32", "float64", "int64", "int32", "uint8", "int8", "int16", "bool", "float16")
"""The dtypes in which a test is selected, the preferred first."""

VARIANT = re.compile(r"(.*_cpu)((?:_(?:u?int\d+|b?float\d+|complex\d+|bool))+)")


class Outcome(NamedTuple):
    """The result of a test on one library."""

    word: str
    reason: str
    seconds: float


Outcomes = dict[str, Outcome]


# --- Runs


def run_file(library: str, folder: Path, file: str, wanted: Iterable[str] | None) -> list[Any]:
    """Run the wanted tests of a file in a process of its own, or list all its tests."""
    env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.pytorch_suite.one_file", library, str(folder), file]
    with tempfile.TemporaryDirectory() as temporary:
        if wanted is not None:
            path = Path(temporary, "ids.txt")
            path.write_text("\n".join(wanted), "utf-8")
            command.append(str(path))
        log = Path(temporary, "stderr.txt")
        with log.open("w", encoding="utf-8") as errors:
            done = subprocess.run(
                command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=errors,
                timeout=MINUTES * 60, text=True, encoding="utf-8", check=False,
            )  # fmt: skip
        if done.returncode:
            tail = log.read_text("utf-8", errors="replace").strip().splitlines()[-1:]
            print(f"{file} on {library}: the process ended with {done.returncode}: {tail}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def run_files(library: str, folder: Path, wanted: Mapping[str, list[str]]) -> Outcomes:
    """Run the wanted tests of several files, two files at once."""
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(run_file, library, folder, *each) for each in wanted.items()]
        return {name: Outcome(*rest) for job in jobs for name, *rest in job.result()}


def functions_of(folder: Path, files: Iterable[str]) -> dict[str, str]:
    """Return the function of each test of these files."""
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(run_file, "torch", folder, file, None) for file in files]
        return {name: function for job in jobs for name, function in job.result()}


# --- The lists


def choose(functions: Mapping[str, str]) -> list[str]:
    """Return tests of each function: in one dtype, and at most `VARIANTS` with other parameters."""
    by_dtype: dict[str, tuple[list[int], str]] = {}
    for name in functions:
        # For a subclass that intercepts PyTorch's dispatcher, and for another device.
        if "logging_tensor" in name or "LAZY::" in name:
            continue
        found = VARIANT.fullmatch(name)
        names = found[2].split("_")[1:] if found else []
        rank = [DTYPES.index(each) if each in DTYPES else len(DTYPES) for each in names]
        group = found[1] if found else name
        by_dtype[group] = min(by_dtype.get(group, (rank, name)), (rank, name))
    by_function: dict[str, list[str]] = defaultdict(list)
    for _, name in by_dtype.values():
        by_function[f"{name.rpartition('::')[0]}::{functions[name]}"].append(name)
    chosen = []
    for names in by_function.values():
        step = max(len(names) / VARIANTS, 1)
        chosen += [sorted(names)[int(place * step)] for place in range(min(len(names), VARIANTS))]
    return sorted(chosen)


def reason_of(text: str) -> str:
    """Return why a test fails: a name that is left out, a private name, or the error."""
    text = text.partition(" To execute this test")[0].replace("\\n", " ")
    name = re.search(r"(?:has no attribute|cannot import name|has no module for) '?([\w.]+)", text)
    name = name or re.search(r"AttributeError: minigrad has no ([\w.]+)", text)
    if name:
        word = name[1].removeprefix("torch.")
        if any(part.startswith("_") for part in word.split(".")):
            return f"private: {word}"
        remedy = OUT_OF_SCOPE.get(word.rpartition(".")[2])
        return f"left out: {word}" + (f" ({remedy})" if remedy else "")
    if "another process would test" in text:
        return "private: it starts another Python"
    if "device type at start of device string: meta" in text:
        return "left out: the device meta"
    if "must be torch.dtype, not dtype" in text or "(dtype), but expected one of" in text:
        return "left out: a dtype that NumPy lacks, or a complex one"
    if re.search(r"complex|bfloat16|float8|qint|quint", text):
        return f"left out: a dtype ({text[:60]})"
    return f"a fault: {text[:100].strip()}"


def by_file(names: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name in names:
        found[name.partition("::")[0]].append(name)
    return found


def without_left_out(counted: Iterable[str]) -> list[str]:
    """Return the tests that are not left out by name.

    Raises:
        SystemExit: more than a tenth of a file is left out.
    """
    left_out = read_reasons(LEFT_OUT)
    for file, names in by_file(counted).items():
        share = sum(name in left_out for name in names) / len(names)
        if share > SHARE_LEFT_OUT:
            sys.exit(f"{LEFT_OUT.name} leaves out {share:.1%} of {file}: at most a tenth may be")
    return [name for name in counted if name not in left_out]


def read_reasons(path: Path) -> dict[str, str]:
    """Return the tests that a file lists, and their reasons."""
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    pairs = (line.split("  ", 1) for line in lines if line and not line.startswith("#"))
    return {name: reason.strip() for name, reason in pairs}


def write_failures(failures: Mapping[str, str]) -> None:
    head = (
        "# PyTorch's tests that fail here, each with the reason; `make pytorch-tests` compares.\n"
        "# left out: a name that minigrad lacks. private: no public name, or another process.\n"
        "# NumPy: a limit of its arrays. slow: over 20 s. better: no error. a fault: to mend.\n"
    )
    lines = [f"{name}  {failures[name]}\n" for name in sorted(failures)]
    FAILURES.write_text(head + "".join(lines), "utf-8")


# --- The report


def subject_of(name: str, subjects: Mapping[str, str]) -> str:
    """Return the subject of a test."""
    file, kind, _ = name.split("::")
    subject = subjects.get(file, file)
    if subject != "autograd":
        return subject
    if "ForwardMode" in kind:
        return "forward mode"
    return "autograd's core" if kind == "TestAutograd" else "autograd's rest"


def report(counted: Iterable[str], here: Outcomes, subjects: Mapping[str, str]) -> None:
    """Print how many of the tests that PyTorch passes pass here, by subject."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name in counted:
        count = counts[subject_of(name, subjects)]
        count[0] += name in here and here[name].word == "passed"
        count[1] += 1
    for subject, (passed, total) in counts.items():
        print(f"{subject:24} {passed:5} of {total:5}  {passed / total:6.1%}")


def compare(counted: Iterable[str], here: Outcomes, expected: Mapping[str, str]) -> bool:
    """Print the tests that begin to pass or to fail; return whether there are any."""
    different = False
    for name in counted:
        passed = name in here and here[name].word == "passed"
        if passed and name in expected:
            print(f"begins to pass, so remove it from {FAILURES.name}: {name}")
        elif not passed and name not in expected:
            why = reason_of(here[name].reason) if name in here else "it did not end"
            print(f"begins to fail: {name}  {why}")
        else:
            continue
        different = True
    return different


def main() -> None:
    parser = argparse.ArgumentParser(prog="make pytorch-tests", description=__doc__)
    parser.add_argument("files", nargs="*", help="such as test_nn.py; by default all")
    parser.add_argument("--write", action="store_true", help="write both lists again")
    options = parser.parse_args()
    folder = tests_folder()
    subjects = test_files(folder)
    files = options.files or list(subjects)
    listed = by_file(SELECTION.read_text("utf-8").splitlines() if SELECTION.is_file() else [])
    found = by_file(choose(functions_of(folder, files))) if options.write else listed
    selected = {file: found[file] for file in files if file in found}
    there = run_files("torch", folder, selected)
    counted = [name for name, outcome in there.items() if outcome.word == "passed"]
    if options.write:
        counted = [name for name in counted if there[name].seconds <= SLOW]
    here = run_files("minigrad", folder, by_file(counted))
    if options.write:
        counted = [name for name in counted if name not in here or here[name].seconds <= SLOW]
        counted = without_left_out(counted)
    report(counted, here, subjects)
    expected = read_reasons(FAILURES)
    if not options.write:
        sys.exit(1 if compare(counted, here, expected) else 0)
    listed = {file: names for file, names in listed.items() if file not in files}
    listed.update(by_file(counted))
    SELECTION.write_text("".join(f"{n}\n" for f in sorted(listed) for n in listed[f]), "utf-8")
    kept = {name: why for name, why in expected.items() if name.partition("::")[0] not in files}
    for name in counted:
        if name not in here or here[name].word != "passed":
            kept[name] = (
                reason_of(here[name].reason) if name in here else "a fault: it does not end"
            )
    write_failures(kept)


if __name__ == "__main__":
    main()
