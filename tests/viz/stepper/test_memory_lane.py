"""The memory lane of the stepper: what the graph keeps, step by step."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import minigrad_viz as viz
from minigrad_viz.model.memory import recorded

import minigrad as mg


def lane(tensor: Any, **options: Any) -> Any:
    return viz.step(tensor, **options).payload.get("memory")


def test_a_step_frees_what_its_node_kept(lib: ModuleType) -> None:
    x = lib.ones(2, 3, requires_grad=True)
    y = x.exp()
    found = lane((y * y).tanh().sum(), names={"x": x, "y": y})
    # seed, sum, tanh, mul, exp, x: y is kept by two nodes, and gone with the second of them.
    assert (found["start"], found["held"]) == (48, [48, 48, 24, 24, 0, 0])
    assert found["own"] == 0
    pieces = {piece["name"]: piece for piece in found["pieces"]}
    assert (pieces["y"]["born"], pieces["y"]["freed"], pieces["y"]["bytes"]) == (-1, 4, 24)
    assert pieces["TanhBackward0.result"]["freed"] == 2


def test_with_the_forward_pass_what_is_kept_grows(lib: ModuleType) -> None:
    x = lib.ones(2, 3, requires_grad=True)
    found = lane(lambda: x.exp().tanh().sum())
    # exp, tanh, sum; seed, sum, tanh, exp, x
    assert (found["start"], found["held"]) == (0, [24, 48, 48, 48, 48, 24, 0, 0])


def test_a_graph_that_is_retained_keeps_all(lib: ModuleType) -> None:
    x = lib.ones(2, 3, requires_grad=True)
    found = lane(x.exp().tanh().sum(), retain_graph=True)
    assert set(found["held"]) == {found["start"]} == {48}
    assert all("freed" not in piece for piece in found["pieces"])


def test_leaves_are_told_apart(lib: ModuleType) -> None:
    x = lib.ones(2, 3, requires_grad=True)
    found = lane((x.exp() * x).sum())
    assert (found["start"], found["own"]) == (24, 24)
    assert lane((x * x).sum()) is None  # nothing else is kept


def test_it_is_the_curve_of_a_recording(lib: ModuleType) -> None:
    lib.manual_seed(0)
    nn = lib.nn
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
    x, y = lib.randn(5, 3), lib.zeros(5, dtype=lib.int64)

    def loss() -> Any:
        return nn.functional.cross_entropy(model(x), y)

    curve = [moment.held for moment in recorded(lambda: loss().backward(), ()).moments]
    found = lane(loss, names={"x": x, "y": y})
    # (A call of PyTorch is one step, and may be two operations.)
    assert changes(found["held"]) == changes(curve)


def changes(curve: list[int]) -> list[int]:
    """The values of a curve from its top on, each once."""
    curve = curve[curve.index(max(curve)) :]
    return [each for at, each in enumerate(curve) if at == 0 or each != curve[at - 1]]


def test_what_hooks_have_packed_is_not_guessed() -> None:
    x = mg.ones(2, 3, requires_grad=True)
    with mg.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        y = x.exp()
    assert lane(y.sum()) is None
    assert lane(y.detach().requires_grad_().exp().sum()) is not None
