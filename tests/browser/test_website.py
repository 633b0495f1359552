"""The web site of the lessons, opened from disk: it steps, and makes no request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import minigrad_viz as viz
import pytest

import minigrad as mg
from tests.browser.waiting import drawn, until
from tests.lessons import kernel_forks
from tests.lite.tab import served
from tests.speaking import speaking

pytest.importorskip("sphinx", reason="Sphinx is not installed (extra site)")

from minigrad_lessons import build
from minigrad_lessons.site import frames, pages, programs

CHAPTER = "02_backward"
EXPLORED = "09_control_flow"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of three chapters in either language, just built."""
    folder: Path = tmp_path_factory.mktemp("site")
    sources = build.named(["00_index", CHAPTER, EXPLORED])
    with kernel_forks.used(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "JOBS", "1")  # other tests have the other cores
        pages.build_site(sources, folder / "site", folder, reference=False)
    return folder / "site"


COMPLETE = """() => document.readyState === "complete" && !document.querySelector(
    ".minigrad-output:not([data-steps]), .minigrad-prediction:not([data-live]), .frames > script"
)"""


def complete(page: Any) -> None:
    """Wait until the page's scripts have put all steppers, boxes and sliders into their places."""
    page.wait_for_function(COMPLETE)
    drawn(page)


@pytest.fixture
def visit(page: Any, site: Path) -> Iterator[Any]:
    """Open a page of the site, in a window that is not wide."""
    page.set_viewport_size({"width": 1100, "height": 900})

    def open_it(name: str) -> Any:
        file, _, asked = name.partition("?")
        page.goto(f"{(site / file).as_uri()}?{asked}" if asked else (site / file).as_uri())
        if file != "index.html":  # which leads elsewhere at once
            complete(page)
        return page

    yield open_it
    page.evaluate("localStorage.clear()")  # where the site keeps the theme


def test_the_front_page_leads_to_the_course(visit: Any) -> None:
    page = visit("index.html")
    page.wait_for_url("**/en/index.html")
    page.get_by_role("link", name="backward and .grad").first.click()
    page.wait_for_url(f"**/en/{CHAPTER}.html")
    heading = page.locator("article h1")
    assert heading.inner_text().startswith("2 · backward and .grad")


def test_a_picture_of_the_gallery_opens_as_a_stepper(visit: Any) -> None:
    page = visit("zh/gallery.html")
    pictures = page.locator("details.gallery")
    assert pictures.count() == 10
    pictures.nth(1).locator("summary").first.click()
    stepper = pictures.nth(1).locator(".stepper")
    stepper.get_by_role("button", name="下一步").click()
    assert stepper.locator(".position").inner_text().startswith("2 / ")
    assert stepper.locator(".canvas > svg").bounding_box()["height"] > 50


def test_a_chapter_steps(visit: Any) -> None:
    stepper = visit(f"en/{CHAPTER}.html").locator(".stepper").first
    position = stepper.locator(".position")
    count = int(position.inner_text().split("/")[1])
    assert count > 2
    for step in range(2, count + 1):
        stepper.get_by_role("button", name="Next step").click()
        assert position.inner_text() == f"{step} / {count}"
    assert "AccumulateGrad" in stepper.locator(".node h2 strong").inner_text()
    stepper.get_by_role("button", name="First step").click()
    assert position.inner_text() == f"1 / {count}"


@pytest.mark.parametrize(("asked", "stands"), [("step=3", 3), ("step=999&stepper=2", None)])
def test_a_link_leads_to_a_step_for_a_projector(visit: Any, asked: str, stands: int | None) -> None:
    """From the front page, by the chapter's number: the stepper fills the window."""
    page = visit(f"index.html?lesson={CHAPTER[:2]}&{asked}&lang=zh&present")
    page.wait_for_url(f"**/zh/{CHAPTER}.html?*")
    complete(page)
    stepper = page.locator(".stepper.presenting")
    stepper.wait_for()
    drawn(page)
    box = stepper.bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 1100, 900)
    at, count = stepper.locator(".position").inner_text().split(" / ")
    assert at == (count if stands is None else str(stands))
    page.keyboard.press("Escape")
    stepper.wait_for(state="detached")


