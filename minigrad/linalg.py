"""The implemented part of PyTorch's `torch.linalg`."""

from typing import TYPE_CHECKING

from .arrays.left_out import missing_from
from .ops.linear_algebra.linalg import LinAlgError

# --- Written by `make stubs`
# Many names in a line, as in an index.
# fmt: off
# isort: off
from .ops.linear_algebra.conditioning import cond, matrix_rank, pinv
from .ops.linear_algebra.factorizations import (
    eigh, eigvalsh, linalg_cholesky as cholesky, linalg_svd as svd, qr, svdvals,
)
from .ops.linear_algebra.linalg import (
    inv, linalg_cross as cross, linalg_det as det, linalg_matmul as matmul, solve,
)
from .ops.linear_algebra.matrix_norms import linalg_norm as norm, matrix_norm
from .ops.linear_algebra.triangular import solve_triangular
from .ops.reductions.reductions import vector_norm
# isort: on

__all__ = [
    "LinAlgError", "cholesky", "cond", "cross", "det", "eigh", "eigvalsh", "inv", "matmul",
    "matrix_norm", "matrix_rank", "norm", "pinv", "qr", "solve", "solve_triangular", "svd",
    "svdvals", "vector_norm",
]
# fmt: on
# --- Written by hand again

if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
