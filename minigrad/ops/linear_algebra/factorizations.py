"""Factorizations of matrices: SVD, QR, eigenvectors of symmetric matrices, Cholesky.

Everything works on batches: a matrix is the last two dimensions. LAPACK computes the factors. It
chooses the signs of singular vectors and eigenvectors, so only functions that do not depend on the
signs have meaningful gradients.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...arrays.messages import not_implemented
from ...core.node import TensorBase, new_tensor, unwrap
from ...core.operation import Operation, apply, constant_like
from ..public import return_types
from ..public.dims import truth_value
from ..public.functions import schema
from ..shapes.shapes import transpose
from .linalg import (
    LinAlgError,
    LinalgSolveExBackward0,
    check_matrix,
    check_shape,
    check_square,
    column_major,
)
from .matrix import swap_last


def row(x: Any) -> Any:
    """Return a vector as a matrix of one row."""
    return x.reshape(*x.shape[:-1], 1, x.shape[-1])


def column(x: Any) -> Any:
    """Return a vector as a matrix of one column."""
    return x.reshape(*x.shape, 1)


def identity(like: Any, size: int) -> Any:
    """Return the identity matrix, an array or a Tensor like `like`."""
    return constant_like(like, np.eye(size, dtype=unwrap(like).dtype))


def skew(x: Any) -> Any:
    """Return a matrix minus its transpose."""
    return x - swap_last(x)


class LinalgSvdBackward0(Operation):
    """Singular values S and orthogonal factors: A = U diag(S) Vh."""

    inputs = ("A",)
    params = ("full_matrices",)
    results = ("U", "S", "Vh")
    rule = (
        r"\bar A = U \left( \frac{s(U^T G_U) S + S \, s(V^T G_V)}{E} + \bar S \right) V^T + "
        r"(I - U U^T) G_U S^{-1} V^T + U S^{-1} G_V^T (I - V V^T), "
        r"\quad E_{ij} = S_j^2 - S_i^2, \; s(X) = X - X^T"
    )

    def forward(A: Any, /, full_matrices: bool) -> Any:
        U, S, Vh = np.linalg.svd(A, full_matrices)
        return column_major(U), S, column_major(Vh)

    def gradient(gU: Any, gS: Any, gVh: Any, U: Any, S: Any, Vh: Any, full_matrices: bool) -> Any:
        size = S.shape[-1]
        U, Vh = U[..., :size], Vh[..., :size, :]
        inner = None if gS is None else row(gS) * identity(S, size)
        if gU is None and gVh is None:
            return None if inner is None else U @ inner @ Vh
        gU = U * 0 if gU is None else gU[..., :size]
        gVh = Vh * 0 if gVh is None else gVh[..., :size, :]
        gaps = row(S * S) - column(S * S) + identity(S, size)
        turned = skew(swap_last(U) @ gU) * row(S) + column(S) * skew(Vh @ swap_last(gVh))
        inner = turned / gaps if inner is None else turned / gaps + inner
        result = U @ inner @ Vh
        if U.shape[-2] > size:
            beyond = gU / row(S)
            result = result + (beyond - U @ (swap_last(U) @ beyond)) @ Vh
        if Vh.shape[-1] > size:
            beyond = gVh / column(S)
            result = result + U @ (beyond - (beyond @ swap_last(Vh)) @ Vh)
        return result


class LinalgEighBackward0(Operation):
    """Eigenvalues and orthonormal eigenvectors of a symmetric matrix, of which one half is read."""

    inputs = ("A",)
    params = ("_UPLO",)
    results = ("eigenvalues", "eigenvectors")
    rule = (
        r"\bar A = V \left( \frac{s(V^T G_V)}{2 E} + \bar L \right) V^T, "
        r"\quad E_{ij} = L_j - L_i, \; s(X) = X - X^T"
    )

    def forward(A: Any, /, _UPLO: Any) -> Any:
        L, V = np.linalg.eigh(A, _UPLO)
        return L, column_major(V)

    def gradient(gL: Any, gV: Any, eigenvalues: Any, eigenvectors: Any, _UPLO: str) -> Any:
        L, V = eigenvalues, eigenvectors
        one = identity(L, L.shape[-1])
        inner = None if gL is None else row(gL) * one
        if gV is not None:
            turned = skew(swap_last(V) @ gV) * 0.5 / (row(L) - column(L) + one)
            inner = turned if inner is None else turned + inner
        return None if inner is None else V @ inner @ swap_last(V)


class LinalgQrBackward0(Operation):
    """A = Q R, with orthonormal columns in Q and a triangular R."""

    inputs = ("A",)
    params = ("mode",)
    results = ("Q", "R")
    rule = (
        r"\bar A = (G_Q + Q \, c(R G_R^T - G_Q^T Q)) R^{-T}, "
        r"\quad c(M) = \operatorname{tril} M + (\operatorname{tril}_{-1} M)^T"
    )

    def forward(A: Any, /, mode: Any) -> Any:
        if mode == "r":
            return np.zeros_like(A, shape=(0,)), column_major(np.linalg.qr(A, "r"))
        return tuple(column_major(part) for part in np.linalg.qr(A, mode))

    def gradient(gQ: Any, gR: Any, Q: Any, R: Any, mode: str) -> Any:
        if gQ is None and gR is None:
            return None
        rows, columns = R.shape[-2], R.shape[-1]
        if mode == "r":
            raise RuntimeError(
                "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. "
                "Please use linalg.qr(A, mode='reduced') if you are going to differentiate through "
                "linalg.qr."
            )
        if mode == "complete" and rows > columns:
            raise RuntimeError(
                "The QR decomposition is not differentiable when mode='complete' and nrows > ncols."
            )
        gQ = Q * 0 if gQ is None else gQ
        gR = R * 0 if gR is None else gR
        if rows >= columns:
            return of_tall(gQ, gR, Q, R)
        # Columns beyond the square part are Q times those of R.
        apart = identity(R, columns)
        rest, g_rest = R[..., rows:], gR[..., rows:]
        square = of_tall(gQ + Q @ rest @ swap_last(g_rest), gR[..., :rows], Q, R[..., :rows])
        return square @ apart[:rows] + Q @ g_rest @ apart[rows:]


def of_tall(gQ: Any, gR: Any, Q: Any, R: Any) -> Any:
    """Return the gradient of a QR factorization whose R is square."""
    lower = np.tril(np.ones(R.shape[-2:], unwrap(R).dtype))
    difference = R @ swap_last(gR) - swap_last(gQ) @ Q
    below = difference * constant_like(R, lower - np.eye(len(lower), dtype=lower.dtype))
    both = difference * constant_like(R, lower) + swap_last(below)
    return swap_last(LinalgSolveExBackward0.on(R, swap_last(gQ + Q @ both), False))


class LinalgCholeskyExBackward0(Operation):
    """The lower triangle L with A = L L^T."""

    inputs = ("A",)
    results = ("L",)
    rule = (
        r"\bar A = \frac{1}{2} (S + S^T), \quad S = L^{-T} \, \Phi(L^T G) \, L^{-1}, \; "
        r"\Phi(M) = \operatorname{tril} M - \frac{1}{2} \operatorname{diag} M"
    )

    def forward(A: Any) -> Any:
        return column_major(np.linalg.cholesky(A))

    def gradient(g: Any, L: Any) -> Any:
        size = L.shape[-1]
        half = (
            np.tril(np.ones((size, size), unwrap(L).dtype))
            - np.eye(size, dtype=unwrap(L).dtype) / 2
        )
        inner = (swap_last(L) @ g) * constant_like(L, half)
        solve, above = LinalgSolveExBackward0.on, swap_last(L)
        result = swap_last(solve(above, swap_last(solve(above, inner, False)), False))
        return (result + swap_last(result)) * 0.5


# --- Public functions


def check_half(name: str, x: Any) -> None:
    """Raise for float16, for which LAPACK has no routine."""
    if x.dtype == np.float16:
        raise not_implemented(name, x.dtype)


@schema(
    "linalg_svd(Tensor A, bool full_matrices=True, *, str?! driver=None, Tensor[3] out=None)",
    place="linalg",
)
def linalg_svd(A: Any, full_matrices: Any = True) -> return_types.linalg_svd[TensorBase]:
    """Compute the singular value decomposition A = U diag(S) Vh.

    Args:
        full_matrices: whether U and Vh are square; else their inner size is the number of singular
            values.

    >>> import minigrad as mg
    >>> mg.linalg.svd(mg.tensor([[3.0, 0.0], [0.0, -2.0]])).S
    tensor([3., 2.])
    """
    x = A._array
    check_matrix("svd", x)
    check_half("linalg_svd_cpu", x)
    full_matrices = truth_value(full_matrices)
    if not np.isfinite(x).all():
        raise LinAlgError(
            "linalg.svd: The algorithm failed to converge because the input matrix contained "
            "non-finite values."
        )
    found: Any = apply(LinalgSvdBackward0, A, full_matrices)
    return return_types.linalg_svd(found)


@schema("linalg_svdvals(Tensor A, *, str?! driver=None, Tensor out=None)", place="linalg")
def svdvals(A: Any) -> TensorBase:
    """Return the singular values of a matrix in descending order."""
    return linalg_svd.body(A, False)[1]  # type: ignore[no-any-return]


@schema('linalg_qr(Tensor A, str mode="reduced", *, Tensor[2] out=None)', place="linalg")
def qr(A: Any, mode: Any = "reduced") -> return_types.linalg_qr[TensorBase]:
    """Factorize A = Q R.

    Args:
        mode: "reduced", "complete" (Q is square), or "r" (no Q).

    >>> import minigrad as mg
    >>> Q, R = mg.linalg.qr(mg.tensor([[3.0, 1.0], [4.0, 2.0]]))
    >>> (Q @ R).allclose(mg.tensor([[3.0, 1.0], [4.0, 2.0]]))
    True
    """
    check_matrix("qr", A._array)
    if not isinstance(mode, str):
        raise TypeError
    if mode not in ("reduced", "complete", "r"):
        wanted = "but expected one of 'reduced' (default), 'r', or 'complete'"
        raise RuntimeError(f"qr received unrecognized mode '{mode}' {wanted}")
    check_half("geqrf_cpu", A._array)
    found: Any = apply(LinalgQrBackward0, A, mode)
    return return_types.linalg_qr(found)


@schema('linalg_eigh(Tensor input, str UPLO="L", *, Tensor[2] out=None)', place="linalg")
def eigh(input: Any, UPLO: Any = "L") -> return_types.linalg_eigh[TensorBase]:
    """Return eigenvalues in ascending order, and eigenvectors in columns, of a symmetric matrix.

    Args:
        UPLO: the half that is read: "L", the lower, or "U", the upper.

    >>> import minigrad as mg
    >>> mg.linalg.eigh(mg.tensor([[2.0, 1.0], [1.0, 2.0]])).eigenvalues
    tensor([1., 3.])
    """
    if not isinstance(UPLO, str):
        raise TypeError
    check_symmetric("eigh", input._array, UPLO)
    found: Any = apply(LinalgEighBackward0, input, UPLO.upper())
    return return_types.linalg_eigh(found)


@schema('linalg_eigvalsh(Tensor input, str UPLO="L", *, Tensor out=None)', place="linalg")
def eigvalsh(input: Any, UPLO: Any = "L") -> TensorBase:
    """Return the eigenvalues of a symmetric matrix in ascending order."""
    return eigh.body(input, UPLO)[0]  # type: ignore[no-any-return]


def check_symmetric(name: str, x: Any, UPLO: str) -> None:
    """Raise PyTorch's errors for a matrix that is not square, and for an unknown half."""
    check_shape(name, x)
    if UPLO.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    if x.dtype.kind != "f" or x.dtype == np.float16:
        raise not_implemented("linalg_eigh_cpu", x.dtype)