def test_a_link_leads_to_a_step_among_the_text(visit: Any) -> None:
    page = visit(f"en/{CHAPTER}.html?step=2")
    stepper = page.locator(".stepper").first
    assert stepper.locator(".position").inner_text().startswith("2 / ")
    assert page.locator(".stepper.presenting").count() == 0


def test_every_cell_of_the_chapter_is_there(visit: Any) -> None:
    page = visit(f"en/{CHAPTER}.html")
    notebook = build.LESSONS / "en" / f"{CHAPTER}.ipynb"
    cells = build.nbformat.read(notebook, as_version=4).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    assert page.locator("article .cell").count() == len(code)
    figures = [c for c in code if c.source.startswith("viz.draw(")]
    assert page.locator(".text_html > svg:visible").count() == len(figures) > 0


OFF_CENTRE = """() => [...document.querySelectorAll("div.math")].map(line => {
    const parts = [...line.querySelector("mrow").children].map(part => part.getBoundingClientRect())
    const { left, right } = line.getBoundingClientRect()
    return Math.abs(parts[0].left + parts.at(-1).right - left - right) / 2
})"""


def test_formulas_stand_in_the_middle(visit: Any) -> None:
    distances = visit(f"en/{CHAPTER}.html").evaluate(OFF_CENTRE)
    assert len(distances) > 3 and max(distances) < 10


def test_paper_keeps_each_cell_whole(visit: Any) -> None:
    page = visit(f"en/{CHAPTER}.html")
    page.emulate_media(media="print")
    for part in (".cell", "div.math"):
        kept = page.locator(part).first.evaluate("part => getComputedStyle(part).breakInside")
        assert kept == "avoid"


def test_formulas_are_drawn(visit: Any) -> None:
    page = visit(f"en/{CHAPTER}.html")
    formulas = page.locator("p math:visible").all()
    assert len(formulas) > 5
    assert all(formula.bounding_box()["height"] > 5 for formula in formulas)
    assert "$" not in page.locator("article").inner_text()


@pytest.mark.parametrize("width", [1366, 390])
def test_the_menu_is_in_the_window(visit: Any, width: int) -> None:
    page = visit(f"zh/{CHAPTER}.html")
    page.set_viewport_size({"width": width, "height": 800})
    if width < 992:
        page.locator(".primary-toggle:visible").first.click()
    link = page.locator(".bd-sidebar-primary:visible, #pst-primary-sidebar-modal[open]").first
    link.get_by_role("link", name="控制流").wait_for()
    drawn(page)
    box = link.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width


def test_the_other_language_is_one_click_away(visit: Any) -> None:
    page = visit(f"en/{CHAPTER}.html")
    page.get_by_role("link", name="中文").click()
    page.wait_for_url(f"**/zh/{CHAPTER}.html")
    page.locator(".stepper").first.get_by_role("button", name="下一步").click()
    assert page.locator("html").get_attribute("lang") == "zh-CN"
    page.get_by_role("link", name="English").click()
    page.wait_for_url(f"**/en/{CHAPTER}.html")


ADDRESSES = re.compile(r'\b(?:href|src)="(?![a-z]+:)([^"?#]*)[^"#]*#?([^"]*)"')
NAMES = re.compile(r'\b(?:id|name)="([^"]+)"')


