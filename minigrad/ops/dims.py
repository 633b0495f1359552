"""What every operation with a `dim` argument needs: negative and missing dimensions, and PyTorch's
errors for wrong ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def wrap_dim(dim: int, rank: int) -> int:
    """`dim` counted from the front. A 0-d tensor takes 0 and -1, as in PyTorch.

    >>> wrap_dim(-1, 3)
    2
    """
    limit = max(rank, 1)
    if not -limit <= dim < limit:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-limit}, {limit - 1}], "
            f"but got {dim})"
        )
    return dim % limit


def wrap_dims(dim: int | Sequence[int] | None, rank: int) -> tuple[int, ...]:
    """All dimensions named by `dim`, counted from the front; every dimension if it is None or
    empty."""
    if dim is None:
        return tuple(range(rank))
    dims = (dim,) if isinstance(dim, int) else tuple(dim)
    if not dims:
        return tuple(range(rank))
    wrapped = tuple(wrap_dim(d, rank) for d in dims)
    for position, d in enumerate(wrapped):
        if d in wrapped[:position]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return tuple(d for d in wrapped if d < rank)


def kept(shape: tuple[int, ...], dims: tuple[int, ...]) -> tuple[int, ...]:
    """`shape` with the reduced `dims` left in as 1.

    >>> kept((2, 3, 4), (1,))
    (2, 1, 4)
    """
    return tuple(1 if axis in dims else size for axis, size in enumerate(shape))


def sizes(args: tuple[Any, ...]) -> tuple[int, ...]:
    """A shape given as separate numbers or as one sequence: view(2, 3) and view((2, 3))."""
    if len(args) == 1 and not isinstance(args[0], int):
        return tuple(int(n) for n in args[0])
    return tuple(int(n) for n in args)
