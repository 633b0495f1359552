"""Linear algebra: inverses, systems of equations, determinants and norms of matrices.

Everything works on batches: a matrix is the last two dimensions. NumPy (LAPACK) does the work; the
LU factorization, which PyTorch's nodes keep and show, is computed here when somebody looks at it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..arrays.dtypes import to_numpy_dtype
from ..arrays.words import check_same_type, not_implemented, type_word
from ..core.node import TensorBase, new_tensor, raw
from ..core.operation import Operation, apply, beside
from .dims import common_shape, whole_number, wrap_dim
from .elementwise import WhereBackward0
from .extremes import amax, amin
from .fronts import as_number
from .matrix import matmul, swapped
from .public import signed
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


def check_matrix(name: str, x: Any) -> None:
    """Raise PyTorch's errors for what is no matrix of floating-point numbers."""
    if x.ndim < 2:
        raise RuntimeError(f"linalg.{name}: The input tensor A must have at least 2 dimensions.")
    check_linalg(name, x.dtype)


def check_square(name: str, x: Any, half: str = "") -> None:
    """Raise PyTorch's errors for what are no square matrices of floating-point numbers, of more
    than 16 bits; `half` is what it calls that computes them, if it says that."""
    if x.ndim > 1 and x.shape[-1] != x.shape[-2]:
        found = f"they are {x.shape[-2]} by {x.shape[-1]} matrices"
        raise RuntimeError(f"linalg.{name}: A must be batches of square matrices, but {found}")
    check_matrix(name, x)
    if x.dtype == np.float16:
        if half:
            raise not_implemented(half, x.dtype)
        raise RuntimeError(f"linalg.{name}: Low precision dtypes not supported. Got Half")


def first_singular(x: Any) -> tuple[str, int]:
    """Which of the matrices has no inverse, in words, and the number of the row that shows it."""
    diagonal = np.diagonal(factorized(x)[0], 0, -2, -1)
    batch, row = np.argwhere(diagonal.reshape(-1, diagonal.shape[-1]) == 0)[0]
    return f"(Batch element {batch}): " if x.ndim > 2 else "", int(row) + 1


# --- Public functions


