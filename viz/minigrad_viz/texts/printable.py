"""Text that others have written, made fit to be shown in one line, and how wide it then is."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    """`text` in one line: what XML forbids, or what is not to be seen, becomes a visible mark."""
    # Directional marks could make a label read differently from what it is.
    return "".join(
        "\ufffd"
        if unicodedata.category(c) in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp") or c in _DIRECTIONAL
        else c
        for c in text
    )


_DIRECTIONAL = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def columns(text: str) -> int:
    """The width of `text` in columns of a monospaced font; a wide (Chinese, say) one takes two."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
