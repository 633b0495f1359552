"""The page that opens a program from a link: what is in the link is shown, and nothing of it runs.

That it runs at a click is tried where Python is there for it: tests/lite/test_handed_over.py.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from minigrad_viz.stepper.share import LARGEST, link, pack, unpack

from tests.browser.waiting import drawn, until
from tests.lite.tab import served

pages = pytest.importorskip("minigrad_lessons.site.pages", reason="Sphinx is not installed")
handed = pytest.importorskip("minigrad_lessons.site.handed")

PROGRAM = 'import torch\nx = torch.ones(2)  # 三 </textarea><script>window.attacked=1</script>\nx["'


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page, in a site without a lab."""
    folder = tmp_path_factory.mktemp("site")
    pages.write_try_page(folder, "lab")
    with served(folder) as url:
        yield f"{url}try/"


@pytest.fixture(scope="module")
def tab(browser: Any) -> Iterator[Any]:
    context = browser.new_context(locale="en-US")
    yield context.new_page()
    context.close()


@pytest.fixture
def visit(tab: Any, address: str) -> Iterator[Callable[..., Any]]:
    """Open the page, with a program or without; it may request only its own site."""
    seen: list[str] = []
    asked = lambda request: seen.append(request.url)  # noqa: E731
    failed = lambda error: seen.append(f"error: {error}")  # noqa: E731
    tab.on("request", asked)
    tab.on("pageerror", failed)

    def opened(hash: str = "", query: str = "") -> Any:
        tab.goto("about:blank")  # a change of the hash alone would load nothing
        tab.goto(f"{address}index.html{query}{hash}")
        tab.locator("#run:enabled").wait_for()
        return tab

    yield opened
    tab.remove_listener("request", asked)
    tab.remove_listener("pageerror", failed)
    site = address.removesuffix("try/")
    assert [url for url in seen if not url.startswith((site, "data:", "blob:", "about:"))] == []


def hash_of(program: str) -> str:
    return "#" + link(program, "https://example.org/").partition("#")[2]


def programs(root: Path) -> list[str]:
    """Sixty programs: cells of the lessons and what is hard to pack."""
    cells = [
        "".join(cell["source"])
        for path in sorted((root / "lessons/zh").glob("0[1-4]*.ipynb"))
        for cell in json.loads(path.read_text("utf-8"))["cells"]
        if cell["cell_type"] == "code" or "```python" in "".join(cell["source"])
    ]
    hard = ["", "\ufeffx = 1", "\r\n\t\x00", "😀 = '中文' + \"\u2028\"", "x" * LARGEST, PROGRAM]
    return [*hard, *dict.fromkeys(cells)][:60]


BOTH_WAYS = """async texts => {
    const { pack, unpack } = await import("./link.js")
    const made = []
    for (const [program, text] of texts)
        made.push([await unpack(text) === program, await pack(program)])
    return made
}"""


def test_sixty_programs_round_trip(visit: Callable[..., Any], root: Path) -> None:
    """Packed in Python and unpacked in the page, and the other way."""
    chosen = programs(root)
    assert len(chosen) == 60
    made = visit().evaluate(BOTH_WAYS, [[each, pack(each)] for each in chosen])
    for program, (same, text) in zip(chosen, made, strict=True):
        assert same and unpack(text) == program, program
        assert re.fullmatch(r"[\w-]+", text)


def test_what_is_no_program_is_refused(visit: Callable[..., Any]) -> None:
    whole = pack("x = 3")
    bomb = base64.urlsafe_b64encode(zlib.compress(b"x" * 10_000_000)).decode().rstrip("=")
    page = visit()
    opened = page.evaluate(
        "async texts => { const { unpack } = await import('./link.js');"
        "return Promise.all(texts.map(unpack)) }",
        ["", "!", whole[:-4], whole[4:], whole + "AAAA", bomb],
    )
    assert opened == [None] * 6
    large = "async n => (await import('./link.js')).pack('x'.repeat(n))"
    assert page.evaluate(large, LARGEST + 1) is None


