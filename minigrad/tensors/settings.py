"""Public functions that compute nothing: dtype promotion, and properties of a value.

The promotion rules themselves are in arrays/dtypes.py, below the package with schemas.
"""

from __future__ import annotations

from typing import Any

from ..arrays import dtypes
from ..core.node import TensorBase
from ..ops.public.functions import schema

can_cast = schema("can_cast(dtype from_, dtype to)")(dtypes.can_cast)
promote_types = schema("promote_types(dtype type1, dtype type2)")(dtypes.promote_types)
get_default_dtype = schema("get_default_dtype()")(dtypes.get_default_dtype)


def is_tensor(obj: Any, /) -> bool:
    """Return whether `obj` is a tensor.

    >>> import minigrad as mg
    >>> mg.is_tensor(mg.ones(2)), mg.is_tensor([1.0, 1.0])
    (True, False)
    """
    return isinstance(obj, TensorBase)


@schema("numel(Tensor input)")
def numel(input: Any) -> int:
    """Return the number of elements."""
    return int(input._array.size)


@schema("is_nonzero(Tensor input)")
def is_nonzero(input: Any) -> bool:
    """Return whether the only element is not zero."""
    return bool(input.is_nonzero())


@schema("is_same_size(Tensor input, Tensor other)")
def is_same_size(input: Any, other: Any) -> bool:
    """Return whether two tensors have the same shape."""
    return bool(input._array.shape == other._array.shape)


@schema("is_inference(Tensor input)")
def is_inference(input: Any) -> bool:
    """Return whether the tensor was made in `inference_mode`."""
    return bool(input.is_inference())


@schema("is_floating_point(Tensor input)")
def is_floating_point(input: Any) -> bool:
    """Return whether the elements are floating-point numbers, and so may have gradients."""
    return bool(input._array.dtype.kind == "f")
