"""Activation functions of neural networks: gelu, elu, softmax and others.

relu, sigmoid and tanh are in elementwise.py and trigonometry.py.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays import erf as error_function
from ...arrays.float16 import FLOAT16, in_float32, widened
from ...arrays.memory_order import row_major
from ...arrays.messages import check_floating, not_implemented
from ...core.inplace import inplace as apply_in_place
from ...core.modes import modes
from ...core.node import TensorBase, gradient_edge, new_tensor
from ...core.operation import ALWAYS, Operation, apply, attach
from ..public.arguments import number, whole
from ..public.dims import sum_keepdim, wrap_dim, wrap_dims
from ..public.functions import schema
from .elementwise import (
    ErfBackward0,
    ExpBackward0,
    ReluBackward0,
    SigmoidBackward0,
    SlopeByPiece,
    WhereBackward0,
    keep_where,
)
from .trigonometry import TanhBackward0

# --- Elementwise functions


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
    """ln(1 + exp(beta * element)) / beta; the element itself where the difference vanishes."""

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
    """Each element, multiplied by a small slope if it is below 0."""

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


def negative_slope_in_place(name: str) -> RuntimeError:
    """Return the error for a result from whose sign the input's sign does not follow."""
    wrong = f"In-place {name} backward calculation is triggered with a negative slope"
    cause = "calling in-place forward function with a negative slope"
    more = (
        " File an issue at https://github.com/pytorch/pytorch if you do require supporting "
        "in-place leakRelu backward calculation with negative slope"
    )
    return RuntimeError(
        f"{wrong} which is not supported. This is caused by {cause}, please call out-of-place "
        f"version instead.{more if name == 'leakyReLu' else ''}"
    )


class LeakyReluBackward1(LeakyReluBackward0):
    """leaky_relu in place: the result tells on which side of 0 an element was."""

    def gradient(g: Any, result: Any, negative_slope: float) -> Any:
        if not negative_slope >= 0:
            raise negative_slope_in_place("leakyReLu")
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
        growth = ExpBackward0.on(keep_where(self, self <= 0) * input_scale)
        return WhereBackward0.on(g * growth * (alpha * scale * input_scale), g * scale, self <= 0)


class EluBackward1(EluBackward0):
    """elu in place: the slope is computed from the result."""

    @widened
    def gradient(g: Any, result: Any, alpha: float, scale: float, input_scale: float) -> Any:
        if not alpha >= 0:
            raise negative_slope_in_place("elu")
        below = g * (result + alpha * scale) * input_scale
        return WhereBackward0.on(below, g * scale, result <= 0)


class HardtanhBackward0(Operation):
    """Each element limited by two numbers; an element at a limit has slope 0."""

    rule = r"\bar a = g \cdot [l < a < h]"

    def forward(self: Any, /, min_val: float, max_val: float) -> Any:
        return np.clip(self, min_val, max_val).astype(self.dtype, copy=False)

    def gradient(g: Any, self: Any, min_val: float, max_val: float) -> Any:
        return HardtanhBackwardBackward0.on(g, self, min_val, max_val)


class HardtanhBackwardBackward0(SlopeByPiece):
    """The gradient of hardtanh: it passes only between the limits."""

    rule = r"\bar g = \bar a \cdot [l < a < h], \qquad \bar a = 0"

    def forward(grad_output: Any, self: Any, /, min_val: float, max_val: float) -> Any:
        return keep_where(grad_output, ~((self <= min_val) | (self >= max_val)))


IN_PLACE = {LeakyReluBackward0: LeakyReluBackward1, EluBackward0: EluBackward1}
"""The in-place forms that save their result, because their input is overwritten."""


# --- Functions along a dimension


def subtract_max(x: Any, dim: int, name: str) -> Any:
    """Return `x` minus its greatest element along `dim`, as a new array in row-major order.

    Narrower dtypes become float32.
    """
    if x.dtype.kind != "f" or not x.ndim:
        last = "lastdim_" if wrap_dim(dim, x.ndim) == max(x.ndim - 1, 0) else ""
        check_floating(f"{name}_{last}kernel_impl", x.dtype)
    result = np.empty_like(x, np.float32 if x.dtype == FLOAT16 else x.dtype, order="C")
    if x.size:
        top = x.max(axis=dim if x.ndim else (), keepdims=True)
        np.subtract(x, top, out=result, dtype=result.dtype)
    else:
        wrap_dim(dim, x.ndim)
    return result


