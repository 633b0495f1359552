"""One glance shows the step: on a teacher's screen, a projector and a phone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import pytest

import minigrad as mg
from tests.browser.measure import layers
from tests.browser.stage_programs import PROGRAMS
from tests.browser.waiting import drawn
from tests.sampling import all_of, first_of
from tests.speaking import speaking

Show = Callable[..., Any]

HIDDEN = """() => {
    const body = document.querySelector(".minigrad-stepper").shadowRoot.querySelector(".node .body")
    const grids = [...body.querySelectorAll(".value .scroll")]
    const aside = grids.map((grid) => grid.scrollWidth - grid.clientWidth)
    return Math.max(body.scrollHeight - body.clientHeight, 0, ...aside)
}"""
"""How many pixels of the current node one would have to scroll to."""


def mlp(rows: int) -> Any:
    """The loss of a network of 5 inputs and 4 hidden units."""
    mg.manual_seed(0)
    x, y = mg.randn(rows, 5), mg.ones(rows, 1)
    w1, b1 = mg.randn(5, 4, requires_grad=True), mg.zeros(4, requires_grad=True)
    w2, b2 = mg.randn(4, 1, requires_grad=True), mg.zeros(1, requires_grad=True)
    p = mg.sigmoid(mg.relu(x @ w1 + b1) @ w2 + b2)
    return -(y * mg.log(p) + (1 - y) * mg.log(1 - p)).mean()


def square() -> Any:
    """A product of matrices of 6 by 6, to whose factors a gradient is added."""
    mg.manual_seed(0)
    a, b = mg.randn(6, 6, requires_grad=True), mg.randn(6, 6, requires_grad=True)
    for leaf in (a, b):
        leaf.grad = mg.randn(6, 6)
    return (a @ b + a * b).sum()


@pytest.fixture
def show(page: Any, tmp_path: Path) -> Show:
    """Open a stepper as a page of its own, in a window of a size."""

    def open_page(stepper: Any, width: int = 1024, height: int = 768, address: str = "") -> Any:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(stepper.save(tmp_path / "stepper.html").as_uri() + address)
        page.locator(".stepper").wait_for()
        return page

    return open_page


def steps(page: Any) -> int:
    return int(page.locator(".position").text_content().split("/")[1])


def title(page: Any) -> str:
    return page.locator(".node h2 strong").inner_text()


@pytest.mark.sampled("PAGES", 2)
@pytest.mark.parametrize("size", [(1600, 1000), (1024, 768)])
@pytest.mark.parametrize("loss", [lambda: mlp(3), lambda: mlp(5), square], ids=["3", "5", "6x6"])
def test_a_step_is_seen_without_scrolling(show: Show, size: Any, loss: Any) -> None:
    page = show(viz.step(loss()), *size)
    hidden = {}
    for step in range(steps(page)):
        page.get_by_role("slider").fill(str(step))
        hidden[title(page)] = page.evaluate(HIDDEN)
    assert hidden == dict.fromkeys(hidden, 0)


@pytest.mark.sampled("PAGES", 1)
@pytest.mark.parametrize("size", [(1600, 1000), (1024, 768), (420, 800)])
def test_a_page_of_its_own_is_as_high_as_the_window(show: Show, size: Any) -> None:
    page = show(viz.step(mlp(3)), *size)
    bottom = page.locator(".stepper").evaluate("e => e.getBoundingClientRect().bottom")
    assert size[1] - 16 <= bottom <= size[1]
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.sampled("PAGES", 1)
@pytest.mark.parametrize("width", [1024, 1600])
def test_what_comes_in_stands_beside_what_goes_out(show: Show, width: int) -> None:
    page = show(viz.step(mlp(3)), width)
    page.locator(".steps button", has_text="MmBackward0").first.click()
    arrives, leaves = (
        page.get_by_role("heading", name=name).bounding_box() for name in ("Comes in", "Goes out")
    )
    assert arrives["y"] == leaves["y"]
    assert arrives["x"] + arrives["width"] < leaves["x"]


def test_slices_of_4d_tensor_stand_side_by_side(show: Show) -> None:
    mg.manual_seed(0)
    x = mg.randn(2, 3, 4, 4, requires_grad=True)
    page = show(viz.step(mg.relu(x).sum()))
    page.locator(".steps button", has_text="ReluBackward0").click()
    slices = page.locator(".side").last.locator(".slice")
    assert slices.count() == 6
    first, second = (slices.nth(i).bounding_box() for i in range(2))
    assert first["y"] == second["y"]
    assert page.evaluate(HIDDEN) == 0


def test_a_phone_shows_graph_and_buttons_together(show: Show) -> None:
    page = show(viz.step(mlp(3)), 420, 800)
    places = [page.locator(".graph"), page.locator(".caption"), page.locator(".controls")]
    for step in (0, 5, 9):
        page.get_by_role("slider").fill(str(step))
        page.locator(".buffers").scroll_into_view_if_needed()
        for place in places:
            box = place.bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= 800


SWIPE = """([selector, across]) => {
    const root = document.querySelector(".minigrad-stepper").shadowRoot
    const target = root.querySelector(selector)
    const touch = (x) => new Touch({ identifier: 1, target, clientX: x, clientY: 500 })
    const options = { bubbles: true, composed: true }
    target.dispatchEvent(new TouchEvent("touchstart", { ...options, touches: [touch(200)] }))
    const changedTouches = [touch(200 + across)]
    target.dispatchEvent(new TouchEvent("touchend", { ...options, changedTouches }))
}"""


def test_a_swipe_is_a_step(show: Show) -> None:
    page = show(viz.step(mlp(3)), 420, 800)
    position = page.locator(".position")
    for selector, across, at in [
        (".caption", -90, "2 "),
        (".node .body", -90, "3 "),
        (".node .body", 90, "2 "),
        (".caption", 20, "2 "),  # a tap that slipped
        ("input[type=range]", -90, "2 "),  # the slider's own
    ]:
        page.evaluate(SWIPE, [selector, across])
        assert position.text_content().startswith(at)


def test_a_page_of_its_own_answers_the_keys_at_once(show: Show) -> None:
    page = show(viz.step(mlp(3)))
    for key, at in [("ArrowRight", "2 "), ("PageDown", "3 "), ("PageUp", "2 "), ("End", "")]:
        page.keyboard.press(key)
        assert page.locator(".position").text_content().startswith(at)


def test_the_address_names_the_step(show: Show) -> None:
    page = show(viz.step(mlp(3)), address="#step=6")
    assert page.locator(".position").text_content().startswith("6 ")
    before = page.evaluate("history.length")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => location.hash === '#step=7'")
    assert page.evaluate("history.length") == before  # the way back leads out of the page
    page.evaluate("location.hash = '#step=3'")
    page.wait_for_function(
        "() => document.querySelector('.minigrad-stepper').shadowRoot"
        ".querySelector('.position').textContent.startsWith('3 ')"
    )


def test_presentation_fills_the_screen(show: Show) -> None:
    page = show(viz.step(mlp(3)))
    usual = page.locator(".caption").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    page.keyboard.press("F5")  # as some clickers begin
    page.locator(".stepper.presenting").wait_for()
    box = page.locator(".stepper").bounding_box()
    assert (box["x"], box["y"]) == (0, 0)
    large = page.locator(".caption").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert large > usual
    for folded in ("steps", "buffers", "lanes", "controls"):
        assert not page.locator(f".{folded}").is_visible()
    page.keyboard.press("PageDown")
    assert page.locator(".node .rule").is_visible()
    assert not page.locator(".node .side").first.is_visible()
    current = page.locator(".line[aria-current]")
    assert current.is_visible()
    assert page.locator(".line:visible").count() == 5
    graph, node = (page.locator(f".panes > .{name}").bounding_box() for name in ("graph", "node"))
    assert graph["width"] == box["width"] == 1024
    assert graph["y"] + graph["height"] <= node["y"]
    assert page.locator(".position").text_content().startswith("2 ")
    page.keyboard.press(".")
    assert page.locator(".stepper.dark").count() == 1
    page.keyboard.press(".")
    assert page.locator(".stepper.dark").count() == 0
    page.keyboard.press("f")
    assert page.locator(".stepper.presenting").count() == 0
    assert page.locator(".steps").is_visible()


def test_a_page_of_twenty_nodes_is_small(tmp_path: Path) -> None:
    stepper = viz.step(layers(20), names={})
    assert stepper.save(tmp_path / "page.html").stat().st_size <= 90_000


def chain() -> Any:
    w = mg.ones(3, requires_grad=True)
    h = w
    for _ in range(30):
        h = (h * w).tanh()
    return h.sum()


def test_edge_to_far_leaf_names_it(show: Show) -> None:
    loss = chain()
    page = show(viz.step(loss, names={"w": find_leaf(loss)}, fold=False))
    labels = page.locator(".canvas .far")
    assert labels.count() > 10
    assert set(labels.all_text_contents()) == {"w"}
    show(viz.step(chain(), names={}, fold=False))
    assert set(labels.all_text_contents()) == {"leaf 1 [3]"}


def find_leaf(tensor: Any) -> Any:
    node = tensor.grad_fn
    while node.next_functions:
        node = node.next_functions[-1][0]
    return node.variable


@pytest.mark.parametrize(("motion", "seen"), [("no-preference", True), ("reduce", False)])
def test_the_gradient_travels_along_the_edge(show: Show, motion: str, seen: bool) -> None:
    page = show(viz.step(mlp(3)))
    page.emulate_media(reduced_motion=motion)
    page.keyboard.press("ArrowRight")
    dash = page.locator(".canvas .e.touched .flow")
    assert dash.count() == 1
    assert dash.evaluate("e => getComputedStyle(e).display !== 'none'") == seen


def test_escape_leaves_the_search(show: Show) -> None:
    page = show(viz.step(mlp(3)))
    page.keyboard.press("/")
    page.keyboard.type("mm")
    assert page.locator(".n.found").count() > 0
    page.keyboard.press("Escape")
    assert page.locator(".n.found").count() == 0
    page.keyboard.press("ArrowRight")
    assert page.locator(".position").text_content().startswith("2 ")


def test_arrival_count_does_not_overlap_sum(show: Show) -> None:
    page = show(viz.step(chain(), names={}), 1600, 1000)
    page.get_by_role("slider").fill("20")
    row = page.locator(".buffers tbody tr").first
    page.evaluate(
        """() => {
            const root = document.querySelector(".minigrad-stepper").shadowRoot
            root.querySelector(".buffers tbody td").textContent = "3499 of 5000"
        }"""
    )
    overflow = row.locator("td").first.evaluate("e => e.scrollWidth - e.clientWidth")
    assert overflow <= 0


def shrinking() -> Any:
    """A gradient of 1 that becomes one of 1e-30 on its way."""
    x = mg.tensor([2.0, 3.0], requires_grad=True)
    return (x * 1e-15 * 1e-15 * mg.tensor([1.0, 1.0])).sum()


def strength(page: Any) -> float:
    """How strong the colour of the first number is that goes out."""
    cell = page.locator(".side").last.locator("td[data-flat]").first
    return float(cell.evaluate("e => getComputedStyle(e).getPropertyValue('--size')"))


def test_color_scale_of_pass_or_tensor(show: Show) -> None:
    page = show(viz.step(shrinking(), names={}), 1600, 1000)
    page.keyboard.press("ArrowRight")
    assert strength(page) == pytest.approx(1, abs=0.1)
    page.keyboard.press("End")
    assert strength(page) < 0.1
    edge = "e => parseFloat(getComputedStyle(e).strokeWidth)"
    paths = page.locator(".canvas .e.carried path:not(.flow)")
    assert paths.first.evaluate(edge) > 3 * paths.last.evaluate(edge)
    legend = page.locator(".legend .scale")
    assert legend.inner_text().split()[:2] == ["10⁻³⁰", "10¹"]
    legend.get_by_role("button", name="one scale").click()
    assert strength(page) == 1
    assert paths.first.evaluate(edge) == paths.last.evaluate(edge)


def test_what_is_not_finite_cannot_be_overlooked(show: Show) -> None:
    x = mg.tensor([0.0, 4.0], requires_grad=True)
    page = show(viz.step((mg.sqrt(x) * 2).sum()), 1600, 1000)
    marked = page.locator(".steps li", has_text="NaN/inf")
    assert [text.split()[1] for text in marked.all_inner_texts()] == [
        "SqrtBackward0",
        "AccumulateGrad",
    ]
    page.keyboard.press("End")
    assert page.locator(".canvas .n.nonfinite").count() == 1
    assert page.locator(".canvas .e.nonfinite").count() == 1
    bad = page.locator(".node td.bad").first.evaluate("e => getComputedStyle(e).backgroundColor")
    tint = page.locator(".node td.positive").first
    assert bad != tint.evaluate("e => getComputedStyle(e).backgroundColor")


PIXELS = """canvas => {
    const { width, height } = canvas
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height)
    const [red, , blue, seen] = data.slice(0, 4)
    return [width, height, red > blue, seen > 0]
}"""


def test_a_large_tensor_is_a_picture_with_its_spread(show: Show) -> None:
    mg.manual_seed(0)
    x = mg.randn(3, 12, 10, requires_grad=True)
    x.data[0, 0, 0] = -2.0
    page = show(viz.step((x * x).sum()), 1600, 1000)
    page.keyboard.press("End")
    picture = page.locator(".node .heat canvas").first
    # Three slices next to each other, a point between them; negative numbers are orange.
    assert picture.evaluate(PIXELS) == [3 * 11 - 1, 12, True, True]
    assert page.locator(".node .histogram svg").first.is_visible()
    assert "norm" in page.locator(".node .summary").first.inner_text()
    assert page.evaluate(HIDDEN) == 0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_large_tensor_is_drawn_in_blocks(show: Show, language: str) -> None:
    mg.manual_seed(0)
    x = mg.rand(8, 100, 60, requires_grad=True)
    x.data[0, 0, 0], x.data[1, 50, 30] = -2.0, float("nan")
    with speaking(language):
        page = show(viz.step((x * x).sum()), 1600, 1000)
    page.keyboard.press("End")
    side = page.locator(".node .side").last
    # Blocks of 7 by 4 numbers, four slices next to each other, a point between two.
    assert side.locator(".heat canvas").first.evaluate(PIXELS) == [4 * 16 - 1, 15, True, True]
    said = side.locator(".spread").first.inner_text()
    for words in {"en": ("7 × 4", "first 4 of 8"), "zh": ("7 × 4", "8 个切片中的前 4 个")}[
        language
    ]:
        assert words in said
    assert side.locator(".histogram svg").first.is_visible()
    assert side.locator(".spread .bad").first.is_visible()
    reds = """canvas => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
        return data.filter((x, i) => i % 4 === 0 && x === 211 && data[i + 3] === 255).length
    }"""
    assert side.locator(".heat canvas").first.evaluate(reds) == 1


def test_frames_of_large_graph_open_in_place(show: Show) -> None:
    y = x = mg.ones(1, requires_grad=True)
    for _ in range(10_000 if all_of("PAGES") else 1_000):
        y = y * x
    page = show(viz.step(y, names={"x": x}))
    frames, operations = page.locator(".canvas .n.cluster"), page.locator(".canvas .n.function")
    for _ in range(8):  # into the last frame, and the last in that, down to operations
        if operations.count():
            break
        assert 1 < frames.count() < 40
        assert frames.last.get_attribute("aria-label").endswith(" open")
        frames.last.dispatch_event("click")
    assert operations.last.locator(".title").text_content() == "MulBackward0"
    assert page.locator(".canvas .far").count() == operations.count()


def test_step_opens_closed_frame_when_following(show: Show) -> None:
    mg.manual_seed(0)
    h, names = mg.ones(2), {}
    for place in range(400):
        names[f"w{place}"] = w = mg.randn(2, requires_grad=True)
        h = (h * w).tanh()
    page = show(viz.step(h.sum(), names=names))
    current = page.locator(".canvas .n.current:not(.cluster, .chip)")
    page.get_by_role("slider").fill("200")
    assert current.count() == 0
    page.get_by_role("button", name="Open frames as steps enter them", exact=True).click()
    for step in ("200", "500"):
        page.get_by_role("slider").fill(step)
        assert current.count() == 1
        current.focus()
        page.keyboard.press("Enter")
        assert page.locator(".position").text_content().startswith(f"{int(step) + 1} ")


def convolution() -> Any:
    """Tensors of four dimensions, next to saved ones."""
    mg.manual_seed(0)
    layers = mg.nn.Conv2d(1, 2, 3), mg.nn.BatchNorm2d(2), mg.nn.ReLU(), mg.nn.MaxPool2d(2)
    net = mg.nn.Sequential(*layers, mg.nn.Flatten(), mg.nn.Linear(8, 3))
    return mg.nn.functional.cross_entropy(net(mg.randn(2, 1, 6, 6)), mg.tensor([0, 2]))


@pytest.mark.sampled("PAGES", 1)
@pytest.mark.parametrize("size", [(1600, 1000), (1024, 768)])
def test_convolution_steps_need_no_scrolling(show: Show, size: Any) -> None:
    page = show(viz.step(convolution()), *size)
    hidden = {}
    for step in range(steps(page)):
        page.get_by_role("slider").fill(str(step))
        hidden[title(page)] = page.evaluate(HIDDEN)
    assert hidden == dict.fromkeys(hidden, 0)


@pytest.mark.sampled("PAGES", 1)
@pytest.mark.parametrize("size", [(1600, 1000), (1024, 768), (800, 500)])
def test_a_step_moves_no_pane(show: Show, size: Any) -> None:
    page = show(viz.step(mlp(3)), *size)
    panes = [page.locator(f".panes > .{name}") for name in ("graph", "lanes", "node", "buffers")]
    places = [pane.bounding_box() for pane in panes]
    for step in range(steps(page)):
        page.get_by_role("slider").fill(str(step))
        assert [pane.bounding_box() for pane in panes] == places
    page.locator(".memory summary").click()  # what is kept opens over the graph
    page.locator(".memory tbody tr").first.wait_for()
    assert [pane.bounding_box() for pane in panes] == places


def test_at_twice_the_size_the_graph_keeps_its_room(show: Show) -> None:
    page = show(viz.step(mlp(3)), 800, 500)
    assert page.locator(".canvas").bounding_box()["height"] > 120
    controls = page.locator(".controls").bounding_box()
    assert controls["y"] + controls["height"] <= 500


ALL_ON_PAPER = """() => {
    const root = document.querySelector(".minigrad-stepper").shadowRoot
    const box = (place) => [...root.querySelectorAll(place)].at(-1).getBoundingClientRect()
    const [graph, picture] = [".graph", ".canvas > svg"].map(box)
    return box(".steps li").bottom <= box(".stepper").bottom
        && picture.right <= graph.right && picture.bottom <= graph.bottom + 1
}"""


def test_on_paper_no_step_is_cut_off(show: Show) -> None:
    page = show(viz.step(mlp(5)))
    page.emulate_media(media="print")
    page.wait_for_function(ALL_ON_PAPER)  # the picture is fitted once the page is told


@cache
def deep(layers: int) -> Any:
    """The stepper of a pass of three steps a layer, each with a leaf."""
    mg.manual_seed(0)
    h, names = mg.ones(2), {}
    for place in range(layers):
        names[f"w{place}"] = w = mg.randn(2, requires_grad=True)
        h = (h * w).tanh()
    return viz.step(h.sum(), names=names)


CHANGES = """async (moves) => {
    const root = document.querySelector(".minigrad-stepper").shadowRoot
    const frame = () => new Promise(done => requestAnimationFrame(done))
    const next = root.querySelector(".moves button:nth-child(3)")
    let changes = 0
    const count = records => {
        for (const { addedNodes, removedNodes } of records)
            changes += 1 + addedNodes.length + removedNodes.length
    }
    const observer = new MutationObserver(count)
    for (const pane of root.querySelectorAll(".steps, .buffers, .memory, .graph"))
        observer.observe(pane, { subtree: true, childList: true, attributes: true })
    const each = []
    for (let i = 0; i < moves; i++) {
        const before = changes
        next.click()
        await frame()  // the panes have scrolled to what matters,
        await frame()  // and been told so
        count(observer.takeRecords())
        each.push(changes - before)
    }
    return each.sort((a, b) => a - b)[moves >> 1]
}"""


def test_step_cost_ignores_pass_length(show: Show, page: Any) -> None:
    page.emulate_media(reduced_motion="reduce")
    show(deep(10), 1600, 1000)
    elements, changes = page.locator(".steps *").count(), page.evaluate(CHANGES, 9)
    show(deep(600), 1600, 1000)
    for at in ("0", "900", "1500"):
        page.get_by_role("slider").fill(at)
        drawn(page)
        assert page.locator(".steps *").count() <= 5 * elements
        assert page.locator(".buffers *").count() <= 5 * elements
        assert page.evaluate(CHANGES, 9) <= 2 * changes


@pytest.mark.sampled("PAGES", 1)
@pytest.mark.parametrize("size", [(1600, 1000), (1024, 768), (420, 800)])
def test_long_step_list_scrolls_completely(show: Show, page: Any, size: Any) -> None:
    page.emulate_media(reduced_motion="reduce")
    show(deep(600), *size)
    drawn(page)  # it has scrolled to where one is
    count = steps(page)
    scroller = page.locator(".steps .scroll")
    scroller.evaluate("list => list.scrollTo(list.scrollWidth, list.scrollHeight)")
    last = page.locator(f".steps [aria-posinset='{count}']")
    last.wait_for()
    assert last.get_attribute("aria-setsize") == str(count)
    # Where one is can still be reached by keyboard, and says which it is.
    now = page.locator(".steps [aria-current=step]")
    assert (now.get_attribute("tabindex"), now.locator(".number").text_content()) == ("0", "1")
    assert last.evaluate(IS_SEEN, ".steps .scroll")
    last.locator("button").click()
    assert page.locator(".position").text_content() == f"{count} / {count}"
    now.focus()
    page.keyboard.press("Home")
    page.locator(".steps [aria-posinset='1'].now").wait_for()
    assert now.evaluate(IS_SEEN, ".steps .scroll")


def test_on_paper_all_steps_of_a_long_pass_are_there(show: Show, page: Any) -> None:
    show(deep(100), 1600, 1000)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    rows = page.locator(".steps li")
    assert [rows.count(), rows.first.inner_text()[0]] == [steps(page), "1"]
    boxes = [rows.nth(place).bounding_box() for place in (0, 1, -1)]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"] < boxes[2]["y"]


IS_SEEN = """(element, within) => {
    const outer = element.closest(within).getBoundingClientRect()
    const inner = element.getBoundingClientRect()
    return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1
        && inner.left >= outer.left - 1 && inner.right <= outer.right + 1
}"""


def test_visible_leaves_are_listed(show: Show, page: Any) -> None:
    show(deep(600), 1600, 1000)
    page.keyboard.press("End")
    scroller = page.locator(".buffers .scroll")
    for place, top in [(0, "0"), (599, "list.scrollHeight")]:
        scroller.evaluate(f"list => list.scrollTo(0, {top})")
        row = page.locator(".buffers tr", has_text=f"w{place}.grad")
        row.wait_for()
        assert row.evaluate(IS_SEEN, ".buffers .scroll")
        assert "None" not in row.inner_text()
    table = page.locator(".buffers table").last
    assert table.get_attribute("aria-rowcount") == row.get_attribute("aria-rowindex") == "600"


# --- The graph is the stage

SIZES = [(1600, 1000), (1024, 768), (1000, 560), (570, 560)]
"""Windows, and cells of a notebook that are 560 pixels high."""

STAGE = """(height) => {
    const root = document.querySelector(".minigrad-stepper").shadowRoot
    const box = (element) => element.getBoundingClientRect()
    const [pane, canvas] = [".graph", ".canvas"].map((name) => box(root.querySelector(name)))
    const drawing = box(root.querySelector(".stage > g"))
    const boxes = [...root.querySelectorAll(".canvas .n:not(.chip)")]
    const isInside = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1
        && a.top >= b.top - 1 && a.bottom <= b.bottom + 1
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
    const pairs = (all) => all.flatMap((a, n) => all.slice(n + 1).map((b) => [a, b]))
    const texts = [...root.querySelectorAll(".canvas text")].filter((each) => each.textContent)
    const scale = root.querySelector(".stage > g").getScreenCTM().a
    const sizeOf = (text) => parseFloat(getComputedStyle(text).fontSize) * scale
    const current = boxes.filter((each) => each.classList.contains("current"))
    const places = boxes.map(box)
    return {
        boxes: boxes.length,
        unseen: places.filter((each) => !isInside(each, canvas)).length,
        letters: Math.min(...texts.map(sizeOf)),
        overlaps: pairs(places).filter(([a, b]) => meet(a, b)).length,
        covered: pairs(texts.map(box)).filter(([a, b]) => meet(a, b)).length,
        current: current.every((each) => isInside(box(each), canvas)),
        share: (pane.width * pane.height) / (innerWidth * height),
        fills: Math.max(drawing.width / canvas.width, drawing.height / canvas.height),
        at: [drawing.left, drawing.top],
    }
}"""


@pytest.fixture
def show_cell(page: Any, tmp_path: Path) -> Show:
    """Open a stepper as a notebook's output shows it, in a cell of this width."""

    def open_cell(stepper: Any, width: int) -> Any:
        file = tmp_path / "cell.html"
        style = f"margin:0;width:{width}px"
        file.write_text(f"<!doctype html><meta charset=utf-8><body style={style}>{stepper.html}")
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(file.as_uri())
        page.locator(".stepper").wait_for()
        return page

    return open_cell


