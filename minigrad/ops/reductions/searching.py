"""Positions of values in sorted rows: searchsorted and bucketize."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...arrays.messages import type_word
from ...core.node import TensorBase, new_tensor
from ..public.dims import truth_value
from ..public.factories import as_number
from ..public.functions import schema

NAME = "torch.searchsorted():"


@schema(
    "searchsorted(Tensor sorted_sequence, Tensor input, *, bool out_int32=False, "
    "bool right=False, str? side=None, Tensor? sorter=None, Tensor out=None)",
    "searchsorted(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, "
    "bool right=False, str? side=None, Tensor? sorter=None, Tensor out=None)",
)
def searchsorted(
    sorted_sequence: Any, input: Any = None, *, self: Any = None, out_int32: Any = False,
    right: Any = False, side: Any = None, sorter: Any = None,
) -> TensorBase:  # fmt: skip
    """Return the positions at which values keep each row sorted, if they are inserted there.

    Args:
        right: take the last such position, not the first one.
        side: "left" or "right", another way to say so.
        sorter: the indices that would sort the rows.

    >>> import minigrad as mg
    >>> mg.searchsorted(mg.tensor([1, 3, 5]), mg.tensor([3, 4, 9]))
    tensor([1, 2, 3])
    """
    given = self if input is None else input
    right, small = truth_value(right), truth_value(out_int32)
    if side not in (None, "left", "right"):
        raise RuntimeError(f"{NAME} side can only be 'left' or 'right' but got {side}")
    if side == "left" and right:
        opposites = f"got side of {side} while right was True"
        raise RuntimeError(f"{NAME} side and right can't be set to opposites, {opposites}")
    for what, each in (("input value", given), ("boundary", sorted_sequence), ("sorter", sorter)):
        warn_of_gaps(what, each)
    rows = sorted_sequence._array
    values = given._array if isinstance(given, TensorBase) else np.asarray(number(given, rows))
    check_rows(rows, values, isinstance(given, TensorBase))
    if sorter is not None:
        rows = in_order(rows, sorter._array)
    return positions(rows, values, right or side == "right", small)


@schema(
    "bucketize(Tensor input, Tensor boundaries, *, bool out_int32=False, bool right=False, "
    "Tensor out=None)",
    "bucketize(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False)",
)
def bucketize(
    input: Any = None, boundaries: Any = None, *, self: Any = None, out_int32: Any = False,
    right: Any = False,
) -> TensorBase:  # fmt: skip
    """Return for each value the interval between two boundaries in which it lies.

    Boundaries belong to the interval on their left, or with `right` to that on their right.

    >>> import minigrad as mg
    >>> mg.bucketize(mg.tensor([0.5, 2.0, 7.0]), mg.tensor([1.0, 2.0, 5.0]))
    tensor([0, 1, 3])
    """
    given = self if input is None else input
    if given is None or not isinstance(boundaries, TensorBase):
        raise TypeError
    warn_of_gaps("input value", given)
    warn_of_gaps("boundary", boundaries)
    rows = boundaries._array
    if rows.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({rows.ndim})")
    values = given._array if isinstance(given, TensorBase) else np.asarray(number(given, rows))
    return positions(rows, values, truth_value(right), truth_value(out_int32))


def warn_of_gaps(what: str, tensor: Any) -> None:
    """Warn, as PyTorch does, of a tensor whose elements do not lie one after another."""
    if isinstance(tensor, TensorBase) and not tensor._array.flags.c_contiguous:
        warnings.warn(
            f"searchsorted(): {what} tensor is non-contiguous, this will lower the performance due "
            "to extra data copy when converting non-contiguous tensor to contiguous, please use "
            f"contiguous {what} tensor if possible. This message will only appear once per "
            "program.",
            stacklevel=4,
        )


def number(value: Any, rows: Any) -> Any:
    """Return a number among the arguments; raise TypeError for anything else."""
    if value is None:
        raise TypeError
    return as_number(value, rows.dtype)


def check_rows(rows: Any, values: Any, is_tensor: bool) -> None:
    """Raise if the values have no row each in which to search."""
    if rows.ndim != 1 and (not values.ndim or not is_tensor):
        raise RuntimeError(
            f"{NAME} input value can be a scalar only when boundaries tensor dimension is 1, but "
            f"we got boundaries tensor dim({rows.ndim}) and input value's dim({values.ndim}) "
            f"numel({values.size})"
        )
    if not rows.ndim:
        wanted = "boundaries tensor should have positive dimension, but got 0 dimension"
        raise RuntimeError(f"{NAME} {wanted}")
    if rows.ndim != 1 and rows.shape[:-1] != values.shape[:-1]:
        raise RuntimeError(
            f"{NAME} boundaries tensor should be 1 dimension or the first N-1 dimensions of "
            "boundaries tensor and input value tensor must match, but we got boundaries tensor "
            f"{list(rows.shape)} and input value tensor {list(values.shape)}"
        )


def in_order(rows: Any, sorter: Any) -> Any:
    """Return the rows sorted by the indices of `sorter`."""
    if rows.shape != sorter.shape:
        raise RuntimeError(
            f"{NAME} boundary and sorter must have the same size, but got boundary tensor "
            f"{list(rows.shape)}and got sorter tensor {list(sorter.shape)}"
        )
    if sorter.dtype != np.int64:
        kind = f"but got dtype {type_word(sorter.dtype)}"
        raise RuntimeError(f"{NAME} sorter must be a tensor of long dtype {kind}")
    if sorter.size and not 0 <= sorter.min() <= sorter.max() < rows.shape[-1]:
        raise RuntimeError(f"{NAME} sorter index out of range")
    return np.take_along_axis(rows, sorter, -1)


def positions(rows: Any, values: Any, right: bool, small: bool) -> TensorBase:
    """Return the positions of `values`, each in its row, by halving the rows as PyTorch does.

    (Where a row contains nan, the result depends on the elements that are compared.)
    """
    if rows.dtype.kind == "b" == values.dtype.kind:
        raise NotImplementedError("\"searchsorted_out_cpu\" not implemented for 'Bool'")
    count = rows.shape[-1]
    start = np.zeros_like(rows, np.int64, shape=values.shape)
    end = start + count
    for _ in range(count.bit_length()):
        middle = (start + end) // 2
        read = np.minimum(middle, count - 1)
        element = rows[read] if rows.ndim == 1 else np.take_along_axis(rows, read, -1)
        before = ~(element > values if right else element >= values)
        begun = start < end
        start = np.where(begun & before, middle + 1, start)
        end = np.where(begun & ~before, middle, end)
    return new_tensor(start.astype(np.int32 if small else np.int64))
