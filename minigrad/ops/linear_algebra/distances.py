"""Distances: of two tensors (`dist`), and of pairs of rows, in two matrices (`cdist`) or one."""

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np

from ...arrays.dtypes import result_dtype
from ...arrays.messages import check_same_type, not_implemented, type_word
from ...core.node import TensorBase
from ...core.operation import Operation, apply, constant_like
from ..pointwise.arithmetic import refuse_bool
from ..pointwise.elementwise import AbsBackward0, SignBackward0, WhereBackward0
from ..public.arguments import number
from ..public.dims import common_shape
from ..public.functions import schema
from ..reductions.reductions import check_has_extreme
from ..shapes.copies import contiguous


class CdistBackward0(Operation):
    """The p-norm of the difference of each row of `x1` and each row of `x2`."""

    inputs = ("x1", "x2")
    rule = (
        r"\bar x_i = \sum_j g_{ij} \cdot \operatorname{sgn}(d_{ij}) "
        r"\cdot \left(\frac{|d_{ij}|}{y_{ij}}\right)^{p-1}, \quad d_{ij} = x_i - z_j"
    )

    def forward(x1: Any, x2: Any, /, p: float) -> Any:
        size = np.absolute(x1[..., :, None, :] - x2[..., None, :, :])
        if p == 0:
            return (size != 0).sum(-1).astype(x1.dtype)
        if p == 1:
            return size.sum(-1)
        if math.isinf(p):
            return size.max(-1) if size.shape[-1] else size.sum(-1)
        if p == 2:
            return np.sqrt((size * size).sum(-1))
        return (size**p).sum(-1) ** (1 / p)

    def gradient(g: Any, x1: Any, x2: Any, result: Any, p: float) -> Any:
        rows, columns = x1.shape[-2], x2.shape[-2]
        width, batch = x1.shape[-1], result.shape[:-2]
        one = x1.reshape(*x1.shape[:-2], rows, 1, width)
        other = x2.reshape(*x2.shape[:-2], 1, columns, width)
        pairs = (*batch, rows, columns, 1)
        d, y = one - other, result.reshape(pairs)
        slope = slope_of(d, y, p) * g.reshape(pairs)
        return slope.sum(-2), -slope.sum(-3)


def slope_of(d: Any, y: Any, p: float) -> Any:
    """Return the derivative of the p-norm `y` of `d` by each element of `d`.

    It is 0 where both rows are equal, and where the norm has no derivative.
    """
    if p == 0:
        return d * 0
    sign = SignBackward0.on(d)
    if p == 1:
        return sign
    size = AbsBackward0.on(d)
    if math.isinf(p):
        return sign * (size == y)
    if p == 2:
        return d / WhereBackward0.on(y, y * 0 + 1, y != 0)
    safe = WhereBackward0.on(size, size * 0 + 1, size != 0)
    return sign * (safe / WhereBackward0.on(y, y * 0 + 1, y != 0)) ** (p - 1)


class DistBackward0(Operation):
    """The p-norm of all elements of the difference."""

    inputs = ("self", "other")
    rule = (
        r"\bar a_i = g \cdot \operatorname{sgn}(d_i) \cdot \left(\frac{|d_i|}{y}\right)^{p-1}, "
        r"\qquad \bar b = -\bar a, \quad d = a - b"
    )

    def forward(self: Any, other: Any, /, p: float) -> Any:
        kind = result_dtype(self, other)
        size = np.absolute(self.astype(kind, copy=False) - other.astype(kind, copy=False))
        if p == 0:
            return (size != 0).sum().astype(size.dtype)
        if math.isinf(p):
            if not size.size:
                check_has_extreme(size.shape, (), p)
            return size.max() if p > 0 else size.min()
        if p == 2:
            return np.sqrt((size * size).sum())
        return size.sum() if p == 1 else (size**p).sum() ** (1 / p)

    def gradient(g: Any, self: Any, other: Any, result: Any, p: float) -> Any:
        d = self - other
        slope = slope_of(d, result, p)
        if math.isinf(p):  # equal elements share the gradient
            slope = slope / (AbsBackward0.on(d) == result).sum()
        return lambda: g * slope, lambda: -(g * slope)


@schema("dist(Tensor input, Tensor other, Scalar p=2)")
def dist(input: Any, other: Any, p: Any = 2) -> TensorBase:
    """Return the p-norm of input - other, of all elements.

    >>> import minigrad as mg
    >>> mg.dist(mg.tensor([3.0, 4.0]), mg.zeros(2))
    tensor(5.)
    """
    p = float(number(p))
    refuse_bool(input, other)
    kind = result_dtype(input._array, other._array)
    if kind.kind != "f":
        wanted = "norm(): input dtype should be either floating point or complex."
        raise RuntimeError(f"{wanted} Got {type_word(kind)} instead.")
    common_shape(input._array.shape, other._array.shape)
    return apply(DistBackward0, input, other, p)


