"""The same program in Notebook 7 and in marimo: drawn, stepped through, explored and compared."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.browser import hosts
from tests.browser.jupyterlab import HAVE_RUN, at_home, choose, serving
from tests.browser.waiting import PATIENCE, drawn


@pytest.fixture(scope="module")
def notebook7(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the notebook, served by Notebook 7."""
    needed("notebook")
    folder, home = (tmp_path_factory.mktemp(name) for name in ("notebooks", "home"))
    nbformat.write(hosts.notebook(), folder / "hosts.ipynb")
    command = [sys.executable, "-m", "notebook", "--IdentityProvider.token="]
    with serving(
        [*command, "--JupyterNotebookApp.expose_app_in_browser=True"], folder, at_home(root, home)
    ) as url:
        yield f"{url}notebooks/hosts.ipynb"


IDLE = """() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status
    === "idle" """


def test_notebook_7(browser: Any, notebook7: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="dark")
    page = context.new_page()
    page.goto(notebook7)
    page.wait_for_function(IDLE)
    complaints = hosts.complaints_of(page)
    choose(page, "Run", "Run All Cells")
    page.wait_for_function(HAVE_RUN)
    drawn(page)

    def cell(place: int) -> Any:
        """It is drawn when it comes into view."""
        found = page.locator(".jp-Notebook .jp-Cell").nth(place)
        found.scroll_into_view_if_needed()
        return found

    picture = cell(1).locator(".jp-RenderedSVG > *")
    assert picture.evaluate("img => img.decode().then(() => img.naturalWidth)") > 100
    # It is light, whatever the reader's system is.
    assert picture.evaluate("e => getComputedStyle(e).colorScheme") == "light"
    hosts.check_steps(cell(2))
    hosts.check_nudge(cell(2))
    hosts.check_sliders(cell(3))
    hosts.check_pair(cell(4))
    hosts.check_program(cell(5))
    assert page.locator(".minigrad-stepper[data-theme=light]").count() == 2
    assert complaints == []
    context.close()


MARIMO = """\
import marimo

app = marimo.App()


@app.cell
def _():
    {imports}
    {drawn}
    return mg, viz, x


@app.cell
def _(viz, x):
    {stepped}
    return


@app.cell
def _(mg, viz):
    {explored}
    return


@app.cell
def _(mg, viz):
    {compared}
    return


@app.cell
def _(viz, x):
    {written}
    return
"""


@pytest.fixture(scope="module")
def marimo(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the notebook, run by marimo. It takes a free port, and says which."""
    needed("marimo")
    home = tmp_path_factory.mktemp("home")
    file, log = home / "hosts.py", home / "marimo.log"
    names = ("imports", "drawn", "stepped", "explored", "compared", "written")
    cells = {name: getattr(hosts, name.upper()).replace("\n", "\n    ") for name in names}
    file.write_text(MARIMO.format(**cells), encoding="utf-8")
    command = [sys.executable, "-m", "marimo", "run", str(file), "--headless", "--host=127.0.0.1"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=home, env=at_home(root, home), stdout=output, stderr=subprocess.STDOUT
        )
    try:
        deadline = time.monotonic() + PATIENCE
        while not (told := re.search(r"http://[\w.]+:\d+", log.read_text(errors="replace"))):
            assert process.poll() is None and time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
        yield told[0]
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


def test_marimo(browser: Any, marimo: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="dark")
    page = context.new_page()
    complaints = hosts.complaints_of(page)
    page.goto(marimo)
    title = page.locator("svg.mg-graph .title").first
    title.wait_for()
    # It is light, whatever the reader's system is.
    assert title.evaluate("e => getComputedStyle(e).fill") == hosts.LIGHT_TEXT
    hosts.check_steps(page)
    hosts.check_sliders(page)
    hosts.check_pair(page)
    hosts.check_program(page)
    assert page.locator(".minigrad-stepper[data-theme=light]").count() == 2

    # Its own setting does this.
    page.evaluate("document.body.dataset.theme = 'dark'")
    page.locator(".minigrad-stepper[data-theme=dark]").nth(1).wait_for()
    assert title.evaluate("e => getComputedStyle(e).fill") == hosts.DARK_TEXT
    caption = page.locator(".mg-explore-live").get_by_role("status")
    assert caption.evaluate("e => getComputedStyle(e).color") == "rgb(236, 239, 242)"
    assert complaints == []
    context.close()


def needed(name: str) -> None:
    """Skip where it is not installed."""
    with suppress(ImportError):
        importlib.import_module(name)
        return
    pytest.skip(f"{name} is not installed (pip install '.[test]')")
