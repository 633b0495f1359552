"""Running totals along a dimension."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph import TensorBase
from ..inplace import inplace
from ..layout import row_major
from ..operation import Operation
from .dims import wrap_dim
from .joining import FlipBackward0
from .operands import Function, apply_in, of_tensor


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


@row_major
def scan(function: Function, x: Any, dim: int) -> Any:
    """`function` along `dim`; floats are added up in float64 and rounded, as in PyTorch."""
    dim = wrap_dim(dim, x.ndim)
    dtype = np.dtype(np.int64) if x.dtype.kind != "f" else x.dtype
    wide = np.float64 if dtype.kind == "f" else np.int64
    return function(x, axis=dim if x.ndim else None, dtype=wide).astype(dtype).reshape(x.shape)


@of_tensor
def cumsum(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """Each element plus all before it along `dim`.

    >>> import minigrad as mg
    >>> mg.cumsum(mg.tensor([1.0, 2.0, 3.0]), 0)
    tensor([1., 3., 6.])
    """
    return apply_in(dtype, CumsumBackward0, input, dim)


class ScanMethods(TensorBase):
    """The methods of this file."""

    cumsum = cumsum

    def cumsum_(self, dim: int) -> Any:
        """`cumsum` in place."""
        return inplace(CumsumBackward0, self, dim)
