"""The lab in a tab of a browser, as a reader has it: opened, run, and left."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CLEAR = "async () => await jupyterapp.commands.execute('notebook:clear-all-cell-outputs')"
START = "() => void jupyterapp.commands.execute('notebook:run-all-cells')"
HAVE_RUN = """() => jupyterapp.shell.currentWidget.content.model.sharedModel.cells.every(
    cell => cell.cell_type !== "code" || (cell.execution_count ?? 0) > 0
)"""
CELLS = """() => jupyterapp.shell.currentWidget.content.model.toJSON().cells
    .filter(cell => cell.cell_type === "code")"""
KERNEL_WAITS = """() =>
    jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === "idle"
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """http.server as everybody has it, without a line for each request."""

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which http.server serves a folder."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def run(page: Any) -> None:
    """Run All, as the menu has it, as soon as the kernel waits for something to do."""
    page.wait_for_function("window.jupyterapp")
    page.wait_for_function(KERNEL_WAITS)
    page.evaluate(CLEAR)
    page.evaluate(START)


def have_run(page: Any) -> list[dict[str, Any]]:
    """The code cells, once all of them have run."""
    page.wait_for_function(HAVE_RUN)
    page.wait_for_function(KERNEL_WAITS)
    cells: list[dict[str, Any]] = page.evaluate(CELLS)
    return cells
