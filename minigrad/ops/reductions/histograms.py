"""Elements counted, or their weights summed, between edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.messages import c_name, check_floating, not_implemented
from ...arrays.spacing import spaced
from ...arrays.waiting import on_host
from ...core.node import TensorBase, gradient_edge, new_tensor
from ...core.operation import constant_like, record
from ..pointwise.arithmetic import NotImplementedBackward
from ..public import return_types
from ..public.dims import truth_value, whole_number
from ..public.factories import as_number
from ..public.functions import MISSING, schema


def check_bins(bins: int) -> None:
    """Raise if there is no room between edges."""
    if bins <= 0:
        wanted = f"bins must be > 0, but got {bins} for dimension 0"
        raise RuntimeError(f"torch.histogram(): {wanted}")


@schema("histc(Tensor input, int bins=100, Scalar min=0, Scalar max=0, *, Tensor out=None)")
def histc(input: Any, bins: Any = 100, min: Any = 0, max: Any = 0) -> TensorBase:
    """Count the elements in each of `bins` intervals of equal width between `min` and `max`.

    If the two are equal, use the range of the elements.

    >>> import minigrad as mg
    >>> mg.histc(mg.tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3)
    tensor([0., 2., 1., 0.])
    """
    x, bins = on_host(input._array).reshape(-1), whole_number(bins)
    check_floating("linspace_cpu" if x.dtype.kind == "b" else "histogram_cpu", x.dtype)
    low, high = (float(as_number(bound, x.dtype)) for bound in (min, max))
    check_bins(bins)
    if low == high and x.size:
        low, high = float(x.min()), float(x.max())
    if low == high:
        low, high = low - 1, high + 1
    if not (np.isfinite(low) and np.isfinite(high)):
        raise RuntimeError(f"torch.histc: range of [{low:g}, {high:g}] is not finite")
    if low >= high:
        raise RuntimeError("torch.histc: max must be larger than min")
    inside = x[(x >= low) & (x <= high)]
    places = ((inside - x.dtype.type(low)) / x.dtype.type(high - low) * bins).astype(np.int64)
    counts = np.bincount(np.minimum(places, bins - 1), minlength=bins)
    return new_tensor(constant_like(input._array, counts.astype(x.dtype)))


@schema(
    "histogram(Tensor input, Tensor bins, *, Tensor? weight=None, bool density=False, "
    "Tensor[2] out=None)",
    "histogram(Tensor input, int bins=100, *, float[]? range=None, Tensor? weight=None, "
    "bool density=False, Tensor[2] out=None)",
)
def histogram(
    input: Any, bins: Any = 100, *, range: Any = MISSING, weight: Any = None, density: Any = False
) -> return_types.histogram[TensorBase]:
    """Count the elements between each two edges, and return the counts with the edges.

    Args:
        bins: how many intervals of equal width there are, or all edges.
        range: the first and the last edge, by default the smallest and the greatest element.
        weight: what each element counts; by default 1.
        density: divide so that the area below the counts is 1.

    >>> import minigrad as mg
    >>> mg.histogram(mg.tensor([1.0, 2.0, 1.0]), bins=2, range=(0.0, 3.0)).hist
    tensor([2., 1.])
    """
    density, whole = truth_value(density), not isinstance(bins, TensorBase)
    if not whole and range is not MISSING:
        raise TypeError
    x = on_host(input._array).reshape(-1)
    bounds = None if range in (MISSING, None) else tuple(range)
    number = whole_number(bins) if whole else 0
    weights = None if weight is None else checked_weights(input, weight)
    if whole:
        edges = edges_between(x, number, bounds)
    else:
        edges = checked_edges(x, bins)
    if x.dtype not in (np.float32, np.float64):
        raise not_implemented("histogramdd", x.dtype)
    inside = (x >= edges[0]) & (x <= edges[-1])
    places = np.searchsorted(edges, x[inside], side="right") - 1
    places = np.minimum(places, len(edges) - 2)
    shares = None if weights is None else weights[inside]
    found = np.bincount(places, shares, minlength=len(edges) - 1).astype(x.dtype)
    if density:
        found = found / found.sum() / np.diff(edges)
    sources = [input] if gradient_edge(input) else []
    values = tuple(constant_like(input._array, each) for each in (found, edges))
    pair: Any = record(NotImplementedBackward, sources, ("histogram",), values)
    return return_types.histogram(pair)


def checked_weights(input: Any, weight: Any) -> Any:
    """Return the weights of the elements, if they fit."""
    x, given = input._array, weight._array
    start = "torch.histogramdd: if weight tensor is provided"
    if given.dtype != x.dtype:
        found = f"but got input({c_name(x.dtype)}), and weight({c_name(given.dtype)})"
        raise RuntimeError(
            f"{start}, input tensor and weight tensor should have the same dtype, {found}"
        )
    if given.size != x.size:
        found = f"got input with shape [{x.size}, 1] and weight with shape [{given.size}]"
        raise RuntimeError(
            f"{start} it should have the same shape as the input tensor excluding its innermost "
            f"dimension, but {found}"
        )
    return on_host(given).reshape(-1)


def checked_edges(x: Any, bins: Any) -> Any:
    """Return edges that were given, if they fit."""
    edges, start = on_host(bins._array), "torch.histogramdd:"
    if edges.dtype != x.dtype:
        found = f"{c_name(x.dtype)} and bins for dimension 0 with dtype {c_name(edges.dtype)}"
        wanted = "input tensor and bins tensors should have the same dtype"
        raise RuntimeError(f"{start} {wanted}, but got input with dtype {found}")
    where = "in the bins tensor for dimension 0"
    if edges.ndim != 1:
        found = f"but got {edges.ndim} dimensions {where}"
        raise RuntimeError(f"{start} bins tensor should have one dimension, {found}")
    if not edges.size:
        wanted = "bins tensor should have at least 1 element"
        raise RuntimeError(f"{start} {wanted}, but got 0 elements {where}")
    check_bins(len(edges) - 1)
    return edges


def edges_between(x: Any, bins: int, bounds: Any) -> Any:
    """Return edges at equal distances, between the bounds or around all elements."""
    check_bins(bins)
    start = "torch.histogramdd:"
    if bounds is not None and len(bounds) != 2:
        wanted = "for a 1-dimensional histogram range should have 2 elements"
        raise RuntimeError(f"{start} {wanted}, but got {len(bounds)}")
    if x.dtype not in (np.float32, np.float64):
        raise not_implemented("histogramdd", x.dtype)
    low, high = bounds or ((x.min(), x.max()) if x.size else (0.0, 1.0))
    if not (np.isfinite(low) and np.isfinite(high)):
        found = f"[{low:g}, {high:g}]"
        raise RuntimeError(f"{start} dimension 0's range {found} is not finite")
    if low > high:
        found = f"got min {low:g} max {high:g} for dimension 0"
        raise RuntimeError(f"{start} min should not exceed max, but {found}")
    if low == high:
        low, high = low - 0.5, high + 0.5
    return spaced(x.dtype.type(low), x.dtype.type(high), bins + 1)


class HistogramMethods(TensorBase):
    """The methods of this file."""

    histc, histogram = histc.method, histogram.method
