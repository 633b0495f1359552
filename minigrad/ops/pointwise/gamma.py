"""The logarithm of the gamma function and its derivatives, and the tail of the error function."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ...arrays import erf as error_function
from ...arrays import gamma
from ...arrays.float16 import widened
from ...arrays.messages import not_implemented
from ...core.inplace import inplace
from ...core.modes import modes
from ...core.node import TensorBase, unwrap
from ...core.operation import Operation, apply
from ..public.arguments import whole
from ..public.factories import ELEMENTWISE, as_floating, check_floating_in_place, two, unary
from ..public.functions import schema
from ..public.kinds import OfTwo, gradient_of
from .arithmetic import NO_BOOL
from .elementwise import ExpBackward0, LogBackward0, squared


def tail(x: Any) -> Any:
    """Return 1 - erf(x), which keeps its digits for large x."""
    beyond = error_function.tail(np.absolute(x))
    return np.where(x < 0, 2 - beyond, beyond).astype(x.dtype)


@gradient_of(widened(tail), r"\bar a = -g \cdot \frac{2}{\sqrt{\pi}} \cdot e^{-a^2}")
def ErfcBackward0(g: Any, self: Any) -> Any:
    """1 minus the error function."""
    return -2 / math.sqrt(math.pi) * ExpBackward0.on(-squared(self)) * g


@gradient_of(gamma.log_gamma, r"\bar a = g \cdot \psi(a)")
def LgammaBackward0(g: Any, self: Any) -> Any:
    """The logarithm of the absolute value of the gamma function."""
    return g * DigammaBackward0.on(self)


@gradient_of(gamma.digamma, r"\bar a = g \cdot \psi'(a)")
def DigammaBackward0(g: Any, self: Any) -> Any:
    """The derivative of the logarithm of the gamma function."""
    return g * PolygammaBackward0.on(self, 1)


class PolygammaBackward0(Operation):
    """The derivative of order n of digamma."""

    params = ("n",)
    rule = r"\bar a = g \cdot \psi^{(n + 1)}(a)"
    forward = gamma.polygamma

    def gradient(g: Any, self: Any, n: int) -> Any:
        return g * PolygammaBackward0.on(self, n + 1)


class PolygammaBackward1(PolygammaBackward0):
    """The derivative of order n of digamma, in place."""


ELEMENTWISE.update((PolygammaBackward0, PolygammaBackward1))


class WithoutTangent(OfTwo):
    """A part of the gamma function of `self`, by which PyTorch differentiates in no mode."""

    saves = {"other": 1, "self": 1}
    word: ClassVar[str]
    """The name in PyTorch's errors."""

    def backward(ctx, g: Any) -> Any:
        walk = modes.walk
        if ctx.needs(0) and (walk is None or walk.reaches(ctx._edges[0])):
            raise NotImplementedError(f"the derivative for '{ctx.word}: input' is not implemented.")
        other, self = ctx.saved
        if unwrap(self).dtype.kind == "b":
            raise RuntimeError(f"Subtraction, {NO_BOOL.format('with')}")
        power = (self - 1) * LogBackward0.on(other) - other
        whole = unwrap(self).dtype.kind != "f"
        slope = ExpBackward0.on(power - LgammaBackward0.on(self * 1.0 if whole else self))
        return None, (g if ctx.word == "igamma" else -g) * slope


class IgammaBackward0(WithoutTangent):
    """The share of the gamma function of self that the numbers up to other contribute."""

    rule = r"\bar b = g \cdot \frac{b^{a - 1} e^{-b}}{\Gamma(a)}"
    forward = gamma.below
    word = "igamma"


class IgammacBackward0(WithoutTangent):
    """The share of the gamma function of self that the numbers from other on contribute."""

    rule = r"\bar b = -g \cdot \frac{b^{a - 1} e^{-b}}{\Gamma(a)}"
    forward = gamma.above
    word = "igammac"


def check_floats(kernel: str, input: Any, other: Any) -> None:
    """Raise unless one of two tensors has floats."""
    if not isinstance(input, TensorBase) or not isinstance(other, TensorBase):
        raise TypeError  # the schema gives the error
    dtype = np.result_type(input._array, other._array)
    if dtype.kind != "f":
        raise not_implemented(kernel, dtype)


# --- Public functions

igamma, igamma_ = two(
    "igamma(Tensor input, Tensor other, *, Tensor out=None)",
    op=IgammaBackward0,
    check=partial(check_floats, "igamma_cpu"),
)
igammac, igammac_ = two(
    "igammac(Tensor input, Tensor other, *, Tensor out=None)",
    op=IgammacBackward0,
    check=partial(check_floats, "igammac_cpu"),
)
ELEMENTWISE.difference_update((IgammaBackward0, IgammacBackward0))

erfc, erfc_ = unary("erfc(Tensor input, *, Tensor out=None)", ErfcBackward0)
lgamma, lgamma_ = unary("lgamma(Tensor input, *, Tensor out=None)", LgammaBackward0)
digamma, digamma_ = unary("digamma(Tensor input, *, Tensor out=None)", DigammaBackward0)
lgamma_.place = digamma_.place = "Tensor"


@schema("polygamma(int n, Tensor input, *, Tensor out=None)")
def polygamma(n: int, input: Any) -> Any:
    """Return the derivative of order n of digamma.

    >>> import minigrad as mg
    >>> mg.polygamma(1, mg.tensor([1.0, 2.0]))
    tensor([1.6449, 0.6449])
    """
    return apply(PolygammaBackward0, as_floating(input), order_of(n))


@schema("polygamma(Tensor input, int n)", place="Tensor")
def polygamma_of(input: Any, n: int) -> Any:
    """Return the derivative of order n of digamma."""
    return apply(PolygammaBackward0, as_floating(input), order_of(n))


@schema("polygamma_(Tensor input, int n)", place="Tensor")
def polygamma_(input: Any, n: int) -> Any:
    """`polygamma` in place."""
    check_floating_in_place(input)
    return inplace(PolygammaBackward1, input, order_of(n))


def order_of(n: Any) -> int:
    """Return the order of a derivative of digamma."""
    order = whole(n)
    if order < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    return order


class GammaMethods(TensorBase):
    """The methods of this file."""

    erfc, erfc_ = erfc.method, erfc_.method
    lgamma, lgamma_ = lgamma.method, lgamma_.method
    digamma, digamma_ = digamma.method, digamma_.method
    igamma, igamma_ = igamma.method, igamma_.method
    igammac, igammac_ = igammac.method, igammac_.method
    polygamma, polygamma_ = polygamma_of.method, polygamma_.method
