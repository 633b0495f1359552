"""Averages of a model's parameters over the training: stochastic weight averaging, and moving ones.

>>> import minigrad as mg
>>> model = mg.nn.Linear(1, 1)
>>> averaged = mg.optim.swa_utils.AveragedModel(model)
>>> averaged.update_parameters(model)
>>> averaged.n_averaged
tensor(1)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..arrays.left_out import missing_from
from ..core.modes import no_grad
from ..nn.module import Module
from ..nn.normalization import InstanceNorm, _BatchNorm
from ..tensors.creation import tensor
from ..tensors.tensor import Tensor
from .lr_scheduler import LRScheduler, check_annealing, for_each_group
from .optimizer import Optimizer

__all__ = [
    "SWALR", "AveragedModel", "get_ema_avg_fn", "get_ema_multi_avg_fn", "get_swa_avg_fn",
    "get_swa_multi_avg_fn", "update_bn",
]  # fmt: skip

Average = Callable[[Tensor, Tensor, Any], Tensor]
"""From an average, the current value and the number of values so far to the next average."""

AverageAll = Callable[[list[Tensor], list[Tensor], Any], None]
"""The same in place, for lists."""


def check_decay(decay: float) -> None:
    if decay < 0.0 or decay > 1.0:
        wanted = "Please provide a value in [0,1] range."
        raise ValueError(f"Invalid decay value {decay} provided. {wanted}")


def get_ema_multi_avg_fn(decay: float = 0.999) -> AverageAll:
    """Return the exponential moving average of lists, in place."""
    check_decay(decay)

    @no_grad()
    def ema_update(averages: list[Tensor], current: list[Tensor], _: Any) -> None:
        for average, value in zip(averages, current, strict=True):
            if average.is_floating_point():
                average.lerp_(value, 1 - decay)
            else:
                average.copy_(average * decay + value * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn() -> AverageAll:
    """Return the mean of lists over all updates, in place."""

    @no_grad()
    def swa_update(averages: list[Tensor], current: list[Tensor], num_averaged: Any) -> None:
        for average, value in zip(averages, current, strict=True):
            if average.is_floating_point():
                average.lerp_(value, float(1 / (num_averaged + 1)))
            else:
                average.addcdiv_(value - average, num_averaged + 1)  # refused, as in PyTorch

    return swa_update


def get_ema_avg_fn(decay: float = 0.999) -> Average:
    """Return the exponential moving average of one tensor."""
    check_decay(decay)

    @no_grad()
    def ema_update(ema_param: Tensor, current_param: Tensor, num_averaged: Any) -> Tensor:
        average: Tensor = decay * ema_param + (1 - decay) * current_param
        return average

    return ema_update


def get_swa_avg_fn() -> Average:
    """Return the mean of one tensor over all updates."""

    @no_grad()
    def swa_update(averaged_param: Tensor, current_param: Tensor, num_averaged: Any) -> Tensor:
        change: Tensor = (current_param - averaged_param) / (num_averaged + 1)
        return averaged_param + change

    return swa_update


class AveragedModel(Module):
    """A copy of a model whose parameters are averages; `update_parameters` adds the current ones.

    Args:
        avg_fn: the average of one tensor; the mean over all updates if omitted.
        multi_avg_fn: the same for lists, in place of `avg_fn`.
        use_buffers: whether buffers are averaged, too; otherwise they are copied.
    """

    n_averaged: Tensor

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Average | None = None,
        multi_avg_fn: AverageAll | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", tensor(0, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Add the parameters of `model` to the averages; the first ones are copied."""

        def values(of: Module) -> list[Tensor]:
            buffers = of.buffers() if self.use_buffers else ()
            return [each.detach() for each in chain(of.parameters(), buffers)]

        averages = values(self.module)
        current = [
            value.to(average.device) for average, value in zip(averages, values(model), strict=True)
        ]
        if self.n_averaged == 0:
            for average, value in zip(averages, current, strict=True):
                average.copy_(value)
        elif self.avg_fn is None:
            (self.multi_avg_fn or get_swa_multi_avg_fn())(averages, current, self.n_averaged)
        else:
            for average, value in zip(averages, current, strict=True):
                average.copy_(self.avg_fn(average, value, self.n_averaged))
        if not self.use_buffers:
            for mine, theirs in zip(self.module.buffers(), model.buffers(), strict=True):
                mine.detach().copy_(theirs.detach().to(mine.device))
        self.n_averaged += 1


@no_grad()
def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Compute the statistics of the batch norms again, from one pass over the data."""
    norms = [
        module
        for module in model.modules()
        if isinstance(module, _BatchNorm) and not isinstance(module, InstanceNorm)
    ]
    if not norms:
        return
    momenta = [norm.momentum for norm in norms]
    was_training = model.training
    model.train()
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None
    for batch in loader:
        inputs = batch[0] if isinstance(batch, (list, tuple)) else batch
        model(inputs if device is None else inputs.to(device))
    for norm, momentum in zip(norms, momenta, strict=True):
        norm.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Move the rate to `swa_lr` in `anneal_epochs` epochs, and keep it."""

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: float,
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        rates = for_each_group("swa_lr", optimizer, swa_lr)
        for rate, group in zip(rates, optimizer.param_groups, strict=True):
            group["swa_lr"] = rate
        check_annealing(anneal_strategy)
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            wanted = "anneal_epochs must be equal or greater than 0"
            raise ValueError(f"{wanted}, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _share(self, step: int) -> float:
        """Return the share of the way to `swa_lr` after a step."""
        share = max(0, min(1, step / max(1, self.anneal_epochs)))
        return share if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * share)) / 2

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._share(step - 1), self._share(step)
        rates = []
        for group in self.optimizer.param_groups:
            goal = group["swa_lr"]
            first = goal if before == 1 else (group["lr"] - before * goal) / (1 - before)
            rates.append(goal * now + first * (1 - now))
        return rates


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
