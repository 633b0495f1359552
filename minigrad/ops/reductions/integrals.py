"""Integrals by the trapezoidal rule, composed of slices as PyTorch composes them."""

from __future__ import annotations

from typing import Any

from ...core.node import TensorBase
from ..indexing.differences import over, part, times
from ..public.argument_tests import is_scalar
from ..public.dims import whole_number, wrap_dim
from ..public.functions import MISSING, schema
from ..shapes.shapes import view
from ..shapes.slicing import select
from .reductions import cumsum
from .reductions import sum as sum_of


def arguments(name: str, y: Any, x: Any, dx: Any, dim: Any) -> tuple[Any, int]:
    """Return the steps, a number or a tensor, and the axis."""
    if dx is not MISSING and (x is not None or not is_scalar(dx)):
        raise TypeError
    dim, shape, cumulative = whole_number(dim), y._array.shape, name.startswith("cumulative")
    if not shape and not cumulative:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    if isinstance(dx, bool) and (cumulative or shape[wrap_dim(dim, len(shape))]):
        raise RuntimeError(f"{name}: Currently, we only support dx as a real number.")
    if not shape:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    axis = wrap_dim(dim, len(shape))
    if y._array.dtype.kind == "b":
        raise RuntimeError(f"{name}: received a bool input for `y`, but bool is not supported")
    if x is None:
        return 1 if dx is MISSING else dx, axis
    if not isinstance(x, TensorBase):
        raise TypeError
    if x._array.dtype.kind == "b":
        raise RuntimeError(f"{name}: received a bool input for `x`, but bool is not supported")
    count, ndim = y._array.shape[axis], y._array.ndim
    if x._array.ndim == 1:
        if x._array.size != count:
            raise RuntimeError(f"{name}: There must be one `x` value for each sample point")
        x = view(x, [count if place == axis else 1 for place in range(ndim)])
    elif x._array.ndim < ndim:
        x = view(x, (1,) * (ndim - x._array.ndim) + x._array.shape)
    left, right = ends(x, dim if dim >= 0 else axis)
    return right - left, axis


def ends(tensor: Any, dim: int) -> tuple[Any, Any]:
    """Return all elements but the last along `dim`, and all but the first."""
    return part(tensor, dim, 0, -1), part(tensor, dim, 1)


@schema(
    "trapezoid(Tensor y, Tensor x, *, int dim=-1)",
    "trapezoid(Tensor y, *, Scalar dx=1, int dim=-1)",
)
def trapezoid(y: Any, x: Any = None, *, dx: Any = MISSING, dim: Any = -1) -> Any:
    """Return the integral along `dim` of a line through the points.

    >>> import minigrad as mg
    >>> mg.trapezoid(mg.tensor([1.0, 5.0, 10.0]))
    tensor(10.5000)
    """
    steps, axis = arguments("trapezoid", y, x, dx, dim)
    if not y._array.shape[axis]:
        shape = [n for place, n in enumerate(y._array.shape) if place != axis]
        return y.new_zeros(shape).zero_()  # version 1, as in PyTorch
    if not isinstance(steps, TensorBase):
        half = times(select(y, axis, 0) + select(y, axis, -1), 0.5)
        return times(sum_of(y, axis) - half, steps)
    left, right = ends(y, axis)
    return over(sum_of((left + right) * steps, axis), 2.0)


@schema(
    "cumulative_trapezoid(Tensor y, Tensor x, *, int dim=-1)",
    "cumulative_trapezoid(Tensor y, *, Scalar dx=1, int dim=-1)",
)
def cumulative_trapezoid(y: Any, x: Any = None, *, dx: Any = MISSING, dim: Any = -1) -> Any:
    """Return the integrals from the first point to each of the others.

    >>> import minigrad as mg
    >>> mg.cumulative_trapezoid(mg.tensor([1.0, 5.0, 10.0]))
    tensor([ 3.0000, 10.5000])
    """
    steps, axis = arguments("cumulative_trapezoid", y, x, dx, dim)
    left, right = ends(y, axis)
    if isinstance(steps, TensorBase):
        return over(cumsum((left + right) * steps, axis), 2.0)
    return cumsum(times(left + right, steps / 2.0), axis)


@schema(
    "trapz(Tensor y, Tensor x, *, int dim=-1)",
    "trapz(Tensor y, *, float dx=1, int dim=-1)",
)
def trapz(y: Any, x: Any = None, *, dx: Any = MISSING, dim: Any = -1) -> Any:
    """Return the integral; another name of `trapezoid`, in which a bool is a number."""
    return trapezoid.body(y, x, dx=float(dx) if isinstance(dx, bool) else dx, dim=dim)
