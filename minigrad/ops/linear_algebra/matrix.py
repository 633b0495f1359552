"""Products of vectors and matrices.

`matmul`, `linear` and some others are not operations: they decompose as PyTorch's do, by the
operands' ranks.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays.devices import check_one_device
from ...arrays.messages import c_name, check_not_bool, check_same_type, type_word
from ...core.broadcasting import broadcasts_to
from ...core.edges import Edge
from ...core.modes import modes, rare
from ...core.node import TensorBase, gradient_edge
from ...core.operation import Operation, apply, attach
from ...core.saved import NUMBERS
from ...core.views import apply_view, requires_grad
from ..pointwise.arithmetic import mul
from ..public.arguments import number
from ..public.dims import common_shape, size_at
from ..public.factories import as_number
from ..public.functions import Function, Public, schema
from ..public.overriding import operator_answer, watchers
from ..shapes.copies import contiguous
from ..shapes.shapes import (
    ExpandBackward0,
    SqueezeBackward4,
    TBackward0,
    UnsafeViewBackward0,
    UnsqueezeBackward0,
    ViewBackward0,
    expand,
    reshape,
    reshape_checked,
    squeeze,
    t,
    transpose,
    unsqueeze,
    view,
)


def transpose_matrix(matrix: Any) -> Any:
    """Return the transpose of a matrix, array or Tensor."""
    return apply_view(TBackward0, matrix) if isinstance(matrix, TensorBase) else matrix.T


def swap_last(batch: Any) -> Any:
    """Exchange the last two dimensions of an array or a Tensor."""
    return batch.swapaxes(-2, -1)


def times(a: Any, b: Any) -> Any:
    """Multiply two matrices, arrays or Tensors.

    Arrays use `dot`, which starts faster than `@`. It multiplies a column by a row (the weights'
    gradient of a single example) ten times as fast.
    """
    return mm.body(a, b) if isinstance(a, TensorBase) else a.dot(b)


def mm_gradients(ctx: Any, g: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """Return the gradients of a product's factors; each is saved only if the other's is needed.

    The gradient of a column-major factor, such as transposed linear weights, is column-major too.
    """
    wrt_a = wrt_b = None
    if b is not None:
        if by_column(ctx, 0):
            wrt_a = transpose_matrix(times(b, transpose_matrix(g)))
        else:
            wrt_a = times(g, transpose_matrix(b))
    if a is not None:
        if by_column(ctx, 1):
            wrt_b = transpose_matrix(times(transpose_matrix(g), a))
        else:
            wrt_b = times(transpose_matrix(a), g)
    return wrt_a, wrt_b


def by_column(ctx: Any, factor: int) -> bool:
    """Return whether factor 0 or 1 is column-major in memory."""
    down, across = ctx.args[ctx.strides_at[factor]]
    if down > across > 0:
        return False  # row-major, the usual case
    edge = ctx._edges[factor - 2]
    node, index = edge if isinstance(edge, tuple) else (edge, 0)
    shape, dtype = node._outputs[index]
    return bool(down == dtype.itemsize and across == down * shape[0])


class MmBackward0(Operation):
    """Matrix times matrix."""

    saves = {"mat2": 0, "self": 1}  # each factor, if the other's gradient is needed
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
        return lambda: product(g, swap_last(mat2)), lambda: product(swap_last(self), g)


class MvBackward0(Operation):
    """Matrix times vector."""

    inputs = ("self", "vec")
    saves = {"self": 1, "vec": 0}
    rule = r"\bar A = g \, x^T, \qquad \bar x = A^T g"
    forward = np.dot

    def gradient(g: Any, self: Any, vec: Any) -> Any:
        return lambda: g.reshape(-1, 1) * vec, lambda: MvBackward0.on(transpose_matrix(self), g)


class DotBackward0(Operation):
    """The inner product of two vectors."""

    inputs = ("self", "tensor")
    saves = {"self": 1, "tensor": 0}
    rule = r"\bar a = g \cdot b, \qquad \bar b = g \cdot a"
    forward = np.dot

    def backward(ctx, g: Any) -> Any:
        self, tensor = ctx.saved  # each only if the other's gradient is needed
        if isinstance(g, np.generic):
            # NumPy multiplies a vector twice as fast by an array as by a scalar.
            g = g[...]  # type: ignore[index]
        return (None if tensor is None else g * tensor, None if self is None else g * self)


def scaled_sum(base: Any, product: Any, beta: Any, alpha: Any) -> Any:
    """Compute beta * base + alpha * product, written over `product`.

    With beta = 0 the elements of `base` do not matter, not even nan.
    """
    if alpha != 1:
        product = product * alpha
    if beta == 0:
        return product
    product += base if beta == 1 else base * beta
    return product


class AddmmBackward0(Operation):
    """beta * self + alpha * mat1 @ mat2: the computation of a linear layer."""

    inputs = ("self", "mat1", "mat2")
    params = ("beta", "alpha", "_mat1_strides", "_mat2_strides")
    saves = {"mat1": 2, "mat2": 1}
    strides_at = (2, 3)
    rule = (
        r"\bar C = \beta \, G, \qquad \bar A = \alpha \, G \, B^T, \qquad "
        r"\bar B = \alpha \, A^T \, G"
    )

    def forward(self: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any, *_: Any) -> Any:
        return scaled_sum(self, mat1.dot(mat2), beta, alpha)

    def backward(ctx, g: Any) -> Any:
        beta, alpha = ctx.args[:2]
        factors: tuple[Any, ...] = mm_gradients(ctx, g, *ctx.saved)
        if alpha != 1:
            factors = tuple([None if each is None else each * alpha for each in factors])
        return g if beta == 1 else g * beta, *factors


class BaddbmmBackward0(Operation):
    """beta * self + alpha * batch1 @ batch2, for a batch of matrices."""

    inputs = ("self", "batch1", "batch2")
    params = ("beta", "alpha")
    saves = {"batch1": 2, "batch2": 1}
    rule = (
        r"\bar C_i = \beta \, G_i, \qquad \bar A_i = \alpha \, G_i \, B_i^T, \qquad "
        r"\bar B_i = \alpha \, A_i^T \, G_i"
    )

    def forward(self: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> Any:
        return scaled_sum(self, np.matmul(batch1, batch2), beta, alpha)

    def gradient(g: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> Any:
        product = BmmBackward0.on
        return (
            lambda: g * beta,
            lambda: product(g, swap_last(batch2)) * alpha,
            lambda: product(swap_last(batch1), g) * alpha,
        )


# --- Checks of arguments: a matrix product does not promote types


def check_shapes(a: Any, b: Any) -> None:
    (n, k), (k2, m) = a.shape, b.shape
    if k != k2:
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({n}x{k} and {k2}x{m})")


def check_batches(a: Any, b: Any, kernel: str = "bmm") -> None:
    """Raise PyTorch's errors for batches that `kernel` cannot multiply."""
    for name, batch in (("batch1", a), ("batch2", b)):
        if batch.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    count, _, inner = a.shape
    given = b.shape[:2]
    if given != (count, inner):
        wanted = "Expected size for first two dimensions of batch2 tensor to be"
        raise RuntimeError(f"{wanted}: {[count, inner]} but got: {list(given)}.")
    check_not_bool(kernel, a.dtype)
    check_same_type(a, b, "expected scalar type {} but found {}")


