"""The tensors of a step on a page: grids of numbers in rows, as large as there is room.

A matrix of up to six rows and columns shows all its numbers. So does a tensor of more dimensions,
slice by slice. A larger tensor shows its shape and extremes. If there is too little room, letters
become smaller, and then more tensors are shown by their shape and extremes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ..picture.sheet import MONO, Box, Face, Sheet, measured, mixed, shortened, wrapped
from ..texts.language import Language
from ..texts.numerals import Cell, ValueData, formatter, number_text, shape_text
from ..texts.sentences import say, word
from .step_content import SIGNS, Piece, Section

MOST = 6
"""The most rows, columns and slices that are written."""

CELLS = (216, 72, 36, 24, 12, 6)
"""The most numbers of one tensor that are written: the first limit that leaves enough room."""

SIZES, SMALL = (13.0, 12.0, 11.0, 10.0), (9.0, 8.0)
"""Letter sizes of numbers in points: the largest that leaves enough room. Before letters become
small, sections are put side by side.
"""

LEAST = 7.0
"""The smallest letter size."""


class Block(NamedTuple):
    """Something to draw, with a function of its upper left corner."""

    width: float
    height: float
    draw: Callable[[float, float], None]
    title: str = ""
    bad: bool = False
    sign: bool = False


class Row(NamedTuple):
    """Blocks side by side, below a label or below the row before."""

    label: str
    blocks: list[Block]
    head: float
    height: float


class Numbers:
    """Draws sections on a sheet, within `box`."""

    def __init__(
        self, sheet: Sheet, values: Sequence[ValueData], language: Language, box: Box
    ) -> None:
        self.sheet, self.values, self.language = sheet, values, language
        self.left, self.top, self.width, self.height = box

    def draw(self, sections: Sequence[Section]) -> None:
        """Draw all sections, in the largest letters that fit."""
        for most in CELLS:
            for dense, sizes in ((False, SIZES), (True, SIZES), (False, SMALL), (True, SMALL)):
                for size in sizes:
                    rows = list(self.rows(sections, size, most))
                    if dense:
                        rows = list(self.merge_rows(rows, size))
                    if self.total(rows, size) <= self.height:
                        self.put(rows, size)
                        return
        while len(rows) > 1 and self.total(rows, size) > self.height - size:
            rows.pop()
        self.put(rows, size)
        colour, end = self.sheet.colours.soft, self.top + self.height
        self.sheet.text(self.left, end, "\u2026", size, colour=colour)

    def total(self, rows: Sequence[Row], size: float) -> float:
        return sum(row.head + row.height + self.gap(row, size) for row in rows)

    def gap(self, row: Row, size: float) -> float:
        """The space before a row: more before a section."""
        return size * (0.75 if row.label else 0.35)

    def put(self, rows: Sequence[Row], size: float) -> None:
        sheet, y = self.sheet, self.top
        indent = self.indent(rows, size)
        for row in rows:
            y += self.gap(row, size)
            middle = y + row.head + row.height / 2
            if row.label:
                sheet.text(
                    self.left, middle + size * 0.35, row.label, size * 0.95,
                    colour=sheet.colours.soft,
                )  # fmt: skip
            x = self.left + indent
            for block in row.blocks:
                if block.title:
                    colour = sheet.colours.bad if block.bad else sheet.colours.soft
                    title, small = block.title, max(size * 0.85, LEAST)
                    sheet.text(x, y + size * 0.85, title, small, colour=colour, face=MONO)
                block.draw(x, middle - block.height / 2)
                x += block.width + size * 0.8
            y += row.head + row.height

    def indent(self, rows: Sequence[Row] | Sequence[Section], size: float) -> float:
        """The width of the labels."""
        widest = max((measured(row.label, size * 0.95).width for row in rows), default=0.0)
        return min(widest, self.width * 0.3) + size

    # --- Rows and their blocks

    def rows(self, sections: Sequence[Section], size: float, most: int) -> Iterator[Row]:
        indent = self.indent(sections, size)
        width = self.width - indent
        for label, pieces in sections:
            label = shortened(label, size * 0.95, indent - size + 1)
            blocks = [b for piece in pieces for b in self.blocks(piece, size, most, width)]
            taken: list[Block] = []
            used = 0.0
            for block, after in zip(blocks, [*blocks[1:], None], strict=True):
                # A sign is on the same row as the block after it.
                together = after.width + size * 0.8 if block.sign and after else 0.0
                if taken and used + block.width + together > width:
                    yield self.row(label, taken, size)
                    label, taken, used = "", [], 0.0
                taken.append(block)
                used += block.width + size * 0.8
            if taken:
                yield self.row(label, taken, size)

    def merge_rows(self, rows: Sequence[Row], size: float) -> Iterator[Row]:
        """Put short rows side by side."""
        width = self.width - self.indent(rows, size)
        row: Row | None = None
        for after in rows:
            if row is not None:
                begins = self.words(after.label, size * 0.95, width, self.sheet.colours.soft)
                blocks = [*row.blocks, begins, *after.blocks]
                used = sum(block.width + size * 0.8 for block in blocks)
                if after.label and used <= width:
                    row = self.row(row.label, blocks, size)
                    continue
                yield row
            row = after
        if row is not None:
            yield row

    def row(self, label: str, blocks: list[Block], size: float) -> Row:
        head = size * 1.25 if any(block.title for block in blocks) else 0.0
        return Row(label, blocks, head, max(block.height for block in blocks))

    def blocks(self, piece: Piece, size: float, most: int, width: float) -> Iterator[Block]:
        if piece.value is None:
            words = self.words(
                piece.text, size, width, self.sheet.colours.bad if piece.bad else None
            )
            yield words._replace(sign=piece.text in SIGNS)
            return
        value = self.values[piece.value]
        data, shape = value.get("data"), value["shape"]
        grids: list[Block] = []
        if data and len(data) <= most and all(n <= MOST for n in shape[-2:]):
            slices = list(self.slices(shape, data))
            if len(slices) <= MOST:
                written = formatter(data)
                largest = max((abs(x) for x in map(_number, data) if math.isfinite(x)), default=0.0)
                grids = [self.grid(rows, written, largest, size, t) for t, rows in slices]
        if not grids or max(grid.width for grid in grids) > width:
            grids = [self.summary(value, size, width)]
        title = shortened(piece.title, max(size * 0.85, LEAST), width, mono=True)
        for place, grid in enumerate(grids):
            both = "  ".join(filter(None, (title if place == 0 else "", grid.title)))
            wide = max(grid.width, measured(both, max(size * 0.85, LEAST), True).width)
            yield grid._replace(title=both, bad=piece.bad, width=wide)

    def slices(
        self, shape: Sequence[int], data: Sequence[Cell]
    ) -> Iterator[tuple[str, list[list[Cell]]]]:
        """Yield the rows of each slice: its last two dimensions, and its indices in the others."""
        rows, columns = ([1, 1, *shape])[-2:]
        outer = shape[:-2]
        for number in range(math.prod(outer)):
            place: list[int] = []
            left = number
            for length in reversed(outer):
                place.insert(0, left % length)
                left //= length
            start = number * rows * columns
            lines = [data[start + i * columns : start + (i + 1) * columns] for i in range(rows)]
            yield (f"[{', '.join(map(str, place))}]" if outer else ""), [[*line] for line in lines]

    def grid(
        self,
        rows: list[list[Cell]],
        written: Callable[[Cell], str],
        largest: float,
        size: float,
        title: str,
    ) -> Block:
        """A cell for each number, tinted by its size: blue if it is positive, else orange."""
        texts = [[written(cell) for cell in row] for row in rows]
        widest = max(measured(text, size, True).width for row in texts for text in row)
        wide, high = max(widest + size * 0.8, size * 2.2), size * 1.55
        colours = self.sheet.colours

        def draw(x: float, y: float) -> None:
            for i, row in enumerate(rows):
                for j, cell in enumerate(row):
                    number = _number(cell)
                    bad = not math.isfinite(number)
                    share = abs(number) / largest / 2 if largest and not bad else 0.0
                    tint = mixed(
                        colours.plus if number > 0 else colours.minus, colours.ground, share
                    )
                    left, top = x + j * wide, y + i * high
                    self.sheet.box(
                        (left, top, wide - 1.5, high - 1.5),
                        fill=colours.bad_tint if bad else tint,
                        line=colours.bad if bad else colours.line,
                        width=0.75,
                        radius=2.5,
                    )
                    self.sheet.text(
                        left + wide - 1.5 - size * 0.4, top + high / 2 + size * 0.3, texts[i][j],
                        size, face=Face(mono=True, bold=bad), align="right",
                        colour=colours.bad if bad else None,
                    )  # fmt: skip

        return Block(len(rows[0]) * wide, len(rows) * high, draw, title)

    def summary(self, value: ValueData, size: float, width: float) -> Block:
        """Shape, element type and extremes."""
        shape = shape_text(tuple(value["shape"]), self.language)
        about = extremes(value, self.language)
        lines = [f"{shape} {value['dtype']}", *([about] if about else [])]
        bad = self.sheet.colours.bad if nonfinite(value) else None
        return self.words("\n".join(lines), size, width, bad)

    def words(self, text: str, size: float, width: float, colour: str | None) -> Block:
        lines = [
            line for each in text.split("\n") for line in wrapped(each, size, width, mono=True)
        ]
        lines = lines or [""]
        high = size * 1.4

        def draw(x: float, y: float) -> None:
            for number, line in enumerate(lines):
                place = y + number * high + size * 1.05
                self.sheet.text(x, place, line, size, face=MONO, colour=colour)

        wide = max(measured(line, size, True).width for line in lines)
        return Block(wide, len(lines) * high, draw)


def nonfinite(value: ValueData) -> int:
    """The count of recorded numbers that are not finite."""
    if "summary" in value:
        return value["summary"]["nonfinite"]
    return sum(not math.isfinite(_number(cell)) for cell in value.get("data", []))


def extremes(value: ValueData, language: Language) -> str:
    """Norm, minimum and maximum as text; empty if there are no numbers."""
    if "summary" in value:
        summary = value["summary"]
        low, high, norm = summary["min"], summary["max"], summary["norm"]
    else:
        numbers = [_number(x) for x in value.get("data", [])]
        finite = [x for x in numbers if math.isfinite(x)]
        low, high = (min(finite), max(finite)) if finite else ("nan", "nan")
        norm = math.hypot(*finite)
    lost = nonfinite(value)
    if "data" not in value and "summary" not in value:
        return say(language, "without_numbers", shape="").strip()
    if low == "nan":
        return say(language, "none_finite") if lost else ""
    key = "numbers_not_finite" if lost else "numbers"
    return word(
        language,
        key,
        norm=_four_digits(norm),
        minimum=_four_digits(low),
        maximum=_four_digits(high),
        nonfinite=lost,
    )


def _four_digits(x: Cell) -> str:
    return number_text(float(f"{x:.4g}") if isinstance(x, float) else x)


def _number(cell: Cell) -> float:
    """A cell as a number; the absolute value of a complex one."""
    if isinstance(cell, str):
        return abs(number) if (number := complex(cell)).imag else number.real
    return float(cell)