def in_sight(page: Any, name: str, size: tuple[int, int]) -> dict[str, Any]:
    drawn(page)
    seen: dict[str, Any] = page.evaluate(STAGE, size[1])
    assert seen["unseen"] == 0, (name, size)
    assert seen["letters"] >= 11.99, (name, size, seen)
    assert (seen["overlaps"], seen["covered"]) == (0, 0), (name, size, seen)
    assert seen["current"], (name, size)
    return seen


@pytest.mark.parametrize("name", first_of("PAGES", [*PROGRAMS]))
def test_whole_graph_is_seen_and_stands_still(
    page: Any, show: Show, show_cell: Show, name: str
) -> None:
    page.emulate_media(reduced_motion="reduce")
    stepper = PROGRAMS[name]()
    for size in SIZES:
        show_cell(stepper, size[0]) if size[1] == 560 else show(stepper, *size)
        seen = in_sight(page, name, size)
        assert seen["boxes"] >= 8, (size, seen)
        assert seen["share"] >= 0.5, (size, seen)
        assert seen["fills"] >= 0.6, (size, seen)
        height = page.locator(".stepper").bounding_box()["height"]
        assert height <= (560 if size[1] == 560 else size[1])
        for step in range(1, min(20, len(stepper.payload["steps"])), 1 if all_of("PAGES") else 5):
            page.get_by_role("slider").fill(str(step))
            assert in_sight(page, name, size)["at"] == seen["at"]


