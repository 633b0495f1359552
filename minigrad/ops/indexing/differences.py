"""Differences of neighbours, and slopes made of them, composed as PyTorch composes them."""

from __future__ import annotations

from typing import Any

from ...core.node import TensorBase
from ...core.operation import apply
from ...core.views import apply_view
from ..pointwise.arithmetic import DivBackward1, MulBackward1
from ..public.dims import distinct, integers, size_at, whole_number, wrap_dim
from ..public.factories import as_number
from ..public.functions import schema
from ..shapes.shapes import view
from ..shapes.slicing import SliceBackward0, narrow
from .joining import cat

Span = tuple[int, int | None]
"""The first slice of a part, and the one after its last."""


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


def times(tensor: Any, number: float) -> Any:
    """Return a product with a number, which leaves the node of a number where there is one."""
    floats = tensor._array.dtype.kind == "f"
    return apply(MulBackward1, tensor, number) if floats else tensor * number


def over(tensor: Any, divisor: Any) -> Any:
    """Return a quotient, which leaves the node of a number where the divisor is one."""
    if isinstance(divisor, TensorBase) or tensor._array.dtype.kind != "f":
        return tensor / divisor
    return apply(DivBackward1, tensor, divisor)


def part(tensor: Any, dim: int, start: int, stop: int | None = None) -> Any:
    """Return the slices along `dim` from `start` to `stop`."""
    return apply_view(SliceBackward0, tensor, dim, start, stop, 1)


@schema(
    "gradient(Tensor input, *, int[] dim, int edge_order=1)",
    "gradient(Tensor input, *, Scalar spacing, int[] dim, int edge_order=1)",
    "gradient(Tensor input, *, Scalar? spacing=None, int? dim=None, int edge_order=1)",
    "gradient(Tensor input, *, Scalar[] spacing, int? dim=None, int edge_order=1)",
    "gradient(Tensor input, *, Scalar[] spacing, int[] dim, int edge_order=1)",
    "gradient(Tensor input, *, Tensor[] spacing, int? dim=None, int edge_order=1)",
    "gradient(Tensor input, *, Tensor[] spacing, int[] dim, int edge_order=1)",
)
def gradient(input: Any, *, spacing: Any = None, dim: Any = None, edge_order: Any = 1) -> Any:
    """Return the slope along each dimension, by the differences of neighbours on both sides.

    Args:
        spacing: the distance of neighbours, one for each dimension, or their positions.
        dim: the dimension, or several; by default all.
        edge_order: 2 takes two neighbours into account at the ends, 1 only one.

    >>> import minigrad as mg
    >>> mg.gradient(mg.tensor([1.0, 4.0, 9.0, 16.0]))
    (tensor([3., 4., 6., 7.]),)
    """
    order, shape = whole_number(edge_order), input._array.shape
    dims = None
    if dim is not None:
        several = isinstance(dim, (tuple, list))
        dims = integers(dim) if several else (whole_number(dim),)
    steps = spacing
    if not isinstance(spacing, (tuple, list)):
        step = 1.0 if spacing is None else as_number(spacing, input._array.dtype)
        steps = [step] * (len(shape) if dims is None else len(dims))
    elif all(isinstance(each, TensorBase) for each in spacing):
        check_positions(spacing)
    else:
        steps = [as_number(each, input._array.dtype) for each in spacing]
    check_slopes(input._array, steps, dims, order)
    rank = len(shape)
    axes = range(rank) if dims is None else [wrap_dim(each, rank) for each in dims]
    return tuple(slopes(input, axis, step, order) for axis, step in zip(axes, steps, strict=True))


def check_positions(positions: Any) -> None:
    """Raise for positions that are not a list for each dimension."""
    for each in positions:
        if each._array.ndim != 1:
            wanted = "expected each element of spacing to have one dimension"
            found = f"but got an element with {each._array.ndim} dimensions!"
            raise RuntimeError(f"torch.gradient {wanted}, {found}")


