"""The scaler of gradients: its number, its states and its refusals are PyTorch's."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import pytest

import minigrad as mg
from tests.core.test_regressions import outcome
from tests.parity import caught, same


def training(T: Any) -> Any:
    net = T.nn.Linear(2, 1)
    with T.no_grad():
        net.weight.copy_(T.tensor([[0.5, -0.25]]))
        net.bias.zero_()
    optimizer = T.optim.SGD(net.parameters(), lr=0.5, momentum=0.5)
    scaler = T.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
    seen = []
    for step in range(6):
        optimizer.zero_grad()
        loss = (net(T.ones(4, 2)) * (float("inf") if step == 3 else 1.0)).sum()
        scaled = scaler.scale(loss)
        scaled.backward()
        if step % 2:
            scaler.unscale_(optimizer)
        result = scaler.step(optimizer)
        scaler.update()
        state = scaler.state_dict()
        seen.append((scaled, result, scaler.get_scale(), list(state.items()), net.weight.detach()))
    return seen


def order_of_calls(T: Any) -> Any:
    weight = T.ones(1, requires_grad=True)
    optimizer = T.optim.SGD([weight], lr=1.0)
    scaler = T.amp.GradScaler("cpu")
    seen = [
        outcome(lambda: scaler.step(optimizer)),
        outcome(scaler.update),
        outcome(lambda: scaler.unscale_(optimizer)),
        outcome(lambda: scaler.scale(3)),
    ]
    scaler.scale(weight.sum()).backward()
    seen.append(outcome(scaler.update))
    scaler.unscale_(optimizer)
    seen += [
        outcome(lambda: scaler.unscale_(optimizer)),
        outcome(lambda: pickle.dumps(scaler)),
        outcome(lambda: scaler.step(optimizer, closure=lambda: 0.0)),
        outcome(lambda: scaler.step(optimizer)),
        outcome(lambda: scaler.step(optimizer)),
        outcome(lambda: scaler.unscale_(optimizer)),
    ]
    optimizer.zero_grad()
    scaler.update()
    seen.append(outcome(lambda: scaler.step(optimizer)))
    half = T.ones(1, dtype=T.float16, requires_grad=True)
    half.grad = T.ones(1, dtype=T.float16)
    seen.append(outcome(lambda: scaler.unscale_(T.optim.SGD([half], lr=1.0))))
    return seen


def settings(T: Any) -> Any:
    scaler = T.amp.GradScaler("cpu")
    scaler.set_growth_factor(3.0)
    scaler.set_backoff_factor(0.1)
    scaler.set_growth_interval(4)
    found = [scaler.get_growth_factor(), scaler.get_backoff_factor(), scaler.get_growth_interval()]
    copy = pickle.loads(pickle.dumps(scaler))
    found += [list(copy.state_dict().items()), scaler.is_enabled()]
    several = scaler.scale([T.ones(1), (T.ones(1),)])
    scaler.update(4.0)
    found.append(scaler.get_scale())
    scaler.update(T.tensor(3.0))
    found += [several, scaler.get_scale(), outcome(lambda: scaler.update(2))]
    other = T.amp.GradScaler("cpu")
    other.scale(T.ones(1))
    other.load_state_dict(scaler.state_dict())
    found += [list(other.state_dict().items()), T.GradScaler is T.amp.GradScaler]
    found.append(outcome(lambda: T.amp.GradScaler("cpu", growth_factor=1.0)))
    found.append(outcome(lambda: T.amp.GradScaler("cpu", backoff_factor=1.0)))
    return found


def disabled(T: Any) -> Any:
    weight = T.ones(1, requires_grad=True)
    optimizer = T.optim.SGD([weight], lr=1.0)
    scaler = T.amp.GradScaler("cpu", enabled=False)
    scaler.scale(weight.sum()).backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    scaler.load_state_dict({})
    enabled = T.amp.GradScaler("cpu")
    refused = outcome(lambda: enabled.load_state_dict(scaler.state_dict()))
    return weight.detach(), scaler.get_scale(), scaler.state_dict(), scaler.scale(3), refused


def growth_that_overflows(T: Any) -> Any:
    weight = T.zeros(1, requires_grad=True)
    optimizer = T.optim.SGD([weight], lr=1.0)
    scaler = T.amp.GradScaler("cpu", init_scale=1e38, growth_factor=16.0, growth_interval=1)
    scaler.scale((weight * 1e-30).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    return scaler.get_scale()


PROGRAMS = [training, order_of_calls, settings, disabled, growth_that_overflows]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_as_torch(torch: Any, program: Any) -> None:
    same(torch, program)


def test_scaler_without_a_gpu_is_disabled() -> None:
    if mg.cuda.is_available():
        pytest.skip("there is a GPU")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        scaler = mg.amp.GradScaler()
    assert not scaler.is_enabled()
    assert ["CUDA is not available.  Disabling" in str(each.message) for each in said] == [True]


def test_autocast_says_what_to_do() -> None:
    assert "in the types that it is given" in caught(lambda: mg.autocast, "leaves it out")