def test_every_link_leads_to_a_place(site: Path) -> None:
    """Links, pictures, scripts and style sheets, as a page on a disk or a server has them."""
    found = {page.resolve(): page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
    names = {page: {*NAMES.findall(text)} for page, text in found.items()}
    links = [(page, *each) for page, text in found.items() for each in ADDRESSES.findall(text)]
    assert len(links) > 1000
    dead = set()
    for page, path, name in links:
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (name and unquote(name) not in names.get(target, {name})):
            dead.add((page.relative_to(site.resolve()).as_posix(), path, name))
    assert dead == set()


FOCUSED = """() => {
    const at = document.activeElement
    const shown = [at, ...at.children].map(part => getComputedStyle(part))
    return [at.textContent.trim().slice(0, 40), at.tagName, shown.some(
        ({ outlineStyle, boxShadow }) => outlineStyle !== "none" || boxShadow !== "none")]
}"""


def test_every_focus_of_the_keyboard_is_seen(visit: Any) -> None:
    page = visit("en/gallery.html")
    seen = []
    while not seen or seen[-1][1] != "BODY":
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUSED))
        assert len(seen) < 150
    assert seen[0][0] == "Skip to main content" and "SUMMARY" in [each[1] for each in seen]
    assert [each for each in seen[:-1] if not each[2]] == []


@pytest.mark.parametrize("missing", ["nowhere.html", "zh/none/x.html", "lab/tree/x.ipynb"])
def test_missing_page_leads_back(site: Path, browser: Any, missing: str) -> None:
    """A host shows the page at any address, below any folder."""
    text = (site / "404.html").read_text(encoding="utf-8")
    page = browser.new_page()
    page.route("**/*", lambda route: route.fulfill(status=404, body=text, content_type="text/html"))
    page.goto(f"http://school.test/gradients/{missing}")
    links = page.locator("a").evaluate_all("links => links.map(link => link.href)")
    assert [link.partition("//school.test/gradients/")[2] for link in links] == [
        f"{language}/{name}.html" for language in ("en", "zh") for name in ("index", "search")
    ]
    page.close()


LANGUAGES = """() => ["html", "article", ".admonition", "#pst-page-toc-nav"].map(
    part => document.querySelector(part).closest("[lang]").lang)"""


@pytest.mark.parametrize(("name", "other"), [("roadmap", "en"), ("visualizer", "zh-CN")])
def test_chinese_site_marks_english_documents(visit: Any, name: str, other: str) -> None:
    page = visit(f"zh/documents/{name}.html")
    if other == "en":
        assert page.evaluate(LANGUAGES) == ["zh-CN", "en", "zh-cn", "en"]
    else:
        assert page.locator("article").evaluate("part => part.closest('[lang]').lang") == other


WORDS = """() => [...document.querySelectorAll("[title], [aria-label], [placeholder], button, p")]
    .filter(part => !part.closest("article, pre"))
    .flatMap(part => [part.title, part.ariaLabel, part.placeholder, part.textContent.trim()])
    .filter(words => /[a-z]{3}/i.test(words ?? "") && !/[\u4e00-\u9fff]/.test(words))"""


@pytest.mark.parametrize("name", ["index", CHAPTER, "search"])
def test_chinese_pages_have_chinese_buttons(visit: Any, name: str) -> None:
    page = visit(f"zh/{name}.html")
    allowed = {"minigrad", "Binder", "Colab", ".ipynb", "Ctrl+K", "Ctrl", "English"}
    assert {*page.evaluate(WORDS)} <= allowed


def test_dark_is_one_click_away_and_stays(visit: Any) -> None:
    def brightness(selector: str) -> int:
        colour = page.locator(selector).first.evaluate(
            "e => getComputedStyle(e).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)"
        )
        return sum(colour)

    def choose(theme: str) -> None:
        page.locator(".theme-switch-button:visible").click()
        page.locator(f".theme-change-button[data-mode={theme}]:visible").click()

    def stays_dark() -> bool:
        """Whether a new page is dark. Its process may read the choice before it is stored."""
        page.reload()
        complete(page)
        return bool(page.locator("html").get_attribute("data-theme") == "dark")

    page = visit(f"en/{CHAPTER}.html")
    choose("light")
    assert brightness("body") > 600 and brightness(".stepper") > 600
    node = page.locator(".text_html > svg text").first
    light = node.evaluate("e => getComputedStyle(e).fill")
    choose("dark")
    until(page, lambda: brightness("body") < 150)  # it fades
    assert brightness(".highlight") < 200
    assert node.evaluate("e => getComputedStyle(e).fill") != light
    until(page, stays_dark)
    until(page, lambda: brightness("body") < 150)
    choose("light")
    until(page, lambda: brightness("body") > 600)


