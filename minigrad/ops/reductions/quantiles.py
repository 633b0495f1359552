"""Quantiles, composed of a sort and interpolation as PyTorch composes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.node import TensorBase, new_tensor
from ...core.operation import constant_like
from ..indexing.gathering import GatherBackward0
from ..pointwise.blends import lerp_
from ..public.dims import truth_value, whole_number, wrap_dim
from ..public.functions import schema
from ..shapes.shapes import flatten, transpose, unsqueeze, view
from .sorting import sort

ROUND: dict[str, Any] = {"lower": np.floor, "higher": np.ceil, "nearest": np.round}
"""How a rank between two elements becomes that of one of them."""


def quantiles(name: str, sentence: str) -> Any:
    """Make `quantile` or `nanquantile`."""
    options = 'int? dim=None, bool keepdim=False, *, str interpolation="linear", Tensor out=None)'

    def body(
        input: Any, q: Any, dim: Any = None, keepdim: Any = False, *,
        interpolation: Any = "linear",
    ) -> TensorBase:  # fmt: skip
        kept = truth_value(keepdim)
        if interpolation not in {*ROUND, "linear", "midpoint"}:
            allowed = "linear, lower, higher, midpoint or nearest"
            found = f"interpolation must be one of {allowed}, but got {interpolation}"
            raise RuntimeError(f"quantile() {found}")
        wanted, is_number = chosen(input._array, q), not isinstance(q, TensorBase)
        rows = sorted_rows(input, dim, kept)
        share: Any = place(rows, wanted) if is_number else q
        found = between(rows, ranks_in(rows, share, name == "quantile"), interpolation)
        if not is_number and q._array.ndim:
            found = found.unsqueeze_(0).transpose_(0, -1)
        return found.squeeze_(-1)  # type: ignore[no-any-return]

    body.__name__, body.__doc__ = name, sentence
    return schema(
        f"{name}(Tensor input, Tensor q, {options}", f"{name}(Tensor input, float q, {options}"
    )(body)


def chosen(x: Any, q: Any) -> Any:
    """Return the wanted quantiles as an array; raise for those that there cannot be."""
    if isinstance(q, TensorBase):
        wanted = q._array
    elif isinstance(q, (int, float)):
        if not 0 <= q <= 1:
            raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
        wanted = x.dtype.type(q)
    else:
        raise TypeError
    if not x.size:
        raise RuntimeError("quantile() input tensor must be non-empty")
    if wanted.ndim > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if x.dtype not in (np.float32, np.float64):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if wanted.dtype != x.dtype:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    if not bool(((wanted >= 0) & (wanted <= 1)).all()):
        raise RuntimeError("quantile() q values must be in the range [0, 1]")
    return wanted


def sorted_rows(input: Any, dim: Any, keepdim: bool) -> Any:
    """Return the elements in ascending rows, of which each gives one element of the result."""
    shape = input._array.shape
    axis = None if dim is None else wrap_dim(whole_number(dim), len(shape))
    if axis is None:
        ordered, shape = sort.body(flatten(input))[0], (1,) * len(shape) if keepdim else ()
    else:
        last = axis == len(shape) - 1 or not shape
        moved = input if last else transpose(unsqueeze(input, -1), axis, -1)
        ordered = sort.body(moved)[0]
        shape = (*shape[:axis], *(1,) * (keepdim and shape != ()), *shape[axis + 1 :])
    return view(ordered, (*shape, ordered._array.shape[-1] if ordered._array.ndim else 1))


def ranks_in(rows: TensorBase, share: Any, nan_wins: bool) -> Any:
    """Return the fractional ranks in each row as a tensor: `share` may require a gradient."""
    unknown = np.isnan(rows._array)
    if nan_wins:
        last, lost = rows._array.shape[-1] - 1, unknown.any(-1, keepdims=True)
        ranks = share * last
        shape = np.broadcast_shapes(ranks._array.shape, lost.shape)
        return ranks.expand(shape).masked_fill(place(rows, lost), last)
    ranks = share * place(rows, (~unknown).sum(-1, keepdims=True) - 1)
    return ranks.masked_fill(place(rows, ranks._array < 0), 0)


def between(rows: TensorBase, ranks: Any, interpolation: str) -> Any:
    """Return the elements at fractional `ranks`."""
    exact = ranks._array
    if interpolation in ROUND:
        exact = ROUND[interpolation](exact)
    below = place(rows, exact.astype(np.int64))
    value = GatherBackward0.on(rows, -1, below)
    if interpolation in ROUND:
        return value
    half = interpolation == "midpoint"
    weight = place(rows, np.full_like(exact, 0.5)) if half else ranks - below
    above = GatherBackward0.on(rows, -1, place(rows, np.ceil(exact).astype(np.int64)))
    return lerp_.body(value, above, weight)  # PyTorch counts the write, too


def place(rows: TensorBase, found: Any) -> Any:
    return new_tensor(constant_like(rows._array, found))


quantile = quantiles(
    "quantile",
    """Return the elements below which the share `q` of the elements lies.

    Between two elements, the result is interpolated.

    >>> import minigrad as mg
    >>> mg.quantile(mg.tensor([1.0, 2.0, 3.0, 4.0]), 0.5)
    tensor(2.5000)
    """,
)
nanquantile = quantiles("nanquantile", "Return the quantiles of the elements that are not nan.")


class QuantileMethods(TensorBase):
    """The methods of this file."""

    quantile, nanquantile = quantile.method, nanquantile.method
