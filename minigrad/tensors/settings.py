"""Public functions that ask and compute nothing, with their rows: how types go together, what a
value is.

How types go together stands below, in arrays/dtypes.py, where rows are not known yet.
"""

from __future__ import annotations

from typing import Any

from ..arrays import dtypes
from ..core.node import TensorBase
from ..ops.public import signed

can_cast = signed("can_cast(dtype from_, dtype to)")(dtypes.can_cast)
promote_types = signed("promote_types(dtype type1, dtype type2)")(dtypes.promote_types)
get_default_dtype = signed("get_default_dtype()")(dtypes.get_default_dtype)


def is_tensor(obj: Any, /) -> bool:
    """Whether `obj` is a tensor.

    >>> import minigrad as mg
    >>> mg.is_tensor(mg.ones(2)), mg.is_tensor([1.0, 1.0])
    (True, False)
    """
    return isinstance(obj, TensorBase)


@signed("numel(Tensor input)")
def numel(input: Any) -> int:
    """The number of elements."""
    return int(input._array.size)


@signed("is_floating_point(Tensor input)")
def is_floating_point(input: Any) -> bool:
    """Whether the elements are floating-point numbers, and so may have gradients."""
    return bool(input._array.dtype.kind == "f")
