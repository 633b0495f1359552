"""Conditioning of matrices: rank, pseudoinverse and condition number.

All three come from the singular values. The rank counts those above the rounding error of 0. The
pseudoinverse inverts only those. The condition number divides the greatest by the least.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.messages import type_word
from ...core.node import TensorBase, new_tensor
from ...core.operation import Operation, apply
from ..pointwise.arithmetic import mul, reciprocal
from ..pointwise.elementwise import nan_to_num_
from ..pointwise.masking import masked_fill
from ..public.arguments import number
from ..public.functions import MISSING, schema
from ..reductions.reductions import sum
from ..shapes.shapes import squeeze
from ..shapes.slicing import narrow
from .factorizations import eigh, eigvalsh, linalg_svd, svdvals
from .linalg import LinalgInvExBackward0, check_shape, check_square
from .matrix import swap_last
from .matrix_norms import matrix_norm


class LinalgPinvBackward0(Operation):
    """The pseudoinverse P: singular values up to a tolerance have the inverse 0."""

    rule = (
        r"\bar A = -P^T G P^T + (I - A P) G^T P P^T + P^T P G^T (I - P A), "
        r"\quad P = A^+, \; G = \bar P"
    )

    def forward(self: Any, /, _atol: Any, _rtol: Any, _hermitian: bool) -> Any:
        matrix = new_tensor(self)
        if _hermitian:
            values, vectors = (part._array for part in eigh.body(matrix))
            U, S, V = vectors, values, vectors
        else:
            U, S, Vh = (part._array for part in linalg_svd.body(matrix, False))
            V = swap_last(Vh)
        kept = above(np.absolute(S), _atol, _rtol)
        inverse = np.where(kept, 1 / np.where(kept, S, 1), 0).astype(S.dtype)
        return (V * inverse[..., None, :]) @ swap_last(U)

    def gradient(g: Any, self: Any, result: Any, _atol: Any, _rtol: Any, _hermitian: bool) -> Any:
        P, turned = result, swap_last(result)
        left = swap_last(g) @ (P @ turned)
        right = turned @ (P @ swap_last(g))
        moved = turned @ (g @ turned)
        return left - self @ (P @ left) + (right - (right @ P) @ self) - moved


def above(S: Any, atol: Any, rtol: Any) -> Any:
    """Return which of the singular values are above the tolerances."""
    # CuPy's max() has no `initial`, which a matrix without elements needs.
    zero = np.zeros_like(S, shape=(*S.shape[:-1], 1))
    greatest = np.concatenate([S, zero], -1).max(-1)
    return np.maximum(atol, rtol * greatest)[..., None].astype(S.dtype) < S


def tolerances(x: Any, alone: Any, atol: Any, rtol: Any, absolute: bool) -> tuple[Any, Any]:
    """Return both tolerances, one of which may have been given `alone`.

    That is the `absolute` one, or else the relative one.
    """
    if alone is not MISSING:
        if alone is None or atol is not None or rtol is not None:
            raise TypeError
        atol, rtol = (alone, 0.0) if absolute else (0.0, alone)
    rounding = np.finfo(x.dtype).eps * max(x.shape[-2:]) if rtol is None else 0.0
    atol, rtol = (None if each is None else size(each) for each in (atol, rtol))
    if atol is None:
        atol = 0.0
    if rtol is None:
        rtol = np.where(np.greater(atol, 0), 0.0, rounding)
    return atol, rtol


def size(value: Any) -> Any:
    """Return a tolerance: a number, or a tensor with one for each matrix."""
    return value._array if isinstance(value, TensorBase) else number(value)


def mark_written(array: Any) -> TensorBase:
    """Return a tensor that was written once, as its version shows."""
    result = new_tensor(array)
    result.version_counter().value += 1
    return result


def check_flag(hermitian: Any) -> None:
    if type(hermitian) is not bool:
        raise TypeError


def schemas(name: str, alone: str) -> tuple[str, ...]:
    """Return the schemas of a function whose tolerances are tensors or numbers."""
    return (
        *(
            f"{name}(Tensor input, *, {kind} atol=None, {kind} rtol=None, bool hermitian=False, "
            "Tensor out=None)"
            for kind in ("Tensor?", "float?")
        ),
        *(
            f"{name}(Tensor input, {kind} {alone}, bool hermitian=False, *, Tensor out=None)"
            for kind in ("Tensor", "float")
        ),
    )


# --- Public functions


@schema(*schemas("linalg_pinv", "rcond"), place="linalg")
def pinv(
    input: Any, rcond: Any = MISSING, hermitian: Any = False, *, atol: Any = None, rtol: Any = None
) -> TensorBase:
    """Return the pseudoinverse of a matrix, or of each matrix of a batch.

    Args:
        hermitian: whether the matrix is symmetric; then only its lower half is read.
        atol, rtol: singular values up to `atol`, or up to `rtol` times the greatest one, count as
            0. `rtol` defaults to the rounding error.
        rcond: `rtol` by its old name.

    >>> import minigrad as mg
    >>> mg.linalg.pinv(mg.tensor([[2.0, 0.0], [0.0, 0.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.0000]])
    """
    x = input._array
    check_flag(hermitian)
    if x.ndim < 2 or x.dtype.kind != "f" or x.dtype.itemsize < 4:
        wanted = "a tensor with 2 or more dimensions of float, double, cfloat or cdouble types"
        found = f"{type_word(x.dtype)}{{{list(x.shape)}}}"
        raise RuntimeError(f"linalg.pinv({found}): expected {wanted}")
    atol, rtol = tolerances(x, rcond, atol, rtol, False)
    return apply(LinalgPinvBackward0, input, atol, rtol, hermitian)


@schema("pinverse(Tensor input, float rcond=1e-15)")
def pinverse(input: Any, rcond: Any = 1e-15) -> Any:
    """Return `linalg.pinv`, with another default tolerance."""
    return pinv.body(input, number(rcond))


@schema(*schemas("linalg_matrix_rank", "tol"), place="linalg")
def matrix_rank(
    input: Any, tol: Any = MISSING, hermitian: Any = False, *, atol: Any = None, rtol: Any = None
) -> TensorBase:
    """Return how many singular values of a matrix are not 0, up to rounding.

    Args:
        hermitian: whether the matrix is symmetric; then only its lower half is read.
        atol, rtol: singular values up to `atol`, or up to `rtol` times the greatest one, count as
            0. `rtol` defaults to the rounding error.
        tol: `atol` alone.

    >>> import minigrad as mg
    >>> mg.linalg.matrix_rank(mg.tensor([[1.0, 2.0], [2.0, 4.0]]))
    tensor(1)
    """
    x = input._array
    check_flag(hermitian)
    if x.ndim < 2:
        wanted = "The input tensor input must have at least 2 dimensions."
        raise RuntimeError(f"torch.linalg.matrix_rank: {wanted}")
    if tol is MISSING and rtol is None and (x.dtype.kind != "f" or x.dtype.itemsize < 4):
        raise RuntimeError("This function doesn't handle types other than float and double")
    atol, rtol = tolerances(x, tol, atol, rtol, True)
    matrix = new_tensor(x)
    values = np.absolute((eigvalsh if hermitian else svdvals).body(matrix)._array)
    return mark_written(above(values, atol, rtol).sum(-1))


@schema(
    "linalg_cond(Tensor input, Scalar? p=None, *, Tensor out=None)",
    "linalg_cond(Tensor input, str p, *, Tensor out=None)",
    place="linalg",
)
def cond(input: Any, p: Any = None) -> Any:
    """Return the condition number of a matrix: how much a solution may change with the right side.

    Args:
        p: the norm: 2 (the default: the greatest by the least singular value), -2, or another norm
            of `linalg.matrix_norm`. The result then is the norm times that of the inverse.

    >>> import minigrad as mg
    >>> mg.linalg.cond(mg.tensor([[4.0, 0.0], [0.0, 2.0]]))
    tensor(2.)
    """
    x, named = input._array, isinstance(p, str)
    order = p if named else 2 if p is None else number(p)
    shown = order if named else f"{order:g}"
    if named:
        check_shape(f"cond(ord={shown})", x)
    elif x.ndim < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    if order not in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {shown}")
    if not x.size:
        return mark_written(np.zeros_like(x, shape=x.shape[:-2]))
    if order in (2, -2):
        values = svdvals.body(input)
        least, greatest = narrow(values, -1, -1, 1), narrow(values, -1, 0, 1)
        return squeeze(greatest / least if order == 2 else least / greatest, -1)
    if order == "nuc":
        values = svdvals.body(input)
        return mul(sum(values, -1), sum(reciprocal(values), -1))
    if not named:
        check_shape(f"cond(ord={shown})", x)
    check_square("inv", x)
    inverse: Any = apply(LinalgInvExBackward0, input, True)
    masked_fill.in_place(inverse, new_tensor(np.isnan(inverse._array[..., :1, :1])), np.inf)
    both = mul(matrix_norm.body(input, order), matrix_norm.body(inverse, order))
    return nan_to_num_(both, np.inf, np.inf, -np.inf)


class ConditioningMethods(TensorBase):
    """The methods of this file."""

    pinverse = pinverse.method