def test_drawers_of_a_cell_show_figures_or_code(page: Any, show_cell: Show) -> None:
    stepper = viz.step(mlp(3))
    show_cell(stepper, 1000)
    drawn(page)
    body = page.locator(".node .body")
    for step in range(len(stepper.payload["steps"])):
        page.get_by_role("slider").fill(str(step))
        assert int(body.get_attribute("data-density")) < 4  # no number is a mere colour
    graph, node, code = (page.locator(f".panes > .{name}") for name in ("graph", "node", "code"))
    opens = page.get_by_role("button", name="Code", exact=True)
    assert (node.is_visible(), code.is_visible()) == (True, False)
    opens.click()
    assert (node.is_visible(), code.is_visible()) == (False, True)
    assert opens.get_attribute("aria-expanded") == "true"
    opens.click()
    assert (node.is_visible(), code.is_visible()) == (False, False)
    assert graph.bounding_box()["width"] > 950


def test_a_page_of_paper_shows_the_step(page: Any, show: Show) -> None:
    """Caption, code with the line marked, the whole graph, rule and numbers."""
    page.emulate_media(reduced_motion="reduce")
    show(PROGRAMS["mlp"]())
    page.get_by_role("slider").fill("4")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    drawn(page)
    for part in (".caption", ".line[aria-current]", ".canvas .n.current", ".node .rule math"):
        assert page.locator(part).first.is_visible()
    assert page.evaluate(STAGE, 768)["unseen"] == 0
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    drawn(page)
    assert page.evaluate(STAGE, 768)["unseen"] == 0


