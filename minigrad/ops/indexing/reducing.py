"""Scatter elements and combine those for one position: scatter_reduce and index_reduce.

`scatter_reduce` has a position for each element, `index_reduce` one for each slice. The formulas
are the same; they differ in how a value is taken from its position.
"""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, NoReturn

import numpy as np

from ...core.node import TensorBase, unwrap
from ...core.operation import ALWAYS, Operation, constant_like, zeros_for
from ..pointwise.elementwise import WhereBackward0
from ..pointwise.masking import MaskedFillBackward0
from ..public.dims import truth_value
from ..public.factories import Call, applied
from .gathering import (
    GatherBackward0,
    IndexAddBackward0,
    IndexFillBackward0,
    IndexSelectBackward0,
    ScatterAddBackward0,
    ScatterBackward1,
    check_index_and_source,
    check_scatter,
    corner,
    mesh,
    multiply_at,
    outside,
    vector,
)

COMBINE = {
    "sum": np.add.at,
    "prod": multiply_at,
    "mean": np.add.at,
    "amax": np.maximum.at,
    "amin": np.minimum.at,
}
"""By the name of a reduction, the function that combines elements into positions."""

START = {"sum": 0, "prod": 1, "mean": 0, "amax": -np.inf, "amin": np.inf}
"""The element with which a reduction without the tensor's own elements starts."""


def first_element(reduce: str, dtype: Any) -> Any:
    """Return the element of `dtype` with which a reduction starts."""
    if dtype.kind == "b":
        return reduce in ("prod", "amin")
    if reduce in ("amax", "amin") and dtype.kind != "f":
        limits = np.iinfo(dtype)
        return limits.min if reduce == "amax" else limits.max
    return START[reduce]


def constant(g: Any, array: Any) -> Any:
    """Return an array for a formula of `g`: a tensor without history if `g` is a tensor."""
    return constant_like(g, array) if isinstance(g, TensorBase) else array


def combine(x: Any, src: Any, place: Any, reduce: str, include_self: bool) -> Any:
    """Return `x` with `src` combined into the positions `place`."""
    result = x.copy()
    if not src.size:
        return result
    if not include_self:
        result[place] = first_element(reduce, x.dtype)
    COMBINE[reduce](result, place, src)
    if reduce == "mean":
        count = np.full_like(x, int(include_self), np.int64)
        np.add.at(count, place, 1)
        count = np.maximum(count, 1)
        result = result // count if x.dtype.kind in "iu" else result / count
    return result.astype(x.dtype, copy=False)


class Reducing(Operation):
    """The gradients of operations that combine elements scattered to one position."""

    name_of_function: ClassVar[str]
    rule = (
        r"\bar a = g \frac{\partial y}{\partial a}, \; \bar b = g[i] \frac{\partial y}{\partial b}"
    )

    @staticmethod
    def take(x: Any, dim: int, index: Any) -> Any:
        """Return the elements of `x` at the positions of the source's elements."""
        return GatherBackward0.on(x, dim, index)

    @staticmethod
    def add(x: Any, src: Any, dim: int, index: Any) -> Any:
        """Return `x` with `src` added at its positions."""
        return ScatterAddBackward0.on(x, src, dim, index)

    @staticmethod
    def clear(x: Any, dim: int, index: Any) -> Any:
        """Return `x` with zeros at the positions of the source's elements."""
        return ScatterBackward1.on(x, dim, index, 0)

    def backward(ctx, g: Any) -> Any:
        index, x, src, result = ctx.saved
        dim, _, reduce, include_self = ctx.args
        find = getattr(ctx, f"of_{'extreme' if reduce in ('amax', 'amin') else reduce}")
        left, right = find(g, x, src, result, dim, index, reduce, include_self)
        if not include_self:
            left = ctx.clear(left, dim, index)
        return left if ctx.needs(0) else None, right if ctx.needs(1) else None

    def of_sum(ctx, g: Any, x: Any, src: Any, y: Any, dim: int, index: Any, *_: Any) -> Any:
        return g, ctx.take(g, dim, index)

    def of_mean(ctx, g: Any, x: Any, src: Any, y: Any, dim: int, index: Any, *how: Any) -> Any:
        ones = zeros_for(unwrap(src)) + 1
        count = ctx.add(zeros_for(unwrap(g)) + how[1], ones, dim, unwrap(index))
        count = constant(g, np.maximum(count, 1))
        return g / count, ctx.take(g, dim, index) / ctx.take(count, dim, index)

    def of_extreme(ctx, g: Any, x: Any, src: Any, y: Any, dim: int, index: Any, *_: Any) -> Any:
        own, top, i = unwrap(x), unwrap(y), unwrap(index)
        own = (own == top).astype(own.dtype)
        given = (unwrap(src) == ctx.take(top, dim, i)).astype(own.dtype)
        each = g / constant(g, ctx.add(own, given, dim, i))
        own, given = constant(g, own), constant(g, given)
        return own * each, given * ctx.take(each, dim, index)

    def of_prod(ctx, g: Any, x: Any, src: Any, y: Any, dim: int, index: Any, *how: Any) -> Any:
        again = type(ctx).on
        nonzero = MaskedFillBackward0.on(x, x == 0, 1)
        left = g * again(nonzero, src, dim, index, *how) / nonzero
        zero = unwrap(src) == 0
        count = zeros_for(unwrap(x))
        count = ctx.take(
            ctx.add(count, zero.astype(count.dtype), dim, unwrap(index)), dim, unwrap(index)
        )
        alone = constant(g, zero & (count == 1))
        others = again(x, MaskedFillBackward0.on(src, alone, 1), dim, index, *how)
        divisor = MaskedFillBackward0.on(src, constant(g, zero), 1)
        right = WhereBackward0.on(
            ctx.take(g * others, dim, index), ctx.take(g * y, dim, index) / divisor, alone
        )
        if isinstance(right, TensorBase) and (zero & (count > 1)).any():
            right = Error.on(right, type(ctx).name_of_function, ctx.inputs[1])
        return left, right


