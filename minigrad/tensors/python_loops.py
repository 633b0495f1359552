"""A Python function applied to every element: `apply_`, `map_` and `map2_`. They are slow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..arrays.dtypes import from_numpy_dtype, tensor_type_name
from ..arrays.waiting import on_host
from ..core.node import TensorBase
from ..core.operation import constant_like
from ..core.views import requires_grad
from ..ops.public.dims import check_long
from ..ops.public.functions import method_schema
from ..ops.shapes.copies import as_scalar
from ..ops.shapes.shapes import expand


def overwritten(tensor: Any, name: str, function: Callable[..., Any], *others: Any) -> Any:
    """Overwrite each element of `tensor` with the function's result for it.

    Raises:
        RuntimeError: a tensor requires grad.
        TypeError: a tensor has another dtype, or a result is not a number.
    """
    if any(requires_grad(each) for each in (tensor, *others)):
        raise RuntimeError(
            f"Can't call {name}() on Variable that requires grad. Use var.detach().{name}() "
            "instead."
        )
    array = tensor._array
    for place, other in enumerate(others):
        if other._array.dtype != array.dtype:
            which = "'other'" if len(others) == 1 else f"argument '{'xy'[place]}'"
            wanted, found = map(tensor_type_name, (array.dtype, other._array.dtype))
            raise TypeError(f"{name}: expected {wanted} for {which} (got {found})")
    columns = [each._array for each in (tensor, *[expand(each, array.shape) for each in others])]
    rows = zip(*[on_host(column).ravel().tolist() for column in columns], strict=True)
    results = [converted(function(*row), array.dtype) for row in rows]
    drawn = np.array(results, array.dtype).reshape(array.shape)
    tensor.shared_array()[...] = constant_like(array, drawn)
    return tensor


def converted(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return a result of the function in the dtype.

    Raises:
        TypeError: it is not a number.
        RuntimeError, ValueError: it is too large an integer.
    """
    if not isinstance(value, (bool, int, float)):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    if dtype.kind not in "iu":
        return dtype.type(value)
    whole = int(value)
    check_long(whole)
    try:
        return as_scalar(whole, dtype)
    except RuntimeError:
        kind = from_numpy_dtype[dtype].name
        raise RuntimeError(f"value cannot be converted to type {kind} without overflow") from None


class LoopMethods(TensorBase):
    """The methods of this file."""

    @method_schema("apply_(object callable, /)")
    def apply_(self, callable: Any) -> Any:
        """Overwrite each element with `callable(element)`.

        >>> import minigrad as mg
        >>> mg.arange(3).apply_(lambda x: x * x)
        tensor([0, 1, 4])
        """
        return overwritten(self, "apply_", callable)

    @method_schema("map_(Tensor input, Tensor other, object callable)")
    def map_(self, other: Any, callable: Any) -> Any:
        """Overwrite each element with `callable(element, element of other)`."""
        return overwritten(self, "map_", callable, other)

    @method_schema("map2_(Tensor input, Tensor x, Tensor y, object callable)")
    def map2_(self, x: Any, y: Any, callable: Any) -> Any:
        """Overwrite each element with `callable(element, element of x, element of y)`."""
        return overwritten(self, "map2_", callable, x, y)