def test_presentation_keeps_the_last_line(show: Show) -> None:
    """An AccumulateGrad has no line of its own."""
    page = show(viz.step(mlp(3)), 1600, 1000)
    page.keyboard.press("f")
    page.locator(".stepper.presenting").wait_for()
    shown = page.locator(".line:visible")
    assert "return" in "".join(shown.all_inner_texts())  # the seed has none either
    lines = page.locator(".line[aria-current]")
    current = ""
    for _ in range(steps(page)):
        page.keyboard.press("PageDown")
        if lines.count() == 0:
            break
        current = lines.inner_text()
    assert "AccumulateGrad" in title(page)
    assert current
    assert current in shown.all_inner_texts()


def test_early_end_leaves_the_full_screen(show: Show, page: Any) -> None:
    """The browser allows the full screen only after the presentation has ended."""
    show(PROGRAMS["neuron"](), 1024, 768)
    page.evaluate(
        """() => {
            HTMLElement.prototype.requestFullscreen = () => new Promise(done => window.allow = done)
            document.exitFullscreen = async () => { window.left = true }
        }"""
    )
    page.keyboard.press("f")
    page.locator(".stepper.presenting").wait_for()
    page.keyboard.press("f")
    page.locator(".stepper:not(.presenting)").wait_for()
    page.evaluate("allow()")
    page.wait_for_function("window.left")


