"""Make text from elsewhere fit to be shown in one line, and measure its width."""

from __future__ import annotations

import sys
import unicodedata

CATEGORIES = frozenset(("Cc", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Categories of characters that XML forbids or that cannot be seen."""

DIRECTIONAL = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Directional marks: they could make a label read differently from what it is."""


def printable(text: str) -> str:
    """Return `text` in one line, with a visible mark for each character that cannot be shown."""
    if text.isprintable():  # nearly every text, and this makes no call for each character
        return text
    hidden = {c for c in text if unicodedata.category(c) in CATEGORIES} | DIRECTIONAL
    return "".join(["\ufffd" if c in hidden else c for c in text])


BRANCHES = "└├│─"
"""The lines of a tree of text."""


def as_printed(text: str) -> str:
    """Return `text` with the branches of a tree in ASCII if standard output lacks them.

    On Windows, output that is redirected to a file has 256 characters.
    """
    try:
        BRANCHES.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return text.translate(str.maketrans(BRANCHES, "`||-"))
    return text


def columns(text: str) -> int:
    """Return the width of `text` in columns of a monospaced font; a Chinese character takes two."""
    if text.isascii():
        return len(text)
    widths = [
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    ]
    return sum(widths)
