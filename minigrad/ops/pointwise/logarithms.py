"""Functions made of logarithms: of probabilities, and of sums of exponentials.

A probability may be 0. So x * log(y) counts as 0 where x is 0.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays.dtypes import result_dtype
from ...arrays.float16 import widened
from ...arrays.messages import check_floating
from ...core.inplace import inplace
from ...core.node import TensorBase, new_tensor, unwrap
from ...core.operation import Operation, apply
from ...core.promotion import binary
from ..public.arguments import number
from ..public.factories import ELEMENTWISE, as_floating, check_floating_in_place, unary
from ..public.functions import Function, rename_schemas, schema
from ..public.kinds import OfTwo, gradient_of
from .arithmetic import AddBackward1, MulBackward1, NegBackward0, PowBackward2, refuse_bool
from .elementwise import ExpBackward0, LogBackward0, WhereBackward0, erf, zero_where
from .masking import zero_masked
from .trigonometry import CosBackward0, SinBackward0

# --- Of one probability


class LogitBackward0(Operation):
    """ln(p / (1 - p)), the inverse of the sigmoid; p is first limited to [eps, 1 - eps]."""

    params = ("eps",)
    rule = r"\bar a = \frac{g}{a (1 - a)}"

    @widened
    def forward(self: Any, eps: Any) -> Any:
        if eps is not None:
            self = np.where(self < eps, eps, np.where(self > 1 - eps, 1 - eps, self))
        return np.log(self / (1 - self))

    def gradient(g: Any, self: Any, eps: Any) -> Any:
        lower = 0 if eps is None else eps
        slope = g / (self * (1 - self))
        outside = np.full_like(unwrap(g), math.nan if eps is None else 0)
        if isinstance(g, TensorBase):
            inside = (self >= lower) & (self <= 1 - lower)
            return WhereBackward0.on(slope, new_tensor(outside), inside)
        return np.where((self < lower) | (self > 1 - lower), outside, slope)  # nan stays nan


@widened
def entropy(x: Any) -> Any:
    """Return -x * ln(x), which is 0 at 0 and -inf below."""
    return np.where(x == 0, 0, np.where(x < 0, -math.inf, -x * np.log(x))).astype(x.dtype)


@gradient_of(entropy, r"\bar a = -g \cdot (\ln a + 1)")
def SpecialEntrBackward0(g: Any, self: Any) -> Any:
    """-x * ln(x), the share of an element in the entropy: 0 at 0, and -inf below."""
    return g * NegBackward0.on(LogBackward0.on(self) + 1)


# --- A number times a logarithm


@widened
def times_log(x: Any, y: Any, log: Any = np.log) -> Any:
    """Return x * log(y), which is 0 where x is 0, and nan where y is."""
    product = x * log(y)
    return np.where(np.isnan(y), y, np.where(x == 0, 0, product)).astype(product.dtype)


def times_log1p(x: Any, y: Any) -> Any:
    return times_log(x, y, np.log1p)


class XlogyBackward0(OfTwo):
    """self * ln(other), which is 0 where self is 0."""

    rule = r"\bar a = g \ln b, \qquad \bar b = \frac{g a}{b}"
    forward = times_log

    def gradient(g: Any, other: Any, self: Any) -> Any:
        absent = (self == 0) & (other <= 0)
        return lambda: zero_masked(XlogyBackward0.on(g, other), absent), lambda: g * self / other


@gradient_of(
    lambda other, self: times_log(other.dtype.type(self), other),
    r"\bar b = \frac{g a}{b}",
    inputs="other",
    params="self",
)
def XlogyBackward1(g: Any, other: Any, self: Any) -> Any:
    """self * ln(other) for a number self."""
    return g * self / other


@gradient_of(
    lambda self, other: times_log(self, self.dtype.type(other)),
    r"\bar a = g \ln b",
    params="other",
)
def XlogyBackward2(g: Any, self: Any, other: Any) -> Any:
    """self * ln(other) for a number other."""
    slope = XlogyBackward2.on(g, other)
    return slope if other > 0 else zero_masked(slope, self == 0)


class SpecialXlog1PyBackward0(OfTwo):
    """self * ln(1 + other), which is 0 where self is 0."""

    rule = r"\bar a = g \ln(1 + b), \qquad \bar b = \frac{g a}{1 + b}"
    forward = times_log1p

    def gradient(g: Any, other: Any, self: Any) -> Any:
        absent = (self == 0) & (other <= -1)
        again = SpecialXlog1PyBackward0.on
        return lambda: zero_masked(again(g, other), absent), lambda: g * self / (other + 1)


@gradient_of(
    lambda other, self: times_log1p(other.dtype.type(self), other),
    r"\bar b = \frac{g a}{1 + b}",
    inputs="other",
    params="self",
)
def SpecialXlog1PyBackward1(g: Any, other: Any, self: Any) -> Any:
    """self * ln(1 + other) for a number self."""
    return g * self / (other + 1)


@gradient_of(
    lambda self, other: times_log1p(self, self.dtype.type(other)),
    r"\bar a = g \ln(1 + b)",
    params="other",
)
def SpecialXlog1PyBackward2(g: Any, self: Any, other: Any) -> Any:
    """self * ln(1 + other) for a number other."""
    slope = SpecialXlog1PyBackward2.on(g, other)
    return slope if other > -1 else zero_masked(slope, self == 0)


# --- Sums of exponentials


def difference(a: Any, b: Any) -> Any:
    """Return a - b, of arrays or Tensors. PyTorch's formula refuses bools, and so does this."""
    refuse_bool(*[x if isinstance(x, TensorBase) else new_tensor(x) for x in (a, b)])
    return a - b


