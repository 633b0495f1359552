"""Notebooks that were run and are pages now: they step without a kernel and without a network.

nbconvert's page and slides are what a reader opens. Of MyST, what it hands to the theme of a site
is looked at; the theme itself is fetched from a network when a site is built.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import nbformat
import pytest
from minigrad_lessons.build import over_sockets

from tests.browser import hosts
from tests.lessons import kernel_forks

SCRIPT = "data:text/javascript,"
OFFLINE = {
    "jquery_url": SCRIPT,
    "require_js_url": SCRIPT,
    "mathjax_url": SCRIPT + "MathJax={Hub:{getAllJax(){}}}",
    "mermaid_js_url": SCRIPT + "export default {initialize(){}}",
    "widget_renderer_url": SCRIPT,
}
"""Files that pages of nbconvert fetch; our outputs need none of them."""


@pytest.fixture(scope="module")
def stored(chromium: str) -> Any:
    """The notebook, run, with all that Jupyter keeps of it."""
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    book = hosts.notebook(slides=True)
    with tempfile.TemporaryDirectory(prefix="host-", ignore_cleanup_errors=True) as sockets:
        client = nbclient.NotebookClient(
            book,
            config=over_sockets(sockets),
            timeout=300,
            startup_timeout=300,
            resources={"metadata": {"path": sockets}},
        )
        with kernel_forks.used():
            client.execute()
    assert "application/vnd.jupyter.widget-state+json" in book.metadata.widgets
    return book


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_page_of_nbconvert_steps(theme: str, stored: Any, page: Any, tmp_path: Path) -> None:
    exporters = pytest.importorskip("nbconvert.exporters", reason="nbconvert is not installed")
    text, _ = exporters.HTMLExporter(theme=theme, **OFFLINE).from_notebook_node(stored)
    file = tmp_path / "page.html"
    file.write_text(text, encoding="utf-8")
    # The reader's system says the opposite.
    page.emulate_media(color_scheme="light" if theme == "dark" else "dark")
    page.goto(file.as_uri())
    hosts.check_steps(page)
    hosts.check_pair(page)
    hosts.check_stills(page)
    hosts.check_program(page, dark=theme == "dark")
    drawn = page.locator(".jp-OutputArea-output img").first
    assert drawn.evaluate("img => img.decode().then(() => img.naturalWidth)") > 100
    assert page.locator(f".minigrad-stepper[data-theme={theme}]").count() == 2


ALONE = """async ([code, state]) => {
    const module = await import("data:text/javascript," + encodeURIComponent(code))
    const heard = new Map()
    const model = {
        get: name => state[name], set() {}, save_changes() {}, off() {},
        on: (name, hear) => heard.set(name, hear),
        send: asked => { window.asked = asked },
    }
    window.answer = () => heard.get("msg:custom")("yes", [])
    module.default.render({ model, el: document.body })
}"""


def test_sliders_show_when_there_is_who_follows_them(page: Any, tmp_path: Path) -> None:
    """Widgets that a page of nbconvert restores from what is stored have no kernel."""
    state = viz.explore(lambda x: x * x, x=(0, 2)).widget.get_state()
    code = state.pop("_esm")
    file = tmp_path / "page.html"
    file.write_text("<!doctype html><meta charset=utf-8>", encoding="utf-8")
    page.goto(file.as_uri())
    page.evaluate(ALONE, [code, {name: state[name] for name in state if name != "layout"}])
    slider = page.get_by_role("slider", name="x", include_hidden=True)
    assert page.evaluate("asked") and slider.count() == 1
    assert not slider.is_visible() and page.locator(".mg-explore-live").count() == 0
    page.evaluate("answer()")
    assert slider.is_visible() and page.locator(".mg-explore-live").count() == 1


def test_slides_of_nbconvert_step(stored: Any, page: Any, frontend: Path, tmp_path: Path) -> None:
    exporters = pytest.importorskip("nbconvert.exporters", reason="nbconvert is not installed")
    modules = frontend / "node_modules"
    here = {
        "require_js_url": (modules / "requirejs" / "require.js").as_uri(),
        "reveal_url_prefix": (modules / "reveal.js").as_uri(),
        "reveal_theme": "white",  # "simple", the usual one, asks a network for its letters
    }
    text, _ = exporters.SlidesExporter(**(OFFLINE | here)).from_notebook_node(stored)
    file = tmp_path / "slides.html"
    file.write_text(text, encoding="utf-8")
    page.goto(file.as_uri())

    def turn_to(number: int) -> Any:
        """The slide that shows; the cells of the notebook are one each."""
        page.evaluate("document.activeElement.blur()")  # a stepper's keys are its own
        page.keyboard.press("ArrowRight")
        page.wait_for_url(f"**/slides.html#/{number}")
        slide = page.locator("section.present > section.present, section.present").last
        slide.evaluate("e => Promise.all(document.getAnimations().map(each => each.finished))")
        return slide

    page.locator(".reveal.ready").wait_for()
    assert turn_to(1).locator("img").is_visible()
    slide = turn_to(2)
    hosts.check_steps(slide)
    # Nothing on a slide scrolls: all of the stepper has to be seen.
    controls = slide.locator(".position")
    box, height = controls.bounding_box(), page.viewport_size["height"]
    assert box["y"] > 0 and box["y"] + box["height"] < height
    slide.get_by_role("button", name="Next step").press(" ")
    assert slide.locator(".position").text_content() == "3 / 3"
    assert page.url.endswith("#/2")
    hosts.check_stills(turn_to(3))
    hosts.check_pair(turn_to(4))
    hosts.check_program(turn_to(5))


def test_what_myst_hands_to_a_site(stored: Any, page: Any, frontend: Path, tmp_path: Path) -> None:
    """A theme shows the HTML of an output as a notebook does, which the other tests look at: what
    it has to get is all of it, and no wish to ask a network.
    """
    nbformat.write(stored, tmp_path / "page.ipynb")
    theme = tmp_path / "theme"
    theme.mkdir()
    (theme / "template.yml").write_text("myst: v1\nkind: site\ntitle: none\nfiles: []\n")
    site = "version: 1\nproject:\n  toc:\n    - file: page.ipynb\nsite:\n  template: ./theme\n"
    (tmp_path / "myst.yml").write_text(site)
    myst = frontend / "node_modules" / "mystmd" / "dist" / "myst.cjs"
    command = ["node", str(myst), "build", "--site"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    built = tmp_path / "_build" / "site"
    content = json.loads((built / "content" / "index.json").read_text(encoding="utf-8"))

    def text(piece: dict[str, str]) -> str:
        if "path" in piece:  # what is long becomes a file
            return (built / "public" / piece["path"].strip("/")).read_text(encoding="utf-8")
        return piece["content"]

    outputs = [
        {kind: text(piece) for kind, piece in output["jupyter_data"]["data"].items()}
        for output in found(content["mdast"], "output")
        if output.get("jupyter_data")
    ]
    bundles = [output.data for cell in stored.cells for output in cell.outputs]
    for kind in ("text/html", "image/svg+xml", "text/plain"):
        assert [data.get(kind) for data in outputs] == [data.get(kind) for data in bundles]

    shown = "".join(data.get("text/html", "") for data in outputs)
    file = tmp_path / "page.html"
    file.write_text(f"<!doctype html><meta charset=utf-8>{shown}", encoding="utf-8")
    page.goto(file.as_uri())
    hosts.check_steps(page)
    hosts.check_pair(page)
    hosts.check_stills(page)


def found(node: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """The nodes of a kind in MyST's tree."""
    below = [each for child in node.get("children", []) for each in found(child, kind)]
    return [node, *below] if node["type"] == kind else below