@schema("linalg_cholesky(Tensor input, *, bool! upper=False, Tensor out=None)", place="linalg")
def linalg_cholesky(input: Any) -> TensorBase:
    """Return the lower triangle L with input = L L^T, for a positive definite matrix.

    Raises:
        LinAlgError: the matrix is not positive definite.

    >>> import minigrad as mg
    >>> mg.linalg.cholesky(mg.tensor([[4.0, 2.0], [2.0, 5.0]]))
    tensor([[2., 0.],
            [1., 2.]])
    """
    x = input._array
    check_square("cholesky", x, half="cholesky_cpu")
    try:
        return apply(LinalgCholeskyExBackward0, input)
    except np.linalg.LinAlgError:
        raise not_positive("linalg.cholesky", x) from None


def not_positive(name: str, x: Any) -> RuntimeError:
    """Return the error for matrices of which one is not positive definite."""
    batch, order = next(
        (place, size)
        for place, matrix in enumerate(x.reshape(-1, *x.shape[-2:]))
        for size in range(1, len(matrix) + 1)
        if not positive(matrix[:size, :size])
    )
    which = f"(Batch element {batch}): " if x.ndim > 2 else ""
    return LinAlgError(
        f"{name}: {which}The factorization could not be completed because the input is "
        f"not positive-definite (the leading minor of order {order} is not positive-definite)."
    )


