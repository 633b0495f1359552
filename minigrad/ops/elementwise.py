"""Functions of one tensor, applied to every element, and `where`.

A formula that saves its result (`exp`) does so because the result is all it needs: nothing is
computed twice.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import TensorBase
from ..operation import ALWAYS, Operation, apply, inplace, promoted, promoted_numbers, record, unary


class ExpBackward0(Operation):
    """e ** self."""

    saves = {"result": ALWAYS}
    rule = r"\bar a = g \cdot y"
    forward = np.exp

    def backward(ctx, g: Any) -> Any:
        (result,) = ctx.saved
        return g * result


class LogBackward0(Operation):
    """The natural logarithm."""

    saves = {"self": ALWAYS}
    rule = r"\bar a = \frac{g}{a}"
    forward = np.log

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        return g / self


class Log1PBackward0(Operation):
    """ln(1 + self), exact also for small `self`."""

    saves = {"self": ALWAYS}
    rule = r"\bar a = \frac{g}{1 + a}"
    forward = np.log1p

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        return g / (1 + self)


class SqrtBackward0(Operation):
    """The square root."""

    saves = {"result": ALWAYS}
    rule = r"\bar a = \frac{g}{2 y}"
    forward = np.sqrt

    def backward(ctx, g: Any) -> Any:
        (result,) = ctx.saved
        return g / (2 * result)


class SinBackward0(Operation):
    """The sine; `self` in radians."""

    saves = {"self": ALWAYS}
    rule = r"\bar a = g \cdot \cos a"
    forward = np.sin

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        return g * CosBackward0.on(self)


class CosBackward0(Operation):
    """The cosine; `self` in radians."""

    saves = {"self": ALWAYS}
    rule = r"\bar a = -g \cdot \sin a"
    forward = np.cos

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        return g * -SinBackward0.on(self)


class TanhBackward0(Operation):
    """The hyperbolic tangent."""

    saves = {"result": ALWAYS}
    rule = r"\bar a = g \cdot (1 - y^2)"
    forward = np.tanh

    def backward(ctx, g: Any) -> Any:
        (result,) = ctx.saved
        return g * (1 - result * result)


class SigmoidBackward0(Operation):
    """1 / (1 + e ** -self)."""

    saves = {"result": ALWAYS}
    rule = r"\bar a = g \cdot y \cdot (1 - y)"

    @staticmethod
    def forward(self: Any) -> Any:
        return 1 / (1 + np.exp(-self))

    def backward(ctx, g: Any) -> Any:
        (result,) = ctx.saved
        return g * (result * (1 - result))


class ReluBackward0(Operation):
    """max(self, 0); the slope at 0 counts as 0."""

    saves = {"result": ALWAYS}
    rule = r"\bar a = g \cdot [y > 0]"

    @staticmethod
    def forward(self: Any) -> Any:
        return np.maximum(self, 0)

    def backward(ctx, g: Any) -> Any:
        (result,) = ctx.saved
        return g * (result > 0)


class AbsBackward0(Operation):
    """|self|; the slope at 0 counts as 0."""

    saves = {"self": ALWAYS}
    rule = r"\bar a = g \cdot \operatorname{sgn} a"
    forward = np.absolute

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        return g * SignBackward0.on(self)


class SignBackward0(Operation):
    """-1, 0 or 1: constant almost everywhere."""

    rule = r"\bar a = 0"
    forward = np.sign

    def backward(ctx, g: Any) -> Any:
        return g * 0


class WhereBackward0(Operation):
    """`self` where `condition` holds, `other` elsewhere."""

    inputs = ("self", "other")
    params = ("condition",)
    saves = {"condition": ALWAYS}
    rule = r"\bar a = [c] \cdot g, \qquad \bar b = [\neg c] \cdot g"

    @staticmethod
    def forward(self: Any, other: Any, condition: Any) -> Any:
        return np.where(condition, self, other)

    def backward(ctx, g: Any) -> Any:
        (condition,) = ctx.saved
        return (
            WhereBackward0.on(g, g * 0, condition) if ctx.needs(0) else None,
            WhereBackward0.on(g * 0, g, condition) if ctx.needs(1) else None,
        )


# --- Public functions


def exp(input: Any) -> Any:
    """e ** input, elementwise."""
    return unary(ExpBackward0, input)


def log(input: Any) -> Any:
    """The natural logarithm, elementwise: -inf at 0, nan below."""
    return unary(LogBackward0, input)


def log1p(input: Any) -> Any:
    """ln(1 + input), elementwise; exact also for small `input`."""
    return unary(Log1PBackward0, input)


def sqrt(input: Any) -> Any:
    """The square root, elementwise: nan below 0."""
    return unary(SqrtBackward0, input)


def sin(input: Any) -> Any:
    """The sine, elementwise; `input` in radians."""
    return unary(SinBackward0, input)


def cos(input: Any) -> Any:
    """The cosine, elementwise; `input` in radians."""
    return unary(CosBackward0, input)


def tanh(input: Any) -> Any:
    """The hyperbolic tangent, elementwise."""
    return unary(TanhBackward0, input)


def sigmoid(input: Any) -> Any:
    """1 / (1 + exp(-input)), elementwise."""
    return unary(SigmoidBackward0, input)


def relu(input: Any) -> Any:
    """max(input, 0), elementwise."""
    return apply(ReluBackward0, input)


def abs(input: Any) -> Any:
    """|input|, elementwise."""
    return apply(AbsBackward0, input)


def sign(input: Any) -> Any:
    """-1, 0 or 1, elementwise."""
    return apply(SignBackward0, input)


def where(condition: Any, input: Any, other: Any) -> Any:
    """`input` where `condition` holds, `other` elsewhere; all three are broadcast together.

    >>> import minigrad as mg
    >>> x = mg.tensor([-1.0, 2.0])
    >>> mg.where(x > 0, x, 0)
    tensor([0., 2.])
    """
    if isinstance(input, TensorBase) and isinstance(other, TensorBase):
        x, y = promoted(input._array, other._array)
    else:
        x, y = promoted_numbers(WhereBackward0, input, other)
        # Numbers are weak: they take the tensor's type.
        kind = x.dtype if isinstance(input, TensorBase) else y.dtype
        x, y = np.asarray(x, kind), np.asarray(y, kind)
    value = np.where(condition._array, x, y)
    return record(WhereBackward0, (input, other), (condition,), value)


class ElementwiseMethods(TensorBase):
    """The methods of this file."""

    exp = exp
    log = log
    log1p = log1p
    sqrt = sqrt
    sin = sin
    cos = cos
    tanh = tanh
    sigmoid = sigmoid
    relu = relu
    abs = absolute = __abs__ = abs
    sign = sign

    def where(self, condition: Any, other: Any) -> Any:
        """This tensor where `condition` holds, `other` elsewhere."""
        return where(condition, self, other)

    def exp_(self) -> Any:
        """`exp` in place."""
        return inplace(ExpBackward0, self)

    def log_(self) -> Any:
        """`log` in place."""
        return inplace(LogBackward0, self)

    def sqrt_(self) -> Any:
        """`sqrt` in place."""
        return inplace(SqrtBackward0, self)

    def sin_(self) -> Any:
        """`sin` in place."""
        return inplace(SinBackward0, self)

    def cos_(self) -> Any:
        """`cos` in place."""
        return inplace(CosBackward0, self)

    def tanh_(self) -> Any:
        """`tanh` in place."""
        return inplace(TanhBackward0, self)

    def sigmoid_(self) -> Any:
        """`sigmoid` in place."""
        return inplace(SigmoidBackward0, self)

    def relu_(self) -> Any:
        """`relu` in place."""
        return inplace(ReluBackward0, self)

    def abs_(self) -> Any:
        """`abs` in place."""
        return inplace(AbsBackward0, self)
