"""Numbers as text: Python and a browser write the same, by one table.

viz/frontend/test/numbers.json lists tensors and what is written of them; this file checks Python's
side, and viz/frontend/test/table.test.ts the browser's.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from minigrad_viz.texts.numerals import cells_of, formatter, shortest, value_data, value_text

from minigrad.autograd.events import snapshot


def table(root: Path) -> list[dict[str, Any]]:
    text = (root / "viz" / "frontend" / "test" / "numbers.json").read_text(encoding="utf-8")
    return json.loads(text)  # type: ignore[no-any-return]


def test_table_of_texts_holds_in_python(root: Path) -> None:
    for row in table(root):
        assert list(map(formatter(row["cells"]), row["cells"])) == row["texts"], row


def test_table_of_floats_holds_in_python(root: Path) -> None:
    for row in table(root):
        if "float32" in row:
            bits = np.array(row["float32"], np.uint32).view(np.float32)
            assert cells_of(bits) == row["cells"]
            assert shortest(bits) == row["cells"]


def test_shortest_float_is_that_of_numpy() -> None:
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**32, 5000, dtype=np.uint32).view(np.float32)
    usual = np.round(rng.standard_normal(5000), 3).astype(np.float32)
    edges = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, *2.0 ** np.arange(-149, 128)], np.float32)
    for numbers in (bits, usual, edges):
        expected = [float(str(x)) if math.isfinite(x) else str(float(x)) for x in numbers]
        assert list(map(repr, shortest(numbers))) == list(map(repr, expected))


@pytest.mark.parametrize(
    ("array", "text"),
    [(3.0, "3"), ([[0.5, -2.0]], "[[0.5, -2.0]]"), ([1 / 32], "[0.0312]"), (range(9), "[9]")],
)
def test_value_in_a_sentence(array: Any, text: str) -> None:
    assert value_text(value_data(snapshot(np.array(array, np.float32)))).startswith(text)
