"""Covariances and correlations of rows, composed as PyTorch composes them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...arrays.messages import type_word
from ...core.node import TensorBase, new_tensor
from ...core.operation import constant_like
from ..public.dims import whole_number
from ..public.functions import schema


def checked(name: str, weights: Any, count: int, integral: bool) -> Any:
    """Return the weights of the observations, if they can be weights."""
    x, wanted = weights._array, f"cov(): expected {name} to have"
    if x.ndim > 1:
        found = f"but got {name} with {x.ndim} dimensions"
        raise RuntimeError(f"{wanted} one or fewer dimensions {found}")
    if (x.dtype.kind in "iu") != integral or x.dtype.kind == "b":
        kind = "integral" if integral else "floating point"
        found = f"but got {name} with {type_word(x.dtype)} dtype"
        raise RuntimeError(f"{wanted} {kind} dtype {found}")
    if x.size != count:
        found = f"as there are observations in the input but got {x.size} != {count}"
        raise RuntimeError(f"{wanted} the same numel {found}")
    if x.size and bool((x < 0).any()):
        raise RuntimeError(f"cov(): {name} cannot be negative")
    return weights


@schema("cov(Tensor input, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None)")
def cov(
    input: Any, *, correction: Any = 1, fweights: Any = None, aweights: Any = None
) -> TensorBase:
    """Return the covariances of variables: a row for each, a column for each observation.

    Args:
        correction: what is taken from the number of observations before it divides.
        fweights: how often each observation was made, in whole numbers.
        aweights: how much each observation counts.

    >>> import minigrad as mg
    >>> mg.cov(mg.tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    correction = whole_number(correction)
    check_rows("cov", input._array)
    if input._array.dtype.kind == "b":
        raise RuntimeError("cov(): bool dtype is not supported for input")
    rows = input if input._array.ndim == 2 else input.view(1, -1)
    count, weights = rows._array.shape[1], None
    if fweights is not None:
        weights = checked("fweights", fweights, count, True)
    if aweights is not None:
        given = checked("aweights", aweights, count, False)
        weights = given if weights is None else weights * given
    total: Any = new_tensor(constant_like(input._array, np.asarray(count)))
    if weights is not None:
        total = weights.sum()
        if not bool(total._array):
            raise RuntimeError("cov(): weights sum to zero, can't be normalized")
    average = (rows if weights is None else rows * weights).sum(1) / total
    if aweights is not None and correction:
        factor = total - (weights * aweights).sum() / total * correction
    else:
        factor = total - correction
    if bool((factor._array <= 0).any()):
        wanted = "Correction should be strictly less than the number of observations."
        warnings.warn(f"cov(): degrees of freedom is <= 0. {wanted}", stacklevel=2)
        factor = factor * 0
    rows = rows - average.unsqueeze(1)
    product = rows.mm((rows if weights is None else rows * weights).t())
    return (product / factor).squeeze()  # type: ignore[no-any-return]


def check_rows(name: str, x: Any) -> None:
    """Raise for more than a matrix."""
    if x.ndim > 2:
        found = f"but got an input with {x.ndim} dimensions"
        raise RuntimeError(f"{name}(): expected input to have two or fewer dimensions {found}")


@schema("corrcoef(Tensor input)")
def corrcoef(input: Any) -> TensorBase:
    """Return the correlations of variables: a row for each, a column for each observation.

    >>> import minigrad as mg
    >>> mg.corrcoef(mg.tensor([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]]))
    tensor([[1.0000, 0.5000],
            [0.5000, 1.0000]])
    """
    check_rows("corrcoef", input._array)
    found: Any = cov.body(input)
    if not found._array.ndim:
        return found / found  # type: ignore[no-any-return]
    scale = found.diagonal().sqrt()
    return (found / scale.view(-1, 1) / scale.view(1, -1)).clamp(-1, 1)  # type: ignore[no-any-return]


class CovarianceMethods(TensorBase):
    """The methods of this file."""

    cov, corrcoef = cov.method, corrcoef.method
