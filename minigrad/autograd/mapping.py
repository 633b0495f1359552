"""`vmap`: a function applied to each slice of its arguments; and trees of tensors.

A tree is a tensor, or a tuple, list or dictionary of trees.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..ops.indexing.joining import stack, unbind
from ..random import default_generator
from ..tensors.tensor import Tensor

# --- Trees of tensors


def leaves_of(tree: Any) -> list[Any]:
    """Return what tuples, lists and dictionaries contain, in order."""
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, (tuple, list)):
        return [leaf for each in tree for leaf in leaves_of(each)]
    return [tree]


def rebuild(tree: Any, leaves: Any) -> Any:
    """Return a tree like `tree` with other leaves, which an iterator gives in order."""
    if isinstance(tree, dict):
        return {key: rebuild(each, leaves) for key, each in tree.items()}
    if isinstance(tree, (tuple, list)):
        items = [rebuild(each, leaves) for each in tree]
        return type(tree)(*items) if hasattr(tree, "_fields") else type(tree)(items)
    return next(leaves)


def map_tree(function: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """Apply `function` to the leaves of trees of one form."""
    columns = zip(leaves_of(tree), *map(leaves_of, others), strict=True)
    return rebuild(tree, iter([function(*leaves) for leaves in columns]))


# --- vmap


def axes_of(in_dims: Any, args: Any) -> list[Any]:
    """Return for each leaf of the arguments the dimension that `vmap` goes along, or None."""
    if isinstance(in_dims, (tuple, list, dict)):
        keys = in_dims if isinstance(in_dims, dict) else range(len(in_dims))
        if type(args) not in (tuple, list, dict) or len(args) != len(in_dims):
            raise ValueError(f"vmap: in_dims={in_dims!r} has another structure than the inputs")
        return [axis for key in keys for axis in axes_of(in_dims[key], args[key])]
    return [in_dims] * len(leaves_of(args))


def vmap(
    func: Any, in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *,
    chunk_size: Any = None,
) -> Callable[..., Any]:  # fmt: skip
    """Return a function that applies `func` to each slice of its arguments, and stacks the results.

    `func` is called once for each slice, so it may use Python's `if`.

    Args:
        in_dims: for each argument the dimension of the slices; None for one that all slices share.
        out_dims: the dimension along which results are stacked.
        randomness: whether `func` may draw random numbers: "error", the "same" for each slice, or
            "different" ones. PyTorch draws different ones for all slices at once, and so others.

    >>> import minigrad as mg
    >>> mg.func.vmap(mg.dot)(mg.ones(3, 2), mg.ones(3, 2))
    tensor([2., 2., 2.])
    """

    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            "Only allowed values for randomness are 'error', 'different', or 'same'. "
            f"Got {randomness}"
        )

    @functools.wraps(func)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        axes = axes_of(in_dims, args)
        leaves = leaves_of(args)
        pieces = [
            leaf if axis is None or not isinstance(leaf, Tensor) else unbind(leaf, axis)
            for leaf, axis in zip(leaves, axes, strict=True)
        ]
        sizes = [len(each) for each in pieces if isinstance(each, tuple)]
        if not sizes:
            raise ValueError("vmap: Expected at least one Tensor to map over")
        if len(set(sizes)) > 1:
            raise ValueError(
                "vmap: Expected all tensors to have the same size in the mapped dimension, got "
                f"sizes {sizes} for the mapped dimension"
            )
        before, found = default_generator.get_state(), []
        for row in range(sizes[0]):
            given = [each[row] if isinstance(each, tuple) else each for each in pieces]
            if randomness == "same":
                default_generator.set_state(before)
            found.append(func(*rebuild(args, iter(given)), **kwargs))
        if randomness == "error" and not (before == default_generator.get_state()).all():
            raise RuntimeError(
                "vmap: called random operation while in randomness error mode. Please either use "
                "the 'same' or 'different' randomness flags on vmap or perform the randomness "
                "operation out of vmap"
            )
        columns = zip(*map(leaves_of, found), strict=True)
        dims = axes_of(out_dims, found[0])
        whole = {
            (axis, *map(id, each)): leaf
            for leaf, axis, each in zip(leaves, axes, pieces, strict=True)
            if isinstance(each, tuple)
        }
        return rebuild(found[0], iter(joined(list(zip(columns, dims, strict=True)), whole)))

    return mapped


def joined(columns: list[tuple[Any, Any]], whole: dict[Any, Any]) -> list[Any]:
    """Return each column of slices as one tensor. As in PyTorch, what was one memory stays so.

    Args:
        columns: the slices of each result, and the dimension along which they are joined.
        whole: by dimension and ids of its slices, a tensor that need not be joined again.
    """

    def of(rows: Any, dim: Any) -> Any:
        place = dim, *map(id, rows)
        if place not in whole:
            bases = [getattr(row, "_base", None) for row in rows]
            base = None if dim else whole.get((dim, *map(id, bases)))
            seen = None if base is None else view_of(base, rows, bases)
            whole[place] = stack(rows, dim) if seen is None else seen
        return whole[place]

    by_base = sorted(columns, key=lambda each: getattr(each[0][0], "_base", None) is not None)
    for column in by_base:  # views after that of which they are views
        of(*column)
    return [of(*column) for column in columns]


def view_of(whole: Any, rows: Any, bases: Any) -> Any:
    """Return the view of `whole` that has in each slice what a row has of its base.

    None if the rows are different parts, lie otherwise than in `whole`, or have a history.
    """
    parts = {
        (row.storage_offset() - base.storage_offset(), row.shape, row.stride(), base.stride())
        for row, base in zip(rows, bases, strict=True)
    }
    start, shape, stride, around = parts.pop()
    if parts or around != whole.stride()[1:] or any(row.requires_grad for row in rows):
        return None
    steps = (whole.stride(0), *stride)
    return whole.as_strided((len(rows), *shape), steps, whole.storage_offset() + start)
