"""Samples of tests that take too long for every change: a part runs in each run, all run at night.

`@pytest.mark.sampled("PAGES", 2)` runs at most two of the cases of a parametrized test, unless one
names tests by `-k` or `::`. The functions here draw among the parts of a test. With `--sampled`, as
in `make test`, a table of more than 20 cases runs 20 of them and a quarter of the others, and a
file that takes long runs a third of its tests.

A sample is always the same. `make nightly` sets the switches, MINIGRAD_COURSE=all and the like. All
tests run that record PyTorch's answers, while they do so.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Container, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest

from tests.record import WRITING

FEW = 20
"""A table of at most this many cases is short: `make test` runs all of them."""
T = TypeVar("T")


class Identified(Protocol):
    """A parameter set of pytest."""

    @property
    def id(self) -> Any: ...


P = TypeVar("P", bound=Identified)


class Marked(Protocol):
    """A collected test of pytest."""

    @property
    def nodeid(self) -> str: ...
    def get_closest_marker(self, name: str) -> pytest.Mark | None: ...


C = TypeVar("C", bound=Marked)


def all_of(switch: str) -> bool:
    """Whether the complete set of `switch` runs, of `COURSE` or `PROOFS`."""
    return os.environ.get(f"MINIGRAD_{switch}", "") == "all"


def in_this_run(switch: str, name: str) -> bool:
    """Whether the check of this name runs: one in three, or all."""
    return all_of(switch) or WRITING or zlib.crc32(name.encode()) % 3 == 0


def drawn(switch: str, prefix: str, cases: Iterable[P]) -> list[P]:
    """The parameter sets that run in a test: one in three by `prefix` and id, or all.

    A test of its own prefix draws cases of its own.
    """
    return [case for case in cases if in_this_run(switch, f"{prefix} {case.id}")]


def first_of(switch: str, cases: Sequence[T]) -> Sequence[T]:
    """The cases that run: the first one, or all."""
    return cases if all_of(switch) else cases[:1]


def sample(switch: str, cases: Sequence[T], most: int) -> Sequence[T]:
    """At most `most` of the cases, drawn by their names, or all."""
    if all_of(switch) or WRITING:
        return cases
    drawn = sorted(cases, key=lambda case: zlib.crc32(name_of(case).encode()))[:most]
    return [case for case in cases if case in drawn]


def name_of(case: object) -> str:
    """Return the name by which a case is drawn; a file has the same one in every checkout."""
    return case.name if isinstance(case, Path) else str(case)


def cases_that_run(count: int, mark: pytest.Mark | None, tables: bool) -> int:
    """Return how many of a test's cases run: a mark's number, a part of a long table, or all."""
    if WRITING or (mark and all_of(mark.args[0])):
        return count
    if mark:
        return int(mark.args[1])
    return FEW + (count - FEW) // 4 if tables and count > FEW else count


def sampled_tests(items: Sequence[C], tables: bool = False) -> list[C]:
    """The tests that run: all but those that `sampled` leaves out, and `tables` of long tables.

    The mark has the switch that runs all cases of a test, and the number that runs otherwise.
    """
    cases: dict[str, list[str]] = {}
    marks: dict[str, pytest.Mark | None] = {}
    for item in items:
        test = item.nodeid.partition("[")[0]
        cases.setdefault(test, []).append(item.nodeid)
        marks[test] = item.get_closest_marker("sampled")
    drawn = {
        name
        for test, names in cases.items()
        for name in sample("", sorted(names), cases_that_run(len(names), marks[test], tables))
    }
    return [item for item in items if item.nodeid in drawn]


def part_of_long_files(items: Sequence[C], long: Container[str]) -> list[C]:
    """The tests that run if of each `long` file a third does, and at least one."""
    files: dict[str, list[str]] = {}
    for item in items:
        files.setdefault(item.nodeid.partition("::")[0], []).append(item.nodeid)
    drawn = {
        name
        for file, names in files.items()
        for name in (sample("", sorted(names), -(-len(names) // 3)) if file in long else names)
    }
    return [item for item in items if item.nodeid in drawn]
