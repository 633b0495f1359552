"""Rows of a table by their numbers."""

from __future__ import annotations

from typing import Any

from ...arrays.messages import wrong_type
from ...core.node import TensorBase
from ...core.operation import apply
from ..indexing.gathering import EmbeddingBackward0, check_selection, padding_row, vector
from ..public.argument_tests import is_int, is_scalar
from ..public.arguments import number
from ..public.dims import type_in_error
from ..public.functions import schema
from .bags import shorten_rows


@schema(
    "def embedding(Tensor input, Tensor weight, int? padding_idx=None, float? max_norm=None, "
    "float norm_type=2.0, bool scale_grad_by_freq=False, bool sparse=False)",
    "embedding(Tensor weight, Tensor indices=input)",
    place="nn.functional",
)
def embedding(
    input: Any,
    weight: Any,
    padding_idx: Any = None,
    max_norm: Any = None,
    norm_type: Any = 2.0,
    scale_grad_by_freq: Any = False,
    sparse: Any = False,
) -> TensorBase:
    """Look up rows of the matrix `weight` by their numbers in `input`.

    Args:
        padding_idx: a row that gets no gradient.
        max_norm: shorten the rows that are looked up to this norm, in place; see `renorm`.
        norm_type: which norm, as `p` of `renorm`.
        scale_grad_by_freq: divide a row's gradient by how often the row is looked up.
        sparse: raises: minigrad has no sparse gradients.

    >>> import minigrad as mg
    >>> mg.nn.functional.embedding(mg.tensor([2, 0]), mg.tensor([[1, 2], [3, 4], [5, 6]]))
    tensor([[5, 6],
            [1, 2]])
    """
    table, numbers = weight._array, input._array
    padding = padding_row(padding_idx, len(vector(table)))
    if padding_idx is not None and not is_int(padding_idx):
        raise wrong_type("embedding", "padding_idx", 3, "int", padding_idx)
    if max_norm is not None and not is_scalar(max_norm):
        raise wrong_type("embedding_renorm_", "max_norm", 3, "float", max_norm)
    switches = ("scale_grad_by_freq", scale_grad_by_freq, 4), ("sparse", sparse, 5)
    for name, value, place in switches:
        if not isinstance(value, bool):
            raise wrong_type("embedding", name, place, "bool", value)
    check_dense(sparse)
    if table.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    if numbers.dtype.name not in ("int64", "int32"):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got {type_in_error(numbers.dtype)} instead (while checking "
            "arguments for embedding)"
        )
    if max_norm is not None:
        shorten_rows(weight, input, float(number(max_norm)), float(number(norm_type)))
    check_selection(table, 0, numbers)
    row = -1 if padding is None else padding
    return apply(EmbeddingBackward0, weight, input, row, scale_grad_by_freq)


def check_dense(sparse: bool) -> None:
    """Raise for a table whose gradient is to be sparse."""
    if sparse:
        raise NotImplementedError(
            "minigrad has no sparse gradients: leave out sparse=True. The gradient has the same "
            "values, and SGD, Adagrad and Adam take it."
        )
