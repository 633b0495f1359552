"""The implemented part of PyTorch's `torch.linalg`."""

from typing import TYPE_CHECKING

from .arrays.left_out import missing_from
from .ops.linear_algebra.linalg import LinAlgError

# --- Written by `make stubs`
# Many names in a line, as in an index.
# fmt: off
# isort: off
from .ops.linear_algebra.conditioning import cond, matrix_rank, pinv
from .ops.linear_algebra.contractions import vecdot
from .ops.linear_algebra.determinants import linalg_slogdet as slogdet
from .ops.linear_algebra.factorizations import (
    eigh, eigvalsh, linalg_cholesky as cholesky, linalg_svd as svd, qr, svdvals,
)
from .ops.linear_algebra.least_squares import lstsq
from .ops.linear_algebra.linalg import (
    inv, linalg_cross as cross, linalg_det as det, linalg_matmul as matmul, solve,
)
from .ops.linear_algebra.matrix_norms import linalg_norm as norm, matrix_norm
from .ops.linear_algebra.powers import (
    linalg_matrix_exp as matrix_exp, linalg_matrix_power as matrix_power, multi_dot, vander,
)
from .ops.linear_algebra.triangular import solve_triangular
from .ops.reductions.reductions import vector_norm
from .ops.shapes.slicing import linalg_diagonal as diagonal
# isort: on

__all__ = [
    "LinAlgError", "cholesky", "cond", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv",
    "lstsq", "matmul", "matrix_exp", "matrix_norm", "matrix_power", "matrix_rank", "multi_dot",
    "norm", "pinv", "qr", "slogdet", "solve", "solve_triangular", "svd", "svdvals", "vander",
    "vecdot", "vector_norm",
]
# fmt: on
# --- Written by hand again

if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
