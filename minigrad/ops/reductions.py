"""Reductions: many elements become one, so one gradient goes back to many.

The formulas lean on broadcasting: a gradient of the reduced shape, with the reduced dimensions kept
as 1, spreads over the input's shape by itself. What picks single elements (max along a dimension,
sort) is in sorting.py. Running totals are here as well.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..arrays.devices import get_array_module
from ..arrays.dtypes import to_numpy_dtype
from ..arrays.float16 import widened
from ..arrays.memory_order import row_major
from ..arrays.words import type_word, wrong_type
from ..core.inplace import inplace
from ..core.node import TensorBase, new_tensor, raw
from ..core.operation import Operation, apply, beside
from .copies import CloneBackward0
from .dims import as_dims, kept, wrap_dim, wrap_dims
from .elementwise import SgnBackward0
from .fronts import Function, apply_in, of_tensor
from .joining import FlipBackward0
from .masking import zeroed
from .shapes import ExpandBackward0, UnsqueezeBackward0

Dims = tuple[int, ...] | None


def some_dims(dim: Any) -> Dims:
    """A `dim` argument as a tuple, unless it is None."""
    return None if dim is None else as_dims(dim)


def along(shape: tuple[int, ...], dim: Dims) -> int:
    """How many elements become one."""
    return math.prod([shape[d] for d in wrap_dims(dim, len(shape))] if dim else shape)


def restored(g: Any, shape: tuple[int, ...], dim: Dims, keepdim: bool) -> Any:
    """Something of the reduced shape, with the reduced dimensions as 1 or, if all were, none."""
    if keepdim or not dim:
        return g
    dims = wrap_dims(dim, len(shape))
    if not isinstance(g, TensorBase):
        return g.reshape(kept(shape, dims))
    for d in sorted(dims):
        g = UnsqueezeBackward0.on(g, d)
    return g


# --- Sums and means


class SumBackward1(Operation):
    """The sum along some dimensions."""

    rule = r"\bar a_{ij} = g_i"

    @row_major
    def forward(self: Any, /, dim: Dims, keepdim: bool) -> Any:
        return folded("sum", self, wrap_dims(dim, self.ndim), keepdim)

    def backward(ctx, g: Any) -> Any:
        shape = ctx.shape()
        return ExpandBackward0.on(restored(g, shape, *ctx.args), shape)


class SumBackward0(SumBackward1):
    """The sum of all elements."""

    rule = r"\bar a_i = g"

    def forward(self: Any, /) -> Any:
        return folded("sum", self, None, False)

    def backward(ctx, g: Any) -> Any:
        return ExpandBackward0.on(g, ctx.shape())


class MeanBackward1(SumBackward1):
    """The mean along some dimensions."""

    rule = r"\bar a_{ij} = \frac{g_i}{n}"

    @row_major
    def forward(self: Any, /, dim: Dims, keepdim: bool) -> Any:
        return average(self, wrap_dims(dim, self.ndim), keepdim)

    def backward(ctx, g: Any) -> Any:
        return super().backward(g) / along(ctx.shape(), ctx.args[0])


class MeanBackward0(MeanBackward1):
    """The mean of all elements."""

    rule = r"\bar a_i = \frac{g}{n}"

    @widened
    def forward(self: Any, /) -> Any:
        return self.sum() / self.size

    def backward(ctx, g: Any) -> Any:
        shape = ctx.shape()
        count = math.prod(shape)
        if isinstance(g, TensorBase):
            return ExpandBackward0.on(g, shape) / count
        each = get_array_module(g).empty(shape, g.dtype)
        each[...] = g / count  # one division will do
        return each


def folded(method: str, x: Any, axis: Dims, keepdims: bool) -> Any:
    """The sum or the product; that of whole numbers in int64, of float16 in float32."""
    fold = getattr(x, method)
    if x.dtype.kind != "f":
        return fold(axis=axis, keepdims=keepdims, dtype=np.int64)
    if x.dtype == np.float16:
        return fold(axis=axis, keepdims=keepdims, dtype=np.float32).astype(np.float16)
    return fold(axis=axis, keepdims=keepdims)


@widened
def average(x: Any, axis: Dims, keepdims: bool) -> Any:
    """The mean: half as much work as np.mean for small arrays."""
    return x.sum(axis=axis, keepdims=keepdims) / along(x.shape, axis)


# --- Products


class ProdBackward1(Operation):
    """The product along a dimension."""

    rule = r"\bar a_i = g \cdot \prod_{j \neq i} a_j"

    @row_major
    def forward(self: Any, /, dim: int, keepdim: bool) -> Any:
        return folded("prod", self, wrap_dims(dim, self.ndim), keepdim)

    def gradient(g: Any, self: Any, result: Any, dim: int, keepdim: bool) -> Any:
        shape = self.shape
        if not shape:
            return g
        g = restored(g, shape, (dim,), keepdim)
        return of_others(g, self, restored(result, shape, (dim,), keepdim), dim)


class ProdBackward0(ProdBackward1):
    """The product of all elements."""

    def forward(self: Any, /) -> Any:
        return folded("prod", self, None, False)

    def gradient(g: Any, self: Any, result: Any, *_: Any) -> Any:
        if not self.shape:
            return g
        if (self != 0).all():
            return g * (result / self)
        return of_others(g, self.reshape(-1), result, 0).reshape(self.shape)


def of_others(g: Any, x: Any, result: Any, dim: int) -> Any:
    """`g` times, for each element, the product of all others along `dim`."""
    if not (x == 0).any():
        return g * (result / x)
    if x.shape[dim] == 1:
        return g
    # (PyTorch computes with a copy, so that x may be changed before the second derivative.)
    return g * ProductOfOthers.on(CloneBackward0.on(x), dim)


class ProductOfOthers(Operation):
    """For each element the product of all others along `dim`, without a division."""

    params = ("_dim",)
    rule = r"\bar a_j = \sum_{i \neq j} g_i \prod_{k \neq i, j} a_k"

    def forward(self: Any, dim: int) -> Any:
        x = np.moveaxis(self, dim, -1)
        before, after = np.ones_like(x), np.ones_like(x)
        before[..., 1:] = np.cumprod(x[..., :-1], axis=-1)
        after[..., :-1] = np.cumprod(x[..., :0:-1], axis=-1)[..., ::-1]
        return np.moveaxis(before * after, -1, dim)

    def gradient(g: Any, self: Any, _dim: Any) -> Any:
        rows, others = without_each(self, _dim)
        g = g.swapaxes(_dim, -1)
        g = g.reshape(*g.shape, 1) * others * ProductOfOthers.on(rows, -1)
        return g.sum(axis=-2).swapaxes(_dim, -1)


def without_each(x: Any, dim: int) -> tuple[Any, Any]:
    """`x` as many times as it has elements along `dim`, with another of them replaced by 1 in each
    (dimension -2 says which, dimension -1 is `dim`); and the matrix that is 1 off its diagonal."""
    x = x.swapaxes(dim, -1)
    size = x.shape[-1]
    diagonal = beside(x, np.eye(size, dtype=raw(x).dtype))
    others = 1 - diagonal
    return x.reshape(*x.shape[:-1], 1, size) * others + diagonal, others


# --- Variance


@row_major
@widened
def moments(x: Any, dim: Any, correction: Any, keepdim: bool) -> tuple[Any, Any]:
    """The variance and the mean."""
    dims = wrap_dims(dim, x.ndim)
    mean = average(x, dims, True)
    distance = x - mean
    freedom = max(along(x.shape, dims) - (1 if correction is None else correction), 0)
    var = (distance * distance).sum(axis=dims, keepdims=keepdim) / freedom
    return var, mean.reshape(var.shape)


class VarMeanBackward0(Operation):
    """The variance and the mean."""

    params = ("dim", "correction", "keepdim")
    results = ("var", "mean")
    rule = r"\bar a_i = \frac{2 g_1}{n - c} \cdot (a_i - \operatorname{mean} a) + \frac{g_2}{n}"

    forward = moments

    def gradient(g_var: Any, g_mean: Any, self: Any, *args: Any) -> Any:
        of_var = None if g_var is None else of_variance(g_var, self, *args)
        if g_mean is None:
            return of_var
        dim, _, keepdim = args
        spread = ExpandBackward0.on(restored(g_mean, self.shape, dim, keepdim), self.shape)
        of_mean = spread / along(self.shape, dim)
        return of_mean if of_var is None else of_var + of_mean


class VarBackward0(Operation):
    """The variance: the mean square of the distances from the mean."""

    params = ("dim", "correction", "keepdim")
    rule = r"\bar a_i = \frac{2 g}{n - c} \cdot (a_i - \operatorname{mean} a)"

    def forward(self: Any, *args: Any) -> Any:
        return moments(self, *args)[0]

    def gradient(g: Any, self: Any, *args: Any) -> Any:
        return of_variance(g, self, *args)


class StdBackward0(VarBackward0):
    """The standard deviation: the square root of the variance."""

    rule = r"\bar a_i = \frac{g}{(n - c) y} \cdot (a_i - \operatorname{mean} a)"

    @widened
    def forward(self: Any, *args: Any) -> Any:
        return np.sqrt(moments(self, *args)[0])

    def gradient(g: Any, self: Any, result: Any, *args: Any) -> Any:
        return of_variance(zeroed(g / (result * 2), result == 0), self, *args)


def of_variance(g: Any, x: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    """The gradient of the variance."""
    freedom = along(x.shape, dim) - (1 if correction is None else correction)
    over: Any = {} if dim is None else {"axis": wrap_dims(dim, x.ndim), "keepdims": True}
    distance = x - x.mean(**over)
    g = restored(g, x.shape, dim, keepdim)
    if dim is None and freedom <= 0:
        return g * (distance / distance * math.inf)  # nan where there is no distance
    return g * (2 / freedom if freedom else math.inf) * distance


# --- Norms


class LinalgVectorNormBackward0(Operation):
    """(sum |self| ** ord) ** (1 / ord)."""

    rule = r"\bar a = g \cdot \frac{a \cdot |a|^{p-2}}{y^{p-1}}"

    @row_major
    @widened
    def forward(self: Any, /, ord: float, dim: Dims, keepdim: bool) -> Any:
        over: Any = {"axis": wrap_dims(dim, self.ndim), "keepdims": keepdim}
        size = np.absolute(self)
        if ord == 2:
            return np.sqrt((size * size).sum(**over))
        if abs(ord) == math.inf:
            return size.max(**over) if ord > 0 else size.min(**over)
        if ord == 0:
            return (size != 0).sum(**over).astype(self.dtype)
        return size.sum(**over) if ord == 1 else (size**ord).sum(**over) ** (1 / ord)

    def gradient(g: Any, self: Any, result: Any, ord: float, dim: Dims, keepdim: bool) -> Any:
        shape = self.shape
        g = restored(g, shape, dim, keepdim)
        result = restored(result, shape, dim, keepdim)
        if ord == 0:
            return None  # a count
        sign = SgnBackward0.on(self)
        if ord == 1:
            return sign * g
        if abs(ord) == math.inf:
            extreme = abs(self) == result
            count = extreme.sum(axis=wrap_dims(dim, len(shape)), keepdims=True)
            return sign * (g / count * extreme)
        # Where the norm is 0 it has no slope; 0 is the subgradient that PyTorch takes.
        if ord == 2:
            return g * zeroed(self / result, result == 0)
        size = abs(self)
        if ord < 1:
            return sign * zeroed(size ** (ord - 1), self == 0) * g * result ** (1 - ord)
        towards = sign * size ** (ord - 1) if ord < 2 else self * size ** (ord - 2)
        return towards * zeroed(g / result ** (ord - 1), result == 0)


# --- Running totals


class CumsumBackward0(Operation):
    """Each element plus all before it."""

    rule = r"\bar a_i = \sum_{j \geq i} g_j"

    def forward(self: Any, /, dim: int) -> Any:
        return scan(np.cumsum, self, dim)

    def gradient(g: Any, dim: int) -> Any:
        return sum_of_rest(g, dim)


def sum_of_rest(x: Any, dim: int) -> Any:
    """Each element plus all after it."""
    if math.prod(x.shape) <= 1:
        return x
    return FlipBackward0.on(CumsumBackward0.on(FlipBackward0.on(x, (dim,)), dim), (dim,))


class CumprodBackward0(Operation):
    """Each element times all before it."""

    rule = r"\bar a_i = \frac{1}{a_i} \sum_{j \geq i} g_j y_j"

    def forward(self: Any, /, dim: int) -> Any:
        return scan(np.cumprod, self, dim)

    def gradient(g: Any, self: Any, result: Any, dim: int) -> Any:
        if not self.ndim:
            return g
        if not (self == 0).any():
            return sum_of_rest(result * g, dim) / self
        # Nothing can be divided by 0: multiply the products without each element anew.
        rows, _ = without_each(self, dim)
        g = g.swapaxes(dim, -1)
        later = beside(g, np.tri(g.shape[-1], dtype=raw(g).dtype).T)
        g = g.reshape(*g.shape[:-1], 1, g.shape[-1]) * later * CumprodBackward0.on(rows, -1)
        return g.sum(axis=-1).swapaxes(dim, -1)


@row_major
def scan(function: Function, x: Any, dim: int) -> Any:
    """`function` along `dim`; floats are added up in float64 and rounded, as in PyTorch."""
    dim = wrap_dim(dim, x.ndim)
    dtype = np.dtype(np.int64) if x.dtype.kind != "f" else x.dtype
    wide = np.float64 if dtype.kind == "f" else np.int64
    return function(x, axis=dim if x.ndim else None, dtype=wide).astype(dtype).reshape(x.shape)


# --- Public functions


@of_tensor
def sum(
    input: TensorBase, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> TensorBase:
    """The sum of all elements, or along `dim` (a number or several). Integers and bools add up to
    int64.

    >>> import minigrad as mg
    >>> mg.sum(mg.ones(2, 3), dim=0)
    tensor([2., 2., 2.])
    """
    if dim is None and not keepdim:
        return apply_in(dtype, SumBackward0, input)
    return apply_in(dtype, SumBackward1, input, as_dims(dim), keepdim)


@of_tensor
def mean(
    input: TensorBase, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> TensorBase:
    """The mean of all elements, or along `dim` (a number or several)."""
    kind = input._array.dtype if dtype is None else to_numpy_dtype(dtype)
    if kind.kind != "f":
        wanted = "Input dtype must be either a floating point or complex dtype"
        raise RuntimeError(
            f"mean(): could not infer output dtype. {wanted}. Got: {type_word(kind)}"
        )
    if dim is None and not keepdim:
        return apply_in(dtype, MeanBackward0, input)
    return apply_in(dtype, MeanBackward1, input, as_dims(dim), keepdim)


@of_tensor
def prod(
    input: TensorBase, dim: int | None = None, keepdim: bool = False, *, dtype: Any = None
) -> TensorBase:
    """The product of all elements, or along `dim`.

    >>> import minigrad as mg
    >>> mg.prod(mg.tensor([2.0, 3.0, 4.0]))
    tensor(24.)
    """
    if dim is None:
        return apply_in(dtype, ProdBackward0, input)
    if not isinstance(dim, int):
        raise TypeError(f"prod(): argument 'dim' must be int, not {type(dim).__name__}")
    return apply_in(dtype, ProdBackward1, input, dim, keepdim)


def spread(op: type[Operation], name: str, text: str) -> Any:
    """The public function of one of the four that say how far values are spread."""

    def function(
        input: TensorBase,
        dim: Any = None,
        unbiased: bool | None = None,
        keepdim: bool = False,
        *,
        correction: float | None = None,
    ) -> Any:
        if input._array.dtype.kind != "f":
            raise RuntimeError("std and var only support floating point and complex dtypes")
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        if correction is None and (dim is not None or unbiased is not None):
            correction = int(unbiased is not False)
        dims = some_dims(dim)
        result = apply(op, input, dims, correction, keepdim)
        if along(input._array.shape, dims) <= (1 if correction is None else correction):
            warnings.warn(
                f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than "
                "the reduction factor (input numel divided by output numel).",
                stacklevel=1,  # from one place: shown once
            )
        return result

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return of_tensor(function)


var: Callable[..., TensorBase] = spread(
    VarBackward0,
    "var",
    """The variance of all elements, or along `dim`.

    The sum of squares is divided by the number of elements less `correction`; that is 1, unless
    `unbiased` is False.
    """,
)
std: Callable[..., TensorBase] = spread(StdBackward0, "std", "The square root of `var`.")
var_mean: Callable[..., tuple[TensorBase]] = spread(
    VarMeanBackward0, "var_mean", "`var` and `mean` at once."
)


@of_tensor
def norm(
    input: TensorBase, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> TensorBase:
    """The p-norm of all elements, or along `dim`; p = "fro" is 2.

    >>> import minigrad as mg
    >>> mg.norm(mg.tensor([3.0, 4.0]))
    tensor(5.)
    """
    if p in ("fro", None):
        p = 2
    elif isinstance(p, str):
        raise RuntimeError(f"linalg.matrix_norm: Order {p} not supported.")
    return linalg_vector_norm(input, p, dim, keepdim, dtype=dtype)


@of_tensor
def linalg_vector_norm(
    input: TensorBase, ord: float = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> TensorBase:
    """(sum |input| ** ord) ** (1 / ord) of all elements, or along `dim`."""
    if not isinstance(ord, (int, float)):
        raise wrong_type("linalg_vector_norm", "ord", 2, "Number", ord)
    x = input._array
    check_linalg("vector_norm", x.dtype)
    dims = some_dims(dim)
    if (ord < 0 or ord == math.inf) and not along(x.shape, dims):
        which = f"linalg.vector_norm cannot compute the {ord:g} norm on an empty tensor"
        raise RuntimeError(f"{which} because the operation does not have an identity")
    return apply_in(dtype, LinalgVectorNormBackward0, input, ord, dims, keepdim)


vector_norm = linalg_vector_norm


def check_linalg(name: str, dtype: np.dtype[Any]) -> None:
    """Refuse what is no floating-point number in the words of the functions of `linalg`."""
    if dtype.kind != "f":
        wanted = "Expected a floating point or complex tensor as input."
        raise RuntimeError(f"linalg.{name}: {wanted} Got {type_word(dtype)}")


def check_not_empty(
    input: TensorBase, dim: Any, name: str, error: type[Exception] = IndexError
) -> None:
    """Refuse to choose among no elements.

    Raises:
        IndexError: dimension `dim` is empty.
    """
    shape = input._array.shape
    for d in as_dims(dim) and wrap_dims(dim, len(shape)):
        if shape[d] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")
    if not as_dims(dim) and not input._array.size:
        which = "Expected reduction dim to be specified for input.numel() == 0"
        raise error(f"{name}(): {which}. Specify the reduction dim with the 'dim' argument.")


@of_tensor
def cumsum(input: TensorBase, dim: int, *, dtype: Any = None) -> TensorBase:
    """Each element plus all before it along `dim`.

    >>> import minigrad as mg
    >>> mg.cumsum(mg.tensor([1.0, 2.0, 3.0]), 0)
    tensor([1., 3., 6.])
    """
    return apply_in(dtype, CumsumBackward0, input, dim)


@of_tensor
def cumprod(input: TensorBase, dim: int, *, dtype: Any = None) -> TensorBase:
    """Each element times all before it along `dim`.

    >>> import minigrad as mg
    >>> mg.cumprod(mg.tensor([1.0, 2.0, 3.0]), 0)
    tensor([1., 2., 6.])
    """
    return apply_in(dtype, CumprodBackward0, input, dim)


# --- Truth and counts


@of_tensor
def all(input: TensorBase, dim: Any = None, keepdim: bool = False) -> TensorBase:
    """Whether no element is zero, or along `dim`; of uint8 the answer is 0 or 1."""
    return truth(np.all, input, dim, keepdim)


@of_tensor
def any(input: TensorBase, dim: Any = None, keepdim: bool = False) -> TensorBase:
    """Whether some element is not zero, or along `dim`; of uint8 the answer is 0 or 1."""
    return truth(np.any, input, dim, keepdim)


def truth(function: Function, input: Any, dim: Any, keepdim: bool) -> TensorBase:
    x = input._array
    value = function(x.astype(bool, order="C"), axis=wrap_dims(dim, x.ndim), keepdims=keepdim)
    return new_tensor(value.astype(x.dtype) if x.dtype == np.uint8 else value)


@of_tensor
def count_nonzero(input: TensorBase, dim: Any = None) -> TensorBase:
    """How many elements are not zero, or along `dim`."""
    x = input._array
    return new_tensor(folded("sum", x != 0, wrap_dims(dim, x.ndim), False))


class ReductionMethods(TensorBase):
    """The methods of this file."""

    sum, mean, prod, var, std = sum, mean, prod, var, std
    norm, all, any, count_nonzero = norm, all, any, count_nonzero
    cumsum, cumprod = cumsum, cumprod

    def cumsum_(self, dim: int) -> TensorBase:
        """`cumsum` in place."""
        return inplace(CumsumBackward0, self, dim)

    def cumprod_(self, dim: int) -> TensorBase:
        """`cumprod` in place."""
        return inplace(CumprodBackward0, self, dim)
