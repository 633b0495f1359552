"""A large tensor as a small picture, which a recording keeps for the stepper.

Norm and extremes do not show a row of zeros, a dead unit or one huge number in a corner. A grid of
a few hundred cells does, in a kilobyte or two.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..texts.numerals import Cell, SketchData, cell

SIDE = 32  # cells of a matrix, down and across
SMALL_SIDE = 16  # of one slice among several
STRIP = 64  # cells of a vector
CELLS = SIDE * SIDE
BINS = 24


def sketch(array: np.ndarray[Any, Any]) -> SketchData | None:
    """Return the picture of an array; None for complex numbers, which have no order."""
    if array.dtype.kind not in "fiub" or not array.size:
        return None
    rows, columns = (1, 1, *array.shape)[-2:]
    slices = array.size // (rows * columns)
    most = SIDE if slices == 1 else SMALL_SIDE
    down = math.ceil(rows / most)
    across = math.ceil(columns / (STRIP if rows == slices == 1 else most))
    tall, wide = math.ceil(rows / down), math.ceil(columns / across)
    shown = min(slices, CELLS // (tall * wide))
    some = array.reshape(slices, rows, columns)[:shown]
    with np.errstate(all="ignore"):  # these warnings would not be the program's
        low, high = (
            over.reduceat(
                over.reduceat(some, range(0, rows, down), axis=1),
                range(0, columns, across),
                axis=2,
            ).astype(np.float64)
            for over in (np.minimum, np.maximum)
        )
        cells = np.where(-low > high, low, high)
        counts = _counts(array)
    return SketchData(
        shape=[shown, tall, wide],
        cells=[_short(x) for x in cells.ravel()],
        block=[down, across],
        slices=slices,
        counts=counts,
    )


def _counts(array: np.ndarray[Any, Any]) -> list[int]:
    """Return a histogram of the finite numbers; empty if all are the same."""
    flat = array.ravel(order="K").astype(np.float64)
    finite = flat[np.isfinite(flat)]
    if not finite.size or finite.min() == finite.max():
        return []
    share = (finite - finite.min()) / (finite.max() - finite.min())
    bins = np.minimum(share * BINS, BINS - 1).astype(np.int64)
    return [int(n) for n in np.bincount(bins, minlength=BINS)]


def _short(x: Any) -> Cell:
    """Round to two digits, more than a colour shows."""
    return float(f"{x:.1e}") if math.isfinite(x) else cell(x)
