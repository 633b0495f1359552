"""Matrices side by side along the diagonal of one matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.dtypes import result_dtype
from ...arrays.messages import type_name
from ...core.modes import modes
from ...core.node import TensorBase, gradient_edge, new_tensor
from ...core.operation import attach
from ..public.overriding import asking
from ..shapes.slicing import SliceBackward0
from .joining import JoiningOperation


class BlockDiagBackward0(JoiningOperation):
    """Matrices along the diagonal, zeros elsewhere; `_shapes` are those of the tensors."""

    params = ("_shapes",)
    rule = r"\bar a_k = g[\text{block } k]"

    def forward(tensors: Any, _shapes: Any) -> Any:
        sizes = [as_matrix(shape) for shape in _shapes]
        total = tuple(sum(size[axis] for size in sizes) for axis in (0, 1))
        found = np.zeros_like(tensors[0], result_dtype(*tensors), "C", shape=total)
        row = column = 0
        for tensor, (rows, columns) in zip(tensors, sizes, strict=True):
            block = tensor.reshape(rows, columns)
            found[row : row + rows, column : column + columns] = block
            row, column = row + rows, column + columns
        return found

    def backward(ctx, g: Any) -> Any:
        (shapes,) = ctx.args
        gradients: list[Any] = []
        row = column = 0
        for k, shape in enumerate(shapes):
            rows, columns = as_matrix(shape)
            below = SliceBackward0.on(g, 0, row, row + rows, 1)
            block = SliceBackward0.on(below, 1, column, column + columns, 1)
            own = block if len(shape) == 2 else block.reshape(shape)
            gradients.append(own if ctx.is_wanted(k) else None)
            row, column = row + rows, column + columns
        return tuple(gradients)


def as_matrix(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of a number or of a vector as that of a matrix of one row."""
    return (1,) * (2 - len(shape)) + shape


@asking
def block_diag(*tensors: Any) -> TensorBase:
    """Return a matrix with the given ones along its diagonal; a vector counts as a row.

    >>> import minigrad as mg
    >>> mg.block_diag(mg.tensor([[1, 2], [3, 4]]), mg.tensor([5]))
    tensor([[1, 2, 0],
            [3, 4, 0],
            [0, 0, 5]])
    """
    if not tensors:
        return new_tensor(np.zeros((1, 0), np.float32))
    for place, tensor in enumerate(tensors):
        if not isinstance(tensor, TensorBase):
            wanted = f"expected Tensor as element {place} in argument 0"
            raise TypeError(f"{wanted}, but got {type_name(tensor)}")
    for place, tensor in enumerate(tensors):
        if tensor._array.ndim > 2:
            found = f"Input {place} has {tensor._array.ndim} dimensions"
            wanted = "Input tensors must have 2 or fewer dimensions."
            raise RuntimeError(f"torch.block_diag: {wanted} {found}")
    arrays = [tensor._array for tensor in tensors]
    shapes = tuple(array.shape for array in arrays)
    edges = tuple([t._edge or gradient_edge(t) for t in tensors]) if modes.grad else ()
    value = BlockDiagBackward0.forward(arrays, shapes)
    return attach(BlockDiagBackward0, edges, (*tensors, shapes), value)
