"""Leaves of a function that has returned have the names of the code that used them."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest


def layer(lib: Any) -> Any:
    x, W = lib.ones(2, 3), lib.ones(3, 2, requires_grad=True)
    b = lib.zeros(2, requires_grad=True)
    scale = lib.ones(2, requires_grad=True)
    k = 2
    return ((x @ W + b).tanh() * (k * scale)).sum()


def scalars(lib: Any) -> Any:
    w = lib.tensor(3.0, requires_grad=True)
    b = lib.tensor(1.0, requires_grad=True)
    x = lib.tensor(2.0)
    return (w * x - b) ** 2


def calls(lib: Any) -> Any:
    a, c = (lib.ones(2, 2, requires_grad=True) for _ in range(2))
    return a.mm(c).exp().sum() - (-c).sum(dim=0).mean()


def attributes(lib: Any) -> Any:
    class Own:
        def __init__(self) -> None:
            self.w = lib.ones(2, requires_grad=True)

        def compute(self) -> Any:
            return (3 - self.w).sum()

    return Own().compute()


def several(lib: Any) -> Any:
    """One variable for two leaves, and a leaf with two variables."""
    y = lib.ones(2)
    for w in [lib.ones(2, requires_grad=True) for _ in range(2)]:
        y = y * w * lib.ones(2)
    one = lib.ones(2, requires_grad=True)
    other = one
    return (one + one.exp() - other).sum() + y.sum()


def doubtful(lib: Any) -> Any:
    """Which operand is the leaf cannot be told from the code and the node."""
    number, leaves = 2, [lib.tensor(3.0, requires_grad=True)]
    (w,) = leaves
    return (number * w).sin()


FOUND = {
    layer: ["W", "b", "scale"],
    scalars: ["w", "b"],
    calls: ["a", "c"],
    attributes: ["self.w"],
    several: ["leaf 1", "leaf 2", "leaf 3"],
    doubtful: ["leaf 1"],
}


@pytest.mark.parametrize("program", FOUND, ids=lambda program: program.__name__)
def test_leaves_are_named_as_in_the_code(lib: ModuleType, program: Any) -> None:
    with viz.watch():
        result = program(lib)
    nodes = viz.draw(result).graph.nodes
    assert sorted(node.name for node in nodes if node.kind == "leaf") == sorted(FOUND[program])


def test_a_callers_name_is_not_given_twice(lib: ModuleType) -> None:
    W = lib.ones(2, requires_grad=True)
    with viz.watch():
        result = layer(lib) + W.sum()
    names = [node.name for node in viz.draw(result).graph.nodes if node.kind == "leaf"]
    assert sorted(names) == ["W", "b", "leaf 1", "scale"]


def test_given_names_are_the_only_ones(lib: ModuleType) -> None:
    with viz.watch():
        result = scalars(lib)
    names = [node.name for node in viz.draw(result, names={}).graph.nodes if node.kind == "leaf"]
    assert names == ["leaf 1", "leaf 2"]


def test_held_leaves_are_named_after_their_list(lib: ModuleType) -> None:
    layers = [lib.nn.Linear(2, 2), lib.nn.Linear(2, 2)]
    params = {"w": [lib.ones(2, requires_grad=True) for _ in range(2)]}
    out = layers[1](layers[0](params["w"][0] * params["w"][1])).sum()
    assert {n.name for n in viz.draw(out).model.nodes if n.kind == "leaf"} == {
        "params['w'][0]",
        "params['w'][1]",
        *(f"layers[{place}].{name}" for place in range(2) for name in ("weight", "bias")),
    }