def check_vectors(a: Any, b: Any) -> None:
    """Raise PyTorch's errors for operands that `dot` cannot multiply."""
    if a.ndim != 1 or b.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {a.ndim}D and {b.ndim}D tensors")
    check_same_type(a, b, "dot : expected both vectors to have same dtype, but found {} and {}")
    if a.size != b.size:
        wanted = f"expected tensor [{a.size}] and src [{b.size}] to have the same number of"
        found = f"elements, but got {a.size} and {b.size} elements respectively"
        raise RuntimeError(f"inconsistent tensor size, {wanted} {found}")
    check_not_bool("dot", a.dtype)


def check_matrices(a: Any, b: Any) -> None:
    """Raise PyTorch's errors for operands that `mm` cannot multiply."""
    for name, matrix in (("self", a), ("mat2", b)):
        if matrix.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix")
    check_shapes(a, b)
    message = "expected m1 and m2 to have the same dtype, but got: {} != {}"
    check_same_type(a, b, message, c_name)
    check_not_bool("addmm_impl_cpu_", a.dtype)


def check_addmm(input: TensorBase, a: Any, b: Any) -> None:
    """Raise PyTorch's errors for operands that `addmm` cannot multiply or add."""
    check_same_type(input._array, b, "self and mat2 must have the same dtype, but got {} and {}")
    check_same_type(a, b, "mat1 and mat2 must have the same dtype, but got {} and {}")
    for name, matrix in (("mat1", a), ("mat2", b)):
        if matrix.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix, got {matrix.ndim}-D tensor")
    check_shapes(a, b)
    shape = a.shape[0], b.shape[1]
    if not broadcasts_to(input._array.shape, shape):
        expand(input, shape)  # raises the error
    check_not_bool("addmm_impl_cpu_", a.dtype)


