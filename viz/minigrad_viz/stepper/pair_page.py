"""A row of two passes as a page without a browser: both graphs, both turns, and what differs.

The halves stand side by side, as in the browser, each with its graph above its numbers. What is not
alike in the two has a sign at its node. A pass without a step in a row stays where it was.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..picture.sheet import Box, Sheet, shortened, wrapped
from ..texts.printable import printable
from ..texts.sentences import say
from .differences import SIGNS
from .payload import Pair, Payload
from .step_page import EDGE, GAP, LINE, StepPages

HEAD = 20.0
"""Points for the title of a half."""

GRAPH = 0.46
"""Of a half's height."""

SMALL, LARGE = 10.0, 13.0
"""Sizes of what is said of the passes, and of a row, in points."""

MOST_SAID, MOST_OF_ROW = 0.16, 2
"""Of the page's height, and lines: at most so much of either."""


class PairPages:
    """The pages of a pair for the rows at `places`, in points of `width` and `height`."""

    def __init__(
        self, payload: Pair, width: float, height: float, dark: bool, places: Iterable[int]
    ) -> None:
        self.payload, self.width, self.height = payload, width, height
        self.language = payload["language"]
        self.halves = [StepPages(each, width, height, dark, ()) for each in payload["passes"]]
        self.colours = self.halves[0].colours
        self.signs = [
            _with_boxes(each, {id: SIGNS[mark] for id, mark in marks.items()})
            for each, marks in zip(payload["passes"], payload["marks"], strict=True)
        ]
        across = width - 2 * EDGE
        most = max(int(height * MOST_SAID / (SMALL * LINE)), 1)
        self.said = self._lines(payload["said"], SMALL, across, most)
        of_rows = (self._of_row(place, across) for place in places)
        self.row_room = max(map(len, of_rows), default=0) * LARGE * LINE

    def page(self, place: int) -> Sheet:
        """The page of the row at `place`, from 0."""
        sheet = Sheet(self.width, self.height, self.colours)
        bottom = self._below(sheet, place)
        wide = (self.width - 2 * EDGE - GAP) / 2
        for side in (0, 1):
            self._half(sheet, place, side, (EDGE + side * (wide + GAP), EDGE, wide, bottom - EDGE))
        return sheet

    def _half(self, sheet: Sheet, place: int, side: int, box: Box) -> None:
        left, top, width, height = box
        half, steps = self.halves[side], [row["steps"][side] for row in self.payload["rows"]]
        here = steps[place]
        known = [step for step in steps[: place + 1] if step is not None]
        turn = half.turns.turn(known[-1] if known else 0)
        title = printable(self.payload["titles"][side])
        if here is None:
            over = all(step is None for step in steps[place:])
            title += f" ({say(self.language, 'pair_over' if over else 'pair_no_step')})"
        title = shortened(title, LARGE, width)
        sheet.text(left, top + LARGE, title, LARGE, bold=True)
        high = (height - HEAD) * GRAPH
        graph = (left, top + HEAD, width, high)
        half.graph.draw(turn.number - 1, sheet, half.theme, graph, self.signs[side])
        if here is not None:
            below = top + HEAD + high + GAP
            half.tell(sheet, turn, (left, below, width, top + height - below))

    def _below(self, sheet: Sheet, place: int) -> float:
        """What differs, in this row and at all, along the lower edge; returns where it begins."""
        width = self.width - 2 * EDGE
        high = SMALL * LINE
        y = self.height - EDGE * 0.7 - len(self.said) * high
        for number, line in enumerate(self.said):
            end = y + number * high + SMALL
            sheet.text(EDGE, end, line, SMALL, colour=self.colours.soft)
        top = y - self.row_room - GAP * 0.3
        for number, line in enumerate(self._of_row(place, width)):
            sheet.text(EDGE, top + number * LARGE * LINE + LARGE, line, LARGE)
        return top - GAP * 0.7

    def _of_row(self, place: int, width: float) -> list[str]:
        row = self.payload["rows"][place]
        mark = row.get("mark")
        said = row.get("said", "") if mark else say(self.language, "pair_row_same")
        return self._lines([f"{SIGNS[mark]}  {said}"], LARGE, width, MOST_OF_ROW)

    def _lines(self, said: Iterable[str], size: float, width: float, most: int) -> list[str]:
        """Sentences in lines, as many as there is room for."""
        plain = (sentence.replace("`", "") for sentence in said)
        lines = [line for sentence in plain for line in wrapped(sentence, size, width)]
        if len(lines) > most:
            last = shortened(lines[most - 1], size, width - 2 * size).rstrip(".\u3002\u2026 ")
            lines = [*lines[: most - 1], f"{last} \u2026"]
        return lines


def _with_boxes(payload: Payload, signs: dict[str, str]) -> dict[str, str]:
    """The same, with a sign for each box in which there is something that has one."""
    parents = {each["id"]: each["parent"] for each in payload.get("clusters", [])}
    found = dict(signs)
    for node in payload["nodes"]:
        box = node.get("cluster") if node["id"] in signs else None
        while box is not None:
            found[box] = SIGNS["differs"]
            box = parents[box]
    return found
