"""Broadcasting: which shapes are compatible, and how a gradient gets its input's shape back.

NumPy repeats an element without a copy wherever a shape needs more of it. The gradient of a
repeated element is the sum of the gradients of all its uses.
"""

from __future__ import annotations

from typing import Any

from .node import TensorBase


def broadcasts_to(shape: tuple[int, ...], wider: tuple[int, ...]) -> bool:
    """Return whether an array of `shape` can be broadcast to `wider`."""
    extra = len(wider) - len(shape)
    if extra < 0:
        return False
    last = wider[extra:]
    return last == shape or all(a in (1, b) for a, b in zip(shape, last, strict=True))


def size_mismatch(a: tuple[int, ...], b: tuple[int, ...]) -> RuntimeError:
    """Return PyTorch's error for two shapes that do not broadcast."""
    rank = max(len(a), len(b))
    left = (1,) * (rank - len(a)) + a
    right = (1,) * (rank - len(b)) + b
    axis = max(n for n in range(rank) if left[n] != right[n] and 1 not in (left[n], right[n]))
    return RuntimeError(
        f"The size of tensor a ({left[axis]}) must match the size of tensor b "
        f"({right[axis]}) at non-singleton dimension {axis}"
    )


def sum_to(g: Any, shape: tuple[int, ...]) -> Any:
    """Undo broadcasting: sum the gradients of all uses of each element."""
    wider = g.shape
    extra = len(wider) - len(shape)
    if extra == 1 and wider[1:] == shape and not isinstance(g, TensorBase):
        # The usual case is a bias added to each row of a batch: one call is enough.
        return g.reshape(shape) if wider[0] == 1 else g.sum(axis=0)
    axes = tuple(
        axis
        for axis in range(len(wider))
        if axis < extra or (shape[axis - extra] == 1 and wider[axis] != 1)
    )
    if axes:
        if not shape:
            return g.sum()
        keep = "keepdim" if isinstance(g, TensorBase) else "keepdims"
        g = g.sum(axes, **{keep: True})
    return g.reshape(shape) if extra else g
