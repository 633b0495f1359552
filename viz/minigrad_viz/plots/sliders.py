"""The sliders of an Exploration, and the panes that follow them."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any, Protocol

from ..model.optional_packages import optional
from ..texts.printable import printable


class Span(Protocol):
    """What one slider goes through."""

    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def step(self) -> float: ...


class Movable(Protocol):
    """What sliders move, and what is to be shown of it: an Exploration."""

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
        """A word beside the sliders."""


def panes(exploration: Movable) -> Any:
    """An ipywidgets box: a slider for each input, the sentence, the graph and the plot."""
    widgets = optional("ipywidgets")
    sliders = {
        name: widgets.FloatSlider(
            value=exploration.values[name],
            min=each.low,
            max=each.high,
            step=each.step,
            description=name,
            readout_format=".3g",
            continuous_update=True,
        )
        for name, each in exploration.ranges.items()
    }
    caption, graph, plot = widgets.HTML(), widgets.HTML(), widgets.HTML()

    def show() -> None:
        caption.value = _paragraph(exploration.caption)
        graph.value = exploration.graph
        plot.value = exploration.plot

    def moved(change: Any) -> None:
        try:
            exploration.move(**{name: slider.value for name, slider in sliders.items()})
        except Exception as error:  # whatever the reader's function raises, at every move
            words = f"{type(error).__name__}: {error}"
            failed = exploration.say("failed", function=exploration.name, error=words)
            caption.value = _paragraph(failed)
        else:
            show()

    def turned(change: Any) -> None:
        exploration.along = change["new"]
        show()

    for slider in sliders.values():
        slider.observe(moved, "value")
    controls = list(sliders.values())
    if len(sliders) > 1:
        along = widgets.Dropdown(
            options=list(sliders), value=exploration.along, description=exploration.say("along")
        )
        along.observe(turned, "value")
        controls.append(along)
    show()
    left = widgets.VBox([*controls, caption, plot], layout=widgets.Layout(width="400px"))
    # Side by side where there is room, below each other where there is not.
    box = widgets.HBox([left, graph], layout=widgets.Layout(flex_flow="row wrap"))
    box.add_class("mg-explore-live")
    return box


def _paragraph(words: str) -> str:
    return f'<p role="status">{html.escape(printable(words))}</p>'
