"""Optimizers with a step size for each element. Each is one formula, on a GPU one kernel.

Rounding follows PyTorch's order, as in algorithms.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..arrays.fusing import fuse
from ..core.node import Array, new_tensor, unwrap
from ..tensors.tensor import Tensor
from .algorithms import add_decay, next_step, scalar_array, shrink_or_decay, state_arrays
from .optimizer import Group, Optimizer, options


@fuse
def adadelta(
    xp: Any,
    array: Any,
    grad: Any,
    square: Any,
    changes: Any,
    decay: Any,
    rho: Any,
    share: Any,
    eps: Any,
    rate: Any,
) -> None:
    """Divide by the root of the mean square of the gradients; multiply by that of the changes."""
    grad = add_decay(grad, array, decay)
    square *= rho
    square += grad * grad * share
    change = xp.sqrt(changes + eps)
    change /= xp.sqrt(square + eps)
    change *= grad
    changes *= rho
    changes += change * change * share
    array -= change * rate


class Adadelta(Optimizer):
    """Steps that need no rate: mean squares of changes and of gradients (Zeiler 2012).

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0], requires_grad=True)
    >>> optimizer = mg.optim.Adadelta([x])
    >>> (x * x).sum().backward()
    >>> optimizer.step()
    >>> x
    tensor([0.9968], requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        order = "lr rho eps weight_decay maximize capturable"
        super().__init__(params, options(locals(), order))

    def update(self, parameter: Tensor, array: Array, grad: Array, group: Group) -> None:
        state = self.state[parameter]
        next_step(state)
        kept = state_arrays(state, array, "square_avg", "acc_delta")
        rho = group["rho"]
        factors = (group["weight_decay"] or None, rho, 1 - rho, group["eps"], group["lr"])
        adadelta(array, grad, *kept, *factors)


@fuse
def adagrad(xp: Any, array: Any, grad: Any, total: Any, decay: Any, eps: Any, rate: Any) -> None:
    """Divide by the root of the sum of all squares."""
    grad = add_decay(grad, array, decay)
    total += grad * grad
    array -= grad * rate / (xp.sqrt(total) + eps)


class Adagrad(Optimizer):
    """Gradients divided by the root of the sum of their squares (Duchi, Hazan and Singer 2011)."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        order = "lr lr_decay eps weight_decay initial_accumulator_value foreach maximize"
        super().__init__(params, options(locals(), order))
        for group in self.param_groups:
            for parameter in group["params"]:
                self._start(parameter)

    def _start(self, parameter: Tensor) -> dict[str, Any]:
        state = self.state[parameter]
        if not state:
            scalar_array(state, "step", 0.0)
            value = self.defaults["initial_accumulator_value"]
            state["sum"] = new_tensor(np.full_like(parameter._array, value))
        return state

    def update(self, parameter: Tensor, array: Array, grad: Array, group: Group) -> None:
        state = self._start(parameter)
        rate = group["lr"] / (1 + (next_step(state) - 1) * group["lr_decay"])
        (total,) = state_arrays(state, array, "sum")
        adagrad(array, grad, total, group["weight_decay"] or None, group["eps"], rate)


@fuse
def adamax(
    xp: Any,
    array: Any,
    grad: Any,
    mean: Any,
    largest: Any,
    decay: Any,
    first: Any,
    second: Any,
    eps: Any,
    rate: Any,
) -> None:
    """Divide the mean by the largest gradient, which shrinks by the factor `second`."""
    grad = add_decay(grad, array, decay)
    mean += (grad - mean) * first
    largest *= second
    xp.maximum(largest, abs(grad) + eps, out=largest)
    array -= mean * rate / largest


class Adamax(Optimizer):
    """Adam with the largest gradient in place of the mean square (Kingma and Ba 2015)."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        super().__init__(params, options(locals()))

    def update(self, parameter: Tensor, array: Array, grad: Array, group: Group) -> None:
        state = self.state[parameter]
        step = next_step(state)
        first, second = group["betas"]
        kept = state_arrays(state, array, "exp_avg", "exp_inf")
        factors = (group["weight_decay"] or None, 1 - first, second, group["eps"])
        adamax(array, grad, *kept, *factors, group["lr"] / (1 - first**step))


@fuse
def nadam(
    xp: Any,
    array: Any,
    grad: Any,
    mean: Any,
    square: Any,
    shrink: Any,
    decay: Any,
    first: Any,
    second: Any,
    rest: Any,
    correction: Any,
    eps: Any,
    along_grad: Any,
    along_mean: Any,
) -> None:
    """Move along the gradient and along its mean, divided by the root of the mean square."""
    if shrink is not None:
        array *= shrink
    grad = add_decay(grad, array, decay)
    mean += (grad - mean) * first
    square *= second
    square += grad * grad * rest
    root = xp.sqrt(square / correction) + eps
    array -= grad * along_grad / root
    array -= mean * along_mean / root


class NAdam(Optimizer):
    """Adam with Nesterov's momentum (Dozat 2016)."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        order = "lr betas eps weight_decay momentum_decay decoupled_weight_decay maximize"
        super().__init__(params, options(locals(), order))

    def update(self, parameter: Tensor, array: Array, grad: Array, group: Group) -> None:
        state = self.state[parameter]
        step = next_step(state)
        product = scalar_array(state, "mu_product", 1.0)
        mean, square = state_arrays(state, array, "exp_avg", "exp_avg_sq")
        first, second = group["betas"]
        decay = shrink_or_decay(parameter, group)
        mu, following = (
            first * (1.0 - 0.5 * 0.96 ** (count * group["momentum_decay"]))
            for count in (step, step + 1)
        )
        # With `differentiable`, the gradient also flows through the product in the state.
        factor: Any = state["mu_product"] if isinstance(array, Tensor) else product
        factor *= mu
        factor = factor.clone() if isinstance(array, Tensor) else float(factor)
        along_grad = group["lr"] * (1.0 - mu) / (1.0 - factor)
        along_mean = group["lr"] * following / (1.0 - factor * following)
        factors = (1 - first, second, 1 - second, 1 - second**step, group["eps"])
        nadam(array, grad, mean, square, *decay, *factors, along_grad, along_mean)
        parameter.version_counter().value += 1  # two writes


@fuse
def radam(
    xp: Any,
    array: Any,
    grad: Any,
    mean: Any,
    square: Any,
    shrink: Any,
    decay: Any,
    first: Any,
    second: Any,
    rest: Any,
    correction: Any,
    eps: Any,
    rate: Any,
    root: Any,
    rectified: Any,
) -> None:
    """Move along the mean; with `rectified`, divided by the root of the mean square."""
    if shrink is not None:
        array *= shrink
    grad = add_decay(grad, array, decay)
    mean += (grad - mean) * first
    square *= second
    square += grad * grad * rest
    change = mean / correction * rate
    if rectified is not None:
        change = change * (root / (xp.sqrt(square) + eps)) * rectified
    array -= change


class RAdam(Optimizer):
    """Adam whose first steps are not scaled, as they vary too much (Liu et al. 2020)."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        order = "lr betas eps weight_decay maximize foreach capturable"
        super().__init__(params, options(locals(), order))

    def update(self, parameter: Tensor, array: Array, grad: Array, group: Group) -> None:
        state = self.state[parameter]
        step = next_step(state)
        mean, square = state_arrays(state, array, "exp_avg", "exp_avg_sq")
        first, second = group["betas"]
        decay = shrink_or_decay(parameter, group)
        correction = 1 - second**step
        longest = 2 / (1 - second) - 1
        length = longest - 2 * step * second**step / correction
        rectified = None
        if length > 5.0:
            share = (length - 4) * (length - 2) * longest
            rectified = (share / ((longest - 4) * (longest - 2) * length)) ** 0.5
        factors = (1 - first, second, 1 - second, 1 - first**step, group["eps"], group["lr"])
        radam(array, grad, mean, square, *decay, *factors, math.sqrt(correction), rectified)


@fuse
def rprop(
    xp: Any,
    array: Any,
    grad: Any,
    before: Any,
    sizes: Any,
    smaller: Any,
    larger: Any,
    least: Any,
    most: Any,
) -> None:
    """Move by the size of each element, which grows until its gradient changes sign."""
    sign = xp.sign(xp.multiply(grad, before))
    sizes *= xp.where(sign > 0, larger, xp.where(sign < 0, smaller, xp.where(sign == 0, 1, sign)))
    xp.minimum(xp.maximum(sizes, least), most, out=sizes)
    grad = xp.where(sign < 0, 0, grad)
    array -= xp.sign(grad) * sizes
    xp.multiply(grad, 1, out=before)


class Rprop(Optimizer):
    """Resilient steps: only the signs of the gradients count (Riedmiller and Braun 1993)."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        order = "lr etas step_sizes foreach maximize differentiable"
        super().__init__(params, options(locals(), order))

    def update(self, parameter: Tensor, array: Array, grad: Array, group: Group) -> None:
        state = self.state[parameter]
        next_step(state)
        (before,) = state_arrays(state, array, "prev")
        if "step_size" not in state:
            state["step_size"] = new_tensor(np.full_like(unwrap(array), group["lr"]))
        (sizes,) = state_arrays(state, array, "step_size")
        rprop(array, grad, before, sizes, *group["etas"], *group["step_sizes"])


@fuse
def asgd(
    xp: Any,
    array: Any,
    grad: Any,
    average: Any,
    decay: Any,
    shrink: Any,
    rate: Any,
    share: Any,
) -> None:
    """Move against the gradient, and the average by its share of the way."""
    grad = add_decay(grad, array, decay)
    array *= shrink
    array -= grad * rate
    if share is None:
        xp.multiply(array, 1, out=average)
    else:
        average += (array - average) * share


class ASGD(Optimizer):
    """Stochastic gradient descent with an average of all positions (Polyak and Juditsky 1992)."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        super().__init__(params, options(locals()))

    def update(self, parameter: Tensor, array: Array, grad: Array, group: Group) -> None:
        state, lr, slowing = self.state[parameter], group["lr"], group["lambd"]
        step = next_step(state)
        eta = scalar_array(state, "eta", lr)
        mu = scalar_array(state, "mu", 1.0)
        (average,) = state_arrays(state, array, "ax")
        share = None if float(mu) == 1 else float(mu)
        rate = float(eta)
        decay = group["weight_decay"] or None
        asgd(array, grad, average, decay, 1 - slowing * rate, rate, share)
        parameter.version_counter().value += 1  # two writes
        eta[...] = lr / (1 + slowing * lr * step) ** group["alpha"]
        mu[...] = 1 / max(1, step - group["t0"])
