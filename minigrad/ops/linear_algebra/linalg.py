"""Linear algebra: inverses, systems of equations and determinants of matrices.

Everything works on batches: a matrix is the last two dimensions. NumPy (LAPACK) computes the
results. PyTorch's nodes also save and show an LU factorization, which is computed here when it is
read.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...arrays.messages import check_same_type, not_implemented
from ...core.node import TensorBase, new_tensor, unwrap
from ...core.operation import Operation, apply, constant_like
from ..pointwise.elementwise import WhereBackward0
from ..public.dims import common_shape, size_at, whole_number
from ..public.functions import schema
from ..reductions.reductions import check_linalg
from .matrix import matmul, swap_last


class _LinAlgError(RuntimeError):
    """The matrix does not allow the computation."""


LinAlgError = _LinAlgError


def factorize_lu(matrix: Any) -> tuple[Any, Any]:
    """Compute LAPACK's LU factorization with row exchanges, of a batch of square matrices.

    Return L (without its diagonal of ones) and U in one matrix, and for each step the row, counted
    from 1, with which it was exchanged.
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
    """Return the same matrices in column-major order, as LAPACK returns them."""
    return swap_last(swap_last(matrices).copy(order="C"))


class Factorizing(Operation):
    """An operation whose node shows the LU factorization of its matrix."""

    _saved_A: Any

    @property
    def _saved_LU(self) -> Any:
        return new_tensor(factorize_lu(self._saved_A._array)[0])

    @property
    def _saved_pivots(self) -> Any:
        return new_tensor(factorize_lu(self._saved_A._array)[1])


class LinalgInvExBackward0(Operation):
    """The inverse matrix."""

    results = ("inverse",)
    rule = r"\bar A = -Y^T \, G \, Y^T"

    def forward(A: Any, /, _each: bool = False) -> Any:
        if not _each:
            return column_major(np.linalg.inv(A))
        matrices = A.reshape(-1, *A.shape[-2:])
        return column_major(np.stack([inverse_or_nan(m) for m in matrices]).reshape(A.shape))

    def gradient(g: Any, inverse: Any, _each: bool = False) -> Any:
        return -(swap_last(inverse) @ (g @ swap_last(inverse)))


def inverse_or_nan(matrix: Any) -> Any:
    """Return the inverse of one matrix; NaN where there is none."""
    try:
        return np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return np.full_like(matrix, np.nan)


class LinalgSolveExBackward0(Factorizing):
    """X with A X = B; `_vector`: B is a vector, or a batch of vectors."""

    rule = r"\bar B = A^{-T} G, \qquad \bar A = -\bar B \, X^T"

    def forward(A: Any, _B: Any, /, _vector: bool) -> Any:
        if _vector:
            return np.linalg.solve(A, _B[..., None])[..., 0]
        return column_major(np.linalg.solve(A, _B))

    def gradient(g: Any, A: Any, result: Any, _vector: bool) -> Any:
        wrt_B = LinalgSolveExBackward0.on(swap_last(A), g, _vector)

        def wrt_A() -> Any:
            if not _vector:
                return -(wrt_B @ swap_last(result))
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
        return (g * result).reshape(shape) * inverse_or_one(swap_last(A), result.reshape(shape))


def inverse_or_one(matrix: Any, determinant: Any) -> Any:
    """Return the inverse or, where there is none, the identity, which PyTorch multiplies by 0."""
    singular = determinant == 0
    if unwrap(singular).any():
        one = constant_like(matrix, np.eye(matrix.shape[-1], dtype=unwrap(matrix).dtype))
        matrix = WhereBackward0.on(matrix * 0 + one, matrix, singular)
    return LinalgInvExBackward0.on(matrix)


# --- Checks


def check_matrix(name: str, x: Any) -> None:
    """Raise PyTorch's errors unless `x` is a matrix of floating-point numbers."""
    if x.ndim < 2:
        raise RuntimeError(f"linalg.{name}: The input tensor A must have at least 2 dimensions.")
    check_linalg(name, x.dtype)


def check_shape(name: str, x: Any) -> None:
    """Raise PyTorch's errors unless `x` holds square matrices."""
    if x.ndim < 2:
        raise RuntimeError(f"linalg.{name}: The input tensor A must have at least 2 dimensions.")
    if x.shape[-1] != x.shape[-2]:
        found = f"they are {x.shape[-2]} by {x.shape[-1]} matrices"
        raise RuntimeError(f"linalg.{name}: A must be batches of square matrices, but {found}")


def check_square(name: str, x: Any, half: str = "") -> None:
    """Raise PyTorch's errors unless `x` holds square floating-point matrices of more than 16 bits.

    `half` is the name in the error for float16, if it has one.
    """
    check_shape(name, x)
    check_linalg(name, x.dtype)
    if x.dtype == np.float16:
        if half:
            raise not_implemented(half, x.dtype)
        raise RuntimeError(f"linalg.{name}: Low precision dtypes not supported. Got Half")


