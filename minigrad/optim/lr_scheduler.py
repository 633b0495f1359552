"""Learning rates that change over the epochs.

Most schedulers compute one epoch's rate from the last, so that several can be combined; `closed`
computes it from the first rate, for a step to a given epoch. The formulas, and so their rounding,
are PyTorch's.
"""

from __future__ import annotations

import math
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any, SupportsFloat

from ..arrays.left_out import missing_from
from ..tensors.tensor import Tensor
from .optimizer import Optimizer

__all__ = [
    "ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts",
    "CyclicLR", "ExponentialLR", "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR",
    "MultiplicativeLR", "OneCycleLR", "PolynomialLR", "ReduceLROnPlateau", "SequentialLR", "StepLR",
]  # fmt: skip

DETAILS = (
    "See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)
OVERRIDDEN = (
    "Seems like `optimizer.step()` has been overridden after learning rate scheduler "
    "initialization. Please, make sure to call `optimizer.step()` before `lr_scheduler.step()`. "
)
TOO_EARLY = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, "
    "you should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  "
    "Failure to do this will result in PyTorch skipping the first value of the learning rate "
    "schedule. "
)
EPOCH = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where "
    "possible. Please use `scheduler.step()` to step the scheduler. During the deprecation, if "
    "epoch is different from None, the closed form is used instead of the new chainable form, "
    "where available."
)


# --- Rates of the groups, which may be tensors


def values_of(optimizer: Optimizer, name: str = "lr") -> list[Any]:
    """Return an option of each group, with copies of tensors."""
    values = [group[name] for group in optimizer.param_groups]
    return [value.clone() if isinstance(value, Tensor) else value for value in values]


def set_value(group: dict[str, Any], name: str, value: Any) -> None:
    """Set an option of a group; a tensor is filled, so that it stays the same tensor."""
    if isinstance(group.get(name), Tensor):
        group[name].fill_(value.item() if isinstance(value, Tensor) else value)
    else:
        group[name] = value


def for_each_group(name: str, optimizer: Optimizer, value: Any) -> list[Any]:
    """Return a value for each group, from one value or a list.

    Raises:
        ValueError: the list has another length.
    """
    count = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        value = [value] * count
    elif len(value) != count:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has "
            f"{len(value)} values, param_groups has {count}."
        )
    return [each.clone() if isinstance(each, Tensor) else each for each in value]


def check_optimizer(optimizer: Any) -> None:
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


