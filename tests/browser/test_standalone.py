"""From a program to what a reader sees: real backward passes as pages on their own."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import pytest

import minigrad as mg
from tests.browser.waiting import drawn
from tests.speaking import speaking

Show = Callable[..., Any]
SCHEMES = ("light", "dark")


@pytest.fixture
def show(page: Any, tmp_path: Path) -> Show:
    """Write a stepper as a page of its own and open it."""

    def open_page(stepper: Any) -> Any:
        page.goto(stepper.save(tmp_path / "stepper.html").as_uri())
        page.locator(".stepper").wait_for()
        return page

    return open_page


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def title(page: Any) -> str:
    return page.locator(".node h2 strong").inner_text()


def waiting(page: Any) -> list[str]:
    """The rows of the table of what waits, each as one line."""
    rows = page.locator(".buffers tbody tr").all_inner_texts()
    return [" ".join(row.split()) for row in rows]


def numbers(page: Any, part: str) -> list[list[float]]:
    """The grids under the heading `part`, row by row."""
    cells = page.locator(".part", has=page.get_by_role("heading", name=part)).locator(".grid")
    return [
        [float(x.replace("\u2212", "-")) for x in grid.split()] for grid in cells.all_inner_texts()
    ]


@pytest.mark.parametrize(("language", "name"), [("en", "stepper"), ("zh", "stepper-zh")])
def test_words_are_in_one_language(show: Show, root: Path, language: str, name: str) -> None:
    a = mg.tensor(2.0, requires_grad=True)
    b = mg.tensor(3.0, requires_grad=True)
    c = a * b
    d = c + a
    with speaking(language):
        stepper = viz.step(d)
    page = show(stepper)
    page.set_viewport_size({"width": 1000, "height": 760})
    for _ in range(2):
        press(page, "Next step" if language == "en" else "下一步")
    drawn(page)
    words = page.locator(".stepper :is(h3, .caption, .legend, .controls button)").all_inner_texts()
    chinese = [bool(re.search("[\u4e00-\u9fff]", each)) for each in words if each]
    assert len(chinese) > 5 and set(chinese) == {language == "zh"}, words
    for scheme in SCHEMES if os.environ.get("MINIGRAD_SCREENSHOTS", "") not in ("", "0") else ():
        page.emulate_media(color_scheme=scheme)
        drawn(page)
        page.mouse.move(0, 0)
        page.locator(".stepper").screenshot(path=root / "docs" / f"{name}-{scheme}.png")


def test_two_gradients_meet_at_one_leaf(show: Show) -> None:
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x
    page = show(viz.step(y))
    press(page, "Next step")
    assert title(page) == "MulBackward0"
    assert numbers(page, "Saved") == [[3.0], [3.0]]
    assert waiting(page) == ["AccumulateGrad (x) 2 of 2 6", "x.grad None"]
    assert page.locator(".sum").inner_text().split() == ["3", "+", "3", "=", "6"]
    press(page, "Next step")
    assert waiting(page) == ["No gradient waits.", "x.grad 6"]
    press(page, "First step")
    assert waiting(page) == ["MulBackward0 1 of 1 1", "x.grad None"]
    assert x.grad.item() == 6.0


def test_the_numbers_shown_are_those_of_the_engine(show: Show) -> None:
    mg.manual_seed(0)
    x = mg.ones(2, 3)
    w = mg.randn(3, 2, requires_grad=True)
    b = mg.zeros(2, requires_grad=True)
    loss = ((x @ w + b) ** 2).mean()
    page = show(viz.step(loss))
    for leaf in (w, b):
        name = "w" if leaf is w else "b"
        step = page.locator(".steps button", has_text=f"AccumulateGrad {name}")
        step.click()
        shown = [x for grid in numbers(page, "The leaf's .grad") for x in grid]
        assert shown == pytest.approx(leaf.grad.flatten().tolist(), abs=5e-5)


def test_an_undone_broadcast_says_so(show: Show) -> None:
    a = mg.ones(2, 3, requires_grad=True)
    b = mg.ones(3, requires_grad=True)
    page = show(viz.step((a + b).sum()))
    page.locator(".steps button", has_text="AddBackward0").click()
    note = "summed from [2, 3] to the input's own shape"
    assert note in page.locator(".node .body").inner_text()


def test_a_gradient_that_was_there_is_added_to(show: Show) -> None:
    x = mg.tensor(3.0, requires_grad=True)
    (2 * x).backward()
    page = show(viz.step(x * x))
    assert waiting(page)[-1] == "x.grad 2"
    press(page, "Last step")
    assert page.locator(".sum").inner_text().split() == ["2", "+", "6", "=", "8"]


def test_a_failing_pass_ends_at_the_node_that_failed(show: Show) -> None:
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    z = x.exp()
    root = z.sum()
    z.zero_()
    page = show(viz.step(root))
    press(page, "Last step")
    assert title(page) == "ExpBackward0"
    assert "modified by an inplace operation" in page.locator(".message").inner_text()
    assert "changed: version 1, saved at 0" in page.locator(".node .body").inner_text()
    assert page.locator(".canvas .n.error").count() == 1


def test_a_hook_is_a_step_of_its_own_in_detail(show: Show) -> None:
    x = mg.tensor(3.0, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: g * 10)
    page = show(viz.step(y * 1))
    page.get_by_label("Follow").select_option("detail")
    captions = [page.locator(".caption").inner_text()]
    for _ in range(int(page.locator(".position").inner_text().split("/")[1]) - 1):
        press(page, "Next step")
        captions.append(page.locator(".caption").inner_text())
    assert sum("hook" in caption for caption in captions) == 1
    assert waiting(page)[-1] == "x.grad 20"


def test_the_reader_s_own_line_is_marked(show: Show) -> None:
    x = mg.tensor(3.0, requires_grad=True)
    y = x.exp()  # the line to be marked
    page = show(viz.step(y))
    press(page, "Next step")
    assert "y = x.exp()  # the line to be marked" in (
        page.locator(".line[aria-current]").inner_text().replace("\u00a0", " ")
    )


def test_chinese_throughout(show: Show) -> None:
    x = mg.tensor(3.0, requires_grad=True)
    with speaking("zh"):
        page = show(viz.step(x * x))
    press(page, "下一步")
    assert page.locator(".caption").inner_text().startswith("MulBackward0 运行，把梯度传给 x。")
    assert page.locator(".stepper").get_attribute("lang") == "zh"


def test_names_are_inert(show: Show) -> None:
    attack = '<img src=x onerror="window.attacked=1"></script><script>window.attacked=1</script>'
    x = mg.tensor(3.0, requires_grad=True)
    page = show(viz.step(x * x, names={attack: x}))
    press(page, "Last step")
    drawn(page)
    assert page.evaluate("window.attacked") is None
    assert attack in title(page)
    assert page.locator(".stepper img, .stepper script").count() == 0


def test_a_large_tensor_is_summed_up(show: Show) -> None:
    x = mg.ones(64, 32, requires_grad=True)
    page = show(viz.step((x * 2).sum()))
    press(page, "Last step")
    body = page.locator(".node .body").inner_text()
    assert "[64, 32] float32" in body
    assert "min 2" in body


def test_the_graph_is_built_before_the_reader_s_eyes(show: Show) -> None:
    x = mg.tensor(3.0, requires_grad=True)
    page = show(viz.step(lambda: (x * x).exp()))
    assert title(page) == "mul"
    assert numbers(page, "Takes") == [[3.0], [3.0]]
    assert numbers(page, "Makes") == [[9.0]]
    unbuilt = page.locator(".canvas .n.unbuilt")
    assert "ExpBackward0" in unbuilt.all_text_contents()[1]
    press(page, "Next step")
    assert title(page) == "exp"
    assert unbuilt.count() == 0
    press(page, "Next step")
    assert title(page) == "seed"
    press(page, "Previous step")
    press(page, "First step")
    assert unbuilt.count() == 3


def test_closed_frames_count_their_steps(show: Show) -> None:
    mg.manual_seed(0)
    first, second = (mg.randn(2, 2, requires_grad=True) for _ in range(2))
    h = (mg.ones(1, 2) @ first).tanh() @ second
    h = h + h.exp()
    names = {"net.0.weight": first, "net.2.weight": second}
    loss = h.sum()
    page = show(viz.step(loss, names={**names, "loss": loss}, fold=True))
    frames = page.locator(".canvas .n.cluster")

    def closed() -> list[str]:
        return [text.split("\n")[0] for text in frames.all_text_contents()]

    assert len(closed()) == 2
    last = closed()[-1]
    for _ in range(3):
        press(page, "Next step")
    assert "current" in (frames.first.get_attribute("class") or "")
    ran, _, count = frames.first.locator(".detail").text_content().split()
    assert 0 < int(ran) <= int(count)
    frames.last.click()
    assert last not in closed()
    opened = page.get_by_role("button", name=f"Close {last}", exact=True)
    assert opened.get_attribute("aria-expanded") == "true"
    assert page.evaluate(FOCUSED) == f"Close {last}"  # the keyboard stays with the frame
    page.keyboard.press("Enter")
    assert last in closed()
    press(page, "Open frames as steps enter them")
    assert page.locator(".canvas .n.function.current").count() == 1
    before = len(closed())
    press(page, "First step")
    page.get_by_label("Search").fill("tanh")
    assert page.locator(".canvas .n.found").count() == 1
    assert len(closed()) <= before  # a step closes nothing


FOCUSED = """
document.querySelector(".minigrad-stepper").shadowRoot.activeElement.getAttribute("aria-label")
"""
