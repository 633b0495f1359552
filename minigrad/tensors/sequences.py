"""Sequences of numbers that are rarer than `arange` and `linspace`: `logspace` and `range`."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from ..arrays.messages import check_not_bool
from ..core.node import TensorBase
from ..ops.public.functions import schema
from .creation import as_number, checked_range, kind, new_leaf


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