@pytest.mark.sampled("PAGES", 4)
@pytest.mark.parametrize("name", [CHAPTER, EXPLORED, "glossary"])
@pytest.mark.parametrize("width", [1600, 1100, 420, 390])
def test_a_page_is_not_wider_than_the_screen(visit: Any, width: int, name: str) -> None:
    page = visit(f"zh/{name}.html")
    page.set_viewport_size({"width": width, "height": 900})
    drawn(page)
    assert page.locator(".stepper, dl").count() > 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width


IN_VIEW = """stepper => {
    const pane = stepper.querySelector(".canvas").getBoundingClientRect()
    const nodes = [...stepper.querySelectorAll(".n")].map(node => node.getBoundingClientRect())
    const out = nodes.filter(({ left, right, top, bottom }) =>
        left < pane.left || right > pane.right || top < pane.top || bottom > pane.bottom)
    const parts = [".canvas", ".controls", ".caption", ".node h2"]
        .map(part => stepper.querySelector(part).getBoundingClientRect())
        .filter(({ height }) => height)  // in half a page, the node is in a drawer
    const top = Math.min(...parts.map(part => part.top))
    return [nodes.length, out.length, Math.max(...parts.map(part => part.bottom)) - top]
}"""


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_a_stepper_fits_a_laptop_and_a_phone(visit: Any, size: tuple[int, int]) -> None:
    """The whole graph, down to the leaf, and on the same screen what moves it and what is said."""
    page = visit(f"en/{CHAPTER}.html")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    stepper = page.locator(".stepper").first
    stepper.locator(".canvas > svg").wait_for()
    drawn(page)  # it has been fitted into the new size
    nodes, outside, height = stepper.evaluate(IN_VIEW)
    assert nodes > 4 and outside == 0
    assert height < size[1]


def test_pages_share_their_programs(site: Path) -> None:
    """Each stepper would bring 44 kB along, each box 10 kB."""
    text = (site / "en" / f"{CHAPTER}.html").read_text(encoding="utf-8")
    assert text.count("const mount = minigradMount;") >= 1 and text.count("mountAll({") >= 5
    assert text.count('unpack("') == text.count("const mount = minigradMount;")  # the payloads
    assert "export function" not in text
    assert len(text) < 400_000  # most of it are the pictures of two sliders


@pytest.mark.sampled("PAGES", 2)
@pytest.mark.parametrize("name", ["index", f"en/{CHAPTER}", f"zh/{EXPLORED}", "zh/search"])
def test_foreign_scripts_do_not_run(name: str, site: Path, browser: Any) -> None:
    """Foreign content in a page: a script, a module, a handler, an address."""
    intruders = (
        "<script>attacked = 1</script><script type='module'>globalThis.attacked = 1</script>"
        "<script src='data:text/javascript,attacked = 1'></script>"
        "<img src='data:,' onerror='attacked = 1'>"
    )
    text = (site / f"{name}.html").read_text(encoding="utf-8").replace("location.replace", "void")
    file = site / Path(name).parent / "attacked.html"
    page = browser.new_page()
    policy = re.compile("<meta http-equiv[^>]*>")
    for let_in, pattern in ((None, "(?!)"), (1, policy)):
        without = re.sub(pattern, "", text)
        file.write_text(re.sub("<main[^>]*>", rf"\g<0>{intruders}", without, count=1), "utf-8")
        page.goto(file.as_uri())
        assert page.evaluate("globalThis.attacked") == let_in
    assert "default-src 'none'; script-src 'self'" in policy.search(text)[0]
    assert "unsafe" not in policy.search(text)[0].partition("script-src")[2].partition(";")[0]
    assert not re.search(r"<[^>]* on\w+=", text)
    page.close()
    file.unlink()


