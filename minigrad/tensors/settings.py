"""Public functions that compute nothing: dtype promotion, and properties of a value.

The promotion rules themselves are in arrays/dtypes.py, below the package with schemas.
"""

from __future__ import annotations

from typing import Any

from ..arrays import dtypes
from ..core.node import TensorBase
from ..ops.public.functions import schema
from .tensor import Size

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


def broadcast_shapes(*shapes: Any) -> Any:
    """Return the shape of tensors of these shapes when they are broadcast together.

    >>> import minigrad as mg
    >>> mg.broadcast_shapes((2, 1), (3,))
    torch.Size([2, 3])
    """
    found: list[int] = []
    for place, shape in enumerate(shapes):
        if not isinstance(shape, (int, tuple, list)):
            wanted = "ints, a tuple of ints, or a list of ints"
            raise RuntimeError(f"Input shapes should be of type {wanted}, got {shape}")
        sizes = (shape,) if isinstance(shape, int) else shape
        if any(size < 0 for size in sizes):
            raise ValueError("Attempting to broadcast a dimension with negative length!")
        found = [1] * (len(sizes) - len(found)) + found
        for at in range(-1, -len(sizes) - 1, -1):
            if sizes[at] == 1 or sizes[at] == found[at]:
                continue
            if found[at] != 1:
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {sizes[at]} at {at}! "
                    f"Mismatching argument at index {place} had {tuple(sizes)}; but expected "
                    f"shape should be broadcastable to {found}"
                )
            found[at] = sizes[at]
    return Size(found)


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
