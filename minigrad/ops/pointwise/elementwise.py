"""Functions of one tensor, applied to every element, and `where`.

A formula that needs only the result (`exp`) saves the result, so that nothing is computed twice.
Trigonometric and hyperbolic functions are in trigonometry.py, activations of neural networks in
activations.py.
"""

from __future__ import annotations

import math
import warnings
from typing import Any, overload

import numpy as np

from ...arrays import erf as error_function
from ...arrays.devices import ON_CPU, get_array_module
from ...arrays.float16 import widened
from ...arrays.memory_order import lay_out
from ...arrays.messages import beyond, check_floating, check_not_bool, type_word
from ...core.inplace import inplace
from ...core.node import TensorBase, new_tensor, unwrap
from ...core.operation import ALWAYS, Operation, apply, record, zeros_for
from ...core.promotion import in_common_type
from ...core.saved import NUMBERS
from ..public.arguments import number
from ..public.factories import applied, elementwise, unary
from ..public.functions import MISSING, alias, schema
from ..public.kinds import Constant, gradient_of

# --- Exponentials, logarithms, roots


@gradient_of(np.exp, r"\bar a = g \cdot y")
def ExpBackward0(g: Any, result: Any) -> Any:
    """e to the power of each element."""
    return g * result


@gradient_of(np.exp2, r"\bar a = g \cdot y \cdot \ln 2")
def Exp2Backward0(g: Any, result: Any) -> Any:
    """2 to the power of each element."""
    return g * result * math.log(2)


@gradient_of(np.expm1, r"\bar a = g \cdot (y + 1)")
def Expm1Backward0(g: Any, result: Any) -> Any:
    """e to the power of each element, minus 1; exact also near 0."""
    return g * (result + 1)


@gradient_of(np.log, r"\bar a = \frac{g}{a}")
def LogBackward0(g: Any, self: Any) -> Any:
    """The natural logarithm: -inf at 0, nan below."""
    return g / self


@gradient_of(np.log2, r"\bar a = \frac{g}{a \ln 2}")
def Log2Backward0(g: Any, self: Any) -> Any:
    """The logarithm to base 2."""
    return g / (self * math.log(2))


@gradient_of(np.log10, r"\bar a = \frac{g}{a \ln 10}")
def Log10Backward0(g: Any, self: Any) -> Any:
    """The logarithm to base 10."""
    return g / (self * math.log(10))


@gradient_of(np.log1p, r"\bar a = \frac{g}{1 + a}")
def Log1PBackward0(g: Any, self: Any) -> Any:
    """ln(1 + element), exact also near 0."""
    return g / (self + 1)


@gradient_of(np.sqrt, r"\bar a = \frac{g}{2 y}")
def SqrtBackward0(g: Any, result: Any) -> Any:
    """The square root: nan below 0."""
    return g / (result * 2)


@gradient_of(widened(lambda x: 1 / (1 + np.exp(-x))), r"\bar a = g \cdot y \cdot (1 - y)")
def SigmoidBackward0(g: Any, result: Any) -> Any:
    """1 / (1 + exp(-element))."""
    return SigmoidBackwardBackward0.on(g, result)


class SigmoidBackwardBackward0(Operation):
    """The gradient of `sigmoid`."""

    saves = {"grad_output": 1, "output": ALWAYS}
    rule = r"\bar g = \bar a \cdot y \cdot (1 - y), \qquad \bar y = \bar a \cdot g \cdot (1 - 2 y)"

    def forward(grad_output: Any, output: Any, /) -> Any:
        return grad_output * (1 - output) * output

    def gradient(g: Any, grad_output: Any, output: Any) -> Any:
        again = SigmoidBackwardBackward0.on
        return lambda: again(g, output), lambda: g * grad_output * (1 - 2 * output)


@gradient_of(widened(error_function.erf), r"\bar a = g \cdot \frac{2}{\sqrt{\pi}} \cdot e^{-a^2}")
def ErfBackward0(g: Any, self: Any) -> Any:
    """The error function."""
    return 2 / math.sqrt(math.pi) * ExpBackward0.on(-squared(self)) * g


