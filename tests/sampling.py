"""What is too long for every change: a third of it, always the same, in each run, and all at night.

`make nightly` sets the switches, MINIGRAD_COURSE=all and the like. (A test that asks PyTorch is in
each run: its answers are recorded.)
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def all_of(switch: str) -> bool:
    """Whether everything runs that `switch` stands for, `COURSE` or `PROOFS`."""
    return os.environ.get(f"MINIGRAD_{switch}", "") == "all"


def in_this_run(switch: str, name: str) -> bool:
    """Whether the check of this name runs."""
    return all_of(switch) or zlib.crc32(name.encode()) % 3 == 0


def first_of(switch: str, cases: Sequence[T]) -> Sequence[T]:
    """The cases that run: where there are but a few, the first of them in each run."""
    return cases if all_of(switch) else cases[:1]
