"""The stepper where most readers meet it: in a lesson, in JupyterLab, in a real browser."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import pytest
from minigrad_lessons.build import unfolded

from tests.browser.jupyterlab import (
    at_home,
    kernel_is_idle,
    run_all,
    run_to_the_end,
    save,
    serving,
    shut_down_kernel,
    wait_for_kernel,
    without_news,
)
from tests.browser.test_stage import STAGE
from tests.browser.waiting import drawn, until
from tests.sampling import first_of

LESSON = "en/01_graph.ipynb"  # a lesson takes its language from the folder that it is in


class Server(NamedTuple):
    url: str
    folder: Path


@pytest.fixture(scope="module")
def server(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """JupyterLab in a home of its own, serving an empty folder."""
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    home = tmp_path_factory.mktemp("home")
    folder = tmp_path_factory.mktemp("notebooks")
    without_news(home)
    command = [sys.executable, "-m", "jupyterlab", "--IdentityProvider.token="]
    with serving(
        [*command, "--LabApp.expose_app_in_browser=True"], folder, at_home(root, home)
    ) as url:
        yield Server(url, folder)


@pytest.fixture(scope="module")
def lab(browser: Any, server: Server) -> Iterator[Any]:
    """JupyterLab in a tab, once for all tests: loading it takes four times what a notebook does."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"{server.url}lab?reset")
    page.wait_for_function("window.jupyterapp")
    yield page
    context.close()


CLOSE_ALL = """async () => {
    await jupyterapp.restored
    for (const widget of [...jupyterapp.shell.widgets("main")]) widget.dispose()
}"""
OPEN = "async path => { await jupyterapp.commands.execute('docmanager:open', { path }) }"


@pytest.fixture
def open_notebook(lab: Any, server: Server) -> Callable[..., Any]:
    """A function that opens a notebook of the served folder in the place of what is open there; the
    kernel is connected on return. `anew`: in a JupyterLab that remembers nothing.
    """

    def open_it(name: str, *, anew: bool = False) -> Any:
        if anew:
            lab.goto(f"{server.url}lab/tree/{name}?reset")
        else:
            lab.evaluate(CLOSE_ALL)
            kernel_is_idle(lab).wait_for(state="hidden")
            lab.evaluate(OPEN, name)
        wait_for_kernel(lab)
        lab.evaluate("jupyterapp.restored.then(() => {})")
        drawn(lab)
        return lab

    return open_it


def test_a_lesson_s_backward_is_stepped_through(
    root: Path, server: Server, open_notebook: Any
) -> None:
    (server.folder / LESSON).parent.mkdir(exist_ok=True)
    shutil.copy(root / "lessons" / LESSON, server.folder / LESSON)
    page = open_notebook(LESSON)
    run_to_the_end(page)

    stepper = page.locator(".minigrad-stepper").first
    stepper.locator(".stepper").wait_for()
    stepper.scroll_into_view_if_needed()
    position = stepper.locator(".position")
    title = stepper.locator(".node h2 strong")
    count = int(position.text_content().split("/")[1])
    assert count > 2

    # Forwards by button, and back: the same titles in reverse.
    titles = [title.text_content()]
    for _ in range(count - 1):
        stepper.get_by_role("button", name="Next step").click()
        titles.append(title.text_content())
    assert titles[0] == "seed"
    assert "AccumulateGrad" in titles[-1]
    assert len(set(titles)) == count
    last_gradients = stepper.locator(".buffers tbody").last.text_content()
    assert ".grad" in last_gradients
    assert "None" not in last_gradients
    for expected in reversed(titles[:-1]):
        stepper.get_by_role("button", name="Previous step").click()
        assert title.text_content() == expected
    assert "None" in stepper.locator(".buffers tbody").last.text_content()

    # The keyboard moves the stepper and not the notebook's selection.
    active = page.locator(".jp-Notebook .jp-Cell.jp-mod-active")
    stepper.get_by_role("button", name="First step").focus()
    before = active.first.bounding_box()
    for key, step in [("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", count)]:
        page.keyboard.press(key)
        assert position.text_content() == f"{step} / {count}"
    page.keyboard.press("Home")
    assert position.text_content() == f"1 / {count}"
    assert active.first.bounding_box() == before


