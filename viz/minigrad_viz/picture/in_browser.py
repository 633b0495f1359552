"""Graphviz in a browser: @viz-js/viz, in the worker in which Pyodide runs.

A wheel named `viz_js` contains the script; the lab in a browser tab has one (tools/lite). A cell
calls `viz.draw` like any function, and cannot wait for a promise. In a worker, WebAssembly may be
compiled synchronously, whatever its size. So the script gets a WebAssembly object of its own, whose
modules are compiled when it returns. Nothing global changes, and the server needs no header.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from ..model.optional_packages import optional

PACKAGE = "viz_js"
FORMATS = ("svg", "plain")
"""Formats of this Graphviz, which has no library for pixels or pages."""

AT_ONCE = """(() => {
  const load = function (exports, module, WebAssembly, location) { SCRIPT };
  const instantiate = (bytes, imports) => ({
    instance: new WebAssembly.Instance(new WebAssembly.Module(bytes), imports),
  });
  const wasm = Object.assign(Object.create(WebAssembly), { instantiate });
  const made = {};
  load(made, { exports: made }, wasm, { href: "file:///viz.js" });
  const viz = made.instance();
  return (text, format, engine) => {
    const done = viz.render(text, { format, engine });
    return done.status === "success" ? ["", done.output]
      : [done.errors.map((error) => error.message).join("; ") || "it gave no reason", ""];
  };
})()"""
"""JavaScript around the script: a function of DOT text, which returns an error and a drawing."""


class Refused(ValueError):
    """Graphviz did not accept the text; the message is its own."""


def is_there() -> bool:
    """Whether this is a browser, and the script is installed."""
    return sys.platform == "emscripten" and find_spec(PACKAGE) is not None


@cache
def _started() -> Callable[[str, str, str], Any]:
    """Graphviz, compiled once in each kernel: that takes some 0.4 s."""
    script = (files(PACKAGE) / "viz.js").read_text(encoding="utf-8")
    # A page's policy may forbid to evaluate a text; its worker then has a way of its own.
    run = getattr(optional("js"), "minigradRun", None) or optional("pyodide.code").run_js
    started: Callable[[str, str, str], Any] = run(AT_ONCE.replace("SCRIPT", script))
    return started


def render(source: str, format: str, program: str) -> bytes:
    """Return Graphviz's rendering of DOT text; raise Refused if it rejects the text."""
    if format not in FORMATS:
        raise Refused(f"in a browser it writes {' and '.join(FORMATS)}, and no {format}")
    error, drawn = _started()(source, format, program)
    if error:
        raise Refused(error)
    return str(drawn).encode()
