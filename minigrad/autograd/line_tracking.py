"""The mode that stores in every node the line that made it. PyTorch has no counterpart."""

from __future__ import annotations

from typing import Any

from ..core.modes import Mode, Modes, rare


class track_lines(Mode):
    """Store in every node the line of the user's code that made it (`Node.line`).

    `minigrad_viz` turns this on for a whole process with `set_track_lines(True)`, since a picture
    should name the code it shows. It costs a fraction of a microsecond per node.
    """

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def switch(self) -> dict[str, Any]:
        return {"lines": self.mode}


def set_track_lines(mode: bool) -> None:
    """Turn line tracking on or off for every thread that has not set it for itself."""
    Modes.lines, rare.used = mode, True
