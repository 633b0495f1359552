"""The numbers of a tensor of minigrad or PyTorch at this moment.

minigrad's recorder takes snapshots of arrays. A tensor of PyTorch may be on a GPU, sparse, nested,
or of a type that NumPy does not have. It may have no readable numbers: on the device "meta", inside
`torch.func`'s transforms, under a fake mode.

Tooltips show a summary with three digits; recordings show all (texts/numerals.py).
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from minigrad import Tensor
from minigrad.autograd.events import FULL_VALUE_LIMIT, Value, snapshot, summarize

from ..texts.language import Language
from ..texts.numerals import RAGGED, cell, number_text
from ..texts.sentences import word
from .own_engines import OwnTensor


def value_of(tensor: Any) -> Value:
    """Return a snapshot of the tensor, without numbers if they cannot be read."""
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
    """Return the tensor without its history, and without a class that implements operations.

    A nested tensor stays as it is: PyTorch's own class knows where its numbers are.
    """
    if isinstance(tensor, Tensor | OwnTensor) or is_nested(tensor):
        return tensor.detach()
    from .._pytorch import without_dispatch

    with without_dispatch():
        return tensor.detach()


def is_wrapper(tensor: Any) -> bool:
    """Whether only the class of this tensor of PyTorch can find its numbers."""
    if type(tensor).__torch_dispatch__ == sys.modules["torch"].Tensor.__torch_dispatch__:
        return False
    return not is_nested(tensor) and not tensor.data_ptr()


def shape_of(tensor: Any) -> tuple[int, ...]:
    """Return the lengths of the dimensions; a nested tensor has none in some of them."""
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
    """Whether this is one of PyTorch's nested tensors."""
    return not isinstance(tensor, Tensor) and bool(getattr(tensor, "is_nested", False))


def _array(tensor: Any) -> np.ndarray[Any, Any] | None:
    """Return the numbers, in a row for a nested tensor; None if they cannot be read."""
    if isinstance(tensor, Tensor):
        return np.asarray(tensor.cpu().numpy())
    if tensor.device.type == "meta":
        return None
    try:
        tensor = dense(tensor).cpu().resolve_conj().resolve_neg()
        if not _in_memory(tensor):  # NumPy would read random memory
            return None
        try:
            # After numpy(), the program could no longer resize the tensor's memory.
            return np.from_dlpack(tensor)
        except (BufferError, RuntimeError):  # bfloat16 and the like
            return np.asarray(tensor.float().numpy())  # holds every such number exactly
    except (RuntimeError, NotImplementedError):
        return None


def dense(tensor: Any) -> Any:
    """Return an ordinary tensor in place of a sparse, quantized or nested one.

    A nested tensor becomes the row of its numbers.
    """
    if isinstance(tensor, Tensor):
        return tensor
    if is_nested(tensor):
        return tensor.values()
    if tensor.is_quantized:
        return tensor.dequantize()
    return tensor.to_dense() if tensor.is_sparse or "sparse" in str(tensor.layout) else tensor


def has_numbers(tensor: Any) -> bool:
    """Whether the tensor has elements, and their numbers can be read."""
    if not hasattr(type(tensor), "numel"):  # it only looks like a tensor
        return False
    if not tensor.numel() or tensor.device.type == "meta":
        return False
    if isinstance(tensor, Tensor | OwnTensor):
        return True
    try:
        return _in_memory(dense(bare(tensor)))
    except (RuntimeError, NotImplementedError):
        return False


def _in_memory(tensor: Any) -> bool:
    if type(tensor).__name__ == "FakeTensor":  # its data_ptr() warns
        return False
    return not tensor.numel() or bool(tensor.data_ptr())


# --- In a few words, for a tooltip

SUMMARY_FEW = 6
"""At most this many numbers are listed; of more, a summary."""
SUMMARY_MANY = 100_000
"""More numbers than these would take longer to read than to draw."""


def summary(tensor: Any, language: Language) -> str | None:
    """Return the words, or None if there are too many numbers or none can be read."""
    if not has_numbers(tensor) or tensor.numel() > SUMMARY_MANY:
        return None
    value = value_of(tensor)
    if value.data is not None and value.shape == ():
        return number_text(cell(value.data[()]))
    if value.data is not None and value.data.size <= SUMMARY_FEW:
        return _nested_text(value.data.tolist())
    if value.data is not None and value.data.dtype.kind == "c":
        return None
    known = value.summary if value.data is None else summarize(value.data)
    if known is None:
        return None
    parts = {name: f"{getattr(known, name):.3g}" for name in ("minimum", "maximum", "norm")}
    key = "numbers" if known.nonfinite == 0 else "numbers_not_finite"
    return word(language, key, **parts, nonfinite=known.nonfinite)


def _nested_text(numbers: Any) -> str:
    if isinstance(numbers, list):
        return f"[{', '.join(map(_nested_text, numbers))}]"
    return str(numbers) if isinstance(numbers, bool | int) else f"{numbers:.3g}"