def test_letters_are_large_in_a_lecture_hall(show: Show) -> None:
    page = show(PROGRAMS["mlp"](), 1600, 1000)
    page.keyboard.press("f")
    page.locator(".stepper.presenting").wait_for()
    drawn(page)
    drawn(page)
    seen = page.evaluate(STAGE, 1000)
    assert seen["unseen"] == 0
    assert seen["letters"] >= 24
    page.keyboard.press("f")


@pytest.mark.parametrize("name", first_of("PAGES", [*PROGRAMS]))
def test_no_closed_frame_could_open(page: Any, show: Show, name: str) -> None:
    """Whichever frame a reader opens: all of it together would be too large for the pane."""
    page.emulate_media(reduced_motion="reduce")
    stepper = PROGRAMS[name]()
    show(stepper, 1024, 768)
    drawn(page)
    for place in range(page.locator(".canvas .n.cluster").count()):
        show(stepper, 1024, 768)
        drawn(page)
        page.locator(".canvas .n.cluster").nth(place).dispatch_event("click")
        press_fit = page.get_by_role("button", name="Fit the graph", exact=True)
        press_fit.click()
        drawn(page)
        assert page.evaluate(STAGE, 768)["letters"] < 12


def test_minimap_shows_the_camera(show: Show) -> None:
    page = show(PROGRAMS["mlp"](), 1600, 1000)
    drawn(page)
    minimap = page.locator(".minimap")
    assert not minimap.is_visible()
    for _ in range(6):
        page.get_by_role("button", name="Zoom in", exact=True).click()
    assert minimap.is_visible()
    before = page.evaluate(STAGE, 1000)
    assert before["unseen"] > 0
    page.keyboard.press("End")  # out of sight, so the camera moves
    drawn(page)
    after = page.evaluate(STAGE, 1000)
    assert after["current"]
    assert after["at"] != before["at"]
    page.get_by_role("button", name="Fit the graph", exact=True).click()
    assert page.evaluate(STAGE, 1000)["unseen"] == 0
    assert not minimap.is_visible()


