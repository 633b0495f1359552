"""Rows of a table by their numbers: `embedding`, and `one_hot`, which is what it stands for."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays.dtypes import tensor_type_name
from ..arrays.words import check_tensors
from ..core.node import TensorBase, new_tensor
from ..core.operation import ALWAYS, apply, beside
from .copies import ShapeOperation
from .masking import MaskedFillBackward0
from .scattering import add_rows, outside


class EmbeddingBackward0(ShapeOperation):
    """Rows of a table of vectors, `weight`, by their numbers."""

    saves = {"indices": ALWAYS}
    rule = r"\bar w[i] \mathrel{+}= g"

    def forward(weight: Any, /, indices: Any, padding_idx: int) -> Any:
        return weight[indices]

    def gradient(g: Any, indices: Any, shape: Any, padding_idx: int) -> Any:
        return EmbeddingDenseBackwardBackward0.on(g, indices, shape[0], padding_idx)


class EmbeddingDenseBackwardBackward0(ShapeOperation):
    """Gradients of rows added up in a table of zeros, except for the row `padding_idx`."""

    saves = {"indices": ALWAYS}
    rule = r"\bar g = \bar w[i]"

    def forward(grad_output: Any, /, indices: Any, _count: int, padding_idx: int) -> Any:
        width = grad_output.shape[-1]
        result = np.zeros_like(grad_output, shape=(_count, width))
        add_rows(result, indices.reshape(-1), grad_output.reshape(-1, width))
        if padding_idx >= 0:
            result[padding_idx] = 0
        return result

    def gradient(g: Any, indices: Any, _count: int, padding_idx: int) -> Any:
        if padding_idx >= 0:
            row = np.arange(_count).reshape(-1, 1) == padding_idx
            g = MaskedFillBackward0.on(g, beside(g, row), 0)
        return EmbeddingBackward0.on(g, indices, -1)


def embedding(input: TensorBase, weight: TensorBase, padding_idx: int | None = None) -> TensorBase:
    """Rows of the matrix `weight`, by their numbers in `input`.

    Args:
        padding_idx: a row that gets no gradient.

    >>> import minigrad as mg
    >>> mg.nn.functional.embedding(mg.tensor([2, 0]), mg.tensor([[1, 2], [3, 4], [5, 6]]))
    tensor([[5, 6],
            [1, 2]])
    """
    check_tensors("embedding", ("weight", weight), ("indices", input))
    table, numbers = weight._array, input._array
    if table.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    padding = padding_row(padding_idx, len(table))
    if numbers.dtype.name not in ("int64", "int32"):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got {tensor_type_name(numbers.dtype)} instead (while checking "
            "arguments for embedding)"
        )
    if outside(numbers, len(table)) is not None:
        raise IndexError("index out of range in self")
    return apply(EmbeddingBackward0, weight, input, -1 if padding is None else padding)


def padding_row(padding_idx: int | None, count: int) -> int | None:
    """The one of `count` rows that gets no gradient, if any, counted from the front."""
    if padding_idx is None:
        return None
    if not -count <= padding_idx < count:
        raise AssertionError("Padding_idx must be within num_embeddings")
    return padding_idx % count


def one_hot(input: TensorBase, num_classes: int = -1) -> TensorBase:
    """Each class number as a row of zeros with a 1 at its place.

    >>> import minigrad as mg
    >>> mg.nn.functional.one_hot(mg.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
    array = input._array
    if array.dtype.name != "int64":
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not array.size:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
    elif array.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    elif num_classes == -1:
        num_classes = int(array.max()) + 1
    elif array.max() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    classes = np.arange(num_classes, like=array) if array.ndim else np.arange(num_classes)
    out = new_tensor((array[..., None] == classes).astype(np.int64, order="C"))
    if array.size:
        out.version_counter().value = 2  # PyTorch fills it with zeros and then scatters ones
    return out
