"""The learner's engine under the stepper, after every chapter, right and wrong: what is shown is
what it did, and looking on changes nothing.
"""

import minigrad_viz as viz
import numpy as np
import pytest
from minigrad_lessons.engine import after, chapters
from minigrad_lessons.engine.wrong import WRONG, wrong_engine

from tests.speaking import speaking


def built(engine):
    asks = (True,) if hasattr(engine, "no_grad") else ()
    a, b = engine.Tensor(2.0, *asks), engine.Tensor(3.0, *asks)
    h = a * b
    if hasattr(h, "retain_grad"):
        h.retain_grad()
    return a, b, h, (h + a) * h


def numbers(result):
    g = result.grad
    return None if g is None else float(g.data if hasattr(g, "grad_fn") else g)


ENGINES = [*sorted(chapters()), *WRONG]


def engine_of(which):
    return wrong_engine(which) if isinstance(which, str) else after(which)


@pytest.mark.parametrize("which", ENGINES)
def test_recording_changes_nothing(which):
    alone = built(engine_of(which))
    alone[-1].backward()
    a, b, h, f = built(engine_of(which))
    stepper = viz.step(f)
    assert stepper.error is None
    assert [*map(numbers, (a, b, h, f))] == [*map(numbers, alone)]
    events, values = stepper.payload["events"], stepper.payload["values"]
    owners = {node["owner"]: node["name"] for node in stepper.payload["nodes"] if "owner" in node}
    last = {
        owners[event["node"]]: values[event["after"]]["data"]
        for event in events
        if event["kind"] == "leaf_gradient"
    }
    assert {name: data[0] for name, data in last.items()} == {"a": numbers(a), "b": numbers(b)}
    right = which not in ("without_order", "overwrites")
    assert [numbers(a), numbers(b)] == [48.0, 28.0] or not right
    assert bool([event for event in events if event.get("no_sum")]) == (which == "overwrites")


@pytest.mark.parametrize("which", ENGINES)
def test_freed_values_and_second_pass_error(which):
    _, _, _, f = built(engine_of(which))
    first, second = viz.step(f), viz.step(f)
    freed = [event for event in first.payload["events"] if event["kind"] == "free"]
    if which in (2, 3, "never_frees"):
        assert not freed and second.error is None
        return
    assert len(freed) == 2
    assert "MulBackward0 has freed what it saved" in str(second.error)
    assert second.payload["events"][-1]["kind"] == "error"


def test_change_of_saved_tensor_ends_pass():
    for which in (5, 6, 7, 8, 12):
        engine = after(which)
        w, x = engine.Tensor(2.0, True), engine.Tensor(3.0)
        y = w * x
        x.add_(1.0)
        assert "saved[1] (changed)" in viz.draw(y).text
        stepper = viz.step(y)
        assert "is at version 1; expected version 0" in str(stepper.error)


def test_undoing_a_broadcast_is_a_step():
    engine = after(11)
    bias = engine.Tensor([1.0, 2.0], True)
    y = (engine.Tensor(np.ones((3, 2))) + bias).sum()
    stepper = viz.step(y)
    (reduced,) = [event for event in stepper.payload["events"] if event["kind"] == "reduce"]
    assert [stepper.payload["values"][reduced[key]]["shape"] for key in ("before", "after")] == [
        [3, 2],
        [2],
    ]


def test_gradient_with_graph_is_stepped():
    engine = after(10)
    x = engine.Tensor(10.0, True)
    (x**3).backward(create_graph=True)
    first, x.grad = x.grad, None
    stepper = viz.step(first)
    assert float(x.grad.data) == 60.0
    assert "x.grad" in str(stepper)
    y = x**3
    viz.step(y, create_graph=True, keep_grad=False)
    assert float(x.grad.data) == 60.0
    assert "PowBackward0" in viz.draw(y).svg


@pytest.mark.parametrize("which", ENGINES)
def test_it_is_drawn(which):
    _, _, _, f = built(engine_of(which))
    for language in ("en", "zh"):
        with speaking(language):
            assert viz.draw(f).svg
            assert viz.draw(f).text
