"""The numbers of a tensor, of minigrad or of PyTorch, as they are at this moment.

minigrad's recorder takes its snapshots of arrays. A tensor of PyTorch may be more than NumPy knows:
on a GPU, sparse, or of an element type of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad import Tensor
from minigrad.autograd.events import FULL_VALUE_LIMIT, Value, snapshot


def value_of(tensor: Any) -> Value:
    """A snapshot of the tensor."""
    dtype = str(tensor.dtype).rpartition(".")[2]
    array = _array(tensor.detach())
    if array.dtype.kind == "c" and array.size > FULL_VALUE_LIMIT:
        array = np.abs(array)  # complex numbers have no order: the extremes are those of their size
    return snapshot(array)._replace(dtype=dtype, device=str(tensor.device))


def _array(tensor: Any) -> np.ndarray[Any, Any]:
    if isinstance(tensor, Tensor):
        return np.asarray(tensor.cpu().numpy())
    tensor = dense(tensor).cpu().resolve_conj().resolve_neg()
    try:
        return np.asarray(tensor.numpy())
    except TypeError:  # bfloat16 and the like; float32 holds every such number exactly
        return np.asarray(tensor.float().numpy())


def dense(tensor: Any) -> Any:
    """A tensor that can be computed with like any other: PyTorch's sparse ones cannot."""
    if isinstance(tensor, Tensor):
        return tensor
    return tensor.to_dense() if tensor.is_sparse or "sparse" in str(tensor.layout) else tensor


def has_numbers(tensor: Any) -> bool:
    """Not so for a tensor of no element, or on PyTorch's device "meta"."""
    return bool(tensor.numel()) and tensor.device.type != "meta"
