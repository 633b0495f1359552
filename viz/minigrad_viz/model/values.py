"""The numbers of a tensor, of minigrad or of PyTorch, as they are at this moment.

minigrad's recorder takes its snapshots of arrays. A tensor of PyTorch may be more than NumPy knows:
on a GPU, sparse, nested, or of an element type of its own. And it may have no numbers that anybody
could read: on the device "meta", inside `torch.func`'s transforms, under a fake mode.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from minigrad import Tensor
from minigrad.autograd.events import FULL_VALUE_LIMIT, Value, snapshot, summarize

from ..texts.numerals import RAGGED
from .own_engines import OwnTensor


def value_of(tensor: Any) -> Value:
    """A snapshot of the tensor; where nobody can read its numbers, without any."""
    dtype = str(tensor.dtype).rpartition(".")[2]
    where = str(tensor.device)
    tensor = bare(tensor)
    array = _array(tensor)
    if array is None:
        return Value(shape_of(tensor), dtype, where)
    if array.dtype.kind == "c" and array.size > FULL_VALUE_LIMIT:
        array = np.abs(array)  # complex numbers have no order: the extremes are those of their size
    if is_nested(tensor):
        summary = summarize(array) if array.size else None
        return Value(shape_of(tensor), dtype, where, summary=summary)
    return snapshot(array)._replace(dtype=dtype, device=where)


def bare(tensor: Any) -> Any:
    """The tensor without its history, and without a class of its own that would be asked about
    whatever is done with it. A nested tensor's is PyTorch's own, and knows where its numbers are.
    """
    if isinstance(tensor, Tensor | OwnTensor) or is_nested(tensor):
        return tensor.detach()
    with sys.modules["torch"]._C._DisableTorchDispatch():
        return tensor.detach()


def is_wrapper(tensor: Any) -> bool:
    """Is this a tensor of PyTorch whose numbers only its class knows where to find?"""
    if type(tensor).__torch_dispatch__ == sys.modules["torch"].Tensor.__torch_dispatch__:
        return False
    return not is_nested(tensor) and not tensor.data_ptr()


def shape_of(tensor: Any) -> tuple[int, ...]:
    """The lengths of the tensor's dimensions. PyTorch's nested tensors have no length in some."""
    if not is_nested(tensor):
        return tuple(int(n) for n in tensor.shape)
    return tuple(_length(tensor, dimension) for dimension in range(tensor.dim()))


def _length(tensor: Any, dimension: int) -> int:
    try:
        length = tensor.size(dimension)
    except RuntimeError:
        return RAGGED
    return length if isinstance(length, int) else RAGGED


def is_nested(tensor: Any) -> bool:
    """Is this one of PyTorch's nested tensors?"""
    return not isinstance(tensor, Tensor) and bool(getattr(tensor, "is_nested", False))


def _array(tensor: Any) -> np.ndarray[Any, Any] | None:
    """The numbers, in a row if the tensor is nested; None if they cannot be read."""
    if isinstance(tensor, Tensor):
        return np.asarray(tensor.cpu().numpy())
    if tensor.device.type == "meta":
        return None
    try:
        tensor = dense(tensor).cpu().resolve_conj().resolve_neg()
        if not _in_memory(tensor):  # NumPy would read whatever is there
            return None
        try:
            # Not by numpy(), after which the program could not resize the tensor's memory any more.
            return np.from_dlpack(tensor)
        except (BufferError, RuntimeError):  # bfloat16 and the like
            return np.asarray(tensor.float().numpy())  # holds every such number exactly
    except (RuntimeError, NotImplementedError):
        return None


def dense(tensor: Any) -> Any:
    """A tensor that can be computed with like any other: PyTorch's sparse and quantized ones
    cannot, nor its nested ones, which become the row of their numbers.
    """
    if isinstance(tensor, Tensor):
        return tensor
    if is_nested(tensor):
        return tensor.values()
    if tensor.is_quantized:
        return tensor.dequantize()
    return tensor.to_dense() if tensor.is_sparse or "sparse" in str(tensor.layout) else tensor


def has_numbers(tensor: Any) -> bool:
    """Not so for a tensor of no element, or whose numbers nobody can read."""
    if not tensor.numel() or tensor.device.type == "meta":
        return False
    if isinstance(tensor, Tensor | OwnTensor):
        return True
    try:
        return _in_memory(dense(bare(tensor)))
    except (RuntimeError, NotImplementedError):
        return False


def _in_memory(tensor: Any) -> bool:
    if type(tensor).__name__ == "FakeTensor":  # which warns whoever asks
        return False
    return not tensor.numel() or bool(tensor.data_ptr())
