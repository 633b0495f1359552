"""A tensor's numbers in a few words, for a tooltip: all of them if they are few, else how large.

Three digits are enough there; what a recording shows, it shows in full (texts/numerals.py).
"""

from __future__ import annotations

from typing import Any

from minigrad.autograd.events import summarize

from ..texts.language import Language
from ..texts.sentences import word
from .values import has_numbers, value_of

FEW = 6
MANY = 100_000
"""To look at more numbers than these would take longer than to draw them."""


def summary(tensor: Any, language: Language) -> str | None:
    """The words, or None if there are too many numbers, or none that can be read."""
    if not has_numbers(tensor) or tensor.numel() > MANY:
        return None
    value = value_of(tensor)
    if value.data is not None and value.data.size <= FEW:
        return _nested(value.data.tolist())
    if value.data is not None and value.data.dtype.kind == "c":
        return None
    known = value.summary if value.data is None else summarize(value.data)
    if known is None:
        return None
    parts = {name: f"{getattr(known, name):.3g}" for name in ("minimum", "maximum", "norm")}
    key = "numbers" if known.nonfinite == 0 else "numbers_not_finite"
    return word(language, key, **parts, nonfinite=known.nonfinite)


def _nested(numbers: Any) -> str:
    if isinstance(numbers, list):
        return f"[{', '.join(map(_nested, numbers))}]"
    return str(numbers) if isinstance(numbers, bool | int) else f"{numbers:.3g}"