# --- Public functions: products


@schema(
    "mm(Tensor input, Tensor mat2, *, Tensor out=None)",
    "mm(Tensor input, Tensor mat2, dtype! out_dtype, *, Tensor out=None)",
)
def mm(input: Any, mat2: Any) -> TensorBase:
    """Multiply two matrices [n, k] and [k, m].

    >>> import minigrad as mg
    >>> mg.mm(mg.ones(2, 3), mg.ones(3, 1))
    tensor([[3.],
            [3.]])
    """
    a, b = input._array, mat2._array
    fine = a.ndim == 2 == b.ndim and a.shape[1] == b.shape[0] and a.dtype is b.dtype
    if not fine or a.dtype.kind == "b":
        check_matrices(a, b)
    edges: tuple[Edge, ...] = ()
    if modes.grad:
        edges = (input._edge or gradient_edge(input), mat2._edge or gradient_edge(mat2))
    value = MmBackward0.forward(a, b) if rare.used and modes.watch is not None else a.dot(b)
    return attach(MmBackward0, edges, (input, mat2, a.strides, b.strides), value)


@schema("mv(Tensor input, Tensor vec, *, Tensor out=None)")
def mv(input: Any, vec: Any) -> TensorBase:
    """Multiply a matrix [n, m] and a vector [m].

    >>> import minigrad as mg
    >>> mg.mv(mg.tensor([[1.0, 2.0], [3.0, 4.0]]), mg.tensor([1.0, 1.0]))
    tensor([3., 7.])
    """
    a, x = input._array, vec._array
    if not a.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if (a.ndim, x.ndim) != (2, 1):
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {a.ndim}, {x.ndim}")
    (n, m), (length,) = a.shape, x.shape
    if m != length:
        raise RuntimeError(f"size mismatch, got input ({n}), mat ({n}x{m}), vec ({length})")
    if a.dtype != x.dtype:
        types = f"{type_word(x.dtype)}, {type_word(a.dtype)}, and {type_word(x.dtype)}"
        raise RuntimeError(f"addmv input tensors must have the same dtype, but got {types}")
    check_not_bool("addmv_impl_cpu", a.dtype)
    return apply(MvBackward0, input, vec)


