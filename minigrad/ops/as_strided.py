"""as_strided: a tensor's memory read in any shape and in any steps.

Neighbours may overlap and elements may be read many times, so its gradient is worked out place by
place in the memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.node import Tensor, TensorBase, gradient_edge, new_node, new_tensor
from ..core.operation import apply, leading_nowhere
from .copies import ShapeOperation, beside, zeros_for
from .dims import sizes
from .scattering import IndexAddBackward0, IndexSelectBackward0
from .shapes import strided


class AsStridedBackward0(ShapeOperation):
    """The tensor's memory, read in any shape and in any steps, which count elements."""

    is_view = True
    rule = r"\bar a[p] = \sum_{\text{reads of } p} g"

    def forward(self: Any, /, size: Any, stride: Any, storage_offset: Any, _layout: Any) -> Any:
        if storage_offset is not None:
            self = memory_of(self)[storage_offset:]
        return strided(self, size, tuple([step * self.itemsize for step in stride]))

    def backward(ctx, g: Any) -> Any:
        size, stride, storage_offset, (own_stride, own_offset) = ctx.args
        start = own_offset if storage_offset is None else storage_offset
        first = min(start, own_offset)
        read = places(size, stride, start - first)
        own = places(ctx.shape(), own_stride, own_offset - first)
        extent = 1 + max(int(found.max(initial=0)) for found in (read, own))
        memory = zeros_for(g, (extent,))
        memory = IndexAddBackward0.on(memory, g.reshape(-1), 0, beside(g, read), 1)
        uses = np.bincount(own, minlength=extent)
        if uses.max(initial=0) > 1:  # elements that share a place share its gradient
            memory = memory / beside(g, np.maximum(uses, 1))
        return IndexSelectBackward0.on(memory, 0, beside(g, own)).reshape(ctx.shape())


def places(size: tuple[int, ...], stride: tuple[int, ...], start: int) -> Any:
    """Where in the memory each element is, in one dimension."""
    found = np.full(size, start)
    for step, numbers in zip(stride, np.indices(size, sparse=True), strict=True):
        found += step * numbers
    return found.reshape(-1)


def owner_of(array: Any) -> Any:
    """The array that `array` is a part of: the one that has no base itself."""
    base = owner = array
    while (base := getattr(base, "base", None)) is not None:
        if isinstance(base, type(array)):  # between two arrays there may be a helper of NumPy's
            owner = base
    return owner


def memory_of(array: Any) -> Any:
    """The whole memory that `array` is a part of, in one dimension."""
    return owner_of(array).ravel("K")


def as_strided(input: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """The memory of `input` from `storage_offset` on, in another shape and in the given steps.

    >>> import minigrad as mg
    >>> mg.arange(3).as_strided((2, 2), (1, 1))
    tensor([[0, 1],
            [1, 2]])
    """
    array = input.shared_array()
    shape, steps = sizes((size,), "as_strided"), sizes((stride,), "as_strided", "stride")
    if len(shape) != len(steps):
        lengths = f"{len(steps)} strides, {len(shape)} sizes"
        raise RuntimeError(f"mismatch in length of strides and shape: {lengths}")
    if min(steps, default=0) < 0:
        raise RuntimeError(f"as_strided: Negative strides are not supported: {list(steps)}")
    own = input.storage_offset()
    start = own if storage_offset is None else storage_offset
    last = start + sum(step * (n - 1) for n, step in zip(shape, steps, strict=True))
    memory = memory_of(array)
    if 0 not in shape and last >= memory.size:
        memory_met = f"are out of bounds for storage of size {memory.size}"
        raise RuntimeError(
            f"setStorage: sizes {list(shape)}, strides {list(steps)}, offset {start} {memory_met}"
        )
    return apply(AsStridedBackward0, input, shape, steps, storage_offset, (input.stride(), own))


class StridedMethods(TensorBase):
    """The method of this file."""

    as_strided = as_strided

    def reread(self: Any, part: Any) -> Any:
        """A node for the history of `part` of the tensor's memory."""
        edge, outputs = gradient_edge(self), ((part.shape, part.dtype),)
        kind = leading_nowhere(AsStridedBackward0) if edge[0] is None else AsStridedBackward0
        node: AsStridedBackward0 = new_node(kind, (edge,), outputs)
        layout = (self.stride(), self.storage_offset())
        read = new_tensor(part)
        node.args = (part.shape, read.stride(), read.storage_offset(), layout)
        return node