class LogaddexpBackward0(OfTwo):
    """ln(exp(self) + exp(other)), without overflow."""

    rule = r"\bar a = \frac{g}{1 + e^{b - a}}, \qquad \bar b = \frac{g}{1 + e^{a - b}}"

    @widened
    def forward(self: Any, other: Any) -> Any:
        return np.logaddexp(self, other)

    def gradient(g: Any, other: Any, self: Any) -> Any:
        power = ExpBackward0.on
        return (
            lambda: g / (1 + power(difference(other, self))),
            lambda: g / (1 + power(difference(self, other))),
        )


class Logaddexp2Backward0(OfTwo):
    """The logarithm to base 2 of 2 ** self + 2 ** other, without overflow."""

    rule = r"\bar a = \frac{g}{1 + 2^{b - a}}, \qquad \bar b = \frac{g}{1 + 2^{a - b}}"

    @widened
    def forward(self: Any, other: Any) -> Any:
        return np.logaddexp2(self, other)

    def gradient(g: Any, other: Any, self: Any) -> Any:
        power = PowBackward2.on
        return (
            lambda: g / (1 + power(difference(other, self), 2)),
            lambda: g / (1 + power(difference(self, other), 2)),
        )


# --- The normalized sine


@widened
def normalized_sine(x: Any) -> Any:
    """Return sin(pi x) / (pi x), which is 1 at 0."""
    angle = x * x.dtype.type(math.pi)
    return np.where(x == 0, 1, np.sin(angle) / angle).astype(x.dtype)


@gradient_of(normalized_sine, r"\bar a = g \cdot \frac{\pi a \cos \pi a - \sin \pi a}{\pi a^2}")
def SincBackward0(g: Any, self: Any) -> Any:
    """sin(pi x) / (pi x): 1 at 0."""
    angle, square = self * math.pi, self * self * math.pi
    slope = (angle * CosBackward0.on(angle) - SinBackward0.on(angle)) / square
    return zero_where(square == 0, g * slope)


# --- Public functions

entr, _ = unary(
    "special_entr(Tensor input, *, Tensor out=None)", SpecialEntrBackward0, place="special"
)
sinc, sinc_ = unary("sinc(Tensor input, *, Tensor out=None)", SincBackward0)


@schema("logit(Tensor input, float? eps=None, *, Tensor out=None)")
def logit(input: Any, eps: Any = None) -> TensorBase:
    """Return ln(p / (1 - p)), the inverse of the sigmoid.

    Args:
        eps: limit p to [eps, 1 - eps] first.

    >>> import minigrad as mg
    >>> mg.logit(mg.tensor([0.5, 0.9]))
    tensor([0.0000, 2.1972])
    """
    return apply(LogitBackward0, as_floating(input), eps if eps is None else number(eps))


@schema("logit_(Tensor input, float? eps=None)")
def logit_(input: Any, eps: Any = None) -> TensorBase:
    """`logit` in place."""
    check_floating_in_place(input)
    return inplace(LogitBackward0, input, eps if eps is None else number(eps))


