"""JupyterLab as a reader has it: a server that has started, a notebook opened, run and saved."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.browser.waiting import PATIENCE, drawn, until


def at_home(root: Path, home: Path) -> dict[str, str]:
    """The environment of a server that knows these packages, and no settings of anybody's."""
    packages = [str(root), str(root / "viz"), str(root / "lessons")]
    other = ("JUPYTER", "XDG_", "MARIMO")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(other)}
    return kept | {"HOME": str(home), "PYTHONPATH": os.pathsep.join(packages)}


def without_news(home: Path) -> None:
    """Switch off JupyterLab's popup about news, which covers the page."""
    settings = home / ".jupyter" / "labconfig"
    settings.mkdir(parents=True)
    (settings / "page_config.json").write_text(
        '{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true}}'
    )


@contextlib.contextmanager
def serving(command: Sequence[str], folder: Path, environment: dict[str, str]) -> Iterator[str]:
    """The address of the JupyterLab that `command` starts in `folder`, until the block is left.

    It takes a free port itself, and writes into its runtime folder which: a port chosen for it
    could be gone before it listens. So could those of its kernels, which therefore speak over
    sockets in that folder; its path is short, as theirs must be.
    """
    log = Path(environment["HOME"]) / "server.log"
    root = ["--allow-root"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    runtime = Path(tempfile.mkdtemp(prefix="lab-"))
    with log.open("wb") as output:
        process = subprocess.Popen(
            [
                *(*command, "--no-browser", "--ip=127.0.0.1", "--port=0"),
                *("--KernelManager.transport=ipc", *root),
            ],
            cwd=folder,
            env=environment | {"JUPYTER_RUNTIME_DIR": str(runtime)},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        deadline = time.monotonic() + PATIENCE
        while (address := started(runtime)) is None:
            if process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"it did not start:\n{log.read_text(errors='replace')}")
            time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)
        shutil.rmtree(runtime, ignore_errors=True)


def started(runtime: Path) -> str | None:
    """The address of the server that keeps its runtime files there, once it answers."""
    with contextlib.suppress(OSError, ValueError):  # not yet there, or not yet written in full
        for file in runtime.glob("jpserver-*.json"):
            server = json.loads(file.read_text(encoding="utf-8"))
            address = f"http://127.0.0.1:{server['port']}{server['base_url']}"
            status = f"{address}api/status?token={server['token']}"
            with urllib.request.urlopen(status, timeout=PATIENCE):
                return str(address)
    return None


def kernel_is_idle(page: Any) -> Any:
    """Return the status of the open notebook's kernel."""
    return page.locator("#jp-main-statusbar").get_by_text("| Idle")


def wait_for_kernel(page: Any) -> None:
    """JupyterLab drops cells that run before the kernel is connected."""
    kernel_is_idle(page).wait_for()


def choose(page: Any, menu: str, item: str) -> None:
    page.get_by_role("menuitem", name=menu, exact=True).click()
    page.get_by_role("menuitem", name=item, exact=True).click()


def run_all(page: Any) -> None:
    """Run every cell. Outputs that the notebook was saved with are gone first: they must not be
    taken for those of this run.
    """
    choose(page, "Edit", "Clear Outputs of All Cells")
    choose(page, "Run", "Run All Cells")


HAVE_RUN = """() => {
    const { content, sessionContext } = jupyterapp.shell.currentWidget
    const cells = content.model.sharedModel.cells
    return cells.every(cell => cell.cell_type !== "code" || cell.execution_count !== null)
        && sessionContext.session.kernel.status === "idle"
}"""


def run_to_the_end(page: Any) -> None:
    """Run every cell, and wait until all have run, where JupyterLab shows its `jupyterapp`: a run
    that goes on takes the focus, and moves what has been drawn.
    """
    run_all(page)
    page.wait_for_function(HAVE_RUN)
    wait_for_kernel(page)
    drawn(page)


def run_all_and_step(page: Any) -> None:
    """Run the lesson to its end, and take the first step of its first stepper."""
    run_to_the_end(page)
    stepper = page.locator(".minigrad-stepper").first
    position = stepper.locator(".position")
    position.wait_for()
    first, count = position.text_content().split(" / ")
    assert first == "1"

    def is_stepped() -> bool:
        if position.text_content() == f"1 / {count}":  # or again: JupyterLab has drawn it anew
            stepper.get_by_role("button", name="Next step").click()
            drawn(page)  # a second click before the step is shown would take two
        return bool(position.text_content() == f"2 / {count}")

    until(page, is_stepped)


def save(page: Any) -> None:
    """Save the notebook, and wait until the server has it."""

    def is_written(response: Any) -> bool:
        return response.request.method == "PUT" and "/api/contents/" in response.url

    with page.expect_response(is_written) as written:
        page.get_by_role("menuitem", name="File", exact=True).click()
        page.get_by_role(
            "menuitem", name="Save Notebook"
        ).first.click()  # its shortcut is in the name
    assert written.value.ok


def shut_down_kernel(page: Any) -> None:
    choose(page, "Kernel", "Shut Down Kernel")
    page.get_by_text("No Kernel").first.wait_for()