def test_dividers_are_dragged_and_remembered(show: Show, page: Any) -> None:
    stepper = viz.step(mlp(3))
    show(stepper, 1600, 1000)
    code, card = (page.locator(f".panes > .{name}") for name in ("code", "node"))
    first, second = (page.locator(f".divider.at-{name}") for name in ("code", "card"))
    before = code.bounding_box()["width"]
    at = first.bounding_box()
    page.mouse.move(at["x"] + at["width"] / 2, 400)
    page.mouse.down()
    page.mouse.move(at["x"] + 200, 400)
    page.mouse.up()
    wide = code.bounding_box()["width"]
    assert wide > before + 150
    second.focus()
    page.keyboard.press("Enter")
    assert not card.is_visible()
    assert page.locator(".position").text_content().startswith("1 ")  # no key of the stepper's
    show(stepper, 1600, 1000)
    assert code.bounding_box()["width"] == pytest.approx(wide, abs=2)
    assert not card.is_visible()
    opens = page.get_by_role("button", name="This node", exact=True)
    assert opens.get_attribute("aria-expanded") == "false"
    opens.click()
    assert card.is_visible()
    page.evaluate("localStorage.clear()")


CONTRASTS = """() => {
    const root = document.querySelector(".minigrad-stepper").shadowRoot
    const brightness = (colour) => {
        const linear = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
        const [r, g, b] = colour.map(linear)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const read = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number)
    const ground = read(getComputedStyle(root.querySelector(".canvas .n rect")).fill)
    return [...root.querySelectorAll(".canvas .n.unbuilt text")].map((text) => {
        let seen = 1
        for (let each = text; each && each !== root; each = each.parentNode)
            seen *= parseFloat(getComputedStyle(each).opacity)
        const ink = read(getComputedStyle(text).fill)
        const mixed = ink.map((c, place) => c * seen + ground[place] * (1 - seen))
        const [dark, light] = [mixed, ground].map(brightness).sort((a, b) => a - b)
        return (light + 0.05) / (dark + 0.05)
    })
}"""