class Error(Operation):
    """The gradient of a product's source: usable, but not differentiable again.

    With two zeros for one position, the second derivative depends on a product of all the others.
    """

    rule = r"\bar a = \text{error}"

    def forward(self: Any, /, function: str, source: str) -> Any:
        return self

    def name(self) -> str:
        return "torch::autograd::Error"

    def backward(ctx, g: Any) -> NoReturn:
        function, source = ctx.args
        raise RuntimeError(
            f"{function}(): Double backward is unsupported for {source} when >1 zeros in {source} "
            "are scattered to the same position in self"
        )


class ScatterReduceBackward0(Reducing):
    """`self` with elements of `src` combined into positions `index` of `dim`."""

    name_of_function = "scatter_reduce"
    saves = {"index": ALWAYS, "self": ALWAYS, "src": ALWAYS, "result": ALWAYS}

    def forward(
        self: Any, src: Any, /, dim: int, index: Any, reduce: str, include_self: bool
    ) -> Any:
        place, x = vector(index), vector(self)
        found = combine(x, corner(vector(src), place), mesh(place, dim), reduce, include_self)
        return found.reshape(self.shape)


class IndexReduceBackward0(Reducing):
    """`self` with slices of `source` combined into the slices `index` of `dim`."""

    name_of_function = "index_reduce"
    saves = {"index": ALWAYS, "self": ALWAYS, "source": ALWAYS, "result": ALWAYS}

    def forward(
        self: Any, source: Any, /, dim: int, index: Any, reduce: str, include_self: bool
    ) -> Any:
        x, rows = (np.moveaxis(vector(each), dim, 0) for each in (self, source))
        found = combine(x, rows, vector(index), reduce, include_self)
        return np.moveaxis(found, 0, dim).copy().reshape(self.shape)

    @staticmethod
    def take(x: Any, dim: int, index: Any) -> Any:
        return IndexSelectBackward0.on(x, dim, index)

    @staticmethod
    def add(x: Any, src: Any, dim: int, index: Any) -> Any:
        return IndexAddBackward0.on(x, src, dim, index, 1)

    @staticmethod
    def clear(x: Any, dim: int, index: Any) -> Any:
        return IndexFillBackward0.on(x, dim, index, 0)


@applied(
    "scatter_reduce(Tensor input, int dim, Tensor index, Tensor src, str reduce, *, "
    "bool include_self=True, Tensor out=None)",
    apart=True,
)
def scatter_reduce(
    input: Any, dim: Any, index: Any, src: Any, reduce: Any, *, include_self: Any = True
) -> Call:
    """Combine elements of `src` into positions `index` of `dim`.

    Args:
        reduce: "sum", "prod", "mean", "amax" or "amin".
        include_self: whether the elements of `input` count as well.

    >>> import minigrad as mg
    >>> x, i = mg.tensor([1.0, 2.0, 3.0]), mg.tensor([0, 0, 1])
    >>> mg.scatter_reduce(mg.zeros(2), 0, i, x, "amax")
    tensor([2., 3.])
    """
    if not isinstance(reduce, str):
        raise TypeError
    if reduce not in COMBINE:
        wanted = "sum, prod, mean, amax or amin"
        raise RuntimeError(f"reduce argument must be either {wanted}, got {reduce}")
    dim = check_scatter(input, dim, index, src)
    return ScatterReduceBackward0, (src, dim, index, reduce, truth_value(include_self))


@applied(
    "index_reduce(Tensor input, int dim, Tensor index, Tensor source, str reduce, *, "
    "bool include_self=True, Tensor out=None)",
    apart=True,
)
def index_reduce(
    input: Any, dim: Any, index: Any, source: Any, reduce: Any, *, include_self: Any = True
) -> Call:
    """Combine the slices of `source` into the slices `index` of `dim`; see `scatter_reduce`.

    >>> import minigrad as mg
    >>> mg.index_reduce(mg.ones(2), 0, mg.tensor([1, 1]), mg.tensor([2.0, 3.0]), "prod")
    tensor([1., 6.])
    """
    if not isinstance(reduce, str):
        raise TypeError
    include = truth_value(include_self)
    if reduce not in COMBINE or reduce == "sum":
        wanted = f"one of prod, mean, amax or amin but got {reduce}."
        raise RuntimeError(f"index_reduce(): Expected reduce to be {wanted}")
    dim, axis, size = check_index_and_source("index_reduce_", input, dim, index, source)
    warnings.warn("index_reduce() is in beta and the API may change at any time.", stacklevel=3)
    wrong = outside(index._array, size)
    if wrong is not None:
        if not size and source._array.ndim > 1:
            found = f"for tensor of size {list(input._array.shape)} at dimension {axis}"
            raise IndexError(f"select(): index 0 out of range {found}")
        if not include:
            found = f"out of bounds for dimension {axis} with size {size}"
            raise IndexError(f"index {wrong} is {found}")
        raise IndexError("index out of range in self")
    return IndexReduceBackward0, (source, dim, index, reduce, include)


class ReducingMethods(TensorBase):
    """The methods of this file."""

    scatter_reduce, scatter_reduce_ = scatter_reduce.method, scatter_reduce.in_place.method
    index_reduce, index_reduce_ = index_reduce.method, index_reduce.in_place.method
