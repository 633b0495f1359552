"""Nudge: the program runs again with one number moved, and everything else stays as it was."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import numpy as np
import pytest
from minigrad_viz.stepper.nudge import SIZES

from tests.speaking import speaking

WRITTEN = """
import {library} as lib
import minigrad_viz as viz
x = lib.tensor([3.0, 1.0], requires_grad=True)
{more}
y = (x * x * lib.rand(2)).sum()
stepper = viz.step(y)
lib.zeros(1).add_(1)
"""


def run(tmp_path: Path, library: Any, more: str = "") -> Any:
    file = tmp_path / "program.py"
    file.write_text(WRITTEN.format(library=library.__name__, more=more), encoding="utf-8")
    scope: dict[str, Any] = {"__name__": "program"}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), scope)
    return scope["stepper"]


def test_push_shows_promise_and_truth(lib: Any) -> None:
    x = lib.tensor([3.0, -1.0], requires_grad=True)
    stepper = viz.step(lambda: (x * x).sum(), names={"x": x})
    found = stepper.nudge("x", 0, by=0.5)
    assert found[:6] == ("x", (0,), 0.5, 6.0, 10.0, 13.25)
    assert (found.promise, found.truth, found.rest) == (3.0, 3.25, 0.25)
    assert repr(stepper.nudge("x", (1,), by=1)) == (
        "x[1] pushed by 1: the gradient promises -2, the result moves by -1, the rest is 1."
    )
    assert x.tolist() == [3.0, -1.0] and x._version == 0
    assert x.grad.tolist() == [6.0, -2.0]


def test_place_in_matrix_has_indices(lib: Any) -> None:
    w = lib.ones(2, 3, requires_grad=True)
    stepper = viz.step(lambda: (w * w).sum(), names={"w": w})
    assert stepper.nudge("w", 5)[:2] == stepper.nudge("w", (1, 2))[:2] == ("w", (1, 2))
    for place in ((2, 0), (0,), 6):
        with pytest.raises(ValueError, match="w has 6 numbers"):
            stepper.nudge("w", place)
    with pytest.raises(ValueError, match="gave one to w"):
        stepper.nudge("v", (0,))


def test_buffers_in_list_are_kept(lib: Any) -> None:
    x = lib.tensor([[1.0], [3.0]], requires_grad=True)
    layers = [lib.nn.BatchNorm1d(1)]
    stepper = viz.step(lambda: (layers[0](x) * x).sum(), names={"x": x})
    mean = layers[0].running_mean.item()
    stepper.nudge("x", (1, 0))
    assert layers[0].running_mean.item() == mean


def test_weighted_results_are_summed(lib: Any) -> None:
    x = lib.tensor([3.0, 1.0], requires_grad=True)
    stepper = viz.step(lambda: x * x, lib.tensor([1.0, 10.0]), names={"x": x})
    assert stepper.nudge("x", 1, by=1)[3:6] == (20.0, 19.0, 49.0)


def test_same_numbers_are_drawn_again(lib: Any) -> None:
    lib.manual_seed(5)
    x = lib.ones(64, requires_grad=True)
    dropout = lib.nn.Dropout(0.5)

    def program() -> Any:
        drawn = 1 + random.random() + np.random.rand()  # noqa: NPY002
        return (dropout(x) * (1 + lib.rand(64)) * drawn).sum()

    stepper = viz.step(program, names={"x": x})
    state = lib.get_rng_state().tolist(), random.getstate()
    kept = int(np.flatnonzero(np.array(x.grad.tolist()))[0])
    found = stepper.nudge("x", kept, by=0.5)
    assert found.truth == pytest.approx(found.promise, rel=1e-3) and found.truth > 0.9
    assert (lib.get_rng_state().tolist(), random.getstate()) == state


def test_buffers_of_modules_stay(lib: Any) -> None:
    norm = lib.nn.BatchNorm1d(2)
    x = lib.tensor([[1.0, 2.0], [4.0, 3.0]], requires_grad=True)
    stepper = viz.step(lambda: (norm(x) ** 3).sum(), names={"x": x})
    before = [b.tolist() for b in norm.buffers()]
    stepper.nudge("x", (0, 1))
    assert [b.tolist() for b in norm.buffers()] == before


def test_written_program_is_run_again(lib: Any, tmp_path: Path) -> None:
    lib.manual_seed(1)
    stepper = run(tmp_path, lib, "lib.manual_seed(2)")
    found = stepper.nudge("x", 1, by=0.25)
    assert found.truth == pytest.approx(found.promise * 1.125, rel=1e-4)


REFUSED = [
    ("x.data[0] = 2.0", "line 5, `x.data[0] = 2.0`, would change something a second time"),
    ("x.detach().mul_(2)", "line 5, `x.detach().mul_(2)`, would change something"),
    ("n = 1; n += 1", "line 5, `n += 1`, would change something a second time"),
]


@pytest.mark.parametrize(("more", "said"), REFUSED)
def test_program_with_effects_is_refused(lib: Any, tmp_path: Path, more: str, said: str) -> None:
    with pytest.raises(ValueError, match=r"^The program is not run again") as refused:
        run(tmp_path, lib, more).nudge("x")
    assert said in str(refused.value)


def test_program_with_other_draws_is_refused(lib: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"Run again, the program gives .* and no longer"):
        run(tmp_path, lib).nudge("x")


def test_refusals_are_sentences(lib: Any) -> None:
    x = lib.tensor([3.0], requires_grad=True)
    within = viz.step(x * x, names={"x": x})
    made = viz.step(lambda: lib.ones(1, requires_grad=True) * 2)
    known = viz.step(lambda: x * x, names={"x": x})
    for stepper, place, said in (
        (within, ("x",), "computed in the function test_refusals_are_sentences"),
        (made, ("leaf 1",), "leaf 1 is made anew each time"),
        (known, ("w",), "The pass gave w no gradient; it gave one to x."),
        (known, ("x", 4), "x has 1 numbers, so there is none at place 4."),
    ):
        with pytest.raises(ValueError, match=said):
            stepper.nudge(*place)
    with speaking("zh"), pytest.raises(ValueError, match="无法重新运行"):
        viz.step(x * x, names={"x": x}).nudge("x")


def test_saved_page_contains_answers(lib: Any) -> None:
    runs = []
    x = lib.tensor([2.0, 0.0], requires_grad=True)

    def program() -> Any:
        runs.append(1)
        return (x * x).sum()

    assert "answers" in str(viz.step(program, names={"x": x}).payload["nudge"]) and runs == [1]
    data = viz.step(program, names={"x": x}, nudge=True).payload["nudge"]
    assert data["result"] == 4.0 and data["sizes"] == [*SIZES]
    first, second = data["answers"]
    assert first["gradient"] == 4.0 and second["gradient"] == 0.0
    assert second["results"] == pytest.approx([5.0, 4.01, 4.0001, 4.0001, 4.01, 5.0])
    assert len(runs) == 3 + 2 * 6


def test_at_most_64_numbers_are_pushed(lib: Any) -> None:
    x, y = lib.ones(60, requires_grad=True), lib.ones(60, requires_grad=True)
    stepper = viz.step(lambda: (x * y).sum(), names={"x": x, "y": y}, nudge=True)
    assert len(stepper.payload["nudge"]["answers"]) == 64


def test_stepper_keeps_no_variables_of_its_caller() -> None:
    import gc
    import weakref

    import minigrad as mg

    class Big:
        pass

    def program() -> Any:
        big = Big()
        x = mg.tensor(2.0, requires_grad=True)
        return viz.step(x * x), weakref.ref(big)

    stepper, big = program()
    gc.collect()
    assert stepper is not None and big() is None
