"""The functions between the layers of a neural network: gelu, elu, softmax and their kin.

relu, sigmoid and tanh are among the elementary functions.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..arrays import erf as error_function
from ..arrays.float16 import FLOAT16, in_float32, widened
from ..arrays.memory_order import row_major
from ..arrays.words import check_floating, check_tensor
from ..core.inplace import inplace as apply_in_place
from ..core.node import TensorBase, new_tensor
from ..core.operation import ALWAYS, Operation, apply
from .dims import wrap_dims
from .elementwise import (
    ErfBackward0,
    ExpBackward0,
    SigmoidBackward0,
    SlopeByPiece,
    WhereBackward0,
    masked,
)
from .elementwise import relu as rectified
from .elementwise import relu_ as rectified_
from .extremes import greatest
from .trigonometry import TanhBackward0

# --- Of each element


class GeluBackward0(Operation):
    """Each element times the probability that a normal variable is smaller."""

    rule = r"\bar a = g \cdot (\Phi(a) + a \cdot \varphi(a))"

    @widened
    def forward(self: Any, /, approximate: str) -> Any:
        if approximate == "none":
            return 0.5 * self * (1 + error_function.erf(self * math.sqrt(0.5)))
        return 0.5 * self * (1 + np.tanh(SLOPE * (self + CUBIC * self * self * self)))

    @widened
    def gradient(g: Any, self: Any, approximate: str) -> Any:
        square = self * self
        if approximate == "none":
            below = 0.5 * (1 + ErfBackward0.on(self * math.sqrt(0.5)))
            density = ExpBackward0.on(-0.5 * square) / math.sqrt(2 * math.pi)
            return g * (below + self * density)
        y = TanhBackward0.on(SLOPE * (self + CUBIC * square * self))
        slope = SLOPE * (1 + 3 * CUBIC * square)
        return g * (0.5 * (1 + y) + 0.5 * self * (1 - y * y) * slope)


SLOPE = math.sqrt(2 / math.pi)
CUBIC = 0.044715
"""The constants of gelu's approximation by tanh (Hendrycks and Gimpel, 2016)."""


class SiluBackward0(Operation):
    """Each element times its sigmoid."""

    rule = r"\bar a = g \cdot \sigma(a) \cdot (1 + a \cdot (1 - \sigma(a)))"
    forward = widened(lambda x: x / (1 + np.exp(-x)))

    @widened
    def gradient(g: Any, self: Any) -> Any:
        y = SigmoidBackward0.on(self)
        return g * y * (1 + self * (1 - y))


class SoftplusBackward0(Operation):
    """ln(1 + exp(beta * element)) / beta; the element itself where that makes no difference."""

    rule = r"\bar a = g \cdot \sigma(\beta a)"

    @widened
    def forward(self: Any, /, beta: float, threshold: float) -> Any:
        z = self * beta
        return WhereBackward0.forward(self, np.log1p(np.exp(z)) / beta, z > threshold)

    @widened
    def gradient(g: Any, self: Any, beta: float, threshold: float) -> Any:
        z = self * beta
        return WhereBackward0.on(g, g * SigmoidBackward0.on(z), z > threshold)


class LogSigmoidBackward0(Operation):
    """The logarithm of the sigmoid, without overflow."""

    saves = {"self": ALWAYS, "buffer": ALWAYS}
    rule = r"\bar a = g \cdot \sigma(-a)"

    @row_major
    def forward(self: Any, /, buffer: Any) -> Any:
        return np.minimum(self, 0) - np.log1p(buffer)

    @widened
    def gradient(g: Any, self: Any, buffer: Any) -> Any:
        return g * SigmoidBackward0.on(-self)


class LeakyReluBackward0(Operation):
    """Each element, those below 0 times a small slope."""

    rule = r"\bar a = g \cdot ([a > 0] + s [a \leq 0])"

    @widened
    def forward(self: Any, /, negative_slope: float) -> Any:
        return WhereBackward0.forward(self, self * negative_slope, self > 0)

    def gradient(g: Any, self: Any, negative_slope: float) -> Any:
        return LeakyReluBackwardBackward0.on(g, self, negative_slope)


class LeakyReluBackwardBackward0(SlopeByPiece):
    """The gradient of leaky_relu: scaled where `self` is below 0."""

    rule = r"\bar g = \bar a \cdot ([a > 0] + s [a \leq 0]), \qquad \bar a = 0"

    @widened
    def forward(grad_output: Any, self: Any, /, negative_slope: float) -> Any:
        return WhereBackward0.forward(grad_output, grad_output * negative_slope, self > 0)


