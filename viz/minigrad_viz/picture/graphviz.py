"""The engines that lay out a graph.

Three are known. "pygraphviz" is the Graphviz library inside the wheel of that name, so that
`pip install` alone draws the same picture on every machine; "dot" is the program on the PATH;
"viz.js" is Graphviz as WebAssembly, where Python itself runs in a browser. The reader may name one;
otherwise the first that is there is used. Where there is none, callers still have the DOT text of
dot.py to show.

The first two run within limits of time and memory, in a process of their own (apart.py); a graph of
ours that is small is laid out in milliseconds, without one. A browser has a tab for each, and ends
it by itself.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from typing import Any

from . import apart, in_browser

ENGINES = ("pygraphviz", "dot", "viz.js")
_lock = threading.Lock()  # the library keeps global state, so one layout at a time


class NoEngine(RuntimeError):
    """No Graphviz, or not the one that was asked for. The message says how to get one."""

    def __init__(self, engine: str | None) -> None:
        missing = "no Graphviz" if engine is None else f"no engine {engine!r}"
        cure = (
            f"In a browser it is in the wheel {in_browser.PACKAGE}, which `make lite` makes"
            if sys.platform == "emscripten"
            else "Run `pip install pygraphviz`, which brings Graphviz along, or install Graphviz "
            "so that the program `dot` is on the PATH"
        )
        super().__init__(f"{missing} was found to lay out this graph. {cure}")


class LayoutError(RuntimeError):
    """The engine did not accept the graph, or was stopped at a limit; the message says why."""


def choose_engine(engine: str | None = None) -> str:
    """The engine to use: the one named, else the first one that is there.

    ValueError if the name is unknown, NoEngine if it, or any, is not installed.
    """
    check_engine(engine)
    for name in ENGINES if engine is None else (engine,):
        if name == "dot" and shutil.which("dot"):
            return name
        if name == "pygraphviz" and _bundled() is not None:
            return name
        if name == "viz.js" and in_browser.is_there():
            return name
    raise NoEngine(engine)


def check_engine(engine: str | None) -> None:
    """ValueError if `engine` is not the name of an engine, installed or not."""
    if engine is not None and engine not in ENGINES:
        raise ValueError(f"engine must be one of {', '.join(map(repr, ENGINES))}, not {engine!r}")


def render(
    source: str,
    format: str,
    *,
    engine: str | None = None,
    program: str = "dot",
    small: bool = False,
) -> bytes:
    """Lay out DOT text and draw it as "svg", "png", "pdf" or "plain" (positions as text).

    `program` is Graphviz's own name for a way to lay out: "dot" in layers, "nop" where every node
    has its place already. `small`: the text is dot.py's, of a graph whose layout takes no time, so
    that no limit is needed. NoEngine where there is no Graphviz, LayoutError if it refuses the text
    or was stopped.
    """
    name = choose_engine(engine)
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


def _render_apart(source: str, format: str, engine: str, program: str) -> bytes:
    try:
        ended, drawn, said = apart.drawn(source, format, engine, program)
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
    """Keep what the library writes to the process's standard error, and hand it over when asked.

    Font configuration warns there about files of the machine; in a notebook that would land in the
    cell's output.
    """
    with tempfile.TemporaryFile() as kept, contextlib.redirect_stderr(io.StringIO()):
        saved = os.dup(2)
        os.dup2(kept.fileno(), 2)

        def said() -> str:
            kept.seek(0)
            return kept.read().decode(errors="replace").strip()

        try:
            yield said
        finally:
            os.dup2(saved, 2)
            os.close(saved)
