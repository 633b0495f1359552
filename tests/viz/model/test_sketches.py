"""The picture of a large tensor agrees with its numbers."""

from __future__ import annotations

import json
import math
import warnings
from typing import Any

import numpy as np
import pytest
from minigrad_viz.model.sketches import CELLS, sketch

from minigrad.autograd import events

RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize(
    "shape",
    [(5000,), (40, 50), (1025, 1), (1, 3000), (33, 32), (8, 3, 32, 32), (64, 32, 3, 3), (2, 999)],
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_cell_is_the_largest_of_its_block(shape: Any, order: Any) -> None:
    array = np.asarray(RANDOM.standard_normal(shape), np.float32, order=order)
    found = sketch(array)
    assert found is not None
    shown, rows, columns = found["shape"]
    down, across = found["block"]
    assert len(found["cells"]) == shown * rows * columns <= CELLS
    slices = array.reshape(-1, *(1, *shape)[-2:])
    assert len(slices) == found["slices"]
    expected = []
    for matrix in slices[:shown]:
        for top in range(0, matrix.shape[0], down):
            for left in range(0, matrix.shape[1], across):
                block = matrix[top : top + down, left : left + across]
                expected.append(block.flat[np.abs(block).argmax()])
    assert np.allclose(found["cells"], expected, rtol=0.06)


def test_counts_include_all_finite_numbers() -> None:
    array = RANDOM.standard_normal((7, 300)).astype(np.float16)
    array[3, 5], array[6, 299], array[0, 0] = np.nan, np.inf, -np.inf
    found = sketch(array)
    assert found is not None
    finite = array[np.isfinite(array)].astype(float)
    assert found["counts"] == np.histogram(finite, 24)[0].tolist()


def test_non_finite_cells_are_never_hidden() -> None:
    array = np.ones((4, 100, 100))
    array[0, 37, 61], array[1, 0, 0], array[2, 99, 99] = np.nan, np.inf, -np.inf
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = sketch(array)
    assert found is not None
    cells = [x for x in found["cells"] if x != 1.0]
    assert cells == ["nan", "inf", "-inf"]
    assert found["counts"] == []
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize("kind", [bool, np.int64, np.uint8])
def test_whole_numbers_have_a_picture_too(kind: Any) -> None:
    array = np.zeros((50, 50), kind)
    array[49, 0] = 1
    found = sketch(array)
    assert found is not None
    assert sum(map(float, found["cells"])) == 1.0
    assert sum(found["counts"]) == 2500


def test_complex_numbers_have_none() -> None:
    assert sketch(np.ones(2000, complex)) is None


def test_snapshot_is_sketched_on_request() -> None:
    large, small = np.ones((50, 50)), np.ones(3)
    assert events.snapshot(large).sketch is None
    with events.sketched_by(lambda array: math.prod(array.shape)):
        assert events.snapshot(large).sketch == 2500
        assert events.snapshot(small).sketch is None
    assert events.snapshot(large).sketch is None