class SoftmaxBackward0(Operation):
    """Exponentials that add up to 1 along a dimension."""

    rule = r"\bar a_i = y_i \cdot (g_i - \sum_j g_j y_j)"

    def forward(self: Any, /, dim: int) -> Any:
        powers = subtract_max(self, dim, "softmax")
        np.exp(powers, out=powers)
        powers /= powers.sum(axis=dim if self.ndim else (), keepdims=True)
        return powers if self.dtype != FLOAT16 else powers.astype(FLOAT16)

    def gradient(g: Any, result: Any, dim: int) -> Any:
        return SoftmaxBackwardDataBackward0.on(g, result, dim)


class SafeSoftmaxBackward0(SoftmaxBackward0):
    """softmax, with zeros where all scores are -inf: a fully masked query attends to nothing."""

    def forward(self: Any, /, dim: int) -> Any:
        found = SoftmaxBackward0.forward(self, dim)
        nothing = (self == -np.inf).all(axis=dim, keepdims=True)
        return WhereBackward0.forward(np.zeros_like(found), found, nothing)


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
            return sum_keepdim(x, wrap_dims(dim, output.ndim))

        return lambda: SoftmaxBackwardDataBackward0.on(
            h, output, dim
        ), lambda: h * (grad_output - total(grad_output * output)) - grad_output * total(h * output)


class LogSoftmaxBackward0(Operation):
    """The logarithm of softmax, without overflow."""

    rule = r"\bar a_i = g_i - e^{y_i} \sum_j g_j"

    def forward(self: Any, /, dim: int) -> Any:
        result = subtract_max(self, dim, "log_softmax")
        result -= np.log(np.exp(result).sum(axis=dim if self.ndim else (), keepdims=True))
        return result if self.dtype != FLOAT16 else result.astype(FLOAT16)

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
            lambda: h - sum_keepdim(pull, dims),
            lambda: -pull * sum_keepdim(grad_output, dims),
        )


# --- Public functions


@schema("def relu(Tensor input, bool inplace=False)", "relu(Tensor input)", place="nn.functional")
def relu(input: Any, inplace: bool = False) -> TensorBase:
    """Compute max(element, 0)."""
    if inplace:
        return apply_in_place(ReluBackward0, input)
    edges = (input._edge or gradient_edge(input),) if modes.grad else ()
    return attach(ReluBackward0, edges, (input,), ReluBackward0.forward(input._array))


@schema('gelu(Tensor input, *, str approximate="none", Tensor out=None)', place="nn.functional")
def gelu(input: Any, *, approximate: str = "none") -> TensorBase:
    """Multiply each element by the probability that a normal variable is smaller.

    `approximate` is "none" or "tanh".
    """
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return activate(GeluBackward0, "GeluKernelImpl", False, input, approximate)


@schema("def silu(Tensor input, bool inplace=False)", "silu(Tensor input)", place="nn.functional")
def silu(input: Any, inplace: bool = False) -> TensorBase:
    """Multiply each element by its sigmoid."""
    return activate(SiluBackward0, "silu_cpu", inplace, input)


@schema(
    "softplus(Tensor input, Scalar beta=1, Scalar threshold=20, *, Tensor out=None)",
    place="nn.functional",
)
def softplus(input: Any, beta: float = 1, threshold: float = 20) -> TensorBase:
    """Compute ln(1 + exp(beta * element)) / beta: relu with a smooth corner."""
    numbers = number(beta), number(threshold)
    return activate(SoftplusBackward0, "softplus_cpu", False, input, *numbers)


@schema(
    "def leaky_relu(Tensor input, float negative_slope=0.01, bool inplace=False)",
    "leaky_relu(Tensor input, Scalar negative_slope)",
    place="nn.functional",
)
def leaky_relu(input: Any, negative_slope: float = 0.01, inplace: bool = False) -> TensorBase:
    """Multiply the elements below 0 by `negative_slope`."""
    slope = number(negative_slope)
    return activate(LeakyReluBackward0, "leaky_relu_cpu", inplace, input, slope)