def test_unrun_lesson_shows_picture_and_text(
    root: Path, server: Server, open_notebook: Any
) -> None:
    (server.folder / LESSON).parent.mkdir(exist_ok=True)
    shutil.copy(root / "lessons" / LESSON, server.folder / LESSON)
    page = open_notebook(LESSON)
    stored = page.locator(".jp-OutputArea-output", has_text="backward from d: 5 turns").first
    assert_picture_and_text(stored, "AccumulateGrad (a) <- 1 + 3 = 4")
    assert page.get_by_text("Error displaying widget").count() == 0


PROGRAM = """\
import minigrad as mg
import minigrad_viz as viz

x = mg.tensor(3.0, requires_grad=True)
y = x * x
viz.step(y)
"""


def write_notebook(path: Path, program: str = PROGRAM) -> None:
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(program)],
        metadata={"kernelspec": {"display_name": "Python 3", "name": "python3"}},
    )
    nbformat.write(notebook, path)


def test_reopened_notebook_steps(server: Server, open_notebook: Any) -> None:
    write_notebook(server.folder / "saved.ipynb")
    page = open_notebook("saved.ipynb")
    run_to_the_end(page)
    page.locator(".minigrad-stepper .stepper").wait_for()
    save(page)
    shut_down_kernel(page)

    open_notebook("saved.ipynb", anew=True)
    stepper = page.locator(".minigrad-stepper")
    stepper.get_by_role("button", name="Last step").click()
    stepper.locator(".position").get_by_text("3 / 3").wait_for()
    assert "x.grad, which was None." in stepper.locator(".caption").text_content()
    assert page.locator(".jp-InputArea-prompt").first.text_content() == "[1]:"  # not run again
    assert page.get_by_text("Error displaying widget").count() == 0


def test_an_untrusted_notebook_shows_picture_and_text(server: Server, open_notebook: Any) -> None:
    """A notebook from elsewhere: its scripts do not run before its reader has run the cell."""
    write_notebook(server.folder / "mine.ipynb")
    page = open_notebook("mine.ipynb")
    run_to_the_end(page)
    page.locator(".minigrad-stepper .stepper").wait_for()
    save(page)
    notebook = nbformat.read(server.folder / "mine.ipynb", as_version=4)
    notebook.cells[0].source += "# changed by another user"
    nbformat.write(notebook, server.folder / "theirs.ipynb")

    open_notebook("theirs.ipynb")
    assert_picture_and_text(page.locator(".jp-OutputArea-output").first, "x.grad      None -> 6")
    assert page.locator(".minigrad-stepper").count() == 0
    run_all(page)
    page.locator(".minigrad-stepper .stepper").wait_for()


STAGED = """\
import minigrad as mg
import minigrad_viz as viz

mg.manual_seed(0)
x, y = mg.randn(3, 5), mg.ones(3, 1)
w1, b1 = mg.randn(5, 4, requires_grad=True), mg.zeros(4, requires_grad=True)
w2, b2 = mg.randn(4, 1, requires_grad=True), mg.tensor(0.5, requires_grad=True)


def loss():
    return ((mg.relu(x @ w1 + b1) @ w2 + b2 - y) ** 2).mean()


viz.step(loss)
"""