class DistanceMethods(TensorBase):
    """The methods of this file."""

    dist = dist.method


MODES = (
    "use_mm_for_euclid_dist_if_necessary",
    "use_mm_for_euclid_dist",
    "donot_use_mm_for_euclid_dist",
)


@schema(
    "def cdist(Tensor x1, Tensor x2, float p=2.0, "
    'str compute_mode="use_mm_for_euclid_dist_if_necessary")',
    "cdist(Tensor x1, Tensor x2, float p)",
)
def cdist(x1: Any, x2: Any, p: Any = 2.0, compute_mode: Any = MODES[0]) -> TensorBase:
    """Return the p-norm distance of each row of `x1` from each row of `x2`.

    Args:
        compute_mode: accepted; the differences are always computed.

    >>> import minigrad as mg
    >>> mg.cdist(mg.tensor([[0.0, 0.0]]), mg.tensor([[3.0, 4.0], [0.0, 1.0]]))
    tensor([[5., 1.]])
    """
    a, b, p = x1._array, x2._array, float(number(p))
    if compute_mode not in MODES:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    for name, x in (("X1", a), ("X2", b)):
        if x.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {x.ndim}D")
    if a.shape[-1] != b.shape[-1]:
        sizes = f"X1: {a.shape[-1]} X2: {b.shape[-1]}"
        raise RuntimeError(f"X1 and X2 must have the same number of columns. {sizes}")
    for name, x in (("X1", a), ("X2", b)):
        if x.dtype.kind != "f":
            only = "cdist only supports floating-point dtypes"
            raise RuntimeError(f"{only}, {name} got: {type_word(x.dtype)}")
    if not p >= 0:
        raise RuntimeError("cdist only supports non-negative p values")
    common_shape(a.shape[:-2], b.shape[:-2])
    if a.dtype == np.float16:
        raise not_implemented("cdist", a.dtype)
    check_same_type(a, b, "expected scalar type {} but found {}")
    return apply(CdistBackward0, x1, x2, p)


class PdistBackward0(Operation):
    """The p-norm of the difference of each two rows, as the upper triangle of a matrix."""

    rule = CdistBackward0.rule

    def forward(self: Any, /, p: float) -> Any:
        first, second = upper_triangle(self)
        d = self[first] - self[second]
        return CdistBackward0.forward(d[:, None], np.zeros_like(d[:, None]), p)[:, 0, 0]

    def gradient(g: Any, self: Any, result: Any, p: float) -> Any:
        return PdistBackwardBackward0.on(g, self, result, p)


class PdistBackwardBackward0(Operation):
    """The gradient of pdist, which has none itself in PyTorch."""

    inputs = ("grad", "self", "pdist")

    def forward(grad: Any, self: Any, pdist: Any, /, p: float) -> Any:
        first, second = upper_triangle(self)
        slope = slope_of(self[first] - self[second], pdist[:, None], p) * grad[:, None]
        result = np.zeros_like(self)
        np.add.at(result, first, slope)
        np.add.at(result, second, -slope)
        return result

    def backward(ctx, g: Any) -> NoReturn:
        reason = "the derivative for '_pdist_backward' is not implemented."
        raise NotImplementedError(reason)


def upper_triangle(x: Any) -> tuple[Any, Any]:
    """Return the numbers of the first and of the second row of each pair."""
    first, second = np.triu_indices(len(x), 1)
    return constant_like(x, first), constant_like(x, second)


@schema("pdist(Tensor input, float p=2.0)")
def pdist(input: Any, p: Any = 2.0) -> TensorBase:
    """Return the p-norm distance of each two rows of `input` [N, M]: a vector of N (N - 1) / 2.

    >>> import minigrad as mg
    >>> mg.pdist(mg.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]]))
    tensor([5.0000, 1.0000, 4.2426])
    """
    x, p = input._array, float(number(p))
    if x.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {x.ndim}D")
    if x.dtype.kind != "f":
        raise RuntimeError("pdist only supports floating-point dtypes")
    if not p >= 0:
        raise RuntimeError("pdist only supports non-negative p values")
    if x.dtype == np.float16:
        raise not_implemented("pdist", x.dtype)
    return apply(PdistBackward0, contiguous(input), p)
