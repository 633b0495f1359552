"""The work of one step, counted in calls of our own Python functions: the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.stepper import payload_builder

import minigrad as mg

PACKAGES = tuple(str(Path(str(package.__file__)).parent) for package in (mg, viz))


def our_calls(function: Callable[[], object]) -> int:
    """How many calls of functions in our packages `function` makes."""
    count = 0

    def at_event(frame: FrameType, event: str, value: Any) -> None:
        nonlocal count
        count += event == "call" and frame.f_code.co_filename.startswith(PACKAGES)

    before = sys.getprofile()
    sys.setprofile(at_event)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count


def three_operations() -> Any:
    a, W = mg.ones(2, 3, requires_grad=True), mg.ones(3, 4, requires_grad=True)
    return (a @ W).tanh().mean()


def test_step_makes_few_python_calls() -> None:
    viz.step(three_operations())  # loads modules and fills caches
    loss = three_operations()
    calls = our_calls(lambda: viz.step(loss))
    assert 500 < calls <= 4_000


def chain(operations: int) -> Any:
    y = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    for _ in range(operations // 2):
        y = (y * 1.001).tanh()
    return y.sum()


def test_operation_of_a_step_costs_few_calls() -> None:
    viz.step(chain(20))
    small, large = (our_calls(lambda n=n: viz.step(chain(n))) for n in (100, 300))
    assert (large - small) / 200 < 400


def test_pictures_are_drawn_when_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    draw = payload_builder.illustrated
    monkeypatch.setattr(
        payload_builder, "illustrated", lambda *args: (drawn.append(1), draw(*args))[1]
    )
    stepper = viz.step(chain(4))
    assert "TanhBackward0" in stepper.text and len(stepper.changed) == 1
    both = viz.compare(lambda n: chain(n), 4, 6)
    assert both.sentences and drawn == []
    assert "image/svg+xml" in stepper._repr_mimebundle_()[0] and drawn == [1]
    assert stepper.html and stepper.payload["steps"] and drawn == [1]
    large = viz.step(chain(300))  # no picture of it stands in a page
    assert large.html and "image/svg+xml" not in large._repr_mimebundle_()[0] and drawn == [1]


def test_page_of_many_operations_is_small(tmp_path: Path) -> None:
    sizes = [viz.step(chain(n)).save(tmp_path / f"{n}.html").stat().st_size for n in (100, 600)]
    assert (sizes[1] - sizes[0]) / 500 < 300  # bytes of an operation
