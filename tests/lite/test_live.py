"""Pages with running cells: a chapter of a site with a lab, as a reader uses it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from minigrad_lessons import build
from minigrad_lessons.cli import notebooks
from minigrad_lessons.exercises import EXERCISES
from minigrad_lessons.exercises.exercise import typed

from tests.lessons import kernel_forks
from tests.lite.outputs import differences, text_of
from tests.lite.tab import FROM_THE_PAGE, served
from tests.sampling import all_of

pages = pytest.importorskip("minigrad_lessons.site.pages", reason="Sphinx is not installed")
live = pytest.importorskip("minigrad_lessons.site.live")

pytestmark = pytest.mark.lite

CHAPTER = "01_graph"
LANGUAGES = ("en", "zh")
SAID = {
    language: {key: words.text(language) for key, words in live.SAID.items()}
    for language in LANGUAGES
}
BEGINNINGS = {
    "sum": "a = mg.tensor(2.0, requires_grad=True)\nb =",
    "picture": "viz.draw(d)",
    "explore": "def line(a, b):",
    "describe": "def describe(",
    "predicted": "plain = mg.tensor(3.0)\n",
    "scaled": "scaled = ",
    "node": "add = d.grad_fn\n",
    "free": "t = mg.ones(2, 3, requires_grad=True)\n",
    "stepper": "three = mg.tensor(3.0, requires_grad=True)\nviz.step(",
    "error": "mg.tensor([1, 2, 3], requires_grad=True)",
    **{f"check {name}": f'check("{name}"' for name in ("01.2", "01.3")},
}


def found_cells() -> dict[str, str]:
    """The ids of the cells that the tests use, by how their code begins: numbers change."""
    (path,) = (path for path in notebooks("en") if path.stem == CHAPTER)
    code = [c for c in json.loads(path.read_text("utf-8"))["cells"] if c["cell_type"] == "code"]
    texts = ["".join(cell["source"]) for cell in code]
    ids = {}
    for name, begins in BEGINNINGS.items():
        (place,) = (i for i, text in enumerate(texts) if text.startswith(begins))
        ids[name] = code[place]["id"]
        if name.startswith("check "):
            ids[name.removeprefix("check ")] = code[place - 1]["id"]
    return ids


CELLS = found_cells()
NEXT_STEP = {"en": "Next step", "zh": "下一步"}


@pytest.fixture(scope="module")
def published(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a folder: the lab in `lite`, the chapter's pages in `site`, and in `plain` a
    page that has nothing but the worker.
    """
    folder = tmp_path_factory.mktemp("published")
    (folder / "lite").symlink_to(site)
    with kernel_forks.used():
        pages.build_site(
            build.named([CHAPTER]), folder / "site", folder / "work", "../lite", reference=False
        )
    for language in LANGUAGES:
        page = folder / "plain" / f"{language}.html"
        page.parent.mkdir(exist_ok=True)
        page.write_text(PLAIN.replace("LANGUAGE", language), encoding="utf-8")
    with served(folder) as address:
        yield address


class Page:
    """A chapter's page."""

    def __init__(self, page: Any, language: str) -> None:
        self.page, self.said = page, SAID[language]
        page.locator(".live-tools").first.wait_for()

    def cell(self, named: str) -> Any:
        return self.page.locator(f".tag_id-{CELLS[named]}")

    def type(self, named: str, text: str) -> None:
        """Click on a cell's code and type in its place."""
        if self.cell(named).locator("textarea").count() == 0:
            self.cell(named).locator(".live-code").click()
        self.cell(named).locator("textarea").fill(text)

    def run(self, named: str) -> Any:
        """Run a cell and wait for its end; where its outputs are."""
        self.cell(named).locator(".live-tools .run").click()
        self.ended()
        return self.cell(named).locator(".live-output")

    def text(self, named: str) -> str:
        """Run a cell; the text of what it put out."""
        return str(self.run(named).inner_text()).rstrip("\n")

    def ended(self) -> None:
        self.page.locator("body:not(.live-busy)").wait_for()

    @property
    def told(self) -> str:
        return str(self.page.locator(".live-bar [role=status]").inner_text())


