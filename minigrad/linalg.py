"""PyTorch's `torch.linalg`, as far as it is here."""

from .ops.linalg import LinAlgError, det, inv, matrix_norm, norm, slogdet, solve, svdvals
from .ops.matrix import matmul
from .ops.reductions import vector_norm

__all__ = [
    "LinAlgError",
    "det",
    "inv",
    "matmul",
    "matrix_norm",
    "norm",
    "slogdet",
    "solve",
    "svdvals",
    "vector_norm",
]