# --- Predictions


def test_prediction_hides_output_and_text(visit: Any) -> None:
    page = visit(f"en/{CHAPTER}.html")
    output = page.get_by_text("tensor(7.)", exact=True)
    words = page.get_by_text("Three paths. Two go through")
    assert not output.is_visible() and not words.is_visible()
    box = page.locator('[data-prediction="02.b"]')
    for label, typed in (("paths", "2"), ("each brings", "3, 1"), ("u.grad", "4")):
        box.get_by_label(label).fill(typed)
    box.get_by_role("button", name="Answer").click()
    assert "You said 2, 3, 1, 4. 4 is 3 + 1" in box.get_by_role("status").inner_text()
    assert not output.is_visible()
    box.get_by_role("button", name="Answer").click()
    assert "The output stands below." in box.get_by_role("status").inner_text()
    output.wait_for()
    words.wait_for()
    # The next ones are still to be made, and all the questions can be read.
    assert not page.get_by_text("tensor([ 0.,  8., 16., 24.])").is_visible()
    assert page.locator("blockquote:visible").count() == 3


def test_prediction_hides_its_picture(visit: Any) -> None:
    page = visit(f"en/{EXPLORED}.html")
    told = page.locator(".cell.tag_told", has_text="viz.explore(straight")
    slider = told.get_by_role("slider")
    told.locator(".frames").wait_for(state="attached")
    assert not told.locator(".frames").is_visible()
    line = told.locator(".folded-line")
    assert line.inner_text().startswith("Folded until you answer the prediction above")
    box = page.locator('[data-prediction="09.c"]')
    box.locator("button.show").click()
    slider.wait_for()
    page.get_by_text("At a kink there is no slope").wait_for()
    assert line.count() == 0
    assert page.get_by_text("After your prediction").count() == 0
    size = told.locator(".frames svg").first.bounding_box()
    assert size["width"] > 100 and size["height"] > 100


def test_folded_part_opens_by_its_line(visit: Any) -> None:
    page = visit(f"en/{EXPLORED}.html")
    told = page.locator(".cell.tag_told", has_text="viz.explore(straight")
    told.locator(".folded-line").click()
    told.get_by_role("slider").wait_for()
    assert page.locator(".folded-line").count() > 0  # those of other questions


def test_an_output_can_be_opened_without_a_prediction(visit: Any) -> None:
    page = visit(f"zh/{CHAPTER}.html")
    assert not page.get_by_text("tensor(7.)", exact=True).is_visible()
    page.locator(".tag_predict > details > summary").nth(1).click()
    page.get_by_text("tensor(7.)", exact=True).wait_for()
    page.get_by_text("三条路径。").wait_for()


def test_answers_are_folded_without_scripts(browser: Any, site: Path) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto((site / "en" / f"{CHAPTER}.html").as_uri())
    fold = page.locator('[data-prediction="02.b"] details')
    assert not fold.locator("p").is_visible()
    fold.locator("summary").click()
    assert fold.locator("p").inner_text().startswith("The answer: 3; 3, 3, 1; 7.")
    assert not page.get_by_text("Run this cell to answer.").first.is_visible()
    output = page.locator(".tag_predict > details").nth(1)
    assert not output.get_by_text("tensor(7.)").is_visible()
    output.locator("summary").click()
    assert output.get_by_text("tensor(7.)").is_visible()
    assert page.get_by_text("Three paths. Two go through").is_visible()
    context.close()


# --- Exercises


def test_value_answers_are_judged_in_the_page(visit: Any) -> None:
    page = visit(f"en/{CHAPTER}.html")
    box = page.locator('[data-prediction="check 02.1"]')
    answer, told = box.get_by_label("Your answer"), box.get_by_role("status")
    for typed, words in (
        ("2", "Not yet. 2 is what arrives through a * b."),
        ("99", "Not yet. Write down what each edge into b brings"),
        ("2 + 2 * 3", "Right. Three edges lead to b"),
    ):
        answer.fill(typed)
        answer.press("Enter")
        assert told.inner_text().startswith(words)
    assert page.locator('[data-prediction="check 02.4"]').count() == 1


