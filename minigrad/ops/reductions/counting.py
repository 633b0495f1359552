"""Counting: unique elements, and elements counted by value.

They sort or count in the host's memory. Nothing here has a slope, and PyTorch refuses to
differentiate it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.messages import not_implemented
from ...arrays.waiting import on_host
from ...core.node import TensorBase, gradient_edge, new_tensor
from ...core.operation import Operation, constant_like, record
from ..pointwise.arithmetic import NotImplementedBackward
from ..public.dims import size_at, truth_value, whole_number, wrap_dim
from ..public.factories import as_number
from ..public.functions import schema
from ..public.kinds import Underived


class Unique2Backward0(Underived):
    """The distinct elements in ascending order."""

    derivative_name = "_unique2"


class UniqueDimBackward0(Underived):
    """The distinct slices along a dimension in ascending order."""

    derivative_name = "unique_dim"


class UniqueConsecutiveBackward0(Underived):
    """One element for each run of equal ones."""

    derivative_name = "unique_consecutive"


def answers(
    op: type[Operation], input: Any, found: Any, inverse: Any, counts: Any, wanted: Any
) -> Any:
    """Return the elements found, with inverse positions and counts if they are wanted."""
    values = record(op, (input,), (), constant_like(input._array, found))
    more = [
        new_tensor(constant_like(input._array, np.asarray(array, np.int64, order="C")))
        for array, wish in zip((inverse, counts), wanted, strict=True)
        if truth_value(wish)
    ]
    return (values, *more) if more else values


def slices_of(x: Any, dim: Any) -> tuple[Any, int]:
    """Return the array with the dimension `dim` in front."""
    dim = whole_number(dim)
    size_at(x.shape, dim)
    axis = wrap_dim(dim, x.ndim)
    if any(size == 0 for at, size in enumerate(x.shape) if at != axis):
        selected = "There are 0 sized dimensions, and they aren't selected"
        raise RuntimeError(f"{selected}, so unique cannot be applied")
    return np.moveaxis(x, axis, 0), axis


@schema(
    "def unique(Tensor input, bool sorted=True, bool return_inverse=False, "
    "bool return_counts=False, int? dim=None)",
    "_unique2(Tensor input, *, bool sorted, bool return_inverse, bool return_counts)",
)
def unique(
    input: Any,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Return the distinct elements in ascending order.

    Args:
        sorted: accepted; the result is always sorted, as PyTorch's is.
        return_inverse: also return each element's position in the result.
        return_counts: also return how often each element occurs.
        dim: compare the slices along this dimension instead of elements.

    >>> import minigrad as mg
    >>> mg.unique(mg.tensor([3, 1, 3]), return_counts=True)
    (tensor([1, 3]), tensor([1, 2]))
    """
    x, wanted = on_host(input._array), (return_inverse, return_counts)
    truth_value(sorted)
    if dim is None:
        found, inverse, counts = np.unique(
            x, return_inverse=True, return_counts=True, equal_nan=False
        )
        return answers(Unique2Backward0, input, found, inverse.reshape(x.shape), counts, wanted)
    if isinstance(dim, bool | float | tuple | list):
        kind = type(dim).__name__
        raise TypeError(f"unique_dim(): argument 'dim' (position 2) must be int, not {kind}")
    slices, axis = slices_of(x, dim)
    found, inverse, counts = np.unique(
        slices, return_inverse=True, return_counts=True, axis=0, equal_nan=False
    )
    found = np.moveaxis(np.ascontiguousarray(found), 0, axis)
    return answers(UniqueDimBackward0, input, found, inverse.reshape(-1), counts, wanted)