@schema("dot(Tensor input, Tensor tensor, *, Tensor out=None)")
def dot(input: Any, tensor: Any) -> TensorBase:
    """Return the inner product of two vectors.

    >>> import minigrad as mg
    >>> mg.dot(mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0]))
    tensor(11.)
    """
    a, b = input._array, tensor._array
    fine = a.ndim == 1 == b.ndim and a.size == b.size and a.dtype is b.dtype
    if not fine or a.dtype.kind == "b":
        check_vectors(a, b)
    edges: tuple[Edge, ...] = ()
    if modes.grad:
        edges = (input._edge or gradient_edge(input), tensor._edge or gradient_edge(tensor))
    value = DotBackward0.forward(a, b) if rare.used and modes.watch is not None else a.dot(b)
    return attach(DotBackward0, edges, (input, tensor), value)


@schema(
    "bmm(Tensor input, Tensor mat2, *, Tensor out=None)",
    "bmm(Tensor input, Tensor mat2, dtype! out_dtype, *, Tensor out=None)",
)
def bmm(input: Any, mat2: Any) -> TensorBase:
    """Multiply batches of matrices: [b, n, k] and [b, k, m] give [b, n, m].

    >>> import minigrad as mg
    >>> mg.bmm(mg.ones(5, 2, 3), mg.ones(5, 3, 4)).shape
    torch.Size([5, 2, 4])
    """
    check_batches(input._array, mat2._array)
    return apply(BmmBackward0, input, mat2)


@schema(
    "deprecated baddbmm(Scalar beta, Tensor input, Scalar alpha, Tensor batch1, Tensor batch2, *, "
    "Tensor out=None)",
    "deprecated baddbmm(Scalar beta, Tensor input, Tensor batch1, Tensor batch2, *, "
    "Tensor out=None)",
    "baddbmm(Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, "
    "Tensor out=None)",
    "baddbmm(Tensor input, Tensor batch1, Tensor batch2, dtype! out_dtype, *, Scalar beta=1, "
    "Scalar alpha=1, Tensor out=None)",
)
def baddbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> TensorBase:
    """Compute beta * input + alpha * batch1 @ batch2, for a batch of matrices."""
    c, a, b = input._array, batch1._array, batch2._array
    size_at(a.shape, 0), size_at(a.shape, 1), size_at(b.shape, 2)
    if c.dtype != a.dtype:
        names = ("input", "batch1", "batch2")
        found = ", ".join(
            f"{name}{':' * (x is not c)} {c_name(x.dtype)}"
            for name, x in zip(names, (c, a, b), strict=True)
        )
        raise RuntimeError(f"Input dtypes must be the same, got: {found}")
    check_batches(a, b, "baddbmm")
    shape = (*a.shape[:2], b.shape[2])
    if not broadcasts_to(c.shape, shape):
        expand(input, shape)  # raises the error
    return apply(BaddbmmBackward0, input, batch1, batch2, number(beta), number(alpha))


@schema("outer(Tensor input, Tensor vec2, *, Tensor out=None)")
def outer(input: Any, vec2: Any) -> TensorBase:
    """Multiply each element of one vector by each of the other: [n] and [m] give [n, m].

    >>> import minigrad as mg
    >>> mg.outer(mg.tensor([1, 2]), mg.tensor([3, 4]))
    tensor([[3, 4],
            [6, 8]])
    """
    for name, vector in (("self", input._array), ("vec2", vec2._array)):
        if vector.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {vector.ndim}-D")
    product: TensorBase = mul(
        reshape(input, (-1, 1)) if input._array.size else view(input, (0, 1)), vec2
    )
    return product


