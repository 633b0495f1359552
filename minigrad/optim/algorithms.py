"""The optimizers. Each is one formula; the order in which its numbers are rounded is PyTorch's, so
that a training run agrees with PyTorch's step by step.

`foreach`, `fused`, `capturable` and `differentiable` choose between PyTorch's implementations; they
are accepted, kept among the options, and make no difference here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.node import Array, new_tensor
from ..tensors.tensor import Tensor
from .optimizer import Group, Optimizer, options


def decayed(grad: Array, array: Array, group: Group) -> Array:
    """The gradient of the loss plus weight_decay / 2 * |array|^2."""
    decay = group["weight_decay"]
    return grad + array * decay if decay else grad


def remembered(state: dict[str, Any], array: Array, *names: str) -> list[Array]:
    """The arrays kept under these names, made of zeros at the first step."""
    for name in names:
        if name not in state:
            state[name] = new_tensor(np.zeros_like(array))
    return [state[name]._array for name in names]


def counted(state: dict[str, Any]) -> float:
    """The number of this step, counting from 1."""
    if "step" not in state:
        state["step"] = new_tensor(np.zeros((), np.float32))
    count = state["step"].shared_array()
    count += 1
    return float(count)


class SGD(Optimizer):
    """Stochastic gradient descent: x -= lr * g, or, with momentum, x -= lr * v where
    v = momentum * v + (1 - dampening) * g.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0], requires_grad=True)
    >>> optimizer = mg.optim.SGD([x], lr=0.1)
    >>> (x * x).sum().backward()
    >>> optimizer.step()
    >>> x
    tensor([0.8000], requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        given = options(locals())
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, given)

    def update(self, parameter: Tensor, array: Array, grad: Array, group: Group) -> None:
        grad = decayed(grad, array, group)
        momentum = group["momentum"]
        if momentum:
            state = self.state[parameter]
            if state.get("momentum_buffer") is None:
                state["momentum_buffer"] = new_tensor(grad.copy())
                velocity = state["momentum_buffer"]._array
            else:
                velocity = state["momentum_buffer"].shared_array()
                velocity *= momentum
                velocity += grad * (1 - group["dampening"])
            grad = grad + velocity * momentum if group["nesterov"] else velocity
        array -= grad * group["lr"]


class Adam(Optimizer):
    """Adaptive moments (Kingma and Ba 2015): steps scaled by running means of the gradient and of
    its square."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        super().__init__(params, options(locals()))

    def update(self, parameter: Tensor, array: Array, grad: Array, group: Group) -> None:
        state = self.state[parameter]
        step = counted(state)
        first, second = group["betas"]
        if group["decoupled_weight_decay"]:
            if group["weight_decay"]:
                array *= 1 - group["lr"] * group["weight_decay"]
                parameter.version_counter().value += 1  # a write of its own
        else:
            grad = decayed(grad, array, group)
        mean, square = remembered(state, array, "exp_avg", "exp_avg_sq")
        scratch = np.subtract(grad, mean, out=np.empty_like(array))
        scratch *= 1 - first
        mean += scratch
        np.multiply(grad, grad, out=scratch)
        scratch *= 1 - second
        square *= second
        square += scratch
        if group["amsgrad"]:
            (largest,) = remembered(state, array, "max_exp_avg_sq")
            np.maximum(largest, square, out=largest)
            square = largest
        np.sqrt(square, out=scratch)
        scratch /= math.sqrt(1 - second**step)
        scratch += group["eps"]
        np.divide(mean, scratch, out=scratch)
        scratch *= group["lr"] / (1 - first**step)
        array -= scratch


class AdamW(Adam):
    """Adam with weight decay apart from the gradient (Loshchilov and Hutter 2019)."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        **others: Any,
    ) -> None:
        """`others`: what else Adam takes by name."""
        how = (lr, betas, eps, weight_decay, amsgrad)
        super().__init__(params, *how, decoupled_weight_decay=True, **others)


class RMSprop(Optimizer):
    """Steps divided by the root of a running mean of the squared gradient (Hinton 2012)."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        given = options(locals())
        order = ("lr", "momentum", "alpha", "eps", "centered", "weight_decay")  # PyTorch's
        super().__init__(params, {**{name: given[name] for name in order}, **given})

    def update(self, parameter: Tensor, array: Array, grad: Array, group: Group) -> None:
        state = self.state[parameter]
        counted(state)
        grad = decayed(grad, array, group)
        alpha = group["alpha"]
        (square,) = remembered(state, array, "square_avg")
        square *= alpha
        square += grad * grad * (1 - alpha)
        spread = square
        if group["momentum"] > 0:
            (velocity,) = remembered(state, array, "momentum_buffer")
        if group["centered"]:
            (mean,) = remembered(state, array, "grad_avg")
            mean += (grad - mean) * (1 - alpha)
            spread = square - mean * mean
        step = grad / (np.sqrt(spread) + group["eps"])
        if group["momentum"] > 0:
            velocity *= group["momentum"]
            velocity += step
            step = velocity
        array -= step * group["lr"]