class LeakyReluBackward1(LeakyReluBackward0):
    """The same in place: the result tells on which side of 0 an element was."""

    def gradient(g: Any, result: Any, negative_slope: float) -> Any:
        if negative_slope < 0:
            wrong = "In-place leakyReLu backward calculation is triggered with a negative slope"
            raise RuntimeError(f"{wrong} which is not supported. Use the out-of-place version.")
        return LeakyReluBackward0.gradient(g, result, negative_slope)


class EluBackward0(Operation):
    """scale * element above 0, scale * alpha * (exp(input_scale * element) - 1) below."""

    rule = r"\bar a = g \cdot ([a > 0] \, s + [a \leq 0] \, s \alpha e^{a})"

    @widened
    def forward(self: Any, /, alpha: float, scale: float, input_scale: float) -> Any:
        below = np.expm1(np.minimum(0, self) * input_scale) * (alpha * scale)
        return WhereBackward0.forward(below, self * scale, self <= 0)

    @widened
    def gradient(g: Any, self: Any, alpha: float, scale: float, input_scale: float) -> Any:
        growth = ExpBackward0.on(masked(self, self <= 0) * input_scale)
        return WhereBackward0.on(g * growth * (alpha * scale * input_scale), g * scale, self <= 0)


class EluBackward1(EluBackward0):
    """The same in place: the slope is worked out from the result."""

    @widened
    def gradient(g: Any, result: Any, alpha: float, scale: float, input_scale: float) -> Any:
        below = g * (result + alpha * scale) * input_scale
        return WhereBackward0.on(below, g * scale, result <= 0)


IN_PLACE = {LeakyReluBackward0: LeakyReluBackward1, EluBackward0: EluBackward1}
"""The in-place forms that save their result: what they overwrite is gone."""


# --- Along a dimension


class SoftmaxBackward0(Operation):
    """Exponentials that add up to 1 along a dimension."""

    rule = r"\bar a_i = y_i \cdot (g_i - \sum_j g_j y_j)"

    @row_major
    @widened
    def forward(self: Any, /, dim: int) -> Any:
        dims = wrap_dims(dim, self.ndim)
        powers = np.exp(self - greatest(self, dims))
        return powers / powers.sum(axis=dims, keepdims=True)

    def gradient(g: Any, result: Any, dim: int) -> Any:
        return SoftmaxBackwardDataBackward0.on(g, result, dim)


class SoftmaxBackwardDataBackward0(Operation):
    """The gradient of `softmax`."""

    saves = {"grad_output": 1, "output": ALWAYS}
    rule = (
        r"\bar g = y \cdot (\bar a - s), \quad \bar y = \bar a \cdot (g - \sum_j g_j y_j) - g s, "
        r"\quad s = \sum_j \bar a_j y_j"
    )

    def forward(grad_output: Any, output: Any, /, dim: int) -> Any:
        if output.dtype == FLOAT16:
            return in_float32(SoftmaxBackwardDataBackward0.forward, grad_output, output, dim)
        dims = wrap_dims(dim, output.ndim)
        total = (grad_output * output).sum(axis=dims, keepdims=True)
        return (grad_output - total) * output

    def gradient(h: Any, grad_output: Any, output: Any, dim: int) -> Any:
        def total(x: Any) -> Any:
            return x.sum(axis=wrap_dims(dim, output.ndim), keepdims=True)

        return lambda: SoftmaxBackwardDataBackward0.on(
            h, output, dim
        ), lambda: h * (grad_output - total(grad_output * output)) - grad_output * total(h * output)


class LogSoftmaxBackward0(Operation):
    """The logarithm of softmax, without overflow."""

    rule = r"\bar a_i = g_i - e^{y_i} \sum_j g_j"

    @row_major
    @widened
    def forward(self: Any, /, dim: int) -> Any:
        dims = wrap_dims(dim, self.ndim)
        result = self - greatest(self, dims)
        result -= np.log(np.exp(result).sum(axis=dims, keepdims=True))
        return result

    def gradient(g: Any, result: Any, dim: int) -> Any:
        return LogSoftmaxBackwardDataBackward0.on(g, result, dim)


