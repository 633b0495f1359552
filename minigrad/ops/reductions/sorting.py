"""Elements put in the order of their size: sort, topk, median.

They differ in which positions they choose. Given the positions, all of them take elements from
there, and put the gradient back there. Nothing depends smoothly on the positions, so these are no
inputs but parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..arrays.memory_order import laid_like, row_major
from ..arrays.words import check_not_bool
from ..core.node import TensorBase, new_tensor
from ..core.operation import ALWAYS, Operation, apply, record, zeros_for
from . import return_types
from .dims import kept, truth_value, whole_number, wrap_dim
from .gathering import ScatterBackward0
from .masking import MaskedFillBackward1
from .public import MISSING, Function, signed
from .reductions import check_not_empty, restored

# --- From one place along a dimension


class Selection(Operation):
    """What those that take elements from `indices` show of themselves."""

    rule = r"\bar a[i] = g"


class Reordering(Selection):
    """The elements at `indices` along a dimension."""

    saves = {"indices": ALWAYS}

    def forward(self: Any, /, dim: int, indices: Any) -> Any:
        if not self.ndim:
            return self.copy()
        return laid_like(np.take_along_axis(self, indices, dim), indices)

    def gradient(g: Any, indices: Any, shape: Any, dim: int) -> Any:
        return put_back(g, shape, dim, indices)


class Choice(Selection):
    """One element for each line along a dimension: the one at `indices`."""

    saves = {"indices": ALWAYS}

    def forward(self: Any, /, dim: int, keepdim: bool, indices: Any) -> Any:
        if not self.ndim:
            return self.copy()
        places = indices if keepdim else np.expand_dims(indices, dim)
        values = np.take_along_axis(self, places, dim)
        return values if keepdim else values.squeeze(dim)

    def gradient(g: Any, indices: Any, shape: Any, dim: int, keepdim: bool) -> Any:
        places = restored(indices, shape, (dim,), keepdim)
        return put_back(restored(g, shape, (dim,), keepdim), shape, dim, places)


def put_back(g: Any, shape: tuple[int, ...], dim: int, indices: Any) -> Any:
    """Zeros with `g` where it was taken from, at `indices` along a dimension."""
    return ScatterBackward0.on(zeros_for(g, shape), g, dim, indices)


class MedianBackward1(Choice):
    """The element in the middle along a dimension."""


class NanmedianBackward1(Choice):
    """The element in the middle along a dimension, nan left out."""


class SortBackward0(Reordering):
    """The elements along a dimension in the order of their size."""


class SortBackward1(SortBackward0):
    """The same, and `stable` was asked for."""


class TopkBackward0(Reordering):
    """The greatest elements along a dimension."""


# --- From everywhere


class ChoiceOfAll(Operation):
    """One of all elements; where several are equal to it, each gets its share of the gradient."""

    rule = r"\bar a_i = g \cdot \frac{[a_i = y]}{\sum_j [a_j = y]}"

    def gradient(g: Any, self: Any, result: Any) -> Any:
        chosen = self == result if result == result else self != self  # nan is equal to nothing
        g = g / chosen.sum()
        return MaskedFillBackward1.on(zeros_for(g, self.shape), g, chosen)


class MedianBackward0(ChoiceOfAll):
    """The element in the middle, the lower one of two; nan if there is any."""

    def forward(self: Any) -> Any:
        x = self.reshape(-1)
        return x[middle(x)] if x.size else of_none(self.dtype)


class NanmedianBackward0(ChoiceOfAll):
    """The element in the middle, the lower one of two, nan left out."""

    def forward(self: Any) -> Any:
        x = self.reshape(-1)
        return x[middle_of_numbers(x)] if x.size else of_none(self.dtype)


def of_none(dtype: np.dtype[Any]) -> Any:
    """The median of no elements."""
    return dtype.type(np.nan) if dtype.kind == "f" else dtype.type(np.iinfo(dtype).min)


# --- Which places (along the last dimension)


def in_order(x: Any, descending: bool = False) -> Any:
    """Where the elements stand in the order of their size, equal ones as they come; nan counts as
    the greatest."""
    if not descending:
        return np.argsort(x, axis=-1, kind="stable")
    backwards = np.argsort(x[..., ::-1], axis=-1, kind="stable")
    return x.shape[-1] - 1 - backwards[..., ::-1]


def middle(x: Any) -> Any:
    """Where the median stands, the lower one of two; the first nan, if there is any."""
    places = in_order(x)[..., (x.shape[-1] - 1) // 2]
    nan = x != x
    return np.where(nan.any(axis=-1), nan.argmax(axis=-1), places)


def middle_of_numbers(x: Any) -> Any:
    """Where the median stands, nan left out."""
    count = (x == x).sum(axis=-1, keepdims=True)
    return np.take_along_axis(in_order(x), np.maximum(count - 1, 0) // 2, -1)[..., 0]


@row_major
def places(choose: Callable[..., Any], x: Any, dim: int) -> Any:
    """What `choose` finds along dimension `dim`: one place for each line, or as many as it
    likes."""
    lines = np.moveaxis(x, dim, -1) if x.ndim else x.reshape(1)
    found = choose(lines).astype(np.int64, copy=False)  # NumPy's own are shorter in WebAssembly
    if found.ndim < lines.ndim:
        return found.reshape(found.shape[: x.ndim])  # one for each line: nothing to turn back
    return np.moveaxis(found, -1, dim) if x.ndim else found.reshape(())


def chosen_along(op: type[Operation], input: Any, dim: Any, keepdim: bool, choose: Function) -> Any:
    """The pair of values and indices that `choose` finds, one for each line along `dim`."""
    name = public_name(op)
    x, dim = input._array, whole_number(dim)
    axis = wrap_dim(dim, x.ndim)
    if not x.size:
        check_not_empty(x, axis, name.removeprefix("nan"))
    indices = places(choose, x, axis)
    if keepdim:
        indices = indices.reshape(kept(x.shape, (axis,)))
    params = dim, keepdim, new_tensor(indices)
    values = record(op, (input,), params, op.forward(x, dim, keepdim, indices))
    return getattr(return_types, name)((values, params[2]))


def rearranged(
    op: type[Operation], input: Any, dim: int, choose: Function, like: Any = None
) -> Any:
    """The pair of values and indices that `choose` finds, any number along `dim`; `like` is an
    array to lay them in memory as."""
    x = input._array
    found = places(choose, x, wrap_dim(dim, x.ndim))
    indices = new_tensor(found if like is None else laid_like(found, like))
    values = record(op, (input,), (dim, indices), op.forward(x, dim, indices._array))
    return getattr(return_types, public_name(op))((values, indices))


def public_name(op: type[Operation]) -> str:
    """What the function of an operation is called: SortBackward0 is the node of sort."""
    return op.__name__.partition("Backward")[0].lower()


# --- Public functions


@signed(
    "median(Tensor input)",
    "median(Tensor input, int dim, bool keepdim=False, *, Tensor[2] out=None)",
)
def median(input: Any, dim: Any = MISSING, keepdim: Any = MISSING) -> Any:
    """The element in the middle (the lower one of two); along `dim`, with its index.

    >>> import minigrad as mg
    >>> mg.median(mg.tensor([4.0, 1.0, 3.0, 2.0]))
    tensor(2.)
    """
    return halfway(MedianBackward0, MedianBackward1, middle, input, dim, keepdim)


@signed(
    "nanmedian(Tensor input)",
    "nanmedian(Tensor input, int dim, bool keepdim=False, *, Tensor[2] out=None)",
)
def nanmedian(input: Any, dim: Any = MISSING, keepdim: Any = MISSING) -> Any:
    """The element in the middle, nan left out; along `dim`, with its index."""
    return halfway(NanmedianBackward0, NanmedianBackward1, middle_of_numbers, input, dim, keepdim)


def halfway(
    whole: type[Operation],
    op: type[Operation],
    choose: Function,
    input: Any,
    dim: Any,
    keepdim: Any,
) -> Any:
    """The median of all elements, or along `dim`."""
    if dim is MISSING and keepdim is MISSING:
        check_not_bool("median_cpu", input._array.dtype)
        return apply(whole, input)
    keepdim = keepdim is not MISSING and truth_value(keepdim)
    wrap_dim(whole_number(dim), input._array.ndim)
    check_not_bool("median_out", input._array.dtype)
    return chosen_along(op, input, dim, keepdim, choose)


@signed(
    "sort(Tensor input, *, bool? stable, int dim=-1, bool descending=False, Tensor[2] out=None)",
    "sort(Tensor input, int dim=-1, bool descending=False, *, Tensor[2] out=None)",
)
def sort(input: Any, *args: Any, **kwargs: Any) -> return_types.sort[TensorBase]:
    """The elements along `dim` in the order of their size, with their indices.

    >>> import minigrad as mg
    >>> mg.sort(mg.tensor([3, 1, 2])).values
    tensor([1, 2, 3])
    """
    dim, descending = ordering(args, kwargs)
    op = SortBackward0 if kwargs.get("stable") is None else SortBackward1
    pair: return_types.sort[TensorBase] = rearranged(
        op, input, dim, lambda x: in_order(x, descending), input._array
    )
    return pair


@signed(
    "argsort(Tensor input, *, bool stable, int dim=-1, bool descending=False, Tensor out=None)",
    "argsort(Tensor input, int dim=-1, bool descending=False)",
)
def argsort(input: Any, *args: Any, **kwargs: Any) -> TensorBase:
    """The indices that `sort` returns."""
    dim, descending = ordering(args, kwargs)
    if "stable" in kwargs:
        truth_value(kwargs["stable"])
    x = input._array
    found = places(lambda x: in_order(x, descending), x, wrap_dim(dim, x.ndim))
    return new_tensor(laid_like(found, x))


def ordering(args: tuple[Any, ...], named: dict[str, Any]) -> tuple[int, bool]:
    """The dimension, and whether the greatest come first. Where `stable` is said, all have to be
    named."""
    if args and "stable" in named:
        raise TypeError
    return ordered_by(*args, **named)


def ordered_by(dim: Any = -1, descending: Any = False, *, stable: Any = None) -> tuple[int, bool]:
    if stable is not None:
        truth_value(stable)
    dim = dim if type(dim) is int else whole_number(dim)
    return dim, descending if descending is False else truth_value(descending)


@signed(
    "topk(Tensor input, int k, int dim=-1, bool largest=True, bool sorted=True, *, "
    "Tensor[2] out=None)"
)
def topk(
    input: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> return_types.topk[TensorBase]:
    """The k greatest (or smallest) elements along `dim` in order, with their indices."""
    x, k, dim = input._array, whole_number(k), whole_number(dim)
    backwards = truth_value(largest)
    truth_value(sorted)
    axis = wrap_dim(dim, x.ndim)
    if not 0 <= k <= (x.shape[axis] if x.ndim else 1):
        raise RuntimeError("selected index k out of range")
    if x.dtype.kind == "b":
        raise RuntimeError("topk does not support bool dtypes on CPU")
    k = k if x.ndim else 1  # a number has no lines that could be left empty
    pair: return_types.topk[TensorBase] = rearranged(
        TopkBackward0, input, dim, lambda x: in_order(x, backwards)[..., :k]
    )
    return pair


class SortingMethods(TensorBase):
    """The methods of this file."""

    median, nanmedian, sort = median.method, nanmedian.method, sort.method
    argsort, topk = argsort.method, topk.method
