"""The trigonometric and hyperbolic functions and their inverses. Angles are in radians."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import get_default_dtype
from ..graph import TensorBase
from ..operation import ALWAYS, Operation, binary, inplace
from .elementwise import SqrtBackward0, masked
from .operands import check_tensor, functions


class SinBackward0(Operation):
    """The sine."""

    saves = {"self": ALWAYS}
    rule = r"\bar a = g \cdot \cos a"
    forward = np.sin

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        return g * CosBackward0.on(self)


class CosBackward0(Operation):
    """The cosine."""

    saves = {"self": ALWAYS}
    rule = r"\bar a = -g \cdot \sin a"
    forward = np.cos

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        return g * -SinBackward0.on(self)


class TanBackward0(Operation):
    """The tangent."""

    saves = {"result": ALWAYS}
    rule = r"\bar a = g \cdot (1 + y^2)"
    forward = np.tan

    def backward(ctx, g: Any) -> Any:
        (result,) = ctx.saved
        return g * (1 + result * result)


class AsinBackward0(Operation):
    """The inverse sine."""

    saves = {"self": ALWAYS}
    rule = r"\bar a = \frac{g}{\sqrt{1 - a^2}}"
    forward = np.arcsin

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        return g / SqrtBackward0.on(1 - self * self)


class AcosBackward0(Operation):
    """The inverse cosine."""

    saves = {"self": ALWAYS}
    rule = r"\bar a = -\frac{g}{\sqrt{1 - a^2}}"
    forward = np.arccos

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        return -g / SqrtBackward0.on(1 - self * self)


class AtanBackward0(Operation):
    """The inverse tangent."""

    saves = {"self": ALWAYS}
    rule = r"\bar a = \frac{g}{1 + a^2}"
    forward = np.arctan

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        return g / (1 + self * self)


class Atan2Backward0(Operation):
    """The angle of the point (other, self) seen from the origin."""

    inputs = ("self", "other")
    saves = {"self": ALWAYS, "other": ALWAYS}
    rule = r"\bar a = \frac{g \cdot b}{a^2 + b^2}, \qquad \bar b = -\frac{g \cdot a}{a^2 + b^2}"
    forward = np.arctan2

    def backward(ctx, g: Any) -> Any:
        self, other = ctx.saved
        square = self * self + other * other
        g = masked(g / square, square != 0)
        return (g * other if ctx.needs(0) else None, -g * self if ctx.needs(1) else None)


class SinhBackward0(Operation):
    """The hyperbolic sine."""

    saves = {"self": ALWAYS}
    rule = r"\bar a = g \cdot \cosh a"
    forward = np.sinh

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        return g * CoshBackward0.on(self)


class CoshBackward0(Operation):
    """The hyperbolic cosine."""

    saves = {"self": ALWAYS}
    rule = r"\bar a = g \cdot \sinh a"
    forward = np.cosh

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        return g * SinhBackward0.on(self)


class TanhBackward0(Operation):
    """The hyperbolic tangent."""

    saves = {"result": ALWAYS}
    rule = r"\bar a = g \cdot (1 - y^2)"
    forward = np.tanh

    def backward(ctx, g: Any) -> Any:
        (result,) = ctx.saved
        return TanhBackwardBackward0.on(g, result)


class TanhBackwardBackward0(Operation):
    """The gradient of `tanh`."""

    inputs = ("grad_output", "output")
    saves = {"grad_output": 1, "output": ALWAYS}
    rule = r"\bar g = \bar a \cdot (1 - y^2), \qquad \bar y = -2 \bar a \cdot g \cdot y"

    @staticmethod
    def forward(grad_output: Any, output: Any) -> Any:
        return grad_output * (1 - output * output)

    def backward(ctx, g: Any) -> Any:
        grad_output, output = ctx.saved
        return (
            TanhBackwardBackward0.on(g, output) if ctx.needs(0) else None,
            g * grad_output * (-2 * output) if ctx.needs(1) else None,
        )


class AsinhBackward0(Operation):
    """The inverse hyperbolic sine."""

    saves = {"self": ALWAYS}
    rule = r"\bar a = \frac{g}{\sqrt{a^2 + 1}}"
    forward = np.arcsinh

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        return g / SqrtBackward0.on(self * self + 1)


class AcoshBackward0(Operation):
    """The inverse hyperbolic cosine."""

    saves = {"self": ALWAYS}
    rule = r"\bar a = \frac{g}{\sqrt{a^2 - 1}}"
    forward = np.arccosh

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        return g / SqrtBackward0.on(self * self - 1)


class AtanhBackward0(Operation):
    """The inverse hyperbolic tangent."""

    saves = {"self": ALWAYS}
    rule = r"\bar a = \frac{g}{1 - a^2}"
    forward = np.arctanh

    def backward(ctx, g: Any) -> Any:
        (self,) = ctx.saved
        return g / (1 - self * self)


# --- Public functions

sin, sin_ = functions(SinBackward0, "sin")
cos, cos_ = functions(CosBackward0, "cos")
tan, tan_ = functions(TanBackward0, "tan")
asin, asin_ = functions(AsinBackward0, "asin")
acos, acos_ = functions(AcosBackward0, "acos")
atan, atan_ = functions(AtanBackward0, "atan")
sinh, sinh_ = functions(SinhBackward0, "sinh")
cosh, cosh_ = functions(CoshBackward0, "cosh")
tanh, tanh_ = functions(TanhBackward0, "tanh")
asinh, asinh_ = functions(AsinhBackward0, "asinh")
acosh, acosh_ = functions(AcoshBackward0, "acosh")
atanh, atanh_ = functions(AtanhBackward0, "atanh")


def atan2(input: Any, other: Any) -> Any:
    """The angle of the point (other, input) seen from the origin, from -pi to pi.

    >>> import minigrad as mg
    >>> mg.atan2(mg.tensor([0.0, 1.0]), mg.tensor([-1.0, 0.0]))
    tensor([3.1416, 1.5708])
    """
    check_tensor(input, "atan2")
    check_tensor(other, "atan2", "other", 2)
    return binary(Atan2Backward0, *floats(input, other))


def floats(input: Any, other: Any) -> tuple[Any, Any]:
    """The operands; if both are whole numbers, the first in the default floating type."""
    if "f" in (input._array.dtype.kind, other._array.dtype.kind):
        return input, other
    return input.to(get_default_dtype()), other


class TrigonometricMethods(TensorBase):
    """The methods of this file."""

    sin, sin_ = sin, sin_
    cos, cos_ = cos, cos_
    tan, tan_ = tan, tan_
    asin, asin_ = asin, asin_
    acos, acos_ = acos, acos_
    atan, atan_ = atan, atan_
    arcsin, arccos, arctan = asin, acos, atan
    sinh, sinh_ = sinh, sinh_
    cosh, cosh_ = cosh, cosh_
    tanh, tanh_ = tanh, tanh_
    asinh, asinh_ = asinh, asinh_
    acosh, acosh_ = acosh, acosh_
    atanh, atanh_ = atanh, atanh_
    arcsinh, arccosh, arctanh = asinh, acosh, atanh
    atan2 = arctan2 = atan2

    def atan2_(self, other: Any) -> Any:
        """`atan2` in place."""
        check_tensor(other, "atan2_", "other")
        return inplace(Atan2Backward0, self, other)