def inverse_erf(x: Any) -> Any:
    """Return the number whose error function is x; outside of [-1, 1] there is none.

    Winitzki's formula gives three digits, and each of three Halley steps triples them. The steps
    use the tail, 1 - erf(y), which keeps its digits near 1.
    """
    size = np.absolute(x.astype(np.float64))
    with np.errstate(all="ignore"):
        left = 1 - size
        log = np.log(left * (1 + size))
        half = 2 / (math.pi * 0.147) + log / 2
        y = np.sqrt(np.maximum(np.sqrt(half * half - log / 0.147) - half, 0))
        for _ in range(3):
            step = (left - error_function.tail(y)) * (math.sqrt(math.pi) / 2) * np.exp(y * y)
            y = y - step / (1 - y * step)
        y = np.where(size < 1, y, np.where(size == 1, math.inf, math.nan))
    return lay_out(np.copysign(y, x).astype(x.dtype), x)


@gradient_of(inverse_erf, r"\bar a = g \cdot \frac{\sqrt{\pi}}{2} \cdot e^{y^2}")
def ErfinvBackward0(g: Any, self: Any) -> Any:
    """The inverse of the error function."""
    return 0.5 * math.sqrt(math.pi) * ExpBackward0.on(squared(ErfinvBackward0.on(self))) * g


def squared(x: Any) -> Any:
    """Return x ** 2 in a formula. (NumPy's scalars and arrays differ in the last bit.)"""
    of_numpy = isinstance(x, np.ndarray | np.generic)
    return x * x if of_numpy else x**2


# --- Kinks and steps


def rectify(x: Any) -> Any:
    """Return max(`x`, 0)."""
    if x.dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")
    return np.maximum(0, x)  # in this order -0 stays -0


@gradient_of(rectify, r"\bar a = g \cdot [y > 0]")
def ReluBackward0(g: Any, result: Any) -> Any:
    """Each element, or 0 if that is greater; the slope at 0 counts as 0."""
    return ThresholdBackwardBackward0.on(g, result, 0)


class SlopeByPiece(Operation):
    """The gradient of a piecewise linear function: `grad_output` times the slope at `self`.

    It is linear in grad_output with the same slopes, and does not depend on self.
    """

    inputs = ("grad_output", "self")
    saves = {"self": ALWAYS}

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        again = type(ctx).on(g, self, *ctx.args) if ctx.needs(0) else None
        return again, zeros_for(g) if ctx.needs(1) else None


class ThresholdBackwardBackward0(SlopeByPiece):
    """The gradient of `relu`: it passes where `self` is above the threshold."""

    rule = r"\bar g = [y > 0] \cdot \bar a, \qquad \bar y = 0"

    def forward(grad_output: Any, self: Any, /, threshold: float) -> Any:
        return keep_where(grad_output, ~(self <= threshold))  # nan counts as above


@gradient_of(np.absolute, r"\bar a = g \cdot \operatorname{sgn} a")
def AbsBackward0(g: Any, self: Any) -> Any:
    """The absolute value; the slope at 0 counts as 0."""
    return g * SgnBackward0.on(self)


class SignBackward0(Constant):
    """-1, 0 or 1."""

    def forward(self: Any) -> Any:
        if self.dtype.kind == "b":
            return self.copy()
        return np.subtract(self > 0, self < 0, dtype=self.dtype)  # 0 for nan


class SgnBackward0(SignBackward0):
    """-1, 0 or 1: for the real numbers the same as `sign`."""

    saves = {"self": ALWAYS, "result": ALWAYS}


class FloorBackward0(Constant):
    """The greatest integer that is not greater."""

    forward = np.floor


class CeilBackward0(Constant):
    """The smallest integer that is not smaller."""

    forward = np.ceil


class TruncBackward0(Constant):
    """The whole part: rounded towards 0."""

    forward = np.trunc


def fraction(x: Any) -> Any:
    """Return what `trunc` cuts off; infinity has no fraction, but nan."""
    check_floating("frac_cpu", x.dtype)
    return x - np.trunc(x)


@gradient_of(fraction, r"\bar a = g")
def FracBackward0(g: Any) -> Any:
    """The part after the point, with the sign of the element."""
    return g


