"""Slices that are scaled down to a greatest norm."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.dtypes import from_numpy_dtype
from ...arrays.float16 import widened
from ...core.node import TensorBase, unwrap
from ...core.operation import Operation, constant_like
from ..pointwise.arithmetic import ReciprocalBackward0
from ..pointwise.elementwise import WhereBackward0
from ..public.dims import whole_number, wrap_dim
from ..public.factories import Call, applied, as_number
from .reductions import LinalgVectorNormBackward0, check_linalg, vector_norm

LEAST = 1e-7
"""What is added to a norm before it divides."""


class RenormBackward0(Operation):
    """The slices along a dimension, of which those with too great a norm are scaled down to it."""

    rule = r"\bar a = \frac{m}{n} \left(g - \frac{\sum g \cdot a}{n} \cdot \bar n\right)"

    @widened
    def forward(self: Any, /, p: float, dim: int, maxnorm: float) -> Any:
        norm = LinalgVectorNormBackward0.forward(self, p, others(self.ndim, dim), True)
        factor = np.where(norm > maxnorm, maxnorm / (norm + LEAST), 1).astype(self.dtype)
        return (self * factor).copy(order="C")

    def gradient(g: Any, self: Any, p: float, dim: int, maxnorm: float) -> Any:
        dims, dtype = others(len(self.shape), dim), unwrap(self).dtype
        tensors = isinstance(self, TensorBase)
        wide: Any = WIDER.get(dtype, dtype)
        if tensors:
            norm: Any = vector_norm(self, p, dims, True, dtype=from_numpy_dtype[wide])
            total = (self * g).sum(dims, keepdim=True, dtype=from_numpy_dtype[wide])
        else:
            norm = LinalgVectorNormBackward0.forward(self.astype(wide), p, dims, True)
            total = (self * g).sum(axis=dims, keepdims=True, dtype=wide)
        slope = LinalgVectorNormBackward0.gradient(total, self, norm, p, dims, True)
        inverse = ReciprocalBackward0.on(norm + LEAST)
        scaled = inverse * maxnorm * (g - inverse * slope)
        longer = unwrap(norm) > maxnorm
        if not tensors:
            return np.where(longer, scaled, g).astype(dtype)
        return WhereBackward0.on(scaled.to(g.dtype), g, constant_like(g, longer))


WIDER = {
    np.dtype(np.float16): np.dtype(np.float32),
    np.dtype(np.float32): np.dtype(np.float64),
}
"""The dtype in which the gradient is computed."""


def others(rank: int, dim: int) -> tuple[int, ...]:
    """Return all dimensions but `dim`."""
    return tuple(axis for axis in range(rank) if axis != wrap_dim(dim, rank))


@applied("renorm(Tensor input, Scalar p, int dim, Scalar maxnorm, *, Tensor out=None)")
def renorm(input: Any, p: Any, dim: Any, maxnorm: Any) -> Call:
    """Scale the slices along `dim` down whose p-norm is greater than `maxnorm`.

    >>> import minigrad as mg
    >>> mg.renorm(mg.tensor([[3.0, 4.0], [0.3, 0.4]]), 2, 0, 1.0)
    tensor([[0.6000, 0.8000],
            [0.3000, 0.4000]])
    """
    x = input._array
    p, maxnorm = as_number(p, x.dtype), as_number(maxnorm, x.dtype)
    dim = whole_number(dim)
    for number in (p, maxnorm):
        if isinstance(number, complex):
            raise TypeError
    if not p > 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if not maxnorm >= 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}")
    if x.ndim < 2:
        found = f"got {x.ndim} dimensions"
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, {found}")
    wrap_dim(dim, x.ndim)
    check_linalg("vector_norm", x.dtype)
    return RenormBackward0, (p, dim, maxnorm)


renorm_ = renorm.in_place
renorm_.place = "Tensor"


class RenormMethods(TensorBase):
    """The methods of this file."""

    renorm, renorm_ = renorm.method, renorm_.method
