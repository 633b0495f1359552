"""Activations made of straight pieces: threshold, shrinkage, hard sigmoids, prelu and rrelu."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays import draws
from ...arrays.float16 import FLOAT16, widened
from ...arrays.memory_order import row_major
from ...arrays.messages import check_floating, not_implemented, type_word
from ...core.inplace import inplace as apply_in_place
from ...core.node import TensorBase, new_tensor
from ...core.operation import ALWAYS, Operation, apply, zeros_for
from ..public.arguments import number
from ..public.factories import fill_in_place
from ..public.functions import schema
from .activations import activate
from .elementwise import (
    SlopeByPiece,
    ThresholdBackwardBackward0,
    WhereBackward0,
    keep_where,
)

# --- threshold and shrinkage


class ThresholdBackward0(Operation):
    """Each element above a threshold, and `value` instead of the others."""

    rule = r"\bar a = g \cdot [a > t]"

    def forward(self: Any, /, threshold: float, _value: float) -> Any:
        low = self <= threshold
        return WhereBackward0.forward(np.full_like(self, _value), self, low)

    def gradient(g: Any, self: Any, threshold: float, _value: float) -> Any:
        return ThresholdBackwardBackward0.on(g, self, threshold)


class ThresholdBackward1(ThresholdBackward0):
    """threshold in place."""

    fills_repeats = True


class SoftshrinkBackward0(Operation):
    """Each element moved towards 0 by `lambd`; those nearer than that become 0."""

    rule = r"\bar a = g \cdot [|a| > \lambda]"

    @widened
    def forward(self: Any, /, lambd: float) -> Any:
        moved = WhereBackward0.forward(self - lambd, self + lambd, self > lambd)
        return keep_where(moved, ~((self >= -lambd) & (self <= lambd)))

    def gradient(g: Any, self: Any, lambd: float) -> Any:
        return SoftshrinkBackwardBackward0.on(g, self, lambd)


class SoftshrinkBackwardBackward0(SlopeByPiece):
    """The gradient of both shrinkages: it passes outside of [-lambd, lambd]."""

    rule = r"\bar g = \bar a \cdot [|a| > \lambda], \qquad \bar a = 0"

    def forward(grad_output: Any, self: Any, /, lambd: float) -> Any:
        return keep_where(grad_output, ~((self >= -lambd) & (self <= lambd)))


class HardshrinkBackward0(Operation):
    """Each element; those within `lambd` of 0 become 0."""

    rule = r"\bar a = g \cdot [|a| > \lambda]"

    def forward(self: Any, /, lambd: float) -> Any:
        return keep_where(self, ~((self >= -lambd) & (self <= lambd)))

    def gradient(g: Any, self: Any, lambd: float) -> Any:
        return HardshrinkBackwardBackward0.on(g, self, lambd)


class HardshrinkBackwardBackward0(SoftshrinkBackwardBackward0):
    """The gradient of hardshrink."""


# --- Hard sigmoids


class HardsigmoidBackward0(Operation):
    """relu6(a + 3) / 6: a sigmoid of three straight pieces."""

    rule = r"\bar a = \frac{g}{6} \cdot [-3 < a < 3]"

    @widened
    def forward(self: Any) -> Any:
        return np.clip(self + 3, 0, 6) / 6

    def gradient(g: Any, self: Any) -> Any:
        return keep_where(g / 6, (self > -3) & (self < 3))


class HardswishBackward0(Operation):
    """Each element times its hard sigmoid."""

    rule = r"\bar a = g \cdot (\frac{a}{3} + \frac{1}{2}) \text{ where } |a| < 3"

    @widened
    def forward(self: Any) -> Any:
        return self * np.clip(self + 3, 0, 6) / 6

    def gradient(g: Any, self: Any) -> Any:
        return HardswishBackwardBackward0.on(g, self)


class HardswishBackwardBackward0(Operation):
    """The gradient of hardswish."""

    inputs = ("grad_output", "self")
    saves = {"grad_output": 1, "self": ALWAYS}
    rule = (
        r"\bar g = \bar a \cdot (\frac{a}{3} + \frac{1}{2}), \qquad "
        r"\bar a = \frac{\bar a g}{3} \text{ where } |a| < 3"
    )

    @widened
    def forward(grad_output: Any, self: Any) -> Any:
        between = grad_output * (self / 3 + 0.5)
        outside = keep_where(grad_output, ~(self <= -3))
        return WhereBackward0.forward(between, outside, (self > -3) & (self < 3))

    def gradient(h: Any, grad_output: Any, self: Any) -> Any:
        inside = (self > -3) & (self < 3)
        return (
            lambda: HardswishBackwardBackward0.on(h, self),
            lambda: keep_where(h * grad_output / 3, inside),
        )


# --- Learned and drawn slopes


class PreluKernelBackward0(Operation):
    """Each element, times `weight` if it is below 0."""

    inputs = ("self", "weight")
    saves = {"self": ALWAYS, "weight": ALWAYS}
    rule = r"\bar a = g \cdot ([a > 0] + w [a \leq 0]), \qquad \bar w = \sum g \cdot a [a \leq 0]"

    @widened
    def forward(self: Any, weight: Any) -> Any:
        return WhereBackward0.forward(self, self * weight, self > 0)

    def backward(ctx, g: Any) -> Any:
        self, weight = ctx.saved
        return (
            WhereBackward0.on(g, g * weight, self > 0) if ctx.needs(0) else None,
            keep_where(g * self, ~(self > 0)) if ctx.needs(1) else None,
        )


class RreluWithNoiseBackward0(Operation):
    """Each element times its number in `noise`: 1 above 0, and a drawn slope elsewhere."""

    saves = {"self": ALWAYS, "noise": ALWAYS}
    params = ("noise", "lower", "upper", "training")
    rule = r"\bar a = g \cdot s, \quad s \text{ the slope of the element}"

    @row_major
    def forward(self: Any, /, noise: Any, *how: Any) -> Any:
        return self * noise

    def gradient(g: Any, self: Any, noise: Any, *how: Any) -> Any:
        return RreluWithNoiseBackwardBackward0.on(g, self, noise, *how)


class RreluWithNoiseBackward1(RreluWithNoiseBackward0):
    """rrelu in place."""


class RreluWithNoiseBackwardBackward0(Operation):
    """The gradient of rrelu."""

    inputs = ("grad_output", "self")
    params = ("noise", "lower", "upper", "training")
    saves = {"noise": ALWAYS}
    rule = r"\bar g = \bar a \cdot s, \qquad \bar a = 0"

    def forward(grad_output: Any, self: Any, /, noise: Any, *how: Any) -> Any:
        return grad_output * noise

    def gradient(h: Any, noise: Any, *how: Any) -> Any:
        return lambda: h * noise, lambda: zeros_for(h)


# --- Public functions


@schema(
    "def threshold(Tensor input, float threshold, float value, bool inplace=False)",
    "threshold(Tensor input, Scalar threshold, Scalar value)",
    place="nn.functional",
)
def threshold(input: Any, threshold: float, value: float, inplace: bool = False) -> TensorBase:
    """Replace the elements that are not above `threshold` by `value`."""
    if input._array.dtype.kind == "b":
        check_floating("threshold_cpu", input._array.dtype)
    numbers = number(threshold), number(value)
    if inplace:
        return fill_in_place(ThresholdBackward1, input, *numbers)
    return apply(ThresholdBackward0, input, *numbers)


@schema("softshrink(Tensor input, Scalar lambd=0.5, *, Tensor out=None)", place="nn.functional")
def softshrink(input: Any, lambd: float = 0.5) -> TensorBase:
    """Move each element towards 0 by `lambd`, at most to 0."""
    x, width = input._array, number(lambd)
    check_floating("softshrink_check", x.dtype)
    most = float(np.finfo(x.dtype).max)
    if not 0 <= width <= most:
        given = f"for input dtype {type_word(x.dtype)}, but found {width:g}"
        raise RuntimeError(f"lambda must be in range [0, {most:g}] {given}")
    return activate(SoftshrinkBackward0, "softshrink_cpu", False, input, width)


@schema("hardshrink(Tensor input, Scalar lambd=0.5, *, Tensor out=None)", place="nn.functional")
def hardshrink(input: Any, lambd: float = 0.5) -> TensorBase:
    """Set the elements within `lambd` of 0 to 0."""
    return activate(HardshrinkBackward0, "hardshrink_cpu", False, input, number(lambd))


@schema(
    "def hardsigmoid(Tensor input, bool inplace=False)",
    "hardsigmoid(Tensor input)",
    place="nn.functional",
)
def hardsigmoid(input: Any, inplace: bool = False) -> TensorBase:
    """Compute relu6(element + 3) / 6."""
    return activate(HardsigmoidBackward0, "hardsigmoid_cpu", inplace, input)


@schema(
    "def hardswish(Tensor input, bool inplace=False)",
    "hardswish(Tensor input)",
    place="nn.functional",
)
def hardswish(input: Any, inplace: bool = False) -> TensorBase:
    """Multiply each element by relu6(element + 3) / 6."""
    return activate(HardswishBackward0, "hardswish_cpu", inplace, input)


@schema("prelu(Tensor input, Tensor weight)", place="nn.functional")
def prelu(input: Any, weight: Any) -> TensorBase:
    """Multiply the elements below 0 by `weight`: one number, or one for each channel (dim 1)."""
    x, w = input._array, weight._array
    if x.dtype != w.dtype:
        found = f"Got {type_word(x.dtype)} and {type_word(w.dtype)}"
        raise RuntimeError(f"prelu: Type promoting not supported. {found}")
    if w.size != 1:
        if not x.ndim:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = x.shape[1] if x.ndim > 1 else 1
        if w.size != channels:
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{w.size} and channel size = {channels}."
            )
    if w.ndim > 1:
        wanted = "prelu: Expected `weight` to be a scalar or 1D tensor"
        raise RuntimeError(f"{wanted}, but got: ndim = {w.ndim}")
    if x.ndim != 1 or w.ndim:
        shape = [1] * x.ndim
        if x.ndim > 1:
            shape[1] = w.size
        weight = weight.view(shape)
    check_floating("prelu_cpu", x.dtype)
    return apply(PreluKernelBackward0, input, weight)


@schema(
    "def rrelu(Tensor input, float lower=0.125, float upper=0.3333333333333333, "
    "bool training=False, bool inplace=False)",
    "rrelu(Tensor input, Scalar lower, Scalar upper, bool training)",
    place="nn.functional",
)
def rrelu(
    input: Any,
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Any:
    """Multiply the elements below 0 by slopes drawn between `lower` and `upper`.

    In evaluation, the slope is the mean of both.
    """
    if not isinstance(training, bool):
        raise TypeError
    low, high = number(lower), number(upper)
    for name, bound in (("lower", low), ("upper", high)):
        if not math.isfinite(bound):
            raise RuntimeError(f"rrelu: {name} bound must be finite, got {bound:g}")
    if low > high:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    x = input._array
    if training and x.dtype == FLOAT16:
        raise not_implemented("rrelu_with_noise_out_cpu", x.dtype)
    check_floating("rrelu_with_noise_out_cpu" if training else "leaky_relu_cpu", x.dtype)
    below = x <= 0 if training else ~(x > 0)
    noise: Any = np.ones_like(x)
    if training:
        count = int(below.sum())
        noise[below] = draws.rand((count,), np.dtype(np.float64)) * (high - low) + low
    else:
        noise[below] = (low + high) / 2
    how = (new_tensor(noise), low, high, training)
    if inplace:
        return apply_in_place(RreluWithNoiseBackward1, input, *how)
    return apply(RreluWithNoiseBackward0, input, *how)
