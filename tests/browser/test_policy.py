"""Foreign content in a page of ours has no effect: it neither runs nor fetches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import minigrad_viz as viz
import pytest

import minigrad as mg
from tests.browser.waiting import until

INTRUDERS = """
<script>attacked = "a script"</script>
<script type="module">globalThis.attacked = "a module"</script>
<script src="data:text/javascript,attacked = 'an address'"></script>
<script src="{server}/script.js"></script>
<img src="data:," onerror="attacked = 'a handler'">
<svg><animate onbegin="attacked = 'a picture'" attributeName="x" dur="1s"/></svg>
<iframe srcdoc="<script>parent.attacked = 'a frame'</script>"></iframe>
<object data="{server}/object.html"></object>
<link rel="stylesheet" href="{server}/style.css">
<style>@import url("{server}/imported.css"); p {{ background: url("{server}/back.png") }}</style>
<p style="background: url('{server}/background.png')">a paragraph</p>
<img src="{server}/picture.png">
<audio src="{server}/sound.wav" autoplay></audio>
<iframe src="{server}/frame.html"></iframe>
<a href="javascript:attacked = 'a link'">press</a>
<form action="{server}/form"><button>send</button></form>
"""
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


class Server:
    """A web server that lists the paths requested of it.

    It has threads because a browser may open connections on which it sends nothing.
    """

    def __init__(self) -> None:
        asked: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.asked = asked
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        Thread(target=self.http.serve_forever, daemon=True).start()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.http.shutdown()
    server.http.server_close()


@pytest.fixture
def online(browser: Any) -> Iterator[Any]:
    """A tab that may fetch what it likes."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def stepper(file: Path) -> Path:
    mg.manual_seed(0)
    weight = mg.randn(3, 4, requires_grad=True)
    return viz.step((mg.ones(2, 3) @ weight).softmax(1).log().mean()).save(file)


def pair(file: Path) -> Path:
    def program(T: Any) -> Any:
        return (T.ones(2, requires_grad=True) * 3).sum()

    return viz.compare(program, mg, mg).save(file)


def drawing(file: Path) -> Path:
    weight = mg.ones(3, 4, requires_grad=True)
    names = {"net.0.weight": weight}
    return viz.draw((mg.ones(2, 3) @ weight).tanh().sum(), names=names, fold=True).save(file)


PAGES = [stepper, pair, drawing]


@pytest.mark.parametrize("write", PAGES, ids=lambda write: write.__name__)
def test_what_got_in_does_nothing(
    write: Callable[[Path], Path], online: Any, server: Server, tmp_path: Path
) -> None:
    file = write(tmp_path / "page.html")
    text = file.read_text(encoding="utf-8")
    file.write_text(
        text.replace("<main", INTRUDERS.format(server=server.url) + "<main", 1), "utf-8"
    )
    server.asked.clear()
    online.goto(file.as_uri())
    if write is not drawing:  # which has no script
        online.locator(".stepper").first.wait_for()
        last = online.get_by_role("button", name="Last step").first
        last.click()
        assert last.get_attribute("aria-disabled") == "true"
    # The browser names what it has stopped.
    for pressed, refused in (("a[href^=javascript]", "JavaScript URL"), ("form *", "form-action")):
        with online.expect_console_message(lambda said, why=refused: why in said.text):
            online.locator(pressed).evaluate("element => element.click()")
    assert online.evaluate("globalThis.attacked") is None
    assert online.url.partition("#")[0] == file.as_uri()
    assert server.asked == []


def test_without_the_policy_it_would(online: Any, server: Server, tmp_path: Path) -> None:
    file = drawing(tmp_path / "page.html")
    text, count = POLICY.subn("", file.read_text(encoding="utf-8"))
    assert count == 1
    file.write_text(
        text.replace("<main", INTRUDERS.format(server=server.url) + "<main", 1), "utf-8"
    )
    server.asked.clear()
    online.goto(file.as_uri())
    online.wait_for_function("globalThis.attacked")
    assert {"/script.js", "/style.css", "/imported.css", "/picture.png"} <= set(server.asked)


@pytest.mark.parametrize("write", PAGES, ids=lambda write: write.__name__)
def test_the_policy_stands_before_what_it_is_about(
    write: Callable[[Path], Path], tmp_path: Path
) -> None:
    text = write(tmp_path / "page.html").read_text(encoding="utf-8")
    found = POLICY.search(text)
    assert found is not None
    assert not re.search(r"<(script|style|link|img|title)", text[: found.start()])
    assert "unsafe" not in found[0] and "http:" not in found[0] and "*" not in found[0]
    assert found[0].count("script-src") == (write is not drawing)


def test_a_page_prints_and_follows_the_theme(page: Any, tmp_path: Path) -> None:
    """The style sheets that are let in are all that a page has."""
    page.goto(stepper(tmp_path / "page.html").as_uri())
    page.locator(".stepper").wait_for()

    def background() -> str:
        return str(page.locator(".stepper").evaluate("e => getComputedStyle(e).backgroundColor"))

    light = background()
    page.emulate_media(color_scheme="dark")
    until(page, lambda: background() != light)  # the browser takes its time to tell the page
    assert page.pdf().startswith(b"%PDF")