def by_operands(*ops: type[Operation]) -> Function:
    """Return the function of x and y by operations for tensors, a number x, and a number y."""
    of_two, of_number, by_number = ops
    ELEMENTWISE.update(ops)

    def compute(input: Any, other: Any) -> TensorBase:
        if not isinstance(input, TensorBase):
            return apply(of_number, as_floating(other), number(input))
        if isinstance(other, TensorBase):
            if input._array.dtype.kind != "f" and other._array.dtype.kind != "f":
                input = as_floating(input)
            return binary(of_two, input, other)
        return apply(by_number, as_floating(input), number(other))

    return compute


XLOGY = (
    "xlogy(Tensor input, Tensor other, *, Tensor out=None)",
    "xlogy(Tensor input, Scalar other, *, Tensor out=None)",
    "xlogy(Scalar self, Tensor other, *, Tensor out=None)",
)

product_with_log = by_operands(XlogyBackward0, XlogyBackward1, XlogyBackward2)
product_with_log1p = by_operands(
    SpecialXlog1PyBackward0, SpecialXlog1PyBackward1, SpecialXlog1PyBackward2
)


@schema(*XLOGY)
def xlogy(input: Any, other: Any) -> Any:
    """Return input * ln(other), which is 0 where `input` is 0.

    >>> import minigrad as mg
    >>> mg.xlogy(mg.tensor([0.0, 2.0]), mg.tensor([0.0, 2.0]))
    tensor([0.0000, 1.3863])
    """
    return product_with_log(input, other)


@schema("xlogy_(Tensor input, Tensor other)", "xlogy_(Tensor input, Scalar other)")
def xlogy_(input: Any, other: Any) -> TensorBase:
    """`xlogy` in place."""
    check_floating_in_place(input)
    if isinstance(other, TensorBase):
        return inplace(XlogyBackward0, input, other)
    return inplace(XlogyBackward2, input, number(other))


@schema(*rename_schemas(XLOGY, "special_xlog1py"), place="special")
def xlog1py(input: Any, other: Any) -> Any:
    """Return input * ln(1 + other), which is 0 where `input` is 0."""
    return product_with_log1p(input, other)


@schema("logaddexp(Tensor input, Tensor other, *, Tensor out=None)")
def logaddexp(input: Any, other: Any) -> TensorBase:
    """Return ln(exp(input) + exp(other)), without overflow.

    >>> import minigrad as mg
    >>> mg.logaddexp(mg.tensor([0.0, 1000.0]), mg.tensor([0.0, 0.0]))
    tensor([6.9315e-01, 1.0000e+03])
    """
    return add_powers(LogaddexpBackward0, "logaddexp_cpu", input, other)


@schema("logaddexp2(Tensor input, Tensor other, *, Tensor out=None)")
def logaddexp2(input: Any, other: Any) -> TensorBase:
    """Return the logarithm to base 2 of 2 ** input + 2 ** other, without overflow."""
    return add_powers(Logaddexp2Backward0, "logaddexp2_cpu", input, other)


def add_powers(op: type[Operation], kernel: str, input: Any, other: Any) -> TensorBase:
    """Apply `op` to two tensors; PyTorch's `kernel` accepts floating-point dtypes only."""
    if not isinstance(other, TensorBase):
        raise TypeError
    check_floating(kernel, result_dtype(input._array, other._array))
    return binary(op, input, other)


@schema("special_ndtr(Tensor input, *, Tensor out=None)", place="special")
def ndtr(input: Any) -> Any:
    """Return the probability that a standard normal variable is smaller.

    >>> import minigrad as mg
    >>> mg.special.ndtr(mg.tensor([0.0, 1.96]))
    tensor([0.5000, 0.9750])
    """
    scaled = apply(MulBackward1, as_floating(input), math.sqrt(0.5))
    return apply(MulBackward1, apply(AddBackward1, erf(scaled), 1), 0.5)


ELEMENTWISE.update((LogitBackward0, LogaddexpBackward0, Logaddexp2Backward0))


class LogarithmMethods(TensorBase):
    """The methods of this file."""

    logit, logit_, sinc, sinc_ = logit.method, logit_.method, sinc.method, sinc_.method
    xlogy, xlogy_ = xlogy.method, xlogy_.method
    logaddexp, logaddexp2 = logaddexp.method, logaddexp2.method
