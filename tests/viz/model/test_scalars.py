"""The numbers that a node saves besides tensors, and the letters of its rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.model.rules import rule_of
from minigrad_viz.model.scalars import letters_of, scalar_text, scalars_of

import minigrad as mg

HELD: dict[str, tuple[Callable[[Any, Any], Any], dict[str, str]]] = {
    "pow": (lambda mt, x: x**3, {"n": "exponent = 3"}),
    "add": (lambda mt, x: mt.add(x, x, alpha=0.5), {"α": "alpha = 0.5"}),
    "sum": (lambda mt, x: x.sum(1), {"": "dim = (1,)"}),
    "softmax": (lambda mt, x: mt.softmax(x, -1), {"": "dim = -1"}),
    "leaky": (lambda mt, x: mt.nn.functional.leaky_relu(x, 0.1), {"s": "negative_slope = 0.1"}),
    "elu": (lambda mt, x: mt.nn.functional.elu(x, 1.5), {"α": "alpha = 1.5", "s": "scale = 1"}),
    "clamp": (lambda mt, x: x.clamp(-1, 2.5), {"l": "min = -1", "h": "max = 2.5"}),
    "plain": (lambda mt, x: x.exp(), {}),
}


@pytest.mark.parametrize("library", ["minigrad", "torch"])
@pytest.mark.parametrize("name", HELD)
def test_numbers_of_a_node(library: str, name: str) -> None:
    mt = mg if library == "minigrad" else pytest.importorskip("torch")
    compute, expected = HELD[name]
    x = mt.tensor([[1.0, -2.0], [0.5, 3.0]], requires_grad=True)
    found = scalars_of(compute(mt, x).grad_fn)
    assert {s.letter: f"{s.name} = {scalar_text(s.value)}" for s in found} == expected
    for scalar in found:
        assert scalar.letter in rule_of(compute(mt, x).grad_fn).replace(r"\alpha", "α")


@pytest.mark.parametrize("library", ["minigrad", "torch"])
def test_no_saved_tensor_is_unpacked(library: str) -> None:
    mt = mg if library == "minigrad" else pytest.importorskip("torch")
    unpacked = []
    x = mt.tensor([1.0, 2.0], requires_grad=True)
    with mt.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: unpacked.append(t) or t):
        y = x**3
    assert scalars_of(y.grad_fn)
    assert unpacked == []


@pytest.mark.parametrize(
    ("compute", "expected"),
    [
        (lambda x: x * x, {"a": "self", "b": "other", "y": "result"}),
        (lambda x: x @ x, {"A": "self", "B": "mat2", "y": "result"}),
        (lambda x: mg.addmm(x, x, x), {"C": "self", "A": "mat1", "B": "mat2", "y": "result"}),
        (lambda x: x.tanh(), {"a": "self", "y": "result"}),
        (lambda x: mg.linalg.solve(x, x), {}),  # its rule begins with another input
        (lambda x: mg.cat([x, x]), {}),
    ],
)
def test_letters_of_the_rule(compute: Callable[[Any], Any], expected: Any) -> None:
    x = mg.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)
    assert dict(letters_of(compute(x).grad_fn)) == expected


def test_transcript_has_count_and_exponent() -> None:
    x = mg.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
    text = viz.step((x**3).mean(0).sum()).text
    assert "with        exponent = 3" in text
    assert "with        dim = (0,), n = 2" in text


@pytest.mark.parametrize(
    ("compute", "expected"),
    [
        (lambda x, t: mg.nn.functional.mse_loss(x, t), "reduction = 1, n = 6"),
        (lambda x, t: mg.nn.functional.mse_loss(x, t, reduction="sum"), "reduction = 2, n = 1"),
        (lambda x, t: x.var(), "n = 6, correction = 1"),
        (lambda x, t: x.std(1, correction=0).sum(), "correction = 0, dim = (1,), n = 3"),
    ],
)
def test_divisors_of_losses_and_variances(
    compute: Callable[[Any, Any], Any], expected: str
) -> None:
    x = mg.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]], requires_grad=True)
    assert f"with        {expected}\n" in viz.step(compute(x, mg.ones(2, 3))).text
