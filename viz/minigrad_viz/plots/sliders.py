"""The sliders of an Exploration, and the pictures that follow them.

An anywidget and not a box of ipywidgets: marimo shows the one and not the other, and everything
else shows both. Its front end is viz/frontend/src/sliders.ts.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, cast

import anywidget
import traitlets

from ..texts.printable import printable


class Span(Protocol):
    """The values of one slider."""

    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def step(self) -> float: ...


class Movable(Protocol):
    """A function moved by sliders, and its displays: an Exploration."""

    name: str
    along: str
    values: dict[str, float]

    @property
    def ranges(self) -> Mapping[str, Span]: ...
    @property
    def caption(self) -> str: ...
    @property
    def graph(self) -> str: ...
    @property
    def plot(self) -> str: ...

    def move(self, **values: float) -> None:
        """Put inputs to other values."""

    def say(self, key: str, **parts: object) -> str:
        """Return a word next to the sliders."""


class Sliders(anywidget.AnyWidget):
    """A slider for each input, the sentence, the graph and the plot."""

    _esm = (Path(__file__).parent / "static" / "sliders.js").read_text(encoding="utf-8")
    ranges: Any = traitlets.List().tag(sync=True)
    values: Any = traitlets.Dict().tag(sync=True)
    """Where the sliders are; setting it is what moving them does."""
    along = traitlets.Unicode().tag(sync=True)
    along_word = traitlets.Unicode().tag(sync=True)
    caption = traitlets.Unicode().tag(sync=True)
    graph = traitlets.Unicode().tag(sync=True)
    plot = traitlets.Unicode().tag(sync=True)

    def __init__(self, exploration: Movable) -> None:
        self.exploration = exploration
        super().__init__(
            ranges=[
                [name, each.low, each.high, each.step] for name, each in exploration.ranges.items()
            ],
            values=dict(exploration.values),
            along=exploration.along,
            along_word=exploration.say("along"),
            **self.shown(),
        )
        self.on_msg(lambda widget, asked, buffers: widget.send("yes"))
        self.observe(self.moved, "values")
        self.observe(self.turned, "along")

    def __repr__(self) -> str:
        return repr(self.exploration)

    @property
    def view(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the data and metadata for a notebook; by the latter Colab finds the front end."""
        data, about = cast(tuple[dict[str, Any], dict[str, Any]], self._repr_mimebundle_())
        del data["text/plain"]  # stands below the picture that takes their place
        return data, about

    def shown(self) -> dict[str, str]:
        """Return the displays at the current position."""
        seen = self.exploration
        return {"caption": seen.caption, "graph": seen.graph, "plot": seen.plot}

    def show(self, shown: dict[str, str]) -> None:
        with self.hold_sync():  # one message, so that sentence and pictures change at once
            for name, words in shown.items():
                self.set_trait(name, words)

    def moved(self, change: Any) -> None:
        try:
            self.exploration.move(**{name: float(x) for name, x in self.values.items()})
        except Exception as error:  # whatever the reader's function raises, at every move
            words = f"{type(error).__name__}: {error}"
            failed = self.exploration.say("failed", function=self.exploration.name, error=words)
            self.show({"caption": printable(failed)})
        else:
            self.show(self.shown())

    def turned(self, change: Any) -> None:
        self.exploration.along = self.along
        self.show(self.shown())
