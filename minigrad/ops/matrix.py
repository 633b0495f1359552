"""Products of vectors and matrices.

`matmul`, `linear` and their kin are not operations: they decompose into the same ones as PyTorch's,
by the operands' ranks.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..arrays.devices import check_one_device
from ..arrays.words import c_name, check_not_bool, check_same_type, check_tensors
from ..core.broadcasting import broadcasts_to
from ..core.node import TensorBase
from ..core.operation import Operation, apply, record
from ..core.views import apply_view, requires_grad
from .arithmetic import mul
from .dims import common_shape
from .shapes import (
    SqueezeBackward4,
    TBackward0,
    UnsafeViewBackward0,
    ViewBackward0,
    expand,
    reshape,
    squeeze,
    t,
    transpose,
    unsqueeze,
    view,
)


def transposed(matrix: Any) -> Any:
    """The transpose of a matrix, array or Tensor."""
    return apply_view(TBackward0, matrix) if isinstance(matrix, TensorBase) else matrix.T


def swapped(batch: Any) -> Any:
    """The last two dimensions exchanged, of an array or a Tensor."""
    return batch.swapaxes(-2, -1)


def times(a: Any, b: Any) -> Any:
    """The product of two matrices, arrays or Tensors.

    Of arrays with `dot`, which starts before `@` does, and multiplies a column by a row (the
    weights' gradient of a single example) ten times as fast.
    """
    return mm(a, b) if isinstance(a, TensorBase) else a.dot(b)  # type: ignore[arg-type]


def mm_gradients(ctx: Any, g: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """The gradients of the factors of a product; each is saved only if the other's is needed.

    That of a factor which lies column by column, like the transposed weights of a linear layer, is
    made to lie in the same way.
    """
    wrt_a = wrt_b = None
    if b is not None:
        if by_column(ctx, 0):
            wrt_a = transposed(times(b, transposed(g)))
        else:
            wrt_a = times(g, transposed(b))
    if a is not None:
        if by_column(ctx, 1):
            wrt_b = transposed(times(transposed(g), a))
        else:
            wrt_b = times(transposed(a), g)
    return wrt_a, wrt_b


def by_column(ctx: Any, factor: int) -> bool:
    """Whether the elements of a column of factor 0 or 1 lie side by side in memory."""
    down, across = ctx.args[ctx.strides_at[factor]]
    node, index = ctx.next_functions[factor - 2]
    shape, dtype = node._outputs[index]
    return bool(down == dtype.itemsize and across == down * shape[0])


class MmBackward0(Operation):
    """Matrix times matrix."""

    saves = {"mat2": 0, "self": 1}  # each factor, if the gradient of the other one is needed
    strides_at = (0, 1)
    rule = r"\bar A = G \, B^T, \qquad \bar B = A^T \, G"

    def forward(self: Any, mat2: Any, /, _self_strides: Any = (), _mat2_strides: Any = ()) -> Any:
        return self.dot(mat2)

    def backward(ctx, g: Any) -> Any:
        mat2, self = ctx.saved
        return mm_gradients(ctx, g, self, mat2)


class BmmBackward0(Operation):
    """A batch of matrix products."""

    inputs = ("self", "mat2")
    saves = {"mat2": 0, "self": 1}
    rule = r"\bar A_i = G_i \, B_i^T, \qquad \bar B_i = A_i^T \, G_i"
    forward = np.matmul

    def gradient(g: Any, mat2: Any, self: Any) -> Any:
        product = BmmBackward0.on
        return lambda: product(g, swapped(mat2)), lambda: product(swapped(self), g)


class MvBackward0(Operation):
    """Matrix times vector."""

    inputs = ("self", "vec")
    saves = {"self": 1, "vec": 0}
    rule = r"\bar A = g \, x^T, \qquad \bar x = A^T g"
    forward = np.dot

    def gradient(g: Any, self: Any, vec: Any) -> Any:
        return lambda: g.reshape(-1, 1) * vec, lambda: MvBackward0.on(transposed(self), g)


class DotBackward0(Operation):
    """The inner product of two vectors."""

    inputs = ("self", "tensor")
    saves = {"self": 1, "tensor": 0}
    rule = r"\bar a = g \cdot b, \qquad \bar b = g \cdot a"
    forward = np.dot

    def backward(ctx, g: Any) -> Any:
        self, tensor = ctx.saved  # each only if the other's gradient is needed
        if isinstance(g, np.generic):
            g = np.asarray(g)  # times a vector, a NumPy scalar takes twice as long as an array
        return (None if tensor is None else g * tensor, None if self is None else g * self)


def scaled_sum(base: Any, product: Any, beta: Any, alpha: Any) -> Any:
    """beta * base + alpha * product, written over `product`. With beta = 0, what is in `base` does
    not matter, not even nan."""
    if alpha != 1:
        product = product * alpha
    if beta == 0:
        return product
    product += base if beta == 1 else base * beta
    return product


class AddmmBackward0(Operation):
    """beta * self + alpha * mat1 @ mat2: what a linear layer computes."""

    inputs = ("self", "mat1", "mat2")
    params = ("beta", "alpha", "_mat1_strides", "_mat2_strides")
    saves = {"mat1": 2, "mat2": 1}
    strides_at = (2, 3)
    rule = (
        r"\bar C = \beta \, G, \qquad \bar A = \alpha \, G \, B^T, \qquad "
        r"\bar B = \alpha \, A^T \, G"
    )

    def forward(self: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any, *strides: Any) -> Any:
        return scaled_sum(self, mat1.dot(mat2), beta, alpha)

    def backward(ctx, g: Any) -> Any:
        beta, alpha = ctx.args[:2]
        factors: tuple[Any, ...] = mm_gradients(ctx, g, *ctx.saved)
        if alpha != 1:
            factors = tuple([None if each is None else each * alpha for each in factors])
        return g if beta == 1 else g * beta, *factors


# --- Checks of arguments: a matrix product does not promote types


def check_shapes(a: Any, b: Any) -> None:
    (n, k), (k2, m) = a.shape, b.shape
    if k != k2:
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({n}x{k} and {k2}x{m})")


def check_batches(batch1: Any, batch2: Any) -> None:
    for name, batch in (("batch1", batch1), ("batch2", batch2)):
        if batch._array.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    b, _, k = batch1._array.shape
    given = batch2._array.shape[:2]
    if given != (b, k):
        wanted = f"Expected size for first two dimensions of batch2 tensor to be: [{b}, {k}]"
        raise RuntimeError(f"{wanted} but got: {list(given)}.")
    check_same_type(batch1._array, batch2._array, "expected scalar type {} but found {}")
    check_not_bool("baddbmm", batch1._array.dtype)


def check_vectors(input: TensorBase, tensor: Any) -> None:
    a, b = input._array, tensor._array
    if a.ndim != 1 or b.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {a.ndim}D and {b.ndim}D tensors")
    check_same_type(a, b, "dot : expected both vectors to have same dtype, but found {} and {}")
    if a.size != b.size:
        wanted = (
            f"expected tensor [{a.size}] and src [{b.size}] to have the same number of elements"
        )
        raise RuntimeError(f"inconsistent tensor size, {wanted}")
    check_not_bool("dot", a.dtype)


# --- Public functions: products


def mm(input: TensorBase, mat2: TensorBase) -> TensorBase:
    """Matrix product of two matrices [n, k] and [k, m].

    >>> import minigrad as mg
    >>> mg.mm(mg.ones(2, 3), mg.ones(3, 1))
    tensor([[3.],
            [3.]])
    """
    try:
        a, b = input._array, mat2._array
        fine = a.ndim == 2 == b.ndim and a.shape[1] == b.shape[0] and a.dtype is b.dtype
    except AttributeError:
        fine = False
    if not fine or a.dtype.kind == "b":
        check_matrices(input, mat2)
    return record(MmBackward0, (input, mat2), (a.strides, b.strides), a.dot(b))


def check_matrices(input: TensorBase, mat2: Any) -> None:
    """Raise PyTorch's errors for what `mm` cannot multiply."""
    check_tensors("mm", ("input", input), ("mat2", mat2))
    a, b = input._array, mat2._array
    for name, matrix in (("self", a), ("mat2", b)):
        if matrix.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix")
    check_shapes(a, b)
    message = "expected m1 and m2 to have the same dtype, but got: {} != {}"
    check_same_type(a, b, message, c_name)
    check_not_bool("addmm_impl_cpu_", a.dtype)


def mv(input: TensorBase, vec: TensorBase) -> TensorBase:
    """Product of a matrix [n, m] and a vector [m]."""
    check_tensors("mv", ("input", input), ("vec", vec))
    a, x = input._array, vec._array
    if (a.ndim, x.ndim) != (2, 1):
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {a.ndim}, {x.ndim}")
    (n, m), (length,) = a.shape, x.shape
    if m != length:
        raise RuntimeError(f"size mismatch, got input ({n}), mat ({n}x{m}), vec ({length})")
    check_same_type(x, a, "addmv input tensors must have the same dtype, but got {} and {}")
    return apply(MvBackward0, input, vec)


def dot(input: TensorBase, tensor: Any) -> TensorBase:
    """The inner product of two vectors.

    >>> import minigrad as mg
    >>> mg.dot(mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0]))
    tensor(11.)
    """
    try:
        a, b = input._array, tensor._array
        fine = a.ndim == 1 == b.ndim and a.size == b.size and a.dtype is b.dtype
    except AttributeError:
        fine = False
    if not fine or a.dtype.kind == "b":
        check_tensors("dot", ("input", input), ("tensor", tensor))
        check_vectors(input, tensor)
    return record(DotBackward0, (input, tensor), (), a.dot(b))


def bmm(input: TensorBase, mat2: TensorBase) -> TensorBase:
    """A batch of matrix products: [b, n, k] and [b, k, m] give [b, n, m]."""
    check_tensors("bmm", ("input", input), ("mat2", mat2))
    check_batches(input, mat2)
    return apply(BmmBackward0, input, mat2)


def outer(input: TensorBase, vec2: Any) -> TensorBase:
    """Every product of an element of one vector with one of the other: [n] and [m] give [n, m]."""
    check_tensors("outer", ("input", input), ("vec2", vec2))
    for name, vector in (("self", input), ("vec2", vec2)):
        rank = vector._array.ndim
        if rank != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {rank}-D")
    return mul(reshape(input, (-1, 1)) if input._array.size else view(input, (0, 1)), vec2)


def addmm(
    input: TensorBase, mat1: TensorBase, mat2: TensorBase, *, beta: Any = 1, alpha: Any = 1
) -> TensorBase:
    """beta * input + alpha * mat1 @ mat2; `input` is broadcast to the product's shape."""
    try:
        a, b, c = mat1._array, mat2._array, input._array
        fine = (
            a.ndim == 2 == b.ndim
            and a.shape[1] == b.shape[0]
            and c.shape == b.shape[1:]
            and a.dtype is b.dtype is c.dtype
            and a.dtype.kind == "f"
        )
    except AttributeError:
        fine = False
    if not fine:
        check_addmm(input, mat1, mat2)
        beta, alpha = fitting(beta, a), fitting(alpha, a)
    try:
        value = scaled_sum(c, a.dot(b), beta, alpha)
    except TypeError:
        check_one_device((c, a, b))
        raise
    params = (beta, alpha, a.strides, b.strides)
    return record(AddmmBackward0, (input, mat1, mat2), params, value)


def check_addmm(input: TensorBase, mat1: Any, mat2: Any) -> None:
    """Raise PyTorch's errors for what `addmm` cannot multiply or add."""
    check_tensors("addmm", ("input", input), ("mat1", mat1), ("mat2", mat2))
    a, b = mat1._array, mat2._array
    for name, matrix in (("mat1", a), ("mat2", b)):
        if matrix.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix, got {matrix.ndim}-D tensor")
    check_shapes(a, b)
    shape = a.shape[0], b.shape[1]
    if not broadcasts_to(input._array.shape, shape):
        expand(input, shape)  # the error that it raises
    check_same_type(input._array, b, "self and mat2 must have the same dtype, but got {} and {}")
    check_same_type(a, b, "mat1 and mat2 must have the same dtype, but got {} and {}")
    check_not_bool("addmm_impl_cpu_", a.dtype)


def fitting(factor: Any, array: Any) -> Any:
    """A factor of integers is an integer."""
    return factor if array.dtype.kind == "f" else int(factor)


# --- Public functions: what is made of them


def matmul(input: TensorBase, other: Any) -> TensorBase:
    """The product that `@` writes, by the ranks of the operands.

    Vector and vector: `dot`. Matrix and vector: `mv`. Vector and matrix: the vector as a row. Two
    matrices: `mm`. More dimensions: a batch of matrix products, the leading dimensions broadcast
    together.

    >>> import minigrad as mg
    >>> mg.matmul(mg.ones(5, 2, 3), mg.ones(3, 4)).shape
    torch.Size([5, 2, 4])
    """
    try:
        left, right = input._array.ndim, other._array.ndim
    except AttributeError:
        check_tensors("matmul", ("input", input), ("other", other))
        raise
    if type(input._array) is not type(other._array):
        check_one_device((input._array, other._array))
    if left == 2 and right == 2:
        return mm(input, other)
    if left == 1 and right == 1:
        return dot(input, other)
    if left == 2 and right == 1:
        return mv(input, other)
    if left == 1 and right == 2:
        row = apply(SqueezeBackward4, mm(unsqueeze(input, 0), other), 0)
        row.version_counter().value += 1  # PyTorch squeezes the product in place: a write
        return row
    if left == 0 or right == 0:
        ranks = f"{left}D and {right}D"
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {ranks}")
    if can_be_tall(input, other):
        if left >= right:
            return tall(input, other)
        product = tall(transpose(other, -2, -1), t(input) if left == 2 else input)
        return transpose(product, -2, -1).contiguous() if left == 2 else product
    return batched(input, other)


def can_be_tall(input: TensorBase, other: Any) -> bool:
    """Whether the larger operand is to be taken as one tall matrix, and not as a batch.

    It saves memory where the smaller one requires grad: as a batch, the smaller one would be
    repeated for each matrix, and so would its gradient. Else it must not cost a copy.
    """
    left, right = input._array.ndim, other._array.ndim
    if max(left, right) < 3 or min(left, right) > 2:
        return False
    if requires_grad(other if left >= right else input):
        return True
    if left == 2:
        return False
    large = input._array if left >= right else np.swapaxes(other._array, -2, -1)
    steps, sizes = large.strides, large.shape
    in_one_piece = all(steps[i] == steps[i + 1] * sizes[i + 1] for i in range(large.ndim - 2))
    return bool(large.size == 0 or in_one_piece)


def tall(large: Any, small: Any) -> TensorBase:
    """The batch `large` as one tall matrix, times the matrix or vector `small`."""
    shape = large._array.shape
    matrix = reshape(large, (math.prod(shape[:-1]), shape[-1]))
    if small._array.ndim == 1:
        return apply(UnsafeViewBackward0, mv(matrix, small), shape[:-1])
    product = mm(matrix, small)
    return apply(UnsafeViewBackward0, product, (*shape[:-1], small._array.shape[1]))


def batched(input: TensorBase, other: Any) -> TensorBase:
    """Both operands as batches of matrices, broadcast together."""
    a, b = input._array.shape, other._array.shape
    if len(a) == len(b) == 3 and a[0] != b[0]:
        # One matrix for the whole batch: see `can_be_tall`.
        if a[0] == 1 and requires_grad(input):
            return matmul(squeeze(input, 0), other)
        if b[0] == 1 and requires_grad(other):
            return matmul(input, squeeze(other, 0))
    batch = common_shape(a[:-2], b[:-2])
    count = math.prod(batch)
    rows, inner = (1, *a)[-2:]
    left = reshape(expand(input, (*batch, rows, inner)), (count, rows, inner))
    if len(b) == 1:
        right = unsqueeze(reshape(expand(other, (*batch, *b)), (count, *b)), 2)
        product = squeeze(bmm(left, right), -1)
    else:
        right = reshape(expand(other, (*batch, *b[-2:])), (count, *b[-2:]))
        product = bmm(left, right)
    return apply(UnsafeViewBackward0, product, (*batch, *a[-2:-1], *b[1:][-1:]))


def linear(input: TensorBase, weight: TensorBase, bias: TensorBase | None = None) -> TensorBase:
    """input @ weight.T + bias: a fully connected layer.

    Args:
        input: [..., in_features]
        weight: [out_features, in_features], or [in_features]
        bias: [out_features]
    """
    try:
        rank, columns = input._array.ndim, weight._array.ndim
    except AttributeError:
        check_tensors("linear", ("input", input), ("weight", weight))
        raise
    if rank == 0 or columns == 0:
        ranks = f"{rank}D and {columns}D"
        raise RuntimeError(f"both arguments to linear need to be at least 1D, but they are {ranks}")
    if bias is None:
        return matmul(input, t(weight))
    if not isinstance(bias, TensorBase):
        check_tensors("linear", ("input", input), ("weight", weight), ("bias", bias))
    if rank == 2:
        return addmm(bias, input, t(weight))
    shape, fusable = input._array.shape, bias._array
    one_row = fusable.size == (fusable.shape or (1,))[-1] and fusable.flags.c_contiguous
    if one_row and input._array.flags.c_contiguous:
        matrix = view(input, (math.prod(shape[:-1]), shape[-1]))
        product = addmm(bias, matrix, t(weight))
        return apply_view(ViewBackward0, product, (*shape[:-1], product._array.shape[1]))
    return matmul(input, t(weight)).add_(bias)


class MatrixMethods(TensorBase):
    """The operators and methods of this file."""

    mm, mv, dot, bmm, outer, addmm, matmul = mm, mv, dot, bmm, outer, addmm, matmul

    def __matmul__(self: Any, other: Any) -> TensorBase:
        return matmul(self, other) if isinstance(other, TensorBase) else NotImplemented

    def __rmatmul__(self, other: Any) -> Any:
        return matmul(other, self) if isinstance(other, TensorBase) else NotImplemented  # type: ignore[arg-type]
