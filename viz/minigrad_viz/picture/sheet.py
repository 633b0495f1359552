"""A sheet to draw on where there is no browser: text, lines and shapes, placed in points.

matplotlib draws it, as SVG, PDF or pixels; it is imported when the first sheet is made. Places are
counted from the upper left corner, as in the pictures of svg.py. How wide a text is does not depend
on the fonts of a machine: the letters of matplotlib's own fonts are measured, a Chinese sign is as
wide as it is high.
"""

from __future__ import annotations

import contextlib
import functools
import io
import re
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from ..model.optional_packages import optional
from .palette import Colours

CHINESE = (
    *("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "PingFang SC", "Hiragino Sans GB"),
    *("Microsoft YaHei", "SimHei", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Heiti SC"),
    *("Noto Sans CJK JP", "Noto Sans CJK TC", "Arial Unicode MS"),
)
"""Fonts with Chinese, of which the first that is installed is taken."""

FAMILIES = {False: "DejaVu Sans", True: "DejaVu Sans Mono"}
"""matplotlib's own fonts: for sentences, and for numbers and code."""

POINTS = 72.0
"""In an inch."""


class Face(NamedTuple):
    """How letters look: all of one width, bold, or set as a formula."""

    mono: bool = False
    bold: bool = False
    math: bool = False


PLAIN, MONO = Face(), Face(mono=True)

Box = tuple[float, float, float, float]
"""Left, top, width and height."""


def mixed(one: str, other: str, share: float) -> str:
    """A colour between two: `share` of the first, the rest of the other."""
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


class Sheet:
    """One page. What is drawn later lies above what was drawn before."""

    def __init__(self, width: float, height: float, colours: Colours) -> None:
        self.width, self.height, self.colours = width, height, colours
        inches = (width / POINTS, height / POINTS)
        self.figure = optional("matplotlib.figure").Figure(figsize=inches)
        self.figure.patch.set_facecolor(colours.ground)
        flipped = optional("matplotlib.transforms").Affine2D().scale(1 / POINTS, -1 / POINTS)
        self.points = flipped.translate(0, height / POINTS) + self.figure.dpi_scale_trans
        self.layer = 0

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        colour: str | None = None,
        face: Face = PLAIN,
        align: Literal["left", "center", "right"] = "left",
        inside: Box | None = None,
    ) -> None:
        """Draw a line of text; `y` is where its letters stand."""
        drawn = self.figure.text(
            round(x, 2),
            round(y, 2),
            f"${text}$" if face.math else text,
            transform=self.points,
            fontsize=size,
            fontfamily=_installed(face.mono),
            fontweight="bold" if face.bold else "normal",
            color=colour or self.colours.ink,
            ha=align,
            va="baseline",
            parse_math=face.math,
        )
        self._place(drawn, inside)

    def box(
        self,
        box: Box,
        *,
        fill: str | None = None,
        line: str | None = None,
        width: float = 1.0,
        radius: float = 0.0,
        inside: Box | None = None,
    ) -> None:
        """A rectangle, with round corners if there is a radius."""
        x, y, w, h = box
        r = min(radius, w / 2, h / 2)
        if r == 0:
            way = [(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)]
            self.path(way, [1, 2, 2, 2, 79], fill=fill, line=line, width=width, inside=inside)
            return
        k = r * 0.4477  # from a corner to where a curve that is nearly round is pulled
        way = [
            *[(x + r, y), (x + w - r, y), (x + w - k, y), (x + w, y + k), (x + w, y + r)],
            *[(x + w, y + h - r), (x + w, y + h - k), (x + w - k, y + h), (x + w - r, y + h)],
            *[(x + r, y + h), (x + k, y + h), (x, y + h - k), (x, y + h - r)],
            *[(x, y + r), (x, y + k), (x + k, y), (x + r, y), (x + r, y)],
        ]
        codes = [1, 2, 4, 4, 4, 2, 4, 4, 4, 2, 4, 4, 4, 2, 4, 4, 4, 79]
        self.path(way, codes, fill=fill, line=line, width=width, inside=inside)

    def path(
        self,
        way: Sequence[tuple[float, float]],
        codes: Sequence[int],
        *,
        fill: str | None = None,
        line: str | None = None,
        width: float = 1.0,
        dashed: bool = False,
        inside: Box | None = None,
    ) -> None:
        """Lines and curves through points, as matplotlib numbers their kinds: 1 moves there, 2 is a
        line, three 4 are a curve, 79 closes.
        """
        rounded = [(round(x, 2), round(y, 2)) for x, y in way]
        drawn = optional("matplotlib.patches").PathPatch(
            optional("matplotlib.path").Path(rounded, list(codes)),
            transform=self.points,
            facecolor=fill or "none",
            edgecolor=line or "none",
            linewidth=width if line else 0,
            linestyle=(0, (4, 2)) if dashed else "-",
            capstyle="butt",
        )
        self.figure.add_artist(drawn)
        self._place(drawn, inside)

    def _place(self, drawn: Any, inside: Box | None) -> None:
        self.layer += 1
        drawn.set_zorder(self.layer)
        if inside is None:
            drawn.set_clip_on(False)
            return
        x, y, w, h = inside
        frame = optional("matplotlib.patches").Rectangle((x, y), w, h, transform=self.points)
        drawn.set_clip_path(frame)

    # --- As bytes, the same ones for the same drawing

    def svg(self) -> str:
        """As SVG, whose text is text: who opens it has the fonts."""
        out = io.StringIO()
        fixed = {"svg.hashsalt": "minigrad", "svg.fonttype": "none"}
        with optional("matplotlib").rc_context(fixed), _glyphs(warn=False):
            self.figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
        svg = out.getvalue()
        svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg[svg.index("<svg") :], flags=re.S)
        for mono, family in FAMILIES.items():
            fonts = ", ".join(f"'{each}'" for each in _installed(mono))
            anywhere = f"'{family}', {'monospace' if mono else 'sans-serif'}"
            svg = svg.replace(fonts, anywhere)
        return svg

    def pixels(self, dpi: float) -> Any:
        """As an image of Pillow."""
        canvas = optional("matplotlib.backends.backend_agg").FigureCanvasAgg(self.figure)
        self.figure.set_dpi(dpi)
        with optional("matplotlib").rc_context({"text.hinting": "none"}), _glyphs():
            canvas.draw()  # every letter as wide as it was measured
        return optional("PIL.Image").fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")