def test_cell_holds_the_stage_and_nudges(server: Server, open_notebook: Any) -> None:
    """In a small window with the side bar: everything is in sight, and the kernel answers."""
    write_notebook(server.folder / "staged.ipynb", STAGED)
    page = open_notebook("staged.ipynb")
    before = page.viewport_size
    page.set_viewport_size({"width": 1024, "height": 768})
    run_to_the_end(page)
    stepper = page.locator(".minigrad-stepper .stepper")
    stepper.wait_for()
    stepper.scroll_into_view_if_needed()
    drawn(page)
    box = stepper.bounding_box()
    assert box["height"] <= 560
    assert box["width"] <= 760  # half a notebook: code and card are drawers
    for event in ("0", "6", "20"):
        stepper.get_by_role("slider").fill(event)
        drawn(page)
        seen = page.evaluate(STAGE, 768)
        assert (seen["unseen"], seen["overlaps"], seen["covered"]) == (0, 0, 0)
        assert seen["letters"] >= 11.99
        assert seen["boxes"] >= 8
        assert seen["current"]
    controls = stepper.locator(".controls").bounding_box()
    assert controls["y"] + controls["height"] <= box["y"] + box["height"] + 1
    stepper.get_by_role("button", name="Code", exact=True).click()
    assert stepper.locator(".panes > .code .listing").is_visible()
    stepper.get_by_role("button", name="This node", exact=True).click()
    assert stepper.locator(".node .body").is_visible()

    nudge = stepper.locator(".nudge")
    nudge.locator("summary").click()
    nudge.get_by_role("combobox", name="Number").select_option(label="b2 = 0.5")
    nudge.get_by_role("combobox", name="by").select_option("1")
    nudge.get_by_role("button", name="Push up").click()
    nudge.locator("tr").nth(2).wait_for()
    promise, truth, rest = map(number, nudge.locator("td:nth-child(2)").all_text_contents())
    # A mean of squares: its curvature along b2 is 1.
    assert truth == pytest.approx(promise + 1, abs=0.01)
    assert rest == pytest.approx(1, abs=0.01)
    page.set_viewport_size(before)


def number(text: str) -> float:
    return float(text.replace("\u2212", "-"))


EXPLORED = """\
import minigrad as mg
import minigrad_viz as viz

viz.explore(lambda x, w: mg.tanh(x * w), x=(-2, 2), w=1.0)
"""


def test_a_function_is_explored_and_its_picture_stays(server: Server, open_notebook: Any) -> None:
    write_notebook(server.folder / "explored.ipynb", EXPLORED)
    page = open_notebook("explored.ipynb")
    run_to_the_end(page)
    live = page.locator(".mg-explore-live")
    graph, plot = live.locator("svg[aria-label^='computational']"), live.locator("svg.mg-curve")
    plot.wait_for()
    assert not page.locator(".mg-explore-still").is_visible()
    assert graph.get_by_text("value 0", exact=True).count() > 0
    handle = live.get_by_role("slider", name="x")
    handle.scroll_into_view_if_needed()

    def is_at_end() -> bool:
        handle.press("End")  # again, since JupyterLab takes the focus back when a run is over
        return bool(graph.get_by_text("value 0.9640", exact=True).count())  # tanh(2)

    until(page, is_at_end)
    handle.fill("0")
    graph.get_by_text("value 0", exact=True).first.wait_for()
    assert live.get_by_role("status").text_content().startswith("At x = 0, w = 1: f = 0")

    save(page)
    shut_down_kernel(page)
    open_notebook("explored.ipynb", anew=True)
    still = page.locator(".mg-explore-still")
    still.wait_for()
    for picture in still.locator("img").all():
        assert picture.evaluate("img => img.decode().then(() => img.naturalWidth)") > 100
    assert not page.get_by_text("Error displaying widget").first.is_visible()


def assert_picture_and_text(output: Any, text: str) -> None:
    picture = output.locator("img")
    picture.wait_for()
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("img => img.decode().then(() => img.naturalWidth)") > 50
    output.locator("summary").click()
    output.get_by_text(text).wait_for()