class LRScheduler:
    """The base class. A subclass has `get_lr`: the rates of this epoch, one for each group."""

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        if last_epoch == -1:
            for group, lr in zip(optimizer.param_groups, values_of(optimizer), strict=True):
                group.setdefault("initial_lr", lr)
        for number, group in enumerate(optimizer.param_groups):
            if "initial_lr" not in group:
                missing = f"param 'initial_lr' is not specified in param_groups[{number}]"
                raise KeyError(f"{missing} when resuming scheduler with last_epoch >= 0.")
        self.base_lrs = values_of(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        optimizer.watch_steps()
        self._initial_step()

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def get_lr(self) -> list[Any]:
        """Return the rates of epoch `last_epoch`, computed from those of the epoch before."""
        self._warn_outside_step()
        factor = self._factor()
        if factor is None:
            return values_of(self.optimizer)
        return [group["lr"] * factor for group in self.optimizer.param_groups]

    def _factor(self) -> float | None:
        """Return the factor of all rates, None if they stay, or compute them in `get_lr`."""
        raise NotImplementedError

    def get_last_lr(self) -> list[float]:
        """Return the current rates."""
        return self._last_lr

    def step(self, epoch: int | None = None) -> None:
        """Begin the next epoch, or a given one (deprecated in PyTorch)."""
        if self._step_count == 1:
            if self.optimizer.step_replaced():
                warnings.warn(OVERRIDDEN + DETAILS, stacklevel=2)
            elif not self.optimizer.has_stepped():
                warnings.warn(TOO_EARLY + DETAILS, stacklevel=2)
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH, stacklevel=2)
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        closed = None if epoch is None else getattr(self, "_get_closed_form_lr", None)
        self._set_rates(closed or self.get_lr)

    def _set_rates(self, compute: Callable[[], list[Any]]) -> None:
        self._get_lr_called_within_step = True
        try:
            rates = compute()
        finally:
            self._get_lr_called_within_step = False
        for group, lr in zip(self.optimizer.param_groups, rates, strict=True):
            set_value(group, "lr", lr)
        self._last_lr = values_of(self.optimizer)

    def _warn_outside_step(self) -> None:
        if not self._get_lr_called_within_step:
            text = "To get the last learning rate computed by the scheduler, please use "
            warnings.warn(f"{text}`get_last_lr()`.", stacklevel=3)

    def state_dict(self) -> dict[str, Any]:
        """Return the state without the optimizer."""
        return {name: value for name, value in vars(self).items() if name != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load a state from another scheduler's `state_dict`."""
        vars(self).update(state_dict)


class _LRScheduler(LRScheduler):
    """The old name of the base class, still used in courses."""


# --- Schedules with a formula


class ByFunction(LRScheduler):
    """The base of schedulers with a function of the user for each group."""

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | list[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        several = isinstance(lr_lambda, (list, tuple))
        count = len(optimizer.param_groups)
        self.lr_lambdas: Any = list(lr_lambda) if several else [lr_lambda] * count  # type: ignore[arg-type]
        if len(self.lr_lambdas) != count:
            raise ValueError(f"Expected {count} lr_lambdas, but got {len(self.lr_lambdas)}")
        super().__init__(optimizer, last_epoch)

    def state_dict(self) -> dict[str, Any]:
        """Return the state without functions; callable objects are stored by their attributes."""
        state = super().state_dict()
        del state["lr_lambdas"]
        plain = [isinstance(each, FunctionType) for each in self.lr_lambdas]
        pairs = zip(self.lr_lambdas, plain, strict=True)
        state["lr_lambdas"] = [None if skip else vars(each).copy() for each, skip in pairs]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load a state; the functions are those that this scheduler has."""
        others = {name: value for name, value in state_dict.items() if name != "lr_lambdas"}
        super().load_state_dict(others)
        for function, stored in zip(self.lr_lambdas, state_dict["lr_lambdas"], strict=True):
            if stored is not None:
                vars(function).update(stored)


class LambdaLR(ByFunction):
    """Multiply the first rate by a function of the epoch's number.

    >>> import minigrad as mg
    >>> optimizer = mg.optim.SGD([mg.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = mg.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.5**epoch)
    >>> optimizer.step()
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [0.5]
    """

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        pairs = zip(self.base_lrs, self.lr_lambdas, strict=True)
        return [base * function(self.last_epoch) for base, function in pairs]


class MultiplicativeLR(ByFunction):
    """Multiply the last rate by a function of the epoch's number."""

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | list[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        for each in lr_lambda if isinstance(lr_lambda, (list, tuple)) else [lr_lambda]:
            if not callable(each):
                kind = type(each).__name__
                raise TypeError(f"lr_lambda should be a function, but got {kind}")
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        if self._is_initial:
            return values_of(self.optimizer)
        pairs = zip(self.lr_lambdas, self.optimizer.param_groups, strict=True)
        return [group["lr"] * function(self.last_epoch) for function, group in pairs]


class StepLR(LRScheduler):
    """Multiply the rate by `gamma` every `step_size` epochs."""

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self) -> float | None:
        return None if self.last_epoch == 0 or self.last_epoch % self.step_size else self.gamma

    def _get_closed_form_lr(self) -> list[Any]:
        factor = self.gamma ** (self.last_epoch // self.step_size)
        return [base * factor for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Multiply the rate by `gamma` at each of the epochs in `milestones`."""

    def __init__(
        self,
        optimizer: Optimizer,
        milestones: Iterable[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self) -> float | None:
        times = self.milestones[self.last_epoch]  # how often the epoch is listed
        return self.gamma**times if times else None

    def _get_closed_form_lr(self) -> list[Any]:
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma**passed for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """Multiply the rate by `factor` for the first `total_iters` epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self) -> float | None:
        if self.last_epoch == 0:
            return self.factor
        return 1.0 / self.factor if self.last_epoch == self.total_iters else None

    def _get_closed_form_lr(self) -> list[Any]:
        over = self.last_epoch >= self.total_iters
        return [base * (self.factor + over * (1 - self.factor)) for base in self.base_lrs]


class LinearLR(LRScheduler):
    """Change the factor of the rate linearly, over the first `total_iters` epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if start_factor > 1.0 or start_factor <= 0:
            wanted = "expected to be greater than 0 and less or equal to 1."
            raise ValueError(f"Starting multiplicative factor {wanted}")
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self) -> float | None:
        if self.last_epoch == 0:
            return self.start_factor
        if self._is_initial or self.last_epoch > self.total_iters:
            return None
        way = self.end_factor - self.start_factor
        return 1.0 + way / (self.total_iters * self.start_factor + (self.last_epoch - 1) * way)

    def _get_closed_form_lr(self) -> list[Any]:
        way, epochs = self.end_factor - self.start_factor, min(self.total_iters, self.last_epoch)
        factor = self.start_factor + way * epochs / self.total_iters
        return [base * factor for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Multiply the rate by `gamma` every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self) -> float | None:
        return None if self._is_initial else self.gamma

    def _get_closed_form_lr(self) -> list[Any]:
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """Decay the rate to zero by a polynomial, over `total_iters` epochs."""

    def __init__(
        self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1
    ) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def _factor(self) -> float | None:
        if self._is_initial or self.last_epoch > self.total_iters:
            return None
        now = 1.0 - self.last_epoch / self.total_iters
        return float((now / (1.0 - (self.last_epoch - 1) / self.total_iters)) ** self.power)

    def _get_closed_form_lr(self) -> list[Any]:
        share = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * share**self.power for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """Move from the first rate to `eta_min` along half a cosine, in `T_max` epochs, and back."""

    def __init__(
        self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        epoch, half, least = self.last_epoch, self.T_max, self.eta_min
        rates = [group["lr"] for group in self.optimizer.param_groups]
        if self._is_initial:
            return values_of(self.optimizer)
        if self._step_count == 1 and epoch > 0:
            return self._get_closed_form_lr()
        if (epoch - 1 - half) % (2 * half) == 0:
            return [
                lr + (base - least) * (1 - math.cos(math.pi / half)) / 2
                for base, lr in zip(self.base_lrs, rates, strict=True)
            ]
        now = 1 + math.cos(math.pi * epoch / half)
        before = 1 + math.cos(math.pi * (epoch - 1) / half)
        return [now / before * (lr - least) + least for lr in rates]

    def _get_closed_form_lr(self) -> list[Any]:
        height = 1 + math.cos(math.pi * self.last_epoch / self.T_max)
        return [self.eta_min + (base - self.eta_min) * height / 2 for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Move along half a cosine in `T_0` epochs, start again, and multiply the length by `T_mult`.

    `step` takes the fraction of an epoch, too: 2.5 is the middle of the third epoch.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            kind = type(eta_min)
            raise ValueError(f"Expected float or int eta_min, but got {eta_min} of type {kind}")
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        height = 1 + math.cos(math.pi * self.T_cur / self.T_i)
        return [self.eta_min + (base - self.eta_min) * height / 2 for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        else:
            self._go_to(epoch)
        self.last_epoch = math.floor(epoch)
        self._set_rates(self.get_lr)

    def _go_to(self, epoch: float) -> None:
        if epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        if epoch < self.T_0:
            self.T_i, self.T_cur = self.T_0, epoch
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            grown = epoch / self.T_0 * (self.T_mult - 1) + 1
            length = self.T_mult ** int(math.log(grown, self.T_mult))
            self.T_cur = epoch - self.T_0 * (length - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * length


# --- Schedules of the rate and the momentum


class WithMomentum(LRScheduler):
    """The base of schedulers that move the momentum against the rate."""

    def _cycle_momentum(
        self, cycle_momentum: bool, base_momentum: Any, max_momentum: Any, last_epoch: int
    ) -> tuple[list[Any], list[Any]]:
        """Note the bounds of the momentum, start at the highest, and return both bounds."""
        self.cycle_momentum = cycle_momentum
        if not cycle_momentum:
            return [], []
        optimizer = self.optimizer
        if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
            wanted = "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
            raise ValueError(wanted)
        self.use_beta1 = "betas" in optimizer.defaults
        low = for_each_group("base_momentum", optimizer, base_momentum)
        high = for_each_group("max_momentum", optimizer, max_momentum)
        if last_epoch == -1:
            self._set_momentums(high)
            for group, most, least in zip(optimizer.param_groups, high, low, strict=True):
                group["max_momentum"] = most
                group["base_momentum"] = least
        return low, high

    def _set_momentums(self, momentums: list[Any]) -> None:
        for group, momentum in zip(self.optimizer.param_groups, momentums, strict=True):
            if self.use_beta1:
                group["betas"] = (momentum, *group["betas"][1:])
            else:
                group["momentum"] = momentum


class CyclicLR(WithMomentum):
    """Move the rate from `base_lr` up to `max_lr` and down again, in each cycle (Smith 2015)."""

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float = 0.8,
        max_momentum: float = 0.9,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        base_lrs = for_each_group("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for lr, group in zip(base_lrs, optimizer.param_groups, strict=True):
                set_value(group, "lr", lr)
        self.max_lrs = for_each_group("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        if scale_fn is None:
            scale_mode = "iterations" if mode == "exp_range" else "cycle"
        self.scale_mode = scale_mode
        momentums = self._cycle_momentum(cycle_momentum, base_momentum, max_momentum, last_epoch)
        if cycle_momentum:
            self.base_momentums, self.max_momentums = momentums
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def scale_fn(self, x: float) -> float:
        """Return the scale of the cycle, or of the iteration, with number `x`."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular":
            return 1.0
        return float(1 / 2.0 ** (x - 1) if self.mode == "triangular2" else self.gamma**x)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        ratio = self.step_ratio
        height = x / ratio if x <= ratio else (x - 1) / (ratio - 1)
        place = cycle if self.scale_mode == "cycle" else self.last_epoch
        bounds = zip(self.base_lrs, self.max_lrs, strict=True)
        rates = [base + (most - base) * height * self.scale_fn(place) for base, most in bounds]
        if self.cycle_momentum:
            bounds = zip(self.base_momentums, self.max_momentums, strict=True)
            self._set_momentums(
                [most - (most - least) * height * self.scale_fn(place) for least, most in bounds]
            )
        return rates

    def state_dict(self) -> dict[str, Any]:
        """Return the state without the function that scales."""
        state = super().state_dict()
        function = state.pop("_scale_fn_custom")
        stored = function is not None and not isinstance(function, FunctionType)
        state["_scale_fn_custom"] = vars(function).copy() if stored else None
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load a state; the function that scales is the one that this scheduler has."""
        others = {name: value for name, value in state_dict.items() if name != "_scale_fn_custom"}
        super().load_state_dict(others)
        if (stored := state_dict["_scale_fn_custom"]) is not None:
            vars(self._scale_fn_custom).update(stored)


def anneal_by_cosine(start: Any, end: Any, share: float) -> Any:
    """Return the value after `share` of half a cosine."""
    return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)


def anneal_linearly(start: Any, end: Any, share: float) -> Any:
    return (end - start) * share + start


ANNEALING = {"cos": anneal_by_cosine, "linear": anneal_linearly}


class OneCycleLR(WithMomentum):
    """Move the rate up to `max_lr` and then far down, once in the training (Smith 2018).

    A step is a batch. The number of steps is `total_steps`, or `epochs` times `steps_per_epoch`.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        self.total_steps = count_steps(total_steps, epochs, steps_per_epoch)
        up = {"start_lr": "initial_lr", "end_lr": "max_lr"}
        up |= {"start_momentum": "max_momentum", "end_momentum": "base_momentum"}
        down = {"start_lr": "max_lr", "end_lr": "initial_lr"}
        down |= {"start_momentum": "base_momentum", "end_momentum": "max_momentum"}
        phases: list[dict[str, Any]] = [
            {"end_step": float(pct_start * self.total_steps) - 1, **up},
            {"end_step": self.total_steps - 1, **down, "end_lr": "min_lr"},
        ]
        if three_phase:
            middle = {"end_step": float(2 * pct_start * self.total_steps) - 2, **down}
            last = {"start_lr": "initial_lr", "start_momentum": "max_momentum"}
            phases = [phases[0], middle, {**phases[1], **last}]
        self._schedule_phases = phases
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        check_annealing(anneal_strategy)
        self._anneal_func_type = anneal_strategy
        max_lrs = for_each_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, most in zip(optimizer.param_groups, max_lrs, strict=True):
                group["initial_lr"] = most / div_factor
                group["max_lr"] = most
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self._cycle_momentum(cycle_momentum, base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        step = self.last_epoch
        if step > self.total_steps:
            total = f"The specified number of total steps is {self.total_steps}"
            raise ValueError(f"Tried to step {step} times. {total}")
        begin: float = 0.0
        for phase in self._schedule_phases:
            if step <= phase["end_step"] or phase is self._schedule_phases[-1]:
                break
            begin = phase["end_step"]
        share = (step - begin) / (phase["end_step"] - begin)
        anneal = ANNEALING[self._anneal_func_type]

        def all_groups(name: str) -> list[Any]:
            start, end = phase[f"start_{name}"], phase[f"end_{name}"]
            return [anneal(group[start], group[end], share) for group in groups]

        groups = self.optimizer.param_groups
        if self.cycle_momentum:
            self._set_momentums(all_groups("momentum"))
        return all_groups("lr")


def count_steps(total_steps: Any, epochs: Any, steps_per_epoch: Any) -> int:
    """Return the number of steps of OneCycleLR."""
    given = {"total_steps": total_steps}
    if total_steps is None:
        if epochs is None or steps_per_epoch is None:
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        given = {"epochs": epochs, "steps_per_epoch": steps_per_epoch}
    for name, value in given.items():
        if value <= 0 or not isinstance(value, int):
            raise ValueError(f"Expected positive integer {name}, but got {value}")
    return math.prod(given.values())


def check_annealing(strategy: Any) -> None:
    if strategy not in ANNEALING:
        wanted = "anneal_strategy must be one of 'cos' or 'linear'"
        raise ValueError(f"{wanted}, instead got {strategy}")


# --- Several schedulers


class OfSchedulers(LRScheduler):
    """The base of schedulers that call others."""

    _schedulers: Sequence[LRScheduler]

    def _check(self, schedulers: Sequence[Any], optimizer: Any) -> None:
        mine = type(self).__name__
        for index, scheduler in enumerate(schedulers):
            if not hasattr(scheduler, "optimizer"):
                wanted = "should have `optimizer` as its attribute."
                raise TypeError(f"{mine} at index {index} {wanted}")
            if isinstance(scheduler, ReduceLROnPlateau):
                raise ValueError(
                    f"{mine} does not support `ReduceLROnPlateau` scheduler as it requires "
                    "additional kwargs to be specified when calling `step`, but got one at index "
                    f"{index} in the given schedulers sequence."
                )
            if optimizer != scheduler.optimizer:
                raise ValueError(
                    f"{mine} expects all schedulers to belong to the same optimizer, but got "
                    f"scheduler {type(scheduler).__name__} at index {index} has "
                    f"{scheduler.optimizer}, which is different from {type(optimizer).__name__}."
                )

    def state_dict(self) -> dict[str, Any]:
        """Return the state, with the states of the schedulers."""
        state = super().state_dict()
        del state["_schedulers"]
        state["_schedulers"] = [scheduler.state_dict() for scheduler in self._schedulers]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load a state, and those of the schedulers."""
        others = {name: value for name, value in state_dict.items() if name != "_schedulers"}
        super().load_state_dict(others)
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"], strict=False):
            scheduler.load_state_dict(state)


class SequentialLR(OfSchedulers):
    """Use one scheduler after the other; each but the first begins at a milestone."""

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: list[LRScheduler],
        milestones: list[int],
        last_epoch: int = -1,
    ) -> None:
        if len(schedulers) < 1:
            raise ValueError("SequentialLR expects at least one scheduler, but got no scheduler.")
        self._check(schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than "
                f"the number of milestone points, but got number of schedulers {len(schedulers)} "
                f"and the number of milestones to be equal to {len(milestones)}"
            )
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            set_value(group, "lr", group["initial_lr"])
        undo_steps(self)
        first = schedulers[bisect_right(milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def step(self) -> None:  # type: ignore[override]
        """Begin the next epoch."""
        self.last_epoch += 1
        place = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[place]
        if place > 0 and self._milestones[place - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


def undo_steps(scheduler: Any) -> None:
    """Take back the steps that schedulers took when they were made."""
    if hasattr(scheduler, "_schedulers"):
        for each in scheduler._schedulers:
            undo_steps(each)
    elif hasattr(scheduler, "last_epoch"):
        scheduler.last_epoch -= 1


class ChainedScheduler(OfSchedulers):
    """Step several schedulers at once: each changes the rate that the one before has set."""

    def __init__(
        self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None
    ) -> None:
        if len(schedulers) < 1:
            wanted = "expects at least one scheduler to be chained, but got no scheduler."
            raise ValueError(f"ChainedScheduler {wanted}")
        optimizer = optimizer or schedulers[0].optimizer
        self._check(schedulers, optimizer)
        self._schedulers = schedulers
        self.optimizer = optimizer
        self._last_lr = values_of(schedulers[-1].optimizer)

    def step(self) -> None:  # type: ignore[override]
        """Begin the next epoch."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = values_of(self._schedulers[-1].optimizer)


# --- A schedule by results


class ReduceLROnPlateau(LRScheduler):
    """Multiply the rate by `factor` when a metric has not improved for `patience` epochs.

    >>> import minigrad as mg
    >>> optimizer = mg.optim.SGD([mg.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = mg.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
    >>> for loss in (0.5, 0.5, 0.5):
    ...     scheduler.step(loss)
    >>> scheduler.get_last_lr()
    [0.1]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: list[float] | float = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        self.factor = factor
        check_optimizer(optimizer)
        self.optimizer = optimizer
        count = len(optimizer.param_groups)
        several = isinstance(min_lr, (list, tuple))
        self.default_min_lr = None if several else min_lr
        self.min_lrs: list[Any] = list(min_lr) if several else [min_lr] * count  # type: ignore[arg-type]
        if len(self.min_lrs) != count:
            raise ValueError(f"expected {count} min_lrs, got {len(self.min_lrs)}")
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = values_of(optimizer)
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown!")
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    @property
    def in_cooldown(self) -> bool:
        """Whether bad epochs do not count yet."""
        return self.cooldown_counter > 0

    def step(self, metrics: SupportsFloat, epoch: int | None = None) -> None:  # type: ignore[override]
        """Compare the metric of an epoch with the best one, and reduce the rates if necessary."""
        current = float(metrics)
        if epoch is not None:
            warnings.warn(EPOCH, stacklevel=2)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(current):
            self.best = current
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce_rates()
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = values_of(self.optimizer)

    def _is_better(self, metric: float) -> bool:
        sign = -1.0 if self.mode == "min" else 1.0
        step = sign * self.threshold
        bound = self.best * (1.0 + step) if self.threshold_mode == "rel" else self.best + step
        return metric < bound if self.mode == "min" else metric > bound

    def _reduce_rates(self) -> None:
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError(
                    f"The number of param groups in the `optimizer` ({len(groups)}) differs from "
                    f"when `ReduceLROnPlateau` was initialized ({len(self.min_lrs)}), usually due "
                    "to a new param group being added to the optimizer. Please modify the "
                    "`min_lrs` field to match the length of the `optimizer` param groups."
                )
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, least in zip(groups, self.min_lrs, strict=True):
            old = float(group["lr"])
            new = max(old * self.factor, least)
            if old - new > self.eps:
                set_value(group, "lr", new)


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
