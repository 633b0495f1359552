"""The colours of all pictures and pages, light and dark, stated once.

The stepper's style sheet (viz/frontend/src/stepper.css) has the same colours under the same names;
a test compares them. theme.py chooses from them for drawings, sheet.py for saved pages.
"""

from __future__ import annotations

from typing import NamedTuple


class Colours(NamedTuple):
    """The stepper's colours, by the names in its style sheet."""

    ground: str
    panel: str
    ink: str
    soft: str
    line: str
    edge: str
    accent: str
    tint: str
    done: str
    bad: str
    bad_tint: str
    plus: str
    minus: str


LIGHT = Colours(
    ground="#ffffff",
    panel="#f7f8fa",
    ink="#1b1f24",
    soft="#59626d",
    line="#d3d8de",
    edge="#848f9b",
    accent="#0b5cad",
    tint="#dcebfa",
    done="#e9edf1",
    bad="#b3261e",
    bad_tint="#fde7e5",
    plus="#3d8bd4",
    minus="#e08a1e",
)
DARK = Colours(
    ground="#16191d",
    panel="#1e2227",
    ink="#eceff2",
    soft="#a4aeb9",
    line="#3a424b",
    edge="#76818d",
    accent="#79b8ff",
    tint="#17395c",
    done="#2a3037",
    bad="#ff9a90",
    bad_tint="#4a1d1a",
    plus="#4a9be8",
    minus="#d98a2b",
)

QUIET = ("#434b55", "#c3cad2")
"""Of small text, light and dark: as `soft`, with a contrast of 7 on every fill."""


BLUE, AMBER = ("#2f5bb7", "#86acff"), ("#8a5a00", "#f2c14e")
GREEN, VIOLET = ("#1f7a43", "#69cf90"), ("#8250a8", "#c79bec")
PALE = ("#dce7ff", "#1d335f")
"""The colours of a plot's lines, and of its bars, light and dark."""