def test_output_is_folded_until_predicted(root: Path, server: Server, open_notebook: Any) -> None:
    name = "en/02_backward.ipynb"
    (server.folder / name).parent.mkdir(exist_ok=True)
    shutil.copy(root / "lessons" / name, server.folder / name)
    page = open_notebook(name)
    cells = nbformat.read(server.folder / name, as_version=4).cells
    place = next(i for i, cell in enumerate(cells) if cell.source == 'predict("02.b")')
    asking, answering = (page.locator(".jp-Notebook .jp-Cell").nth(place + n) for n in (0, 1))
    asking.scroll_into_view_if_needed()
    answering.locator(".jp-OutputPlaceholder").wait_for()
    assert answering.get_by_text("(Predict first, then run this cell.)").is_visible()
    assert not answering.get_by_text("tensor(7.)").is_visible()
    # A notebook from elsewhere runs no scripts before its reader has run the cell.
    assert asking.get_by_text("Run this cell to answer.").is_visible()
    assert not asking.get_by_text("Three paths").is_visible()

    asking.locator(".jp-InputArea").click()
    page.evaluate("jupyterapp.commands.execute('notebook:run-all-above')")
    page.evaluate("jupyterapp.commands.execute('notebook:run-cell-and-select-next')")
    box = asking.get_by_label("u.grad")
    box.wait_for()
    # When a run is over, JupyterLab gives the next cell the focus.
    page.wait_for_function(
        "place => jupyterapp.shell.currentWidget.content.activeCellIndex > place", arg=place
    )
    wait_for_kernel(page)
    drawn(page)
    # Not those in the page: JupyterLab draws cells bit by bit.
    cells_there = "jupyterapp.shell.currentWidget.content.model.cells.length"
    count = page.evaluate(cells_there)
    box.click()
    page.keyboard.type("abdd6")  # what JupyterLab takes for commands outside a box
    assert box.input_value() == "abdd6"
    assert page.evaluate(cells_there) == count
    asking.get_by_label("paths").fill("2")
    asking.get_by_label("each brings").fill("3")
    box.fill("6")
    told = asking.get_by_role("status")
    box.press("Enter")
    assert told.inner_text().startswith("Not this time. You said 2, 3, 6. 6 is what")
    assert told.inner_text().endswith("Try once more.")
    box.press("Enter")
    assert told.inner_text().startswith("Not this time. You said 2, 3, 6.")
    assert told.inner_text().endswith("Now run the next cell and see.")
    assert not answering.get_by_text("tensor(7.)").is_visible()

    answering.locator(".jp-InputArea").click()
    page.keyboard.press("Shift+Enter")
    answering.get_by_text("tensor(7.)").wait_for()
    save(page)
    saved = nbformat.read(server.folder / name, as_version=4).cells[place]
    assert "6 is what" in saved.outputs[0].data["text/html"]  # the box, not what was typed
    assert "abdd6" not in str(saved)


ASKED = [
    ("zh", "13, 39", "5 和 5 · 3 = 15", "（先预测，再运行这个单元格。）"),
    ("en", "13, 39", "5 and 5 · 3 = 15.", "(Predict first, then run this cell.)"),
]


@pytest.mark.parametrize(("language", "output", "words", "picture"), first_of("PAGES", ASKED))
def test_lesson_opens_without_answers(
    root: Path,
    server: Server,
    open_notebook: Any,
    language: str,
    output: str,
    words: str,
    picture: str,
) -> None:
    name = f"{language}/asks.ipynb"
    copy = server.folder / name
    copy.parent.mkdir(exist_ok=True)
    shutil.copy(root / "lessons" / language / "03_intermediate.ipynb", copy)
    stored = nbformat.read(copy, as_version=4).cells
    page = open_notebook(name)
    cells = page.locator(".jp-Notebook .jp-Cell")

    def at(place: int) -> Any:
        cells.nth(place).scroll_into_view_if_needed()
        return cells.nth(place)

    told = [i for i, cell in enumerate(stored) if "told" in cell.metadata.get("tags", [])]
    predicted = [i for i, cell in enumerate(stored) if "predict" in cell.metadata.get("tags", [])]
    for place in told + predicted:
        cell = at(place)
        if stored[place].cell_type == "markdown":
            cell.locator(".jp-InputPlaceholder").wait_for()
            assert not cell.locator(".jp-RenderedMarkdown").is_visible()
        else:
            cell.locator(".jp-OutputPlaceholder").get_by_text(picture).wait_for()
            assert not cell.locator(".jp-OutputArea-output").first.is_visible()
    assert not page.get_by_text(output, exact=True).is_visible()

    # A question that is answered opens the words on it and no others.
    (place,) = [i for i in told if words in stored[i].source]
    ask = max(i for i in range(place) if "ask" in stored[i].metadata.get("tags", []))
    imports = next(i for i, cell in enumerate(stored) if cell.cell_type == "code")
    for number, each in enumerate((imports, ask), 1):
        at(each).locator(".cm-content").click()
        page.keyboard.press("Shift+Enter")
        at(each).locator(".jp-InputArea-prompt").get_by_text(f"[{number}]:").wait_for()
    box = at(ask).locator(".minigrad-prediction[data-live]")
    box.locator("button.show").click()
    shown = at(place).locator(".jp-RenderedMarkdown")
    shown.get_by_text(words).wait_for()
    others = [i for i in told if i != place and stored[i].cell_type == "markdown"]
    for i in others:
        at(i).locator(".jp-InputPlaceholder").wait_for()
    if folder := os.environ.get("MINIGRAD_LOOK"):
        at(ask).evaluate("e => e.scrollIntoView({ block: 'start' })")
        page.wait_for_timeout(500)
        page.screenshot(path=f"{folder}/jupyterlab-{language}.png")
        at(told[0]).evaluate("e => e.scrollIntoView({ block: 'center' })")
        page.wait_for_timeout(500)
        page.screenshot(path=f"{folder}/jupyterlab-folded-{language}.png")


