"""The lab's own page: what it says while it starts, what it keeps, and what it cannot do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lite.tab import KERNEL_WAITS, PATIENCE, Kernel

pytestmark = pytest.mark.lite

LESSON = "en/01_graph.ipynb"
LINE = "#minigrad-starting"
FIRST = """new MutationObserver((_, observer) => {
    const line = document.querySelector("#minigrad-starting")
    if (!line) return
    window.first = { said: line.innerText, lab: typeof jupyterapp }
    observer.disconnect()
}).observe(document, { childList: true, subtree: true })"""
"""What the page says first, and whether JupyterLab is there by then."""

FOREVER = """() => void jupyterapp.shell.currentWidget.sessionContext.session.kernel
    .requestExecute({ code: "while True: pass" })"""
BUSY = "jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'busy'"
INTERRUPT = "() => void jupyterapp.commands.execute('notebook:interrupt-kernel')"
CHANGED = "# changed by its reader"
CHANGE = """async text => {
    const { currentWidget } = jupyterapp.shell
    const model = currentWidget.content.model.sharedModel
    model.cells.find(cell => cell.cell_type === "code").setSource(text)
    await currentWidget.context.save()
}"""
SOURCES = (
    "() => jupyterapp.shell.currentWidget.content.model.toJSON().cells.map(cell => cell.source)"
)
OPENED = "() => window.jupyterapp?.shell.currentWidget?.content?.model?.cells?.length > 3"


def test_endless_program_can_be_stopped(browser: Any, address: str) -> None:
    """From the first moment on the page says what is being loaded, and no longer when it is there.
    A tab cannot interrupt Python: the page says so, and starts it anew when asked.
    """
    context = browser.new_context(locale="en-US")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(FIRST)
    page = context.new_page()
    page.goto(f"{address}lab/index.html?path={LESSON}")
    line = page.locator(LINE)
    first = {"said": "Loading JupyterLab … 0 s", "lab": "undefined"}
    assert page.evaluate("window.first") == first
    page.locator(LINE, has_text="Starting Python").wait_for()
    page.wait_for_function(KERNEL_WAITS)
    line.wait_for(state="detached")
    page.evaluate(FOREVER)
    page.wait_for_function(BUSY)
    page.evaluate(INTERRUPT)
    page.locator(LINE, has_text="Python cannot be interrupted in a browser tab").wait_for()
    line.get_by_role("button", name="Restart the kernel").click()
    page.get_by_role("button", name="Confirm Kernel Restart").click()
    line.wait_for(state="detached")
    assert Kernel(page).prints("print(6 * 7)") == "42\n"
    context.close()


def test_changed_notebook_survives_a_reload(open_lab: Callable[..., Any], address: str) -> None:
    page = open_lab(LESSON)
    page.wait_for_function(OPENED)
    page.evaluate(CHANGE, CHANGED)
    # (What was open JupyterLab writes down seconds later, so the address names it anew.)
    page.goto(f"{address}lab/index.html?path={LESSON}")
    page.wait_for_function(OPENED)
    assert CHANGED in page.evaluate(SOURCES)
    with page.expect_download() as download:
        page.evaluate("() => void jupyterapp.commands.execute('docmanager:download')")
    file = Path(download.value.path())
    book = json.loads(file.read_text(encoding="utf-8"))
    assert any("".join(cell["source"]) == CHANGED for cell in book["cells"])
    assert download.value.suggested_filename.endswith("01_graph.ipynb")


def test_lab_reports_missing_python(browser: Any, address: str) -> None:
    """The lesson is still shown."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    context.route("**/pyodide/pyodide.js", lambda route: route.abort())
    page = context.new_page()
    page.goto(f"{address}lab/index.html?path=zh/01_graph.ipynb")
    page.locator(LINE, has_text="无法加载 Python").wait_for()
    page.wait_for_function(OPENED)
    page.locator(LINE).get_by_role("button", name="关闭").click()
    page.locator(LINE).wait_for(state="detached")
    context.close()


def test_private_window_without_workers_runs(browser: Any, address: str) -> None:
    """Firefox's has none; the page says that nothing is kept."""
    context = browser.new_context(locale="en-US")
    context.set_default_timeout(PATIENCE)
    context.add_init_script("delete Navigator.prototype.serviceWorker")
    page = context.new_page()
    page.goto(f"{address}lab/index.html?path={LESSON}")
    page.locator(LINE, has_text="This is a private window").wait_for()
    said = Kernel(page).prints("import minigrad as mg\nprint(mg.ones(2).sum())")
    assert said == "tensor(2.)\n"
    context.close()
