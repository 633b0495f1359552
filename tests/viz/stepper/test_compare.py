"""compare(program, one, other): two recorded passes side by side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_lessons.engine.wrong import right_engine, wrong_engine

import minigrad as mg


def program(lib: Any) -> Any:
    a = lib.tensor(1.0, requires_grad=True)
    b = a + a
    c = b + b
    return c


def test_where_they_part() -> None:
    both = viz.compare(program, right_engine(), wrong_engine("without_order"))
    assert both.differ == 2
    right, wrong = both.steppers
    assert right.changed == wrong.changed == ("a",)
    assert "a.grad      None -> 4" in str(right)
    assert "a.grad      1 + 1 = 2" in str(wrong)
    assert both.text == "\n\n".join(
        [
            f"right_engine: {right}",
            f"without_order: {wrong}",
            "They differ from step 2 on.",
        ]
    )
    assert repr(both) == both.text


def test_the_same_program_on_minigrad_and_pytorch(torch: Any) -> None:
    both = viz.compare(program, mg, torch)
    assert both.differ is None
    assert "differ" not in both.payload
    assert both.text.endswith("They do the same in every step.")
    assert both.payload["titles"] == ["minigrad", "torch"]


def test_a_pass_that_is_over_sooner_differs_where_it_ends() -> None:
    def settled(lib: Any) -> Any:
        x = lib.tensor(3.0, requires_grad=True)
        y = x * x
        y.backward()
        return y

    both = viz.compare(settled, right_engine(), wrong_engine("never_frees"))
    assert both.differ == 2  # the error, where the other goes on
    assert "has freed what it saved" in str(both.steppers[0].error)
    assert both.steppers[1].error is None

    def chain(length: int) -> Any:
        y = mg.tensor(3.0, requires_grad=True)
        for _ in range(length):
            y = y.exp()
        return y

    assert viz.compare(chain, 1, 1).differ is None
    assert viz.compare(chain, 1, 2).differ == 1


def test_what_is_shown_and_written(tmp_path: Path) -> None:
    both = viz.compare(
        program, right_engine(), wrong_engine("overwrites"), titles=("对", "错"), language="zh"
    )
    assert both.text.endswith("从第 2 步起，两者不同。")
    bundle, _ = both._repr_mimebundle_()
    assert bundle["text/plain"] == both.text
    assert "minigrad-output" in bundle["text/html"]
    page = both.to_html(tmp_path / "pair.html").read_text(encoding="utf-8")
    assert "<title>对 | 错</title>" in page and 'lang="zh"' in page


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (3, "compare\\(\\) needs a function"),
        (lambda: None, "cannot"),
        (lambda lib: None, "needs a tensor of minigrad or PyTorch, not a NoneType"),
    ],
)
def test_what_is_no_program(given: Callable[..., Any], says: str) -> None:
    with pytest.raises(TypeError, match=says):
        viz.compare(given, mg, mg)
