"""Activations that overwrite their input: the functions of `nn.functional` that end with `_`."""

from __future__ import annotations

from typing import Any

from ..public.arguments import number
from ..public.functions import schema
from . import activations, piecewise, smooth


@schema("relu_(Tensor input)", place="nn.functional")
def relu_(input: Any) -> Any:
    """Compute max(element, 0) in place."""
    return activations.relu.body(input, True)


@schema("leaky_relu_(Tensor input, Scalar negative_slope=0.01)", place="nn.functional")
def leaky_relu_(input: Any, negative_slope: float = 0.01) -> Any:
    """Multiply the elements below 0 by `negative_slope`, in place."""
    return activations.leaky_relu.body(input, negative_slope, True)


@schema("elu_(Tensor input, Scalar alpha=1)", place="nn.functional")
def elu_(input: Any, alpha: float = 1.0) -> Any:
    """Replace each element below 0 by alpha * (exp(element) - 1), in place."""
    return activations.elu.body(input, alpha, True)


@schema("selu_(Tensor input)", place="nn.functional")
def selu_(input: Any) -> Any:
    """Compute selu in place."""
    return smooth.selu.body(input, True)


@schema("celu_(Tensor input, Scalar alpha=1.0)", place="nn.functional")
def celu_(input: Any, alpha: float = 1.0) -> Any:
    """Compute celu in place."""
    return smooth.celu.body(input, alpha, True)


@schema("hardtanh_(Tensor input, Scalar min_val=-1, Scalar max_val=1)", place="nn.functional")
def hardtanh_(input: Any, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    """Limit each element to a range, in place."""
    low, high = number(min_val), number(max_val)
    if input._array.dtype.kind == "u" and min(low, high) < 0:
        raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    return activations.limited_to(low, high, input, True)


@schema("threshold_(Tensor input, Scalar threshold, Scalar value)", place="nn.functional")
def threshold_(input: Any, threshold: float, value: float) -> Any:
    """Replace the elements that are not above `threshold` by `value`, in place."""
    return piecewise.threshold.body(input, threshold, value, True)
