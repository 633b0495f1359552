"""The report of `diagnose`.

For healthy steps it is one line. Otherwise it is a table of problems, a plot of the gradients, and
the bytes that each layer saves for the backward pass.
"""

from __future__ import annotations

import functools
import html
import math
import re
from collections.abc import Sequence

from ..picture.image import IMAGES, image
from ..picture.saving import Saved
from ..plots.grad_flow import Layer, flow_of
from ..texts.language import Language
from ..texts.printable import columns, printable
from ..texts.sentences import filled
from .examination import Problem

MOST_DRAWN = 60
"""Maximum number of parameters in the plot; those with a problem come first."""

# The class is doubled to override a notebook's rules for tables.
STYLE = """<style>
.mg-doctor { color-scheme: light dark; max-width: 100ch }
.mg-doctor table { border-collapse: collapse; margin: 0.8em 0; background: none; font-size: 1em }
.mg-doctor.mg-doctor :is(th, td) { text-align: left; vertical-align: top;
  padding: 0.35em 1em 0.35em 0; border: 0; border-top: 1px solid #8886; white-space: normal;
  background: none; font-weight: normal; overflow-wrap: anywhere }
.mg-doctor.mg-doctor thead th { border-top: 0; opacity: 0.75 }
.mg-doctor.mg-doctor tbody th { font-weight: bold; min-width: 14ch }
.mg-doctor.mg-doctor td.mg-number { text-align: right; font-variant-numeric: tabular-nums }
</style>"""


class Diagnosis(Saved):
    """A report that shows itself: as text in a terminal, as a table and a plot in a notebook.

    `kinds` has one word for each problem, such as "not_cleared", and is empty for healthy steps.
    `text` is the whole report. `layers` are the gradients by parameter, as in `viz.grad_flow`.
    `memory` has the bytes that each module saves for the backward pass, by its name.
    """

    def __init__(self, language: Language) -> None:
        self.findings: tuple[Problem, ...] = ()
        self.layers: tuple[Layer, ...] = ()
        self.memory: dict[str, int] = {}
        self.line = filled(language, "doctor", "running", {})
        self._language = language

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(each.kind for each in self.findings)

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}

    def say(self, key: str, **parts: object) -> str:
        return filled(self._language, "doctor", key, parts)

    @property
    def text(self) -> str:
        """The line, and a paragraph for each problem."""
        lines = [self.line]
        for each in self.findings:
            lines += ["", f"{each.title}", f"  {printable(each.text)}"]
        if self.findings and self.memory:
            width = max(columns(printable(name)) for name in self.memory)
            lines += ["", self.say("memory")]
            for name, size in self.memory.items():
                shown = printable(name)
                lines.append(f"  {shown}{' ' * (width - columns(shown))}  {size_text(size):>9}")
        return "\n".join(lines)

    @property
    def html(self) -> str:
        """The report as HTML, with the plot."""
        head = f"<p>{coded(self.line)}</p>"
        if not self.findings:
            return f'<div class="mg-doctor">{STYLE}{head}</div>'
        rows = "".join(
            f'<tr><th scope="row">{coded(each.title)}</th><td>{coded(each.text)}</td></tr>'
            for each in self.findings
        )
        words = (self.say("what"), self.say("why"))
        found = f"<table><thead>{headed(words)}</thead><tbody>{rows}</tbody></table>"
        picture = image(self.svg, self.say("picture")) + IMAGES if self.svg else ""
        return (
            f'<div class="mg-doctor mg-image">{STYLE}{head}{found}{picture}{self._memory()}</div>'
        )

    @functools.cached_property
    def svg(self) -> str:
        """The plot of the gradients, or "" without problems or matplotlib."""
        shown = [each for each in self.layers if each.flag]
        plain = [each for each in self.layers if not each.flag]
        keep = {*shown[:MOST_DRAWN], *plain[: max(0, MOST_DRAWN - len(shown))]}
        layers = [each for each in self.layers if each in keep]
        if not self.findings or not any(math.isfinite(each.mean) for each in layers):
            return ""
        try:
            return flow_of(layers, self._language).svg
        except ImportError:
            return ""

    @property
    def _page_title(self) -> str:
        return self.line

    def _memory(self) -> str:
        if not self.memory:
            return ""
        rows = "".join(
            f'<tr><td>{html.escape(printable(name))}</td><td class="mg-number">'
            f"{size_text(size)}</td></tr>"
            for name, size in self.memory.items()
        )
        words = (self.say("memory"), "")
        return f"<table><thead>{headed(words)}</thead><tbody>{rows}</tbody></table>"


def headed(words: Sequence[str]) -> str:
    return "<tr>" + "".join(f'<th scope="col">{html.escape(w)}</th>' for w in words) + "</tr>"


def coded(text: str) -> str:
    """Return text as HTML, with code between backticks."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(printable(text)))


def size_text(size: int) -> str:
    """Return a size as text: "1.5 KiB" for 1536."""
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.4g} {unit}"
        size /= 1024  # type: ignore[assignment]
    return f"{size:.4g} GiB"
