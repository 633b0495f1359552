"""A row of two passes as a page without a browser: both graphs, both steps, and the differences.

The halves are side by side, as in the browser, each with its graph above its numbers. A node that
differs has a sign. A pass without a step in a row shows its step before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..picture.sheet import Box, Face, Sheet, shortened, wrapped
from ..texts.printable import printable
from ..texts.sentences import say
from .differences import SIGNS
from .payload import Pair
from .payload_pictures import Illustrated
from .step_page import EDGE, GAP, LINE, StepPages

HEAD = 20.0
"""Points for the title of a half."""

GRAPH = 0.46
"""The share of a half's height."""

SMALL, LARGE = 10.0, 13.0
"""Sizes in points: of the sentences about the passes, and of those about a row."""

MOST_SENTENCES, MOST_OF_ROW = 0.16, 2
"""The largest share of the page's height, and the most lines of a row."""


class PairPages:
    """The pages of a pair for the rows at `places`, in points of `width` and `height`."""

    def __init__(
        self,
        payload: Pair,
        passes: Sequence[Illustrated],
        width: float,
        height: float,
        dark: bool,
        places: Iterable[int],
    ) -> None:
        self.payload, self.width, self.height = payload, width, height
        self.language = payload["language"]
        self.halves = [StepPages(each, width, height, dark, ()) for each in passes]
        self.colours = self.halves[0].colours
        self.signs = [
            _with_boxes(each, {id: SIGNS[mark] for id, mark in marks.items()})
            for each, marks in zip(passes, payload["marks"], strict=True)
        ]
        across = width - 2 * EDGE
        most = max(int(height * MOST_SENTENCES / (SMALL * LINE)), 1)
        self.sentences = self._lines(payload["said"], SMALL, across, most)
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
        content = half.contents.at(known[-1] if known else 0)
        title = printable(self.payload["titles"][side])
        if here is None:
            over = all(step is None for step in steps[place:])
            title += f" ({say(self.language, 'pair_over' if over else 'pair_no_step')})"
        title = shortened(title, LARGE, width)
        sheet.text(left, top + LARGE, title, LARGE, face=Face(bold=True))
        high = (height - HEAD) * GRAPH
        graph = (left, top + HEAD, width, high)
        half.graph.draw(content.number - 1, sheet, half.theme, graph, self.signs[side])
        if here is not None:
            below = top + HEAD + high + GAP
            half.draw_content(sheet, content, (left, below, width, top + height - below))

    def _below(self, sheet: Sheet, place: int) -> float:
        """Write the differences along the lower edge, and return their top."""
        width = self.width - 2 * EDGE
        high = SMALL * LINE
        y = self.height - EDGE * 0.7 - len(self.sentences) * high
        for number, line in enumerate(self.sentences):
            end = y + number * high + SMALL
            sheet.text(EDGE, end, line, SMALL, colour=self.colours.soft)
        top = y - self.row_room - GAP * 0.3
        for number, line in enumerate(self._of_row(place, width)):
            sheet.text(EDGE, top + number * LARGE * LINE + LARGE, line, LARGE)
        return top - GAP * 0.7

    def _of_row(self, place: int, width: float) -> list[str]:
        row = self.payload["rows"][place]
        mark = row.get("mark")
        text = row.get("said", "") if mark else say(self.language, "pair_row_same")
        return self._lines([f"{SIGNS[mark]}  {text}"], LARGE, width, MOST_OF_ROW)

    def _lines(self, sentences: Iterable[str], size: float, width: float, most: int) -> list[str]:
        """Break sentences into lines, at most `most` of them."""
        plain = (sentence.replace("`", "") for sentence in sentences)
        lines = [line for sentence in plain for line in wrapped(sentence, size, width)]
        if len(lines) > most:
            last = shortened(lines[most - 1], size, width - 2 * size).rstrip(".\u3002\u2026 ")
            lines = [*lines[: most - 1], f"{last} \u2026"]
        return lines


def _with_boxes(payload: Illustrated, signs: dict[str, str]) -> dict[str, str]:
    """Return the signs, and one for each box that contains a node with a sign."""
    parents = {each["id"]: each["parent"] for each in payload["clusters"]}
    homes = payload["homes"]
    all_signs = dict(signs)
    for node in signs:
        box = homes.get(node)
        while box is not None:
            all_signs[box] = SIGNS["differs"]
            box = parents[box]
    return all_signs