@contextmanager
def opened(browser: Any, published: str, path: str, before: str = "", **options: Any) -> Any:
    """A page in a tab that remembers nothing. What it asks of others is an error at the end, and
    `before` runs before its own programs.
    """
    elsewhere: list[str] = []

    def only_the_site(route: Any) -> None:
        if route.request.url.startswith((published, *FROM_THE_PAGE)):
            route.continue_()
        else:
            elsewhere.append(route.request.url)
            route.abort()

    context = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
    context.route("**/*", only_the_site)
    context.add_init_script(before)
    page = context.new_page()
    page.goto(f"{published}{path}")
    yield page
    context.close()
    assert elsewhere == []


@pytest.fixture(scope="module")
def chapter(browser: Any, published: str) -> Iterator[Callable[[str], Page]]:
    """The chapter in a language, with one Python for all of a module's tests."""
    with ExitStack() as tabs:
        pages: dict[str, Page] = {}

        def in_language(language: str) -> Page:
            if language not in pages:
                path = f"site/{language}/{CHAPTER}.html"
                tab = tabs.enter_context(opened(browser, published, path))
                pages[language] = Page(tab, language)
            return pages[language]

        yield in_language


@pytest.fixture(params=LANGUAGES)
def read(request: Any, chapter: Callable[[str], Page]) -> tuple[str, Page]:
    """The chapter in one language and the other."""
    return request.param, chapter(request.param)


@pytest.fixture(params=LANGUAGES if all_of("LITE") else ["en"])
def changed(request: Any, chapter: Callable[[str], Page]) -> tuple[str, Page]:
    """The same for what begins Python anew, which takes seconds: in one language, but at night."""
    return request.param, chapter(request.param)


def stored(root: Path, language: str, named: str) -> dict[str, Any]:
    """Return CPython's output, as stored in the notebook."""
    book = json.loads((root / "lessons" / language / f"{CHAPTER}.ipynb").read_text("utf-8"))
    (output,) = (c["outputs"][0] for c in book["cells"] if c["id"] == CELLS[named])
    return dict(output)


# --- Reading a chapter


def test_cells_put_out_what_cpython_stored(read: tuple[str, Page], root: Path) -> None:
    """The fifth first: the page runs the four above it, and leaves what they show as it is."""
    language, page = read
    shown = page.text("describe")
    assert page.told == page.said["done"]
    assert shown == text_of(stored(root, language, "describe")["text"]).rstrip("\n")
    assert not page.cell("sum").locator(".live-output").is_visible()
    text = text_of(stored(root, language, "sum")["data"]["text/plain"])
    assert page.text("sum") == text
    assert not page.cell("sum").locator(".cell_output").is_visible()


def test_a_picture_is_the_stored_one(read: tuple[str, Page], root: Path) -> None:
    language, page = read
    there = text_of(stored(root, language, "picture")["data"]["image/svg+xml"])
    here = page.run("picture").frame_locator("iframe").locator("svg")
    assert here.get_attribute("viewBox") == re.search(r'viewBox="([^"]+)"', there)[1]  # type: ignore[index]
    assert here.locator("text").all_text_contents() == re.findall(r"<text[^>]*>([^<]*)<", there)
    assert here.locator("text").first.is_visible()


def test_error_is_shown_like_python_s(read: tuple[str, Page], root: Path) -> None:
    language, page = read
    lines = page.run("error").inner_text().splitlines()
    assert lines[:2] == [
        "Traceback (most recent call last):",
        f'  File "<cell {int(CELLS["error"].removeprefix("code-"))}>", line 1, in <module>',
    ]
    error = stored(root, language, "error")
    assert lines[-1] == f"{error['ename']}: {error['evalue']}"
    assert page.told == page.said["raised"]


def test_the_stepper_steps(read: tuple[str, Page]) -> None:
    language, page = read
    stepper = page.run("stepper").frame_locator("iframe").locator(".stepper")
    position = stepper.locator(".position")
    position.wait_for()
    first, count = position.inner_text().split(" / ")
    assert first == "1" and int(count) > 2
    for step in range(2, int(count) + 1):
        stepper.get_by_role("button", name=NEXT_STEP[language]).click()
        assert position.inner_text() == f"{step} / {count}"


