"""A summary of numbers: extremes and norm, whatever they are, without a warning."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from minigrad.arrays.snapshots import summarize


def test_the_norm_of_large_numbers_is_finite() -> None:
    summary = summarize(np.full(2000, 1e30, np.float32))
    assert summary.norm == pytest.approx(1e30 * 2000**0.5, rel=1e-5)
    assert (summary.maximum, summary.nonfinite) == (np.float32(1e30), 0)


@pytest.mark.parametrize(
    "numbers",
    [
        np.array([3e38, -3e38], np.float32),  # the sum of squares is too large
        np.array([1e-30, 1e-30], np.float32),  # and too small
        np.array([np.inf, np.nan, -1.0]),
        np.array([np.nan]),
        np.array([6e4, 6e4], np.float16),
        np.array([2**62, -(2**62)]),
    ],
    ids=str,
)
def test_to_look_at_numbers_is_no_computation(numbers: np.ndarray[Any, Any]) -> None:
    with np.errstate(all="raise"):
        summary = summarize(numbers)
    finite = numbers[np.isfinite(numbers)].astype(np.float64)
    assert summary.nonfinite == numbers.size - finite.size
    if finite.size:
        norm = float(np.linalg.norm(finite))
        assert summary.norm == pytest.approx(norm, rel=1e-5) or norm < 1e-20
        assert (summary.minimum, summary.maximum) == (finite.min(), finite.max())
    else:
        assert np.isnan([summary.norm, summary.minimum, summary.maximum]).all()
