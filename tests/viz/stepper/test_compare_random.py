"""Random programs side by side: with themselves, where nothing may differ, and with each other."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any

import minigrad_viz as viz
from hypothesis import HealthCheck, assume, given, settings

import minigrad as mg
from tests.programs.random_programs import Interpreter, Step, programs


def result(program: list[Step]) -> Any:
    """Return the program's last value at which a backward pass can begin, or None."""
    interpreter = Interpreter(mg)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for place, one in enumerate(program):
            interpreter.guarded(str(place), lambda one=one: interpreter.step(one))
    for x in reversed(interpreter.variables):
        # A view may be lost: its base has been written to, and it is one of several.
        with contextlib.suppress(RuntimeError):
            if x.requires_grad and not x.is_leaf:
                return x.sum()
    return None


def check(both: viz.Comparison) -> None:
    """Every step of both stands in one row, in its order; and what is marked is there."""
    for side, payload in enumerate(both.payload["passes"]):
        steps = [row["steps"][side] for row in both.payload["rows"]]
        assert [step for step in steps if step is not None] == list(range(len(payload["steps"])))
        assert {*both.payload["marks"][side]} <= {node["id"] for node in payload["nodes"]}
    assert len(both.sentences) == len(set(both.sentences)) >= 2


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs, programs)
def test_random_programs(one: list[Step], other: list[Step]) -> None:
    first = result(one)
    assume(first is not None)
    same = viz.compare(result, one, one, titles=("a", "b"))
    check(same)
    assert same.differ is None
    assert not any(same.payload["marks"])
    if result(other) is not None:
        check(viz.compare(result, one, other, titles=("a", "b")))