def test_sliders_move(read: tuple[str, Page]) -> None:
    _, page = read
    frame = page.run("explore").frame_locator("iframe")
    words = frame.get_by_role("status")
    words.wait_for()
    before = words.inner_text()
    frame.get_by_role("slider", name="a").press("End")
    assert words.inner_text() != before and "a = 4" in words.inner_text()


def test_prediction_is_judged_and_hidden_runs(read: tuple[str, Page]) -> None:
    _, page = read
    told = page.page.locator("article .told").nth(0)
    assert not told.is_visible()
    assert page.text("predicted") == "True"
    told.wait_for()
    box = page.page.locator('[data-prediction="01.c"]')
    box.get_by_role("textbox").fill("1 + 1")  # the page's policy forbids to evaluate it
    box.get_by_role("textbox").press("Enter")
    assert box.get_attribute("data-verdict") == "right"


def test_an_exercise_is_judged(read: tuple[str, Page]) -> None:
    """A known mistake gets its hint, the right answer is told why it is right: where the answer is
    code, and where the page has a box for it.
    """
    language, page = read
    for name in ("01.3", "01.2"):
        exercise = EXERCISES[name]
        source = page.cell(name).locator(".live-code").text_content().rstrip("\n")
        hint = exercise.hints[0]
        for answer, words in [(hint.wrong, hint.says), (exercise.solution, exercise.because)]:
            page.type(name, typed(source, answer, exercise.asks))
            assert words.text(language) in page.run(f"check {name}").inner_text()


# --- Changing it


def test_a_changed_cell_gives_its_own_result(changed: tuple[str, Page], root: Path) -> None:
    language, page = changed
    source = page.cell("sum").locator(".live-code").text_content()
    page.type("sum", source.replace("2.0", "5.0").rstrip() + "\nprint(d.item())")
    page.cell("sum").locator("textarea").press("Control+Enter")
    page.ended()
    assert page.cell("sum").locator(".live-output").inner_text().strip() == "20.0"
    # A cell further down runs again before the cell that needs it.
    assert "c = 15.0" in page.text("describe")
    page.page.reload()
    page.cell("sum").locator("textarea").wait_for()
    assert "5.0" in page.cell("sum").locator("textarea").input_value()
    assert page.cell("sum").locator(".cell_output").is_visible()
    page.cell("sum").get_by_role("button", name=page.said["back"]).click()
    assert page.cell("sum").locator("textarea").count() == 0
    assert page.cell("sum").locator(".live-code").text_content() == source
    page.page.reload()
    page.cell("sum").locator(".live-code").wait_for()
    text = text_of(stored(root, language, "describe")["text"]).rstrip("\n")
    assert page.text("describe") == text


def test_cell_after_an_error_is_skipped(changed: tuple[str, Page]) -> None:
    _, page = changed
    page.type("scaled", "1 / 0")
    shown = page.run("node")
    assert page.told == page.said["above"]
    assert not shown.is_visible()
    assert (
        page.cell("scaled")
        .locator(".live-output")
        .inner_text()
        .strip()
        .endswith("division by zero")
    )
    page.cell("scaled").get_by_role("button", name=page.said["back"]).click()
    assert page.text("node").startswith("AddBackward0 has 2 inputs")


def test_an_editor_has_the_keys_of_python(changed: tuple[str, Page]) -> None:
    _, page = changed
    page.type("free", "")
    editor = page.cell("free").locator("textarea")
    editor.press_sequentially("if x:\nf(x)\n")
    editor.press("Backspace")
    editor.press_sequentially("y")
    editor.press("Tab")
    assert editor.input_value() == "if x:\n    f(x)\ny   "
    editor.press("ControlOrMeta+A")
    editor.press("Tab")
    assert editor.input_value() == "    if x:\n        f(x)\n    y   "
    editor.press("Shift+Tab")
    assert editor.input_value() == "if x:\n    f(x)\ny   "
    editor.press("Escape")
    editor.press("Tab")
    assert editor.evaluate("e => document.activeElement !== e")
    page.cell("free").get_by_role("button", name=page.said["back"]).click()