@schema(
    "def elu(Tensor input, float alpha=1.0, bool inplace=False)",
    "elu(Tensor input, Scalar alpha)",
    place="nn.functional",
)
def elu(input: Any, alpha: float = 1.0, inplace: bool = False) -> TensorBase:
    """Replace each element below 0 by alpha * (exp(element) - 1)."""
    return activate(EluBackward0, "elu_cpu", inplace, input, number(alpha), 1, 1)


@schema(
    "def hardtanh(Tensor input, float min_val=-1.0, float max_val=1.0, bool inplace=False)",
    "hardtanh(Tensor input, Scalar min_val, Scalar max_val)",
    place="nn.functional",
)
def hardtanh(
    input: Any, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> TensorBase:
    """Limit each element to the range from `min_val` to `max_val`."""
    low, high = number(min_val), number(max_val)
    if low > high:
        raise ValueError("min_val cannot be greater than max_val")
    return limited_to(low, high, input, inplace)


@schema("def relu6(Tensor input, bool inplace=False)", "relu6(Tensor input)", place="nn.functional")
def relu6(input: Any, inplace: bool = False) -> TensorBase:
    """Limit each element to the range from 0 to 6."""
    return limited_to(0, 6, input, inplace)


def limited_to(low: Any, high: Any, input: Any, inplace: bool) -> TensorBase:
    """Limit elements, for `hardtanh` and `relu6`."""
    if input._array.dtype.kind == "b":
        raise RuntimeError("Bool inputs not supported for hardtanh")
    if inplace:
        return apply_in_place(HardtanhBackward0, input, low, high)
    return apply(HardtanhBackward0, input, low, high)


@schema("log_sigmoid(Tensor input, *, Tensor out=None)", place="nn.functional")
def logsigmoid(input: Any) -> TensorBase:
    """Compute the logarithm of the sigmoid, without overflow."""
    check_floating("log_sigmoid_cpu", input._array.dtype)
    buffer = new_tensor(np.exp(-np.absolute(input._array)))
    return apply(LogSigmoidBackward0, input, buffer)


def activate(
    op: type[Operation], kernel: str, inplace: bool, input: Any, *params: Any
) -> TensorBase:
    """Apply `op`, or do so in place. PyTorch's `kernel` accepts floating-point dtypes only."""
    if input._array.dtype.kind != "f":
        raise not_implemented(kernel, input._array.dtype)
    if inplace:
        return apply_in_place(IN_PLACE.get(op, op), input, *params)
    return apply(op, input, *params)


@schema("softmax(Tensor input, int dim, dtype? dtype=None, *, Tensor out=None)")
def softmax(input: Any, dim: int, dtype: Any = None) -> TensorBase:
    """Compute exponentials that add up to 1 along `dim`.

    >>> import minigrad as mg
    >>> mg.softmax(mg.tensor([0.0, 0.0]), 0)
    tensor([0.5000, 0.5000])
    """
    return apply_along(SoftmaxBackward0, input, dim, dtype)


@schema("log_softmax(Tensor input, int dim, dtype? dtype=None, *, Tensor out=None)")
def log_softmax(input: Any, dim: int, dtype: Any = None) -> TensorBase:
    """Compute the logarithm of softmax along `dim`, without overflow."""
    return apply_along(LogSoftmaxBackward0, input, dim, dtype)


def apply_along(op: type[Operation], input: Any, dim: Any, dtype: Any) -> TensorBase:
    """Apply `op` along `dim`, after a conversion of the dtype, which has its own node."""
    if type(dim) is not int:
        dim = whole(dim)
    if dtype is not None:
        input = input.to(dtype)
    array = input._array
    if array.dtype.kind != "f" and not array.size:
        wrap_dim(dim, array.ndim)
        return new_tensor(array.copy())  # PyTorch does not check the dtype of empty tensors
    edges = (input._edge or gradient_edge(input),) if modes.grad else ()
    return attach(op, edges, (input, dim), op.forward(array, dim))


class ActivationMethods(TensorBase):
    """The methods of this file."""

    softmax, log_softmax = softmax.method, log_softmax.method
