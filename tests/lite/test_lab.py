"""The lab's own page: what it says while it starts, what it keeps, and what it cannot do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lite.tab import KERNEL_WAITS, Kernel, served

pytestmark = pytest.mark.lite

LESSON = "en/01_graph.ipynb"
LINE = "#minigrad-starting"
FIRST = """new MutationObserver((_, observer) => {
    const line = document.querySelector("#minigrad-starting")
    if (!line) return
    window.first = { said: line.innerText, lab: typeof jupyterapp }
    observer.disconnect()
}).observe(document, { childList: true, subtree: true })"""
"""Return the page's first message, and whether JupyterLab is there by then."""

PRESSES = """{
    const press = () => {
        const open = window.jupyterapp?.shell.currentWidget
        const cell = document.querySelector(".jp-Notebook .jp-CodeCell .cm-content")
        if (!cell || !open?.context.isReady) return setTimeout(press, 20)
        if (!window.pressed) {
            window.pressed = []
            void jupyterapp.commands.execute("notebook:clear-all-cell-outputs")
            const codes = open.content.widgets.findIndex(each => each.model.type === "code")
            open.content.activeCellIndex = codes
        }
        window.pressed.push(open.content.activeCellIndex)
        void jupyterapp.commands.execute("notebook:run-cell-and-select-next")
        if (window.pressed.length < 5) setTimeout(press, 300)
    }
    press()
}"""
"""Press Shift+Enter five times, 0.3 s apart, from the first code cell on, once it is there."""

COUNTS = """last => jupyterapp.shell.currentWidget.content.widgets.slice(0, last + 1)
    .filter(cell => cell.model.type === "code").map(cell => cell.model.executionCount)"""
ALL_RUN = f"last => ({COUNTS})(last).every(count => count)"

ALL_KEPT = """async () => {
    const [build] = (await caches.keys()).filter(each => each.startsWith("minigrad-"))
    if (!build) return false
    const kept = await caches.open(build)
    const there = (await kept.keys()).map(each => each.url)
    const parts = [".asm.wasm", "numpy-", "minigrad_lab-"]
    if (!parts.every(part => there.some(each => each.includes(part))))
        return false
    const loaded = performance.getEntriesByType("resource")
        .filter(each => each.responseStatus === 200 && !/api.(drive|stdin|service)/.test(each.name))
    const names = [location.href, ...loaded.map(each => each.name)]
    return names.every(each => there.includes(each.split("?")[0]))
}"""

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


def test_one_python_starts_with_the_page(browser: Any, address: str) -> None:
    """The kernel takes over the worker of the page, and seldom looks at the notebook's folder."""
    context = browser.new_context()
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.goto(f"{address}lab/index.html?path={LESSON}")
    kernel = Kernel(page)
    assert len([worker for worker in page.workers if "pyodide-kernel" in worker.url]) == 1
    assert sum("/api/drive" in url for url in asked) <= 3  # of more than ninety
    assert kernel.prints("import os\nprint(os.getcwd())") == "/drive/en\n"
    context.close()


def test_endless_program_can_be_stopped(browser: Any, address: str) -> None:
    """From the first moment on the page says what is being loaded, and no longer when it is there.
    A tab cannot interrupt Python: the page says so, and starts it anew when asked.
    """
    context = browser.new_context(locale="en-US")
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


def test_early_cells_run_in_order(browser: Any, address: str) -> None:
    """Shift+Enter from the moment at which the notebook is there, and before its kernel is."""
    context = browser.new_context(locale="en-US")
    context.add_init_script(PRESSES)
    page = context.new_page()
    page.goto(f"{address}lab/index.html?path={LESSON}")
    page.locator(LINE, has_text="Cells that you run now wait for it").wait_for()
    page.wait_for_function("window.pressed?.length === 5")
    last = max(page.evaluate("window.pressed"))
    page.wait_for_function(ALL_RUN, arg=last)
    found = page.evaluate(COUNTS, last)
    assert found == list(range(1, len(found) + 1)) and len(found) >= 2
    assert page.locator(".jp-Dialog").count() == 0
    context.close()


def test_second_visit_needs_no_network(browser: Any, site: Path) -> None:
    """The server ends after the first visit; the lab still opens, and its cells run."""
    context = browser.new_context()
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    with served(site) as address:
        page.goto(f"{address}lab/index.html?path={LESSON}")
        Kernel(page)
        for _ in range(300):
            if page.evaluate(ALL_KEPT):
                break
            page.wait_for_timeout(200)
        assert page.evaluate(ALL_KEPT)
    page.goto(f"{address}lab/index.html?path={LESSON}")
    assert Kernel(page).prints("import minigrad as mg\nprint(mg.ones(2).sum())") == "tensor(2.)\n"
    assert sum("Registering new" in text for text in said) == 1
    context.close()


COMPLETES = """async code => {
    const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session
    const { content } = await kernel.requestComplete({ code, cursor_pos: code.length })
    return content.matches
}"""


def test_names_of_objects_are_completed(open_lab: Callable[..., Any]) -> None:
    """Without jedi, by the objects that are there."""
    page = open_lab(LESSON)
    kernel = Kernel(page)
    kernel.prints("import minigrad as mg\nt = mg.ones(2)")
    assert page.evaluate(COMPLETES, "mg.zeros_") == [".zeros_like"]
    assert page.evaluate(COMPLETES, "y = t.requires_g") == [".requires_grad", ".requires_grad_"]
    assert page.evaluate(COMPLETES, "t.sum().grad_f") == []  # nothing is run for a completion


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
    context.add_init_script("delete Navigator.prototype.serviceWorker")
    page = context.new_page()
    page.goto(f"{address}lab/index.html?path={LESSON}")
    page.locator(LINE, has_text="This is a private window").wait_for()
    said = Kernel(page).prints("import minigrad as mg\nprint(mg.ones(2).sum())")
    assert said == "tensor(2.)\n"
    context.close()