def test_stop_ends_loop_and_restarts(changed: tuple[str, Page]) -> None:
    _, page = changed
    page.run("sum")
    page.type("describe", "print('begun', flush=True)\nwhile True:\n    pass")
    page.cell("describe").locator(".live-tools .run").click()
    page.cell("describe").locator(".live-output", has_text="begun").wait_for()
    page.page.get_by_role("button", name=page.said["stop"], exact=True).click()
    page.ended()
    assert page.told == page.said["stopped"]
    page.page.get_by_role("button", name=page.said["anew"]).click()
    page.ended()
    assert page.told == page.said["ready"]
    page.type("describe", "d")
    assert page.text("describe") == "tensor(8., grad_fn=<AddBackward0>)"
    page.cell("describe").get_by_role("button", name=page.said["back"]).click()


# --- Nothing leaves, and everybody can use it


def test_nothing_leaves_the_page(changed: tuple[str, Page], published: str) -> None:
    """Neither from the worker nor from a picture's frame, whatever a program tries."""
    _, page = changed
    stopped: dict[str, str] = {}
    page.page.on("requestfailed", lambda each: stopped.update({each.url: each.failure}))
    asked: set[str] = set()
    page.page.on("request", lambda each: asked.add(each.url))
    page.type(
        "describe",
        "from pyodide.http import open_url\n"
        "from IPython.display import HTML\n"
        "for address in ('https://example.com/', 'https://cdn.jsdelivr.net/npm/x'):\n"
        "    try:\n        open_url(address)\n        print('open')\n"
        "    except Exception as error:\n        print('shut')\n"
        'HTML(\'<p>here</p><img src="https://example.com/a.png"><script>'
        'fetch("https://example.com/b").catch(() => document.body.append("caught"));'
        'try { parent.document.title } catch { document.body.append("alone") }</script>\')',
    )
    shown = page.run("describe")
    assert shown.locator("pre").first.inner_text().split() == ["shut", "shut"]
    body = shown.frame_locator("iframe").locator("body")
    body.get_by_text("caught").wait_for()
    assert "alone" in body.inner_text()
    # Its policy stops these before they are sent; of one that was sent `opened` would know.
    foreign = {each for each in asked if not each.startswith((published, "blob:"))}
    assert {stopped[each] for each in foreign} <= {"csp"}
    page.cell("describe").get_by_role("button", name=page.said["back"]).click()


LOOK = """async () => {
    // Colours that still fade have no contrast to measure.
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished))
    const found = await axe.run({ resultTypes: ["violations"], preload: false })
    return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(node => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`))
}"""


@pytest.fixture(scope="module")
def axe(root: Path) -> str:
    """The program that looks at a page as a screen reader does."""
    program = root / "viz/frontend/node_modules/axe-core/axe.min.js"
    assert program.exists(), "npm ci --prefix viz/frontend"
    return program.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [1280, 420])
def test_a_page_with_everything_open_is_accessible(
    changed: tuple[str, Page], axe: str, width: int
) -> None:
    _, page = changed
    page.page.set_viewport_size({"width": width, "height": 900})
    page.type("free", "print('so long a line that no telephone shows all of it: ' + 60 * 'x')")
    page.run("free")
    page.run("picture")
    page.run("error")
    page.run("stepper").frame_locator("iframe").locator(".stepper .controls").wait_for()
    assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    page.page.evaluate(axe)
    for theme in ("light", "dark"):
        page.page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        frame = page.cell("picture").frame_locator("iframe").locator(f"html[data-theme={theme}]")
        frame.wait_for()
        assert page.page.evaluate(LOOK) == []
    page.cell("free").get_by_role("button", name=page.said["back"]).click()
    page.page.set_viewport_size({"width": 1280, "height": 900})


# --- The way to the lab


