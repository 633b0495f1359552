"""The greater or smaller of two values at each place, and limits: maximum, minimum, clamp.

Where the two are equal, neither has a slope of its own: `maximum` gives each of them half of the
gradient, `clamp` gives all of it to the tensor, as PyTorch does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays.dtypes import result_dtype
from ..arrays.words import check_result, check_tensor, check_tensors
from ..core.inplace import overwrite
from ..core.node import TensorBase
from ..core.operation import Operation, record
from ..core.promotion import binary
from .elementwise import WhereBackward0, masked
from .fronts import gradient_of
from .masking import zeroed
from .operands import OfTwo, elementwise, operand


class MaximumBackward0(OfTwo):
    """The greater of the two; nan if either is."""

    rule = r"\bar a = g \cdot ([a > b] + \frac{1}{2} [a = b]), \qquad \bar b = g - \bar a"
    forward = np.maximum

    def gradient(g: Any, other: Any, self: Any) -> Any:
        tied = self == other
        return lambda: won(g, tied, self < other), lambda: won(g, tied, self > other)


class MinimumBackward0(OfTwo):
    """The smaller of the two; nan if either is."""

    rule = r"\bar a = g \cdot ([a < b] + \frac{1}{2} [a = b]), \qquad \bar b = g - \bar a"
    forward = np.minimum

    def gradient(g: Any, other: Any, self: Any) -> Any:
        tied = self == other
        return lambda: won(g, tied, self > other), lambda: won(g, tied, self < other)


def won(g: Any, tied: Any, lost: Any) -> Any:
    """The part of `g` for one of two: half where they are equal, nothing where the other was
    taken."""
    return zeroed(WhereBackward0.on(g / 2, g, tied), lost)


def limited(x: Any, min: Any, max: Any) -> Any:
    """`max` wins if the limits cross; in this order of arguments -0 stays -0."""
    if min is not None:
        x = np.maximum(min, x)
    return x if max is None else np.minimum(max, x)


def inside(x: Any, min: Any, max: Any) -> Any:
    """Where `x` is not beyond a limit."""
    if max is None:
        return x >= min
    return x <= max if min is None else (x >= min) & (x <= max)


class ClampBackward0(Operation):
    """Limited by two tensors, one of which may be missing."""

    inputs = ("self", "min", "max")
    rule = r"\bar a = g \cdot [l \leq a \leq h], \qquad \bar l = g \cdot [a < l]"

    forward = limited

    def gradient(g: Any, max: Any, min: Any, self: Any) -> Any:
        return (
            lambda: masked(g, inside(self, min, max)),
            lambda: masked(g, (self < min) if max is None else (self < min) & (min < max)),
            lambda: masked(g, (self > max) if min is None else (self > max) | (max < min)),
        )


@gradient_of(limited, r"\bar a = g \cdot [l \leq a \leq h]", params="min max")
def ClampBackward1(g: Any, self: Any, min: Any, max: Any) -> Any:
    """Limited by two numbers, one of which may be missing."""
    return masked(g, inside(self, min, max))


@gradient_of(np.maximum, r"\bar a = g \cdot [a \geq l]", params="min")
def ClampMinBackward0(g: Any, self: Any, min: Any) -> Any:
    """Not below a number."""
    return masked(g, self >= min)


# --- Public functions


def maximum(input: TensorBase, other: TensorBase | float) -> TensorBase:
    """The greater of the two, elementwise; nan if either is."""
    check_tensors("maximum", ("input", input), ("other", other))
    return binary(MaximumBackward0, input, other)


def minimum(input: TensorBase, other: TensorBase | float) -> TensorBase:
    """The smaller of the two, elementwise; nan if either is."""
    check_tensors("minimum", ("input", input), ("other", other))
    return binary(MinimumBackward0, input, other)


def clamp(input: TensorBase, min: Any = None, max: Any = None) -> TensorBase:
    """`input` limited to the range from `min` to `max`: numbers or tensors, either may be None.

    >>> import minigrad as mg
    >>> mg.clamp(mg.tensor([-2.0, 0.5, 2.0]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    op, inputs, params, arrays = clamping(input, min, max, "clamp")
    return record(op, inputs, params, elementwise(op.forward, *arrays))


def clamp_(input: TensorBase, min: Any = None, max: Any = None) -> TensorBase:
    """`clamp` in place."""
    op, inputs, params, arrays = clamping(input, min, max, "clamp_")
    value = elementwise(op.forward, *arrays)
    check_result(value, input._array)
    return overwrite(op, input, inputs, params, value)


def clamping(input: TensorBase, min: Any, max: Any, name: str) -> tuple[Any, Any, Any, Any]:
    """The operation that a call of clamp means, its inputs and parameters, and the arrays."""
    check_tensor(input, name)
    if min is None and max is None:
        raise RuntimeError(f"torch.{name}: At least one of 'min' or 'max' must not be None")
    tensors = {isinstance(limit, TensorBase) for limit in (min, max) if limit is not None}
    if len(tensors) > 1:
        wrong = f"{name}() received an invalid combination of arguments"
        raise TypeError(f"{wrong}: the limits must be both tensors or both numbers")
    limits = [t if t is None else operand(ClampBackward1, t) for t in (min, max)]
    dtype = result_dtype(input._array, *[limit for limit in limits if limit is not None])
    arrays = [
        x.astype(dtype, copy=False) if hasattr(x, "dtype") else x for x in (input._array, *limits)
    ]
    if tensors == {True}:
        return ClampBackward0, (input, min, max), (), arrays
    return ClampBackward1, (input,), (min, max), arrays


class ExtremesMethods(TensorBase):
    """The methods of this file."""

    maximum, minimum = maximum, minimum
    clamp, clamp_, clip, clip_ = clamp, clamp_, clamp, clamp_