def test_code_answers_say_how_to_run_them(visit: Any) -> None:
    page = visit(f"zh/{CHAPTER}.html")
    says = page.locator("article p.run").all_inner_texts()
    assert says and all("minigrad-lab --lang zh" in words for words in says)
    assert page.locator("article p.run a").count() == 0  # until it is published
    assert "还不对" not in page.locator("article").inner_text()


# --- Sliders


def test_a_slider_moves_the_pictures(visit: Any) -> None:
    page = visit(f"en/{EXPLORED}.html")
    frames = page.locator(".frames").first
    slider = frames.get_by_role("slider", name="a")
    page.locator(
        ".tag_predict > details > summary"
    ).first.click()  # it tells what is to be predicted
    slider.wait_for()
    assert page.locator(".mg-explore-still").count() == 0
    picture, words = frames.locator(".picture").last, frames.get_by_role("status")
    assert words.inner_text().startswith("At a = 6.5: f = ")
    first = picture.inner_html()
    slider.press("End")
    assert words.inner_text().startswith("At a = 12: f = ")
    assert slider.get_attribute("aria-valuetext") == "12"
    assert picture.get_by_text("value 12", exact=True).is_visible()
    assert picture.inner_html() != first
    slider.press("Home")
    assert picture.get_by_text("value 1", exact=True).first.is_visible()
    for shown in frames.locator("svg:visible").all():
        assert shown.bounding_box()["height"] > 100


def test_two_sliders_move_the_same_pictures(page: Any, tmp_path: Path) -> None:
    def f(x: mg.Tensor, w: mg.Tensor) -> mg.Tensor:
        if x.item() > 1.9:
            raise ValueError("too large")
        return x * w

    with speaking("en"):
        explored = frames.html(viz.explore(f, x=(-2, 2), w=(0, 10)))
    text = f"<!doctype html><meta charset=utf-8>{explored}<script>{programs.script()}</script>"
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    page.goto((tmp_path / "page.html").as_uri())
    x, w = page.get_by_role("slider", name="x"), page.get_by_role("slider", name="w")
    words = page.get_by_role("status")
    assert words.inner_text().startswith("At x = 0, w = 5: f = 0")
    assert page.get_by_role("slider").first.evaluate("e => e.labels[0].textContent") == "x0"
    w.press("End")
    x.press("Home")
    assert words.inner_text().startswith("At x = -2, w = 10: f = -20")
    x.press("ArrowRight")
    assert words.inner_text().startswith("At x = -1.6, w = 10: f = -16")
    pictures = page.locator(".picture").all_inner_texts()
    x.press("End")
    assert "ValueError: too large" in words.inner_text()
    assert page.locator(".picture").all_inner_texts() == pictures  # those before stay
    x.press("ArrowLeft")
    assert words.inner_text().startswith("At x = 1.6, w = 10: f = 16")
    assert page.locator(".picture").all_inner_texts() != pictures


# --- Search and glossary


@pytest.mark.sampled("PAGES", 4)
@pytest.mark.parametrize(
    ("language", "query", "found"),
    [
        ("en", "forgotten zero", f"{CHAPTER}.html#the-forgotten-zero"),
        ("en", "requires_grad_", f"{CHAPTER}.html"),
        ("en", "LEARNING  pancakes", None),
        ("zh", "忘记清零", f"{CHAPTER}.html"),
        ("zh", "清零 梯度", f"{CHAPTER}.html"),
        ("zh", "对路径求和", f"{CHAPTER}.html"),
        ("zh", "龘龘", None),
    ],
)
def test_a_search_finds_chapters(
    browser: Any, site: Path, language: str, query: str, found: str | None
) -> None:
    """From a server: the lines below each result are fetched."""
    context = browser.new_context()
    page = context.new_page()
    with served(site) as address:
        page.goto(f"{address}{language}/search.html?q={query}")
        results = page.locator("#search-results")
        until(page, lambda: results.locator("p.search-summary").inner_text() != "")
        places = [a.get_attribute("href") for a in results.locator("li > a").all()]
        if found is not None:
            results.locator("li p.context").first.wait_for()
    context.close()
    assert (found is None and places == []) or any(str(found) in str(p) for p in places), places


