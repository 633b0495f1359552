"""The stepper: the result of `step`, as a page, a widget, a text or a link.

Its payload contains every step, so stepping needs no kernel. It is made when it is looked at. A
notebook therefore shows the HTML form (page.py). A widget's view would be a key into a running
kernel, and an error in a saved notebook that is opened again. The stepper is also an anywidget, for
use among other widgets.
"""

from __future__ import annotations

import re
import sys
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import anywidget
import traitlets

from ..picture.svg import styled
from .export import Exports
from .nudge import SIZES, Nudge, Pushes
from .page import MODULE, MOST_NODES, fragment, page
from .payload import NudgeData, Payload
from .payload_builder import payload, with_pictures
from .payload_pictures import Illustrated
from .record import Recording
from .share import link, program_of
from .transcript import transcript
from .wire import encode


class Stage(anywidget.AnyWidget):
    """A widget that shows a payload: one pass, or two side by side."""

    _esm = MODULE
    payload = traitlets.Dict().tag(sync=True, to_json=lambda value, widget: encode(value))


class Bridge(anywidget.AnyWidget):
    """A widget without a view, through which a stepper in a notebook's output asks the kernel."""

    _esm = (Path(__file__).parent / "static" / "bridge.js").read_text(encoding="utf-8")
    stepper = traitlets.Unicode().tag(sync=True)


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    module = sys.modules.get("IPython")
    return module is not None and hasattr(module.get_ipython(), "kernel")


def answer_push(widget: anywidget.AnyWidget, pushes: Pushes) -> Callable[[Any, Any, Any], None]:
    """Return a function that answers a push of a live page through `widget`."""

    held = weakref.ref(widget)  # the widget holds this function: no cycle keeps tensors alive

    def answer(_: Any, message: Any, buffers: Any) -> None:
        to = held()
        if to is not None and isinstance(message, dict) and "nudge" in message:
            to.send({"nudge": message["nudge"], **pushes.reply(message)})

    return answer


class Stepper(Exports, Stage):
    """A backward pass to go through, in a notebook or as a page of its own.

    `error` is the exception that ended the pass, if one did.
    """

    def __init__(self, recording: Recording, pushes: Pushes, nudge: bool = False) -> None:
        # Before the widget is made, since marimo reads its state at once.
        self.error = recording.error
        self._recording = recording
        self._pushes = pushes
        self._answers = pushes.recorded() if nudge else None
        super().__init__()
        self.on_msg(answer_push(self, pushes))

    @traitlets.default("payload")
    def _payload(self) -> Payload:
        return self.content

    @cached_property
    def content(self) -> Payload:
        """The payload, made when it is first read."""
        content = payload(self._recording)
        if self._pushes.program is not None:
            content["nudge"] = self._answers or NudgeData(sizes=[*SIZES], answers=[])
        return content

    @cached_property
    def illustrated(self) -> Illustrated:
        """The payload with its pictures, which take most of the time."""
        return with_pictures(self.content, self._recording)

    @property
    def picture(self) -> str:
        """The graph where no script runs; empty for a large graph, or without Graphviz."""
        return self.illustrated["svg"] if len(self.content["nodes"]) <= MOST_NODES else ""

    @cached_property
    def text(self) -> str:
        """The steps as text, the same in every run of the same program."""
        return transcript(self.content)

    @property
    def changed(self) -> tuple[str, ...]:
        """Names of the leaves whose `.grad` the pass has changed; none after a rehearsal."""
        payload = self.content
        if payload.get("rehearsal"):
            return ()
        leaves = {n["owner"]: n["name"] for n in payload["nodes"] if n["kind"] == "leaf"}
        written = (e["node"] for e in payload["events"] if e["kind"] == "leaf_gradient")
        return tuple(dict.fromkeys(leaves[node] for node in written))

    def __repr__(self) -> str:
        return self.text

    def open(self) -> None:
        """Send nothing to the notebook until another widget requests this one."""

    @property
    def model_id(self) -> str:
        """The id by which other widgets refer to this one."""
        if self.comm is None:
            super().open()
        return str(super().model_id)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        bundle = {"text/html": self.html, "text/plain": self.text}
        self._open_bridge(bundle["text/html"])
        if self.picture:
            bundle["image/svg+xml"] = styled(self.picture)
        return bundle, {}

    def _open_bridge(self, html: str) -> None:
        """In a notebook, let the stepper in the output ask this kernel."""
        found = re.search(r"minigrad-output minigrad-(\w+)", html)
        if found and self._pushes.program is not None and in_notebook():
            with suppress(Exception):  # a host without channels shows the stepper alone
                self._bridge = Bridge(stepper=found[1])
                self._bridge.on_msg(answer_push(self._bridge, self._pushes))

    @property
    def html(self) -> str:
        """The stepper as a piece of a page; it needs no kernel and no network."""
        return fragment(cast(Payload, self.payload), self.picture)

    def _page(self) -> str:
        return page(cast(Payload, self.payload), self.picture)

    def nudge(self, leaf: str, place: int | tuple[int, ...] = 0, by: float = 0.1) -> Nudge:
        """Push one number of a leaf, run the program again, and return how far the result moves.

        The random draws are those of the recorded run. Afterwards everything is as it was.

        Args:
            leaf: the name of the leaf in the graph.
            place: the number's indices, or its place in row-major order.
            by: how far it is pushed.

        Raises:
            ValueError: there is no such number, or the program cannot be run again.

        >>> import minigrad as mg
        >>> import minigrad_viz as viz
        >>> x = mg.tensor(3.0, requires_grad=True)
        >>> viz.step(lambda: x * x).nudge("x", by=1)
        x pushed by 1: the gradient promises 6, the result moves by 7, the rest is 1.
        """
        return self._pushes.push(leaf, place, by)

    def share(self, code: str | None = None, *, address: str | None = None) -> str:
        """Return a link that opens the program of this pass in a browser and steps it there.

        The link contains the whole program.

        Args:
            code: the program; by default, the cell or file that made the graph.
            address: the page that opens programs, the folder `try` of the lessons' web site; by
                default, the value of the environment variable MINIGRAD_SHARE.

        Raises:
            ValueError: the address is unknown, or the graph shows only a part of the program.

        >>> import minigrad as mg
        >>> import minigrad_viz as viz
        >>> x = mg.tensor(3.0, requires_grad=True)
        >>> viz.step(x * x).share("import minigrad as mg", address="https://example.org/try/")
        'https://example.org/try/#code=eN...'
        """
        if code is None:
            code = program_of(self.content["files"])
        return link(code, address)
