"""Solutions of systems of equations with the least squared error."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.messages import type_word
from ...core.node import TensorBase, new_tensor
from ...core.operation import Operation, apply, constant_like
from ..public import return_types
from ..public.arguments import number
from ..public.dims import common_shape
from ..public.functions import schema
from .conditioning import LinalgPinvBackward0, above
from .factorizations import column, row
from .linalg import LinAlgError
from .matrix import swap_last

DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


class LinalgLstsqBackward0(Operation):
    """X with the least |A X - b|, and of these the smallest; `_measured`: and the squared error."""

    inputs = ("self", "b")
    params = ("_rcond", "_measured")
    results = ("solution", "residuals")
    rule = (
        r"\bar b = P^T G, \quad \bar A = -\bar b X^T + (b - A X) (P \bar b)^T + "
        r"P^T X (G^T - \bar b^T A), \quad P = A^+"
    )

    def forward(self: Any, b: Any, _rcond: float, _measured: bool) -> Any:
        rows, columns = self.shape[-2:]
        vector = b.ndim < self.ndim
        b = b[..., None] if vector else b
        found = LinalgPinvBackward0.forward(self, 0.0, _rcond, False) @ b
        # LAPACK solves in the memory of b, which has as many rows as the larger side of A.
        space = np.zeros_like(found, shape=(*b.shape[:-2], b.shape[-1], max(rows, columns)))
        solution = swap_last(space)[..., :columns, :]
        solution[...] = found
        error = np.zeros_like(found, shape=(0,))
        if _measured and rows > columns:
            error = np.square(b - self @ found).sum(-2)
        return (solution[..., 0] if vector else solution), error

    def gradient(
        g: Any,
        g_error: Any,
        self: Any,
        b: Any,
        solution: Any,
        _rcond: float,
        _measured: bool,
    ) -> Any:
        vector = len(b.shape) < len(self.shape)
        if vector:
            b, solution, g = column(b), column(solution), None if g is None else column(g)
        rest = b - self @ solution
        P = LinalgPinvBackward0.on(self, 0.0, _rcond, False)
        back = None if g is None else swap_last(P) @ g
        error = None if g_error is None or not _measured else rest * row(g_error) * 2

        def wrt_A() -> Any:
            found = None if error is None else -(error @ swap_last(solution))
            if g is None:
                return found
            of_inverse = LinalgPinvBackward0.gradient(g @ swap_last(b), self, P, 0.0, _rcond, False)
            return of_inverse if found is None else of_inverse + found

        def wrt_b() -> Any:
            found = error if back is None else back if error is None else back + error
            return found[..., 0] if vector and found is not None else found

        return wrt_A, wrt_b


@schema(
    "linalg_lstsq(Tensor input, Tensor b, float? rcond=None, *, str? driver=None, "
    "Tensor[4] out=None)",
    place="linalg",
)
def lstsq(
    input: Any, b: Any, rcond: Any = None, *, driver: Any = None
) -> return_types.linalg_lstsq[TensorBase]:
    """Return X with the least squared error of A X = b.

    Args:
        input: matrices A, [..., m, n].
        b: matrices [..., m, k], or vectors [..., m].
        rcond: singular values up to this share of the greatest one count as 0.
        driver: which of LAPACK's methods PyTorch uses. It decides here what is returned:
            the rank (not "gels"), singular values ("gelsd", "gelss"), the squared error
            (not "gelsy", the default).

    >>> import minigrad as mg
    >>> A = mg.tensor([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    >>> mg.linalg.lstsq(A, mg.tensor([1.0, 3.0, 5.0])).solution
    tensor([1.0000, 2.0000])
    """
    x, y = input._array, b._array
    check_system(x, y)
    if driver is not None and not isinstance(driver, str):
        raise TypeError
    if driver is not None and driver not in DRIVERS:
        raise RuntimeError(
            f"torch.linalg.lstsq: parameter `driver` should be one of ({', '.join(DRIVERS)})"
        )
    driver = driver or "gelsy"
    if not np.isfinite(x).all():
        raise LinAlgError(
            "torch.linalg.lstsq: The least squares solution could not be computed because the "
            "input matrix contained non-finite values."
        )
    share = np.finfo(x.dtype).eps * max(x.shape[-2:]) if rcond is None else number(rcond)
    values = np.linalg.svd(x, compute_uv=False)
    rank = above(values, 0.0, share).sum(-1)
    if driver == "gels" and (rank < min(x.shape[-2:])).any():
        raise LinAlgError(
            "torch.linalg.lstsq: The least squares solution could not be computed because the "
            f"input matrix does not have full rank (error code: {int(rank.min()) + 1})."
        )
    full = bool((rank == x.shape[-1]).all())
    found: Any = apply(LinalgLstsqBackward0, input, b, share, driver != "gelsy" and full)
    nothing = np.zeros_like(x, shape=(0,))
    rank = nothing.astype(np.int64) if driver == "gels" else constant_like(x, rank)
    shown = values if driver in ("gelsd", "gelss") else nothing
    return return_types.linalg_lstsq((*found, new_tensor(rank), new_tensor(shown)))


def check_system(x: Any, y: Any) -> None:
    """Raise for matrices and right sides that do not fit each other."""
    name = "torch.linalg.lstsq:"
    if x.ndim < 2:
        raise RuntimeError(f"{name} input must have at least 2 dimensions.")
    if y.ndim < 1:
        raise RuntimeError(f"{name} other must have at least 1 dimension.")
    if x.dtype != y.dtype:
        types = f"input's dtype {type_word(x.dtype)} and other's dtype {type_word(y.dtype)}"
        wanted = "Expected input and other to have the same dtype"
        raise RuntimeError(f"{name} {wanted}, but got {types}")
    if not 0 <= x.ndim - y.ndim <= 1:
        wanted = "must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1"
        raise RuntimeError(f"{name} input.dim() {wanted}")
    side = -1 if x.ndim > y.ndim else -2
    common_shape(x.shape[:-2], y.shape[:side])
    if x.shape[-2] != y.shape[side]:
        raise RuntimeError(f"{name} input.size(-2) should match other.size({side})")
    if x.dtype.kind != "f" or x.dtype == np.float16:
        raise RuntimeError("This function doesn't handle types other than float and double")
