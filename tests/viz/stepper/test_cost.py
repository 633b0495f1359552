"""The work of one step, counted in calls of our own Python functions: the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import minigrad_viz as viz

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