class RoundBackward0(Constant):
    """The nearest integer; halves are rounded to the even one."""

    forward = np.round


class RoundBackward1(Constant):
    """Rounded to some decimals; halves are rounded to the even digit."""

    params = ("_decimals",)

    def forward(self: Any, decimals: int) -> Any:
        with np.errstate(over="ignore"):
            scale = self.dtype.type(np.float64(10) ** max(decimals, -decimals))
        return np.rint(self / scale) * scale if decimals < 0 else np.rint(self * scale) / scale


# --- Selection


class WhereBackward0(Operation):
    """`self` where `condition` holds, `other` elsewhere."""

    saves = {"condition": ALWAYS}
    rule = r"\bar a = [c] \cdot g, \qquad \bar b = [\neg c] \cdot g"

    def forward(self: Any, other: Any, /, condition: Any) -> Any:
        if self.dtype != other.dtype or not isinstance(condition, ON_CPU):
            return np.where(condition, self, other)
        # np.where is up to thirty times slower where the condition has no pattern.
        bits = f"i{self.itemsize}"
        a, b = self.view(bits), other.view(bits)
        return (b ^ ((a ^ b) & -condition.astype(bits))).view(self.dtype)

    def gradient(g: Any, condition: Any) -> Any:
        return lambda: keep_where(g, condition), lambda: zero_where(condition, g)


def keep_where(g: Any, mask: Any) -> Any:
    """Return `g` where `mask` holds and 0 elsewhere, also for inf and nan (unlike a product)."""
    if isinstance(g, TensorBase):
        return WhereBackward0.on(g, zeros_for(g), mask)
    if type(g) is not np.ndarray and get_array_module(g) is not np:
        return np.where(mask, g, 0)  # on a GPU one kernel instead of three
    bits = f"i{g.itemsize}"
    return (g.view(bits) & -mask.astype(bits)).view(g.dtype)


def zero_where(mask: Any, g: Any) -> Any:
    """Return 0 where `mask` holds and `g` elsewhere."""
    if isinstance(g, TensorBase):
        return WhereBackward0.on(zeros_for(g), g, mask)
    return keep_where(g, ~mask)


# --- Public functions

exp, exp_ = unary("exp(Tensor input, *, Tensor out=None)", ExpBackward0)
exp2, exp2_ = unary("exp2(Tensor input, *, Tensor out=None)", Exp2Backward0)
expm1, expm1_ = unary("expm1(Tensor input, *, Tensor out=None)", Expm1Backward0)
log, log_ = unary("log(Tensor input, *, Tensor out=None)", LogBackward0)
log2, log2_ = unary("log2(Tensor input, *, Tensor out=None)", Log2Backward0)
log10, log10_ = unary("log10(Tensor input, *, Tensor out=None)", Log10Backward0)
log1p, log1p_ = unary("log1p(Tensor input, *, Tensor out=None)", Log1PBackward0)
sqrt, sqrt_ = unary("sqrt(Tensor input, *, Tensor out=None)", SqrtBackward0)
sigmoid, sigmoid_ = unary("sigmoid(Tensor input, *, Tensor out=None)", SigmoidBackward0)
erf, erf_ = unary("erf(Tensor input, *, Tensor out=None)", ErfBackward0)
erfinv, erfinv_ = unary("erfinv(Tensor input, *, Tensor out=None)", ErfinvBackward0)
relu, relu_ = unary("relu(Tensor input)", ReluBackward0, keeps="integers and bools")
abs, abs_ = unary(
    "abs(Tensor input, *, Tensor out=None)", AbsBackward0, keeps="integers", kernel="abs_cpu"
)
sign, sign_ = unary(
    "sign(Tensor input, *, Tensor out=None)", SignBackward0, keeps="integers and bools"
)
floor, floor_ = unary(
    "floor(Tensor input, *, Tensor out=None)",
    FloorBackward0,
    keeps="integers",
    kernel="floor_vml_cpu",
)
ceil, ceil_ = unary(
    "ceil(Tensor input, *, Tensor out=None)", CeilBackward0, keeps="integers", kernel="ceil_vml_cpu"
)
trunc, trunc_ = unary(
    "trunc(Tensor input, *, Tensor out=None)",
    TruncBackward0,
    keeps="integers",
    kernel="trunc_vml_cpu",
)
fix, fix_ = alias("fix", trunc), alias("fix_", trunc_)
frac, frac_ = unary(
    "frac(Tensor input, *, Tensor out=None)", FracBackward0, keeps="integers and bools"
)


