"""PyTorch's `torch.linalg`, as far as it is here."""

from .arrays.left_out import missing_from
from .ops.linalg import LinAlgError, inv, matrix_norm, norm, solve
from .ops.linalg import linalg_det as det
from .ops.linalg import linalg_matmul as matmul
from .ops.reductions import vector_norm

__all__ = ["LinAlgError", "det", "inv", "matmul", "matrix_norm", "norm", "solve", "vector_norm"]

__getattr__ = missing_from(__name__, globals())