def positive(matrix: Any) -> bool:
    """Return whether a matrix is positive definite."""
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


# --- Old names, in PyTorch itself


@schema("svd(Tensor input, bool some=True, bool compute_uv=True, *, Tensor[3] out=None)")
def svd(input: Any, some: Any = True, compute_uv: Any = True) -> return_types.svd[TensorBase]:
    """Compute A = U diag(S) V^T; see `linalg.svd`, which returns V^T.

    Args:
        some: whether U and V have only as many columns as there are singular values.
        compute_uv: whether U and V are computed; else they are zeros.

    >>> import minigrad as mg
    >>> mg.svd(mg.tensor([[3.0, 0.0], [0.0, -2.0]])).S
    tensor([3., 2.])
    """
    x = input._array
    some, compute_uv = truth_value(some), truth_value(compute_uv)
    if x.ndim < 2:
        found = f"but has {x.ndim} dimensions instead"
        raise RuntimeError(f"linalg.svd: input should have at least 2 dimensions, {found}")
    if compute_uv:
        U, S, Vh = linalg_svd.body(input, not some)
        return return_types.svd((U, S, transpose(Vh, -2, -1)))
    left, right = (np.zeros_like(x, shape=(*x.shape[:-2], n, n)) for n in x.shape[-2:])
    U, V = new_tensor(left), new_tensor(swap_last(right))
    for each in (U, V):
        each.version_counter().value += 1  # PyTorch writes the zeros
    return return_types.svd((U, svdvals.body(input), V))


