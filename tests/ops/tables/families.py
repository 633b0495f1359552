"""All tables of operations by family."""

from __future__ import annotations

from tests.ops.tables import (
    arithmetic,
    elementwise,
    in_place,
    indexing,
    losses,
    matrix,
    neural,
    padding,
    reductions,
    sampled_images,
    shaping,
    volumes,
)
from tests.parity import Case

TABLES: dict[str, list[Case]] = {
    "arithmetic": arithmetic.CASES,
    "elementwise": elementwise.CASES,
    "in_place": in_place.CASES,
    "reductions": reductions.CASES,
    "matrix": matrix.CASES,
    "shaping": shaping.CASES,
    "indexing": indexing.CASES,
    "losses": losses.CASES,
    "neural": neural.CASES,
    "padding": padding.CASES,
    "sampled_images": sampled_images.CASES,
    "volumes": volumes.CASES,
}

NAMES = [case.name for cases in TABLES.values() for case in cases]
