"""The arithmetic operators: every element of the result depends on the elements at the same place.

No formula here mentions broadcasting: the engine sums a gradient back to the shape of its input.
Read operation.py first.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..dtypes import get_default_dtype
from ..graph import TensorBase
from ..operation import ALWAYS, Operation, apply, binary, inplace, unary
from .elementwise import LogBackward0, WhereBackward0


class AddBackward0(Operation):
    """self + alpha * other."""

    inputs = ("self", "other")
    params = ("alpha",)
    rule = r"\bar a = g, \qquad \bar b = \alpha \cdot g"
    args = (1,)  # alpha, unless another is given

    @staticmethod
    def forward(self: Any, other: Any, alpha: Any = 1) -> Any:
        return self + other if alpha == 1 else self + alpha * other

    def backward(ctx, g: Any) -> Any:
        (alpha,) = ctx.args
        return g, g if alpha == 1 else g * alpha


class SubBackward0(Operation):
    """self - alpha * other."""

    inputs = ("self", "other")
    params = ("alpha",)
    rule = r"\bar a = g, \qquad \bar b = -\alpha \cdot g"
    args = (1,)  # alpha, unless another is given

    @staticmethod
    def forward(self: Any, other: Any, alpha: Any = 1) -> Any:
        return np.subtract(self, other) if alpha == 1 else self - alpha * other

    def backward(ctx, g: Any) -> Any:
        (alpha,) = ctx.args
        return g, (-g if alpha == 1 else g * -alpha) if ctx.needs(1) else None


class RsubBackward1(Operation):
    """other - alpha * self for a number `other`."""

    params = ("other", "alpha")
    rule = r"\bar a = -\alpha \cdot g"

    @staticmethod
    def forward(self: Any, other: Any, alpha: Any = 1) -> Any:
        return other - self if alpha == 1 else other - alpha * self

    def backward(ctx, g: Any) -> Any:
        alpha = ctx.args[1]
        return -g if alpha == 1 else g * -alpha


class RsubBackward0(Operation):
    """other - alpha * self."""

    inputs = ("self", "other")
    params = ("alpha",)
    rule = r"\bar a = -\alpha \cdot g, \qquad \bar b = g"
    args = (1,)  # alpha, unless another is given

    @staticmethod
    def forward(self: Any, other: Any, alpha: Any = 1) -> Any:
        return other - self if alpha == 1 else other - alpha * self

    def backward(ctx, g: Any) -> Any:
        (alpha,) = ctx.args
        return -g if alpha == 1 else g * -alpha, g


class MulBackward0(Operation):
    """self * other."""

    inputs = ("self", "other")
    saves = {"self": 1, "other": 0}  # each factor is needed for the gradient of the other one
    rule = r"\bar a = g \cdot b, \qquad \bar b = g \cdot a"
    forward = operator.mul

    def backward(ctx, g: Any) -> Any:
        self, other = ctx.saved
        return (g * other if ctx.needs(0) else None, g * self if ctx.needs(1) else None)


class DivBackward0(Operation):
    """self / other."""

    inputs = ("self", "other")
    saves = {"self": 1, "other": ALWAYS}
    rule = r"\bar a = \frac{g}{b}, \qquad \bar b = -g \cdot \frac{a}{b} \cdot \frac{1}{b}"
    forward = operator.truediv

    def backward(ctx, g: Any) -> Any:
        self, other = ctx.saved
        return (
            g / other if ctx.needs(0) else None,
            -g * ((self / other) / other) if ctx.needs(1) else None,
        )


class ReciprocalBackward0(Operation):
    """1 / self."""

    saves = {"result": ALWAYS}
    rule = r"\bar a = -g \cdot y^2"

    @staticmethod
    def forward(self: Any) -> Any:
        return 1 / self

    def backward(ctx, g: Any) -> Any:
        (result,) = ctx.saved
        return -g * (result * result)


class NegBackward0(Operation):
    """-self."""

    rule = r"\bar a = -g"
    forward = operator.neg

    def backward(ctx, g: Any) -> Any:
        return -g


class PowBackward0(Operation):
    """self ** exponent for a number `exponent`."""

    params = ("exponent",)
    saves = {"self": ALWAYS}
    rule = r"\bar a = g \cdot n \cdot a^{n-1}"

    @staticmethod
    def forward(self: Any, exponent: float) -> Any:
        return np.power(self, exponent)

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        (exponent,) = ctx.args
        if exponent == 0:
            return g * 0  # the power is constant, also where a = 0
        return g * (exponent * (self if exponent == 2 else self ** (exponent - 1)))


class PowBackward1(Operation):
    """self ** exponent."""

    inputs = ("self", "exponent")
    saves = {"self": ALWAYS, "exponent": ALWAYS, "result": ALWAYS}
    rule = r"\bar a = g \cdot b \cdot a^{b-1}, \qquad \bar b = g \cdot y \cdot \ln a"
    forward = operator.pow

    def backward(ctx, g: Any) -> Any:
        self, exponent, result = ctx.saved
        wrt_self = wrt_exponent = None
        if ctx.needs(0):
            slope = exponent * self ** (exponent - 1)
            wrt_self = WhereBackward0.on(g * slope, g * 0, exponent != 0)
        if ctx.needs(1):
            # 0 ** b is constant for b >= 0, although ln 0 is not finite.
            flat = (self == 0) & (exponent >= 0)
            wrt_exponent = g * WhereBackward0.on(result * 0, result * LogBackward0.on(self), flat)
        return wrt_self, wrt_exponent


class PowBackward2(Operation):
    """self ** exponent for a number `self`."""

    inputs = ("exponent",)
    params = ("self",)
    saves = {"exponent": ALWAYS, "result": ALWAYS}
    rule = r"\bar b = g \cdot y \cdot \ln a"

    @staticmethod
    def forward(exponent: Any, self: float) -> Any:
        return np.power(np.asarray(self, exponent.dtype), exponent)

    def backward(ctx, g: Any) -> Any:
        exponent, result = ctx.saved
        (base,) = ctx.args
        if base == 0:
            return WhereBackward0.on(g * 0, g * (result * -np.inf), exponent >= 0)
        return g * (result * float(np.log(base)))


# --- Public functions


def add(input: Any, other: Any, *, alpha: float = 1) -> Any:
    """input + alpha * other.

    >>> import minigrad as mg
    >>> mg.add(mg.tensor([1.0, 2.0]), 10)
    tensor([11., 12.])
    """
    if alpha == 1:
        return binary(AddBackward0, input, other)
    return binary(AddBackward0, input, other, alpha)


def sub(input: Any, other: Any, *, alpha: float = 1) -> Any:
    """input - alpha * other."""
    if alpha == 1:
        return binary(SubBackward0, input, other)
    return binary(SubBackward0, input, other, alpha)


def rsub(input: Any, other: Any, *, alpha: float = 1) -> Any:
    """other - alpha * input."""
    if isinstance(other, TensorBase):
        return binary(RsubBackward0, input, other, alpha)
    return apply(RsubBackward1, promote_to(input, other), other, alpha)


def mul(input: Any, other: Any) -> Any:
    """input * other."""
    return binary(MulBackward0, input, other)


def div(input: Any, other: Any) -> Any:
    """input / other; integers divide to the default floating type."""
    return binary(DivBackward0, input, other)


def reciprocal(input: Any) -> Any:
    """1 / input."""
    return unary(ReciprocalBackward0, input)


def neg(input: Any) -> Any:
    """-input."""
    return apply(NegBackward0, input)


def pow(input: Any, exponent: Any) -> Any:
    """input ** exponent; at most one of the two may be a number.

    >>> import minigrad as mg
    >>> mg.pow(mg.tensor([1.0, 2.0, 3.0]), 2)
    tensor([1., 4., 9.])
    """
    if not isinstance(exponent, TensorBase):
        return apply(PowBackward0, promote_to(input, exponent), exponent)
    if not isinstance(input, TensorBase):
        return apply(PowBackward2, promote_to(exponent, input), input)
    return binary(PowBackward1, input, exponent)


def promote_to(tensor: Any, other: Any) -> Any:
    """`tensor` in the type that it has together with the number `other`."""
    from_int = tensor._array.dtype.kind != "f" and isinstance(other, float)
    return tensor.to(get_default_dtype().numpy) if from_int else tensor


class ArithmeticMethods(TensorBase):
    """The operators and methods of this file."""

    add = __add__ = add
    __radd__ = add
    sub = __sub__ = sub
    __rsub__ = rsub
    mul = __mul__ = mul
    __rmul__ = mul
    div = __truediv__ = true_divide = div
    neg = __neg__ = neg
    pow = __pow__ = pow
    reciprocal = reciprocal

    def __rtruediv__(self, other: Any) -> Any:
        return reciprocal(self) * other

    def __rpow__(self, other: Any) -> Any:
        return pow(other, self)

    def __pos__(self) -> Any:
        return self

    def add_(self, other: Any, *, alpha: float = 1) -> Any:
        """Add in place."""
        return inplace(AddBackward0, self, other, alpha)

    def sub_(self, other: Any, *, alpha: float = 1) -> Any:
        """Subtract in place."""
        return inplace(SubBackward0, self, other, alpha)

    def mul_(self, other: Any) -> Any:
        """Multiply in place."""
        return inplace(MulBackward0, self, other)

    def div_(self, other: Any) -> Any:
        """Divide in place."""
        return inplace(DivBackward0, self, other)

    def neg_(self) -> Any:
        """Negate in place."""
        return inplace(NegBackward0, self)

    def pow_(self, exponent: Any) -> Any:
        """Raise to a power in place."""
        if isinstance(exponent, TensorBase):
            return inplace(PowBackward1, self, exponent)
        return inplace(PowBackward0, self, exponent)

    __iadd__ = add_
    __isub__ = sub_
    __imul__ = mul_
    __itruediv__ = div_
    __ipow__ = pow_
