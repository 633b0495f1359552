"""Differences of neighbours, composed of slices as PyTorch composes them."""

from __future__ import annotations

from typing import Any

from ...core.node import TensorBase
from ..public.dims import whole_number, wrap_dim
from ..public.functions import schema
from ..shapes.slicing import narrow
from .joining import cat


@schema(
    "diff(Tensor input, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None, *, "
    "Tensor out=None)"
)
def diff(
    input: Any, n: Any = 1, dim: Any = -1, prepend: Any = None, append: Any = None
) -> TensorBase:
    """Subtract from each element along `dim` the one before it, `n` times.

    `prepend` and `append` are joined to `input` first.

    >>> import minigrad as mg
    >>> mg.diff(mg.tensor([1, 4, 9]))
    tensor([3, 5])
    """
    n, dim, shape = whole_number(n), whole_number(dim), input._array.shape
    if not shape:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    axis = wrap_dim(dim, len(shape))
    more = [each for each in (prepend, append) if each is not None]
    for each in more:
        check_joined(shape, each._array.shape, axis)
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    if more:
        parts = (prepend, input, append)
        input = cat([each for each in parts if each is not None], dim)
    elif not n:
        return input.new_empty(shape).copy_(input)  # type: ignore[no-any-return]
    size = input._array.shape[axis]
    for _ in range(min(n, size)):
        size -= 1
        before = narrow(input, dim, 0, size)  # first, as in PyTorch's graph
        after = narrow(input, dim, 1, size)
        input = after ^ before if input._array.dtype.kind == "b" else after - before
    return input  # type: ignore[no-any-return]


def check_joined(shape: Any, own: Any, axis: int) -> None:
    """Raise if a tensor of shape `own` cannot be joined to the input.

    Raises:
        RuntimeError: it cannot.
    """
    if len(own) != len(shape):
        raise RuntimeError("diff expects prepend or append to be the same dimension as input")
    for at, (n, size) in enumerate(zip(own, shape, strict=True)):
        if n != size and at != axis:
            raise RuntimeError(
                "diff expects the shape of tensor to prepend or append to match that of input "
                f"except along the differencing dimension; input.size({at}) = {size}, but got "
                f"tensor.size({at}) = {n}"
            )


class DifferenceMethods(TensorBase):
    """The methods of this file."""

    diff = diff.method
