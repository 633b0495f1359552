"""PyTorch's `torch.linalg`, as far as it is here."""

from typing import TYPE_CHECKING

from .arrays.left_out import missing_from
from .ops.linalg import LinAlgError

# --- Written by `make stubs`
# Many names in a line, as in an index.
# fmt: off
# isort: off
from .ops.conditioning import cond, matrix_rank, pinv
from .ops.factorizations import cholesky, eigh, eigvalsh, qr, svd, svdvals
from .ops.linalg import inv, linalg_det as det, linalg_matmul as matmul, solve
from .ops.matrix_norms import linalg_norm as norm, matrix_norm
from .ops.reductions import vector_norm
# isort: on

__all__ = [
    "LinAlgError", "cholesky", "cond", "det", "eigh", "eigvalsh", "inv", "matmul", "matrix_norm",
    "matrix_rank", "norm", "pinv", "qr", "solve", "svd", "svdvals", "vector_norm",
]
# fmt: on
# --- Written by hand again

if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__)
