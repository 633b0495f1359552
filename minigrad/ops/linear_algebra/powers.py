"""Powers and the exponential of matrices, products of several, and powers of single elements.

All but the exponential are composed of products, in the order in which PyTorch composes them.
"""

from __future__ import annotations

import warnings
from itertools import pairwise
from typing import Any

import numpy as np

from ...arrays.memory_formats import contiguous_format
from ...arrays.messages import c_name, type_word
from ...core.node import TensorBase, new_tensor
from ...core.operation import Operation, apply, constant_like
from ..indexing.joining import cat
from ..public.dims import whole_number
from ..public.functions import alias, schema
from ..reductions.reductions import check_linalg, cumprod
from ..shapes.copies import clone
from ..shapes.shapes import expand, unsqueeze, view
from .linalg import check_shape, inv
from .matrix import matmul, mm, swap_last

TERMS = 18
"""How many terms of the exponential's series are added, for matrices of a norm up to 1/2."""


class LinalgMatrixExpBackward0(Operation):
    """The exponential of a square matrix."""

    rule = r"\bar A = \int_0^1 e^{s A^T} \, G \, e^{(1 - s) A^T} \, ds"

    def forward(self: Any) -> Any:
        if not self.size:
            return self.copy()
        wide = self.astype(np.float64)
        norm = np.absolute(wide).sum(-2).max(-1)
        finite = np.isfinite(norm)
        halvings = np.ceil(np.log2(np.where(finite & (norm > 0.5), norm, 0.5))) + 1
        scaled = wide * np.exp2(-halvings)[..., None, None]
        one = constant_like(wide, np.eye(wide.shape[-1]))
        with np.errstate(all="ignore"):
            result = one + scaled / TERMS
            for term in reversed(range(1, TERMS)):
                result = one + scaled @ result / term
            while (left := halvings > 0).any():
                result = np.where(left[..., None, None], result @ result, result)
                halvings = halvings - 1
            result = np.where(finite[..., None, None], result, np.nan)
            return result.astype(self.dtype, order="C")

    def gradient(g: Any, self: Any) -> Any:
        # The exponential of [[A^T, G], [0, A^T]] has the gradient in its upper right corner.
        above, size = swap_last(self), self.shape[-1]
        if isinstance(g, TensorBase) or isinstance(self, TensorBase):
            upper: Any = cat([above, g], -1)
            lower: Any = cat([above * 0, above], -1)
            both: Any = cat([upper, lower], -2)
        else:
            upper = np.concatenate([above, g], -1)
            lower = np.concatenate([np.zeros_like(above), above], -1)
            both = np.concatenate([upper, lower], -2)
        return LinalgMatrixExpBackward0.on(both)[..., :size, size:]


@schema("matrix_exp(Tensor input)")
def matrix_exp(input: Any) -> TensorBase:
    """Return the exponential of a square matrix: the sum of its powers, each over its factorial.

    >>> import minigrad as mg
    >>> mg.matrix_exp(mg.tensor([[0.0, 1.0], [0.0, 0.0]]))
    tensor([[1., 1.],
            [0., 1.]])
    """
    x = input._array
    check_shape("matrix_exp", x)
    check_linalg("matrix_exp", x.dtype)
    return apply(LinalgMatrixExpBackward0, input)


linalg_matrix_exp = alias("linalg_matrix_exp", matrix_exp, place="linalg")


@schema("matrix_power(Tensor input, int n, *, Tensor out=None)")
def matrix_power(input: Any, n: Any) -> Any:
    """Multiply a square matrix by itself: its n-th power, of its inverse if n is negative.

    >>> import minigrad as mg
    >>> mg.matrix_power(mg.tensor([[1, 1], [0, 1]]), 5)
    tensor([[1, 5],
            [0, 1]])
    """
    n, x = whole_number(n), input._array
    check_shape("matrix_power", x)
    if n == 0:
        one = np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), x.shape)
        return clone(input, memory_format=contiguous_format).copy_(
            new_tensor(constant_like(x, one))
        )
    if n == 1:
        return clone(input, memory_format=contiguous_format)
    base = inv.body(input) if n < 0 else input
    n = abs(n)
    if n == 1:
        return base
    if n == 2:
        return matmul.body(base, base)
    if n == 3:
        return matmul.body(matmul.body(base, base), base)
    square: Any = None
    result: Any = None
    while n > 0:
        square = base if square is None else matmul.body(square, square)
        if n % 2:
            result = square if result is None else matmul.body(result, square)
        n //= 2
    return result


linalg_matrix_power = alias("linalg_matrix_power", matrix_power, place="linalg")


# --- Products of several matrices


