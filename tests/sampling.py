"""Samples of tests that take too long for every change: a part runs in each run, all run at night.

A sample is always the same. `make nightly` sets the switches, MINIGRAD_COURSE=all and the like. All
tests run that record PyTorch's answers, while they do so.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeVar

from tests.record import WRITING

T = TypeVar("T")


class Identified(Protocol):
    """A parameter set of pytest."""

    @property
    def id(self) -> Any: ...


P = TypeVar("P", bound=Identified)


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
    drawn = sorted(cases, key=lambda case: zlib.crc32(str(case).encode()))[:most]
    return [case for case in cases if case in drawn]
