"""All tables of operations by family. An operation is tested for what stands in them."""

from __future__ import annotations

from tests.ops.tables import (
    arithmetic,
    elementwise,
    further,
    indexing,
    losses,
    matrix,
    neural,
    rarer,
    reductions,
    shaping,
    wider,
)
from tests.parity import Case

TABLES: dict[str, list[Case]] = {
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
    "rarer": rarer.CASES,
}

NAMES = [case.name for cases in TABLES.values() for case in cases]