@schema("linalg_multi_dot(Tensor[] tensors, *, Tensor out=None)", place="linalg")
def multi_dot(tensors: Any) -> Any:
    """Multiply matrices in the order that needs the fewest multiplications.

    The first and the last one may be vectors: a row and a column.

    >>> import minigrad as mg
    >>> mg.linalg.multi_dot([mg.ones(2, 3), mg.ones(3, 4), mg.ones(4)])
    tensor([12., 12.])
    """
    if not isinstance(tensors, (tuple, list)) or not all(
        isinstance(each, TensorBase) for each in tensors
    ):
        raise TypeError
    if len(tensors) < 2:
        found = f"expected at least 2 tensors but got {len(tensors)}"
        raise RuntimeError(f"multi_dot(): {found}")
    matrices = list(tensors)
    shape: list[int] = []
    for name, place, dim in (("first", 0, 0), ("last", -1, 1)):
        array = matrices[place]._array
        if array.ndim not in (1, 2):
            wanted = "must be 1D or 2D but got"
            raise RuntimeError(f"multi_dot(): the {name} tensor {wanted} {array.ndim}D")
        if array.ndim == 1:
            matrices[place] = unsqueeze(matrices[place], dim)
        else:
            shape.append(array.shape[dim])
    check_chain([each._array for each in matrices], tensors)
    if len(matrices) == 2:
        return view(mm.body(*matrices), shape)
    if len(matrices) == 3:
        a, b, c = (each._array.shape for each in matrices)
        left = a[0] * a[1] * b[1] + a[0] * b[1] * c[1]
        right = b[0] * b[1] * c[1] + a[0] * a[1] * c[1]
        one, two, three = matrices
        product = (
            mm.body(one, mm.body(two, three)) if left > right else mm.body(mm.body(one, two), three)
        )
        return view(product, shape)
    sizes = [*(each._array.shape[0] for each in matrices), matrices[-1]._array.shape[1]]
    return view(multiply(matrices, cheapest(sizes), 0, len(matrices) - 1), shape)


def check_chain(arrays: list[Any], given: Any) -> None:
    """Raise for matrices that cannot be multiplied one after the other, `given` as tensors."""
    first = arrays[0]
    for place, array in enumerate(arrays[1:], 1):
        if array.dtype != first.dtype:
            found = f"tensor 0 is {c_name(first.dtype)} and tensor {place} {c_name(array.dtype)}"
            raise RuntimeError(f"multi_dot(): all tensors must have be the same dtype but {found}")
        if array.ndim != 2:
            raise RuntimeError(f"multi_dot(): tensor {place} must be 2D but got {array.ndim}D")
    for place, (one, other) in enumerate(pairwise(arrays)):
        if one.shape[1] != other.shape[0]:
            which = f"tensors {place} and {place + 1} with shapes"
            shapes = " and ".join(str([*each._array.shape]) for each in given[place : place + 2])
            raise RuntimeError(f"multi_dot(): {which} {shapes} cannot be multiplied")


def cheapest(sizes: list[int]) -> dict[tuple[int, int], int]:
    """Return for each run of matrices after which one its cheapest product is divided."""
    count = len(sizes) - 1
    costs = {(place, place): 0 for place in range(count)}
    divided = {}
    for length in range(1, count):
        for first in range(count - length):
            last = first + length
            found = [
                costs[first, middle]
                + costs[middle + 1, last]
                + sizes[first] * sizes[middle + 1] * sizes[last + 1]
                for middle in range(first, last)
            ]
            costs[first, last] = min(found)
            divided[first, last] = first + found.index(min(found))
    return divided


def multiply(matrices: list[Any], divided: Any, first: int, last: int) -> Any:
    """Multiply a run of matrices in the order that `cheapest` found."""
    if first == last:
        return matrices[first]
    middle = divided[first, last]
    left = multiply(matrices, divided, first, middle)
    return mm.body(left, multiply(matrices, divided, middle + 1, last))


def chain_matmul(*matrices: Any, out: Any = None) -> TensorBase:
    """Multiply matrices, given one by one; see `linalg.multi_dot`."""
    if not matrices:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    for place, each in enumerate(matrices):
        if not isinstance(each, TensorBase):
            found = f"expected Tensor as element {place} in argument 0"
            raise TypeError(f"{found}, but got {type(each).__name__}")
    warnings.warn(
        "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use "
        "torch.linalg.multi_dot instead, which accepts a list of two or more tensors rather than "
        "multiple parameters.",
        stacklevel=1,  # at one place, so that Python shows it once
    )
    for each in matrices:
        if each._array.ndim != 2:
            raise RuntimeError(f"Tensor dimension is {each._array.ndim}, expected 2 instead.")
    product: Any = clone(matrices[0]) if len(matrices) == 1 else multi_dot(matrices)
    written: TensorBase = product if out is None else out.resize_(product.shape).copy_(product)
    return written


# --- Along the last dimension


@schema("linalg_vander(Tensor x, *, int? N=None)", place="linalg")
def vander(x: Any, *, N: Any = None) -> TensorBase:
    """Return the powers 0 to N - 1 of each element in a row.

    >>> import minigrad as mg
    >>> mg.linalg.vander(mg.tensor([1, 2, 3]))
    tensor([[1, 1, 1],
            [1, 2, 4],
            [1, 3, 9]])
    """
    array = x._array
    if array.dtype.kind == "b" or array.dtype == np.float16:
        wanted = "supports floating point, complex, and integer tensors, but got"
        raise RuntimeError(f"linalg.vander {wanted} {type_word(array.dtype)}")
    count = (array.shape[-1] if array.ndim else 1) if N is None else whole_number(N)
    if count <= 1:
        raise RuntimeError("N must be greater than 1.")
    shape = (*array.shape, count - 1)
    powers: Any = cumprod(expand(unsqueeze(x, -1), shape), -1)
    ones = new_tensor(np.ones_like(powers._array, shape=(*array.shape, 1)))
    found: TensorBase = cat([ones, powers], -1)
    return found


class PowerMethods(TensorBase):
    """The methods of this file."""

    matrix_exp, matrix_power = matrix_exp.method, matrix_power.method
