"""lr_scheduler: every schedule, its state and its warnings agree with PyTorch's."""

from __future__ import annotations

import copy
import pickle
import warnings
from functools import partial
from typing import Any

import pytest

from tests.own_words import in_our_words
from tests.parity import caught, same


class Halved:
    """A callable object: a scheduler stores its attributes."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, epoch: float) -> float:
        self.calls += 1
        return float(0.5**epoch)


def sequence(S: Any, o: Any) -> Any:
    parts = [S.ConstantLR(o, factor=0.1, total_iters=2), S.ExponentialLR(o, gamma=0.9)]
    return S.SequentialLR(o, schedulers=[*parts, S.StepLR(o, 2)], milestones=[3, 6])


def chain(S: Any, o: Any) -> Any:
    return S.ChainedScheduler([S.ConstantLR(o, factor=0.1, total_iters=2), S.ExponentialLR(o, 0.9)])


SCHEDULERS: dict[str, Any] = {
    "StepLR": lambda S, o: S.StepLR(o, step_size=3, gamma=0.5),
    "MultiStepLR": lambda S, o: S.MultiStepLR(o, [2, 5, 5], gamma=0.5),
    "ExponentialLR": lambda S, o: S.ExponentialLR(o, gamma=0.8),
    "CosineAnnealingLR": lambda S, o: S.CosineAnnealingLR(o, T_max=4, eta_min=0.01),
    "LambdaLR": lambda S, o: S.LambdaLR(o, lambda epoch: 1 / (1 + epoch)),
    "LambdaLR with objects": lambda S, o: S.LambdaLR(o, [Halved(), lambda epoch: 1.0]),
    "MultiplicativeLR": lambda S, o: S.MultiplicativeLR(o, [lambda epoch: 0.9, Halved()]),
    "ConstantLR": lambda S, o: S.ConstantLR(o, factor=0.25, total_iters=3),
    "LinearLR": lambda S, o: S.LinearLR(o, 0.2, 0.8, total_iters=6),
    "PolynomialLR": lambda S, o: S.PolynomialLR(o, total_iters=8, power=2.0),
    "CosineAnnealingWarmRestarts": lambda S, o: S.CosineAnnealingWarmRestarts(o, 2, T_mult=2),
    "CosineAnnealingWarmRestarts alike": lambda S, o: S.CosineAnnealingWarmRestarts(
        o, 3, eta_min=0.01
    ),
    "CyclicLR": lambda S, o: S.CyclicLR(o, 0.1, [0.5, 1.0], step_size_up=3),
    "CyclicLR triangular2": lambda S, o: S.CyclicLR(
        o, 0.1, 0.5, step_size_up=2, step_size_down=1, mode="triangular2", cycle_momentum=False
    ),
    "CyclicLR exp_range": lambda S, o: S.CyclicLR(
        o, 0.1, 0.5, step_size_up=2, mode="exp_range", gamma=0.9
    ),
    "CyclicLR with an object": lambda S, o: S.CyclicLR(
        o, 0.1, 0.5, step_size_up=2, scale_fn=Halved(), scale_mode="iterations"
    ),
    "OneCycleLR": lambda S, o: S.OneCycleLR(o, 1.0, total_steps=12),
    "OneCycleLR linear": lambda S, o: S.OneCycleLR(
        o, [1.0, 2.0], epochs=4, steps_per_epoch=3, anneal_strategy="linear", cycle_momentum=False
    ),
    "OneCycleLR three phases": lambda S, o: S.OneCycleLR(
        o, 1.0, total_steps=12, three_phase=True, pct_start=0.4
    ),
    "SequentialLR": sequence,
    "ChainedScheduler": chain,
}


def two_groups(T: Any, optimizer: str = "SGD", **options: Any) -> Any:
    groups = [{"params": [T.ones(1, requires_grad=True)]} for _ in range(2)]
    return getattr(T.optim, optimizer)([groups[0], {**groups[1], "lr": 0.5}], lr=0.1, **options)


def taking_steps(optimizer: Any, scheduler: Any, count: int = 11) -> list[Any]:
    rates = [scheduler.get_last_lr()]
    for _ in range(count):
        optimizer.step()
        scheduler.step()
        rates.append(scheduler.get_last_lr())
    return rates


def printable(state: Any) -> Any:
    """A state without what its library names: types and addresses."""
    if isinstance(state, dict):
        return {name: printable(value) for name, value in state.items()}
    if isinstance(state, (list, tuple)):
        return [printable(value) for value in state]
    return state if isinstance(state, (int, float, str, type(None))) else type(state).__name__


@pytest.mark.parametrize("name", SCHEDULERS)
def test_scheduler(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        optimizer = two_groups(T, momentum=0.5)
        scheduler = SCHEDULERS[name](T.optim.lr_scheduler, optimizer)
        rates = taking_steps(optimizer, scheduler)
        print(optimizer)
        state = scheduler.state_dict()
        return rates, scheduler.last_epoch if name != "ChainedScheduler" else 0, printable(state)

    same(torch, program)


@pytest.mark.parametrize("name", ["CyclicLR", "OneCycleLR"])
def test_momentum_of_adam_is_beta1(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        optimizer = two_groups(T, "Adam")
        scheduler = SCHEDULERS[name](T.optim.lr_scheduler, optimizer)
        rates = taking_steps(optimizer, scheduler, 5)
        return rates, [group["betas"] for group in optimizer.param_groups]

    same(torch, program)


@pytest.mark.parametrize("name", SCHEDULERS)
def test_scheduler_resumes_from_state(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        schedulers = T.optim.lr_scheduler
        optimizer = two_groups(T, momentum=0.5)
        scheduler = SCHEDULERS[name](schedulers, optimizer)
        taking_steps(optimizer, scheduler, 4)
        other = two_groups(T, momentum=0.5)
        resumed = SCHEDULERS[name](schedulers, other)
        other.load_state_dict(optimizer.state_dict())
        resumed.load_state_dict(copy.deepcopy(scheduler.state_dict()))
        return taking_steps(other, resumed, 5), taking_steps(optimizer, scheduler, 5)

    same(torch, program)


@pytest.mark.parametrize("name", [n for n in SCHEDULERS if n not in ("ChainedScheduler",)])
def test_step_to_an_epoch(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        optimizer = two_groups(T, momentum=0.5)
        scheduler = SCHEDULERS[name](T.optim.lr_scheduler, optimizer)
        optimizer.step()
        if name == "SequentialLR":
            return caught(lambda: scheduler.step(3)).partition(".")[0][:9]
        rates = []
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            for epoch in (1, 5, 3, 0):
                scheduler.step(epoch)
                rates.append(scheduler.get_last_lr())
        texts = {in_our_words(f"UserWarning: {each.message}") for each in seen}
        return rates, sorted(texts), scheduler.last_epoch

    same(torch, program)


def test_warm_restarts_in_fractions(torch: Any) -> None:
    def program(T: Any) -> Any:
        rates = []
        for factor in (1, 2):
            optimizer = two_groups(T)
            scheduler = T.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 2, factor)
            for step in range(20):
                scheduler.step(step / 3)
                rates.append(scheduler.get_last_lr())
        return rates, caught(lambda: scheduler.step(-1))

    same(torch, program)


PLATEAUS: dict[str, dict[str, Any]] = {
    "least": {"patience": 1},
    "most": {"mode": "max", "patience": 0},
    "absolute": {"threshold_mode": "abs", "threshold": 0.1, "patience": 1},
    "most absolute": {"mode": "max", "threshold_mode": "abs", "threshold": 0.2, "patience": 0},
    "cooldown": {"patience": 0, "cooldown": 2, "factor": 0.5},
    "bounds": {"patience": 0, "min_lr": [0.05, 0.2]},
    "small changes": {"patience": 0, "eps": 0.2},
}


@pytest.mark.parametrize("name", PLATEAUS)
def test_plateau(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        optimizer = two_groups(T)
        scheduler = T.optim.lr_scheduler.ReduceLROnPlateau(optimizer, **PLATEAUS[name])
        rates = []
        for loss in (1.0, 0.9, 0.89, 0.895, 0.895, 0.6, 0.7, 0.65, 0.5, 0.51, 0.52):
            scheduler.step(T.tensor(loss))
            rates.append([scheduler.get_last_lr(), scheduler.num_bad_epochs, scheduler.in_cooldown])
        other = T.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
        other.load_state_dict(scheduler.state_dict())
        other.step(3.0)
        return rates, printable(scheduler.state_dict()), other.get_last_lr()

    same(torch, program)


def test_plateau_after_new_group(torch: Any) -> None:
    def program(T: Any) -> Any:
        found: list[Any] = []
        for least in (0.01, [0.01, 0.02]):
            optimizer = two_groups(T)
            scheduler = T.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, min_lr=least)
            optimizer.add_param_group({"params": [T.ones(1, requires_grad=True)]})
            scheduler.step(1.0)
            if isinstance(least, float):
                scheduler.step(1.0)
                found.append(scheduler.get_last_lr())
            else:
                found.append(caught(partial(scheduler.step, 1.0)))
        return found

    same(torch, program)


@pytest.mark.parametrize("name", ["StepLR", "CosineAnnealingLR", "LinearLR", "OneCycleLR"])
def test_rate_stays_the_same_tensor(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        rate = T.tensor(0.5)
        optimizer = T.optim.SGD([T.ones(1, requires_grad=True)], lr=rate, momentum=0.5)
        scheduler = SCHEDULERS[name](T.optim.lr_scheduler, optimizer)
        rates = taking_steps(optimizer, scheduler, 4)
        return rates, optimizer.param_groups[0]["lr"] is rate, scheduler.base_lrs

    same(torch, program)


def test_warnings_about_the_order(torch: Any) -> None:
    def program(T: Any) -> Any:
        def seen(replaced: bool, early: bool, get_lr: bool = False) -> list[str]:
            optimizer = two_groups(T)
            if early:
                optimizer.step()
            scheduler = T.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
            if replaced:
                optimizer.step = lambda: None
            with warnings.catch_warnings(record=True) as found:
                warnings.simplefilter("always")
                if get_lr:
                    print(scheduler.get_lr())
                scheduler.step()
                scheduler.step()
            assert get_lr or all(each.filename == __file__ for each in found)
            return [f"{each.category.__name__}: {each.message}" for each in found]

        return [seen(*flags) for flags in ((False, False), (True, False), (False, True, True))]

    same(torch, program)


def test_no_warning_after_a_step(torch: Any) -> None:
    """Also if a subclass has its own step, and for a second scheduler."""

    def program(T: Any) -> Any:
        class Own(T.optim.SGD):  # type: ignore[name-defined,misc]
            def step(self, closure: Any = None) -> Any:
                return None

        optimizer = Own([T.ones(1, requires_grad=True)], lr=0.1)
        scheduler = T.optim.lr_scheduler.StepLR(optimizer, 1)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            optimizer.step()
            scheduler.step()
            T.optim.lr_scheduler.StepLR(optimizer, 1).step()
        return len(found), scheduler.get_last_lr()

    same(torch, program)


def single(T: Any) -> Any:
    return T.optim.SGD([T.ones(1, requires_grad=True)], lr=0.1, momentum=0.5)


def with_rmsprop(T: Any) -> Any:
    return T.optim.Adadelta([T.ones(1, requires_grad=True)])


REFUSED: dict[str, Any] = {
    "no optimizer": lambda S, T: S.StepLR(3, 1),
    "no optimizer of a plateau": lambda S, T: S.ReduceLROnPlateau(3),
    "no optimizer of a cycle": lambda S, T: S.CyclicLR(3, 0.1, 0.2),
    "no first rate": lambda S, T: S.StepLR(single(T), 2, last_epoch=3),
    "two functions": lambda S, T: S.LambdaLR(single(T), [abs, abs]),
    "no function": lambda S, T: S.MultiplicativeLR(single(T), 3),
    "constant above one": lambda S, T: S.ConstantLR(single(T), factor=1.5),
    "start at zero": lambda S, T: S.LinearLR(single(T), start_factor=0),
    "end above one": lambda S, T: S.LinearLR(single(T), end_factor=2),
    "no steps": lambda S, T: S.OneCycleLR(single(T), 1.0),
    "negative steps": lambda S, T: S.OneCycleLR(single(T), 1.0, total_steps=-3),
    "half an epoch": lambda S, T: S.OneCycleLR(single(T), 1.0, epochs=0.5, steps_per_epoch=3),
    "share above one": lambda S, T: S.OneCycleLR(single(T), 1.0, total_steps=3, pct_start=1.5),
    "another annealing": lambda S, T: S.OneCycleLR(single(T), 1.0, 3, anneal_strategy="cubic"),
    "rates for two groups": lambda S, T: S.OneCycleLR(single(T), [1.0, 2.0], 3),
    "no momentum": lambda S, T: S.OneCycleLR(with_rmsprop(T), 1.0, 3),
    "another mode": lambda S, T: S.CyclicLR(single(T), 0.1, 0.2, mode="square"),
    "restart after no epoch": lambda S, T: S.CosineAnnealingWarmRestarts(single(T), 0),
    "shorter restarts": lambda S, T: S.CosineAnnealingWarmRestarts(single(T), 2, T_mult=0),
    "least rate in words": lambda S, T: S.CosineAnnealingWarmRestarts(single(T), 2, eta_min="0"),
    "no schedulers": lambda S, T: S.SequentialLR(single(T), [], []),
    "no chain": lambda S, T: S.ChainedScheduler([]),
    "no scheduler": lambda S, T: S.SequentialLR(single(T), [3], []),
    "plateau in a chain": lambda S, T: S.ChainedScheduler([S.ReduceLROnPlateau(single(T))]),
    "two optimizers": lambda S, T: S.ChainedScheduler([S.StepLR(single(T), 1)], single(T)),
    "milestones": lambda S, T: sequence(S, single(T)) and S.SequentialLR(
        (o := single(T)), [S.StepLR(o, 1)], [3]
    ),
    "factor of a plateau": lambda S, T: S.ReduceLROnPlateau(single(T), factor=1.0),
    "mode of a plateau": lambda S, T: S.ReduceLROnPlateau(single(T), mode="mean"),
    "threshold mode": lambda S, T: S.ReduceLROnPlateau(single(T), threshold_mode="mean"),
    "bounds of a plateau": lambda S, T: S.ReduceLROnPlateau(single(T), min_lr=[0.1, 0.2]),
    "one step too many": lambda S, T: [
        scheduler.step() for scheduler in [S.OneCycleLR(single(T), 1.0, 3)] for _ in range(5)
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.filterwarnings("ignore:Detected call")
def test_refused(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        return caught(lambda: REFUSED[name](T.optim.lr_scheduler, T))

    same(torch, program)


def test_optimizer_copies_without_its_scheduler(torch: Any) -> None:
    def program(T: Any) -> Any:
        optimizer = two_groups(T)
        T.optim.lr_scheduler.StepLR(optimizer, 1)
        optimizer.register_step_post_hook(lambda *args: None)
        other = pickle.loads(pickle.dumps(optimizer))
        other.step()
        return sorted(optimizer.__getstate__()), other.param_groups[1]["initial_lr"]

    same(torch, program)


def test_old_base_class(torch: Any) -> None:
    def program(T: Any) -> Any:
        S = T.optim.lr_scheduler

        class Own(S._LRScheduler):  # type: ignore[name-defined,misc]
            def get_lr(self) -> list[float]:
                return [base / (1 + self.last_epoch) for base in self.base_lrs]

        optimizer = two_groups(T)
        return taking_steps(optimizer, Own(optimizer), 3), issubclass(S.StepLR, S._LRScheduler)

    same(torch, program)
