"""Systems of equations with triangular matrices, solved row by row."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.messages import check_same_type, not_implemented
from ...core.node import TensorBase
from ...core.operation import ALWAYS, Operation, apply
from ..indexing.joining import TrilBackward0, TriuBackward0
from ..public.dims import common_shape, truth_value
from ..public.functions import schema
from .linalg import column_major
from .matrix import swap_last


def substitute(A: Any, B: Any, upper: bool, unitriangular: bool = False) -> Any:
    """Return X with A X = B, of which one triangle of A is read."""
    shape = np.broadcast_shapes(A.shape[:-2], B.shape[:-2])
    X = np.broadcast_to(B, (*shape, *B.shape[-2:])).astype(A.dtype, order="C")
    size = A.shape[-1]
    for row in reversed(range(size)) if upper else range(size):
        rest = slice(0, row) if upper else slice(row + 1, size)
        if not unitriangular:
            X[..., row, :] /= A[..., row, row, None]
        X[..., rest, :] -= A[..., rest, row, None] * X[..., row, None, :]
    return X


class LinalgSolveTriangularBackward0(Operation):
    """X with A X = B, or X A = B, for a triangular matrix A."""

    rule = r"\bar B = A^{-T} G, \qquad \bar A = -\operatorname{tri}(\bar B \, X^T)"

    def forward(self: Any, B: Any, /, upper: bool, left: bool, unitriangular: bool) -> Any:
        if left:
            return column_major(substitute(self, B, upper, unitriangular))
        X = substitute(swap_last(self), swap_last(B), not upper, unitriangular)
        return column_major(swap_last(X))

    def gradient(
        g: Any, self: Any, result: Any, upper: bool, left: bool, unitriangular: bool
    ) -> Any:
        above = swap_last(self)
        wrt_B = LinalgSolveTriangularBackward0.on(above, g, not upper, left, unitriangular)

        def wrt_A() -> Any:
            one, other = (wrt_B, result) if left else (result, wrt_B)
            product = one @ swap_last(other) if left else swap_last(one) @ other
            part, first = (TriuBackward0, 1) if upper else (TrilBackward0, -1)
            return part.on(-product, first if unitriangular else 0)

        return wrt_A, wrt_B


class CholeskySolveBackward0(Operation):
    """X with A X = B, where A is given by its Cholesky factor."""

    inputs = ("self", "input2")
    saves = {"self": ALWAYS, "input2": ALWAYS, "result": ALWAYS}
    rule = r"\bar B = A^{-1} G, \qquad \bar L = -(\bar B X^T + X \bar B^T) L"

    def forward(self: Any, input2: Any, /, upper: bool) -> Any:
        other = swap_last(input2)
        if upper:
            return column_major(substitute(input2, substitute(other, self, False), True))
        return column_major(substitute(other, substitute(input2, self, False), True))

    def gradient(g: Any, self: Any, input2: Any, result: Any, upper: bool) -> Any:
        wrt_B = CholeskySolveBackward0.on(g, input2, upper)

        def wrt_factor() -> Any:
            half = wrt_B @ swap_last(result)
            both = half + swap_last(half)
            return -(input2 @ both) if upper else -(both @ input2)

        return wrt_B, wrt_factor


@schema(
    "linalg_solve_triangular(Tensor input, Tensor B, *, bool upper, bool left=True, "
    "bool unitriangular=False, Tensor out=None)",
    place="linalg",
)
def solve_triangular(
    input: Any, B: Any, *, upper: Any, left: Any = True, unitriangular: Any = False
) -> TensorBase:
    """Solve A X = B, or X A = B, for a triangular matrix A.

    Args:
        upper: whether the upper triangle of A is read, else the lower one.
        left: whether A stands before X.
        unitriangular: whether the diagonal of A counts as ones.

    >>> import minigrad as mg
    >>> A = mg.tensor([[2.0, 1.0], [0.0, 4.0]])
    >>> mg.linalg.solve_triangular(A, mg.tensor([[4.0], [8.0]]), upper=True)
    tensor([[1.],
            [2.]])
    """
    upper, left, unitriangular = (truth_value(each) for each in (upper, left, unitriangular))
    name, a, b = "linalg.solve_triangular", input._array, B._array
    for letter, x in (("A", a), ("B", b)):
        if x.ndim < 2:
            wanted = f"The input tensor {letter} must have at least 2 dimensions."
            raise RuntimeError(f"{name}: {wanted}")
    if a.shape[-1] != a.shape[-2]:
        found = f"they are {a.shape[-2]} by {a.shape[-1]} matrices"
        raise RuntimeError(f"{name}: A must be batches of square matrices, but {found}")
    if a.shape[-1] != b.shape[-2 if left else -1]:
        shapes = "x".join(map(str, a.shape[-2:])), "x".join(map(str, b.shape[-2:]))
        wanted = f"Incompatible shapes of A and B for the equation {'AX' if left else 'XA'} = B"
        raise RuntimeError(f"{name}: {wanted} ({shapes[0]} and {shapes[1]})")
    common_shape(b.shape[:-2], a.shape[:-2])
    check_solvable("triangular_solve_cpu", a)
    return apply(LinalgSolveTriangularBackward0, input, B, upper, left, unitriangular)


def check_solvable(name: str, x: Any) -> None:
    """Raise for numbers that LAPACK's routine `name` does not take."""
    if x.dtype.kind != "f" or x.dtype == np.float16:
        raise not_implemented(name, x.dtype)


@schema("cholesky_solve(Tensor input, Tensor input2, bool upper=False, *, Tensor out=None)")
def cholesky_solve(input: Any, input2: Any, upper: Any = False) -> TensorBase:
    """Solve A X = input, where `input2` is the Cholesky factor of A.

    >>> import minigrad as mg
    >>> mg.cholesky_solve(mg.tensor([[4.0], [8.0]]), mg.tensor([[2.0, 0.0], [0.0, 1.0]]))
    tensor([[1.],
            [8.]])
    """
    upper, b, a = truth_value(upper), input._array, input2._array
    for letter, x in (("b", b), ("u", a)):
        if x.ndim < 2:
            found = f"but has {x.ndim} dimensions instead"
            raise RuntimeError(f"{letter} should have at least 2 dimensions, {found}")
    check_same_type(
        b,
        a,
        "Expected b and A to have the same dtype, but found b of type {} and A of type {} instead.",
    )
    if a.shape[-1] != a.shape[-2]:
        found = f"they are {a.shape[-2]} by {a.shape[-1]} matrices"
        raise RuntimeError(f"A must be batches of square matrices, but {found}")
    if a.shape[-1] != b.shape[-2]:
        one, other = (f"{x.shape[-2]} by {x.shape[-1]}" for x in (a, b))
        wrong = "Incompatible matrix sizes for cholesky_solve"
        raise RuntimeError(f"{wrong}: each A matrix is {one} but each b matrix is {other}")
    common_shape(b.shape[:-2], a.shape[:-2])
    check_solvable("cholesky_solve_cpu", a)
    return apply(CholeskySolveBackward0, input, input2, upper)


class TriangularMethods(TensorBase):
    """The methods of this file."""

    cholesky_solve = cholesky_solve.method
