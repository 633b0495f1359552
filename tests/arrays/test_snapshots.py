"""A summary of numbers whose squares float32 cannot hold."""

from __future__ import annotations

import numpy as np
import pytest

from minigrad.arrays.snapshots import summarize


def test_the_norm_of_large_numbers_is_finite() -> None:
    summary = summarize(np.full(2000, 1e30, np.float32))
    assert summary.norm == pytest.approx(1e30 * 2000**0.5, rel=1e-5)
    assert (summary.maximum, summary.nonfinite) == (np.float32(1e30), 0)
