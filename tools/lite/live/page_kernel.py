"""Run the cells of a page, as JupyterLab's kernel does, without the time to load IPython.

The cells share one module. The value of a cell's last line is shown, in the MIME types of
notebooks. An error is printed as in CPython, from the frame of the cell on.

It runs in the worker's Python (python.worker.js), and in any other.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import json
import linecache
import os
import sys
import time
import traceback
import types
from collections.abc import Callable, Mapping
from typing import Any, Protocol

Send = Callable[[str], None]
"""Callback that takes an output as JSON."""

SECONDS = 0.1
"""Interval at which printed text is sent."""

LONGEST = 200_000
"""Limit of printed characters, so that an endless loop does not fill the page."""

CUT = "\n[...]\n"

WIDEST = 79
"""A container with a longer text is shown in several lines, as in notebooks."""

MIMES = {
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_svg_": "image/svg+xml",
    "_repr_latex_": "text/latex",
}
"""Methods of objects that show themselves, and their MIME types."""


class Cell(Protocol):
    """Run one cell; return False if it raised."""

    def __call__(self, code: str, name: str, send: Send) -> bool: ...


class Stream(io.TextIOBase):
    """Output stream of a running cell, sent at intervals."""

    def __init__(self, name: str, send: Callable[[dict[str, Any]], None]) -> None:
        self.stream, self.send = name, send
        self.kept: list[str] = []
        self.sent = time.monotonic()
        self.room = LONGEST

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if text and self.room >= 0:
            self.kept.append(text if len(text) <= self.room else text[: self.room] + CUT)
            self.room -= len(text)
        if time.monotonic() - self.sent > SECONDS:
            self.flush()
        return len(text)

    def flush(self) -> None:
        if self.kept:
            text = "".join(self.kept)
            self.kept.clear()
            self.send({"output_type": "stream", "name": self.stream, "text": text})
        self.sent = time.monotonic()


class Session:
    """The module that the cells share, and the callback of the running cell."""

    def __init__(self) -> None:
        self.module = types.ModuleType("__main__")
        self.streams: tuple[Stream, ...] = ()
        self.send: Send = lambda _: None

    def output(self, content: dict[str, Any]) -> None:
        self.send(json.dumps(content, ensure_ascii=False))

    def put(self, kind: str, data: Mapping[str, Any]) -> None:
        """Send an output after the text printed before it."""
        for stream in self.streams:
            stream.flush()
        self.output({"output_type": kind, "data": dict(data), "metadata": {}})

    def run(self, code: str, name: str, send: Send) -> bool:
        """Run a cell and send its outputs; return whether it reached its end."""
        self.send = send
        self.streams = out, err = Stream("stdout", self.output), Stream("stderr", self.output)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                self.execute(code, f"<{name}>")
                self.plots()
            except BaseException as error:  # SystemExit and KeyboardInterrupt end the cell alone
                self.failed(error, f"<{name}>")
                return False
            finally:
                out.flush()
                err.flush()
        return True

    def execute(self, code: str, file: str) -> None:
        lines = [line + "\n" for line in code.splitlines()]
        linecache.cache[file] = (len(code), None, lines, file)
        self.module.__dict__.setdefault("In", [""]).append(code)  # a check looks for its answer
        tree = ast.parse(code, file)
        last = tree.body[-1] if tree.body else None
        names = self.module.__dict__
        if not isinstance(last, ast.Expr):
            exec(compile(tree, file, "exec"), names)
            return
        before = ast.Module(tree.body[:-1], tree.type_ignores)
        exec(compile(before, file, "exec"), names)
        value = eval(compile(ast.Expression(last.value), file, "eval"), names)
        if value is not None and not code.rstrip().endswith(";"):
            names["_"] = value
            self.put("execute_result", forms(value))

    def plots(self) -> None:
        """Show figures that were drawn and not shown."""
        if "page_plots" in sys.modules:
            sys.modules["page_plots"].show()

    def failed(self, error: BaseException, file: str) -> None:
        """Send an error as CPython prints it, without frames outside of the cell."""
        place = error.__traceback__
        while place is not None and place.tb_frame.f_code.co_filename != file:
            place = place.tb_next
        error.__traceback__ = place
        last = {"last_exc": error, "last_type": type(error), "last_value": error}
        vars(sys).update(last, last_traceback=place)  # for programs that read the last error
        for stream in self.streams:
            stream.flush()
        printed = "".join(traceback.format_exception(type(error), error, place)).rstrip()
        about = {"ename": type(error).__name__, "evalue": str(error)}
        self.output({"output_type": "error", **about, "traceback": printed.splitlines()})


SESSION = Session()


def display(*values: Any, raw: bool = False) -> None:
    """Show values below the running cell, as in notebooks."""
    for value in values:
        SESSION.put("display_data", value if raw else forms(value))


def forms(value: Any) -> dict[str, Any]:
    """Return the representations of a value by MIME type, with text at least.

    >>> forms(3)
    {'text/plain': '3'}
    """
    explorations = sys.modules.get("minigrad_viz.plots.explore")
    if explorations is not None and isinstance(value, explorations.Exploration):
        return {"text/html": with_sliders(value), "text/plain": value.text}
    data: dict[str, Any] = {}
    if isinstance(value, type):  # a class has these methods for its instances only
        return {"text/plain": repr(value)}
    if hasattr(value, "_repr_mimebundle_"):
        shown = value._repr_mimebundle_()
        data |= shown[0] if isinstance(shown, tuple) else shown or {}
    for method, kind in MIMES.items():
        if kind not in data and hasattr(value, method):
            text = getattr(value, method)()
            if text is not None:
                data[kind] = text
    data.setdefault("text/plain", plain(value))
    return data


def plain(value: Any) -> str:
    """Return the text of a value; a long container has several lines."""
    text = repr(value)
    if len(text) > WIDEST and isinstance(value, list | tuple | dict | set | frozenset):
        from pprint import pformat

        return pformat(value, width=WIDEST, sort_dicts=False)
    return text


def with_sliders(exploration: Any) -> str:
    """Return an exploration with pictures for all positions of its sliders, as on the site."""
    from importlib.resources import files

    from minigrad_lessons.site.frames import html

    program = (files("minigrad_lessons.site") / "frames.js").read_text(encoding="utf-8")
    return f"{html(exploration)}<script>{program}</script>"


def start(folder: str) -> Cell:
    """Start in a folder, whose name is the language of the lesson."""
    os.chdir(folder)
    sys.modules["__main__"] = SESSION.module
    builtins.display = display  # type: ignore[attr-defined]
    for module in ("minigrad", "minigrad_viz", "minigrad_lessons"):
        __import__(module)
    return SESSION.run