@schema(
    "deprecated addmm(Scalar beta, Tensor input, Scalar alpha, Tensor mat1, Tensor mat2, *, "
    "Tensor out=None)",
    "deprecated addmm(Scalar beta, Tensor input, Tensor mat1, Tensor mat2, *, Tensor out=None)",
    "addmm(Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, "
    "Tensor out=None)",
    "addmm(Tensor input, Tensor mat1, Tensor mat2, dtype! out_dtype, *, Scalar beta=1, "
    "Scalar alpha=1, Tensor out=None)",
)
def addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> TensorBase:
    """Compute beta * input + alpha * mat1 @ mat2; `input` is broadcast to the product's shape.

    >>> import minigrad as mg
    >>> mg.addmm(mg.tensor([1.0, 2.0]), mg.ones(2, 3), mg.ones(3, 2), alpha=0.5)
    tensor([[2.5000, 3.5000],
            [2.5000, 3.5000]])
    """
    a, b, c = mat1._array, mat2._array, input._array
    fine = (
        a.ndim == 2 == b.ndim
        and a.shape[1] == b.shape[0]
        and c.shape == b.shape[1:]
        and a.dtype is b.dtype is c.dtype
        and a.dtype.kind == "f"
    )
    if not fine:
        check_addmm(input, a, b)
    if type(beta) not in NUMBERS or type(alpha) not in NUMBERS or a.dtype.kind != "f":
        beta, alpha = as_factor(beta, a), as_factor(alpha, a)
    if rare.used and modes.watch is not None:
        value = AddmmBackward0.forward(c, a, b, beta, alpha)
    else:
        value = scaled_sum(c, a.dot(b), beta, alpha)
    edges: tuple[Edge, ...] = ()
    if modes.grad:
        edges = tuple([t._edge or gradient_edge(t) for t in (input, mat1, mat2)])
    args = (input, mat1, mat2, beta, alpha, a.strides, b.strides)
    return attach(AddmmBackward0, edges, args, value)


def as_factor(factor: Any, array: Any) -> Any:
    """Return a factor as a number; as an integer for an array of integers."""
    factor = as_number(factor, array.dtype)
    return factor if array.dtype.kind == "f" else int(factor)


# --- Public functions that combine products


@schema("matmul(Tensor input, Tensor other, *, Tensor out=None)")
def matmul(input: Any, other: Any) -> Any:
    """Multiply by the ranks of the operands, as `@` does.

    Vector and vector: `dot`. Matrix and vector: `mv`. Vector and matrix: the vector as a row. Two
    matrices: `mm`. More dimensions: a batch of matrix products, with leading dimensions broadcast.

    >>> import minigrad as mg
    >>> mg.matmul(mg.ones(5, 2, 3), mg.ones(3, 4)).shape
    torch.Size([5, 2, 4])
    """
    left, right = input._array.ndim, other._array.ndim
    if type(input._array) is not type(other._array):
        check_one_device((input._array, other._array))
    if left == 2 and right == 2:
        return mm.body(input, other)
    if left == 1 and right == 1:
        return dot.body(input, other)
    if left == 2 and right == 1:
        return mv.body(input, other)
    if left == 1 and right == 2:
        row = mm.body(apply_view(UnsqueezeBackward0, input, 0), other)
        row = apply(SqueezeBackward4, row, 0)
        row.version_counter().value += 1  # PyTorch squeezes the product in place: a write
        return row
    if left == 0 or right == 0:
        ranks = f"{left}D and {right}D"
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {ranks}")
    if can_be_tall(input, other):
        if left >= right:
            return tall(input, other)
        product = tall(transpose(other, -2, -1), t(input) if left == 2 else input)
        return contiguous(transpose(product, -2, -1)) if left == 2 else product
    return to_batches(input, other)


