"""The trigonometric and hyperbolic functions and their inverses. Angles are in radians."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from ...arrays.blocks import in_blocks
from ...arrays.float16 import FLOAT16, in_float32, widened
from ...arrays.messages import cannot_cast
from ...core.inplace import inplace
from ...core.node import Node, TensorBase, count_references
from ...core.operation import ALWAYS, Operation
from ...core.promotion import binary
from ..public.factories import as_floating, unary
from ..public.functions import alias, rename_schemas, schema
from ..public.kinds import OfTwo, Underived, gradient_of
from .arithmetic import NegBackward0, ReciprocalBackward0, RsqrtBackward0
from .elementwise import squared
from .masking import zero_masked


@gradient_of(np.sin, r"\bar a = g \cdot \cos a")
def SinBackward0(g: Any, self: Any) -> Any:
    """The sine."""
    return g * CosBackward0.on(self)


@gradient_of(np.cos, r"\bar a = -g \cdot \sin a")
def CosBackward0(g: Any, self: Any) -> Any:
    """The cosine."""
    return g * -SinBackward0.on(self)


@gradient_of(np.tan, r"\bar a = g \cdot (1 + y^2)")
def TanBackward0(g: Any, result: Any) -> Any:
    """The tangent."""
    return g * (squared(result) + 1)


@gradient_of(np.arcsin, r"\bar a = \frac{g}{\sqrt{1 - a^2}}")
def AsinBackward0(g: Any, self: Any) -> Any:
    """The inverse sine."""
    return g * RsqrtBackward0.on(-self * self + 1)


@gradient_of(np.arccos, r"\bar a = -\frac{g}{\sqrt{1 - a^2}}")
def AcosBackward0(g: Any, self: Any) -> Any:
    """The inverse cosine."""
    return g * -RsqrtBackward0.on(-self * self + 1)


@gradient_of(np.arctan, r"\bar a = \frac{g}{1 + a^2}")
def AtanBackward0(g: Any, self: Any) -> Any:
    """The inverse tangent."""
    return g / (self * self + 1)


@gradient_of(np.sinh, r"\bar a = g \cdot \cosh a")
def SinhBackward0(g: Any, self: Any) -> Any:
    """The hyperbolic sine."""
    return g * CoshBackward0.on(self)


@gradient_of(np.cosh, r"\bar a = g \cdot \sinh a")
def CoshBackward0(g: Any, self: Any) -> Any:
    """The hyperbolic cosine."""
    return g * SinhBackward0.on(self)


class _Probe(Node):
    def backward(self, g: Any) -> Any:
        return sys.getrefcount(g)


REFERENCES_OF_THE_WALK = count_references(_Probe())
"""The reference count, inside `TanhBackward0.backward`, of an array that only the walk holds."""


class TanhBackward0(Operation):
    """The hyperbolic tangent."""

    saves = {"result": ALWAYS}
    rule = r"\bar a = g \cdot (1 - y^2)"
    forward = np.tanh

    def backward(ctx, g: Any) -> Any:
        (result,) = ctx.saved
        alone = sys.getrefcount(g) <= REFERENCES_OF_THE_WALK
        if not (alone and ctx.may_overwrite(g)) or g.dtype == np.float16:
            return TanhBackwardBackward0.on(g, result)
        for gradient, y in in_blocks(g, result):
            slope = y * y
            gradient *= np.subtract(1, slope, out=slope)
        return g


class TanhBackwardBackward0(Operation):
    """The gradient of `tanh`."""

    inputs = ("grad_output", "output")
    saves = {"grad_output": 1, "output": ALWAYS}
    rule = r"\bar g = \bar a \cdot (1 - y^2), \qquad \bar y = -2 \bar a \cdot g \cdot y"

    def forward(grad_output: Any, output: Any) -> Any:
        if output.dtype == FLOAT16:
            return in_float32(TanhBackwardBackward0.forward, grad_output, output)
        slope = -output  # grad_output * (1 - output * output), in one array of that size
        slope *= output
        slope += 1
        slope *= grad_output
        return slope

    def gradient(g: Any, grad_output: Any, output: Any) -> Any:
        again = TanhBackwardBackward0.on
        return lambda: again(g, output), lambda: g * grad_output * (-2 * output)


@gradient_of(np.arcsinh, r"\bar a = \frac{g}{\sqrt{a^2 + 1}}")
def AsinhBackward0(g: Any, self: Any) -> Any:
    """The inverse hyperbolic sine."""
    return g * RsqrtBackward0.on(squared(self) + 1)


@gradient_of(np.arccosh, r"\bar a = \frac{g}{\sqrt{a^2 - 1}}")
def AcoshBackward0(g: Any, self: Any) -> Any:
    """The inverse hyperbolic cosine."""
    return g * RsqrtBackward0.on(self * self - 1)


@gradient_of(np.arctanh, r"\bar a = \frac{g}{1 - a^2}")
def AtanhBackward0(g: Any, self: Any) -> Any:
    """The inverse hyperbolic tangent."""
    return g * 1 / (1 - squared(self))


class Atan2Backward0(OfTwo):
    """The angle of the point (other, self), from -pi to pi."""

    rule = r"\bar a = \frac{g b}{a^2 + b^2}, \qquad \bar b = -\frac{g a}{a^2 + b^2}"
    forward = np.arctan2

    def gradient(g: Any, other: Any, self: Any) -> Any:
        square = self * self + other * other
        part = zero_masked(ReciprocalBackward0.on(square), square == 0)
        return lambda: g * other * part, lambda: g * NegBackward0.on(self) * part


DEGREE = math.pi / 180


@gradient_of(widened(lambda x: x * DEGREE), r"\bar a = g \cdot \frac{\pi}{180}")
def Deg2RadBackward0(g: Any) -> Any:
    """Degrees in radians."""
    return g * DEGREE


@gradient_of(widened(lambda x: x * (180 / math.pi)), r"\bar a = g \cdot \frac{180}{\pi}")
def Rad2DegBackward0(g: Any) -> Any:
    """Radians in degrees."""
    return g * (180 / math.pi)


# --- Public functions

sin, sin_ = unary("sin(Tensor input, *, Tensor out=None)", SinBackward0)
cos, cos_ = unary("cos(Tensor input, *, Tensor out=None)", CosBackward0)
tan, tan_ = unary("tan(Tensor input, *, Tensor out=None)", TanBackward0)
asin, asin_ = unary("asin(Tensor input, *, Tensor out=None)", AsinBackward0)
acos, acos_ = unary("acos(Tensor input, *, Tensor out=None)", AcosBackward0)
atan, atan_ = unary("atan(Tensor input, *, Tensor out=None)", AtanBackward0)
sinh, sinh_ = unary("sinh(Tensor input, *, Tensor out=None)", SinhBackward0)
cosh, cosh_ = unary("cosh(Tensor input, *, Tensor out=None)", CoshBackward0)
tanh, tanh_ = unary("tanh(Tensor input, *, Tensor out=None)", TanhBackward0)


class AsinhBackward1(Underived):
    """The inverse of sinh, in place: PyTorch has no gradient of it, nor of the next two."""

    derivative_name, forward = "inplace version of asinh", AsinhBackward0.forward


class AcoshBackward1(Underived):
    """The inverse of cosh, in place."""

    derivative_name, forward = "inplace version of acosh", AcoshBackward0.forward


class AtanhBackward1(Underived):
    """The inverse of tanh, in place."""

    derivative_name, forward = "inplace version of atanh", AtanhBackward0.forward


asinh, asinh_ = unary(
    "asinh(Tensor input, *, Tensor out=None)", AsinhBackward0, in_place=AsinhBackward1
)
acosh, acosh_ = unary(
    "acosh(Tensor input, *, Tensor out=None)", AcoshBackward0, in_place=AcoshBackward1
)
atanh, atanh_ = unary(
    "atanh(Tensor input, *, Tensor out=None)", AtanhBackward0, in_place=AtanhBackward1
)
deg2rad, deg2rad_ = unary("deg2rad(Tensor input, *, Tensor out=None)", Deg2RadBackward0)
rad2deg, rad2deg_ = unary("rad2deg(Tensor input, *, Tensor out=None)", Rad2DegBackward0)
arcsin = alias("arcsin", asin)
arccos = alias("arccos", acos)
arctan = alias("arctan", atan)
arcsinh = alias("arcsinh", asinh)
arccosh = alias("arccosh", acosh)
arctanh = alias("arctanh", atanh)


ATAN2 = "atan2(Tensor input, Tensor other, *, Tensor out=None)"


def angle(input: Any, other: Any) -> TensorBase:
    """Return the angle of the point (other, input) from the first axis, from -pi to pi.

    >>> import minigrad as mg
    >>> mg.atan2(mg.tensor([1.0, -1.0]), mg.tensor([0.0, -1.0]))
    tensor([ 1.5708, -2.3562])
    """
    if not isinstance(other, TensorBase):
        raise TypeError
    if input._array.dtype.kind != "f" and other._array.dtype.kind != "f":
        input = as_floating(input)
    return binary(Atan2Backward0, input, other)


def angle_(input: Any, other: Any) -> TensorBase:
    """`atan2` in place."""
    if not isinstance(other, TensorBase):
        raise TypeError
    if input._array.dtype.kind != "f":
        raise cannot_cast(angle(input, other)._array.dtype, input._array.dtype)
    return inplace(Atan2Backward0, input, other)


atan2, arctan2 = schema(ATAN2)(angle), schema(*rename_schemas((ATAN2,), "arctan2"))(angle)
atan2_ = schema(*rename_schemas((ATAN2,), "atan2_"), place="Tensor")(angle_)
arctan2_ = schema(*rename_schemas((ATAN2,), "arctan2_"), place="Tensor")(angle_)


class TrigonometricMethods(TensorBase):
    """The methods of this file."""

    sin, sin_, cos, cos_ = sin.method, sin_.method, cos.method, cos_.method
    tan, tan_, asin, asin_ = tan.method, tan_.method, asin.method, asin_.method
    acos, acos_, atan, atan_ = acos.method, acos_.method, atan.method, atan_.method
    sinh, sinh_, cosh, cosh_ = sinh.method, sinh_.method, cosh.method, cosh_.method
    tanh, tanh_, asinh, asinh_ = tanh.method, tanh_.method, asinh.method, asinh_.method
    acosh, acosh_, atanh, atanh_ = acosh.method, acosh_.method, atanh.method, atanh_.method
    arcsin, arccos, arctan = arcsin.method, arccos.method, arctan.method
    arcsinh, arccosh, arctanh = arcsinh.method, arccosh.method, arctanh.method
    deg2rad, deg2rad_, rad2deg = deg2rad.method, deg2rad_.method, rad2deg.method
    rad2deg_ = rad2deg_.method
    atan2, atan2_, arctan2, arctan2_ = atan2.method, atan2_.method, arctan2.method, arctan2_.method
