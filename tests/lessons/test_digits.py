"""The digits in the package are the ones that their licence note names."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
from minigrad_lessons import digits

# As the UCI repository states for the test part: how often each digit occurs, from 0 to 9.
OCCURS = [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]


def test_the_digits_are_the_whole_test_part() -> None:
    images, labels = digits()
    assert images.shape == (1797, 8, 8)
    assert (images.min(), images.max()) == (0, 16)
    assert np.bincount(labels).tolist() == OCCURS


def test_file_equals_scikit_learn_s(root: Path) -> None:
    data = (root / "lessons" / "minigrad_lessons" / "data" / "digits.csv.gz").read_bytes()
    assert hashlib.sha256(data).hexdigest() == (
        "09f66e6debdee2cd2b5ae59e0d6abbb73fc2b0e0185d2e1957e9ebb51e23aa22"
    )


def test_their_licence_is_stated(root: Path) -> None:
    note = (root / "lessons" / "minigrad_lessons" / "data" / "LICENSE.md").read_text()
    assert "creativecommons.org/licenses/by/4.0" in note
    assert "10.24432/C50P49" in note
