"""The positions of elements in the triangles of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays.dtypes import to_numpy_dtype
from ..arrays.messages import not_implemented
from ..core.node import TensorBase
from ..ops.public.functions import schema
from .creation import as_whole, new_leaf


def indices(name: str, find: Any, row: Any, col: Any, offset: Any, options: Any) -> TensorBase:
    """Return the rows and columns of what `find` selects of a matrix."""
    rows, columns, offset = as_whole(row), as_whole(col), as_whole(offset)
    for word, count in (("row", rows), ("col", columns)):
        if count < 0:
            raise RuntimeError(f"{word} must be non-negative, got{count}")
    asked = options.get("dtype")
    wanted = np.dtype(np.int64) if asked is None else to_numpy_dtype(asked)
    if wanted.name not in ("int64", "int32"):
        raise not_implemented(name, wanted)
    found = np.nonzero(find(np.ones((rows, columns), bool), offset))
    return new_leaf(np.stack(found).astype(wanted), **options)


@schema("tril_indices(int row, int col, int offset=0, *, **options)")
def tril_indices(row: Any, col: Any, offset: Any = 0, **options: Any) -> TensorBase:
    """Return the rows and columns of the elements on the diagonal and below, in reading order.

    Args:
        offset: how far above the main diagonal the last one is.

    >>> import minigrad as mg
    >>> mg.tril_indices(2, 2)
    tensor([[0, 1, 1],
            [0, 0, 1]])
    """
    return indices("tril_indices", np.tril, row, col, offset, options)


@schema("triu_indices(int row, int col, int offset=0, *, **options)")
def triu_indices(row: Any, col: Any, offset: Any = 0, **options: Any) -> TensorBase:
    """Return the rows and columns of the elements on the diagonal and above, in reading order.

    >>> import minigrad as mg
    >>> mg.triu_indices(2, 2)
    tensor([[0, 0, 1],
            [0, 1, 1]])
    """
    return indices("triu_indices", np.triu, row, col, offset, options)