class LogSoftmaxBackwardDataBackward0(Operation):
    """The gradient of `log_softmax`."""

    saves = {"grad_output": 1, "output": ALWAYS}
    rule = (
        r"\bar g_i = \bar a_i - \sum_j \bar a_j e^{y_j}, \qquad "
        r"\bar y_i = -\bar a_i e^{y_i} \sum_j g_j"
    )

    @widened
    def forward(grad_output: Any, output: Any, /, dim: int) -> Any:
        total = grad_output.sum(axis=wrap_dims(dim, output.ndim), keepdims=True)
        return grad_output - np.exp(output) * total

    def gradient(h: Any, grad_output: Any, output: Any, dim: int) -> Any:
        dims = wrap_dims(dim, output.ndim)
        pull = h * ExpBackward0.on(output)
        return (
            lambda: h - pull.sum(axis=dims, keepdims=True),
            lambda: -pull * grad_output.sum(axis=dims, keepdims=True),
        )


# --- Public functions


def relu(input: TensorBase, inplace: bool = False) -> TensorBase:
    """max(element, 0)."""
    return rectified_(input) if inplace else rectified(input)


def gelu(input: TensorBase, *, approximate: str = "none") -> TensorBase:
    """Each element times the probability that a normal variable is smaller.

    `approximate` is "none" or "tanh".
    """
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return activated("gelu", GeluBackward0, False, input, approximate, kernel="GeluKernelImpl")


def silu(input: TensorBase, inplace: bool = False) -> TensorBase:
    """Each element times its sigmoid."""
    return activated("silu", SiluBackward0, inplace, input)


def softplus(input: TensorBase, beta: float = 1, threshold: float = 20) -> TensorBase:
    """ln(1 + exp(beta * element)) / beta: relu with its corner rounded."""
    return activated("softplus", SoftplusBackward0, False, input, beta, threshold)


def leaky_relu(
    input: TensorBase, negative_slope: float = 0.01, inplace: bool = False
) -> TensorBase:
    """Each element, those below 0 times `negative_slope`."""
    return activated("leaky_relu", LeakyReluBackward0, inplace, input, negative_slope)


def elu(input: TensorBase, alpha: float = 1.0, inplace: bool = False) -> TensorBase:
    """Each element above 0, alpha * (exp(element) - 1) below."""
    return activated("elu", EluBackward0, inplace, input, alpha, 1, 1)


def logsigmoid(input: TensorBase) -> TensorBase:
    """The logarithm of the sigmoid, without overflow."""
    check_tensor(input, "logsigmoid")
    check_floating("log_sigmoid_cpu", input._array.dtype)
    buffer = new_tensor(np.exp(-np.absolute(input._array)))
    return apply(LogSigmoidBackward0, input, buffer)


def activated(
    name: str, op: type[Operation], inplace: bool, input: Any, *params: Any, kernel: str = ""
) -> TensorBase:
    """Apply `op`, or do so in place."""
    check_tensor(input, name)
    check_floating(kernel or f"{name}_cpu", input._array.dtype)
    if inplace:
        return apply_in_place(IN_PLACE.get(op, op), input, *params)
    return apply(op, input, *params)


def softmax(input: TensorBase, dim: int, dtype: Any = None) -> TensorBase:
    """Exponentials that add up to 1 along `dim`.

    >>> import minigrad as mg
    >>> mg.softmax(mg.tensor([0.0, 0.0]), 0)
    tensor([0.5000, 0.5000])
    """
    return along(SoftmaxBackward0, input, dim, dtype, "softmax")


def log_softmax(input: TensorBase, dim: int, dtype: Any = None) -> TensorBase:
    """The logarithm of softmax along `dim`, without overflow."""
    return along(LogSoftmaxBackward0, input, dim, dtype, "log_softmax")


def along(op: type[Operation], input: Any, dim: Any, dtype: Any, name: str) -> TensorBase:
    check_tensor(input, name)
    if not isinstance(dim, int):
        raise TypeError(f"{name}(): argument 'dim' must be int, not {type(dim).__name__}")
    rank = input._array.ndim
    (axis,) = wrap_dims(dim, rank) or (0,)
    if dtype is not None:
        input = input.to(dtype)
    last = "lastdim_" if axis == max(rank - 1, 0) else ""
    check_floating(f"{name}_{last}kernel_impl", input._array.dtype)
    return apply(op, input, dim)


class ActivationMethods(TensorBase):
    """The methods of this file."""

    softmax, log_softmax = softmax, log_softmax
