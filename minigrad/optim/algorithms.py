"""The optimizers. Each is one formula, on a GPU one kernel.

Rounding follows PyTorch's order, so that a training run agrees with PyTorch's step by step.
`foreach`, `fused` and `capturable` choose between PyTorch's implementations; they are accepted,
stored among the options, and have no effect here. With `differentiable`, the same formulas work on
tensors and are recorded.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..arrays.dtypes import get_default_dtype
from ..arrays.fusing import RECORDED, fuse
from ..core.node import Array, new_tensor, unwrap
from ..nn.parameter import Parameter
from ..ops.pointwise.elementwise import sign, sqrt, where
from ..ops.reductions.extremes import maximum, minimum
from ..tensors.tensor import Tensor
from .optimizer import Group, Optimizer, options


def add_decay(grad: Any, array: Any, decay: Any) -> Any:
    """Return the gradient of the loss plus decay / 2 * |array|^2."""
    return grad if decay is None else grad + array * decay


def shrink_or_decay(parameter: Tensor, group: Group) -> tuple[float | None, float | None]:
    """Return the factor of the parameter under decoupled weight decay, and the other decay."""
    decay = group["weight_decay"] or None
    if decay is None or not group["decoupled_weight_decay"]:
        return None, decay
    parameter.version_counter().value += 1  # a separate write
    return 1 - group["lr"] * decay, None


def state_arrays(state: dict[str, Any], array: Array, *names: str) -> list[Array]:
    """Return the arrays stored under these names, made of zeros at the first step."""
    for name in names:
        if name not in state:
            state[name] = new_tensor(np.zeros_like(unwrap(array)))
    recorded = isinstance(array, Tensor)
    return [state[name] if recorded else state[name]._array for name in names]


class TensorFunctions:
    """NumPy's functions in the formulas, for tensors: they are recorded."""

    sign, where = staticmethod(sign), staticmethod(where)

    @staticmethod
    def sqrt(a: Any) -> Any:
        return sqrt(a).clone()

    @staticmethod
    def maximum(a: Any, b: Any, out: Any = None) -> Any:
        return into(out, maximum(*copies(a, b)))

    @staticmethod
    def minimum(a: Any, b: Any, out: Any = None) -> Any:
        return into(out, minimum(*copies(a, b)))

    @staticmethod
    def multiply(a: Any, b: Any, out: Any = None) -> Any:
        one, other = copies(a, b)
        return into(out, one * other)


def copies(*operands: Any) -> list[Any]:
    """Return copies, of numbers as tensors: what a node saves is not overwritten afterwards."""
    like = next(x for x in operands if isinstance(x, Tensor))
    return [x.clone() if isinstance(x, Tensor) else like.new_tensor(x) for x in operands]


def into(out: Any, value: Any) -> Any:
    """Return a value, or copy it into `out`."""
    return value if out is None else out.copy_(value)


RECORDED[Tensor] = RECORDED[Parameter] = TensorFunctions


def scalar_type() -> Any:
    """Return NumPy's type of counts and other numbers in the state."""
    return np.float64 if get_default_dtype().name == "float64" else np.float32


def scalar_array(state: dict[str, Any], name: str, first: float) -> Array:
    """Return the array of a number in the state, which is `first` at the first step."""
    if not isinstance(state.get(name), Tensor):  # a state may have been loaded with a number
        state[name] = new_tensor(np.array(state.get(name, first), scalar_type()))
    array: Array = state[name].shared_array()
    return array


def next_step(state: dict[str, Any]) -> float:
    """Return the number of this step, counting from 1."""
    count = scalar_array(state, "step", 0.0)
    count += 1
    return float(count)


@fuse
def sgd(
    xp: Any,
    array: Any,
    grad: Any,
    velocity: Any,
    decay: Any,
    momentum: Any,
    share: Any,
    ahead: Any,
    rate: Any,
) -> None:
    """Move against the gradient or along the velocity; with `ahead`, by Nesterov's rule."""
    grad = add_decay(grad, array, decay)
    if velocity is not None:
        velocity *= momentum
        velocity += grad * share
        grad = velocity if ahead is None else grad + velocity * ahead
    array -= grad * rate


