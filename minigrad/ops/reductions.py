"""Reductions: many elements become one, so one gradient goes back to many.

The formulas lean on broadcasting. A gradient of the reduced shape, with the reduced dimensions kept
as 1, spreads over the input's shape by itself.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtypes import dtype_of, to_numpy_dtype
from ..graph import TensorBase
from ..operation import ALWAYS, Operation, apply
from .dims import kept, wrap_dims
from .elementwise import SignBackward0, WhereBackward0
from .shapes import ExpandBackward0


def spread(g: Any, shape: tuple[int, ...], dims: tuple[int, ...], keepdim: bool) -> Any:
    """A reduced gradient over the whole of `shape`."""
    if not keepdim:
        g = g.reshape(kept(shape, dims))
    return ExpandBackward0.on(g, shape)


class SumBackward0(Operation):
    """The sum of all elements."""

    rule = r"\bar a_i = g"
    forward = np.sum

    def backward(ctx, g: Any) -> Any:
        return ExpandBackward0.on(g, ctx.shape())


class SumBackward1(Operation):
    """The sum along some dimensions."""

    params = ("dim", "keepdim")
    rule = r"\bar a_{ij} = g_i"

    @staticmethod
    def forward(self: Any, dim: tuple[int, ...], keepdim: bool) -> Any:
        return np.sum(self, axis=dim, keepdims=keepdim)

    def backward(ctx, g: Any) -> Any:
        dim, keepdim = ctx.args
        return spread(g, ctx.shape(), dim, keepdim)


class MeanBackward0(Operation):
    """The mean of all elements."""

    rule = r"\bar a_i = \frac{g}{n}"
    forward = np.mean

    def backward(ctx, g: Any) -> Any:
        shape = ctx.shape()
        return ExpandBackward0.on(g, shape) / math.prod(shape)


class MeanBackward1(Operation):
    """The mean along some dimensions."""

    params = ("dim", "keepdim")
    rule = r"\bar a_{ij} = \frac{g_i}{n}"

    @staticmethod
    def forward(self: Any, dim: tuple[int, ...], keepdim: bool) -> Any:
        return np.mean(self, axis=dim, keepdims=keepdim)

    def backward(ctx, g: Any) -> Any:
        dim, keepdim = ctx.args
        shape = ctx.shape()
        return spread(g, shape, dim, keepdim) / math.prod(shape[d] for d in dim)


class LinalgVectorNormBackward0(Operation):
    """(sum |self| ** ord) ** (1 / ord)."""

    params = ("ord", "dim", "keepdim")
    saves = {"self": ALWAYS, "result": ALWAYS}
    rule = r"\bar a = g \cdot \frac{a \cdot |a|^{p-2}}{y^{p-1}}"

    @staticmethod
    def forward(self: Any, ord: float, dim: tuple[int, ...] | None, keepdim: bool) -> Any:
        size = np.absolute(self)
        if ord == 2:
            return np.sqrt(np.sum(size * size, axis=dim, keepdims=keepdim))
        if ord == math.inf:
            return np.max(size, axis=dim, keepdims=keepdim)
        if ord == -math.inf:
            return np.min(size, axis=dim, keepdims=keepdim)
        if ord == 0:
            return np.sum(size != 0, axis=dim, keepdims=keepdim).astype(self.dtype)
        if ord == 1:
            return np.sum(size, axis=dim, keepdims=keepdim)
        return np.sum(size**ord, axis=dim, keepdims=keepdim) ** (1 / ord)

    def backward(ctx, g: Any) -> Any:
        self, result = ctx.saved
        ord, dim, keepdim = ctx.args
        shape = ctx.shape()
        dims = wrap_dims(dim, len(shape))
        if not keepdim:
            g = g.reshape(kept(shape, dims))
            result = result.reshape(kept(shape, dims))
        if ord == 0:
            return self * 0
        if ord == 1:
            return SignBackward0.on(self) * g
        if ord == 2:
            # At 0 the norm has no slope; 0 is the subgradient that PyTorch takes.
            return WhereBackward0.on(self * 0, self * (g / result), result == 0)
        size = abs(self)
        if abs(ord) == math.inf:
            extreme = size == result
            return SignBackward0.on(self) * (g / extreme.sum(axis=dims, keepdims=True)) * extreme
        slope = SignBackward0.on(self) * size ** (ord - 1) * (g / result ** (ord - 1))
        return WhereBackward0.on(self * 0, slope, (result == 0) | (size == 0))


# --- Public functions


def sum(
    input: Any,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
    axis: Any = None,
    keepdims: bool = False,
) -> Any:
    """The sum of all elements, or along `dim` (a number or several). Integers and bools add up to
    int64.

    >>> import minigrad as mg
    >>> mg.sum(mg.ones(2, 3), dim=0)
    tensor([2., 2., 2.])
    """
    input = summable(input, dtype)
    dim = axis if dim is None else dim
    if dim is None and not (keepdim or keepdims):
        return apply(SumBackward0, input)
    return apply(SumBackward1, input, wrap_dims(dim, input.ndim), keepdim or keepdims)


def mean(
    input: Any,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
    axis: Any = None,
    keepdims: bool = False,
) -> Any:
    """The mean of all elements, or along `dim` (a number or several)."""
    if dtype is not None:
        input = input.to(dtype)
    if input._array.dtype.kind != "f":
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or "
            f"complex dtype. Got: {type_name(input)}"
        )
    dim = axis if dim is None else dim
    if dim is None and not (keepdim or keepdims):
        return apply(MeanBackward0, input)
    return apply(MeanBackward1, input, wrap_dims(dim, input.ndim), keepdim or keepdims)


def norm(input: Any, p: Any = 2, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """The p-norm of all elements, or along `dim`; p = "fro" is 2.

    >>> import minigrad as mg
    >>> mg.norm(mg.tensor([3.0, 4.0]))
    tensor(5.)
    """
    if dtype is not None:
        input = input.to(dtype)
    if input._array.dtype.kind != "f":
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. "
            f"Got {type_name(input)}"
        )
    ord = 2 if p in ("fro", None) else p
    dims = None if dim is None else wrap_dims(dim, input.ndim)
    return apply(LinalgVectorNormBackward0, input, ord, dims, keepdim)


def summable(input: Any, dtype: Any) -> Any:
    """`input` in the type in which it is summed."""
    if dtype is not None:
        return input.to(dtype)
    return input if input._array.dtype.kind == "f" else input.to(to_numpy_dtype(int))


def type_name(tensor: Any) -> str:
    return dtype_of(tensor._array).tensor_class.removesuffix("Tensor")


class ReductionMethods(TensorBase):
    """The methods of this file."""

    sum = sum
    mean = mean
    norm = norm
