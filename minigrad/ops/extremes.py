"""The greatest and the smallest: of all elements or along a dimension (max, amax, argmax), of two
tensors (maximum), softly (logsumexp); and limits (clamp).

Where several are equal, none has a slope of its own. `amax`, and `max` of all elements, give each
of them its share of the gradient, `max` along a dimension gives all of it to one; `maximum` gives
each of the two half, `clamp` all of it to the tensor, as PyTorch does.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..arrays.dtypes import result_dtype
from ..arrays.float16 import widened
from ..arrays.memory_order import row_major
from ..arrays.words import check_result, check_tensor, check_tensors
from ..core.inplace import overwrite
from ..core.node import TensorBase, new_tensor
from ..core.operation import Operation, apply, record
from ..core.promotion import binary, operand
from .dims import as_dims, kept, wrap_dim, wrap_dims
from .elementwise import ExpBackward0, WhereBackward0, masked
from .fronts import Function, elementwise, of_tensor
from .kinds import OfTwo, gradient_of
from .masking import zeroed
from .reductions import check_not_empty, restored
from .sorting import Choice, ChoiceOfAll, chosen_along


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


# --- Of all elements, or along dimensions


class MaxBackward0(Choice):
    """The greatest element along a dimension."""


class MinBackward0(Choice):
    """The smallest element along a dimension."""


class MaxBackward1(ChoiceOfAll):
    """The greatest element; where several are, each gets its share of the gradient."""

    def forward(self: Any) -> Any:
        return self.max()


class MinBackward1(ChoiceOfAll):
    """The smallest element; where several are, each gets its share of the gradient."""

    def forward(self: Any) -> Any:
        return self.min()


class AmaxBackward0(Operation):
    """The greatest element; where several are, each gets its share of the gradient."""

    rule = r"\bar a_i = g \cdot \frac{[a_i = y]}{\sum_j [a_j = y]}"

    @row_major
    def forward(self: Any, /, dim: tuple[int, ...], keepdim: bool) -> Any:
        return self.max(axis=wrap_dims(dim, self.ndim), keepdims=keepdim)

    def gradient(g: Any, self: Any, result: Any, dim: tuple[int, ...], keepdim: bool) -> Any:
        shape = self.shape
        chosen = self == restored(result, shape, dim, keepdim)
        count = chosen.sum(axis=wrap_dims(dim, len(shape)), keepdims=True)
        if not keepdim:
            g = g.reshape(kept(shape, wrap_dims(dim, len(shape))) if dim else ())
        return g / count * chosen


class AminBackward0(AmaxBackward0):
    """The smallest element; where several are, each gets its share of the gradient."""

    @row_major
    def forward(self: Any, dim: tuple[int, ...], keepdim: bool) -> Any:
        return self.min(axis=wrap_dims(dim, self.ndim), keepdims=keepdim)


def greatest(array: Any, dims: tuple[int, ...]) -> Any:
    """The greatest element along `dims`; -inf where there is none. (Asked for a start value, NumPy
    takes twice as long, and CuPy takes none.)"""
    if array.size:
        return array.max(axis=dims, keepdims=True)
    return array.sum(axis=dims, keepdims=True) - math.inf


class LogsumexpBackward0(Operation):
    """ln(sum of exp(self)), without overflow."""

    rule = r"\bar a_i = g \cdot e^{a_i - y}"

    @row_major
    @widened
    def forward(self: Any, /, dim: tuple[int, ...], keepdim: bool) -> Any:
        dims = wrap_dims(dim, self.ndim)
        top = greatest(self, dims)
        top = np.where(np.isfinite(top), top, 0)
        result = np.log(np.exp(self - top).sum(axis=dims, keepdims=True)) + top
        return result if keepdim else result.squeeze(axis=dims)

    def gradient(g: Any, self: Any, result: Any, dim: tuple[int, ...], keepdim: bool) -> Any:
        shape = self.shape
        difference = self - restored(result, shape, dim, keepdim)
        return restored(g, shape, dim, keepdim) * ExpBackward0.on(difference)


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


@of_tensor
def max(input: TensorBase, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
    """The greatest element; along `dim`, with its index; or the greater of two tensors.

    >>> import minigrad as mg
    >>> mg.max(mg.tensor([1.0, 3.0, 2.0]))
    tensor(3.)
    """
    ops = MaximumBackward0, MaxBackward1, MaxBackward0
    return extreme("max", ops, input, dim, keepdim, other)


@of_tensor
def min(input: TensorBase, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
    """The smallest element; along `dim`, with its index; or the smaller of two tensors."""
    ops = MinimumBackward0, MinBackward1, MinBackward0
    return extreme("min", ops, input, dim, keepdim, other)


def extreme(name: str, ops: Any, input: Any, dim: Any, keepdim: bool, other: Any) -> Any:
    """The three forms of max and min, and their operations."""
    of_two, whole, along = ops
    if isinstance(dim, TensorBase) and other is None and keepdim is False:
        dim, other = None, dim
    if other is not None:
        check_tensor(other, name, "other", 2)
        return binary(of_two, input, other)
    if dim is None:
        check_not_empty(input, None, name, RuntimeError)
        return apply(whole, input)
    if not isinstance(dim, int):
        wrong = f"{name}() received an invalid combination of arguments"
        raise TypeError(f"{wrong}: 'dim' must be int, not {type(dim).__name__}")
    function = np.argmax if name == "max" else np.argmin
    return chosen_along(along, input, dim, keepdim, lambda x: function(x, axis=-1))


@of_tensor
def amax(input: TensorBase, dim: Any = (), keepdim: bool = False) -> TensorBase:
    """The greatest element, or along `dim` (a number or several)."""
    check_not_empty(input, dim, "amax", RuntimeError)
    return apply(AmaxBackward0, input, as_dims(dim), keepdim)


@of_tensor
def amin(input: TensorBase, dim: Any = (), keepdim: bool = False) -> TensorBase:
    """The smallest element, or along `dim` (a number or several)."""
    check_not_empty(input, dim, "amin", RuntimeError)
    return apply(AminBackward0, input, as_dims(dim), keepdim)


@of_tensor
def logsumexp(input: TensorBase, dim: Any, keepdim: bool = False) -> TensorBase:
    """ln(sum of exp(input)) along `dim`, without overflow."""
    if input._array.dtype.kind != "f":
        input = input.float()
    return apply(LogsumexpBackward0, input, as_dims(dim), keepdim)


@of_tensor
def argmax(input: TensorBase, dim: int | None = None, keepdim: bool = False) -> TensorBase:
    """The index of the greatest element, the first of equal ones; or along `dim`.

    >>> import minigrad as mg
    >>> mg.argmax(mg.tensor([1.0, 3.0, 2.0]))
    tensor(1)
    """
    return place(np.argmax, input, dim, keepdim)


@of_tensor
def argmin(input: TensorBase, dim: int | None = None, keepdim: bool = False) -> TensorBase:
    """The index of the smallest element, the first of equal ones; or along `dim`."""
    return place(np.argmin, input, dim, keepdim)


def place(function: Function, input: Any, dim: int | None, keepdim: bool) -> TensorBase:
    name, x = function.__name__, input._array
    if x.dtype.kind == "b":
        raise RuntimeError(f"{name}(): does not support bool input")
    check_not_empty(input, dim, name)
    axis = None if dim is None else wrap_dim(dim, x.ndim)
    return new_tensor(function(x, axis=axis if x.ndim else None, keepdims=keepdim))


class ExtremesMethods(TensorBase):
    """The methods of this file."""

    maximum, minimum, max, min = maximum, minimum, max, min
    amax, amin, argmax, argmin, logsumexp = amax, amin, argmax, argmin, logsumexp
    clamp, clamp_, clip, clip_ = clamp, clamp_, clamp, clamp_
