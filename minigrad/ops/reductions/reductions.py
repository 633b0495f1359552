"""Reductions: several elements become one, and one gradient goes back to several.

The formulas use broadcasting: a gradient with the reduced dimensions as 1 expands to the input's
shape. Selections of single elements (max along a dimension, sort) are in sorting.py. Running totals
are here as well.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from ...arrays.dtypes import to_numpy_dtype
from ...arrays.float16 import widened
from ...arrays.memory_order import row_major
from ...arrays.messages import c_name, check_not_bool, type_word
from ...core.inplace import inplace
from ...core.node import TensorBase, new_tensor, unwrap
from ...core.operation import Operation, constant_like, record
from ...core.saved import NUMBERS
from ..indexing.joining import FlipBackward0
from ..pointwise.elementwise import SgnBackward0
from ..pointwise.masking import zero_masked
from ..public.dims import (
    as_dims,
    keepdim_shape,
    read_dims,
    truth_value,
    whole_number,
    wrap_dim,
    wrap_dims,
)
from ..public.factories import Chosen, reduction
from ..public.functions import MISSING, Function, Public, schema
from ..shapes.copies import CloneBackward0
from ..shapes.shapes import ExpandBackward0, UnsqueezeBackward0

Dims = tuple[int, ...] | None


def number_along(shape: tuple[int, ...], dim: Dims) -> int:
    """Return how many elements become one."""
    return math.prod([shape[d] for d in wrap_dims(dim, len(shape))] if dim else shape)


def expand_reduced(g: Any, shape: tuple[int, ...], dim: Dims, keepdim: bool) -> Any:
    """Return a value with the reduced dimensions as 1; 0-d if all were reduced."""
    if keepdim or not dim:
        return g
    dims = wrap_dims(dim, len(shape))
    if not isinstance(g, TensorBase):
        return g.reshape(keepdim_shape(shape, dims))
    for d in sorted(dims):
        g = UnsqueezeBackward0.on(g, d)
    return g


def count_of(x: Any, value: Any) -> int:
    """Return how many elements of `x` became one of `value`."""
    return x.size // max(value.size, 1)  # type: ignore[no-any-return]


# --- Sums and means


def fold(method: str) -> Function:
    """Return the sum or the product along dimensions, as a function."""

    def forward(self: Any, /, dim: Any, keepdim: bool) -> Any:
        axis = wrap_dims(dim, self.ndim)
        if self.dtype in FLOATS:
            value = getattr(self, method)(axis=axis, keepdims=keepdim)
        else:
            value = fold_exactly(method, self, axis, keepdim)
        return value if value.flags.c_contiguous else value.copy(order="C")

    return forward


def fold_all(method: str) -> Function:
    """Return the sum or the product of all elements, as a function."""

    def forward(self: Any, /) -> Any:
        if self.dtype in FLOATS:
            return getattr(self, method)()
        return fold_exactly(method, self, None, False)

    return forward


FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
"""The dtypes whose sums and products are computed without conversion."""


def fold_exactly(method: str, x: Any, axis: Dims, keepdims: bool) -> Any:
    """Return the sum or product, of integers in int64, of float16 in float32."""
    wide, narrow = (np.float32, np.float16) if x.dtype.kind == "f" else (np.int64, np.int64)
    total = getattr(x, method)(axis=axis, keepdims=keepdims, dtype=wide)
    return total.astype(narrow, copy=False)


class SumBackward1(Operation):
    """The sum along some dimensions."""

    rule = r"\bar a_{ij} = g_i"

    forward = fold("sum")

    def backward(ctx, g: Any) -> Any:
        shape = ctx.shape()
        return ExpandBackward0.on(expand_reduced(g, shape, *ctx.args), shape)


class SumBackward0(Operation):
    """The sum of all elements."""

    rule = r"\bar a_i = g"

    forward = fold_all("sum")

    def backward(ctx, g: Any) -> Any:
        return ExpandBackward0.on(g, ctx.shape())


class MeanBackward1(SumBackward1):
    """The mean along some dimensions."""

    rule = r"\bar a_{ij} = \frac{g_i}{n}"

    @row_major
    @widened
    def forward(self: Any, /, dim: Dims, keepdim: bool) -> Any:
        if self.dtype.kind != "f":
            check_averages(self.dtype, "Input")
        value = self.sum(axis=wrap_dims(dim, self.ndim), keepdims=keepdim)
        return value / count_of(self, value)

    def backward(ctx, g: Any) -> Any:
        return super().backward(g) / number_along(ctx.shape(), ctx.args[0])


class MeanBackward0(Operation):
    """The mean of all elements."""

    rule = r"\bar a_i = \frac{g}{n}"

    @widened
    def forward(self: Any, /) -> Any:
        if self.dtype.kind != "f":
            check_averages(self.dtype, "Input")
        return self.sum() / self.size

    def backward(ctx, g: Any) -> Any:
        shape = ctx.shape()
        count = math.prod(shape)
        if isinstance(g, TensorBase):
            return ExpandBackward0.on(g, shape) / count
        each = np.empty_like(g, shape=shape)
        each[...] = g / count  # one division is enough
        return each


class NansumBackward0(Operation):
    """The sum without nan."""

    rule = r"\bar a_{ij} = g_i \cdot [a_{ij} = a_{ij}]"

    def forward(self: Any, /, dim: Dims, keepdim: bool) -> Any:
        numbers = np.where(self == self, self, self.dtype.type(0))
        return SumBackward1.forward(numbers, () if dim is None else dim, keepdim)

    def gradient(g: Any, self: Any, dim: Dims, keepdim: bool) -> Any:
        g = ExpandBackward0.on(expand_reduced(g, self.shape, dim, keepdim), self.shape)
        return g * (self == self)


# --- Products


class ProdBackward1(Operation):
    """The product along a dimension."""

    rule = r"\bar a_i = g \cdot \prod_{j \neq i} a_j"

    forward = fold("prod")

    def gradient(g: Any, self: Any, result: Any, dim: int, keepdim: bool) -> Any:
        shape = self.shape
        if not shape:
            return g
        g = expand_reduced(g, shape, (dim,), keepdim)
        return of_others(g, self, expand_reduced(result, shape, (dim,), keepdim), dim)


class ProdBackward0(ProdBackward1):
    """The product of all elements."""

    forward = fold_all("prod")

    def gradient(g: Any, self: Any, result: Any, *_: Any) -> Any:
        if not self.shape:
            return g
        if (self != 0).all():
            return g * (result / self)
        return of_others(g, self.reshape(-1), result, 0).reshape(self.shape)


def of_others(g: Any, x: Any, result: Any, dim: int) -> Any:
    """Return `g` times, for each element, the product of all others along `dim`."""
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
        return g.sum(-2).swapaxes(_dim, -1)


def without_each(x: Any, dim: int) -> tuple[Any, Any]:
    """Return copies of `x`, each with another element along `dim` replaced by 1, and a matrix.

    Dimension -2 counts the copies, dimension -1 is `dim`. The matrix is 1 except on its diagonal.
    """
    x = x.swapaxes(dim, -1)
    size = x.shape[-1]
    diagonal = constant_like(x, np.eye(size, dtype=unwrap(x).dtype))
    others = 1 - diagonal
    return x.reshape(*x.shape[:-1], 1, size) * others + diagonal, others


# --- Variance


@row_major
@widened
def moments(x: Any, dim: Any, correction: Any, keepdim: bool) -> tuple[Any, Any]:
    """Return the variance and the mean."""
    dims = wrap_dims(dim, x.ndim)
    mean = x.sum(axis=dims, keepdims=True)
    count = count_of(x, mean)
    mean = mean / count
    distance = x - mean
    freedom = max(count - (1 if correction is None else correction), 0)
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
        spread = ExpandBackward0.on(expand_reduced(g_mean, self.shape, dim, keepdim), self.shape)
        of_mean = spread / number_along(self.shape, dim)
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
        return of_variance(zero_masked(g / (result * 2), result == 0), self, *args)


class StdMeanBackward0(Operation):
    """The standard deviation and the mean."""

    params = ("dim", "correction", "keepdim")
    results = ("result0", "result1")
    rule = StdBackward0.rule

    @widened
    def forward(self: Any, *args: Any) -> Any:
        variance, mean = moments(self, *args)
        return np.sqrt(variance), mean

    def gradient(g_std: Any, g_mean: Any, self: Any, result0: Any, *args: Any) -> Any:
        if g_std is not None:
            g_std = zero_masked(g_std / (result0 * 2), result0 == 0)
        return VarMeanBackward0.gradient(g_std, g_mean, self, *args)


def of_variance(g: Any, x: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    """Return the gradient of the variance."""
    if 0 in x.shape:  # the variance does not depend on x
        return expand_reduced(g, x.shape, dim, keepdim) * constant_like(
            g, np.zeros(x.shape, unwrap(x).dtype)
        )
    freedom = number_along(x.shape, dim) - (1 if correction is None else correction)
    over: Any = {} if dim is None else {"axis": wrap_dims(dim, x.ndim), "keepdims": True}
    distance = x - x.mean(**over)
    g = expand_reduced(g, x.shape, dim, keepdim)
    if dim is None and freedom <= 0:
        spread = unwrap(distance)
        return g * constant_like(g, spread / spread * math.inf)  # nan where there is no distance
    return g * (2 / freedom if freedom else math.inf) * distance


# --- Norms


class LinalgVectorNormBackward0(Operation):
    """(sum |self| ** ord) ** (1 / ord)."""

    rule = r"\bar a = g \cdot \frac{a \cdot |a|^{p-2}}{y^{p-1}}"

    @widened
    def forward(self: Any, /, ord: float, dim: Dims, keepdim: bool) -> Any:
        axis = None if dim is None else wrap_dims(dim, self.ndim)
        size = np.absolute(self)
        if ord == 2:
            value = np.sqrt((size * size).sum(axis=axis, keepdims=keepdim))
        elif abs(ord) == math.inf:
            value = (size.max if ord > 0 else size.min)(axis=axis, keepdims=keepdim)
        elif ord == 0:
            value = (size != 0).sum(axis=axis, keepdims=keepdim).astype(self.dtype)
        elif ord == 1:
            value = size.sum(axis=axis, keepdims=keepdim)
        else:
            value = (size**ord).sum(axis=axis, keepdims=keepdim) ** (1 / ord)
        return value if value.flags.c_contiguous else value.copy(order="C")

    def gradient(g: Any, self: Any, result: Any, ord: float, dim: Dims, keepdim: bool) -> Any:
        shape = self.shape
        g = expand_reduced(g, shape, dim, keepdim)
        result = expand_reduced(result, shape, dim, keepdim)
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
            return g * zero_masked(self / result, result == 0)
        size = abs(self)
        if ord < 1:
            return sign * zero_masked(size ** (ord - 1), self == 0) * g * result ** (1 - ord)
        towards = sign * size ** (ord - 1) if ord < 2 else self * size ** (ord - 2)
        return towards * zero_masked(g / result ** (ord - 1), result == 0)


# --- Running totals


def scan(function: Function) -> Function:
    """Return `function` along a dimension; as in PyTorch, floats are added in float64."""

    def forward(self: Any, /, dim: int) -> Any:
        floats = self.dtype.kind == "f"
        wide = np.float64 if floats else np.int64
        axis = dim if self.ndim else wrap_dim(dim, 0)
        lines = self if self.ndim else self.reshape(1)
        value = function(lines, axis=axis, dtype=wide).reshape(self.shape)
        return value.astype(self.dtype if floats else wide, order="C")

    return forward


class CumsumBackward0(Operation):
    """Each element plus all before it."""

    rule = r"\bar a_i = \sum_{j \geq i} g_j"

    forward = scan(np.cumsum)

    def gradient(g: Any, dim: int) -> Any:
        return sum_of_rest(g, dim)


def sum_of_rest(x: Any, dim: int) -> Any:
    """Return each element plus all after it."""
    if math.prod(x.shape) <= 1:
        return x
    return FlipBackward0.on(CumsumBackward0.on(FlipBackward0.on(x, (dim,)), dim), (dim,))


class CumprodBackward0(Operation):
    """Each element times all before it."""

    rule = r"\bar a_i = \frac{1}{a_i} \sum_{j \geq i} g_j y_j"

    forward = scan(np.cumprod)

    def gradient(g: Any, self: Any, result: Any, dim: int) -> Any:
        if math.prod(self.shape) < 2:
            return g
        if not (self == 0).any():
            return sum_of_rest(result * g, dim) / self
        # Nothing can be divided by 0: recompute the products without each element.
        rows, _ = without_each(self, dim)
        g = g.swapaxes(dim, -1)
        later = constant_like(g, np.tri(g.shape[-1], dtype=unwrap(g).dtype).T)
        g = g.reshape(*g.shape[:-1], 1, g.shape[-1]) * later * CumprodBackward0.on(rows, -1)
        return g.sum(-1).swapaxes(dim, -1)


# --- Public functions


@reduction(
    "sum(Tensor input, *, dtype? dtype=None)",
    "sum(Tensor input, int[1]? dim, bool keepdim=False, *, dtype? dtype=None, Tensor out=None)",
    whole=(SumBackward0, (), None),
)
def sum(input: Any, dim: Any = MISSING, keepdim: Any = MISSING, *, dtype: Any = None) -> Chosen:
    """Sum all elements, or along `dim` (a number or several). Integers and bools add up to int64.

    >>> import minigrad as mg
    >>> mg.sum(mg.ones(2, 3), dim=0)
    tensor([2., 2., 2.])
    """
    if dim is MISSING and keepdim is MISSING:
        return SumBackward0, (), dtype
    return SumBackward1, read_dims(dim, keepdim is not MISSING and keepdim, None), dtype


@reduction(
    "mean(Tensor input, *, dtype? dtype=None, Tensor out=None)",
    "mean(Tensor input, int[1]? dim, bool keepdim=False, *, dtype? dtype=None, Tensor out=None)",
    whole=(MeanBackward0, (), None),
)
def mean(input: Any, dim: Any = MISSING, keepdim: Any = MISSING, *, dtype: Any = None) -> Chosen:
    """Return the mean of all elements, or along `dim` (a number or several)."""
    if dtype is not None:
        check_averages(to_numpy_dtype(dtype), "Optional")
    if dim is MISSING and keepdim is MISSING:
        return MeanBackward0, (), dtype
    return MeanBackward1, read_dims(dim, keepdim is not MISSING and keepdim, None), dtype


@reduction(
    "nansum(Tensor input, int[1]? dim=None, bool keepdim=False, *, dtype? dtype=None, "
    "Tensor out=None)"
)
def nansum(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Chosen:
    """Sum all elements, or along `dim`, without nan."""
    op = NansumBackward0 if input._array.dtype.kind == "f" else SumBackward1
    return op, read_dims(dim, keepdim, None), dtype


@schema(
    "nanmean(Tensor input, int[1]? dim=None, bool keepdim=False, *, dtype? dtype=None, "
    "Tensor out=None)"
)
def nanmean(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> TensorBase:
    """Return the mean of all elements, or along `dim`, without nan.

    >>> import minigrad as mg
    >>> mg.nanmean(mg.tensor([1.0, mg.nan, 3.0]))
    tensor(2.)
    """
    kind = input._array.dtype
    if kind.kind != "f":
        wanted = "floating point or complex dtype"
        raise RuntimeError(f"nanmean(): expected input to have {wanted} but got {type_word(kind)}")
    if dtype is not None and to_numpy_dtype(dtype).kind != "f":
        wanted = "Optional dtype must be either a floating point or complex dtype"
        found = f"{wanted}. Got: {type_word(to_numpy_dtype(dtype))}"
        raise RuntimeError(f"nanmean(): could not infer output dtype. {found}")
    count = (input == input).detach().sum(dim, keepdim)
    return nansum(input, dim, keepdim, dtype=dtype) / count  # type: ignore[no-any-return]


def check_averages(kind: np.dtype[Any], whose: str) -> None:
    """Raise for a mean of integers."""
    if kind.kind != "f":
        wanted = f"{whose} dtype must be either a floating point or complex dtype"
        problem = f"could not infer output dtype. {wanted}. Got: {type_word(kind)}"
        raise RuntimeError(f"mean(): {problem}")


@reduction(
    "prod(Tensor input, *, dtype? dtype=None)",
    "prod(Tensor input, int dim, bool keepdim=False, *, dtype? dtype=None, Tensor out=None)",
    whole=(ProdBackward0, (), None),
)
def prod(input: Any, dim: Any = MISSING, keepdim: bool = False, *, dtype: Any = None) -> Chosen:
    """Return the product of all elements, or along `dim`.

    >>> import minigrad as mg
    >>> mg.prod(mg.tensor([2.0, 3.0, 4.0]))
    tensor(24.)
    """
    if dim is MISSING and keepdim is False:
        return ProdBackward0, (), dtype
    dim = dim if type(dim) is int else whole_number(dim)
    if keepdim is not False:
        keepdim = truth_value(keepdim)
    return ProdBackward1, (dim, keepdim), dtype


def spread_function(
    op: type[Operation], name: str, text: str, result: str = "TensorBase"
) -> Public:
    """Make a public function that measures how far values are spread."""

    def function(input: Any, *args: Any, **kwargs: Any) -> Any:
        dtype = input._array.dtype
        if len(args) == 1 and isinstance(args[0], bool) and not kwargs:
            kwargs = {"unbiased": args[0]}
            args = ()
        params = spread_params(*args, **kwargs)
        if dtype.kind != "f":
            who = name if pair else "std and var"
            raise RuntimeError(f"{who} only support floating point and complex dtypes")
        value = op.forward(input._array, *params)
        count = count_of(input._array, value[0] if type(value) is tuple else value)
        if count <= (1 if params[1] is None else params[1]):
            warnings.warn(
                f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than "
                "the reduction factor (input numel divided by output numel).",
                stacklevel=1,  # at one place, so that Python shows it once
            )
        return record(op, (input,), params, value)

    pair = len(op.results) == 2
    out = "" if pair else ", Tensor out=None"
    alone = "" if pair else ", *, Tensor out=None"
    function.__name__, function.__doc__ = name, text
    function.__annotations__["return"] = result
    return schema(
        f"{name}(Tensor input, int[1]? dim, bool unbiased=True, bool keepdim=False{alone})",
        f"{name}(Tensor input, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False"
        f"{out})",
        f"{name}(Tensor input, bool unbiased=True)",
    )(function)


def spread_params(
    dim: Any = MISSING,
    unbiased: Any = MISSING,
    keepdim: Any = MISSING,
    *,
    correction: Any = MISSING,
) -> tuple[Dims, float | None, bool]:
    """Return the params for one of the three calls of `var`.

    They have a dimension and `unbiased`, a `correction`, or `unbiased` alone.
    """
    if unbiased is not MISSING:
        if correction is not MISSING or (dim is MISSING and keepdim is not MISSING):
            raise TypeError
        truth_value(unbiased)
    if correction is MISSING:
        plain = unbiased is MISSING and dim is MISSING
        correction = None if plain else int(unbiased is not False)
    elif isinstance(correction, TensorBase):
        correction = correction._array.item()
    if keepdim is not MISSING:
        truth_value(keepdim)
    dims = None if dim is MISSING or dim is None else as_dims(dim)
    return dims, correction, keepdim is True


var = spread_function(
    VarBackward0,
    "var",
    """Return the variance of all elements, or along `dim`.

    The sum of squares is divided by the number of elements less `correction`; that is 1, unless
    `unbiased` is False.
    """,
)
std = spread_function(StdBackward0, "std", "Return the square root of `var`.")
var_mean = spread_function(
    VarMeanBackward0, "var_mean", "Return `var` and `mean`.", "tuple[TensorBase, TensorBase]"
)
std_mean = spread_function(
    StdMeanBackward0, "std_mean", "Return `std` and `mean`.", "tuple[TensorBase, TensorBase]"
)


@reduction(
    "linalg_vector_norm(Tensor input, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, "
    "dtype? dtype=None, Tensor out=None)",
    place="linalg",
)
def vector_norm(
    input: Any, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Chosen:
    """Compute (sum |input| ** ord) ** (1 / ord) of all elements, or along `dim`."""
    x = input._array
    if type(ord) not in NUMBERS:
        ord = unwrap(ord).item() if isinstance(ord, (TensorBase, np.generic)) else ord + 0
    if isinstance(ord, complex):
        wanted = "Expected a non-complex scalar as the order of norm."
        raise RuntimeError(f"linalg.vector_norm: {wanted}")
    dims = None if dim is None else as_dims(dim)
    if keepdim is not False:
        keepdim = truth_value(keepdim)
    if x.dtype.kind != "f":
        check_linalg("vector_norm", x.dtype)
    if dtype is not None:
        check_norm_type(x.dtype, to_numpy_dtype(dtype))
    if not x.size and (ord < 0 or ord == math.inf):
        check_has_extreme(x.shape, dims, ord)
    return LinalgVectorNormBackward0, (ord, dims, keepdim), dtype


def check_linalg(name: str, dtype: np.dtype[Any]) -> None:
    """Raise the error of functions of `linalg` for a dtype that is not floating."""
    if dtype.kind != "f":
        wanted = "Expected a floating point or complex tensor as input."
        raise RuntimeError(f"linalg.{name}: {wanted} Got {type_word(dtype)}")


def check_norm_type(dtype: np.dtype[Any], wanted: np.dtype[Any]) -> None:
    """Raise if the norm's dtype is narrower than `dtype`."""
    if wanted.kind != "f":
        words = f"dtype should be floating point or complex, but got {type_word(wanted)}"
        raise RuntimeError(f"linalg.vector_norm: {words}")
    if wanted.itemsize < dtype.itemsize:
        raise RuntimeError(
            f"linalg.vector_norm: the dtype of the input ({type_word(dtype)}) should be "
            f"convertible without narrowing to the specified dtype ({type_word(wanted)})"
        )


