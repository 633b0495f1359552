"""The lab in a tab of a browser, as a reader has it: opened, run, and left."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FROM_THE_PAGE = ("data:", "blob:")
"""Beginnings of addresses that need no server."""

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


@contextmanager
def tabs(browser: Any, address: str) -> Iterator[Callable[..., Any]]:
    """A function that opens the lab in a tab that remembers nothing, on a notebook or at its
    beginning. A request to anything but the site is an error at the end of the block.
    """
    contexts = []
    elsewhere: list[str] = []

    def only_the_site(route: Any) -> None:
        if route.request.url.startswith((address, *FROM_THE_PAGE)):
            route.continue_()
        else:
            elsewhere.append(route.request.url)
            route.abort()

    def opened(path: str = "", **options: Any) -> Any:
        context = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
        contexts.append(context)
        context.route("**/*", only_the_site)
        page = context.new_page()
        page.goto(f"{address}lab/index.html?path={path}" if path else address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert elsewhere == []


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


EXECUTE = """async program => {
    const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session
    const future = kernel.requestExecute({ code: program })
    let said = ""
    future.onIOPub = ({ header, content }) => {
        if (header.msg_type === "stream") said += content.text
        if (header.msg_type === "error") said += content.ename + ": " + content.evalue
    }
    await future.done
    return said
}"""


class Kernel:
    """The kernel of the notebook that is open, for programs of the tests' own."""

    def __init__(self, page: Any) -> None:
        page.wait_for_function("window.jupyterapp")
        page.wait_for_function(KERNEL_WAITS)
        self.page = page

    def prints(self, program: str) -> str:
        """Return the printed text of a program, with the message of its error."""
        return str(self.page.evaluate(EXECUTE, program))