@pytest.mark.parametrize("language", LANGUAGES)
def test_link_opens_lesson_in_lab(browser: Any, published: str, language: str) -> None:
    with opened(browser, published, f"site/{language}/{CHAPTER}.html") as page:
        page.get_by_role("link", name=live.LESSON.text(language), exact=True).first.click()
        page.wait_for_function("window.jupyterapp?.shell.currentWidget?.context?.isReady")
        path = page.evaluate("jupyterapp.shell.currentWidget.context.path")
        assert path == f"{language}/{CHAPTER}.ipynb"


def test_without_a_lab_nothing_leads_to_one() -> None:
    policy = live.with_policy("<head></head>", has_lab=False)
    assert "pyodide" not in policy and "wasm" not in policy
    assert "pyodide" in live.with_policy("<head></head>", has_lab=True)


# --- When it cannot be


NOTHING_KEPT = """Object.defineProperty(window, "localStorage", {
    get() { throw new DOMException("denied", "SecurityError") }
})"""


def test_window_without_storage_and_silent_python(browser: Any, published: str) -> None:
    """Cells run in private windows, which may have no storage and no service worker.

    They also run when Python answers again.
    """
    path = f"site/en/{CHAPTER}.html"
    with opened(browser, published, path, NOTHING_KEPT, service_workers="block") as tab:
        page = Page(tab, "en")
        page.type("sum", "a = 3")
        assert page.told == page.said["forgets"]
        page.type("sum", "a = 3\na")
        tab.route("**/pyodide.js", lambda route: route.abort())
        assert page.text("sum") == ""
        assert page.told.startswith("Python could not be loaded: ")
        assert "static/pyodide/pyodide.js does not respond" in page.told
        assert page.cell("sum").locator(".cell_output").is_visible()
        tab.unroute("**/pyodide.js")
        assert page.text("sum") == "3"


def test_missing_lab_is_reported(browser: Any, published: str) -> None:
    with opened(browser, published, f"site/zh/{CHAPTER}.html") as tab:
        tab.route("**/live/*", lambda route: route.abort())
        page = Page(tab, "zh")
        page.run("sum")
        assert page.told.startswith("实验室没有应答：") and "/live/" in page.told


# --- A plain page that uses the worker

PLAIN = """<!doctype html><meta charset="utf-8"><script type="module">
import { Kernel } from "../lite/live/kernel.js"
globalThis.told = []
globalThis.kernel = new Kernel({ language: "LANGUAGE", progress: words => told.push(words) })
</script>"""
RUN = """async cells => {
    const ran = []
    for (const [place, { id, source }] of cells.entries()) {
        const { outputs } = await kernel.run(source, { name: `cell ${place + 1}` })
        ran.push({ id, source, outputs })
    }
    return ran
}"""
LESSONS = [each.stem for each in build.chapters()] if all_of("LITE") else ["05_stopping"]


@pytest.mark.parametrize("name", LESSONS)
def test_a_plain_page_runs_a_lesson(
    browser: Any, published: str, site: Path, root: Path, name: str
) -> None:
    """All its cells, in the form of a notebook's; what a slider's pictures are is not compared."""
    language = "zh" if sum(map(ord, name)) % 2 else "en"
    copy = json.loads((site / "files" / language / f"{name}.ipynb").read_text("utf-8"))
    cells = [each for each in copy["cells"] if each["cell_type"] == "code"]
    with opened(browser, published, f"plain/{language}.html") as page:
        ran = page.evaluate(RUN, cells)
        assert len(page.evaluate("told")) > 5
    book = json.loads((root / "lessons" / language / f"{name}.ipynb").read_text("utf-8"))
    kept = {each["id"]: each for each in book["cells"] if "explore(" not in text_of(each["source"])}
    pairs = [(kept[each["id"]], each) for each in ran if each["id"] in kept]
    for _, each in pairs:
        for output in each["outputs"]:  # a notebook keeps of an error its last line
            output.pop("traceback", None)
    found = list(differences([one for one, _ in pairs], [other for _, other in pairs]))
    assert len(found) <= 0.05 * len(cells), "\n\n".join(found)
