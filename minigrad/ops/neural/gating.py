"""Gated linear units: one half of a tensor decides how much of the other half passes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.float16 import widened
from ...arrays.messages import check_floating
from ...core.node import TensorBase
from ...core.operation import ALWAYS, Operation, apply
from ..indexing.joining import cat
from ..pointwise.elementwise import SigmoidBackward0
from ..public.dims import whole_number, wrap_dim
from ..public.functions import schema


class GluBackward0(Operation):
    """The first half along a dimension, times the sigmoid of the second half."""

    params = ("dim",)
    saves = {"self": ALWAYS}
    rule = r"\bar a = g \cdot \sigma(b), \qquad \bar b = g \cdot a \cdot \sigma(b)(1 - \sigma(b))"

    @widened
    def forward(self: Any, /, dim: int) -> Any:
        first, second = np.split(self, 2, axis=dim)
        return first / (1 + np.exp(-second))

    def gradient(g: Any, self: Any, dim: int) -> Any:
        return GluBackwardBackward0.on(g, self, dim)


class GluBackwardBackward0(Operation):
    """The gradient of glu."""

    inputs = ("grad_output", "self")
    params = ("dim",)
    saves = {"grad_output": ALWAYS, "self": ALWAYS}
    rule = r"\bar g = \bar a \cdot \sigma(b) + \bar b \cdot a \cdot \sigma(b)(1 - \sigma(b))"

    @widened
    def forward(grad_output: Any, self: Any, /, dim: int) -> Any:
        first, second = np.split(self, 2, axis=dim)
        gate = 1 / (1 + np.exp(-second))
        return np.concatenate(
            [grad_output * gate, grad_output * first * gate * (1 - gate)], axis=dim
        )

    def backward(ctx, h: Any) -> Any:
        g, self = ctx.saved
        (dim,) = ctx.args
        half = self.shape[dim] // 2
        (one, two), (first, second) = (halves(x, dim, half) for x in (h, self))
        gate = SigmoidBackward0.on(second)
        slope = gate * (1 - gate)
        wrt_g = one * gate + two * first * slope if ctx.needs(0) else None
        if not ctx.needs(1):
            return wrt_g, None
        wrt_second = one * g * slope + two * g * first * slope * (1 - 2 * gate)
        return wrt_g, joined(two * g * slope, wrt_second, dim)


def halves(x: Any, dim: int, half: int) -> tuple[Any, Any]:
    """Return both halves of an array or a Tensor."""
    place = [slice(None)] * x.ndim
    place[dim] = slice(0, half)
    rest = [*place]
    rest[dim] = slice(half, None)
    return x[tuple(place)], x[tuple(rest)]


def joined(first: Any, second: Any, dim: int) -> Any:
    """Join two arrays or Tensors along a dimension."""
    if isinstance(first, TensorBase):
        return cat([first, second], dim)
    return np.concatenate([first, second], axis=dim)


@schema(
    "def glu(Tensor input, int dim=-1)",
    "input.dim()",
    "glu(Tensor input, int dim)",
    place="nn.functional",
)
def glu(input: Any, dim: int = -1) -> TensorBase:
    """Multiply the first half along `dim` by the sigmoid of the second half."""
    shape = input._array.shape
    if not shape:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    axis = wrap_dim(whole_number(dim), len(shape))
    if shape[axis] % 2:
        found = f"but dimension {axis} is size {shape[axis]}"
        raise RuntimeError(f"Halving dimension must be even, {found}")
    check_floating("glu_cpu", input._array.dtype)
    return apply(GluBackward0, input, axis)
