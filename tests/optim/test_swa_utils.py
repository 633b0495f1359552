"""swa_utils: averages of models, and the schedule for them, agree with PyTorch's."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.parity import caught, same

AVERAGES: dict[str, Any] = {
    "mean": lambda S: {},
    "mean of one": lambda S: {"avg_fn": S.get_swa_avg_fn()},
    "means of lists": lambda S: {"multi_avg_fn": S.get_swa_multi_avg_fn()},
    "moving": lambda S: {"avg_fn": S.get_ema_avg_fn(0.5)},
    "moving lists": lambda S: {"multi_avg_fn": S.get_ema_multi_avg_fn(0.5), "use_buffers": True},
    "own": lambda S: {"avg_fn": lambda average, value, count: (average + value) * count},
}


def model_of(T: Any) -> Any:
    return T.nn.Sequential(T.nn.Linear(3, 4), T.nn.BatchNorm1d(4), T.nn.Linear(4, 1))


@pytest.mark.parametrize("name", AVERAGES)
def test_averaged_model(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        swa = T.optim.swa_utils
        model = model_of(T)
        optimizer = T.optim.SGD(model.parameters(), lr=0.1)
        averaged = swa.AveragedModel(model, **AVERAGES[name](swa))
        data = [T.randn(5, 3) for _ in range(4)]
        for x in data:
            optimizer.zero_grad()
            model(x).square().sum().backward()
            optimizer.step()
            averaged.update_parameters(model)
        before = copy.deepcopy(averaged.state_dict())
        swa.update_bn([[x] for x in data], averaged)
        print(averaged)
        norm = averaged.module[1]
        return dict(before), norm.running_mean, norm.momentum, averaged(data[0]), model.training

    same(torch, program)


@pytest.mark.parametrize("strategy", ["cos", "linear"])
@pytest.mark.parametrize("epochs", [0, 3])
def test_rate_moves_to_the_rate_of_averages(torch: Any, strategy: str, epochs: int) -> None:
    def program(T: Any) -> Any:
        optimizer = T.optim.SGD([T.ones(1, requires_grad=True)], lr=0.1)
        decay = T.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
        swa = T.optim.swa_utils.SWALR(optimizer, 0.5, epochs, strategy)
        rates = []
        for step in range(8):
            optimizer.step()
            (decay if step < 2 else swa).step()
            rates.append(optimizer.param_groups[0]["lr"])
        state = swa.state_dict()
        swa.load_state_dict(state)
        return rates, swa.last_epoch, sorted(state)

    same(torch, program)


REFUSED: dict[str, Any] = {
    "decay": lambda T: T.optim.swa_utils.get_ema_avg_fn(1.5),
    "decay of lists": lambda T: T.optim.swa_utils.get_ema_multi_avg_fn(-1),
    "two averages": lambda T: T.optim.swa_utils.AveragedModel(
        model_of(T), avg_fn=max, multi_avg_fn=max
    ),
    "strategy": lambda T: T.optim.swa_utils.SWALR(T.optim.SGD([T.ones(1)]), 0.1, 3, "cubic"),
    "epochs": lambda T: T.optim.swa_utils.SWALR(T.optim.SGD([T.ones(1)]), 0.1, -3),
    "rates": lambda T: T.optim.swa_utils.SWALR(T.optim.SGD([T.ones(1)]), [0.1, 0.2]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        return caught(lambda: REFUSED[name](T))

    same(torch, program)