def can_be_tall(input: TensorBase, other: Any) -> bool:
    """Return whether the larger operand is treated as one tall matrix instead of a batch.

    This saves memory where the smaller one requires grad: a batch would repeat it, and its
    gradient, for each matrix. Otherwise it must not need a copy.
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
    """Multiply the batch `large`, as one tall matrix, by the matrix or vector `small`."""
    shape = large._array.shape
    matrix = reshape(large, (math.prod(shape[:-1]), shape[-1]))
    if small._array.ndim == 1:
        return apply(UnsafeViewBackward0, mv.body(matrix, small), shape[:-1])
    product = mm.body(matrix, small)
    return apply(UnsafeViewBackward0, product, (*shape[:-1], small._array.shape[1]))


def to_batches(input: TensorBase, other: Any) -> Any:
    """Return both operands as batches of matrices, broadcast together."""
    a, b = input._array.shape, other._array.shape
    if len(a) == len(b) == 3 and a[0] != b[0]:
        # One matrix for the whole batch: see `can_be_tall`.
        if a[0] == 1 and requires_grad(input):
            return matmul.body(squeeze(input, 0), other)
        if b[0] == 1 and requires_grad(other):
            return matmul.body(input, squeeze(other, 0))
    batch = common_shape(a[:-2], b[:-2])
    count = math.prod(batch)
    rows, inner = (1, *a)[-2:]
    left = in_batch(input, batch, count, (rows, inner))
    if len(b) == 1:
        right = unsqueeze(in_batch(other, batch, count, b), 2)
        product = squeeze(bmm.body(left, right), -1)
    else:
        right = in_batch(other, batch, count, b[-2:])
        product = bmm.body(left, right)
    return apply(UnsafeViewBackward0, product, (*batch, *a[-2:-1], *b[1:][-1:]))


def in_batch(
    tensor: TensorBase, batch: tuple[int, ...], count: int, each: tuple[int, ...]
) -> TensorBase:
    """Return `tensor` as `count` arrays of the shape `each`, broadcast over `batch`."""
    return reshape_checked(apply_view(ExpandBackward0, tensor, (*batch, *each)), (count, *each))


@schema(
    "linear(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor out=None)",
    place="nn.functional",
)
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """Compute input @ weight.T + bias: a fully connected layer.

    Args:
        input: [..., in_features]
        weight: [out_features, in_features], or [in_features]
        bias: [out_features]

    >>> import minigrad as mg
    >>> mg.nn.functional.linear(mg.ones(3), mg.ones(2, 3), mg.tensor([0.0, 1.0]))
    tensor([3., 4.])
    """
    rank, columns = input._array.ndim, weight._array.ndim
    if rank == 0 or columns == 0:
        ranks = f"{rank}D and {columns}D"
        raise RuntimeError(f"both arguments to linear need to be at least 1D, but they are {ranks}")
    if bias is None:
        return matmul.body(input, t(weight))
    if rank == 2:
        return addmm.body(bias, input, t(weight))
    shape, fusable = input._array.shape, bias._array
    one_row = fusable.ndim and fusable.size == fusable.shape[-1] and fusable.flags.c_contiguous
    if one_row and input._array.flags.c_contiguous:
        matrix = view(input, (math.prod(shape[:-1]), shape[-1]))
        product = addmm.body(bias, matrix, t(weight))
        return apply_view(ViewBackward0, product, (*shape[:-1], product._array.shape[1]))
    return matmul.body(input, t(weight)).add_(bias)


def method(function: Public) -> Function:
    """Return the method of a product: PyTorch's has no `out_dtype`."""
    schemas = tuple([text for text in function.schemas if "out_dtype" not in text])
    return function.remade(schemas).method


class MatrixMethods(TensorBase):
    """The operators and methods of this file."""

    mm, bmm, addmm = method(mm), method(bmm), method(addmm)
    baddbmm = method(baddbmm)
    mv, dot, outer, matmul = mv.method, dot.method, outer.method, matmul.method

    def __matmul__(self: Any, other: Any) -> Any:
        if watchers or not isinstance(other, TensorBase):
            found = operator_answer(matmul.method, self, other)
            if found:
                return found[0]
        return matmul.body(self, other) if isinstance(other, TensorBase) else NotImplemented

    def __rmatmul__(self: Any, other: Any) -> Any:
        if watchers or not isinstance(other, TensorBase):
            found = operator_answer(MatrixMethods.__rmatmul__, self, other)
            if found:
                return found[0]
        return matmul.body(other, self) if isinstance(other, TensorBase) else NotImplemented