def test_a_term_leads_to_the_glossary_and_back(visit: Any) -> None:
    page = visit(f"en/{CHAPTER}.html")
    page.locator("article a.reference[href*='#term-']").first.click()
    page.wait_for_url("**/en/glossary.html#term-*")
    assert page.locator("dt#term-leaf + dd").inner_text().startswith("(叶子节点) A tensor")
    page.get_by_role("link", name="中文").click()
    page.wait_for_url("**/zh/glossary.html")
    page.get_by_role("link", name="2 · backward").last.click()
    page.wait_for_url(f"**/zh/{CHAPTER}.html")


# --- Paper


def test_on_paper_nothing_is_folded_that_was_predicted(visit: Any) -> None:
    page = visit(f"en/{CHAPTER}.html")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", color_scheme="dark")  # dusk falls while it prints
    drawn(page)  # when a page is told so
    try:
        assert page.get_by_text("tensor(7.)", exact=True).is_visible()
        assert page.get_by_text("Three paths. Two go through").is_visible()
        for gone in (
            ".bd-header-article",
            ".bd-sidebar-primary",
            ".stepper .controls",
            ".minigrad-prediction [role=status]",
        ):
            assert not page.locator(gone).first.is_visible()
        assert page.locator(".stepper .canvas > svg").first.is_visible()
        colour = page.locator("body").evaluate("e => getComputedStyle(e).backgroundColor")
        assert colour == "rgb(255, 255, 255)"
        assert not page.get_by_text("Run f.backward()").is_visible()  # a solution
    finally:
        page.emulate_media(media="screen", color_scheme="light")
        page.evaluate("dispatchEvent(new Event('afterprint'))")


def test_paper_shows_predicted_output_at_once(visit: Any) -> None:
    """The theme's animation of an opened output began, invisibly, while the page was printed."""
    page = visit(f"en/{CHAPTER}.html")
    page.emulate_media(media="print")
    output = page.locator("details.hide").first
    output.evaluate("part => { part.open = true }")
    shown = "part => getComputedStyle(part.lastElementChild).animationName"
    assert output.evaluate(shown) == "none"
    assert page.locator(".minigrad-prediction input").first.is_visible()
    assert not page.locator(".minigrad-prediction button").first.is_visible()


def test_a_page_becomes_a_document(visit: Any) -> None:
    page = visit(f"zh/{CHAPTER}.html")
    document = page.pdf(format="A4")
    assert document.startswith(b"%PDF") and 4 <= document.count(b"/Type /Page\n") <= 25


# --- Accessibility

LOOK = """async () => {
    // Nothing may be fetched from a disk: no style sheet either.
    const options = { resultTypes: ["violations"], preload: false }
    const found = await axe.run({ exclude: [".minigrad-stepper"] }, options)
    return found.violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`))
}"""


@pytest.mark.sampled("PAGES", 3)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", [f"en/{EXPLORED}", f"zh/{CHAPTER}", "en/gallery", "zh/index"])
def test_a_page_is_accessible(visit: Any, frontend: Path, name: str, theme: str) -> None:
    page = visit(f"{name}.html")
    for key in ("mode", "theme"):  # the theme writes both
        page.evaluate("([key, theme]) => localStorage.setItem(key, theme)", [key, theme])
    page.reload()
    complete(page)  # colours that still fade have no contrast to measure
    page.evaluate((frontend / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8"))
    assert page.evaluate(LOOK) == []
