"""Linear algebra: inverses, systems of equations, determinants and norms of matrices.

Everything works on batches: a matrix is the last two dimensions. NumPy (LAPACK) does the work; the
LU factorization, which PyTorch's nodes keep and show, is computed here when somebody looks at it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..arrays.words import check_same_type, check_tensors
from ..core.node import TensorBase, new_tensor, raw
from ..core.operation import Operation, apply, beside
from .dims import wrap_dim
from .elementwise import WhereBackward0
from .extremes import amax, amin
from .matrix import swapped
from .reductions import check_linalg, vector_norm


class _LinAlgError(RuntimeError):
    """A matrix does not allow what was asked of it."""


LinAlgError = _LinAlgError


def factorized(matrix: Any) -> tuple[Any, Any]:
    """The LU factorization with row exchanges of a batch of square matrices, as LAPACK gives it.

    Returns L (without its diagonal of ones) and U in one matrix, and for each step the row, counted
    from 1, that was exchanged with it.
    """
    lu = matrix.copy()
    size = lu.shape[-1]
    flat = lu.reshape(-1, size, size)
    pivots = np.zeros_like(flat, np.int32, shape=(len(flat), size))
    every = np.arange(len(flat), like=flat)
    for step in range(size):
        row = step + np.absolute(flat[:, step:, step]).argmax(axis=1)
        pivots[:, step] = row + 1
        exchanged = flat[every, row].copy()
        flat[every, row] = flat[:, step]
        flat[:, step] = exchanged
        pivot = flat[:, step, step]
        below = flat[:, step + 1 :, step]
        below /= np.where(pivot == 0, 1, pivot)[:, None]
        flat[:, step + 1 :, step + 1 :] -= below[:, :, None] * flat[:, None, step, step + 1 :]
    return flat.reshape(matrix.shape), pivots.reshape(matrix.shape[:-1])


def column_major(matrices: Any) -> Any:
    """The same matrices, each column by column in memory, as LAPACK returns them."""
    return swapped(swapped(matrices).copy(order="C"))


class Factorizing(Operation):
    """An operation whose node shows the LU factorization of its matrix."""

    _saved_A: Any

    @property
    def _saved_LU(self) -> Any:
        return new_tensor(factorized(self._saved_A._array)[0])

    @property
    def _saved_pivots(self) -> Any:
        return new_tensor(factorized(self._saved_A._array)[1])


class LinalgInvExBackward0(Operation):
    """The inverse matrix."""

    results = ("inverse",)
    rule = r"\bar A = -Y^T \, G \, Y^T"

    def forward(A: Any, /) -> Any:
        return column_major(np.linalg.inv(A))

    def gradient(g: Any, inverse: Any) -> Any:
        return -(swapped(inverse) @ (g @ swapped(inverse)))


class LinalgSolveExBackward0(Factorizing):
    """X with A X = B; `_vector`: B is a vector, or a batch of them."""

    rule = r"\bar B = A^{-T} G, \qquad \bar A = -\bar B \, X^T"

    def forward(A: Any, _B: Any, /, _vector: bool) -> Any:
        if _vector:
            return np.linalg.solve(A, _B[..., None])[..., 0]
        return column_major(np.linalg.solve(A, _B))

    def gradient(g: Any, A: Any, result: Any, _vector: bool) -> Any:
        wrt_B = LinalgSolveExBackward0.on(swapped(A), g, _vector)

        def wrt_A() -> Any:
            if not _vector:
                return -(wrt_B @ swapped(result))
            row = result.reshape(*result.shape[:-1], 1, result.shape[-1])
            return -(wrt_B.reshape(*wrt_B.shape, 1) * row)

        return wrt_A, wrt_B


class LinalgDetBackward0(Factorizing):
    """The determinant."""

    inputs = ("A",)
    rule = r"\bar A = g \cdot y \cdot A^{-T}"
    forward = np.linalg.det

    def gradient(g: Any, A: Any, result: Any) -> Any:
        shape = (*result.shape, 1, 1)
        return (g * result).reshape(shape) * inverse_or_one(swapped(A), result.reshape(shape))


def inverse_or_one(matrix: Any, determinant: Any) -> Any:
    """The inverse; where there is none, the identity: what PyTorch multiplies by the 0 there."""
    singular = determinant == 0
    if raw(singular).any():
        one = beside(matrix, np.eye(matrix.shape[-1], dtype=raw(matrix).dtype))
        matrix = WhereBackward0.on(matrix * 0 + one, matrix, singular)
    return LinalgInvExBackward0.on(matrix)


# --- Checks


def check_matrix(name: str, A: Any, square: bool = True) -> None:
    """Raise PyTorch's errors for what is no matrix of floating-point numbers."""
    check_tensors(f"linalg_{name}", ("A", A))
    x = A._array
    if x.ndim < 2:
        raise RuntimeError(f"linalg.{name}: The input tensor A must have at least 2 dimensions.")
    if square and x.shape[-1] != x.shape[-2]:
        found = f"they are {x.shape[-2]} by {x.shape[-1]} matrices"
        raise RuntimeError(f"linalg.{name}: A must be batches of square matrices, but {found}")
    check_linalg(name, x.dtype)
    if name != "matrix_norm" and x.dtype == np.float16:
        raise RuntimeError(f"linalg.{name}: Low precision dtypes not supported. Got Half")