class SGD(Optimizer):
    """Stochastic gradient descent: x -= lr * g.

    With momentum, x -= lr * v where v = momentum * v + (1 - dampening) * g.

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
        momentum, velocity, share = group["momentum"], None, 1.0
        if momentum:
            state = self.state[parameter]
            if state.get("momentum_buffer") is None:
                state.pop("momentum_buffer", None)
                if isinstance(grad, Tensor) and not group["nesterov"]:
                    grad = grad.detach()  # as in PyTorch, the first velocity has no history
            else:
                share = 1 - group["dampening"]
            (velocity,) = state_arrays(state, array, "momentum_buffer")
        ahead = momentum if group["nesterov"] else None
        decay = group["weight_decay"] or None
        sgd(array, grad, velocity, decay, momentum, share, ahead, group["lr"])


@fuse
def adam(
    xp: Any,
    array: Any,
    grad: Any,
    mean: Any,
    square: Any,
    largest: Any,
    shrink: Any,
    decay: Any,
    first: Any,
    second: Any,
    rest: Any,
    root: Any,
    eps: Any,
    rate: Any,
) -> None:
    """Move along `mean`, divided by the root of `square`.

    The mean moves by the share `first`. The square keeps the share `second` and adds `rest` of the
    new one.
    """
    if shrink is not None:
        array *= shrink
    grad = add_decay(grad, array, decay)
    change = grad - mean
    change *= first
    mean += change
    change = grad * grad
    change *= rest
    square *= second
    square += change
    if largest is not None:
        xp.maximum(largest, square, out=largest)
        square = largest
    change = xp.sqrt(square)
    change /= root
    change += eps
    change = mean / change
    change *= rate
    array -= change


class Adam(Optimizer):
    """Adaptive moments (Kingma and Ba 2015).

    Steps are scaled by running means of the gradient and of its square.
    """

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
        step = next_step(state)
        first, second = group["betas"]
        shrink, decay = shrink_or_decay(parameter, group)
        largest = None
        mean, square = state_arrays(state, array, "exp_avg", "exp_avg_sq")
        if group["amsgrad"]:
            (largest,) = state_arrays(state, array, "max_exp_avg_sq")
        root = math.sqrt(1 - second**step)
        kept = (mean, square, largest, shrink, decay)
        factors = (1 - first, second, 1 - second, root, group["eps"])
        adam(array, grad, *kept, *factors, group["lr"] / (1 - first**step))


class AdamW(Adam):
    """Adam with decoupled weight decay (Loshchilov and Hutter 2019)."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        how = (lr, betas, eps, weight_decay, amsgrad)
        super().__init__(
            params,
            *how,
            maximize=maximize,
            foreach=foreach,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )


@fuse
def rmsprop(
    xp: Any,
    array: Any,
    grad: Any,
    square: Any,
    mean: Any,
    velocity: Any,
    decay: Any,
    alpha: Any,
    share: Any,
    eps: Any,
    momentum: Any,
    rate: Any,
) -> None:
    """Move by the gradient divided by the root of `square`.

    The square keeps the share `alpha` and adds `share` of the new one. With a `mean`, the root is
    that of the variance.
    """
    grad = add_decay(grad, array, decay)
    square *= alpha
    square += grad * grad * share
    spread = square
    if mean is not None:
        mean += (grad - mean) * share
        spread = square - mean * mean
    step = grad / (xp.sqrt(spread) + eps)
    if velocity is not None:
        velocity *= momentum
        velocity += step
        step = velocity
    array -= step * rate


class RMSprop(Optimizer):
    """Gradients divided by the root of a running mean of their squares (Hinton 2012)."""

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
        order = "lr momentum alpha eps centered weight_decay"
        super().__init__(params, options(locals(), order))

    def update(self, parameter: Tensor, array: Array, grad: Array, group: Group) -> None:
        state = self.state[parameter]
        next_step(state)
        alpha, momentum, mean, velocity = group["alpha"], group["momentum"], None, None
        (square,) = state_arrays(state, array, "square_avg")
        if momentum > 0:
            (velocity,) = state_arrays(state, array, "momentum_buffer")
        if group["centered"]:
            (mean,) = state_arrays(state, array, "grad_avg")
        kept = (square, mean, velocity, group["weight_decay"] or None)
        rmsprop(array, grad, *kept, alpha, 1 - alpha, group["eps"], momentum, group["lr"])
