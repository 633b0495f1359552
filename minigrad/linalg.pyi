"""What checkers and editors see of linalg.py. Written by `make stubs`."""

from builtins import bool as _bool
from builtins import float as _float
from typing import Any

from .ops.linalg import LinAlgError
from .tensors.tensor import Tensor

# fmt: off
__all__ = ["LinAlgError", "det", "inv", "matmul", "matrix_norm", "norm", "solve", "vector_norm"]
# fmt: on

def det(A: Tensor) -> Tensor: ...
def inv(A: Tensor) -> Tensor: ...
def matmul(input: Tensor, other: Any) -> Tensor: ...
def matrix_norm(
    A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: _bool = False, *, dtype: Any = None
) -> Tensor: ...
def norm(
    A: Tensor, ord: Any = None, dim: Any = None, keepdim: _bool = False, *, dtype: Any = None
) -> Tensor: ...
def solve(A: Tensor, B: Tensor) -> Tensor: ...
def vector_norm(
    input: Tensor, ord: _float = 2, dim: Any = None, keepdim: _bool = False, *, dtype: Any = None
) -> Tensor: ...