@signed("linalg_inv(Tensor A, *, Tensor out=None)", place="linalg")
def inv(A: Any) -> TensorBase:
    """The inverse of a square matrix, or of each of a batch.

    Raises:
        LinAlgError: there is none.

    >>> import minigrad as mg
    >>> mg.linalg.inv(mg.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    check_square("inv", A._array)
    try:
        return apply(LinalgInvExBackward0, A)
    except np.linalg.LinAlgError:
        which, row = first_singular(A._array)
    raise LinAlgError(
        f"linalg.inv: {which}The diagonal element {row} is zero, the inversion could not be "
        "completed because the input matrix is singular."
    )


@signed("inverse(Tensor input, *, Tensor out=None)")
def inverse(input: Any) -> Any:
    """The inverse of a square matrix, or of each of a batch: `linalg.inv`."""
    return inv.body(input)


@signed("linalg_solve(Tensor A, Tensor B, *, bool! left=True, Tensor out=None)", place="linalg")
def solve(A: Any, B: Any) -> TensorBase:
    """X with A X = B.

    Args:
        A: square matrices, [..., n, n].
        B: matrices [..., n, k], or vectors [n] or [..., n].

    Raises:
        LinAlgError: a matrix is singular.

    >>> import minigrad as mg
    >>> mg.linalg.solve(mg.tensor([[2.0, 0.0], [0.0, 4.0]]), mg.tensor([2.0, 2.0]))
    tensor([1.0000, 0.5000])
    """
    a, b = A._array, B._array
    check_linalg("solve", a.dtype)
    wanted = "linalg.solve: Expected A and B to have the same dtype"
    check_same_type(a, b, wanted + ", but found A of type {} and B of type {} instead")
    check_square("solve", a, half="lu_cpu")
    vector = b.ndim == 1 or (b.ndim == a.ndim - 1 and b.shape == a.shape[:-1])
    if not b.ndim:
        raise RuntimeError("linalg.solve: The input tensor B must have at least 2 dimensions.")
    rows, columns = (b.shape[-1], 1) if vector else b.shape[-2:]
    if a.shape[-1] != rows:
        shapes = f"({a.shape[-2]}x{a.shape[-1]} and {rows}x{columns})"
        wrong = "Incompatible shapes of A and B for the equation AX = B"
        raise RuntimeError(f"linalg.solve: {wrong} {shapes}")
    if not vector:
        common_shape(b.shape[:-2], a.shape[:-2])
    try:
        return apply(LinalgSolveExBackward0, A, B, vector)
    except np.linalg.LinAlgError:
        which, _ = first_singular(a)
    raise LinAlgError(
        f"torch.linalg.solve: {which}The solver failed because the input matrix is singular."
    )


@signed("linalg_det(Tensor A, *, Tensor out=None)", place="linalg")
def linalg_det(A: Any) -> TensorBase:
    """The determinant of a square matrix, or of each of a batch."""
    check_square("det", A._array, half="lu_cpu")
    return apply(LinalgDetBackward0, A)


@signed("det(Tensor input)")
def det(input: Any) -> Any:
    """The determinant of a square matrix, or of each of a batch.

    >>> import minigrad as mg
    >>> mg.det(mg.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor(8.)
    """
    return linalg_det.body(input)


linalg_matmul = signed(
    "linalg_matmul(Tensor input, Tensor other, *, Tensor out=None)", place="linalg"
)(matmul.body)


@signed(
    "linalg_matrix_norm(Tensor input, Scalar ord, int[] dim=(-2, -1), bool keepdim=False, *, "
    "dtype? dtype=None, Tensor out=None)",
    'linalg_matrix_norm(Tensor input, str ord="fro", int[] dim=(-2, -1), bool keepdim=False, *, '
    "dtype? dtype=None, Tensor out=None)",
    place="linalg",
)
def matrix_norm(
    input: Any, ord: Any = "fro", dim: Any = (-2, -1), keepdim: Any = False, *, dtype: Any = None
) -> Any:
    """A norm of matrices: "fro", or 1, inf and their negatives (the sums of columns or rows).

    >>> import minigrad as mg
    >>> mg.linalg.matrix_norm(mg.tensor([[3.0, 4.0], [0.0, 0.0]]), 1)
    tensor(4.)
    """
    x = input._array
    if not isinstance(dim, (list, tuple)) or not isinstance(keepdim, bool):
        raise TypeError
    dims = [d if type(d) is int else whole_number(d) for d in dim]
    if isinstance(ord, complex):
        wanted = "Expected a non-complex scalar as the order of norm."
        raise RuntimeError(f"linalg.matrix_norm: {wanted}")
    if not isinstance(ord, str):
        ord = as_number(ord, x.dtype)
    if ord not in ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf):
        name = ord if isinstance(ord, str) else f"{ord:g}"
        raise RuntimeError(f"linalg.matrix_norm: Order {name} not supported.")
    check_matrix("matrix_norm", x)
    if len(dims) != 2:
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {spaced(dims)}")
    rows, columns = (wrap_dim(d, x.ndim) for d in dims)
    if rows == columns:
        raise RuntimeError(f"linalg.matrix_norm: dims must be different. Got {tuple(dims)}")
    if dtype is not None:
        check_widens(x.dtype, to_numpy_dtype(dtype))
        input = input.to(dtype)
    if ord == "fro":
        return vector_norm(input, 2, (rows, columns), keepdim)
    if ord in ("nuc", 2, -2):
        raise NotImplementedError(f"minigrad has no matrix norm that needs an SVD, such as {ord}.")
    if math.isinf(ord):
        rows, columns = columns, rows
    if columns > rows and not keepdim:
        columns -= 1
    sums = vector_norm(input, 1, rows, keepdim)
    shape = sums._array.shape
    if ord > 0 and not shape[columns]:  # the greatest of none is 0
        shape = (*shape[:columns], *[1] * keepdim, *shape[columns + 1 :])
        return new_tensor(np.zeros_like(sums._array, shape=shape))
    extreme = amax if ord > 0 else amin
    return extreme(sums, columns, keepdim)


def spaced(numbers: list[int]) -> str:
    """Numbers as PyTorch writes some lists of them.

    >>> spaced([0, 1])
    '0 1'
    """
    return " ".join(map(str, numbers))


def check_widens(dtype: np.dtype[Any], wanted: np.dtype[Any]) -> None:
    """Refuse to compute a norm in a type that does not hold the elements."""
    if wanted.kind != "f":
        found = f"but got {type_word(wanted)}"
        raise RuntimeError(
            f"linalg.matrix_norm: dtype should be floating point or complex, {found}"
        )
    if wanted.itemsize < dtype.itemsize:
        narrowing = "should be convertible without narrowing to the specified dtype"
        found = f"the dtype of the input ({type_word(dtype)})"
        raise RuntimeError(f"linalg.matrix_norm: {found} {narrowing} ({type_word(wanted)})")


@signed(
    "linalg_norm(Tensor input, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, "
    "dtype? dtype=None, Tensor out=None)",
    "linalg_norm(Tensor input, str ord, int[1]? dim=None, bool keepdim=False, *, "
    "dtype? dtype=None, Tensor out=None)",
    place="linalg",
)
def norm(
    input: Any, ord: Any = None, dim: Any = None, keepdim: Any = False, *, dtype: Any = None
) -> Any:
    """`matrix_norm` if there are two dimensions to go over and `ord` is given, else `vector_norm`
    (with 2 unless `ord` says otherwise).

    >>> import minigrad as mg
    >>> mg.linalg.norm(mg.tensor([3.0, 4.0]))
    tensor(5.)
    """
    rank = input._array.ndim
    if dim is not None:
        several = isinstance(dim, (list, tuple))
        dims = dim if several else (dim,)
        dim = [d if type(d) is int else whole_number(d) for d in dims]
    if not isinstance(keepdim, bool):
        raise TypeError
    if dim is None and ord is not None and rank not in (1, 2):
        given = "If dim is not specified but ord is"
        raise RuntimeError(f"linalg.norm: {given}, the input must be 1D or 2D. Got {rank}D.")
    if dim is not None and len(dim) not in (1, 2):
        given = "If dim is specified, it must be of length 1 or 2."
        raise RuntimeError(f"linalg.norm: {given} Got {dim}")
    if ord is None:
        return vector_norm(input, 2, dim, keepdim, dtype=dtype)
    if isinstance(ord, str) or (rank if dim is None else len(dim)) == 2:
        return matrix_norm.body(input, ord, (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    return vector_norm(input, ord, dim, keepdim, dtype=dtype)


class LinalgMethods(TensorBase):
    """The methods of this file."""

    inverse, det = inverse.method, det.method