@schema(
    "round(Tensor input, *, Tensor out=None)",
    "round(Tensor input, *, int decimals, Tensor out=None)",
)
def round(input: Any, *, decimals: Any = MISSING) -> TensorBase:
    """Round to the given number of decimals; halves are rounded to the even digit.

    >>> import minigrad as mg
    >>> mg.round(mg.tensor([0.5, 1.5, -2.6]))
    tensor([ 0.,  2., -3.])
    """
    return apply(*rounding(input, decimals))


@schema("round_(Tensor input)", "round_(Tensor input, *, int decimals)")
def round_(input: Any, *, decimals: Any = MISSING) -> TensorBase:
    """`round` in place."""
    return inplace(*rounding(input, decimals))


def rounding(input: TensorBase, decimals: Any) -> tuple[Any, ...]:
    """Return the operation that rounds, the tensor, and the decimals, if there are any.

    Raises:
        NotImplementedError: bools are rounded, or integers to decimals.
    """
    if isinstance(decimals, TensorBase):
        decimals = decimals._array.item()
    if decimals is MISSING or decimals == 0:
        check_not_bool("round_vml_cpu", input._array.dtype)
    if decimals is MISSING:
        return RoundBackward0, input
    if isinstance(decimals, bool) or not hasattr(decimals, "__index__"):
        raise TypeError  # the schema gives the error
    check_floating("round_cpu" if decimals else "round_vml_cpu", input._array.dtype)
    return RoundBackward1, input, int(decimals)


@overload
def where(condition: TensorBase) -> tuple[TensorBase, ...]: ...
@overload
def where(
    condition: TensorBase,
    input: TensorBase,
    other: TensorBase,
    *,
    out: TensorBase | None = None,
) -> TensorBase: ...
@overload
def where(
    condition: TensorBase, input: TensorBase | float, other: TensorBase | float
) -> TensorBase: ...
@schema(
    "where(Tensor condition)",
    "where(Tensor condition, Tensor input, Tensor other, *, Tensor out=None)",
    "where(Tensor condition, Scalar self, Tensor other)",
    "where(Tensor condition, Tensor input, Scalar other)",
    "where(Tensor condition, Scalar self, Scalar other)",
)
def where(condition: Any, input: Any = MISSING, other: Any = MISSING) -> Any:
    """Select `input` where `condition` holds, and `other` elsewhere, after broadcasting all three.

    With the condition alone, return the indices where it holds, as a tuple of tensors.

    >>> import minigrad as mg
    >>> x = mg.tensor([-1.0, 2.0])
    >>> mg.where(x > 0, x, 0)
    tensor([0., 2.])
    """
    if input is MISSING and other is MISSING:
        return places_of(condition._array)
    return select_where(condition, input, other)


def places_of(array: Any) -> tuple[TensorBase, ...]:
    """Return the indices of nonzero elements, a tensor for each dimension; 0-d counts as 1-d."""
    found = np.nonzero(array if array.ndim else array.reshape(1))
    return tuple(new_tensor(np.ascontiguousarray(places, np.int64)) for places in found)


def select_where(condition: Any, input: Any, other: Any) -> TensorBase:
    """Compute `where`, also for its method."""
    x, y = in_common_type(input, other)
    for value in (input, other):
        if type(value) in NUMBERS:
            check_range(value, x.dtype)
    mask = condition._array
    if mask.dtype.kind != "b":
        if mask.dtype != np.uint8:
            wanted = "where expected condition to be a boolean tensor"
            raise RuntimeError(f"{wanted}, but got a tensor with dtype {type_word(mask.dtype)}")
        warnings.warn(
            "where received a uint8 condition tensor. This behavior is deprecated and will be "
            "removed in a future version of PyTorch. Use a boolean condition instead.",
            UserWarning,
            stacklevel=4,
        )
        condition = condition.bool()
        mask = condition._array
    value = elementwise(lambda mask, x, y: WhereBackward0.forward(x, y, mask), mask, x, y)
    return record(WhereBackward0, (input, other), (condition,), value)


