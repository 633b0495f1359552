"""What checkers and editors see of linalg.py. Written by `make stubs`."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Sequence
from typing import overload

from .arrays.dtypes import dtype as _dtype
from .ops.linalg import LinAlgError
from .tensors.tensor import Tensor

# fmt: off
__all__ = ["LinAlgError", "det", "inv", "matmul", "matrix_norm", "norm", "solve", "vector_norm"]
# fmt: on

def det(A: Tensor) -> Tensor: ...
def inv(A: Tensor) -> Tensor: ...
def matmul(input: Tensor, other: Tensor) -> Tensor: ...
@overload
def matrix_norm(
    input: Tensor,
    ord: _float,
    dim: Sequence[_int] = (-2, -1),
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
) -> Tensor: ...
@overload
def matrix_norm(
    input: Tensor,
    ord: str = "fro",
    dim: Sequence[_int] = (-2, -1),
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
) -> Tensor: ...
@overload
def norm(
    input: Tensor,
    ord: _float | None = None,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
) -> Tensor: ...
@overload
def norm(
    input: Tensor,
    ord: str,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
) -> Tensor: ...
def solve(A: Tensor, B: Tensor) -> Tensor: ...
def vector_norm(
    input: Tensor,
    ord: _float = 2,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
) -> Tensor: ...
