"""Sequences of numbers that are rarer than `arange` and `linspace`, and sequences of powers."""

from __future__ import annotations

import math
import warnings
from typing import Any, cast

import numpy as np

from ..arrays.dtypes import int64
from ..arrays.messages import check_not_bool
from ..core.node import TensorBase
from ..ops.indexing.joining import flip
from ..ops.public.functions import schema
from ..ops.reductions.reductions import cumprod
from ..ops.shapes.shapes import unsqueeze
from .creation import as_number, as_whole, checked_range, empty, kind, new_leaf


@schema(
    "logspace(Tensor start, Tensor end, int steps, float base=10.0, *, Tensor out=None, **options)",
    "logspace(Scalar start, Tensor end, int steps, float base=10.0, *, Tensor out=None, **options)",
    "logspace(Tensor start, Scalar end, int steps, float base=10.0, *, Tensor out=None, **options)",
    "logspace(Scalar start, Scalar end, int steps, float base=10.0, *, Tensor out=None, **options)",
)
def logspace(start: Any, end: Any, steps: Any, base: Any = 10.0, **options: Any) -> TensorBase:
    """Return `steps` powers of `base`, with exponents from `start` to `end`.

    >>> import minigrad as mg
    >>> mg.logspace(0, 2, 3)
    tensor([  1.,  10., 100.])
    """
    given = start, end, steps, options.get("dtype")
    *ends, steps, wanted = checked_range("logspace", *given)
    first, last = map(float, ends)
    by, ahead, half = (last - first) / max(steps - 1, 1), np.arange(steps), steps // 2
    exponents = np.where(ahead < half, first + by * ahead, last - by * ahead[::-1])
    exponents = exponents if steps != 1 else np.full(1, first)
    return new_leaf((float(as_number(base)) ** exponents).astype(wanted), **options)


@schema(
    "range(Scalar start, Scalar end, Scalar step=1, *, Tensor out=None, **options)",
)
def range(start: Any, end: Any, step: Any = 1, **options: Any) -> TensorBase:
    """Return the numbers start, start + step, ... up to `end`, which is included; see `arange`."""
    first, last, by = (as_number(each) for each in (start, end, step))
    grad = options.get("requires_grad", False)
    if not isinstance(grad, bool):
        wrong = f"must be bool, not {type(grad).__name__}"
        raise TypeError(f"range(): argument 'requires_grad' {wrong}")
    warnings.warn(
        "torch.range is deprecated and will be removed in a future release because its behavior "
        "is inconsistent with Python's range builtin. Instead, use torch.arange, which produces "
        "values in [start, end).",
        stacklevel=2,
    )
    if not (by > 0 or by < 0):
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(first) and math.isfinite(last)):
        raise RuntimeError(f"unsupported range: {first:g} -> {last:g}")
    if (last - first) * by < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    wanted = kind(options.get("dtype"))
    check_not_bool("range_cpu", wanted)
    values = first + np.arange(int((last - first) / by) + 1) * by
    return new_leaf(values.astype(wanted), **options)


@schema("vander(Tensor x, int? N=None, bool increasing=False)")
def vander(x: Any, N: Any = None, increasing: Any = False) -> TensorBase:
    """Return the powers of a vector's elements, a row for each element, the highest power first.

    Args:
        N: the number of powers, by default that of the elements.
        increasing: begin with the power 0.

    >>> import minigrad as mg
    >>> mg.vander(mg.tensor([1, 2, 3]))
    tensor([[1, 1, 1],
            [4, 2, 1],
            [9, 3, 1]])
    """
    if not isinstance(increasing, bool):
        raise TypeError
    wanted = None if N is None else as_whole(N)
    if x._array.ndim != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    count = len(x._array) if wanted is None else wanted
    if count < 0:
        raise RuntimeError("N must be non-negative.")
    dtype = x.dtype if x._array.dtype.kind == "f" else int64
    result: Any = empty((len(x._array), count), dtype=dtype, device=x.device)
    if count > 0:
        result.select(1, 0).fill_(1)
    if count > 1:
        result[:, 1:].copy_(unsqueeze(x, 1))
        result[:, 1:].copy_(cumprod(result[:, 1:], 1))
    return cast(TensorBase, result if increasing else flip(result, (1,)))
