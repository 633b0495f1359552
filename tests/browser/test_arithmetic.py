"""A click on a number shows how it came about; what is shown can be computed again."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import pytest

import minigrad as mg

WORK = """() => {
    const root = document.querySelector(".minigrad-stepper").shadowRoot
    const found = []
    for (const value of root.querySelectorAll(".side:last-child .value")) {
        for (const cell of value.querySelectorAll("td[data-flat]")) {
            cell.click()
            found.push(root.querySelector(".work").textContent)
        }
    }
    return [root.querySelector(".node h2 strong").textContent, found]
}"""

SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def evaluated(text: str) -> float:
    """What a reader gets who types it into a calculator."""
    text = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]", lambda m: f"**{m[0].translate(SUPERSCRIPT)}", text)
    for sign, python in {"−": "-", "×": "*", "^": "**", "≤": "<=", "≥": ">=", "√": "sqrt"}.items():
        text = text.replace(sign, python)
    text = re.sub(r"\[([^\]]*)\]", r"int(\1)", text).replace("sqrt", "0+sqrt")
    text = re.sub(r"0\+sqrt(?!\()([\d.]+)", r"sqrt(\1)", text).replace("0+sqrt", "sqrt")
    names = {"ln": math.log, "e": math.e, "sgn": lambda x: math.copysign(x != 0, x)}
    names |= {"σ": lambda x: 1 / (1 + math.exp(-x)), "sin": math.sin, "cos": math.cos}
    return float(eval(text, {"sqrt": math.sqrt} | names))


@pytest.fixture
def works(page: Any, tmp_path: Path) -> Callable[..., dict[str, list[str]]]:
    """For each step of a pass: what is said about each number that goes out."""

    def collect(stepper: Any) -> dict[str, list[str]]:
        page.goto(stepper.to_html(tmp_path / "page.html").as_uri())
        page.locator(".stepper").wait_for()
        found = {}
        for step in range(len(stepper.payload["steps"])):
            page.get_by_role("slider").fill(str(step))
            name, said = page.evaluate(WORK)
            found[name] = said
        return found

    return collect


def equations(said: list[str]) -> Iterator[tuple[str, str]]:
    for text in said:
        if match := re.search(r"(\S+) [=≈] (.*)", text):
            yield match[1], match[2]


X = [[0.5, -1.25], [2.0, 0.75]]
CASES: dict[str, Callable[[Any], Any]] = {
    "MulBackward0": lambda x: x * mg.tensor([[2.0, 4.0], [0.5, 8.0]]),
    "DivBackward0": lambda x: mg.tensor(3.0) / x,
    "PowBackward0": lambda x: x**3,
    "ExpBackward0": lambda x: x.exp(),
    "LogBackward0": lambda x: (x * x).log(),
    "TanhBackward0": lambda x: x.tanh(),
    "SigmoidBackward0": lambda x: x.sigmoid(),
    "ReluBackward0": lambda x: x.relu(),
    "SqrtBackward0": lambda x: (x * x).sqrt(),
    "MeanBackward0": lambda x: x.mean(),
    "MeanBackward1": lambda x: x.mean(0),
    "LeakyReluBackward0": lambda x: mg.nn.functional.leaky_relu(x, 0.1),
    "SoftplusBackward0": lambda x: mg.nn.functional.softplus(x),
    "AbsBackward0": lambda x: x.abs(),
    "SubBackward0": lambda x: mg.sub(mg.ones(2, 2), x, alpha=0.5),
    "MmBackward0": lambda x: x @ mg.tensor([[1.0, 2.0], [3.0, 5.0]]),
    "MvBackward0": lambda x: x @ mg.tensor([1.5, -2.0]),
    "BmmBackward0": lambda x: mg.bmm(x.reshape(1, 2, 2), mg.tensor([[[1.0, 2.0], [3.0, 5.0]]])),
    "AddmmBackward0": lambda x: mg.addmm(mg.ones(2, 2), x, mg.tensor([[1.0, 2.0], [3.0, 5.0]])),
    "DotBackward0": lambda x: mg.dot(x.reshape(4), mg.tensor([1.5, -2.0, 0.25, 3.0])),
}


@pytest.mark.parametrize("name", CASES)
def test_the_arithmetic_gives_the_number(works: Any, name: str) -> None:
    x = mg.tensor(X, requires_grad=True)
    weights = mg.tensor([[1.5, -0.5], [2.5, 3.5]])
    y = CASES[name](x)
    root = y.sum() if name == "MulBackward0" else (y * (weights if y.ndim == 2 else 1.5)).sum()
    said = works(viz.step(root, names={}))[name]
    found = list(equations(said))
    assert len(found) == len(said) == 4
    for left, right in found:
        assert evaluated(right) == pytest.approx(evaluated(left), rel=5e-3, abs=1e-6)


def test_the_words_of_an_example(works: Any) -> None:
    x = mg.tensor([3.0, 0.5], requires_grad=True)
    b = mg.tensor(2.0, requires_grad=True)
    found = works(viz.step((x**2 + b).sum()))
    assert found["PowBackward0"][:2] == [
        "[0]  6 = 1 × 2 × 3^(2 − 1)",
        "[1]  1 = 1 × 2 × 0.5^(2 − 1)",
    ]
    assert found["AddBackward0"][-1] == "2 = 1 × 1 + 1 × 1"


def test_what_arrives_twice_is_added_up(works: Any) -> None:
    x = mg.tensor([3.0, 1.0], requires_grad=True)
    found = works(viz.step((x * x).sum()))
    assert "[0]  6 = 3 + 3" in found["MulBackward0"]


def test_what_is_not_certain_is_not_said(works: Any) -> None:
    """A rule that says something else than the node does, and one that is not understood."""
    x = mg.tensor([3.0, 1.0], requires_grad=True)
    stepper = viz.step((x.tanh().softmax(0) * mg.tensor([1.0, 2.0])).sum())
    for node in stepper.payload["nodes"]:
        if node["name"] == "TanhBackward0":
            node["rule"] = node["rule"].replace("<mn>2</mn>", "<mn>3</mn>")
    stepper.payload = dict(stepper.payload)
    found = works(stepper)
    assert list(equations(found["TanhBackward0"])) == []
    assert list(equations(found["SoftmaxBackward0"])) == []
    assert len(found["SoftmaxBackward0"]) == 2  # each with its number in full


def test_letters_and_their_tensors_light_up_together(page: Any, tmp_path: Path) -> None:
    x = mg.tensor([3.0, 1.0], requires_grad=True)
    file = viz.step((x * x.exp()).sum()).to_html(tmp_path / "page.html")
    page.goto(f"{file.as_uri()}#step=3")
    page.locator(".stepper").wait_for()
    letters = page.locator(".rule .letter").all_text_contents()
    assert letters == ["a¯", "g", "b", "b¯", "g", "a"]
    page.locator(".rule .letter").nth(2).hover()
    lit = page.locator(".item.lit")
    assert lit.count() == 1
    assert "other" in lit.inner_text()


def test_numbers_are_reached_by_keyboard(page: Any, tmp_path: Path) -> None:
    x = mg.tensor([[3.0, 1.0], [2.0, 4.0]], requires_grad=True)
    file = viz.step((x * 2).sum()).to_html(tmp_path / "page.html")
    page.goto(f"{file.as_uri()}#step=3")
    page.locator(".stepper").wait_for()
    page.locator(".side:last-child td[data-flat]").first.focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    assert page.locator(".work").inner_text() == "[1, 1]  2 = 1 × 2"
    assert page.locator(".position").inner_text().startswith("3 ")  # no step was made
    page.keyboard.press("Escape")
    assert page.locator(".work").text_content() == ""