def check_has_extreme(shape: tuple[int, ...], dims: Dims, ord: float) -> None:
    """Raise for a norm that is the greatest or the smallest of no elements."""
    empty = [d for d in dims or () if shape[wrap_dim(d, len(shape))] == 0]
    if dims and not empty:
        return
    where = f"the dimension {empty[0]}because this dimension is" if empty else "an empty tensor"
    reason = "and" if empty else "because"
    raise RuntimeError(
        f"linalg.vector_norm cannot compute the {ord:g} norm on {where} "
        f"{'empty ' if empty else ''}{reason} the operation does not have an identity"
    )


def check_not_empty(x: Any, dim: Any, name: str, error: type[Exception] = IndexError) -> None:
    """Raise if an empty dimension is to be reduced to one of its elements.

    Raises:
        IndexError: dimension `dim` is empty.
    """
    if x.size:
        return
    dims = as_dims(dim)
    wrapped = wrap_dims(dims, x.ndim)
    if not dims:
        which = f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
        if error is IndexError:
            raise error(which)
        raise error(f"{which} Specify the reduction dim with the 'dim' argument.")
    for d, axis in zip(dims, wrapped, strict=True):
        if x.shape[axis] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")


@reduction("cumsum(Tensor input, int dim, *, dtype? dtype=None, Tensor out=None)")
def cumsum(input: Any, dim: Any, *, dtype: Any = None) -> Chosen:
    """Return each element plus all before it along `dim`.

    >>> import minigrad as mg
    >>> mg.cumsum(mg.tensor([1.0, 2.0, 3.0]), 0)
    tensor([1., 3., 6.])
    """
    if dtype is not None:
        check_not_bool("cumsum_out_cpu", to_numpy_dtype(dtype))
    return CumsumBackward0, (dim if type(dim) is int else whole_number(dim),), dtype


