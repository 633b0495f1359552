"""Sorting and selection: sort, topk, median.

They differ in the positions that they choose. Given the positions, each takes the elements there,
and puts the gradient back there. The positions have no derivative, so they are params, not inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...arrays.memory_order import lay_like, row_major
from ...arrays.messages import check_not_bool
from ...arrays.waiting import on_host
from ...core.node import TensorBase, new_tensor
from ...core.operation import ALWAYS, Operation, apply, constant_like, record, zeros_for
from ..indexing.gathering import ScatterBackward0
from ..pointwise.masking import MaskedFillBackward1
from ..public import return_types
from ..public.dims import keepdim_shape, truth_value, whole_number, wrap_dim
from ..public.functions import MISSING, Function, schema
from .reductions import check_not_empty, expand_reduced

# --- Selections along a dimension


class Selection(Operation):
    """The attributes of operations that take elements from `indices`."""

    rule = r"\bar a[i] = g"


class Reordering(Selection):
    """The elements at `indices` along a dimension."""

    saves = {"indices": ALWAYS}

    def forward(self: Any, /, dim: int, indices: Any) -> Any:
        if not self.ndim:
            return self.copy()
        return lay_like(np.take_along_axis(self, indices, dim), indices)

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
        places = expand_reduced(indices, shape, (dim,), keepdim)
        return put_back(expand_reduced(g, shape, (dim,), keepdim), shape, dim, places)


def put_back(g: Any, shape: tuple[int, ...], dim: int, indices: Any) -> Any:
    """Return zeros with `g` at `indices` along a dimension."""
    return ScatterBackward0.on(zeros_for(g, shape), g, dim, indices)


class MedianBackward1(Choice):
    """The median along a dimension."""


class NanmedianBackward1(Choice):
    """The median along a dimension, without nan."""


class KthvalueBackward0(Choice):
    """The k-th smallest element along a dimension."""

    params = ("dim", "keepdim", "indices")


class ModeBackward0(Choice):
    """The most frequent element along a dimension."""

    params = ("dim", "keepdim", "indices")


class SortBackward0(Reordering):
    """The elements along a dimension in ascending order."""


class SortBackward1(SortBackward0):
    """The same, with `stable` given."""


class TopkBackward0(Reordering):
    """The greatest elements along a dimension."""


# --- Selections of all elements


class ChoiceOfAll(Operation):
    """One of all elements; several equal ones share the gradient."""

    rule = r"\bar a_i = g \cdot \frac{[a_i = y]}{\sum_j [a_j = y]}"

    def gradient(g: Any, self: Any, result: Any) -> Any:
        chosen = self == result if result == result else self != self  # nan is equal to nothing
        g = g / chosen.sum()
        return MaskedFillBackward1.on(zeros_for(g, self.shape), g, chosen)


class MedianBackward0(ChoiceOfAll):
    """The median, the lower one of two; nan if there is any."""

    def forward(self: Any) -> Any:
        x = self.reshape(-1)
        return x[middle(x)] if x.size else empty_median(self.dtype)


class NanmedianBackward0(ChoiceOfAll):
    """The median, the lower one of two, without nan."""

    def forward(self: Any) -> Any:
        x = self.reshape(-1)
        return x[middle_of_numbers(x)] if x.size else empty_median(self.dtype)


def empty_median(dtype: np.dtype[Any]) -> Any:
    """Return the median of no elements."""
    return dtype.type(np.nan) if dtype.kind == "f" else dtype.type(np.iinfo(dtype).min)


# --- Positions along the last dimension


def in_order(x: Any, descending: bool = False) -> Any:
    """Return the positions of the elements in ascending order; equal ones keep their order.

    nan counts as the greatest.
    """
    if not descending:
        return np.argsort(x, axis=-1, kind="stable")
    backwards = np.argsort(x[..., ::-1], axis=-1, kind="stable")
    return x.shape[-1] - 1 - backwards[..., ::-1]


def middle(x: Any) -> Any:
    """Return the position of the median, the lower one of two; of the first nan if there is one."""
    places = in_order(x)[..., (x.shape[-1] - 1) // 2]
    nan = x != x
    return np.where(nan.any(axis=-1), nan.argmax(axis=-1), places)


def middle_of_numbers(x: Any) -> Any:
    """Return the position of the median, without nan."""
    count = (x == x).sum(axis=-1, keepdims=True)
    return np.take_along_axis(in_order(x), np.maximum(count - 1, 0) // 2, -1)[..., 0]


@row_major
def positions_along(choose: Callable[..., Any], x: Any, dim: int) -> Any:
    """Apply `choose` along dimension `dim`; it returns one or several positions for each line."""
    lines = np.moveaxis(x, dim, -1) if x.ndim else x.reshape(1)
    found = choose(lines).astype(np.int64, copy=False)  # NumPy's own are shorter in WebAssembly
    if found.ndim < lines.ndim:
        return found.reshape(found.shape[: x.ndim])  # one for each line: nothing to move back
    return np.moveaxis(found, -1, dim) if x.ndim else found.reshape(())


def chosen_along(op: type[Operation], input: Any, dim: Any, keepdim: bool, choose: Function) -> Any:
    """Return values and indices that `choose` finds, one for each line along `dim`."""
    name = public_name(op)
    x, dim = input._array, whole_number(dim)
    axis = wrap_dim(dim, x.ndim)
    if not x.size:
        check_not_empty(x, axis, name.removeprefix("nan"))
    indices = positions_along(choose, x, axis)
    if keepdim:
        indices = indices.reshape(keepdim_shape(x.shape, (axis,)))
    params = dim, keepdim, new_tensor(indices)
    values = record(op, (input,), params, op.forward(x, dim, keepdim, indices))
    return getattr(return_types, name)((values, params[2]))


def rearrange(op: type[Operation], input: Any, dim: int, choose: Function, like: Any = None) -> Any:
    """Return values and indices that `choose` finds, any number along `dim`.

    `like` is an array with the memory order of the result.
    """
    x = input._array
    found = positions_along(choose, x, wrap_dim(dim, x.ndim))
    indices = new_tensor(found if like is None else lay_like(found, like))
    values = record(op, (input,), (dim, indices), op.forward(x, dim, indices._array))
    return getattr(return_types, public_name(op))((values, indices))


def public_name(op: type[Operation]) -> str:
    """Return the function's name for an operation: SortBackward0 is the node of sort."""
    return op.__name__.partition("Backward")[0].lower()


