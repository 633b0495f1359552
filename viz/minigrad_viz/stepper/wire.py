"""A payload as it travels to a page: lists of records as columns, numbers as bytes.

Ten thousand steps have the same fields in the same order, ids that count up, and sentences that
differ in their numbers alone. In columns, with differences in place of counts, a compressed page is
half as large, and a browser formats only the numbers that it shows. viz/frontend/src/wire.ts
unpacks it; every other JSON travels as it is.

    {"$": "rows", "keys": [...], "kind": column, "of": {key: column}}   a list of dicts
    {"$": "same", "n": n, "v": value}                                   n equal values
    {"$": "steps", "v": [...]}                                          integers, as differences
    {"$": "names", "p": prefix, "v": [...]}                             "n1", "n2", as differences
    {"$": "floats", "v": base64}                                        float32 in planes of bytes
    {"$": "lists", "n": column, "of": column}                           lists of one kind, in a row
    {"$": "maybe", "is": column, "of": column}                          values, or None
    {"$": "texts", "w": [...], "i": column, "of": [columns of each]}    texts, and their integers
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..texts.numerals import shortest

FEW = 8
"""A shorter list travels as it is."""

LONG = 1000
"""Letters: a longer text, such as a picture, travels as it is."""

NAME = re.compile(r"([^\d]*)(0|[1-9]\d{0,8})")
DIGITS = re.compile(r"([0-9.]+)")
NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")

PLACE = "\x00"
"""Stands in a text for an integer."""

BEGIN, END = "\ue000", "\ue001"
"""Around the index of a value whose numbers a sentence names."""


class Caption(str):
    """A sentence. In `marked`, indices of values stand for their numbers."""

    marked: str


def encode(value: Any) -> Any:
    """Return JSON that says the same in fewer letters."""
    if isinstance(value, dict):
        return {key: encode(each) for key, each in value.items()}
    if isinstance(value, list):
        return column(value) if len(value) >= FEW else [encode(each) for each in value]
    return value.marked if isinstance(value, Caption) else value


def column(values: list[Any]) -> Any:
    """Return the values of a list, in the form that suits them all."""
    kinds = set(map(type, values))
    if not values or not kinds.isdisjoint((bool,)):
        return [encode(each) for each in values]
    if type(None) in kinds and len(kinds) > 1:
        known = [each for each in values if each is not None]
        return {
            "$": "maybe",
            "is": column([int(each is not None) for each in values]),
            "of": column(known),
        }
    if all(issubclass(kind, dict) for kind in kinds):
        return rows(values)
    if all(issubclass(kind, list) for kind in kinds):
        flat = [each for inner in values for each in inner]
        return {"$": "lists", "n": column(list(map(len, values))), "of": column(flat)}
    if all(issubclass(kind, str) for kind in kinds):
        return texts([each.marked if isinstance(each, Caption) else each for each in values])
    if len(kinds) == 1 and all(each == values[0] for each in values):
        return {"$": "same", "n": len(values), "v": values[0]}
    if kinds == {int}:
        return {"$": "steps", "v": differences(values)}
    if kinds <= {int, float} and (packed := floats(values)) is not None:
        return {"$": "floats", "v": packed}
    return [encode(each) for each in values]


def rows(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return a column for each key."""
    kinds: dict[tuple[str, ...], int] = {}
    which = [kinds.setdefault(tuple(record), len(kinds)) for record in records]
    keys = dict.fromkeys(key for kind in kinds for key in kind)
    columns = {key: column([record[key] for record in records if key in record]) for key in keys}
    return {"$": "rows", "keys": [[*kind] for kind in kinds], "kind": column(which), "of": columns}


def texts(values: list[str]) -> Any:
    """Return names that count up as numbers, and texts without their integers once each."""
    if all(each == values[0] for each in values):
        return {"$": "same", "n": len(values), "v": values[0]}
    first = NAME.fullmatch(values[0])
    if first and (numbers := numbers_after(first[1], values)) is not None:
        return {"$": "names", "p": first[1], "v": differences(numbers)}
    if any(PLACE in each or len(each) > LONG for each in values):
        return values
    patterns: dict[str, int] = {}
    parts = [split(each) for each in values]
    which = [patterns.setdefault(PLACE.join(each[::2]), len(patterns)) for each in parts]
    if len(patterns) > len(values) / 2:
        return values
    numbers_of: list[list[int]] = [[] for _ in patterns]  # those of one text after another
    for pattern, each in zip(which, parts, strict=True):
        numbers_of[pattern] += map(int, each[1::2])
    counts = [pattern.count(PLACE) for pattern in patterns]
    columns = [
        [column(many[place::count]) for place in range(count)]
        for many, count in zip(numbers_of, counts, strict=True)
    ]
    return {"$": "texts", "w": [*patterns], "i": column(which), "of": columns}


def split(text: str) -> list[str]:
    """Return the parts of a text between integers, and the integers, in turn."""
    parts = DIGITS.split(text)
    at = 1
    while at < len(parts):
        if NUMBER.fullmatch(parts[at]):
            at += 2
        else:  # a decimal, or the end of a sentence
            parts[at - 1 : at + 2] = ["".join(parts[at - 1 : at + 2])]
    return parts


def numbers_after(prefix: str, values: Sequence[str]) -> list[int] | None:
    """Return the numbers of names that differ in nothing else, or None."""
    numbers = []
    for each in values:
        found = NAME.fullmatch(each)
        if found is None or found[1] != prefix:
            return None
        numbers.append(int(found[2]))
    return numbers


def differences(numbers: Sequence[int]) -> list[int]:
    """Return the first number, and how far each is from the one before."""
    return [b - a for a, b in zip([0, *numbers], numbers, strict=False)]


def floats(values: Sequence[float]) -> str | None:
    """Return numbers as float32, or None if one of them would be another after that.

    First the lowest byte of all, and so on: of numbers of one size, the highest is nearly always
    the same.
    """
    wide = np.array(values, np.float64)
    if not np.isfinite(wide).all() or (np.abs(wide) > np.finfo(np.float32).max).any():
        return None
    narrow = wide.astype("<f4")
    if shortest(narrow) != wide.tolist():
        return None
    planes = narrow.view(np.uint8).reshape(-1, 4).T
    return base64.b64encode(planes.tobytes()).decode()