@reduction("cumprod(Tensor input, int dim, *, dtype? dtype=None, Tensor out=None)")
def cumprod(input: Any, dim: Any, *, dtype: Any = None) -> Chosen:
    """Return each element times all before it along `dim`.

    >>> import minigrad as mg
    >>> mg.cumprod(mg.tensor([1.0, 2.0, 3.0]), 0)
    tensor([1., 2., 6.])
    """
    if dtype is not None:
        check_not_bool("cumprod_out_cpu", to_numpy_dtype(dtype))
    return CumprodBackward0, (dim if type(dim) is int else whole_number(dim),), dtype


def scanning(name: str, op: type[Operation]) -> Public:
    """Make the in-place form of a running total."""

    def function(input: Any, dim: int, *, dtype: Any = None) -> TensorBase:
        x = input._array
        if dtype is not None and to_numpy_dtype(dtype) != x.dtype:
            types = f"{c_name(x.dtype)} and output tensor dtype {c_name(to_numpy_dtype(dtype))}"
            raise RuntimeError(f"Bad in-place call: input tensor dtype {types} should match")
        dim = whole_number(dim)
        wrap_dim(dim, x.ndim)
        check_not_bool(f"{name}out_cpu", x.dtype)
        return inplace(op, input, dim)

    function.__name__, function.__doc__ = name, f"`{name[:-1]}` in place."
    return schema(f"{name}(Tensor input, int dim, *, dtype? dtype=None)", place="Tensor")(function)