# --- Public functions


@schema(
    "median(Tensor input)",
    "median(Tensor input, int dim, bool keepdim=False, *, Tensor[2] out=None)",
)
def median(input: Any, dim: Any = MISSING, keepdim: Any = MISSING) -> Any:
    """Return the median (the lower one of two); along `dim`, with its index.

    >>> import minigrad as mg
    >>> mg.median(mg.tensor([4.0, 1.0, 3.0, 2.0]))
    tensor(2.)
    """
    return halfway(MedianBackward0, MedianBackward1, middle, input, dim, keepdim)


@schema(
    "nanmedian(Tensor input)",
    "nanmedian(Tensor input, int dim, bool keepdim=False, *, Tensor[2] out=None)",
)
def nanmedian(input: Any, dim: Any = MISSING, keepdim: Any = MISSING) -> Any:
    """Return the median without nan; along `dim`, with its index."""
    return halfway(NanmedianBackward0, NanmedianBackward1, middle_of_numbers, input, dim, keepdim)


def halfway(
    whole: type[Operation],
    op: type[Operation],
    choose: Function,
    input: Any,
    dim: Any,
    keepdim: Any,
) -> Any:
    """Compute the median of all elements, or along `dim`."""
    if dim is MISSING and keepdim is MISSING:
        check_not_bool("median_cpu", input._array.dtype)
        return apply(whole, input)
    keepdim = keepdim is not MISSING and truth_value(keepdim)
    wrap_dim(whole_number(dim), input._array.ndim)
    check_not_bool("median_out", input._array.dtype)
    return chosen_along(op, input, dim, keepdim, choose)


@schema(
    "sort(Tensor input, *, bool? stable, int dim=-1, bool descending=False, Tensor[2] out=None)",
    "sort(Tensor input, int dim=-1, bool descending=False, *, Tensor[2] out=None)",
)
def sort(input: Any, *args: Any, **kwargs: Any) -> return_types.sort[TensorBase]:
    """Return the elements along `dim` in ascending order, with their indices.

    >>> import minigrad as mg
    >>> mg.sort(mg.tensor([3, 1, 2])).values
    tensor([1, 2, 3])
    """
    dim, descending = ordering(args, kwargs)
    op = SortBackward0 if kwargs.get("stable") is None else SortBackward1
    pair: return_types.sort[TensorBase] = rearrange(
        op, input, dim, lambda x: in_order(x, descending), input._array
    )
    return pair


@schema(
    "argsort(Tensor input, *, bool stable, int dim=-1, bool descending=False, Tensor out=None)",
    "argsort(Tensor input, int dim=-1, bool descending=False)",
)
def argsort(input: Any, *args: Any, **kwargs: Any) -> TensorBase:
    """Return the indices that `sort` returns."""
    dim, descending = ordering(args, kwargs)
    if "stable" in kwargs:
        truth_value(kwargs["stable"])
    x = input._array
    found = positions_along(lambda x: in_order(x, descending), x, wrap_dim(dim, x.ndim))
    return new_tensor(lay_like(found, x))


