"""What every operation with a `dim` argument needs: negative and missing dimensions, and PyTorch's
errors for wrong ones."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.broadcasting import size_mismatch


def wrap_dim(dim: int, rank: int) -> int:
    """`dim` counted from the front. A 0-d tensor takes 0 and -1, as in PyTorch.

    >>> wrap_dim(-1, 3)
    2
    """
    limit = max(rank, 1)
    if not -limit <= dim < limit:
        raise out_of_range(dim, rank)
    return dim % limit


def out_of_range(dim: int, rank: int) -> Exception:
    """The error for a dimension that a tensor of `rank` dimensions does not have."""
    if not -(2**63) <= dim < 2**63:
        return ValueError("Overflow when unpacking long long")
    limit = max(rank, 1)
    within = f"expected to be in range of [-{limit}, {limit - 1}]"
    return IndexError(f"Dimension out of range ({within}, but got {dim})")


def as_dims(dim: Any) -> tuple[int, ...]:
    """A `dim` argument as a node shows it: a tuple, of what the user gave."""
    if dim is None:
        return ()
    return (dim,) if isinstance(dim, int) else tuple(dim)


def wrap_dims(dim: int | Sequence[int] | None, rank: int) -> tuple[int, ...]:
    """All dimensions named by `dim`, counted from the front; every dimension if it is None or
    empty."""
    if dim is None:
        return tuple(range(rank))
    dims = (dim,) if isinstance(dim, int) else tuple(dim)
    if not dims:
        return tuple(range(rank))
    return tuple(d for d in distinct(dims, rank) if d < rank)


def distinct(dims: Sequence[int], rank: int) -> tuple[int, ...]:
    """`dims` counted from the front.

    Raises:
        RuntimeError: one of them is named twice.
    """
    wrapped = tuple(wrap_dim(d, rank) for d in dims)
    for position, d in enumerate(wrapped):
        if d in wrapped[:position]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return wrapped


def kept(shape: tuple[int, ...], dims: tuple[int, ...]) -> tuple[int, ...]:
    """`shape` with the reduced `dims` left in as 1.

    >>> kept((2, 3, 4), (1,))
    (2, 1, 4)
    """
    return tuple(1 if axis in dims else size for axis, size in enumerate(shape))


def common_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that tensors of these shapes have when they are broadcast together.

    Raises:
        RuntimeError: they do not broadcast.
    """
    together: tuple[int, ...] = ()
    for shape in shapes:
        try:
            together = np.broadcast_shapes(together, shape)
        except ValueError:
            raise size_mismatch(together, shape) from None
    return together


def sizes(
    args: tuple[Any, ...],
    name: str = "",
    argument: str = "size",
    named: dict[str, Any] | None = None,
) -> tuple[int, ...]:
    """A shape given as separate numbers or as one sequence: view(2, 3) and view((2, 3)).

    In `named` the sequence may come under the argument's name: view(size=(2, 3)).

    Raises:
        TypeError: something in it is no integer. The words name the function and the argument.
    """
    if named:
        for other in named:
            if args or other != argument:
                raise TypeError(f"{name}() got an unexpected keyword argument '{other}'")
        args = (named[argument],)
    given = args[0] if len(args) == 1 and isinstance(args[0], (tuple, list)) else args
    for n in given:
        if type(n) is not int:
            break
    else:
        return tuple(given)
    whole = []
    for place, n in enumerate(given):
        try:
            whole.append(whole_number(n))
        except TypeError:
            kind = type(n).__name__
            wanted = "(position 1) must be tuple of ints"
            if place:
                error = f'"type must be tuple of ints,but got {kind}"'
                problem = f"failed to unpack the object at pos {place + 1} with error {error}"
            elif given is args:
                problem = f"{wanted}, not {kind}"
            else:
                problem = f"{wanted}, but found element of type {kind} at pos 0"
            raise TypeError(f"{name}(): argument '{argument}' {problem}") from None
    return tuple(whole)


def whole_number(value: Any) -> int:
    """An integer: a Python or NumPy one, or an integer tensor of one element.

    Raises:
        TypeError: it is none.
    """
    if isinstance(value, bool):
        raise TypeError("'bool' object cannot be interpreted as an integer")
    return operator.index(value)
