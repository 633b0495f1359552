"""The stepper itself: an anywidget around a payload, with static forms for where no widget shows.

All frames are in the payload, so a move from step to step never asks the kernel. The same ES module
(static/stepper.js, built from viz/frontend) runs in the notebook and in the page that `to_html`
writes.
"""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any, cast

import anywidget
import traitlets

from .dot import printable
from .payload import Payload

MODULE = Path(__file__).parent / "static" / "stepper.js"


class Stepper(anywidget.AnyWidget):
    """A backward pass to go through, in a notebook or as a page of its own.

    `error` is the exception that ended the pass, if one did.
    """

    _esm = MODULE.read_text(encoding="utf-8")
    payload = traitlets.Dict().tag(sync=True)

    def __init__(self, payload: Payload, error: Exception | None = None) -> None:
        super().__init__(payload=payload)
        self.error = error

    @property
    def text(self) -> str:
        """The steps as text, the same in every run of the same program."""
        return str(self.payload["text"])

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

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        shown = super()._repr_mimebundle_(**kwargs)
        if shown is None:
            return None
        bundle, metadata = shown
        bundle["text/plain"] = self.text
        if self.payload["svg"]:
            bundle["image/svg+xml"] = self.payload["svg"]
        return bundle, metadata

    def to_html(self, file: str | Path) -> Path:
        """Write a page that needs no kernel, no network and no other file; returns its path."""
        path = Path(file)
        path.write_text(page(cast(Payload, self.payload)), encoding="utf-8")
        return path


def page(payload: Payload) -> str:
    """The whole stepper in one HTML page."""
    return _PAGE.format(
        language=payload["language"],
        title=html.escape(printable(payload["nodes"][0]["name"])),
        text=html.escape(payload["text"]),
        module=_embedded(Stepper._esm),
        payload=_embedded(payload),
    )


def _embedded(data: object) -> str:
    """JSON that cannot end the <script> element it stands in, whatever it contains."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


# The module is data here and becomes one by way of a blob: a page on disk may not import a file.
_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>:root{{color-scheme:light dark}}body{{margin:1rem}}</style>
<div id="stepper"></div>
<noscript><pre>{text}</pre></noscript>
<script type="application/json" id="module">{module}</script>
<script type="application/json" id="payload">{payload}</script>
<script type="module">
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const url = URL.createObjectURL(new Blob([read("module")], {{ type: "text/javascript" }}));
const {{ mount }} = await import(url);
mount(document.getElementById("stepper"), read("payload"));
</script>
</html>
"""
