"""Plots in the colours of the graphs: drawn by matplotlib, light or dark by CSS, with a text form.

matplotlib is imported when the first plot is made, and no setting of the reader's is changed:
`plot_style` holds for what is drawn inside it. A figure carries the light theme's colours. In the
SVG each of them becomes a CSS variable, so that a dark page shows it dark, as it does the graphs.
"""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..model.optional_packages import optional
from ..picture.image import IMAGES, image
from ..picture.palette import AMBER, BLUE, GREEN, PALE, VIOLET
from ..picture.saving import Writers, save_as, whole_page
from ..picture.svg import short
from ..picture.theme import DARK, LIGHT
from ..texts.printable import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINES = (
    (*BLUE, "-", "o"),
    (*AMBER, "--", "s"),
    (*GREEN, "-.", "^"),
    (*VIOLET, ":", "D"),
)
"""Colour (light and dark), dash and marker of each line: no line is told by its hue alone."""

GRID = ("#d7dce6", "#3a4252")


class Plot:
    """A plot that shows itself, and says in `text` what there is to see.

    `figure` is matplotlib's figure, to go on with; `save` writes it to a file.
    """

    def __init__(self, figure: Figure | Callable[[], Figure], text: str) -> None:
        """`figure` may be a function that draws it; it is called when the figure is first read."""
        self._drawn = figure
        self.text = text

    @cached_property
    def figure(self) -> Figure:
        return self._drawn() if callable(self._drawn) else self._drawn

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}

    @property
    def html(self) -> str:
        """The plot as an image whose colours follow the reader's theme."""
        return f'<div class="mg-plot mg-image">{image(self.svg, self.text)}{IMAGES}</div>'

    @property
    def svg(self) -> str:
        """The plot as SVG, the same bytes for the same numbers."""
        return themed(self.figure)

    def save(self, file: str | Path) -> Path:
        """Write the plot to a file whose name ends in .svg, .html, .txt, .png, .pdf or another
        format of matplotlib, whole or not at all.

        SVG and HTML follow the reader's theme, other pictures are on white.

        Returns:
            The path of the file.

        Raises:
            ValueError: the name has another ending.
            OSError: the file cannot be written.
        """
        known = sorted(self.figure.canvas.get_supported_filetypes())
        writers: Writers = {each: partial(self._on_white, each) for each in known} | {
            "svg": lambda: self.svg,
            "html": lambda: whole_page(self.html, self.text.partition("\n")[0]),
            "txt": lambda: f"{self.text}\n",
        }
        return save_as(file, writers)

    def _on_white(self, format: str) -> bytes:
        out = io.BytesIO()
        with _any_glyph():
            self.figure.savefig(out, format=format, facecolor="white", dpi=150)
        return out.getvalue()


@contextlib.contextmanager
def plot_style() -> Iterator[ModuleType]:
    """Within it, matplotlib draws in the style of the plots here; gives `matplotlib.pyplot`.

    >>> import minigrad_viz as viz
    >>> with viz.plot_style() as plt:
    ...     figure, place = plt.subplots()
    ...     lines = place.plot([1, 2, 4])
    >>> lines[0].get_color()
    '#2f5bb7'
    """
    matplotlib, cycler = optional("matplotlib"), optional("cycler")
    colours, _, dashes, markers = zip(*LINES, strict=True)
    cycle = cycler.cycler(color=colours) + cycler.cycler(linestyle=dashes)
    settings = {
        "axes.prop_cycle": cycle + cycler.cycler(marker=markers),
        "axes.edgecolor": LIGHT.edge,
        "axes.facecolor": "none",
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.labelcolor": LIGHT.text,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlecolor": LIGHT.text,
        "figure.constrained_layout.use": True,
        "figure.facecolor": "none",
        "figure.figsize": (6.4, 3.4),
        "font.family": ["sans-serif"],
        "grid.color": GRID[0],
        "hatch.color": LIGHT.text,
        "legend.frameon": False,
        "lines.markersize": 4,
        "text.color": LIGHT.text,
        "xtick.color": LIGHT.muted,
        "ytick.color": LIGHT.muted,
    }
    with matplotlib.rc_context(settings):
        yield optional("matplotlib.pyplot")


def figure(plt: ModuleType, **options: object) -> tuple[Figure, Any]:
    """A figure of our own, which no notebook shows a second time when its cell ends."""
    made, place = plt.subplots(**options)
    plt.close(made)
    return made, place


def themed(made: Figure) -> str:
    """A figure as SVG whose colours are CSS variables."""
    matplotlib = optional("matplotlib")
    out = io.StringIO()
    # Text stays text: readers can search it, and the browser has the Chinese font.
    fixed = {"svg.hashsalt": "minigrad", "svg.fonttype": "none"}
    with matplotlib.rc_context(fixed), _any_glyph():
        made.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    svg = out.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg[svg.index("<svg") :], flags=re.S)
    svg = _on_any_processor(svg)
    dark = _dark_of()
    used = [colour for colour in dark if colour in svg]
    for place, colour in enumerate(used):
        svg = svg.replace(colour, f"var(--p{place})")
    light_rules = "".join(f"--p{i}:{colour};" for i, colour in enumerate(used))
    dark_rules = "".join(f"--p{i}:{dark[colour]};" for i, colour in enumerate(used))
    rules = (
        f"svg{{{light_rules}}}@media (prefers-color-scheme:dark){{svg{{{dark_rules}}}}}"
        # matplotlib leaves text without a colour black.
        "text{fill:var(--p0)}"
    )
    return re.sub(r"(<svg[^>]*>)", rf"\1<style>{rules}</style>", svg, count=1)


_PLACES = re.compile(r' (?:d|height|points|transform|width|x|y)="[^"]*"')


def _on_any_processor(svg: str) -> str:
    """matplotlib writes six digits after the point, of which the last depends on the processor,
    and makes ids of even more of them.
    """
    svg = re.sub(_PLACES, lambda place: short(place[0]), svg)
    for place, made in enumerate(re.findall(r' id="([a-z][0-9a-f]{10})"', svg)):
        svg = svg.replace(made, f"id{place}")
    return svg


def _dark_of() -> dict[str, str]:
    """The dark theme's colour for each of the light one's; the text's comes first."""
    pairs = {LIGHT.text: DARK.text, LIGHT.muted: DARK.muted, LIGHT.edge: DARK.edge}
    pairs |= {light: dark for light, dark, _, _ in LINES}
    pairs |= {GRID[0]: GRID[1], LIGHT.lost: DARK.lost}
    pairs |= {PALE[0]: PALE[1]}
    return pairs


@contextlib.contextmanager
def _any_glyph() -> Iterator[None]:
    """Hide the warning that matplotlib's font has no Chinese: viewers of SVG have a font."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def literal(text: str) -> str:
    """Text as it is: a name may contain what matplotlib would read as mathematics."""
    return printable(text).replace("$", r"\$")
