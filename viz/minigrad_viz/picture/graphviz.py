"""Find a Graphviz and let it place the nodes of a graph.

Three are known. "pygraphviz" is the Graphviz library inside the wheel of that name, which draws the
same picture on every machine after `pip install`. "dot" is the program on the PATH. "viz.js" is
Graphviz as WebAssembly, for Python in a browser. `layout` names one of them; by default the first
one found is used. Without any, callers show the DOT text of dot.py.

The first two run in a process of their own with limits of time and memory (apart.py), except for
small graphs of ours, which take milliseconds. A browser limits its tabs itself.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import platform
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from typing import Any

from . import apart, in_browser

LAYOUTS = ("pygraphviz", "dot", "viz.js")
_lock = threading.Lock()  # the library keeps global state, so one layout at a time


LIBRARIES = "libglib2.0-0 libxext6 libxrender1"
"""Packages of Debian that pygraphviz's wheel leaves to the system; small images have none."""


class NoGraphviz(RuntimeError):
    """No Graphviz was found, or not the one named. The message says how to install it."""

    def __init__(self, layout: str | None) -> None:
        missing = "Graphviz" if layout is None else f"Graphviz {layout!r}"
        super().__init__(f"{missing} was not found. {_cure()}")


def _cure() -> str:
    """Say how to install Graphviz on this machine."""
    if sys.platform == "emscripten":
        return f"In a browser it is in the wheel {in_browser.PACKAGE}, which `make lite` makes"
    if sys.platform == "win32" and platform.machine() == "ARM64":  # for which there is no wheel
        return "Install Graphviz from graphviz.org so that the program `dot` is on the PATH"
    if problem := _why_bundled_fails():
        debian = f" (on Debian: `apt-get install {LIBRARIES}`)" if ".so" in problem else ""
        return (
            f"pygraphviz is installed and cannot be loaded: {problem}. Install what is "
            f"missing{debian}, or install Graphviz so that the program `dot` is on the PATH"
        )
    return (
        "Run `pip install pygraphviz`, which contains Graphviz, or install Graphviz "
        "so that the program `dot` is on the PATH"
    )


class LayoutError(RuntimeError):
    """Graphviz refused the graph, or was stopped at a limit; the message says why."""


def choose_layout(layout: str | None = None) -> str:
    """Return the name of the Graphviz to use: `layout`, or the first one found.

    Raises:
        ValueError: the name is unknown.
        NoGraphviz: it is not installed, or none is.
    """
    check_layout(layout)
    for name in LAYOUTS if layout is None else (layout,):
        if name == "dot" and shutil.which("dot"):
            return name
        if name == "pygraphviz" and _bundled() is not None:
            return name
        if name == "viz.js" and in_browser.is_there():
            return name
    raise NoGraphviz(layout)


def check_layout(layout: str | None) -> None:
    """Raise ValueError if `layout` is not one of `LAYOUTS`, installed or not."""
    if layout is not None and layout not in LAYOUTS:
        raise ValueError(f"layout must be one of {', '.join(map(repr, LAYOUTS))}, not {layout!r}")


def render(
    source: str,
    format: str,
    *,
    layout: str | None = None,
    program: str = "dot",
    small: bool = False,
) -> bytes:
    """Draw DOT text as "svg", "png", "pdf" or "plain" (positions as text).

    Args:
        layout: the Graphviz to use, one of `LAYOUTS`.
        program: Graphviz's name for an algorithm: "dot" for layers, "nop" if nodes have places.
        small: the text is dot.py's, of a graph that needs no limits.

    Raises:
        NoGraphviz: no Graphviz was found.
        LayoutError: Graphviz refused the text, or was stopped.
    """
    name = choose_layout(layout)
    if name == "viz.js":
        return _render_in_browser(source, format, program)
    if name == "pygraphviz" and (small or not apart.possible()):
        return _render_bundled(source, format, program)
    return _render_apart(source, format, name, program)


def _bundled() -> Any | None:
    try:
        return importlib.import_module("pygraphviz")
    except (ImportError, OSError):  # OSError: the wheel is there but a library it needs is not
        return None


def _why_bundled_fails() -> str | None:
    """Return why the installed library cannot be loaded; None if it can, or is not installed."""
    try:
        importlib.import_module("pygraphviz")
    except ModuleNotFoundError:
        return None
    except (ImportError, OSError) as error:
        return str(error)
    return None


def _render_bundled(source: str, format: str, program: str) -> bytes:
    pygraphviz = _bundled()
    assert pygraphviz is not None
    with _lock, _quiet() as said:
        try:
            drawn: bytes | None = pygraphviz.AGraph(string=source).draw(format=format, prog=program)
        except (ValueError, pygraphviz.DotError) as error:
            raise LayoutError(f"Graphviz could not draw this graph: {said() or error}") from error
        if drawn is None:
            raise LayoutError(
                f"Graphviz could not draw this graph: {said() or 'it gave no reason'}"
            )
    return drawn


def _render_apart(source: str, format: str, layout: str, program: str) -> bytes:
    try:
        ended, drawn, said = apart.drawn(source, format, layout, program)
    except apart.Stopped as error:
        raise LayoutError(str(error)) from None
    if ended != 0 or not drawn:
        raise LayoutError(f"Graphviz could not draw this graph: {said or ended}")
    return drawn


def _render_in_browser(source: str, format: str, program: str) -> bytes:
    try:
        return in_browser.render(source, format, program)
    except in_browser.Refused as error:
        raise LayoutError(f"Graphviz could not draw this graph: {error}") from error


@contextlib.contextmanager
def _quiet() -> Iterator[Callable[[], str]]:
    """Capture the process's standard error, and yield a function that returns its text.

    The font library warns there about files of the machine, which a notebook would show.
    """
    with tempfile.TemporaryFile() as kept, contextlib.redirect_stderr(io.StringIO()):
        saved = os.dup(2)
        os.dup2(kept.fileno(), 2)

        def read() -> str:
            kept.seek(0)
            return kept.read().decode(errors="replace").strip()

        try:
            yield read
        finally:
            os.dup2(saved, 2)
            os.close(saved)
