"""The line of the reader's program that made a node.

A node of minigrad remembers its file and line. The metadata of a node of PyTorch has them if
anomaly mode or an observer of the forward pass has noted them.
"""

from __future__ import annotations

import re
from types import FrameType
from typing import Any

from minigrad.autograd.events import CodeLine, Place, place_of
from minigrad.autograd.events import Node as OwnedNode

NOTED = "minigrad_viz.line"
"""The key in a PyTorch node's metadata."""

PLACE = "minigrad_viz.place"
"""The key of the place in the program, as `minigrad.autograd.events.place_of` gives it."""

MOST_CALLERS = 4
"""Places that are noted, as many as minigrad records."""

LIBRARIES = ("torch", "minigrad", "minigrad_viz")


def line_of(node: Any) -> CodeLine | None:
    """Return the line of the reader's program that made a node, if it is known."""
    line = getattr(node, "line", None)
    if isinstance(line, CodeLine):  # a Function may store anything under that name
        return line
    metadata = getattr(node, "metadata", None)
    if not isinstance(metadata, dict):
        return None
    if isinstance(noted := metadata.get(NOTED), CodeLine):
        return noted
    for entry in reversed(metadata.get("traceback_", ())):  # anomaly mode
        found = re.match(r'\s*File "(.*)", line (\d+), in ', entry)
        if found and not re.search(r"[/\\]torch[/\\]", found[1]):
            return CodeLine(found[1], int(found[2]))
    return None


def place_noted(node: Any) -> Place | None:
    """Return the place in the program that made a node, with those of its callers, if known."""
    if isinstance(node, OwnedNode):
        return place_of(node)
    metadata = getattr(node, "metadata", None)
    return metadata.get(PLACE) if isinstance(metadata, dict) else None


def running_line(frame: FrameType | None) -> CodeLine | None:
    """Return the line of the reader's program that runs in `frame`, or that has called it."""
    while frame is not None and of_library(frame):
        frame = frame.f_back
    return None if frame is None else CodeLine(frame.f_code.co_filename, frame.f_lineno)


def running_place(frame: FrameType | None) -> Place | None:
    """Return the place of the reader's program that runs in `frame`, with those of its callers."""
    found: Place = ()
    while frame is not None:
        if not of_library(frame):
            found += (frame.f_code, frame.f_lasti)
            if frame.f_code.co_name == "<module>" or len(found) == 2 * MOST_CALLERS:
                break
        frame = frame.f_back
    return found or None


def of_library(frame: FrameType) -> bool:
    """Whether this is code of PyTorch or of this project, not the reader's."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] in LIBRARIES