# --- Public functions


def inv(A: TensorBase) -> TensorBase:
    """The inverse of a square matrix, or of each of a batch.

    Raises:
        LinAlgError: there is none.

    >>> import minigrad as mg
    >>> mg.linalg.inv(mg.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    check_matrix("inv", A)
    try:
        return apply(LinalgInvExBackward0, A)
    except np.linalg.LinAlgError:
        pass
    diagonal = np.diagonal(factorized(A._array)[0], 0, -2, -1)
    batch, row = np.argwhere(diagonal.reshape(-1, diagonal.shape[-1]) == 0)[0]
    which = f"(Batch element {batch}): " if A._array.ndim > 2 else ""
    raise LinAlgError(
        f"linalg.inv: {which}The diagonal element {row + 1} is zero, the inversion could not be "
        "completed because the input matrix is singular."
    )


def solve(A: TensorBase, B: TensorBase) -> TensorBase:
    """X with A X = B.

    Args:
        A: square matrices, [..., n, n].
        B: matrices [..., n, k], or vectors [n] or [..., n].

    Raises:
        LinAlgError: a matrix is singular.
    """
    check_matrix("solve", A)
    check_tensors("linalg_solve", ("A", A), ("B", B))
    a, b = A._array, B._array
    wanted = "linalg.solve: Expected A and B to have the same dtype"
    check_same_type(a, b, wanted + ", but found A of type {} and B of type {} instead")
    vector = b.ndim == 1 or (b.ndim == a.ndim - 1 and b.shape == a.shape[:-1])
    rows, columns = (b.shape[-1], 1) if vector else b.shape[-2:]
    if a.shape[-1] != rows:
        shapes = f"({a.shape[-2]}x{a.shape[-1]} and {rows}x{columns})"
        wrong = "Incompatible shapes of A and B for the equation AX = B"
        raise RuntimeError(f"linalg.solve: {wrong} {shapes}")
    try:
        return apply(LinalgSolveExBackward0, A, B, vector)
    except np.linalg.LinAlgError:
        text = "torch.linalg.solve: The solver failed because the input matrix is singular."
        raise LinAlgError(text) from None


def det(A: TensorBase) -> TensorBase:
    """The determinant of a square matrix, or of each of a batch."""
    check_matrix("det", A)
    return apply(LinalgDetBackward0, A)


def matrix_norm(
    A: TensorBase,
    ord: Any = "fro",
    dim: Any = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: Any = None,
) -> TensorBase:
    """A norm of matrices: "fro", or 1, inf and their negatives (the sums of columns or rows)."""
    check_matrix("matrix_norm", A, square=False)
    rank = A._array.ndim
    if len(dim) != 2:
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {list(dim)}")
    rows, columns = (wrap_dim(d, rank) for d in dim)
    if rows == columns:
        raise RuntimeError(f"linalg.matrix_norm: dims must be different. Got {tuple(dim)}")
    if dtype is not None:
        A = A.to(dtype)
    if ord == "fro":
        return vector_norm(A, 2, (rows, columns), keepdim)
    if ord in ("nuc", 2, -2):
        raise NotImplementedError(f"minigrad has no matrix norm that needs an SVD, such as {ord}.")
    if ord not in (1, -1, math.inf, -math.inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    if math.isinf(ord):
        rows, columns = columns, rows
    if columns > rows and not keepdim:
        columns -= 1
    extreme = amax if ord > 0 else amin
    return extreme(vector_norm(A, 1, rows, keepdim), columns, keepdim)


def norm(
    A: TensorBase, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> TensorBase:
    """`matrix_norm` if there are two dimensions to go over and `ord` is given, else `vector_norm`
    (with 2 unless `ord` says otherwise)."""
    check_tensors("linalg_norm", ("A", A))
    rank = A._array.ndim
    if ord is None:
        return vector_norm(A, 2, dim, keepdim, dtype=dtype)
    if dim is None and rank not in (1, 2) and not isinstance(ord, str):
        given = "If dim is not specified but ord is"
        raise RuntimeError(f"linalg.norm: {given}, the input must be 1D or 2D. Got {rank}D.")
    if isinstance(ord, str) or (rank == 2 if dim is None else np.size(dim) == 2):
        return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    return vector_norm(A, ord, dim, keepdim, dtype=dtype)


class LinalgMethods(TensorBase):
    """The methods of this file."""

    inverse, det = inv, det
