"""An exploration's sliders in a page: what a kernel would draw at each move is drawn beforehand.

The kernel that runs a chapter for the site calls `instead_of_stills` first. Every exploration then
shows itself with its pictures at some places of its sliders, which frames.js puts in place of the
one still picture. Neighbouring pictures differ in a few numbers, so that all of them, compressed,
weigh little more than one.
"""

from __future__ import annotations

import base64
import itertools
import json
import zlib
from typing import Any

from minigrad_viz.plots.explore import Exploration

PLACES = {1: (41,), 2: (11, 11)}
"""How many places each slider has, given how many sliders move. Odd: where an exploration begins
is in the middle. More than two sliders stay where they are, from the third on.
"""


def instead_of_stills() -> None:
    """Let explorations of this kernel show themselves with their frames."""
    from IPython import get_ipython  # here: a page that runs cells does without it
    from IPython.display import display

    def shown(exploration: Exploration) -> None:
        bundle = {"text/html": html(exploration), "text/plain": exploration.text}
        display(bundle, raw=True)  # type: ignore[no-untyped-call]

    formatter = get_ipython().display_formatter.ipython_display_formatter
    formatter.for_type(Exploration, shown)


def places(exploration: Exploration) -> dict[str, list[float]]:
    """Where the sliders that move can be. The one along which the function is plotted is the last:
    where it alone has moved, the curve is the same, and two neighbouring frames more alike.

    >>> import minigrad_viz as viz
    >>> places(viz.explore(lambda x: x * x, x=(0, 6)))["x"][:4]
    [0.0, 0.15, 0.3, 0.45]
    """
    first = sorted(exploration.ranges, key=lambda name: name != exploration.along)[:2]
    names = first[::-1]
    found = {}
    for name, count in zip(names, PLACES[len(names)], strict=True):
        each = exploration.ranges[name]
        step = (each.high - each.low) / (count - 1)
        found[name] = [float(f"{each.low + i * step:.6g}") for i in range(count)]
    return found


def frames(exploration: Exploration) -> dict[str, list[str]]:
    """The sentence, the graph and the plot at every place, the last slider running fastest."""
    found = places(exploration)
    begun = dict(exploration.values)
    made: dict[str, list[str]] = {"captions": [], "graphs": [], "plots": []}
    for values in itertools.product(*found.values()):
        try:
            exploration.move(**dict(zip(found, values, strict=True)))
        except Exception as error:  # whatever the function raises there
            words = f"{type(error).__name__}: {error}"
            failed = exploration.say("failed", function=exploration.name, error=words)
            drawn = failed, "", ""
        else:
            drawn = exploration.caption, exploration.graph, exploration.plot
        for kind, text in zip(made, drawn, strict=True):
            made[kind].append(text)
    exploration.move(**begun)
    return made


def html(exploration: Exploration) -> str:
    """Return the exploration as HTML: its current picture, and all frames."""
    packed = zlib.compress(json.dumps(frames(exploration), ensure_ascii=False).encode(), 9)
    sliders = [
        {"name": name, "values": values, "start": nearest(values, exploration.values[name])}
        for name, values in places(exploration).items()
    ]
    sent: dict[str, Any] = {"sliders": sliders, "packed": base64.b64encode(packed).decode()}
    data = json.dumps(sent, ensure_ascii=False).replace("</", "<\\/")
    still = exploration.html
    return f'<div class="frames">{still}<script type="application/json">{data}</script></div>'


def nearest(values: list[float], value: float) -> int:
    """The place of what comes nearest.

    >>> nearest([0.0, 0.5, 1.0], 0.6)
    1
    """
    return min(range(len(values)), key=lambda place: abs(values[place] - value))
