"""One step of a pass as a page without a browser: the graph, the rule, the numbers, the sentences.

It reads only the payload of the stepper. A wide page has the graph on its left, a narrow one has it
above.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..picture.palette import DARK, LIGHT
from ..picture.sheet import (
    MONO,
    Box,
    Face,
    Sheet,
    is_set,
    measured,
    shortened,
    wrapped,
)
from ..picture.theme import DARK as DARK_GRAPH
from ..picture.theme import LIGHT as LIGHT_GRAPH
from .page_graph import Graph
from .page_numbers import Numbers
from .payload_pictures import Illustrated
from .step_content import StepContent, StepContents

EDGE, GAP = 18.0, 14.0
"""Points around a page, and between its parts."""

WIDE = 1.3
"""A page of at least this ratio of width to height has the graph next to the numbers."""

SENTENCES = (15.0, 14.0, 13.0, 12.0, 11.0, 10.0, 9.0, 8.0)
"""Sizes of the caption, in points."""

MOST_CAPTION = 0.22
"""The largest share of a page's height."""

LINE = 1.4
"""The distance between lines, in letter sizes."""


class StepPages:
    """The pages of a payload for the steps at `places`, in points of `width` and `height`."""

    def __init__(
        self, payload: Illustrated, width: float, height: float, dark: bool, places: Iterable[int]
    ) -> None:
        self.payload, self.width, self.height = payload, width, height
        self.colours = DARK if dark else LIGHT
        self.theme = DARK_GRAPH if dark else LIGHT_GRAPH
        self.contents = StepContents(payload)
        self.graph = Graph(payload)
        self.caption_room = self._caption_room(places)

    def page(self, place: int) -> Sheet:
        """The page of the step at `place`, from 0."""
        content = self.contents.at(place)
        sheet = Sheet(self.width, self.height, self.colours)
        bottom = self._caption(sheet, content)
        room = bottom - EDGE
        across = self.width - 2 * EDGE
        if self.width >= WIDE * self.height:
            graph = (EDGE, EDGE, across * 0.42, room)
            left, top = EDGE + across * 0.42 + GAP, EDGE
        else:
            graph = (EDGE, EDGE, across, room * 0.42)
            left, top = EDGE, EDGE + room * 0.42 + GAP
        self.graph.draw(place, sheet, self.theme, graph)
        self.draw_content(sheet, content, (left, top, self.width - EDGE - left, bottom - top))
        return sheet

    def draw_content(self, sheet: Sheet, content: StepContent, box: Box) -> None:
        """Draw head, rule and numbers of a step in a box."""
        left, top, width, height = box
        below = self._head(sheet, content, left, top, width)
        room = (left, below, width, top + height - below)
        Numbers(sheet, self.payload["values"], self.payload["language"], room).draw(
            content.sections
        )

    def _caption_room(self, places: Iterable[int]) -> float:
        """Room for the caption: equal on all pages, so the graph stays in place in a film."""
        width, size = self.width - 2 * EDGE, SENTENCES[0]
        contents = (self.contents.at(place) for place in places)
        lines = max((len(wrapped(content.caption, size, width)) for content in contents), default=0)
        return min(lines * size * LINE, self.height * MOST_CAPTION)

    def _caption(self, sheet: Sheet, content: StepContent) -> float:
        """Draw the sentences along the lower edge, and return their top."""
        width, most = self.width - 2 * EDGE, self.caption_room
        for size in SENTENCES:
            lines = wrapped(content.caption, size, width)
            high = size * LINE
            if len(lines) * high <= most + 0.01:
                break
        fits = max(int((most + 0.01) / high), 1)
        if len(lines) > fits:
            last = shortened(lines[fits - 1] + "\u2026", size, width - size) + "\u2026"
            lines = [*lines[: fits - 1], last.replace("\u2026\u2026", "\u2026")]
        top = self.height - EDGE * 0.6 - most
        for number, line in enumerate(lines):
            sheet.text(EDGE, top + number * high + size, line, size)
        return top - GAP * 0.7

    def _head(
        self, sheet: Sheet, content: StepContent, left: float, top: float, width: float
    ) -> float:
        """Draw number, title, line of code and rule, and return their bottom."""
        soft = self.colours.soft
        count = f"{content.number} / {content.steps}"
        room = measured(count, 12).width + GAP
        sheet.text(left + width, top + 15, count, 12, colour=soft, align="right")
        size = next(
            (s for s in (18.0, 16.0, 14.0, 12.0) if _fits(content.title, s, width - room)), 12.0
        )
        title = shortened(content.title, size, width - room - size, mono=True)
        sheet.text(left, top + 15, title, size, face=Face(mono=True, bold=True))
        y = top + 22
        if content.place:
            place = shortened(content.place, 10, width, mono=True)
            sheet.text(left, y + 10, place, 10, face=MONO, colour=soft)
            y += 16
        return self._rule(sheet, content, left, y + 4, width)

    def _rule(
        self, sheet: Sheet, content: StepContent, left: float, y: float, width: float
    ) -> float:
        if not content.formulas or not all(map(is_set, content.formulas)):
            for line in wrapped(content.rule_text, 12, width, mono=True)[:4]:
                sheet.text(left, y + 13, line, 12, face=MONO)
                y += 17
            return y
        apart = 24.0
        size = 16.0
        while (
            size > 8 and max(measured(f, size, math=True).width for f in content.formulas) > width
        ):
            size -= 0.5
        row: list[tuple[str, float]] = []
        x = 0.0
        for formula in (*content.formulas, ""):
            wide = measured(formula, size, math=True).width if formula else 0.0
            if row and (x + wide > width or not formula):
                extents = [measured(each, size, math=True) for each, _ in row]
                y += max(extent.height for extent in extents) + 3
                for each, at in row:
                    sheet.text(left + at, y, each, size, face=Face(math=True))
                y += max(extent.depth for extent in extents) + 3
                row, x = [], 0.0
            row.append((formula, x))
            x += wide + apart
        return y


def _fits(title: str, size: float, width: float) -> bool:
    return measured(title, size, True, True).width <= width
