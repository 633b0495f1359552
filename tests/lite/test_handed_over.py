"""A program from a link runs in the browser when its reader says so, and reaches nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from minigrad_viz.stepper import handed_over
from minigrad_viz.stepper.share import link

from tests.lite.tab import served

pages = pytest.importorskip("minigrad_lessons.site.pages", reason="Sphinx is not installed")

pytestmark = pytest.mark.lite

BROKEN = """\
import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (w * w).sum()
loss.backward()
loss.backward()
"""
OTHERS = {
    "a network": """\
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
loss = nn.functional.cross_entropy(net(torch.randn(5, 3)), torch.tensor([0, 1, 1, 0, 1]))
loss.backward()
print(loss)
net[0].weight.grad
""",
    "a figure": """\
import minigrad as mg
import minigrad_viz as viz

a = mg.tensor(2.0, requires_grad=True)
viz.draw(a * a + a)
""",
    "no tensor": "print('三')\n{}['key']\n",
}
ESCAPES = """\
import js
from pyodide.code import run_js
for name in ["indexedDB", "caches", "fetch", "XMLHttpRequest", "WebSocket", "BroadcastChannel",
             "Worker", "importScripts", "loadPyodide", "minigradRun"]:
    print(name, bool(getattr(js, name, None)))
print("storage", bool(getattr(js.navigator, "storage", None)))
for way in (run_js, js.eval, js.Function.new):
    try:
        print(way("indexedDB"))
    except BaseException as error:
        print("refused", "EvalError" in repr(error) or "Content Security Policy" in repr(error))
"""


@pytest.fixture(scope="module")
def address(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page, which has the lab next to it as on the web."""
    folder = tmp_path_factory.mktemp("both")
    pages.write_try_page(folder, "lab")
    (folder / "lab").symlink_to(site)
    with served(folder) as url:
        yield f"{url}try/"


@pytest.fixture(scope="module")
def page(browser: Any, address: str) -> Iterator[Any]:
    """The page, opened by a link to the broken program; it may request only its own site."""
    context = browser.new_context(viewport={"width": 1100, "height": 900}, locale="en-US")
    opened = context.new_page()
    seen: list[str] = []
    opened.on("request", lambda request: seen.append(request.url))
    opened.goto(link(BROKEN, address))
    opened.locator("#run:enabled").wait_for()
    yield opened
    context.close()
    site = address.removesuffix("try/")
    assert [url for url in seen if not url.startswith((site, "data:", "blob:"))] == []


def run(page: Any) -> None:
    """Press the button, and wait for the end."""
    page.locator("#run").click()
    page.locator("#run:enabled").wait_for()


def test_failing_program_shows_cause_and_cure(page: Any) -> None:
    assert page.locator("#shown").inner_html() == ""  # before the click
    run(page)
    assert page.get_by_role("status").first.inner_text().startswith("Done, after ")
    shown = page.locator("#shown")
    assert "second time" in shown.locator(".error").inner_text()
    why = shown.locator(".why")
    assert "call that earlier backward() with retain_graph=True" in why.inner_text()
    assert why.locator("img").bounding_box()["height"] > 100
    stepper = shown.locator(".minigrad-stepper .stepper")
    position = stepper.locator(".position")
    assert position.inner_text() == "1 / 4"
    stepper.get_by_role("button", name="Next step").click()
    assert position.inner_text() == "2 / 4"
    # The page is narrow, so the code lies in a drawer.
    stepper.get_by_role("button", name="Code", exact=True).click()
    assert "loss = (w * w).sum()" in stepper.locator(".code").inner_text()


@pytest.mark.parametrize("name", OTHERS)
def test_a_program_shows_what_it_shows_elsewhere(
    page: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINIGRAD_LANGUAGE", "en")
    here = handed_over.run(OTHERS[name], "en")
    page.locator("#code").fill(OTHERS[name])
    run(page)
    parts = page.locator("#shown > *")
    assert parts.count() == len(here)
    for part, one in zip(here, parts.all(), strict=True):
        if part["kind"] == "stepper":
            steps = one.locator(".stepper .position").inner_text()
            assert steps == f"1 / {len(part['payload']['steps'])}"
        elif part["kind"] == "picture":
            assert one.locator("img").get_attribute("alt") == part["text"]
        else:
            assert one.text_content() == part["text"]


def test_a_program_reaches_nothing(page: Any) -> None:
    """Neither what the browser keeps for the site nor the network; no text is evaluated."""
    page.locator("#code").fill(ESCAPES)
    run(page)
    lines = page.locator("#shown pre").inner_text().splitlines()
    assert len(lines) == 14
    assert all(line.endswith("False") for line in lines[:11])
    assert lines[11:] == ["refused True"] * 3


def test_a_program_without_end_is_stopped(page: Any) -> None:
    page.locator("#code").fill("while True:\n    pass")
    page.locator("#run").click()
    page.get_by_role("status").filter(has_text="Running.").wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("status").filter(has_text="Stopped.").wait_for()
    assert page.locator("#run").is_enabled()


def test_page_reports_missing_python(browser: Any, address: str) -> None:
    context = browser.new_context(locale="en-US")
    context.route("**/pyodide.asm.wasm", lambda route: route.abort())
    page = context.new_page()
    page.goto(link(BROKEN, address))
    run(page)
    said = page.get_by_role("status").first.inner_text()
    assert "Python could not be loaded" in said and "pyodide.asm.wasm" in said
    context.close()
