"""The greatest and the smallest elements, and limits.

They are found of all elements or along a dimension (max, amax, argmax), of two tensors (maximum),
or softly (logsumexp); clamp limits elements.

Among equal elements no derivative exists. As in PyTorch, `amax`, and `max` of all elements, share
the gradient equally. `max` along a dimension gives all of it to one element. `maximum` gives half
to each operand, `clamp` all to the tensor.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.dtypes import can_cast, from_numpy_dtype, get_default_dtype, result_dtype
from ...arrays.float16 import widened
from ...arrays.memory_order import row_major
from ...arrays.messages import c_name, check_result, not_implemented, type_word
from ...core.inplace import overwrite
from ...core.node import TensorBase, new_tensor
from ...core.operation import Operation, record
from ...core.promotion import binary, operand
from ...core.saved import PLAIN
from ..pointwise.elementwise import ExpBackward0, WhereBackward0, keep_where
from ..pointwise.masking import zero_masked
from ..public import return_types
from ..public.dims import keepdim_shape, read_dims, truth_value, whole_number, wrap_dim, wrap_dims
from ..public.factories import Chosen, elementwise, reduction
from ..public.functions import MISSING, Function, Public, alias, rename_schemas, schema
from ..public.kinds import OfTwo, gradient_of
from ..shapes.copies import as_scalar, check_writable
from .reductions import check_not_empty, expand_reduced
from .sorting import Choice, ChoiceOfAll, chosen_along


class MaximumBackward0(OfTwo):
    """The greater of the two; nan if either is."""

    rule = r"\bar a = g \cdot ([a > b] + \frac{1}{2} [a = b]), \qquad \bar b = g - \bar a"
    forward = np.maximum

    def gradient(g: Any, other: Any, self: Any) -> Any:
        tied = self == other
        return lambda: winner_gradient(g, tied, self < other), lambda: winner_gradient(
            g, tied, self > other
        )


class MinimumBackward0(OfTwo):
    """The smaller of the two; nan if either is."""

    rule = r"\bar a = g \cdot ([a < b] + \frac{1}{2} [a = b]), \qquad \bar b = g - \bar a"
    forward = np.minimum

    def gradient(g: Any, other: Any, self: Any) -> Any:
        tied = self == other
        return lambda: winner_gradient(g, tied, self > other), lambda: winner_gradient(
            g, tied, self < other
        )


class FmaxBackward0(OfTwo):
    """The greater of the two; a number if only one is nan."""

    rule = r"\bar a = g \cdot [a \geq b], \qquad \bar b = g - \bar a"
    forward = np.fmax

    def gradient(g: Any, other: Any, self: Any) -> Any:
        first = (self >= other) | (other != other)
        return lambda: zero_masked(g, first ^ True), lambda: zero_masked(g, first)


class FminBackward0(OfTwo):
    """The smaller of the two; a number if only one is nan."""

    rule = r"\bar a = g \cdot [a \leq b], \qquad \bar b = g - \bar a"
    forward = np.fmin

    def gradient(g: Any, other: Any, self: Any) -> Any:
        first = (self <= other) | (other != other)
        return lambda: zero_masked(g, first ^ True), lambda: zero_masked(g, first)


def winner_gradient(g: Any, tied: Any, lost: Any) -> Any:
    """Return the gradient of one operand: half where both are equal, 0 where the other won."""
    return zero_masked(WhereBackward0.on(g / 2, g, tied), lost)


def limit(x: Any, min: Any, max: Any) -> Any:
    """Limit `x`; `max` wins if the limits cross, and in this order of arguments -0 stays -0."""
    if x.dtype.kind in "iu":  # integers out of the dtype's range raise, or wrap around
        min, max = [as_scalar(n, x.dtype) if type(n) is int else n for n in (min, max)]
    if min is not None:
        x = np.maximum(min, x)
    return x if max is None else np.minimum(max, x)


def inside(x: Any, min: Any, max: Any) -> Any:
    """Return where `x` is not beyond a limit."""
    if max is None:
        return x >= min
    return x <= max if min is None else (x >= min) & (x <= max)


class ClampBackward0(Operation):
    """Limited by two tensors, one of which may be missing."""

    inputs = ("self", "min", "max")
    rule = r"\bar a = g \cdot [l \leq a \leq h], \qquad \bar l = g \cdot [a < l]"

    forward = limit

    def gradient(g: Any, max: Any, min: Any, self: Any) -> Any:
        return (
            lambda: keep_where(g, inside(self, min, max)),
            lambda: keep_where(g, (self < min) if max is None else (self < min) & (min < max)),
            lambda: keep_where(g, (self > max) if min is None else (self > max) | (max < min)),
        )


@gradient_of(limit, r"\bar a = g \cdot [l \leq a \leq h]", params="min max")
def ClampBackward1(g: Any, self: Any, min: Any, max: Any) -> Any:
    """Limited by two numbers, one of which may be missing."""
    return keep_where(g, inside(self, min, max))


@gradient_of(np.maximum, r"\bar a = g \cdot [a \geq l]", params="min")
def ClampMinBackward0(g: Any, self: Any, min: Any) -> Any:
    """Not below a number."""
    return keep_where(g, self >= min)


@gradient_of(np.minimum, r"\bar a = g \cdot [a \leq h]", params="max")
def ClampMaxBackward0(g: Any, self: Any, max: Any) -> Any:
    """Not above a number."""
    return keep_where(g, self <= max)


class ClampMinBackward1(Operation):
    """Not below a tensor."""

    inputs = ("self", "min")
    rule = r"\bar a = g \cdot [a \geq l], \qquad \bar l = g \cdot [a < l]"
    forward = np.maximum

    def gradient(g: Any, min: Any, self: Any) -> Any:
        return lambda: keep_where(g, self >= min), lambda: keep_where(g, self < min)


class ClampMaxBackward1(Operation):
    """Not above a tensor."""

    inputs = ("self", "max")
    rule = r"\bar a = g \cdot [a \leq h], \qquad \bar h = g \cdot [a > h]"
    forward = np.minimum

    def gradient(g: Any, max: Any, self: Any) -> Any:
        return lambda: keep_where(g, self <= max), lambda: keep_where(g, self > max)


ONE_LIMIT = {
    "min": (ClampMinBackward0, ClampMinBackward1),
    "max": (ClampMaxBackward0, ClampMaxBackward1),
}
"""The operations for one limit: a number, or a tensor."""


# --- Extremes of all elements, or along dimensions


class MaxBackward0(Choice):
    """The greatest element along a dimension."""


class MinBackward0(Choice):
    """The smallest element along a dimension."""


class MaxBackward1(ChoiceOfAll):
    """The greatest element; several equal ones share the gradient."""

    def forward(self: Any) -> Any:
        if not self.size:
            check_not_empty(self, (), "max", RuntimeError)
        return self.max()


class MinBackward1(ChoiceOfAll):
    """The smallest element; several equal ones share the gradient."""

    def forward(self: Any) -> Any:
        if not self.size:
            check_not_empty(self, (), "min", RuntimeError)
        return self.min()


class AmaxBackward0(Operation):
    """The greatest element; several equal ones share the gradient."""

    rule = r"\bar a_i = g \cdot \frac{[a_i = y]}{\sum_j [a_j = y]}"

    @row_major
    def forward(self: Any, /, dim: tuple[int, ...], keepdim: bool) -> Any:
        if not self.size:
            check_not_empty(self, dim, "amax", RuntimeError)
        return self.max(axis=wrap_dims(dim, self.ndim) if dim else None, keepdims=keepdim)

    def gradient(g: Any, self: Any, result: Any, dim: tuple[int, ...], keepdim: bool) -> Any:
        shape = self.shape
        chosen = self == expand_reduced(result, shape, dim, keepdim)
        count = chosen.sum(axis=wrap_dims(dim, len(shape)), keepdims=True)
        if not keepdim:
            g = g.reshape(keepdim_shape(shape, wrap_dims(dim, len(shape))) if dim else ())
        return g / count * chosen


class AminBackward0(AmaxBackward0):
    """The smallest element; several equal ones share the gradient."""

    @row_major
    def forward(self: Any, dim: tuple[int, ...], keepdim: bool) -> Any:
        if not self.size:
            check_not_empty(self, dim, "amin", RuntimeError)
        return self.min(axis=wrap_dims(dim, self.ndim) if dim else None, keepdims=keepdim)


class AminmaxBackward0(Operation):
    """The smallest and the greatest element; several equal ones share the gradient."""

    results = ("min", "max")
    rule = r"\bar a_i = g_1 \cdot \frac{[a_i = y_1]}{\sum_j [a_j = y_1]} + \dots"

    def forward(self: Any, /, dim: int | None, keepdim: bool) -> Any:
        axis = None if dim is None or not self.ndim else dim
        return tuple([f(axis=axis, keepdims=keepdim) for f in (self.min, self.max)])

    def gradient(
        g_min: Any, g_max: Any, self: Any, min: Any, max: Any, dim: int | None, keepdim: bool
    ) -> Any:
        shape = self.shape
        dims = () if dim is None or not shape else (dim,)
        keep = keepdim_shape(shape, wrap_dims(dims, len(shape)))
        pairs = [(g, y) for g, y in ((g_min, min), (g_max, max)) if g is not None]
        found = [
            AmaxBackward0.gradient(
                g if keepdim else g.reshape(keep), self, y.reshape(keep), dims, True
            )
            for g, y in pairs
        ]
        return found[0] if len(found) == 1 else found[0] + found[1]


class LogsumexpBackward0(Operation):
    """ln(sum of exp(self)), without overflow."""

    rule = r"\bar a_i = g \cdot e^{a_i - y}"

    @widened
    def forward(self: Any, /, dim: tuple[int, ...], keepdim: bool) -> Any:
        if self.dtype.kind != "f":
            self = self.astype(get_default_dtype().numpy)
        dims = wrap_dims(dim, self.ndim)
        # With a start value NumPy takes twice as long, and CuPy has none.
        top = self.max(axis=dims, keepdims=True) if self.size else self.sum(dims, keepdims=True)
        top = np.where(np.isfinite(top), top, 0)
        result = np.log(np.exp(self - top).sum(axis=dims, keepdims=True)) + top
        result = result if keepdim else result.squeeze(axis=dims)
        return result if result.flags.c_contiguous else result.copy(order="C")

    def gradient(g: Any, self: Any, result: Any, dim: tuple[int, ...], keepdim: bool) -> Any:
        shape = self.shape
        difference = self - expand_reduced(result, shape, dim, keepdim)
        return expand_reduced(g, shape, dim, keepdim) * ExpBackward0.on(difference)


# --- Public functions


@schema("maximum(Tensor input, Tensor other, *, Tensor out=None)")
def maximum(input: Any, other: Any) -> TensorBase:
    """Return the greater of the two, elementwise; nan if either is."""
    if not isinstance(input, TensorBase) or not isinstance(other, TensorBase):
        raise TypeError
    return binary(MaximumBackward0, input, other)


@schema("minimum(Tensor input, Tensor other, *, Tensor out=None)")
def minimum(input: Any, other: Any) -> TensorBase:
    """Return the smaller of the two, elementwise; nan if either is."""
    if not isinstance(input, TensorBase) or not isinstance(other, TensorBase):
        raise TypeError
    return binary(MinimumBackward0, input, other)


@schema("fmax(Tensor input, Tensor other, *, Tensor out=None)")
def fmax(input: Any, other: Any) -> TensorBase:
    """Return the greater of the two, elementwise; nan if both are."""
    if not isinstance(input, TensorBase) or not isinstance(other, TensorBase):
        raise TypeError
    return binary(FmaxBackward0, input, other)


@schema("fmin(Tensor input, Tensor other, *, Tensor out=None)")
def fmin(input: Any, other: Any) -> TensorBase:
    """Return the smaller of the two, elementwise; nan if both are."""
    if not isinstance(input, TensorBase) or not isinstance(other, TensorBase):
        raise TypeError
    return binary(FminBackward0, input, other)


LIMITS = (
    "clamp(Tensor input, Tensor? min=None, Tensor? max=None, *, Tensor out=None)",
    "clamp(Tensor input, Scalar? min=None, Scalar? max=None, *, Tensor out=None)",
)


@schema(*LIMITS)
def clamp(input: Any, min: Any = None, max: Any = None) -> TensorBase:
    """Limit `input` to the range from `min` to `max`: numbers or tensors, either may be None.

    >>> import minigrad as mg
    >>> mg.clamp(mg.tensor([-2.0, 0.5, 2.0]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    op, inputs, params, arrays = clamping(input, min, max)
    return record(op, inputs, params, elementwise(op.forward, *arrays))


@schema(
    "clamp_(Tensor input, Tensor? min=None, Tensor? max=None)",
    "clamp_(Tensor input, Scalar? min=None, Scalar? max=None)",
)
def clamp_(input: Any, min: Any = None, max: Any = None) -> TensorBase:
    """`clamp` in place."""
    check_writable(input, min, max)
    op, inputs, params, arrays = clamping(input, min, max)
    return limit_in_place(op, input, inputs, params, arrays)


def limit_in_place(op: Any, input: Any, inputs: Any, params: Any, arrays: Any) -> TensorBase:
    """Write the limited elements into `input`."""
    value = elementwise(op.forward, *arrays)
    x = input._array
    if len(inputs) == 1 and not can_cast(from_numpy_dtype[value.dtype], from_numpy_dtype[x.dtype]):
        words = f"{type_word(value.dtype)} can't be cast to the desired output type"
        raise RuntimeError(f"result type {words} {c_name(x.dtype)}")
    check_result(value, x)
    return overwrite(op, input, inputs, params, value)


clip, clip_ = alias("clip", clamp), alias("clip_", clamp_)


def one_sided(which: str, text: str) -> tuple[Public, Public]:
    """Make `clamp` with one limit, and its in-place form."""
    name = f"clamp_{which}"
    with_number, with_tensor = ONE_LIMIT[which]
    schemas = (
        f"{name}(Tensor input, Tensor {which}, *, Tensor out=None)",
        f"{name}(Tensor input, Scalar {which}, *, Tensor out=None)",
    )

    def limit(input: Any, *bound: Any, **named: Any) -> tuple[Any, Any, Any, Any]:
        (given,) = (*bound, *named.values())
        if given is None or not named.keys() <= {which}:
            raise TypeError
        op, inputs, _, arrays = clamping(input, **{which: given})
        arrays = [array for array in arrays if array is not None]
        if op is ClampBackward0:
            return with_tensor, (input, given), (), arrays
        return with_number, inputs, (given,), arrays

    def function(input: Any, *bound: Any, **named: Any) -> TensorBase:
        op, inputs, params, arrays = limit(input, *bound, **named)
        return record(op, inputs, params, elementwise(op.forward, *arrays))

    def in_place(input: Any, *bound: Any, **named: Any) -> TensorBase:
        check_writable(input, *bound, *named.values())
        op, inputs, params, arrays = limit(input, *bound, **named)
        return limit_in_place(op, input, inputs, params, arrays)

    function.__doc__, in_place.__doc__ = text, f"`{name}` in place."
    return schema(*schemas)(function), schema(*rename_schemas(schemas, f"{name}_"))(in_place)


clamp_min, clamp_min_ = one_sided("min", "Limit the elements of `input` to at least `min`.")
clamp_max, clamp_max_ = one_sided("max", "Limit the elements of `input` to at most `max`.")


def clamping(input: Any, min: Any = None, max: Any = None) -> tuple[Any, Any, Any, Any]:
    """Return the operation for a call of clamp, its inputs and params, and the arrays."""
    x = input._array
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    tensors = {isinstance(limit, TensorBase) for limit in (min, max) if limit is not None}
    if len(tensors) > 1:
        min, max = single_number(min), single_number(max)
        tensors = {False}
    limits = [t if type(t) in PLAIN else operand(t) for t in (min, max)]
    dtype = result_dtype(x, *[limit for limit in limits if limit is not None])
    if tensors == {False}:
        if dtype.kind == "b":
            which = "min_" if max is None else "max_" if min is None else ""
            raise not_implemented(f"clamp_{which}scalar_cpu", dtype)
    arrays = [x.astype(dtype, copy=False) if hasattr(x, "dtype") else x for x in (x, *limits)]
    if tensors == {True}:
        return ClampBackward0, (input, min, max), (), arrays
    return ClampBackward1, (input,), (min, max), arrays


def single_number(limit: Any) -> Any:
    """Return a limit that accompanies a number: a number or a 0-d tensor.

    Raises:
        TypeError: it has dimensions, or a history.
    """
    if not isinstance(limit, TensorBase):
        return limit
    if limit._array.ndim or limit._requires_grad or limit._edge is not None:
        raise TypeError  # the schema gives the error
    return limit._array.item()


def extremes(
    name: str, text: str, of_two: type[Operation], whole: type[Operation], op: type[Operation]
) -> Public:
    """Make `max` or `min`, in its three forms."""
    find = np.argmax if name == "max" else np.argmin

    def extreme(
        input: Any, dim: Any = MISSING, keepdim: Any = MISSING, *, other: Any = MISSING
    ) -> Any:
        if isinstance(dim, TensorBase) and other is MISSING and keepdim is MISSING:
            dim, other = MISSING, dim
        if other is not MISSING:
            both = isinstance(input, TensorBase) and isinstance(other, TensorBase)
            if not both or not (dim is keepdim is MISSING):
                raise TypeError
            return binary(of_two, input, other)
        if dim is MISSING and keepdim is MISSING:
            return record(whole, (input,), (), whole.forward(input._array))
        keepdim = keepdim is not MISSING and truth_value(keepdim)
        return chosen_along(op, input, dim, keepdim, lambda x: find(x, axis=-1))

    extreme.__name__, extreme.__doc__ = name, text
    return schema(
        f"{name}(Tensor input, *, Tensor out=None)",
        f"{name}(Tensor input, Tensor other, *, Tensor out=None)",
        f"{name}(Tensor input, int dim, bool keepdim=False, *, Tensor[2] out=None)",
    )(extreme)


max = extremes(
    "max",
    """Return the greatest element; along `dim`, with its index; or the greater of two tensors.

    >>> import minigrad as mg
    >>> mg.max(mg.tensor([1.0, 3.0, 2.0]))
    tensor(3.)
    """,
    MaximumBackward0,
    MaxBackward1,
    MaxBackward0,
)
min = extremes(
    "min",
    "Return the smallest element; along `dim`, with its index; or the smaller of two tensors.",
    MinimumBackward0,
    MinBackward1,
    MinBackward0,
)


@reduction(
    "amax(Tensor input, int[1] dim=None, bool keepdim=False, *, Tensor out=None)",
    whole=(AmaxBackward0, ((), False), None),
)
def amax(input: Any, dim: Any = (), keepdim: bool = False) -> Chosen:
    """Return the greatest element, of all or along `dim` (a number or several)."""
    return AmaxBackward0, read_dims(dim, keepdim), None


@reduction(
    "amin(Tensor input, int[1] dim=None, bool keepdim=False, *, Tensor out=None)",
    whole=(AminBackward0, ((), False), None),
)
def amin(input: Any, dim: Any = (), keepdim: bool = False) -> Chosen:
    """Return the smallest element, of all or along `dim` (a number or several)."""
    return AminBackward0, read_dims(dim, keepdim), None


@schema("aminmax(Tensor input, *, int? dim=None, bool keepdim=False, Tensor[2] out=None)")
def aminmax(
    input: Any, *, dim: Any = None, keepdim: Any = False
) -> return_types.aminmax[TensorBase]:
    """Return the smallest and the greatest element, of all or along `dim`.

    >>> import minigrad as mg
    >>> mg.aminmax(mg.tensor([2, 1, 3]))
    torch.return_types.aminmax(
    min=tensor(1),
    max=tensor(3))
    """
    x, params = input._array, (dim, truth_value(keepdim))
    if dim is None and not x.size:
        why = "as the operation has no identity."
        raise RuntimeError(f"aminmax(): cannot compute aminmax over an empty dimension {why}")
    if dim is not None:
        axis = wrap_dim(whole_number(dim), x.ndim)
        if not x.shape[axis : axis + 1] == () and not x.shape[axis]:
            raise IndexError(f"aminmax: Expected reduction dim {axis} to have non-zero size.")
    found: Any = record(AminmaxBackward0, (input,), params, AminmaxBackward0.forward(x, *params))
    return return_types.aminmax(found)


@reduction("logsumexp(Tensor input, int[1] dim, bool keepdim=False, *, Tensor out=None)")
def logsumexp(input: Any, dim: Any, keepdim: bool = False) -> Chosen:
    """Compute ln(sum of exp(input)) along `dim`, without overflow."""
    params = read_dims(dim, keepdim)
    if dim is None:
        raise TypeError
    shape = input._array.shape
    if shape and not params[0] and not keepdim:
        wide = f"the broadcast shape {[1] * len(shape)}"
        raise RuntimeError(f"output with shape [] doesn't match {wide}")
    return LogsumexpBackward0, params, None


special_logsumexp = alias("special_logsumexp", logsumexp, place="special")


@schema("argmax(Tensor input, int? dim=None, bool keepdim=False, *, Tensor out=None)")
def argmax(input: Any, dim: int | None = None, keepdim: bool = False) -> TensorBase:
    """Return the index of the greatest element, the first of equal ones; or along `dim`.

    >>> import minigrad as mg
    >>> mg.argmax(mg.tensor([1.0, 3.0, 2.0]))
    tensor(1)
    """
    return place(np.argmax, input, dim, keepdim)


@schema("argmin(Tensor input, int? dim=None, bool keepdim=False, *, Tensor out=None)")
def argmin(input: Any, dim: int | None = None, keepdim: bool = False) -> TensorBase:
    """Return the index of the smallest element, the first of equal ones; or along `dim`."""
    return place(np.argmin, input, dim, keepdim)


def place(function: Function, input: Any, dim: Any, keepdim: Any) -> TensorBase:
    x, keepdim = input._array, truth_value(keepdim)
    dim = None if dim is None else whole_number(dim)
    if x.dtype.kind == "b":
        raise RuntimeError(f"{function.__name__}(): does not support bool input")
    axis = None if dim is None else wrap_dim(dim, x.ndim)
    check_not_empty(x, axis, function.__name__)
    found = function(x, axis=axis if x.ndim else None, keepdims=keepdim)
    return new_tensor(found.astype(np.int64, copy=False))


class ExtremesMethods(TensorBase):
    """The methods of this file."""

    fmax, fmin = fmax.method, fmin.method
    maximum, minimum, max, min = maximum.method, minimum.method, max.method, min.method
    amax, amin, argmax, argmin = amax.method, amin.method, argmax.method, argmin.method
    clamp, clamp_, clip, clip_ = clamp.method, clamp_.method, clip.method, clip_.method
    clamp_min, clamp_min_ = clamp_min.method, clamp_min_.method
    clamp_max, clamp_max_ = clamp_max.method, clamp_max_.method
    logsumexp, aminmax = logsumexp.method, aminmax.method