def ordering(args: tuple[Any, ...], named: dict[str, Any]) -> tuple[int, bool]:
    """Return the dimension and `descending`. If `stable` is given, all have to be named."""
    if args and "stable" in named:
        raise TypeError
    return ordered_by(*args, **named)


def ordered_by(dim: Any = -1, descending: Any = False, *, stable: Any = None) -> tuple[int, bool]:
    if stable is not None:
        truth_value(stable)
    dim = dim if type(dim) is int else whole_number(dim)
    return dim, descending if descending is False else truth_value(descending)


@schema(
    "topk(Tensor input, int k, int dim=-1, bool largest=True, bool sorted=True, *, "
    "Tensor[2] out=None)"
)
def topk(
    input: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> return_types.topk[TensorBase]:
    """Return the k greatest (or smallest) elements along `dim` in order, with their indices."""
    x, k, dim = input._array, whole_number(k), whole_number(dim)
    backwards = truth_value(largest)
    truth_value(sorted)
    axis = wrap_dim(dim, x.ndim)
    if not 0 <= k <= (x.shape[axis] if x.ndim else 1):
        raise RuntimeError("selected index k out of range")
    if x.dtype.kind == "b":
        raise RuntimeError("topk does not support bool dtypes on CPU")
    k = k if x.ndim else 1  # a 0-d tensor has no lines that could be empty
    pair: return_types.topk[TensorBase] = rearrange(
        TopkBackward0, input, dim, lambda x: in_order(x, backwards)[..., :k]
    )
    return pair


@schema("kthvalue(Tensor input, int k, int dim=-1, bool keepdim=False, *, Tensor[2] out=None)")
def kthvalue(
    input: Any, k: Any, dim: Any = -1, keepdim: Any = False
) -> return_types.kthvalue[TensorBase]:
    """Return the k-th smallest element along `dim`, counting from 1, with its index.

    >>> import minigrad as mg
    >>> mg.kthvalue(mg.tensor([4.0, 1.0, 3.0]), 2).values
    tensor(3.)
    """
    x, k, dim = input._array, whole_number(k), whole_number(dim)
    keepdim = truth_value(keepdim)
    axis = wrap_dim(dim, x.ndim)
    size = x.shape[axis] if x.ndim else 1
    if not 1 <= k <= size:
        if not size:
            check_not_empty(x, axis, "kthvalue")
        raise RuntimeError("kthvalue(): selected number k out of range for dimension " + str(axis))
    check_not_bool("kthvalue_cpu", x.dtype)
    pair: return_types.kthvalue[TensorBase] = chosen_along(
        KthvalueBackward0, input, dim, keepdim, lambda x: in_order(x)[..., k - 1]
    )
    return pair


def most_frequent(x: Any) -> Any:
    """Return the last position of the most frequent element, of the smallest if several are."""
    device, x = x, on_host(x)  # CuPy has no `maximum.accumulate`
    order = in_order(x)
    ordered = np.take_along_axis(x, order, -1)
    starts = np.ones(x.shape, bool)
    starts[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    places = np.arange(x.shape[-1])
    first = np.maximum.accumulate(np.where(starts, places, 0), axis=-1)
    best = (places - first).argmax(-1)
    return constant_like(device, np.take_along_axis(order, best[..., None], -1)[..., 0])


@schema("mode(Tensor input, int dim=-1, bool keepdim=False, *, Tensor[2] out=None)")
def mode(input: Any, dim: Any = -1, keepdim: Any = False) -> return_types.mode[TensorBase]:
    """Return the most frequent element along `dim`, the smallest of several, with its index.

    >>> import minigrad as mg
    >>> mg.mode(mg.tensor([2, 1, 2])).values
    tensor(2)
    """
    pair: return_types.mode[TensorBase] = chosen_along(
        ModeBackward0, input, dim, truth_value(keepdim), most_frequent
    )
    return pair


@schema("msort(Tensor input, *, Tensor out=None)")
def msort(input: Any) -> TensorBase:
    """Return the elements along the first dimension in ascending order."""
    return sort.body(input, dim=0)[0]  # type: ignore[no-any-return]


class SortingMethods(TensorBase):
    """The methods of this file."""

    kthvalue, mode, msort = kthvalue.method, mode.method, msort.method

    median, nanmedian, sort = median.method, nanmedian.method, sort.method
    argsort, topk = argsort.method, topk.method