@contextlib.contextmanager
def pdf() -> Iterator[tuple[Any, io.BytesIO]]:
    """A PDF to which `savefig` adds pages, and the bytes that it is when it is closed."""
    out = io.BytesIO()
    none = dict.fromkeys(("CreationDate", "ModDate", "Creator", "Producer"))
    pages = optional("matplotlib.backends.backend_pdf").PdfPages(out, metadata=none)
    with _glyphs(), pages:
        yield pages, out


@contextlib.contextmanager
def _glyphs(warn: bool = True) -> Iterator[None]:
    """One sentence of ours in place of matplotlib's line for every sign that no font has."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        yield
    lost = set()
    for each in said:
        found = re.match(r"Glyph (\d+) ", str(each.message))
        if found is None:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
        else:
            lost.add(chr(int(found[1])))
    if lost and warn:
        some = "".join(sorted(lost)[:8])
        warnings.warn(
            f"no font on this machine has {some!r}, drawn as boxes: for Chinese, install Noto Sans "
            "CJK",
            stacklevel=3,
        )


@functools.cache
def _installed(mono: bool) -> list[str]:
    """The font, and one for what it has no letters for, if there is one."""
    known = set(optional("matplotlib.font_manager").get_font_names())
    wide = [name for name in CHINESE if name in known]
    return [FAMILIES[mono], *wide[:1]]


class Extent(NamedTuple):
    """How large a text is: above and below where its letters stand."""

    width: float
    height: float
    depth: float


@functools.lru_cache(maxsize=4096)
def measured(
    text: str, size: float, mono: bool = False, bold: bool = False, math: bool = False
) -> Extent:
    """How large a line of text is, in points."""
    wide = 0 if math else sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    narrow = "".join(s for s in text if math or unicodedata.east_asian_width(s) not in "WF")
    properties = optional("matplotlib.font_manager").FontProperties(
        family=FAMILIES[mono], size=size, weight="bold" if bold else "normal"
    )
    measure = optional("matplotlib.textpath").text_to_path.get_text_width_height_descent
    if not narrow:
        return Extent(wide * size, size, 0.2 * size)
    with _glyphs(warn=False):
        width, height, depth = measure(f"${narrow}$" if math else narrow, properties, math)
    return Extent(float(width) + wide * size, float(height - depth), float(depth))


def is_set(formula: str) -> bool:
    """Can matplotlib set this formula? A reader's own may hold what it does not know."""
    try:
        measured(formula, 10.0, math=True)
    except ValueError:
        return False
    return True


_TOKENS = re.compile(
    r"\s+|[^\s\u2e80-\uffef]+[\u3001-\u3002\uff09-\uff1b]*|.[\u3001-\u3002\uff09-\uff1b\u201d]*"
)


def wrapped(text: str, size: float, width: float, *, mono: bool = False) -> list[str]:
    """The text in lines: broken at spaces, and between Chinese signs."""
    lines: list[str] = []
    line = ""
    for token in _TOKENS.findall(text):
        if not line and token.isspace():
            continue
        if measured(line + token.rstrip(), size, mono).width <= width:
            line += token
            continue
        if line.strip():
            lines.append(line.rstrip())
        line = token.lstrip()
        while measured(line, size, mono).width > width and len(line) > 1:
            fits = next(
                n
                for n in range(len(line) - 1, 0, -1)
                if n == 1 or measured(line[:n], size, mono).width <= width
            )
            lines.append(line[:fits])
            line = line[fits:]
    return [*lines, line.rstrip()] if line.strip() else lines


def shortened(text: str, size: float, width: float, *, mono: bool = False) -> str:
    """The text, or as much of it as has room, and a mark."""
    if measured(text, size, mono).width <= width:
        return text
    while text and measured(text + "\u2026", size, mono).width > width:
        text = text[:-1]
    return text.rstrip() + "\u2026"
