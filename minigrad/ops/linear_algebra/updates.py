"""A vector or a matrix, to which a product is added: addmv, addr."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.dtypes import result_dtype
from ...arrays.memory_order import lay_out
from ...arrays.messages import check_not_bool, type_word
from ...core.broadcasting import broadcasts_to
from ...core.node import TensorBase, unwrap
from ...core.operation import Operation
from ..public.arguments import number
from ..public.factories import Call, applied
from ..public.functions import alias
from ..shapes.shapes import expand
from .matrix import MvBackward0, as_factor, outer, scaled_sum, transpose_matrix


def scaled(g: Any, factor: Any) -> Any:
    """Return a gradient times a factor, which PyTorch leaves out if it is 1."""
    return g if factor == 1 else g * factor


class AddmvBackward0(Operation):
    """beta * self + alpha * mat @ vec."""

    inputs = ("self", "mat", "vec")
    params = ("beta", "alpha")
    saves = {"mat": 2, "vec": 1}
    rule = (
        r"\bar s = \beta \, g, \qquad \bar A = \alpha \, g \, x^T, \qquad \bar x = \alpha \, A^T g"
    )

    def forward(self: Any, mat: Any, vec: Any, beta: Any, alpha: Any) -> Any:
        return scaled_sum(self, mat.dot(vec), beta, alpha)

    def gradient(g: Any, mat: Any, vec: Any, beta: Any, alpha: Any) -> Any:
        return (
            lambda: scaled(g, beta),
            lambda: scaled(g.reshape(-1, 1) * vec, alpha),
            lambda: scaled(MvBackward0.on(transpose_matrix(mat), g), alpha),
        )


class AddrBackward0(Operation):
    """beta * self + alpha * vec1 vec2^T."""

    inputs = ("self", "vec1", "vec2")
    params = ("beta", "alpha")
    saves = {"vec1": 2, "vec2": 1}
    rule = r"\bar s = \beta \, g, \qquad \bar a = \alpha \, g \, b, \qquad \bar b = \alpha \, g^T a"

    def forward(self: Any, vec1: Any, vec2: Any, beta: Any, alpha: Any) -> Any:
        dtype = result_dtype(self, vec1, vec2)
        product = np.outer(vec1.astype(dtype), vec2.astype(dtype))
        total = scaled_sum(self.astype(dtype, copy=False), product, beta, alpha)
        return lay_out(total, self, vec1[:, None], vec2)

    def gradient(g: Any, vec1: Any, vec2: Any, beta: Any, alpha: Any) -> Any:
        return (
            lambda: scaled(g, beta),
            lambda: scaled(of_one_type(g, vec2), alpha),
            lambda: scaled(of_one_type(transpose_matrix(g), vec1), alpha),
        )


def of_one_type(g: Any, vec: Any) -> Any:
    """Return a gradient times a vector; PyTorch does not promote their types."""
    kind, own = unwrap(g).dtype, unwrap(vec).dtype
    if kind != own:
        types = f"{type_word(own)}, {type_word(kind)}, and {type_word(own)}"
        raise RuntimeError(f"addmv input tensors must have the same dtype, but got {types}")
    return MvBackward0.on(g, vec)


def old_and_new(name: str, one: str, other: str) -> tuple[str, str, str]:
    """Return the schemas of a function that adds a product, the old ones first."""
    factors = f"Tensor {one}, Tensor {other}"
    return (
        f"deprecated {name}(Scalar beta, Tensor input, Scalar alpha, {factors}, *, "
        "Tensor out=None)",
        f"deprecated {name}(Scalar beta, Tensor input, {factors}, *, Tensor out=None)",
        f"{name}(Tensor input, {factors}, *, Scalar beta=1, Scalar alpha=1, Tensor out=None)",
    )


def check_vector(input: Any, mat: Any, vec: Any, **_: Any) -> None:
    """Raise for a vector of one element that cannot hold the result."""
    own, matrix = input._array.shape, mat._array.shape
    fits = len(matrix) == 2 and matrix[1:] == vec._array.shape
    if own in ((), (1,)) and fits and (1, *own) != (1, matrix[0]):
        sizes = f"input tensor size {list(own)} and output tensor size [{matrix[0]}]"
        raise RuntimeError(f"Bad in-place call: {sizes} should match")


def check_matrix(input: Any, vec1: Any, vec2: Any, **_: Any) -> None:
    """Raise for a matrix that cannot hold the result."""
    c, a, b = (list(each._array.shape) for each in (input, vec1, vec2))
    if len(a) == 1 == len(b) and len(c) != 2:
        raise RuntimeError(f"2D tensor expected, got {len(c)}D tensor for input")
    if len(a) == 1 == len(b) and c != a + b:
        raise RuntimeError(f"size mismatch, input: {c}, v1: {a}, v2: {b}")


@applied(*old_and_new("addmv", "mat", "vec"), before=check_vector)
def addmv(input: Any, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1) -> Call:
    """Compute beta * input + alpha * mat @ vec, for a matrix and vectors.

    >>> import minigrad as mg
    >>> mg.addmv(mg.tensor([1.0, 2.0]), mg.ones(2, 3), mg.ones(3), alpha=0.5)
    tensor([2.5000, 3.5000])
    """
    c, a, x = input._array, mat._array, vec._array
    if a.ndim != 2 or x.ndim != 1 or c.ndim > 1:
        found = f"{c.ndim}, {a.ndim}, {x.ndim}"
        raise RuntimeError(f"vector + matrix @ vector expected, got {found}")
    if x.size != a.shape[1] or c.size not in (a.shape[0], 1):
        shapes = f"mat ({a.shape[0]}x{a.shape[1]}), vec ({x.size})"
        raise RuntimeError(f"size mismatch, got input ({c.size}), {shapes}")
    if not a.dtype == x.dtype == c.dtype:
        types = f"{type_word(c.dtype)}, {type_word(a.dtype)}, and {type_word(x.dtype)}"
        raise RuntimeError(f"addmv input tensors must have the same dtype, but got {types}")
    check_not_bool("addmv_impl_cpu", a.dtype)
    return AddmvBackward0, (mat, vec, as_factor(beta, a), as_factor(alpha, a))


@applied(*old_and_new("addr", "vec1", "vec2"), before=check_matrix)
def addr(input: Any, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Call:
    """Compute beta * input + alpha * outer(vec1, vec2).

    >>> import minigrad as mg
    >>> mg.addr(mg.ones(2, 2), mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0]))
    tensor([[4., 5.],
            [7., 9.]])
    """
    c, a, b = input._array, vec1._array, vec2._array
    for name, vector in (("vec1", a), ("vec2", b)):
        if vector.ndim != 1:
            raise RuntimeError(f"addr: Expected 1-D argument {name}, but got {vector.ndim}-D")
    shape = a.size, b.size
    if not broadcasts_to(c.shape, shape):
        expand(input, shape)  # raises the error
    dtype = result_dtype(c, a, b)
    for name, factor in (("beta", beta), ("alpha", alpha)):
        if isinstance(factor, bool) and dtype.kind != "b":
            raise RuntimeError(f"Boolean {name} only supported for Boolean results.")
        if dtype.kind in "iu" and isinstance(number(factor), float):
            wanted = f"argument {name} must not be a floating point number."
            raise RuntimeError(f"For integral input tensors, {wanted}")
    like = np.empty(0, dtype)
    beta, alpha = (
        bool(number(factor)) if dtype.kind == "b" else as_factor(factor, like)
        for factor in (beta, alpha)
    )
    return AddrBackward0, (vec1, vec2, beta, alpha)


addmv_, addr_ = addmv.in_place, addr.in_place


ger = alias("ger", outer)


class UpdateMethods(TensorBase):
    """The methods of this file."""

    addmv, addmv_ = addmv.method, addmv_.method
    addr, addr_ = addr.method, addr_.method
    ger = ger.method
