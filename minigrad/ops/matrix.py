"""Matrix products. `matmul` is not an operation: it decomposes into the same ones as PyTorch's, by
the operands' ranks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtypes import dtype_of
from ..graph import TensorBase
from ..operation import Operation, apply
from .shapes import SqueezeBackward4, UnsafeViewBackward0, expand, reshape, unsqueeze


def transposed(matrix: Any) -> Any:
    """The last two dimensions exchanged, of an array or a Tensor."""
    return matrix.swapaxes(-2, -1)


class MmBackward0(Operation):
    """Matrix times matrix."""

    inputs = ("self", "mat2")
    saves = {"self": 1, "mat2": 0}
    rule = r"\bar A = G \, B^T, \qquad \bar B = A^T \, G"
    forward = np.matmul

    def backward(ctx, g: Any) -> Any:
        self, mat2 = ctx.saved
        return (
            g @ transposed(mat2) if ctx.needs(0) else None,
            transposed(self) @ g if ctx.needs(1) else None,
        )


class BmmBackward0(MmBackward0):
    """A batch of matrix products."""


class MvBackward0(Operation):
    """Matrix times vector."""

    inputs = ("self", "vec")
    saves = {"self": 1, "vec": 0}
    rule = r"\bar A = g \, x^T, \qquad \bar x = A^T g"
    forward = np.matmul

    def backward(ctx, g: Any) -> Any:
        self, vec = ctx.saved
        return (
            g.reshape(-1, 1) * vec if ctx.needs(0) else None,
            transposed(self) @ g if ctx.needs(1) else None,
        )


class DotBackward0(Operation):
    """The inner product of two vectors."""

    inputs = ("self", "tensor")
    saves = {"self": 1, "tensor": 0}
    rule = r"\bar a = g \cdot b, \qquad \bar b = g \cdot a"
    forward = np.dot

    def backward(ctx, g: Any) -> Any:
        self, tensor = ctx.saved
        return (g * tensor if ctx.needs(0) else None, g * self if ctx.needs(1) else None)


# --- Public functions


def same_type(name: str, a: Any, b: Any) -> None:
    """A matrix product does not promote types."""
    if a._array.dtype is not b._array.dtype and a._array.dtype != b._array.dtype:
        if name == "dot":
            first, second = (dtype_of(x._array).tensor_class.removesuffix("Tensor") for x in (a, b))
            raise RuntimeError(
                f"dot : expected both vectors to have same dtype, but found {first} and {second}"
            )
        kinds = [dtype_of(x._array).name for x in (a, b)]
        kinds = [
            {"float32": "float", "float64": "double", "int64": "long int"}.get(k, k) for k in kinds
        ]
        raise RuntimeError(
            f"expected m1 and m2 to have the same dtype, but got: {kinds[0]} != {kinds[1]}"
        )


def check_tensors(name: str, *tensors: tuple[str, Any]) -> None:
    for place, (argument, value) in enumerate(tensors, 1):
        if not isinstance(value, TensorBase):
            raise TypeError(
                f"{name}(): argument '{argument}' (position {place}) must be Tensor, "
                f"not {type(value).__name__}"
            )


def mm(input: Any, mat2: Any) -> Any:
    """Matrix product of two matrices [n, k] and [k, m]."""
    check_tensors("mm", ("input", input), ("mat2", mat2))
    if input.ndim != 2:
        raise RuntimeError("self must be a matrix")
    if mat2.ndim != 2:
        raise RuntimeError("mat2 must be a matrix")
    (n, k), (k2, m) = input._array.shape, mat2._array.shape
    if k != k2:
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({n}x{k} and {k2}x{m})")
    same_type("mm", input, mat2)
    return apply(MmBackward0, input, mat2)


def mv(input: Any, vec: Any) -> Any:
    """Product of a matrix [n, m] and a vector [m]."""
    check_tensors("mv", ("input", input), ("vec", vec))
    if input.ndim != 2 or vec.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {input.ndim}, {vec.ndim}")
    if input._array.shape[1] != vec._array.shape[0]:
        n, m = input._array.shape
        raise RuntimeError(f"size mismatch, got input ({n}), mat ({n}x{m}), vec ({len(vec)})")
    same_type("mv", input, vec)
    return apply(MvBackward0, input, vec)


def dot(input: Any, tensor: Any) -> Any:
    """The inner product of two vectors.

    >>> import minigrad as mg
    >>> mg.dot(mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0]))
    tensor(11.)
    """
    check_tensors("dot", ("input", input), ("tensor", tensor))
    if input.ndim != 1 or tensor.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {input.ndim}D and {tensor.ndim}D tensors")
    same_type("dot", input, tensor)
    if len(input) != len(tensor):
        raise RuntimeError(
            "inconsistent tensor size, expected tensor "
            f"[{len(input)}] and src [{len(tensor)}] to have the same number of elements, but got "
            f"{len(input)} and {len(tensor)} elements respectively"
        )
    return apply(DotBackward0, input, tensor)


def bmm(input: Any, mat2: Any) -> Any:
    """A batch of matrix products: [b, n, k] and [b, k, m]."""
    check_tensors("bmm", ("input", input), ("mat2", mat2))
    if input.ndim != 3 or mat2.ndim != 3:
        which = "batch1" if input.ndim != 3 else "batch2"
        raise RuntimeError(f"{which} must be a 3D tensor")
    b, _, k = input._array.shape
    if mat2._array.shape[:2] != (b, k):
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{b}, {k}] but got: "
            f"{list(mat2._array.shape[:2])}."
        )
    same_type("bmm", input, mat2)
    return apply(BmmBackward0, input, mat2)


def matmul(input: Any, other: Any) -> Any:
    """The product that `@` writes, by the ranks of the operands.

    Vector and vector: `dot`. Matrix and vector: `mv`. Vector and matrix: the vector as a row. Two
    matrices: `mm`. More dimensions: a batch of matrix products, the leading dimensions broadcast
    together.
    """
    check_tensors("matmul", ("input", input), ("other", other))
    left, right = input.ndim, other.ndim
    if left == 2 and right == 2:
        return mm(input, other)
    if left == 1 and right == 1:
        return dot(input, other)
    if left == 2 and right == 1:
        return mv(input, other)
    if left == 1 and right == 2:
        return apply(SqueezeBackward4, mm(unsqueeze(input, 0), other), 0)
    if left == 0 or right == 0:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {left}D and {right}D"
        )
    if left >= 3 and right <= 2:
        # The batch is one tall matrix.
        shape = input._array.shape
        tall = reshape(input, math.prod(shape[:-1]), shape[-1])
        product = mv(tall, other) if right == 1 else mm(tall, other)
        size = shape[:-1] if right == 1 else (*shape[:-1], other._array.shape[-1])
        return apply(UnsafeViewBackward0, product, size)
    if left == 1:
        return matmul(unsqueeze(input, 0), other).squeeze(-2)
    return batched(input, other)


def batched(input: Any, other: Any) -> Any:
    """`matmul` where the second operand has a batch of matrices."""
    a, b = input._array.shape, other._array.shape
    try:
        batch = np.broadcast_shapes(a[:-2], b[:-2])
    except ValueError:
        raise RuntimeError(
            f"The size of tensor a ({a[-3]}) must match the size of tensor b ({b[-3]}) at "
            "non-singleton dimension 0"
        ) from None
    count = math.prod(batch)
    left = reshape(expand(input, *batch, *a[-2:]), count, *a[-2:])
    right = reshape(expand(other, *batch, *b[-2:]), count, *b[-2:])
    return apply(UnsafeViewBackward0, bmm(left, right), (*batch, a[-2], b[-1]))


class MatrixMethods(TensorBase):
    """The operators and methods of this file."""

    mm = mm
    mv = mv
    dot = dot
    bmm = bmm
    matmul = matmul

    def __matmul__(self, other: Any) -> Any:
        return matmul(self, other) if isinstance(other, TensorBase) else NotImplemented

    def __rmatmul__(self, other: Any) -> Any:
        return matmul(other, self) if isinstance(other, TensorBase) else NotImplemented
