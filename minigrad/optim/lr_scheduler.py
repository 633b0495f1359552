"""Learning rates that change over the epochs.

Each scheduler computes one epoch's rate from the last, so that several can be combined. The
formulas, and so their rounding, are PyTorch's.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..arrays.left_out import missing_from
from .optimizer import Optimizer


class LRScheduler:
    """The base class. A subclass has `get_lr`: the rates of this epoch, one for each group."""

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                missing = f"param 'initial_lr' is not specified in param_groups[{number}]"
                raise KeyError(f"{missing} when resuming scheduler with last_epoch >= 0.")
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._step_count = 0
        self._is_initial = True
        self._get_lr_called_within_step = False  # part of the state that PyTorch saves
        self.step()
        self._is_initial = False

    def get_lr(self) -> list[float]:
        """Return the rates of epoch `last_epoch`, computed from those of the epoch before."""
        factor = self.factor()
        return [lr * factor for lr in self._rates()]

    def factor(self) -> float:
        """Return the factor of all rates, if it is the same for all."""
        raise NotImplementedError

    def get_last_lr(self) -> list[float]:
        """Return the current rates."""
        return self._last_lr

    def step(self) -> None:
        """Begin the next epoch."""
        self._step_count += 1
        counts = type(self.optimizer).step is Optimizer.step  # a user's `step` may not count
        if counts and self._step_count == 2 and not getattr(self.optimizer, "_steps_taken", 0):
            warnings.warn(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`. Call them in "
                "the opposite order: else the first value of the schedule is skipped.",
                stacklevel=2,
            )
        self.last_epoch += 1
        groups = self.optimizer.param_groups
        for group, lr in zip(groups, self.get_lr(), strict=True):
            group["lr"] = lr
        self._last_lr = [group["lr"] for group in groups]

    def state_dict(self) -> dict[str, Any]:
        """Return the state without the optimizer."""
        return {name: value for name, value in vars(self).items() if name != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load a state from another scheduler's `state_dict`."""
        vars(self).update(state_dict)

    def _rates(self) -> list[float]:
        return [group["lr"] for group in self.optimizer.param_groups]


_LRScheduler = LRScheduler  # its old name, still used in courses


class StepLR(LRScheduler):
    """Multiply the rate by `gamma` every `step_size` epochs."""

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def factor(self) -> float:
        return 1 if self.last_epoch == 0 or self.last_epoch % self.step_size else self.gamma


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

    def factor(self) -> float:
        times = self.milestones[self.last_epoch]  # how often the epoch is listed
        return self.gamma**times if times else 1


class ExponentialLR(LRScheduler):
    """Multiply the rate by `gamma` every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def factor(self) -> float:
        return 1 if self._is_initial else self.gamma


class LambdaLR(LRScheduler):
    """Multiply the first rate by a function of the epoch's number."""

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

    def get_lr(self) -> list[float]:
        return [
            base * function(self.last_epoch)
            for base, function in zip(self.base_lrs, self.lr_lambdas, strict=True)
        ]


class CosineAnnealingLR(LRScheduler):
    """Move from the first rate to `eta_min` along half a cosine, in `T_max` epochs, and back."""

    def __init__(
        self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        epoch, half, least = self.last_epoch, self.T_max, self.eta_min
        if self._is_initial:
            return self._rates()
        if (epoch - 1 - half) % (2 * half) == 0:
            return [
                lr + (base - least) * (1 - math.cos(math.pi / half)) / 2
                for base, lr in zip(self.base_lrs, self._rates(), strict=True)
            ]
        now = 1 + math.cos(math.pi * epoch / half)
        before = 1 + math.cos(math.pi * (epoch - 1) / half)
        return [now / before * (lr - least) + least for lr in self._rates()]


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
