"""Payloads as they travel: small, and the same after a browser has unpacked them.

viz/frontend/test/wire.test.ts unpacks what is listed in viz/frontend/test/wire.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from minigrad_viz.stepper.wire import Caption, encode


@pytest.fixture
def examples(root: Path) -> list[dict[str, Any]]:
    file = root / "viz" / "frontend" / "test" / "wire.json"
    return json.loads(file.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def test_table_of_wires_holds_in_python(examples: list[dict[str, Any]]) -> None:
    forms = set()
    for example in examples:
        assert encode(example["payload"]) == example["sent"]
        forms |= {part.split('"')[0] for part in json.dumps(example["sent"]).split('"$": "')[1:]}
    expected = {"rows", "same", "steps", "names", "floats", "lists", "maybe", "texts"}
    assert forms == expected


def test_caption_travels_with_marks() -> None:
    caption = Caption("It gives 3.")
    caption.marked = "It gives \ue0000\ue001."
    assert encode({"caption": caption}) == {"caption": caption.marked}


def test_number_that_no_float32_is_travels_as_it_is() -> None:
    numbers = [0.1 + place / 3 for place in range(9)]
    assert encode(numbers) == numbers
    assert encode([1e300] * 8 + [1.5]) == [1e300] * 8 + [1.5]