class CholeskyBackward0(Operation):
    """The lower triangle of a positive definite matrix, or the upper one: `cholesky`."""

    rule = LinalgCholeskyExBackward0.rule

    def forward(self: Any, /, upper: bool) -> Any:
        if not self.size:
            return self.copy()
        lower = LinalgCholeskyExBackward0.forward(swap_last(self) if upper else self)
        return column_major(swap_last(lower)) if upper else lower

    def gradient(g: Any, result: Any, upper: bool) -> Any:
        if 0 in result.shape:
            return g * 0
        of_lower = LinalgCholeskyExBackward0.gradient
        return of_lower(swap_last(g), swap_last(result)) if upper else of_lower(g, result)


@schema("cholesky(Tensor input, bool upper=False, *, Tensor out=None)")
def cholesky(input: Any, upper: Any = False) -> TensorBase:
    """Return the lower triangle of the Cholesky factorization, or the upper one.

    >>> import minigrad as mg
    >>> mg.cholesky(mg.tensor([[4.0, 2.0], [2.0, 5.0]]), upper=True)
    tensor([[2., 1.],
            [0., 2.]])
    """
    upper, x = truth_value(upper), input._array
    warnings.warn(
        "torch.cholesky is deprecated in favor of torch.linalg.cholesky and will be removed in a "
        "future PyTorch release.\nL = torch.cholesky(A)\nshould be replaced with\n"
        "L = torch.linalg.cholesky(A)\nand\nU = torch.cholesky(A, upper=True)\n"
        "should be replaced with\nU = torch.linalg.cholesky(A).mH\n"
        "This transform will produce equivalent results for all valid (symmetric positive "
        "definite) inputs.",
        stacklevel=1,  # at one place, so that Python shows it once
    )
    if x.ndim < 2 and x.size:
        raise RuntimeError("cholesky: The input tensor A must have at least 2 dimensions.")
    if x.size and x.shape[-1] != x.shape[-2]:
        found = f"they are {x.shape[-2]} by {x.shape[-1]} matrices"
        raise RuntimeError(f"cholesky: A must be batches of square matrices, but {found}")
    if x.dtype.kind != "f" or x.dtype == np.float16:
        raise not_implemented("cholesky_cpu", x.dtype)
    try:
        return apply(CholeskyBackward0, input, upper)
    except np.linalg.LinAlgError:
        raise not_positive("cholesky", x) from None


class FactorizationMethods(TensorBase):
    """The methods of this file."""

    svd, cholesky = svd.method, cholesky.method
