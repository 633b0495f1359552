"""The stepper itself: what `step` returns, in all the forms in which it can be shown.

All frames are in its payload, so a move from step to step never asks the kernel. That is why a
notebook shows the HTML form (page.py) and not a widget's view: a view is a key into a running
kernel, and a saved notebook that is opened again would show an error in its place. The stepper is
an anywidget as well, so that it can stand among other widgets.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import anywidget
import traitlets

from ..picture.svg import styled
from .export import Exports
from .page import MODULE, MOST_NODES, fragment, page
from .payload import Payload
from .share import link, program_of
from .transcript import transcript


class Stage(anywidget.AnyWidget):
    """What the front end needs to show a pass, or two side by side."""

    _esm = MODULE
    payload = traitlets.Dict().tag(sync=True)


class Stepper(Exports, Stage):
    """A backward pass to go through, in a notebook or as a page of its own.

    `error` is the exception that ended the pass, if one did.
    """

    def __init__(self, payload: Payload, error: Exception | None = None) -> None:
        super().__init__(payload=payload)
        self.error = error
        self.text = transcript(payload)
        """The steps as text, the same in every run of the same program."""

    @property
    def changed(self) -> tuple[str, ...]:
        """The names of the leaves whose `.grad` the pass has changed; none after a rehearsal."""
        payload = cast(Payload, self.payload)
        if payload.get("rehearsal"):
            return ()
        leaves = {n["owner"]: n["name"] for n in payload["nodes"] if n["kind"] == "leaf"}
        written = (e["node"] for e in payload["events"] if e["kind"] == "leaf_gradient")
        return tuple(dict.fromkeys(leaves[node] for node in written))

    def __repr__(self) -> str:
        return self.text

    def open(self) -> None:
        """Nothing is sent to a notebook before another widget asks for this one."""

    @property
    def model_id(self) -> str:
        """What other widgets call this one by."""
        if self.comm is None:
            super().open()
        return str(super().model_id)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        bundle = {"text/html": self.html, "text/plain": self.text}
        if self.payload["svg"] and len(self.payload["nodes"]) <= MOST_NODES:
            bundle["image/svg+xml"] = styled(self.payload["svg"])
        return bundle, {}

    @property
    def html(self) -> str:
        """The stepper as a piece of a page: it steps without a kernel and without a network."""
        return fragment(cast(Payload, self.payload))

    def to_html(self, file: str | Path) -> Path:
        """Write a page that needs no kernel, no network and no other file; returns its path."""
        path = Path(file)
        # Half a surrogate pair, which a name may hold, is no text in a file.
        path.write_bytes(page(cast(Payload, self.payload)).encode(errors="replace"))
        return path

    def share(self, code: str | None = None, *, address: str | None = None) -> str:
        """A link that opens the program of this pass in a browser, which steps it there.

        code     the program; without it, the cell or file that made the graph, if it is all of it
        address  where the page is that opens programs: the folder `try` of the lessons' web site;
                 without it, what the environment variable MINIGRAD_SHARE says

        The whole program stands in the link. ValueError if no address is known, or if the graph
        tells only a part of the program.

        >>> import minigrad as mg
        >>> import minigrad_viz as viz
        >>> x = mg.tensor(3.0, requires_grad=True)
        >>> viz.step(x * x).share("import minigrad as mg", address="https://example.org/try/")
        'https://example.org/try/#code=eN...'
        """
        if code is None:
            code = program_of(cast(Payload, self.payload)["files"])
        return link(code, address)