FIGURES = ".minigrad-stepper .stepper, .jp-RenderedSVG > *, .jp-RenderedImage img, .mg-plot img"


@pytest.mark.parametrize("lesson", first_of("PAGES", ["05_stopping", "01_graph", "11_training"]))
def test_a_lesson_runs_from_its_first_cell_to_its_last(
    root: Path, server: Server, open_notebook: Any, lesson: str
) -> None:
    """The notebook saved afterwards has the outputs of the stored lesson."""
    # A name of its own: for one that another test has opened, JupyterLab still has that kernel,
    # which goes on counting cells where it was.
    name = f"en/whole_{lesson}.ipynb"
    copy = server.folder / name
    copy.parent.mkdir(exist_ok=True)
    shutil.copy(root / "lessons" / "en" / f"{lesson}.ipynb", copy)
    stored = nbformat.read(copy, as_version=4)
    complaints: list[str] = []
    page = open_notebook(name)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    run_to_the_end(page)
    places = [place for place, cell in enumerate(stored.cells) if has_figure(cell)]
    assert places
    for place in places:  # a cell is drawn when it comes into view
        cell = page.locator(".jp-Notebook .jp-Cell").nth(place)
        cell.scroll_into_view_if_needed()
        figure = cell.locator(FIGURES)
        figure.wait_for()
        until(page, lambda figure=figure: is_drawn(figure))
    save(page)
    assert texts(nbformat.read(copy, as_version=4)) == texts(stored)
    assert complaints == []
    if lesson == "11_training" and os.environ.get("MINIGRAD_SCREENSHOTS", "") not in ("", "0"):
        misread = next(place for place in places if "wrong[:20]" in stored.cells[place].source)
        shown = page.locator(".jp-Notebook .jp-Cell").nth(misread)
        shown.evaluate("cell => cell.scrollIntoView({ block: 'end' })")  # below the loss
        page.wait_for_timeout(500)
        page.screenshot(path=root / "docs" / "lesson.png")


def is_drawn(figure: Any) -> bool:
    """Whether a picture has been loaded and has its size."""
    box = figure.bounding_box()
    return box is not None and min(box["width"], box["height"]) > 50


def has_figure(cell: Any) -> bool:
    shown = [output.get("data", {}) for output in cell.get("outputs", [])]
    pictures = {"image/svg+xml", "image/png"}
    return any(pictures & set(data) or "mg-plot" in data.get("text/html", "") for data in shown)


def texts(book: Any) -> list[tuple[int, list[str]]]:
    """For each code cell its number and what it put out, as text; a slider's view has none."""
    return [
        (
            cell.execution_count,
            [
                unfolded(output.get("text") or output.get("evalue") or output["data"]["text/plain"])
                for output in cell.outputs
                if "text/plain" in output.get("data", {"text/plain": ""})
            ],
        )
        for cell in book.cells
        if cell.cell_type == "code"
    ]