def check_range(value: Any, dtype: np.dtype[Any]) -> None:
    """Raise for a number that a dtype cannot hold. The negative of a valid one may wrap around."""
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if not min(limits.min, -limits.max) <= value <= limits.max:
            raise beyond(dtype)
    elif dtype == np.float32 and np.finfo(dtype).max < math.fabs(value) < math.inf:
        raise beyond(dtype)


@schema(
    "where(Tensor condition, Tensor other)",
    "where(Tensor condition, Scalar other)",
    place="Tensor",
)
def where_self(input: Any, condition: Any, other: Any) -> TensorBase:
    """Select this tensor where `condition` holds, and `other` elsewhere."""
    return select_where(condition, input, other)


class NanToNumBackward0(Operation):
    """Numbers in place of NaN and of both infinities."""

    rule = r"\bar a = [a \text{ is finite}] \cdot g"

    def forward(self: Any, /, _nan: Any, _posinf: Any, _neginf: Any) -> Any:
        if self.dtype.kind != "f":
            return lay_out(self.copy(), self)
        least, greatest = np.finfo(self.dtype).min, np.finfo(self.dtype).max
        upper = greatest if _posinf is None else _posinf
        lower = least if _neginf is None else _neginf
        with np.errstate(over="ignore"):
            there = [self.dtype.type(each) for each in (_nan or 0.0, upper, lower)]
        return lay_out(np.nan_to_num(self, True, *there), self)

    def gradient(g: Any, self: Any, _nan: Any, _posinf: Any, _neginf: Any) -> Any:
        kept = np.isfinite(unwrap(self)).astype(unwrap(g).dtype)
        return g * (new_tensor(kept) if isinstance(g, TensorBase) else kept)


@applied(
    "nan_to_num(Tensor input, float? nan=None, float? posinf=None, float? neginf=None, *, "
    "Tensor out=None)"
)
def nan_to_num(input: Any, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Any:
    """Replace NaN by `nan` (0), and infinities by `posinf` and `neginf`.

    By default these are the greatest and the least number of the dtype.

    >>> import minigrad as mg
    >>> mg.nan_to_num(mg.tensor([1.0, float("nan"), float("inf")]), posinf=9.0)
    tensor([1., 0., 9.])
    """
    given = [each if each is None else number(each) for each in (nan, posinf, neginf)]
    return NanToNumBackward0, given


nan_to_num_ = nan_to_num.in_place

absolute, absolute_ = alias("absolute", abs), alias("absolute_", abs_)
sign_.place = absolute_.place = "Tensor"  # PyTorch has both as methods only


class ElementwiseMethods(TensorBase):
    """The methods of this file."""

    exp, exp_, exp2, exp2_ = exp.method, exp_.method, exp2.method, exp2_.method
    expm1, expm1_, log, log_ = expm1.method, expm1_.method, log.method, log_.method
    log2, log2_, log10, log10_ = log2.method, log2_.method, log10.method, log10_.method
    log1p, log1p_, sqrt, sqrt_ = log1p.method, log1p_.method, sqrt.method, sqrt_.method
    sigmoid, sigmoid_, erf, erf_ = sigmoid.method, sigmoid_.method, erf.method, erf_.method
    erfinv, erfinv_ = erfinv.method, erfinv_.method
    relu, relu_, abs, abs_ = relu.method, relu_.method, abs.method, abs_.method
    absolute, absolute_, __abs__ = absolute.method, absolute_.method, abs
    sign, sign_, trunc, trunc_ = sign.method, sign_.method, trunc.method, trunc_.method
    fix, fix_, frac, frac_ = fix.method, fix_.method, frac.method, frac_.method
    floor, floor_, ceil, ceil_ = floor.method, floor_.method, ceil.method, ceil_.method
    round, round_ = round.method, round_.method

    nan_to_num, nan_to_num_ = nan_to_num.method, nan_to_num_.method
    where = where_self.method
