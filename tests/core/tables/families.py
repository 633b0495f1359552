"""All tables of operations by family. An operation is tested for what stands in them."""

from __future__ import annotations

from tests.core.parity import Case
from tests.core.tables import (
    arithmetic,
    elementwise,
    further,
    indexing,
    later,
    losses,
    matrix,
    neural,
    reductions,
    shaping,
    wider,
)

ALL: dict[str, list[Case]] = {
    "arithmetic": arithmetic.CASES,
    "elementwise": elementwise.CASES,
    "reductions": reductions.CASES,
    "matrix": matrix.CASES,
    "shaping": shaping.CASES,
    "indexing": indexing.CASES,
    "losses": losses.CASES,
    "neural": neural.CASES,
    "wider": wider.CASES,
    "further": further.CASES,
}

NAMES = [case.name for cases in ALL.values() for case in cases]

TABLES: dict[str, list[Case]] = {
    family: [case for case in cases if case.name not in later.NOT_YET]
    for family, cases in ALL.items()
}

LATER: list[Case] = [case for cases in ALL.values() for case in cases if case.name in later.NOT_YET]