@schema(
    "def unique_consecutive(Tensor input, bool return_inverse=False, bool return_counts=False, "
    "int? dim=None)",
    "unique_consecutive(Tensor input, *, bool return_inverse, bool return_counts, int? dim)",
)
def unique_consecutive(
    input: Any, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """Return one element, or with `dim` one slice, for each run of equal ones.

    >>> import minigrad as mg
    >>> mg.unique_consecutive(mg.tensor([3, 3, 1, 3]))
    tensor([3, 1, 3])
    """
    x, wanted = on_host(input._array), (return_inverse, return_counts)
    slices, axis = (x.reshape(-1), None) if dim is None else slices_of(x, dim)
    starts = np.ones(len(slices), bool)
    if len(slices):
        rows = slices.reshape(len(slices), -1)
        starts[1:] = (rows[1:] != rows[:-1]).any(1)
    inverse = np.cumsum(starts) - 1
    places = np.flatnonzero(starts)
    counts = np.diff([*places, len(slices)])
    found = slices[starts]
    if axis is not None:
        found = np.moveaxis(np.ascontiguousarray(found), 0, axis)
    else:
        inverse = inverse.reshape(x.shape)
    return answers(UniqueConsecutiveBackward0, input, found, inverse, counts, wanted)


@schema("bincount(Tensor input, Tensor? weights=None, int minlength=0)")
def bincount(input: Any, weights: Any = None, minlength: Any = 0) -> TensorBase:
    """Count how often 0, 1, 2, ... occur; with `weights`, sum the weights of each.

    >>> import minigrad as mg
    >>> mg.bincount(mg.tensor([1, 1, 4]))
    tensor([0, 2, 0, 0, 1])
    """
    x, least = on_host(input._array), whole_number(minlength)
    if x.dtype.kind in "fb":
        raise not_implemented("bincount_cpu", x.dtype)
    if least < 0:
        raise RuntimeError("minlength should be >= 0")
    if x.ndim == 1 and not x.size:
        return new_tensor(constant_like(input._array, np.zeros(least, np.int64)))
    if x.ndim != 1 or x.min() < 0:
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is None:
        counts = np.bincount(x, minlength=least).astype(np.int64, copy=False)
        return new_tensor(constant_like(input._array, counts))
    factors = on_host(weights._array)
    if factors.shape != x.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    kind = factors.dtype if factors.dtype == np.float32 else np.dtype(np.float64)
    value = np.bincount(x, factors, minlength=least).astype(kind, copy=False)
    sources = [weights] if gradient_edge(weights) else []
    return record(
        NotImplementedBackward, sources, ("bincount",), constant_like(input._array, value)
    )


@schema(
    "isin(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False, "
    "Tensor out=None)",
    "isin(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False, "
    "Tensor out=None)",
    "isin(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False, "
    "Tensor out=None)",
)
def isin(*given: Any, assume_unique: Any = False, invert: Any = False, **named: Any) -> TensorBase:
    """Return for each element whether it is one of the test elements.

    >>> import minigrad as mg
    >>> mg.isin(mg.tensor([1, 2, 3]), mg.tensor([2, 5]))
    tensor([False,  True, False])
    """
    places = (("elements", "element"), ("test_elements", "test_element"))
    names = [name for pair in places[len(given) :] for name in pair if name in named]
    both = [*given, *(named.pop(name) for name in names)]
    if named or len(both) != 2 or not any(isinstance(each, TensorBase) for each in both):
        raise TypeError
    truth_value(assume_unique)
    like = next(each._array for each in both if isinstance(each, TensorBase))
    arrays = [
        each._array if isinstance(each, TensorBase) else np.asarray(as_number(each, like.dtype))
        for each in both
    ]
    for array in arrays:
        if array.dtype.kind == "b":
            raise RuntimeError("Unsupported input type encountered for isin(): Bool")
    found = np.isin(arrays[0], arrays[1], invert=truth_value(invert))
    return new_tensor(constant_like(like, found))


class CountingMethods(TensorBase):
    """The methods of this file."""

    unique, unique_consecutive = unique.method, unique_consecutive.method
    bincount = bincount.method
