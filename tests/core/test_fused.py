"""The fused formula of softmax cross-entropy equals the plain ones, and steps aside where anything
else has its hand in the gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minigrad as mg
from minigrad.ops import activations, cross_entropy

F = mg.nn.functional


def scores(dtype: Any = mg.float64) -> Any:
    values = np.random.default_rng(0).normal(size=(6, 5)) * 3
    return mg.tensor(values.tolist(), dtype=dtype, requires_grad=True)


TARGET = mg.tensor([0, 4, 2, 2, 1, 3])


def plain(x: Any, **options: Any) -> Any:
    return F.nll_loss(F.log_softmax(x, 1), TARGET, **options)


def fused(x: Any, **options: Any) -> Any:
    return F.cross_entropy(x, TARGET, **options)


def gradient(loss: Any, **options: Any) -> Any:
    x = scores()
    value = loss(x, **options)
    value.backward(mg.linspace(1.0, 2.0, 6, dtype=mg.float64) if value.ndim else None)
    return value.tolist(), x.grad.tolist()


WAYS = [
    {},
    {"reduction": "sum"},
    {"reduction": "none"},
    {"ignore_index": 2},
    {"weight": mg.tensor([0.5, 1.0, 2.0, 0.0, 3.0], dtype=mg.float64)},
]


@pytest.fixture
def plain_runs(monkeypatch: Any) -> list[str]:
    """A note for each time that log_softmax's own formula has run."""
    runs: list[str] = []
    node = activations.LogSoftmaxBackward0
    backward = node.backward

    def noted(ctx: Any, g: Any) -> Any:
        runs.append(ctx.name())
        return backward(ctx, g)

    monkeypatch.setattr(node, "backward", noted)
    return runs


@pytest.mark.parametrize("options", WAYS, ids=str)
def test_equals_the_plain_formulas(options: Any) -> None:
    mine, theirs = gradient(fused, **options), gradient(plain, **options)
    np.testing.assert_allclose(mine[0], theirs[0], rtol=1e-13)
    np.testing.assert_allclose(mine[1], theirs[1], rtol=1e-12, atol=1e-15)


def test_the_graph_is_the_same() -> None:
    for loss in (fused, plain):
        node = loss(scores()).grad_fn
        assert node.name() == "NllLossBackward0"
        assert node.next_functions[0][0].name() == "LogSoftmaxBackward0"
        assert type(node._saved_self) is mg.Tensor


def ordinary(x: Any) -> None:
    fused(x).backward()


def twice(x: Any) -> None:
    loss = fused(x)
    loss.backward(retain_graph=True)
    loss.backward()


def hook_on_the_loss(x: Any) -> None:
    loss = fused(x)
    loss.register_hook(lambda g: g * 2)
    loss.backward()


def hook_on_the_scores(x: Any) -> None:
    loss = fused(x)
    loss.grad_fn.next_functions[0][0].register_prehook(lambda gs: (gs[0] * 2,))
    loss.backward()


def hook_after_the_loss(x: Any) -> None:
    loss = fused(x)
    loss.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * 2,))
    loss.backward()


def scores_used_again(x: Any) -> None:
    loss = fused(x)
    (loss + loss.grad_fn._saved_self.sum()).backward()


def create_graph(x: Any) -> None:
    (g,) = mg.autograd.grad(fused(x), x, create_graph=True)
    (g * g).sum().backward()


def recorded(x: Any) -> None:
    with mg.autograd.record():
        fused(x).backward()


def captured(x: Any) -> None:
    loss = fused(x)
    edge = mg.autograd.graph.GradientEdge(loss.grad_fn.next_functions[0][0], 0)
    between, g = mg.autograd.grad(loss, [edge, x])
    x.grad = g + between


CASES = {
    ordinary: 0,
    twice: 0,
    hook_on_the_loss: 1,
    hook_on_the_scores: 1,
    hook_after_the_loss: 1,
    scores_used_again: 1,
    create_graph: 2,
    recorded: 1,
    captured: 1,
}
"""Programs, and how often the formula of its own has to run in each."""


@pytest.mark.parametrize("program", CASES, ids=lambda program: program.__name__)
def test_steps_aside(program: Any, plain_runs: list[str], monkeypatch: Any) -> None:
    x = scores()
    program(x)
    assert len(plain_runs) == CASES[program]
    y = scores()
    monkeypatch.setattr(cross_entropy, "applies", lambda *_: False)
    program(y)
    np.testing.assert_allclose(x.grad.tolist(), y.grad.tolist(), rtol=1e-12, atol=1e-15)


def test_saved_scores_must_not_change() -> None:
    x = scores()
    loss = fused(x)
    loss.grad_fn._saved_self.detach().add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
