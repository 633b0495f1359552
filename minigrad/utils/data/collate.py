"""Batches from samples: the default of a DataLoader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...arrays.dtypes import float64
from ...ops.indexing.joining import stack
from ...tensors.creation import as_tensor, tensor
from ...tensors.tensor import Tensor


def default_collate(batch: Sequence[Any]) -> Any:
    """Combine samples into a batch.

    Tensors are stacked, numbers become a tensor, tuples and dictionaries are combined item by item,
    text stays unchanged.
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(batch, 0)
    if isinstance(first, np.ndarray):
        return stack([as_tensor(item) for item in batch], 0)
    if isinstance(first, np.generic):
        return as_tensor(np.array(batch))
    if isinstance(first, float):
        return tensor(batch, dtype=float64)
    if isinstance(first, int):
        return tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return {key: default_collate([item[key] for item in batch]) for key in first}
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(items) for items in zip(*batch, strict=True)))
    if isinstance(first, Sequence):
        if any(len(item) != len(first) for item in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(items) for items in zip(*batch, strict=True)]
    known = "tensors, numpy arrays, numbers, dicts or lists"
    raise TypeError(f"default_collate: batch must contain {known}; found {type(first)}")


def default_convert(data: Any) -> Any:
    """Convert NumPy arrays and numbers in a single sample to tensors."""
    if isinstance(data, (np.ndarray, np.generic)):
        return as_tensor(data)
    if isinstance(data, Mapping):
        return {key: default_convert(item) for key, item in data.items()}
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*map(default_convert, data))
    if isinstance(data, (tuple, list)):
        return [default_convert(item) for item in data]
    return data