def first_singular(x: Any) -> tuple[str, int]:
    """Return the name of the first singular matrix, and the number of the row that shows it."""
    diagonal = np.diagonal(factorize_lu(x)[0], 0, -2, -1)
    batch, row = np.argwhere(diagonal.reshape(-1, diagonal.shape[-1]) == 0)[0]
    return f"(Batch element {batch}): " if x.ndim > 2 else "", int(row) + 1


# --- Public functions


@schema("linalg_inv(Tensor A, *, Tensor out=None)", place="linalg")
def inv(A: Any) -> TensorBase:
    """Invert a square matrix, or each matrix of a batch.

    Raises:
        LinAlgError: a matrix is singular.

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


@schema("inverse(Tensor input, *, Tensor out=None)")
def inverse(input: Any) -> Any:
    """Invert a square matrix, or each matrix of a batch: `linalg.inv`."""
    return inv.body(input)


@schema("linalg_solve(Tensor A, Tensor B, *, bool! left=True, Tensor out=None)", place="linalg")
def solve(A: Any, B: Any) -> TensorBase:
    """Solve A X = B.

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


@schema("linalg_det(Tensor A, *, Tensor out=None)", place="linalg")
def linalg_det(A: Any) -> TensorBase:
    """Return the determinant of a square matrix, or of each matrix of a batch."""
    check_square("det", A._array, half="lu_cpu")
    return apply(LinalgDetBackward0, A)


@schema("det(Tensor input)")
def det(input: Any) -> Any:
    """Return the determinant of a square matrix, or of each matrix of a batch.

    >>> import minigrad as mg
    >>> mg.det(mg.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor(8.)
    """
    return linalg_det.body(input)


linalg_matmul = schema(
    "linalg_matmul(Tensor input, Tensor other, *, Tensor out=None)", place="linalg"
)(matmul.body)


# --- The cross product


class LinalgCrossBackward0(Operation):
    """The cross product of vectors of three elements along a dimension."""

    inputs = ("self", "other")
    rule = r"\bar a = b \times g, \qquad \bar b = g \times a"

    def forward(self: Any, other: Any, /, dim: int) -> Any:
        return np.cross(self, other, axis=dim).copy("C")  # NumPy moves the dimension to the end

    def gradient(g: Any, self: Any, other: Any, dim: int) -> Any:
        cross = LinalgCrossBackward0.on
        return lambda: cross(other, g, dim), lambda: cross(g, self, dim)


@schema("linalg_cross(Tensor input, Tensor other, *, int dim=-1, Tensor out=None)", place="linalg")
def linalg_cross(input: Any, other: Any, *, dim: Any = -1) -> TensorBase:
    """Return the cross product of vectors along `dim`, which has size 3.

    >>> import minigrad as mg
    >>> mg.linalg.cross(mg.tensor([1.0, 0.0, 0.0]), mg.tensor([0.0, 1.0, 0.0]))
    tensor([0., 0., 1.])
    """
    return cross_along(input, other, whole_number(dim))


def cross_along(input: Any, other: Any, dim: int) -> TensorBase:
    a, b = input._array, other._array
    if a.ndim != b.ndim:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    sizes = size_at(a.shape, dim), size_at(b.shape, dim)
    if sizes != (3, 3):
        wanted = f"linalg.cross: inputs dimension {dim} must have length 3."
        raise RuntimeError(f"{wanted} Got {sizes[0]} and {sizes[1]}")
    common_shape(a.shape, b.shape)
    if a.dtype.kind == "b":
        raise not_implemented("cross", a.dtype)
    check_same_type(a, b, "expected scalar type {} but found {}")
    return apply(LinalgCrossBackward0, input, other, dim)


@schema("cross(Tensor input, Tensor other, int? dim=None, *, Tensor out=None)")
def cross(input: Any, other: Any, dim: Any = None) -> TensorBase:
    """Return the cross product of vectors along `dim`, by default the first one of size 3."""
    if dim is not None:
        return cross_along(input, other, whole_number(dim))
    warnings.warn(
        "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the "
        "dim explicitly or simply use torch.linalg.cross.\nThe default value of dim will change to "
        "agree with that of linalg.cross in a future release.",
        stacklevel=1,  # at one place, so that Python shows it once
    )
    shape = input._array.shape
    if 3 not in shape:
        raise RuntimeError("no dimension of size 3 in input")
    return cross_along(input, other, shape.index(3))


class LinalgMethods(TensorBase):
    """The methods of this file."""

    cross = cross.method
    inverse, det = inverse.method, det.method
