"""`dim` arguments: negative and missing dimensions, and PyTorch's errors for wrong ones."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...arrays.dtypes import tensor_type_name
from ...arrays.messages import is_tensor
from ...core.broadcasting import size_mismatch


def wrap_dim(dim: int, rank: int) -> int:
    """Return `dim` counted from the front. A 0-d tensor accepts 0 and -1, as in PyTorch.

    >>> wrap_dim(-1, 3)
    2
    """
    limit = max(rank, 1)
    if not -limit <= dim < limit:
        raise out_of_range(dim, rank)
    return dim % limit


def size_at(shape: tuple[int, ...], dim: int) -> int:
    """Return the size of a dimension, with the error of functions that call a tensor's `size`.

    >>> size_at((2, 3), -1)
    3
    """
    if not shape:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return shape[wrap_dim(dim, len(shape))]


def out_of_range(dim: int, rank: int) -> Exception:
    """Return the error for a dimension that a tensor of `rank` dimensions does not have."""
    check_long(dim)
    limit = max(rank, 1)
    within = f"expected to be in range of [-{limit}, {limit - 1}]"
    return IndexError(f"Dimension out of range ({within}, but got {dim})")


def check_long(number: int) -> None:
    """Raise for an integer that 64 bits cannot hold."""
    if not -(2**63) <= number < 2**63:
        raise ValueError("Overflow when unpacking long long")


def as_dims(dim: Any) -> tuple[int, ...]:
    """Return a `dim` argument as a node shows it: a tuple of the given numbers.

    Raises:
        TypeError: an element is not an integer.
    """
    if type(dim) is int:
        return (dim,)
    if dim is None:
        return ()
    if not isinstance(dim, (tuple, list)):
        return (whole_number(dim),)
    for place, d in enumerate(dim):
        if type(d) is not int and (not place or not isinstance(d, bool)):
            return tuple([whole_number(d) for d in dim])
    return tuple([int(d) for d in dim])  # PyTorch accepts a bool in any place but the first


def read_dims(dim: Any, keepdim: Any, whole: Any = ()) -> tuple[Any, bool]:
    """Return `dim` and `keepdim` as a node shows them; `whole` for a `dim` of None.

    Raises:
        TypeError: one of them is of a wrong kind.
    """
    dims = (dim,) if type(dim) is int else whole if dim is None else as_dims(dim)
    return dims, keepdim if keepdim is True or keepdim is False else truth_value(keepdim)


def truth_value(value: Any) -> bool:
    """Return a bool, and refuse all other values.

    Raises:
        TypeError: `value` is not a bool.
    """
    if value is True or value is False:
        return bool(value)
    raise TypeError(f"must be bool, not {type(value).__name__}")


def wrap_dims(dim: int | Sequence[int] | None, rank: int) -> tuple[int, ...]:
    """Return the dimensions in `dim`, counted from the front; all of them if it is None or empty.

    >>> wrap_dims((-1, 0), 3)
    (2, 0)
    """
    dims = (dim,) if isinstance(dim, int) else dim
    if not dims:
        return tuple(range(rank))
    for d in dims:
        if not -rank <= d < rank:
            return tuple([d for d in distinct(dims, rank) if d < rank])  # a 0-d tensor accepts some
    wrapped = tuple([d % rank for d in dims])
    return wrapped if len(wrapped) == len({*wrapped}) else distinct(dims, rank)


def distinct(dims: Sequence[int], rank: int) -> tuple[int, ...]:
    """Return `dims` counted from the front.

    Raises:
        RuntimeError: a dimension appears twice.
    """
    wrapped = tuple(wrap_dim(d, rank) for d in dims)
    for position, d in enumerate(wrapped):
        if d in wrapped[:position]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return wrapped


def keepdim_shape(shape: tuple[int, ...], dims: tuple[int, ...]) -> tuple[int, ...]:
    """Return `shape` with the reduced `dims` set to 1.

    >>> keepdim_shape((2, 3, 4), (1,))
    (2, 1, 4)
    """
    return tuple(1 if axis in dims else size for axis, size in enumerate(shape))


def type_in_error(dtype: np.dtype[Any]) -> str:
    """Return a dtype's name in some errors, such as `torch.FloatTensor` or `CPUBoolType`."""
    return "CPUBoolType" if dtype.kind == "b" else tensor_type_name(dtype)


def common_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of tensors of these shapes when they are broadcast together.

    Raises:
        RuntimeError: they do not broadcast.
    """
    together: tuple[int, ...] = ()
    for shape in shapes:
        if shape == together or not together:  # (ten times as fast as NumPy's check)
            together = shape
            continue
        try:
            together = np.broadcast_shapes(together, shape)
        except ValueError:
            raise size_mismatch(together, shape) from None
    return together


def integers(values: Sequence[Any]) -> tuple[int, ...]:
    """Convert sizes or dimensions, some of which are not Python integers.

    As in PyTorch, only the first element is checked for being a bool.

    >>> import numpy as np
    >>> integers((np.int64(2), True))
    (2, 1)

    Raises:
        TypeError: something in it is no integer.
    """
    return tuple([operator.index(n) if k else whole_number(n) for k, n in enumerate(values)])


def whole_number(value: Any) -> int:
    """Return an integer: a Python or NumPy one, or an integer tensor of one element.

    Raises:
        TypeError: it is not an integer.
    """
    if isinstance(value, bool):
        raise TypeError("'bool' object cannot be interpreted as an integer")
    return operator.index(value)


def sum_keepdim(g: Any, dims: Any) -> Any:
    """Sum an array or a Tensor along some dimensions, which stay as 1."""
    return g.sum(dims, keepdim=True) if is_tensor(g) else g.sum(axis=dims, keepdims=True)
