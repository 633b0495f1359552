"""Sums of products over chosen dimensions: inner, vdot, tensordot; and all products: kron.

They are composed as PyTorch composes them: both tensors become matrices, which are multiplied.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...arrays.messages import type_word
from ...core.node import TensorBase
from ...core.operation import apply
from ..pointwise.arithmetic import mul
from ..public.dims import whole_number, wrap_dim
from ..public.functions import schema
from ..public.overriding import asking
from ..reductions.reductions import check_linalg
from ..reductions.reductions import sum as sum_of
from ..shapes.shapes import UnsafeViewBackward0, permute, reshape, squeeze
from .matrix import DotBackward0, check_vectors, dot, mm


class VdotBackward0(DotBackward0):
    """The inner product of two vectors, of which PyTorch conjugates the first."""

    inputs = ("self", "other")
    saves = {"self": 1, "other": 0}


@schema("vdot(Tensor input, Tensor other, *, Tensor out=None)")
def vdot(input: Any, other: Any) -> TensorBase:
    """Return the inner product of two vectors.

    >>> import minigrad as mg
    >>> mg.vdot(mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0]))
    tensor(11.)
    """
    check_vectors(input._array, other._array)
    return apply(VdotBackward0, input, other)


@schema("inner(Tensor input, Tensor other, *, Tensor out=None)")
def inner(input: Any, other: Any) -> Any:
    """Return the sums of products over the last dimension of both.

    >>> import minigrad as mg
    >>> mg.inner(mg.tensor([[1, 2], [3, 4]]), mg.tensor([1, 10]))
    tensor([21, 43])
    """
    a, b = input._array, other._array
    if not a.ndim or not b.ndim:
        return mul(input, other)
    if a.shape[-1] != b.shape[-1]:
        shapes = f"but got shapes {list(a.shape)} and {list(b.shape)}"
        raise RuntimeError(f"inner() the last dimension must match on both input tensors {shapes}")
    return contract(input, other, [-1], [-1])


@asking
def tensordot(a: Any, b: Any, dims: Any = 2, out: Any = None) -> TensorBase:
    """Return the sums of products over the last `dims` dimensions of `a` and the first of `b`.

    Or over the dimensions that two lists name.

    >>> import minigrad as mg
    >>> mg.tensordot(mg.ones(2, 3, 4), mg.ones(4, 3), dims=([1, 2], [1, 0]))
    tensor([12., 12.])
    """
    for one in (a, b):
        if not isinstance(one, TensorBase):
            raise AttributeError(f"{type(one).__name__!r} object has no attribute 'dim'")
    if isinstance(dims, TensorBase):
        dims = dims.tolist()  # type: ignore[attr-defined]
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a._array.ndim, b._array.ndim):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        dims = range(-dims, 0), range(dims)
    elif not isinstance(dims, (tuple, list)):
        wanted = "int or tuple[list[int], list[int]] or list[list[int]] containing two lists"
        raise RuntimeError(f"tensordot expects dims to be {wanted}, but got dims={dims}")
    for place, each in enumerate(dims):
        if isinstance(each, int):
            name = ("self", "other")[place]
            wanted = f"argument 'dims_{name}' (position {place + 3}) must be tuple of ints, not int"
            raise TypeError(f"tensordot(): {wanted}")
    product: Any = contract(a, b, *dims)
    found: TensorBase = product if out is None else out.resize_(product.shape).copy_(product)
    return found


def contract(a: Any, b: Any, dims_a: Sequence[int], dims_b: Sequence[int]) -> Any:
    """Return the sums of products over pairs of dimensions.

    Raises:
        RuntimeError: the dimensions do not fit each other.
    """
    if len(dims_a) != len(dims_b):
        raise RuntimeError("both dimension lists should have same length")
    if a._array.dtype != b._array.dtype:
        raise RuntimeError("both inputs should have same dtype")
    for one, other in zip(dims_a, dims_b, strict=True):
        m, n = a._array.shape[one], b._array.shape[other]
        if m != n and 1 not in (m, n):
            raise RuntimeError(
                "contracted dimensions need to match, but first has size "
                f"{m} in dim {one} and second has size {n} in dim {other}"
            )
        if m != n and m == 1:
            b = sum_of(b, other, keepdim=True)
        elif m != n:
            a = sum_of(a, one, keepdim=True)
    left, right = axes_of(dims_a, a), axes_of(dims_b, b)
    free_a = [axis for axis in range(a._array.ndim) if axis not in left]
    free_b = [axis for axis in range(b._array.ndim) if axis not in right]
    sizes = [a._array.shape[axis] for axis in free_a], [b._array.shape[axis] for axis in free_b]
    count = math.prod(a._array.shape[axis] for axis in left)
    a, b = permute(a, [*free_a, *left]), permute(b, [*right, *free_b])
    if not free_a and not free_b:
        return reshape(whole(a, b), [])
    rows, columns = map(math.prod, sizes)
    product = mm.body(reshape(a, [rows, count]), reshape(b, [count, columns]))
    return reshape(product, [*sizes[0], *sizes[1]])


def whole(a: Any, b: Any) -> Any:
    """Return the sum of all products, computed by `dot` where both lie in memory in order."""
    if a._array.flags.c_contiguous and b._array.flags.c_contiguous:
        return dot.body(*[x if x._array.ndim == 1 else reshape(x, [-1]) for x in (a, b)])
    return sum_of(mul(squeeze(a), squeeze(b)))


def axes_of(dims: Sequence[int], tensor: TensorBase) -> list[int]:
    """Return the axes, none of which may be named twice."""
    axes = [wrap_dim(dim, tensor._array.ndim) for dim in dims]
    for place, axis in enumerate(axes):
        if axis in axes[:place]:
            raise RuntimeError(f"dim {axis} appears multiple times in the list of dims")
    return axes


@schema("kron(Tensor input, Tensor other, *, Tensor out=None)")
def kron(input: Any, other: Any) -> Any:
    """Return the Kronecker product: `other` times each element of `input`, in a block each.

    >>> import minigrad as mg
    >>> mg.kron(mg.tensor([[1, 10]]), mg.tensor([[1], [2]]))
    tensor([[ 1, 10],
            [ 2, 20]])
    """
    a, b = input._array.shape, other._array.shape
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    outer = [size for each in a for size in (each, 1)]
    inner = [size for each in b for size in (1, each)]
    one, two = (
        apply(UnsafeViewBackward0, each, tuple(shape))
        for each, shape in ((input, outer), (other, inner))
    )
    shape = tuple([m * n for m, n in zip(a, b, strict=True)])
    return apply(UnsafeViewBackward0, mul(one, two), shape)


@schema("linalg_vecdot(Tensor x, Tensor y, *, int dim=-1, Tensor out=None)", place="linalg")
def vecdot(x: Any, y: Any, *, dim: Any = -1) -> Any:
    """Return the inner products of vectors along `dim`.

    >>> import minigrad as mg
    >>> mg.linalg.vecdot(mg.tensor([[1.0, 2.0], [3.0, 4.0]]), mg.tensor([1.0, 10.0]))
    tensor([21., 43.])
    """
    dim, a, b = whole_number(dim), x._array, y._array
    check_linalg("vecdot", a.dtype)
    if a.dtype != b.dtype:
        found = f"found x of type {type_word(a.dtype)} and y of type {type_word(b.dtype)} instead"
        raise RuntimeError(f"linalg.vecdot: Expected x and y to have the same dtype, but {found}")
    if a.ndim == 1 == b.ndim:
        return vdot.body(x, y)
    return sum_of(mul(x, y), dim)


class ContractionMethods(TensorBase):
    """The methods of this file."""

    vdot, inner, kron = vdot.method, inner.method, kron.method