def test_a_program_is_shown_and_does_not_run(visit: Callable[..., Any]) -> None:
    page = visit(hash_of(PROGRAM))
    assert page.locator("#code").input_value() == PROGRAM
    assert page.locator("#came").is_visible()
    assert page.locator("#shown").inner_html() == ""
    assert page.evaluate("window.attacked") is None
    assert not any(
        "lab/" in url
        for url in page.evaluate("performance.getEntriesByType('resource').map(each => each.name)")
    )


def test_another_link_takes_the_place_of_the_first(visit: Callable[..., Any]) -> None:
    page = visit(hash_of("x = 1"))
    page.evaluate("hash => { location.hash = hash }", hash_of("x = 2"))
    until(page, lambda: page.locator("#code").input_value() == "x = 2")


def test_a_damaged_link_says_so(visit: Callable[..., Any]) -> None:
    page = visit(hash_of(PROGRAM)[:-9])
    page.get_by_role("status").filter(has_text="The link is damaged").wait_for()
    assert not page.locator("#came").is_visible()
    assert "torch" in page.locator("#code").input_value()  # the example


def test_a_button_gives_the_link(visit: Callable[..., Any], address: str) -> None:
    page = visit()
    page.get_by_label("Program").fill(PROGRAM)
    page.get_by_role("button", name="Link to this program").click()
    given = page.get_by_label("The link")
    given.wait_for()
    text = given.input_value()
    assert text.startswith(f"{address}index.html#code=") and text == page.url
    assert unpack(text.partition("#code=")[2]) == PROGRAM
    assert f"{len(text)} characters" in page.get_by_role("status").inner_text()


def test_without_a_lab_the_page_says_so(visit: Callable[..., Any]) -> None:
    page = visit()
    page.get_by_role("button", name="Run and step").click()
    page.get_by_role("status").filter(has_text="Python is not here").wait_for()
    assert page.get_by_role("button", name="Run and step").is_enabled()


def test_it_speaks_both_languages(visit: Callable[..., Any]) -> None:
    page = visit(hash_of(PROGRAM), "?lang=zh")
    assert page.locator("html").get_attribute("lang") == "zh"
    page.get_by_role("button", name="运行并逐步展示").wait_for()
    page.get_by_role("link", name="English").click()
    page.get_by_role("button", name="Run and step").wait_for()
    page.locator("#run:enabled").wait_for()  # after the program of the link is unpacked
    assert page.locator("#code").input_value() == PROGRAM


def test_every_word_is_said_in_both_languages() -> None:
    english, chinese = handed.SAID["en"], handed.SAID["zh"]
    assert english.keys() == chinese.keys()
    for key in english:
        assert english[key].count("{}") == chinese[key].count("{}"), key
    script = handed.files("lab")["try.js"]
    page = handed.page("lab")
    used = set(re.findall(r"said\.(\w+)", script)) | set(re.findall(r'data-word="(\w+)"', page))
    used |= set(re.findall(r'\["\w+", "(\w+)"\]', script))
    assert used == english.keys()


def test_policy_allows_only_the_worker(root: Path) -> None:
    script = (root / "tools/lite/live/kernel.js").read_text("utf-8")
    needed = dict(re.findall(r'"([\w-]+-src)": "([^"]+)"', script))
    needed.pop("frame-src")  # this page shows no markup
    assert {kind: handed.POLICY[kind] for kind in needed} == needed
    assert handed.POLICY["default-src"] == "'none'"
    assert "eval" not in handed.POLICY["script-src"].replace("wasm-unsafe-eval", "")


LOOK = """async () => {
    const found = await axe.run({ resultTypes: ["violations"] })
    return found.violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`))
}"""


@pytest.mark.sampled("PAGES", 2)
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_is_accessible_on_a_phone_too(
    visit: Callable[..., Any], frontend: Path, theme: str, language: str
) -> None:
    page = visit(hash_of(PROGRAM), f"?lang={language}")
    page.set_viewport_size({"width": 390, "height": 800})
    page.locator("html").evaluate("(root, theme) => { root.dataset.theme = theme }", theme)
    page.locator("#share").click()
    page.locator("#link").wait_for()
    drawn(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.evaluate((frontend / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8"))
    assert page.evaluate(LOOK) == []
