"""Formulas that overwrite unneeded arrays equal the plain ones, which run on shared gradients.

They are the formulas of softmax cross-entropy, which is fused, and of tanh.
"""

from __future__ import annotations

import tracemalloc
import warnings
from typing import Any

import numpy as np
import pytest

import minigrad as mg
from minigrad.ops.neural import cross_entropy
from minigrad.ops.pointwise import activations
from tests.parity import same

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
    """A note for each time that log_softmax's gradient was computed from a dense matrix."""
    runs: list[str] = []

    def note(place: Any, name: str) -> None:
        formula = getattr(place, name)

        def noted(*args: Any) -> Any:
            runs.append(name)
            return formula(*args)

        monkeypatch.setattr(place, name, noted)

    note(activations.LogSoftmaxBackward0, "backward")
    note(cross_entropy, "dense_gradient")
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


def in_anomaly_mode(x: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with mg.autograd.detect_anomaly():
            fused(x).backward()


def captured(x: Any) -> None:
    loss = fused(x)
    edge = mg.autograd.graph.GradientEdge(loss.grad_fn.next_functions[0][0], 0)
    between, g = mg.autograd.grad(loss, [edge, x])
    x.grad = g + between


def asked_in_a_hook(x: Any) -> None:
    loss = fused(x)
    found = []
    x.register_hook(lambda g: found.append(loss.grad_fn(mg.tensor(1.0, dtype=g.dtype))))
    loss.backward(retain_graph=True)
    x.grad += found[0]


CASES = {
    ordinary: 0,
    twice: 0,
    hook_on_the_loss: 1,
    hook_on_the_scores: 1,
    hook_after_the_loss: 1,
    scores_used_again: 1,
    create_graph: 2,
    recorded: 0,
    in_anomaly_mode: 0,
    captured: 1,
    asked_in_a_hook: 0,
}
"""Programs, and how often the dense gradient is computed in each: never for observers alone."""


@pytest.mark.parametrize("program", CASES, ids=lambda program: program.__name__)
def test_fused_path_runs_where_it_applies(
    program: Any, plain_runs: list[str], monkeypatch: Any
) -> None:
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


def test_gradient_reuses_saved_memory() -> None:
    """The memory has no room for another matrix of its size, forward or backward."""
    x = mg.zeros(1000, 100).requires_grad_()
    target = mg.zeros(1000, dtype=mg.int64)
    tracemalloc.start()
    try:
        F.cross_entropy(x, target).backward()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1.5 * x.nbytes


@pytest.mark.parametrize("far", [-200.0, -np.inf, np.nan])
def test_scores_without_exponential_use_plain_path(far: float, plain_runs: list[str]) -> None:
    found = []
    for loss in (fused, plain):
        x = mg.zeros(6, 5)
        x[3, 1] = far
        x.requires_grad_()
        value = loss(x)
        kept = value.grad_fn._saved_self.tolist()
        value.backward()
        found.append((kept, value.tolist(), x.grad.tolist()))
    for mine, theirs in zip(*found, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert len(plain_runs) == 2


def test_scores_are_shown_as_logarithm() -> None:
    loss, x = fused(scores()), scores()
    shown = loss.grad_fn._saved_self
    assert shown.data_ptr() == loss.grad_fn.next_functions[0][0]._saved_result.data_ptr()
    np.testing.assert_allclose(shown.tolist(), F.log_softmax(x, 1).tolist(), rtol=1e-13)


def test_a_target_must_not_change() -> None:
    target = mg.tensor([0, 1])
    loss = F.cross_entropy(mg.zeros(2, 3, requires_grad=True), target)
    target.fill_(0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_referenced_scores_stay() -> None:
    for hold in (lambda t: t, lambda t: t.detach(), lambda t: t[0], lambda t: t.detach().numpy()):
        x = scores()
        loss = fused(x)
        held = hold(loss.grad_fn._saved_self)
        before = held.tolist()
        loss.backward()
        assert held.tolist() == before
        np.testing.assert_allclose(x.grad.tolist(), gradient(fused)[1], rtol=1e-12, atol=1e-15)


# --- tanh, whose gradient is computed in the memory of the gradient that arrives


def leaf(T: Any) -> Any:
    return T.tensor([[-1.0, 0.5], [2.0, 0.0]], requires_grad=True)


def alone(T: Any) -> Any:
    x = leaf(T)
    (T.tanh(x * 2) * 3).sum().backward()
    return x.grad


def beside_another_user_of_its_gradient(T: Any) -> Any:
    x, z = leaf(T), leaf(T)
    ((T.tanh(x) + z) * 3).sum().backward()
    return x.grad, z.grad


def gradient_kept_above(T: Any) -> Any:
    x = leaf(T)
    y = T.tanh(x)
    z = y + 0
    seen = []
    z.register_hook(seen.append)
    (z * 3).sum().backward()
    return seen, x.grad


def gradient_retained(T: Any) -> Any:
    x = leaf(T)
    y = T.tanh(x)
    y.retain_grad()
    (y * 3).sum().backward()
    return y.grad, x.grad


def post_hook_of_its_own(T: Any) -> Any:
    x = leaf(T)
    y = T.tanh(x)
    seen = []
    y.grad_fn.register_hook(lambda inputs, outputs: seen.extend([*inputs, *outputs]))
    (y * 3).sum().backward()
    return seen


def gradient_given_by_the_user(T: Any) -> Any:
    x = leaf(T)
    g = T.full((2, 2), 3.0)
    T.tanh(x).backward(g)
    return g, x.grad


def gradient_asked_for_as_well(T: Any) -> Any:
    x = leaf(T)
    y = T.tanh(x)
    return T.autograd.grad((y * 3).sum(), [y, x])


def walked_twice(T: Any) -> Any:
    x = leaf(T)
    z = (T.tanh(x) * 3).sum()
    z.backward(retain_graph=True)
    z.backward()
    return x.grad


def expanded_gradient(T: Any) -> Any:
    x = leaf(T)
    T.tanh(x).sum().backward()
    return x.grad


def half_precision_is_rounded_once(T: Any) -> Any:
    x = T.linspace(-3, 3, 50).half().requires_grad_()
    (T.tanh(x) * T.linspace(0.3, 1.7, 50).half()).sum().backward()
    return [value.hex() for value in x.grad.tolist()]


def second_order(T: Any) -> Any:
    x = leaf(T)
    (g,) = T.autograd.grad((T.tanh(x) * 3).sum(), x, create_graph=True)
    (g * g).sum().backward()
    return x.grad


OVERWRITING = [
    alone,
    beside_another_user_of_its_gradient,
    gradient_kept_above,
    gradient_retained,
    post_hook_of_its_own,
    gradient_given_by_the_user,
    gradient_asked_for_as_well,
    walked_twice,
    expanded_gradient,
    half_precision_is_rounded_once,
    second_order,
]


@pytest.mark.parametrize("program", OVERWRITING, ids=lambda program: program.__name__)
def test_visible_memory_is_not_overwritten(torch: Any, program: Any) -> None:
    same(torch, program)


def test_tanh_overwrites_unshared_gradient() -> None:
    """A large gradient, in blocks, without memory for another of its size."""
    x = mg.linspace(-2, 2, 2_000_000).requires_grad_()
    loss = (mg.tanh(x) * 3).sum()
    tracemalloc.start()
    try:
        loss.backward()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1.5 * x.nbytes
    slope = 3 * (1 - np.tanh(x.detach().numpy()) ** 2)
    np.testing.assert_allclose(x.grad.numpy(), slope, rtol=1e-5, atol=1e-6)
