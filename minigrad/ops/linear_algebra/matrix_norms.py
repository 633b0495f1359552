"""Norms: of all elements, of matrices, and the functions that choose between them.

Norms of vectors are sums (ops/reductions/reductions.py). Some norms of matrices are computed from
their singular values.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays.dtypes import to_numpy_dtype
from ...arrays.messages import type_word
from ...core.node import TensorBase, new_tensor
from ..public.dims import integers, whole_number, wrap_dim
from ..public.factories import as_number
from ..public.functions import schema
from ..reductions.extremes import amax, amin
from ..reductions.reductions import sum, vector_norm
from ..shapes.shapes import permute, unsqueeze
from .factorizations import svdvals
from .linalg import check_matrix


@schema(
    "linalg_matrix_norm(Tensor input, Scalar ord, int[] dim=(-2, -1), bool keepdim=False, *, "
    "dtype? dtype=None, Tensor out=None)",
    'linalg_matrix_norm(Tensor input, str ord="fro", int[] dim=(-2, -1), bool keepdim=False, *, '
    "dtype? dtype=None, Tensor out=None)",
    place="linalg",
)
def matrix_norm(
    input: Any, ord: Any = "fro", dim: Any = (-2, -1), keepdim: Any = False, *, dtype: Any = None
) -> Any:
    """Return a norm of matrices.

    `ord` is "fro"; 1, inf and their negatives (sums of columns or rows); or, of the singular
    values, "nuc" (the sum), 2 (the greatest) or -2 (the least).

    >>> import minigrad as mg
    >>> mg.linalg.matrix_norm(mg.tensor([[3.0, 4.0], [0.0, 0.0]]), 1)
    tensor(4.)
    """
    x = input._array
    if not isinstance(dim, (list, tuple)) or not isinstance(keepdim, bool):
        raise TypeError
    dims = list(integers(dim))
    if isinstance(ord, complex):
        wanted = "Expected a non-complex scalar as the order of norm."
        raise RuntimeError(f"linalg.matrix_norm: {wanted}")
    if not isinstance(ord, str):
        ord = as_number(ord, x.dtype)
    if ord not in ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf):
        name = ord if isinstance(ord, str) else f"{ord:g}"
        raise RuntimeError(f"linalg.matrix_norm: Order {name} not supported.")
    check_matrix("matrix_norm", x)
    if len(dims) != 2:
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {format_list(dims)}")
    rows, columns = (wrap_dim(d, x.ndim) for d in dims)
    if rows == columns:
        raise RuntimeError(f"linalg.matrix_norm: dims must be different. Got {(rows, columns)}")
    if dtype is not None:
        check_widens(x.dtype, to_numpy_dtype(dtype))
        input = input.to(dtype)
    if ord == "fro":
        return vector_norm(input, 2, (rows, columns), keepdim)
    if ord in ("nuc", 2, -2):
        return of_singular_values(input, ord, rows, columns, keepdim)
    if math.isinf(ord):
        rows, columns = columns, rows
    if columns > rows and not keepdim:
        columns -= 1
    return extreme(vector_norm(input, 1, rows, keepdim), ord, columns, keepdim)


def extreme(values: Any, ord: float, dim: int, keepdim: bool) -> Any:
    """Return the greatest of `values` along `dim`, or for a negative `ord` the least."""
    shape, axis = values._array.shape, dim % values._array.ndim
    if ord > 0 and not shape[axis]:  # the greatest of none is 0
        shape = (*shape[:axis], *[1] * keepdim, *shape[axis + 1 :])
        return new_tensor(np.zeros_like(values._array, shape=shape))
    return (amax if ord > 0 else amin)(values, dim, keepdim)


def of_singular_values(input: Any, ord: Any, rows: int, columns: int, keepdim: bool) -> Any:
    """Return a norm computed from the singular values of matrices."""
    if input._array.dtype == np.float16:
        raise RuntimeError("linalg.matrix_norm: Low precision dtypes not supported. Got Half")
    rank = input._array.ndim
    order = [axis for axis in range(rank) if axis not in (rows, columns)] + [rows, columns]
    values = svdvals(permute(input, order))
    found = sum(values, -1, keepdim) if ord == "nuc" else extreme(values, ord, -1, keepdim)
    if not keepdim:
        return found
    return permute(unsqueeze(found, -1), [order.index(axis) for axis in range(rank)])


def format_list(numbers: list[int]) -> str:
    """Return numbers as PyTorch prints some lists of them.

    >>> format_list([0, 1])
    '0 1'
    """
    return " ".join(map(str, numbers))


def check_widens(dtype: np.dtype[Any], wanted: np.dtype[Any]) -> None:
    """Raise if a norm's dtype cannot hold the elements."""
    if wanted.kind != "f":
        found = f"but got {type_word(wanted)}"
        raise RuntimeError(
            f"linalg.matrix_norm: dtype should be floating point or complex, {found}"
        )
    if wanted.itemsize < dtype.itemsize:
        narrowing = "should be convertible without narrowing to the specified dtype"
        found = f"the dtype of the input ({type_word(dtype)})"
        raise RuntimeError(f"linalg.matrix_norm: {found} {narrowing} ({type_word(wanted)})")


