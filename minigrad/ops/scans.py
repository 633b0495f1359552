"""Running totals along a dimension: cumsum and cumprod."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph import Tensor, TensorBase, raw
from ..inplace import inplace
from ..layout import row_major
from ..operation import Operation
from .copying import beside
from .dims import wrap_dim
from .joining import FlipBackward0
from .operands import Function, apply_in, of_tensor
from .reductions import without_each


class CumsumBackward0(Operation):
    """Each element plus all before it."""

    rule = r"\bar a_i = \sum_{j \geq i} g_j"

    def forward(self: Any, /, dim: int) -> Any:
        return scan(np.cumsum, self, dim)

    def gradient(g: Any, dim: int) -> Any:
        return sum_of_rest(g, dim)


def sum_of_rest(x: Any, dim: int) -> Any:
    """Each element plus all after it."""
    if math.prod(x.shape) <= 1:
        return x
    return FlipBackward0.on(CumsumBackward0.on(FlipBackward0.on(x, (dim,)), dim), (dim,))


class CumprodBackward0(Operation):
    """Each element times all before it."""

    rule = r"\bar a_i = \frac{1}{a_i} \sum_{j \geq i} g_j y_j"

    def forward(self: Any, /, dim: int) -> Any:
        return scan(np.cumprod, self, dim)

    def gradient(g: Any, self: Any, result: Any, dim: int) -> Any:
        if not self.ndim:
            return g
        if not (self == 0).any():
            return sum_of_rest(result * g, dim) / self
        # Nothing can be divided by 0: multiply the products without each element anew.
        rows, _ = without_each(self, dim)
        g = g.swapaxes(dim, -1)
        later = beside(g, np.tri(g.shape[-1], dtype=raw(g).dtype).T)
        g = g.reshape(*g.shape[:-1], 1, g.shape[-1]) * later * CumprodBackward0.on(rows, -1)
        return g.sum(axis=-1).swapaxes(dim, -1)


@row_major
def scan(function: Function, x: Any, dim: int) -> Any:
    """`function` along `dim`; floats are added up in float64 and rounded, as in PyTorch."""
    dim = wrap_dim(dim, x.ndim)
    dtype = np.dtype(np.int64) if x.dtype.kind != "f" else x.dtype
    wide = np.float64 if dtype.kind == "f" else np.int64
    return function(x, axis=dim if x.ndim else None, dtype=wide).astype(dtype).reshape(x.shape)


@of_tensor
def cumsum(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """Each element plus all before it along `dim`.

    >>> import minigrad as mg
    >>> mg.cumsum(mg.tensor([1.0, 2.0, 3.0]), 0)
    tensor([1., 3., 6.])
    """
    return apply_in(dtype, CumsumBackward0, input, dim)


@of_tensor
def cumprod(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """Each element times all before it along `dim`.

    >>> import minigrad as mg
    >>> mg.cumprod(mg.tensor([1.0, 2.0, 3.0]), 0)
    tensor([1., 2., 6.])
    """
    return apply_in(dtype, CumprodBackward0, input, dim)


class ScanMethods(TensorBase):
    """The methods of this file."""

    cumsum, cumprod = cumsum, cumprod

    def cumsum_(self, dim: int) -> Tensor:
        """`cumsum` in place."""
        return inplace(CumsumBackward0, self, dim)

    def cumprod_(self, dim: int) -> Tensor:
        """`cumprod` in place."""
        return inplace(CumprodBackward0, self, dim)
