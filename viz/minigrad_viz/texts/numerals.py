"""Numbers as JSON that a browser can read, and as a few words that a person can."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, NotRequired, TypedDict

import numpy as np

from minigrad.autograd.events import Value

from .language import Language
from .sentences import say, word

FEW = 6
"""Tensors of at most this many elements are written out in a sentence."""

RAGGED = -1
"""Stands in a shape for a length that differs from part to part of a nested tensor."""


Cell = float | str | bool
"""One number. JSON has no NaN and no infinity: these travel as "nan", "inf", "-inf"."""


class SummaryData(TypedDict):
    """Of the finite elements; "nan" where there is none."""

    min: Cell
    max: Cell
    norm: Cell
    nonfinite: int


class SketchData(TypedDict):
    """A large tensor as a small picture, and how its numbers are spread."""

    shape: list[int]  # slices, rows and columns of cells
    cells: list[Cell]  # of the numbers that a cell stands for, the one of the largest size
    block: list[int]  # rows and columns of numbers in a cell
    slices: int  # how many there are, of which the first are shown
    counts: list[int]  # finite numbers between the smallest and the largest, by equal steps


class ValueData(TypedDict):
    """A tensor's numbers. `data` is flat, in row-major order. Without `data` and `summary`, the
    numbers could not be read.
    """

    shape: list[int]
    dtype: str
    data: NotRequired[list[Cell]]
    summary: NotRequired[SummaryData]
    sketch: NotRequired[SketchData]


def value_data(value: Value) -> ValueData:
    """A recorded value as JSON."""
    data = ValueData(shape=list(value.shape), dtype=value.dtype)
    if value.data is not None:
        data["data"] = cells_of(value.data)
    if value.summary is not None:
        s = value.summary
        data["summary"] = SummaryData(
            min=cell(s.minimum),
            max=cell(s.maximum),
            norm=cell(s.norm),
            nonfinite=s.nonfinite,
        )
    if value.sketch is not None:
        data["sketch"] = value.sketch
    return data


def cells_of(array: np.ndarray[Any, Any]) -> list[Cell]:
    """The elements of an array, in row-major order; as `cell` gives them, in one call."""
    flat = array.ravel()
    numbers: list[Any] = flat.tolist()
    if flat.dtype.kind in "biu" or (flat.dtype == np.float64 and np.isfinite(flat).all()):
        return numbers
    if flat.dtype == np.float32 and flat.size >= MANY:
        return shortest(flat)
    if flat.dtype.kind == "f":
        shown = zip(flat, numbers, strict=True)
        return [float(str(x)) if math.isfinite(number) else str(number) for x, number in shown]
    return [cell(x) for x in flat]


MANY = 48
"""Fewer numbers are written faster one by one."""


def shortest(flat: np.ndarray[Any, Any]) -> list[Cell]:
    """Return each float32 as the float64 with the fewest digits that rounds to it.

    The same as `float(str(x))` for each, ten times as fast. floats.ts does it in a browser.
    """
    with np.errstate(all="ignore"):
        wide = flat.astype(np.float64)
        exponent = np.floor(np.log10(np.abs(wide)))
        usual = (exponent >= -14) & (exponent < 6)
        found = np.where(usual, np.nan, wide)
        for digits in range(6, 10):  # a decimal of six digits survives, nine tell any two apart
            # Both factors are exact, so that the quotient is the double nearest to the decimal.
            scale = 10.0 ** np.where(usual, digits - 1 - exponent, 0)
            near = np.rint(wide * scale) / scale
            fits = np.isnan(found) & usual & (near.astype(np.float32) == flat)
            found[fits] = near[fits]
    cells: list[Cell] = found.tolist()
    for place in np.flatnonzero((~usual & (wide != 0)) | np.isnan(found)).tolist():
        x = flat[place]
        cells[place] = float(str(x)) if math.isfinite(x) else str(float(x))
    return cells


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


DECIMALS = 4
LARGE, HUGE, SMALL = 1e6, 1e10, 1e-3


def formatter(cells: Sequence[Cell]) -> Callable[[Cell], str]:
    """A function that writes any of `cells`, in the form that suits them all.

    The same rule as the grids of the front end follow (numbers.ts), so that a sentence and the
    picture next to it show the same digits: as many decimals as are needed, at most four.
    """
    finite = [float(x) for x in cells if not isinstance(x, str)]
    largest = max(map(abs, finite), default=0.0)
    whole = all(map(float.is_integer, finite))
    scientific = largest >= (HUGE if whole else LARGE) or 0 < largest < SMALL
    decimals = 0 if whole else _decimals(finite, largest)

    def write(x: Cell) -> str:
        if isinstance(x, bool | str):
            return str(x)
        if scientific:
            return f"{x:.2e}" if x else "0"
        text = f"{x:.{decimals}f}"
        return text.removeprefix("-") if float(text) == 0 else text

    return write


def _decimals(numbers: Sequence[float], largest: float) -> int:
    """How many decimals the numbers need; digits that float32 loses next to `largest` need none."""
    decimals = 0
    for x in numbers:
        while decimals < DECIMALS and abs(x - round(x, decimals)) > 1e-6 * largest:
            decimals += 1
    return decimals


def number_text(x: Cell) -> str:
    """One number by itself."""
    return formatter([x])(x)


def value_text(value: ValueData, language: Language = "en") -> str:
    """Return a tensor in a few characters: its numbers if they are few, else its shape and norm.

    If the numbers cannot be read, it is the shape alone.
    """
    data, shape = value.get("data"), value["shape"]
    if data is not None and len(data) <= FEW:
        return _nested(list(map(formatter(data), data)), shape)
    if data is None and "summary" not in value:
        return say(language, "without_numbers", shape=shape_text(tuple(shape), language))
    return say(
        language,
        "with_norm",
        shape=shape_text(tuple(shape)),
        norm=number_text(_four_digits(_norm(value))),
    )


def _nested(cells: list[str], shape: list[int]) -> str:
    """Brackets around the cells, as deep as the shape."""
    if not shape:
        return cells[0]
    length, *rest = shape
    if not rest:
        return f"[{', '.join(cells)}]"
    size = len(cells) // length if length else 0
    rows = [_nested(cells[i * size : (i + 1) * size], rest) for i in range(length)]
    return f"[{', '.join(rows)}]"


def _norm(value: ValueData) -> Cell:
    """The Euclidean norm of the finite elements."""
    if "summary" in value:
        return value["summary"]["norm"]
    finite = [float(x) for x in value.get("data", []) if not isinstance(x, str)]
    return math.sqrt(math.fsum([x**2 for x in finite]))


def _four_digits(x: Cell) -> Cell:
    return float(f"{x:.4g}") if isinstance(x, float) else x


@functools.lru_cache(maxsize=1024)  # a graph has few different shapes
def shape_text(shape: tuple[int, ...], language: Language = "en") -> str:
    """A shape in a word: "scalar" for no dimension, else "[5, 3]"; "[5, *]" for a ragged one."""
    if not shape:
        return word(language, "scalar")
    return f"[{', '.join(['*' if n == RAGGED else str(n) for n in shape])}]"
