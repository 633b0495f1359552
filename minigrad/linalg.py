"""PyTorch's `torch.linalg`, as far as it is here."""

from .ops.linalg import LinAlgError, det, inv, matrix_norm, norm, solve
from .ops.matrix import matmul
from .ops.reductions import vector_norm
from .suggestions import missing_attribute

__all__ = ["LinAlgError", "det", "inv", "matmul", "matrix_norm", "norm", "solve", "vector_norm"]


def __getattr__(name: str) -> object:
    raise missing_attribute(f"module {__name__!r}", name, globals())