@schema(
    "linalg_norm(Tensor input, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, "
    "dtype? dtype=None, Tensor out=None)",
    "linalg_norm(Tensor input, str ord, int[1]? dim=None, bool keepdim=False, *, "
    "dtype? dtype=None, Tensor out=None)",
    place="linalg",
)
def linalg_norm(
    input: Any, ord: Any = None, dim: Any = None, keepdim: Any = False, *, dtype: Any = None
) -> Any:
    """Return `matrix_norm` for two dimensions and a given `ord`, else `vector_norm` (by default 2).

    >>> import minigrad as mg
    >>> mg.linalg.norm(mg.tensor([3.0, 4.0]))
    tensor(5.)
    """
    rank = input._array.ndim
    if dim is not None:
        several = isinstance(dim, (list, tuple))
        dims = dim if several else (dim,)
        dim = [d if type(d) is int else whole_number(d) for d in dims]
    if not isinstance(keepdim, bool):
        raise TypeError
    if dim is None and ord is not None and rank not in (1, 2):
        given = "If dim is not specified but ord is"
        raise RuntimeError(f"linalg.norm: {given}, the input must be 1D or 2D. Got {rank}D.")
    if dim is not None and len(dim) not in (1, 2):
        given = "If dim is specified, it must be of length 1 or 2."
        raise RuntimeError(f"linalg.norm: {given} Got {dim}")
    if ord is None:
        return vector_norm(input, 2, dim, keepdim, dtype=dtype)
    if isinstance(ord, str) or (rank if dim is None else len(dim)) == 2:
        return matrix_norm.body(input, ord, (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    return vector_norm(input, ord, dim, keepdim, dtype=dtype)


@schema(
    'def norm(Tensor input, object p="fro", int[1]? dim=None, bool keepdim=False, '
    "Tensor out=None, dtype? dtype=None)",
    "input.layout()",
)
def norm(
    input: Any, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Any:
    """Return the p-norm of all elements, or along `dim`; "fro" is 2, "nuc" a norm of matrices.

    >>> import minigrad as mg
    >>> mg.norm(mg.tensor([3.0, 4.0]))
    tensor(5.)
    """
    if p is None:
        p = 2
    elif isinstance(p, str):
        if p == "fro" and dim is not None and not isinstance(dim, int) and len(dim) > 2:
            got = " ".join(map(str, dim))
            raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {got}")
        if p != "fro":
            if p == "nuc":
                dims = tuple(range(input._array.ndim)) if dim is None else dim
                dims = (dims,) if isinstance(dims, int) else dims
                return matrix_norm.body(input, p, dims, keepdim, dtype=dtype)
            raise RuntimeError(f"linalg.matrix_norm: Order {p} not supported.")
        p = 2
    given = [dim] if isinstance(dim, int) else dim
    return vector_norm(input, p, given, keepdim, dtype=dtype)


class NormMethods(TensorBase):
    """The methods of this file."""

    norm = norm.remade(
        (
            'def norm(Tensor input, object p="fro", int[1]? dim=None, bool keepdim=False, '
            "dtype? dtype=None)",
            "input.layout()",
        )
    ).method