def long_module() -> Any:
    class Net(mg.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.projection_of_the_hidden_states_onto_classes = mg.nn.Linear(3, 2)

        def forward(self, x: Any) -> Any:
            return self.projection_of_the_hidden_states_onto_classes(x)

    net = Net()
    return viz.step(lambda: net(mg.ones(1, 3)).sum(), names=net)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nodes_not_there_yet_are_readable(show: Show, page: Any, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    show(long_module(), 1600, 1000)
    drawn(page)
    found = page.evaluate(CONTRASTS)
    assert len(found) >= 8
    assert min(found) >= 4.5


@pytest.mark.parametrize("width", [1600, 1024, 390])
def test_long_module_names_stay_in_the_card(show: Show, page: Any, width: int) -> None:
    show(long_module(), width, 900)
    name = page.locator(".node .body code", has_text="projection").first.bounding_box()
    card = page.locator(".node").bounding_box()
    assert name["x"] + name["width"] <= card["x"] + card["width"]


def test_names_in_the_code_are_not_broken(show: Show, page: Any) -> None:
    weights_of_the_first_layer = mg.ones(3, requires_grad=True)
    the_result_of_everything = (weights_of_the_first_layer * weights_of_the_first_layer).sum()
    show(viz.step(the_result_of_everything), 1600, 1000)
    rows = page.locator(".line[aria-current] code").evaluate(
        """code => {
            const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
            const range = document.createRange()
            const broken = []
            for (let text = walker.nextNode(); text; text = walker.nextNode())
                for (const { index, 0: name } of text.data.matchAll(/\\w+/g)) {
                    range.setStart(text, index)
                    range.setEnd(text, index + name.length)
                    if (range.getClientRects().length > 1) broken.push(name)
                }
            return broken
        }"""
    )
    assert rows == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_numbers_show_value_and_gradient(show: Show, page: Any, language: str) -> None:
    """Results without a variable, too: they follow from what the nodes have saved."""
    a, b = (mg.tensor(x, requires_grad=True) for x in (0.5, 1.0))
    c = a * b
    with speaking(language):
        stepper = viz.step((c + a).tanh() * 2, names={"a": a, "b": b, "c": c}, retain_graph=True)
    show(stepper, 1600, 1000)
    drawn(page)

    def lines(title: str, place: int = 0) -> list[str]:
        shape = page.locator(".canvas .n", has=page.locator(f"text.title:text-is('{title}')"))
        texts: list[str] = shape.nth(place).locator("text").all_text_contents()
        return texts

    grad = {"en": "grad", "zh": "梯度"}[language]
    assert lines("AddBackward0") == ["AddBackward0", "= 1", ""]  # none has come yet
    assert lines("MulBackward0", 1) == ["MulBackward0", "c = 0.5", ""]
    page.keyboard.press("End")
    (c + a).tanh().backward(mg.tensor(2.0))
    for name, leaf in {"a": a, "b": b}.items():
        word, number = lines(name)[2].split()
        assert leaf.grad is not None
        assert word == grad
        assert float(number) == pytest.approx(leaf.grad.item() / 2, rel=1e-3)


def test_plain_view_leaves_out_versions_and_memory(show: Show, page: Any) -> None:
    x = mg.ones(3, requires_grad=True)
    y = x * 2
    y.add_(1)
    z = (y * y).sum()
    show(viz.step(z, show="plain", retain_graph=True), 1600, 1000)
    page.get_by_role("slider").fill("2")
    for part in (".memory", ".version", ".key.scale", ".steps", ".buffers"):
        assert not page.locator(part).first.is_visible(), part
    for part in (".caption", ".code", ".canvas .n.current", ".node .value"):
        assert page.locator(part).first.is_visible(), part
    assert page.locator(".canvas .chip", has_text="v1").count() == 0
    show(viz.step(z, show=["versions", "steps"], retain_graph=True), 1024, 768)
    page.get_by_role("slider").fill("2")
    assert page.locator(".node .version").first.is_visible()
    assert page.locator(".steps").is_visible()
    assert page.locator(".canvas .chip", has_text="v1").count() > 0
    with pytest.raises(ValueError, match="'plain', 'versions'"):
        viz.step(z, show="version")


def test_a_hint_says_what_the_pointer_rests_on(show: Show, page: Any) -> None:
    show(viz.step(mlp(3)), 1600, 1000)
    page.locator(".canvas .n.function .title").first.hover()
    assert "MeanBackward0" not in page.locator(".canvas title").text_content()
    assert page.locator(".canvas title").text_content().startswith("NegBackward0 = ")