cumsum_, cumprod_ = scanning("cumsum_", CumsumBackward0), scanning("cumprod_", CumprodBackward0)


# --- Truth and counts


@schema(
    "all(Tensor input, *, Tensor out=None)",
    "all(Tensor input, int[]? dim=None, bool keepdim=False, *, Tensor out=None)",
    "all(Tensor input, int dim, bool keepdim=False, *, Tensor out=None)",
)
def all(input: Any, dim: Any = None, keepdim: bool = False) -> TensorBase:
    """Return whether no element is zero, of all or along `dim`; for uint8 as 0 or 1."""
    return truth(np.all, input, dim, keepdim)


@schema(
    "any(Tensor input, *, Tensor out=None)",
    "any(Tensor input, int[]? dim=None, bool keepdim=False, *, Tensor out=None)",
    "any(Tensor input, int dim, bool keepdim=False, *, Tensor out=None)",
)
def any(input: Any, dim: Any = None, keepdim: bool = False) -> TensorBase:
    """Return whether some element is not zero, of all or along `dim`; for uint8 as 0 or 1."""
    return truth(np.any, input, dim, keepdim)


def truth(function: Function, input: Any, dim: Any, keepdim: Any) -> TensorBase:
    """Apply `function` to the elements as bools. An empty `dim` (not None) reduces nothing."""
    x = input._array
    value = x.astype(bool, order="C")
    axis = None
    if dim is not None:
        dims = as_dims(dim)
        axis = wrap_dims(dims, x.ndim) if dims else ()
    if axis != () or not x.ndim:
        value = function(value, axis=axis, keepdims=truth_value(keepdim))
    return new_tensor(value.astype(x.dtype) if x.dtype == np.uint8 else value)


COUNT_NONZERO = (
    "count_nonzero(Tensor input, int? dim=None)",
    "count_nonzero(Tensor input, int[] dim)",
)


@schema(*COUNT_NONZERO)
def count_nonzero(input: Any, dim: Any = None) -> TensorBase:
    """Count the elements that are not zero, of all or along `dim`."""
    x = input._array
    return new_tensor(fold_exactly("sum", x != 0, wrap_dims(as_dims(dim), x.ndim), False))


@schema(*COUNT_NONZERO, place="Tensor")
def count_nonzero_method(self: Any, *dims: Any, **named: Any) -> TensorBase:
    """Count the elements that are not zero; dimensions may be given one by one."""
    counted: TensorBase = count_nonzero.body(self, *([dims] if len(dims) > 1 else dims), **named)
    return counted


class ReductionMethods(TensorBase):
    """The methods of this file."""

    nansum, nanmean = nansum.method, nanmean.method
    sum, mean, prod, var, std = sum.method, mean.method, prod.method, var.method, std.method
    all, any = all.method, any.method
    count_nonzero = count_nonzero_method.method
    cumsum, cumprod = cumsum.method, cumprod.method
    cumsum_, cumprod_ = cumsum_.method, cumprod_.method
