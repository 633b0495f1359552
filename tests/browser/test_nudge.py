"""A number of a leaf is pushed on a saved page, and in a page whose kernel runs the program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.stepper.widget import Bridge

import minigrad as mg
from tests.speaking import speaking


def program() -> tuple[Callable[[], Any], dict[str, Any]]:
    x = mg.tensor([3.0, 1.0], requires_grad=True)
    w = mg.tensor(2.0, requires_grad=True)
    return lambda: (w * x * x).sum(), {"x": x, "w": w}


def rows(page: Any) -> list[list[str]]:
    cells = page.locator(".nudge tr").all()
    return [each.locator("th, td").all_inner_texts()[:2] for each in cells]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_saved_page_answers_pushes(page: Any, tmp_path: Path, language: str) -> None:
    f, names = program()
    with speaking(language):
        file = viz.step(f, names=names, nudge=True).save(tmp_path / "page.html")
    page.goto(file.as_uri())
    page.locator(".nudge summary").click()
    number, size = page.locator(".nudge select").all()
    held = number.locator("option").all_inner_texts()
    assert sorted(held) == ["w = 2", "x[0] = 3", "x[1] = 1"]
    number.select_option("x[0] = 3")
    size.select_option("1")
    page.locator(".nudge button").last.click()
    assert [text for _, text in rows(page)] == ["12", "14", "2"]
    page.locator(".nudge button").first.click()
    assert [text for _, text in rows(page)] == ["\u221212", "\u221210", "2"]
    said = page.locator(".nudge [role=status]").inner_text()
    assert "x[0]" in said and "\u221212" in said
    assert ("梯度" in said) == (language == "zh")


def test_page_without_answers_has_no_control(page: Any, tmp_path: Path) -> None:
    f, names = program()
    page.goto(viz.step(f, names=names).save(tmp_path / "page.html").as_uri())
    page.locator(".controls").wait_for()
    assert page.locator(".nudge").count() == 0


def test_live_page_asks_the_kernel(page: Any, tmp_path: Path) -> None:
    """The widget of a notebook and its HTML meet in one document; here Python is the kernel."""
    f, names = program()
    stepper = viz.step(f, names=names)
    html = stepper.html
    digest = html.split("minigrad-output minigrad-")[1][:16]
    file = tmp_path / "page.html"
    file.write_text(f"<!doctype html><meta charset=utf-8><title>t</title>{html}", encoding="utf-8")
    page.goto(file.as_uri())
    page.locator(".controls").wait_for()
    assert page.locator(".nudge").count() == 0
    page.evaluate(
        """async ([module, id]) => {
            const url = URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
            const receive = [];
            window.asked = [];
            window.reply = (message) => receive.forEach((each) => each(message));
            const model = {
                get: () => id,
                on: (_, f) => receive.push(f),
                off: () => {},
                send: (message) => window.asked.push(message),
            };
            (await import(url)).default.initialize({ model });
        }""",
        [str(Bridge._esm), digest],
    )
    page.locator(".nudge summary").click()
    number, size = page.locator(".nudge select").all()
    number.select_option("w = 2")
    size.select_option("0.1")
    page.locator(".nudge button").last.click()
    (asked,) = page.evaluate("window.asked")
    assert asked["leaf"] == "w" and asked["by"] == 0.1
    answer = {"nudge": asked["nudge"], **stepper._pushes.reply(asked)}
    page.evaluate("message => window.reply(message)", answer)
    page.locator(".nudge tr").first.wait_for()
    assert [text for _, text in rows(page)][:2] == ["1", "1"]
    page.locator(".nudge button").last.click()
    page.wait_for_function("window.asked.length === 2")
    refused = {"nudge": page.evaluate("window.asked[1].nudge"), "refusal": "It cannot."}
    page.evaluate("message => window.reply(message)", refused)
    page.wait_for_function(
        "document.querySelector('.minigrad-stepper').shadowRoot"
        ".querySelector('.nudge [role=status]').textContent === 'It cannot.'"
    )
