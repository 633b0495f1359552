"""Numbers as JSON that a browser can read, and as a few words that a person can.

Kept apart from frames.py so that a caption and a test can write a number in the same way.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .captions import say
from .graph import shape_text
from .language import Language
from .payload import Cell, SummaryData, ValueData

if TYPE_CHECKING:
    from minigrad.recording import Value

FEW = 6
"""Tensors of at most this many elements are written out in a sentence."""


def value_data(value: Value) -> ValueData:
    """A recorded value as JSON."""
    data = ValueData(shape=list(value.shape), dtype=value.dtype)
    if value.data is not None:
        data["data"] = [cell(x) for x in value.data.ravel()]
    if value.summary is not None:
        s = value.summary
        data["summary"] = SummaryData(
            min=cell(s.minimum),
            max=cell(s.maximum),
            mean=cell(s.mean),
            norm=cell(s.norm),
            nonfinite=s.nonfinite,
        )
    return data


def cell(x: Any) -> Cell:
    """One element. A float32 0.1 travels as 0.1, not with the digits that a float64 would add."""
    if isinstance(x, bool | np.bool_):
        return bool(x)
    if isinstance(x, int | np.integer):
        return int(x)
    if isinstance(x, complex | np.complexfloating):
        return str(complex(x))
    number = float(x)
    if not math.isfinite(number):
        return str(number)
    return float(str(x)) if isinstance(x, np.floating) else number


def number_text(x: Cell) -> str:
    """A number in at most four digits."""
    return f"{x:.4g}" if isinstance(x, float) else str(x)


def value_text(value: ValueData, language: Language = "en") -> str:
    """A tensor in a word: its numbers if they are few, else its shape and norm."""
    data, shape = value.get("data"), value["shape"]
    if data is not None and len(data) <= FEW:
        return _nested([number_text(x) for x in data], shape)
    return say(
        language, "with_norm", shape=shape_text(tuple(shape)), norm=number_text(_norm(value))
    )


def _nested(cells: list[str], shape: list[int]) -> str:
    """Brackets around the cells, as deep as the shape."""
    if not shape:
        return cells[0]
    length, *rest = shape
    size = len(cells) // length if length else 0
    rows = (_nested(cells[i * size : (i + 1) * size], rest) for i in range(length))
    return f"[{', '.join(rows)}]"


def _norm(value: ValueData) -> Cell:
    """The Euclidean norm of the finite elements."""
    if "summary" in value:
        return value["summary"]["norm"]
    finite = [x for x in value.get("data", []) if not isinstance(x, str)]
    return math.sqrt(math.fsum(float(x) ** 2 for x in finite))
