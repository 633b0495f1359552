"""Logarithms of determinants, which do not overflow where the determinant does."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.node import TensorBase, new_tensor, unwrap
from ...core.operation import apply, constant_like
from ..pointwise.elementwise import where
from ..public import return_types
from ..public.functions import schema
from .linalg import Factorizing, LinalgSolveExBackward0, check_square
from .matrix import swap_last


class LinalgSlogdetBackward0(Factorizing):
    """The sign of a determinant, and the logarithm of its absolute value."""

    inputs = ("A",)
    results = ("sign", "logabsdet")
    rule = r"\bar A = g \cdot A^{-T}"

    def forward(A: Any) -> Any:
        sign, logarithm = np.linalg.slogdet(A)
        return np.where(np.isnan(logarithm), 0, sign).astype(A.dtype), logarithm

    def gradient(g_sign: Any, g: Any, A: Any, sign: Any) -> Any:
        if g is None:
            return None
        above, singular = swap_last(A), unwrap(sign) == 0
        if singular.any():
            above = above * constant_like(A, np.where(singular, np.nan, 1).astype(g.dtype))
        one = constant_like(A, np.eye(A.shape[-1], dtype=unwrap(A).dtype))
        return LinalgSolveExBackward0.on(above, g.reshape(*g.shape, 1, 1) * one, False)


@schema("slogdet(Tensor input, *, Tensor[2] out=None)")
def slogdet(input: Any) -> return_types.slogdet[TensorBase]:
    """Return the sign of a determinant, and the logarithm of its absolute value.

    >>> import minigrad as mg
    >>> mg.slogdet(mg.tensor([[0.0, 1.0], [1.0, 0.0]]))
    torch.return_types.slogdet(
    sign=tensor(-1.),
    logabsdet=tensor(0.))
    """
    check_square("slogdet", input._array)
    found: Any = apply(LinalgSlogdetBackward0, input)
    return return_types.slogdet(found)


@schema("linalg_slogdet(Tensor A, *, Tensor[2] out=None)", place="linalg")
def linalg_slogdet(A: Any) -> return_types.linalg_slogdet[TensorBase]:
    """Return the sign of a determinant, and the logarithm of its absolute value."""
    return return_types.linalg_slogdet(slogdet.body(A))


@schema("logdet(Tensor input)")
def logdet(input: Any) -> Any:
    """Return the logarithm of a determinant; NaN for a negative one.

    >>> import minigrad as mg
    >>> mg.logdet(mg.eye(3))
    tensor(0.)
    """
    try:
        sign, logarithm = slogdet.body(input)
    except RuntimeError as error:
        raise type(error)(str(error).replace("linalg.slogdet", "logdet")) from None
    return where(new_tensor(sign._array == -1), float("nan"), logarithm)


class DeterminantMethods(TensorBase):
    """The methods of this file."""

    slogdet, logdet = slogdet.method, logdet.method
