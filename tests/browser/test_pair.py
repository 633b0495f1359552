"""Two steppers side by side in a real browser: one set of controls moves through both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_lessons.engine import after
from minigrad_lessons.engine.wrong import right_engine, wrong_engine

import minigrad as mg
from tests.browser.test_accessibility import complaints
from tests.speaking import speaking

Open = Callable[..., Any]


def program(lib: Any) -> Any:
    a = lib.tensor(1.0, requires_grad=True)
    b = a + a
    c = b + b
    return c


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with speaking("en"):
        yield


@pytest.fixture(scope="module")
def payload() -> dict[str, Any]:
    wrong = wrong_engine("without_order")
    with speaking("en"):
        both = viz.compare(program, right_engine(), wrong, titles=("right", "wrong"))
    return dict(both.payload)


def names(page: Any) -> list[str]:
    """The node that each of the two shows, and how far it is."""
    return [" ".join(half.inner_text().split()) for half in page.locator(".node h2").all()]


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


START = ["seed step 1 of 4", "seed step 1 of 7"]


def test_both_steppers_move_together(open_steppers: Open, payload: dict[str, Any]) -> None:
    page = open_steppers(payload)
    assert names(page) == START
    press(page, "Next step")
    assert names(page) == ["AddBackward0 (c) step 2 of 4", "AddBackward0 (c) step 2 of 7"]
    page.locator(".canvas").last.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert names(page) == ["AccumulateGrad (a) step 4 of 4", "AccumulateGrad (a) step 4 of 7"]
    page.get_by_role("slider").fill("5")
    assert names(page) == ["AccumulateGrad (a) step 4 of 4", "AccumulateGrad (a) step 6 of 7"]
    assert page.locator(".half h2").first.inner_text() == "right (over)"
    grads = page.locator(".buffers table:last-child tbody").all_inner_texts()
    assert [text.split()[-1] for text in grads] == ["4", "2"]
    page.keyboard.press("Home")
    assert names(page) == START
    page.keyboard.press("End")
    assert names(page) == ["AccumulateGrad (a) step 4 of 4", "AddBackward0 (c) step 7 of 7"]
    # The gradient that came too late waits for ever.
    assert "AddBackward0 (b) 1 of 2 1" in " ".join(
        page.locator(".buffers").last.inner_text().split()
    )


def test_both_ask_before_they_show(open_steppers: Open, payload: dict[str, Any]) -> None:
    page = open_steppers(payload)
    press(page, "Predict")
    boxes = page.locator(".question")
    press(page, "Next step")
    assert boxes.count() == 2
    for box in boxes.first.get_by_role("textbox").all():
        box.fill("1")
    boxes.first.get_by_role("button", name="Check and show").click()
    assert page.locator(".verdict").all_inner_texts() == ["Your answer: 1. Correct."] * 2
    assert names(page)[0] == "AddBackward0 (c) step 2 of 4"
    assert boxes.count() == 1  # the other is still to be answered
    press(page, "Next step")  # without an answer of the reader's
    assert boxes.count() == 0
    assert names(page) == ["AddBackward0 (c) step 2 of 4", "AddBackward0 (c) step 2 of 7"]
    press(page, "Next step")
    assert boxes.count() == 2
    press(page, "Predict")
    assert boxes.count() == 0


def test_a_click_in_one_moves_the_other(open_steppers: Open, payload: dict[str, Any]) -> None:
    page = open_steppers(payload)
    page.locator(".half").first.get_by_role("button", name="3 AddBackward0 (b)").click()
    assert names(page) == ["AddBackward0 (b) step 3 of 4", "AddBackward0 (b) step 3 of 7"]
    page.locator(".half").last.get_by_role("button", name="6 AccumulateGrad a").click()
    assert names(page)[1] == "AccumulateGrad (a) step 6 of 7"


def test_first_difference_is_marked_and_reachable(
    open_steppers: Open, payload: dict[str, Any]
) -> None:
    page = open_steppers(payload)
    assert "They differ from step 2 on." in page.locator(".differ").first.inner_text()
    halves = page.locator(".half")
    signs = [half.locator(".steps .sign").all_inner_texts() for half in halves.all()]
    assert signs == [["≠"] * 3, ["≠"] * 3 + ["+"] * 3]
    assert page.locator(".difference").inner_text() == ""  # both begin in the same way
    press(page, "Go there")
    assert names(page)[0] == "AddBackward0 (c) step 2 of 4"
    difference = page.locator(".difference").inner_text()
    assert difference == "≠ hands on AddBackward0 (b) <- 1 + 1 = 2 | —"
    same = dict(viz.compare(program, right_engine(), right_engine()).payload)
    page = open_steppers(same)
    assert "They do the same in every step." in page.locator(".differ").first.inner_text()
    assert page.get_by_role("button", name="Go there").count() == 0


def test_steps_that_belong_together_stand_side_by_side(open_steppers: Open) -> None:
    def product(cut: bool) -> Any:
        x = mg.tensor([1.0, 2.0], requires_grad=True)
        w = mg.tensor([3.0, 4.0], requires_grad=True)
        y = x * w
        u = y.detach() if cut else y
        return (u * x).sum()

    page = open_steppers(dict(viz.compare(product, True, False, titles=("cut", "whole")).payload))
    page.set_viewport_size({"width": 1600, "height": 1000})
    page.locator(".half .canvas text.sign").first.wait_for()  # from the beginning
    said = page.locator(".differ").inner_text()
    assert "in “whole” the gradient goes on to MulBackward0 (y)" in said
    press(page, "Go there")
    assert names(page) == ["MulBackward0 step 3 of 4", "MulBackward0 (n2) step 3 of 6"]
    press(page, "Next step")
    assert names(page) == ["MulBackward0 step 3 of 4", "MulBackward0 (y) step 4 of 6"]
    assert page.locator(".half h2").first.inner_text() == "cut (no step here)"
    assert page.locator(".difference").inner_text() == "+ MulBackward0 (y): only in “whole”"
    press(page, "Next step")
    assert names(page) == ["AccumulateGrad (x) step 4 of 4", "AccumulateGrad (x) step 5 of 6"]
    assert page.locator(".half h2").first.inner_text() == "cut"
    # A step of one half leads to its place next to the other half.
    page.locator(".half").last.get_by_role("button", name="4 MulBackward0 (y)").click()
    assert names(page) == ["MulBackward0 step 3 of 4", "MulBackward0 (y) step 4 of 6"]
    graphs = page.locator(".half .canvas > svg")
    assert graphs.first.locator("g.n.one").count() == 0
    assert graphs.first.locator("g.n.differs text.sign").all_text_contents() == ["≠"] * 2
    assert set(graphs.last.locator("g.n.one text.sign").all_text_contents()) == {"+"}
    label = graphs.last.locator("g.n.one").first.get_attribute("aria-label")
    assert " only here." in str(label)


def test_every_detail_keeps_both_at_the_same_step(
    open_steppers: Open, payload: dict[str, Any]
) -> None:
    page = open_steppers(payload)
    press(page, "Go there")
    page.get_by_role("combobox", name="Follow").select_option("detail")
    assert names(page)[1] == "AddBackward0 (c) step 2 of 7"
    seen = set()
    for _ in range(20):
        left, right = (name.partition("step ")[2].split()[0] for name in names(page))
        seen.add((left, right))
        page.keyboard.press("ArrowRight")
    assert seen == {("2", "2"), ("3", "3"), ("4", "4"), ("4", "5"), ("4", "6"), ("4", "7")}
    page.get_by_role("combobox", name="Follow").select_option("node")
    assert names(page)[1] == "AddBackward0 (c) step 7 of 7"


def test_it_plays_to_the_end_of_the_longer_one(
    open_steppers: Open, payload: dict[str, Any]
) -> None:
    page = open_steppers(payload)
    page.get_by_role("combobox", name="Speed").select_option("4")
    press(page, "Play")
    page.get_by_text("step 7 of 7").wait_for()
    page.get_by_role("button", name="Play", exact=True).wait_for()


@pytest.mark.sampled("PAGES", 2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [420, 1000, 1400])
def test_side_by_side_is_accessible(
    open_steppers: Open, axe: str, payload: dict[str, Any], scheme: str, width: int
) -> None:
    page = open_steppers(payload, color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    page.get_by_role("slider").fill("1")
    assert complaints(page, axe) == []
    first, second = (half.bounding_box() for half in page.locator(".half").all())
    assert (first["y"] == second["y"]) == (width > 700)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_page_works_alone(page: Any, tmp_path: Path) -> None:
    with speaking("zh"):
        both = viz.compare(program, right_engine(), wrong_engine("overwrites"))
    page.goto(both.save(tmp_path / "pair.html").as_uri())
    press(page, "跳到那里")
    assert "没有加到那里已有的和上：" in page.locator(".half").last.inner_text()
    assert "没有加到那里已有的和上：" not in page.locator(".half").first.inner_text()


def test_an_engine_that_goes_down_every_path(open_steppers: Open) -> None:
    u = after(2).Tensor(3.0)
    s = u * u + u
    page = open_steppers(viz.step(s).payload)
    page.get_by_role("slider").fill("4")
    assert "Goes out to AccumulateGrad (u) scalar float64 3" in " ".join(
        page.locator(".node").inner_text().split()
    )
    assert page.locator(".caption").inner_text() == (
        "3 goes to AccumulateGrad of u, where nothing waits."
    )
    assert page.locator(".n.current").count() == 3  # the node, and what it has kept
    page.keyboard.press("End")
    assert "u.grad 7" in " ".join(page.locator(".buffers").inner_text().split())


@pytest.fixture(scope="session")
def axe(frontend: Path) -> str:
    return (frontend / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
