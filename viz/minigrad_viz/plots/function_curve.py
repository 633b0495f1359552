"""A function and its derivative along one input, drawn as SVG in the colours of the graphs.

Drawn by hand and not by matplotlib, because it is drawn anew while a slider is dragged.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..picture.theme import DETAIL_SIZE, by_theme, series, style_sheet
from ..texts.printable import columns, printable

WIDTH, HEIGHT = 390, 260
LEFT, RIGHT, TOP, BOTTOM = 56, 12, 34, 30
TICK = 14.0
"""The least distance of two numbers at an axis."""

COLUMN = 0.602 * DETAIL_SIZE
"""How wide a letter is."""

MOST_COLUMNS = int((WIDTH - LEFT - RIGHT) / COLUMN)


Place = Callable[[float, float], str]
"""From a point of the plot to "across,down" in the picture."""


class Point(NamedTuple):
    """A value of the input, with the function's value and slope there."""

    x: float
    y: float
    slope: float


def curve(points: Sequence[Point], now: Point, *, name: str, function: str) -> str:
    """The plot: the function as a solid line, its derivative dashed, the tangent where the input is
    now. What is not finite is a gap.
    """
    low, high = points[0].x, points[-1].x
    heights = [v for p in (*points, now) for v in (p.y, p.slope) if math.isfinite(v)] or [0.0]
    bottom, top = _padded(min(*heights, 0.0), max(*heights, 0.0))

    def place(x: float, y: float) -> str:
        across = LEFT + (x - low) / (high - low) * (WIDTH - LEFT - RIGHT)
        down = TOP + (top - y) / (top - bottom) * (HEIGHT - TOP - BOTTOM)
        return f"{across:.1f},{min(max(down, -1e4), 1e4):.1f}"

    parts = [
        _line("axis", [place(low, 0), place(high, 0)]),
        *(_line("slope", run) for run in _runs([(p.x, p.slope) for p in points], place)),
        *(_line("value", run) for run in _runs([(p.x, p.y) for p in points], place)),
    ]
    if math.isfinite(now.y) and math.isfinite(now.slope):
        reach = (high - low) / 6
        ends = [(now.x + d, now.y + d * now.slope) for d in (-reach, reach)]
        parts.append(_line("tangent", [place(*end) for end in ends]))
    for kind, y in (("slope", now.slope), ("value", now.y)):
        if math.isfinite(y):
            across, _, down = place(now.x, y).partition(",")
            parts.append(f'<circle class="{kind}" cx="{across}" cy="{down}" r="4"/>')
    x, f = (html.escape(printable(word)) for word in (name, function))
    legend = _legend(printable(function), f"d{printable(function)}/d{printable(name)}")
    short = html.escape(_shortened(printable(name), MOST_COLUMNS // 3))
    legend += f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 4}" text-anchor="end">{short}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="mg-graph mg-curve" role="img" '
        f'aria-label="{f} and d{f}/d{x}" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}"><style>{style_sheet()}{_STYLE}</style>'
        # An SVG within an SVG hides what goes over its edge.
        f'<svg x="{LEFT}" y="{TOP - 6}" width="{WIDTH - LEFT - RIGHT}" '
        f'height="{HEIGHT - TOP - BOTTOM + 12}" viewBox="{LEFT} {TOP - 6} '
        f'{WIDTH - LEFT - RIGHT} {HEIGHT - TOP - BOTTOM + 12}">{"".join(parts)}</svg>'
        f"{''.join(_ticks(low, high, bottom, top, place))}{legend}</svg>"
    )


_STYLE = (
    f".mg-curve text{{font-size:{DETAIL_SIZE:g}px}}"
    ".mg-curve :is(path,polyline){fill:none;stroke-width:2;stroke-linejoin:round}"
    ".mg-curve .axis{stroke:var(--mg-edge);stroke-width:1}"
    + "".join(by_theme(".mg-curve", series(0), series(1)))
    + ".mg-curve .value{stroke:var(--mg-blue)}"
    ".mg-curve .slope{stroke:var(--mg-amber);stroke-dasharray:6 4}"
    ".mg-curve .tangent{stroke:var(--mg-text);stroke-width:1.2}"
    ".mg-curve circle.value{fill:var(--mg-blue);stroke:none}"
    ".mg-curve circle.slope{fill:var(--mg-amber);stroke:none}"
)


def _legend(function: str, slope: str) -> str:
    """Return the legend: two names side by side, or below each other if they are long."""
    room = MOST_COLUMNS // 2
    next_to = max(columns(function), columns(slope)) <= room
    places = (LEFT, 14), (LEFT + 162, 14) if next_to else (LEFT, 28)
    if not next_to and columns(function) + columns(slope) <= MOST_COLUMNS - 10:
        places = (LEFT, 14), (LEFT + 60 + round(columns(function) * COLUMN), 14)
    return "".join(
        f'<path class="{kind}" d="M{x},{y}h26"/>'
        f'<text x="{x + 32}" y="{y + 4}">{html.escape(_shortened(text, MOST_COLUMNS - 5))}</text>'
        for kind, text, (x, y) in zip(("value", "slope"), (function, slope), places, strict=True)
    )


def _shortened(text: str, room: int) -> str:
    """The text, in no more columns than there is room for."""
    if columns(text) <= room:
        return text
    while columns(text) > room - 1:
        text = text[:-1]
    return f"{text}…"


def _line(kind: str, points: Sequence[str]) -> str:
    return f'<polyline class="{kind}" points="{" ".join(points)}"/>'


def _runs(points: Sequence[tuple[float, float]], place: Place) -> list[list[str]]:
    """The pieces of a line between what is not finite."""
    runs: list[list[str]] = [[]]
    for x, y in points:
        if math.isfinite(y):
            runs[-1].append(place(x, y))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if len(run) > 1]


def _padded(low: float, high: float) -> tuple[float, float]:
    room = (high - low) * 0.06 or 1.0
    return low - room, high + room


def _short(number: float) -> str:
    """A number in as many signs as there is room for."""
    text = f"{number:.3g}"
    return text if len(text) <= 6 else f"{number:.1e}".replace("e+0", "e").replace("e-0", "e-")


def _ticks(low: float, high: float, bottom: float, top: float, place: Place) -> list[str]:
    ticks = []
    for x in (low, (low + high) / 2, high):
        across = place(x, bottom).partition(",")[0]
        anchor = "start" if x == low else "middle"
        if x != high:  # the input's name stands there
            text = f'<text x="{across}" y="{HEIGHT - 4}" text-anchor="{anchor}">{x:.3g}</text>'
            ticks.append(text)
    zero = float(place(low, 0.0).partition(",")[2])
    for y in sorted({bottom, 0.0, top}):
        down = float(place(low, y).partition(",")[2])
        if y == 0.0 or abs(down - zero) > TICK:  # else one would stand on the other
            text = f'<text x="{LEFT - 6}" y="{down + 4:.1f}" text-anchor="end">{_short(y)}</text>'
            ticks.append(text)
    return ticks