def check_slopes(x: Any, steps: Any, dims: Any, order: int) -> None:
    """Raise for arguments of `gradient` that do not fit the tensor or one another."""
    if x.dtype.name == "uint8":
        raise RuntimeError("torch.gradient does not support uint8 input.")
    count = x.ndim if dims is None else len(dims)
    if len(steps) != count:
        wanted = "torch.gradient expected spacing to be unspecified, a scalar"
        if dims is None:
            raise RuntimeError(
                f"{wanted}, or a list of length equal to 'self.dim() = {x.ndim}', since dim "
                f"argument was not given, but got a list of length {len(steps)}"
            )
        raise RuntimeError(
            f"{wanted} or it's spacing and dim arguments to have the same length, but got a "
            f"spacing argument of length {len(steps)} and a dim argument of length {count}."
        )
    if order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    axes = range(x.ndim) if dims is None else distinct(dims, x.ndim)
    if any(size_at(x.shape, axis) <= order for axis in axes):
        raise RuntimeError(
            "torch.gradient expected each dimension size to be at least edge_order+1"
        )


def slopes(x: Any, axis: int, step: Any, order: int) -> Any:
    """Return the slopes along one dimension, of neighbours at one distance or at positions."""
    if isinstance(step, TensorBase):
        return slopes_at(x, axis, diff(step), order)
    middle = over(difference(x, axis, (2, None), (0, -2)), step)
    if order == 1:
        first = over(difference(x, axis, (1, 2), (0, 1)), step)
        last = over(difference(x, axis, (-1, None), (-2, -1)), step)
        return cat([first, over(middle, 2), last], axis)
    c, b, a = times(part(x, axis, 2, 3), 0.5), times(part(x, axis, 1, 2), 2), part(x, axis, 0, 1)
    first = over(times(a, -1.5) + b - c, step)
    c, b, a = times(part(x, axis, -1), 1.5), times(part(x, axis, -2, -1), 2), part(x, axis, -3, -2)
    last = over(times(a, 0.5) - b + c, step)
    return cat([first, over(middle, 2), last], axis)


def difference(x: Any, axis: int, after: Span, before: Span) -> Any:
    """Return the difference of two parts; the second is cut first, as in PyTorch's graph."""
    less = part(x, axis, *before)
    return part(x, axis, *after) - less


def slopes_at(x: Any, axis: int, gaps: Any, order: int) -> Any:
    """Return the slopes along one dimension, where neighbours are `gaps` apart."""
    left, right = part(gaps, 0, 0, -1), part(gaps, 0, 1)
    form = [-1 if place == axis else 1 for place in range(x._array.ndim)]
    # PyTorch computes each divisor first, which shows in the order of the graph.
    below = left * (left + right)
    weights = [-right / below]
    below = left * right
    weights.append((right - left) / below)
    below = right * (left + right)
    weights.append(left / below)
    middle = weighted(
        x, axis, [view(each, form) for each in weights], ((0, -2), (1, -1), (2, None))
    )
    if order == 1:
        first = difference(x, axis, (1, 2), (0, 1)) / gaps[0]
        last = difference(x, axis, (-1, None), (-2, -1)) / gaps[-1]
        return cat([first, middle, last], axis)
    one, two = gaps[0], gaps[1]
    first = weighted(
        x,
        axis,
        [
            -(2 * one + two) / (one * (one + two)),
            (one + two) / (one * two),
            -one / (two * (one + two)),
        ],
        ((0, 1), (1, 2), (2, 3)),
    )
    one, two = gaps[-2], gaps[-1]
    last = weighted(
        x,
        axis,
        [
            two / (one * (one + two)),
            -(one + two) / (one * two),
            (2 * two + one) / (two * (one + two)),
        ],
        ((-3, -2), (-2, -1), (-1, None)),
    )
    return cat([first, middle, last], axis)


def weighted(x: Any, axis: int, weights: list[Any], spans: tuple[Span, ...]) -> Any:
    """Return the weighted sum of three parts; the last is cut first, as in PyTorch's graph."""
    pairs = [*zip(weights, spans, strict=True)]
    c, b, a = (weight * part(x, axis, *span) for weight, span in reversed(pairs))
    return a + b + c


class DifferenceMethods(TensorBase):
    """The methods of this file."""

    diff = diff.method
