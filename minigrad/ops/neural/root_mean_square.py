"""Normalization by sizes alone: by the root of the mean square, and by neighbouring channels."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...arrays.dtypes import float32, from_numpy_dtype
from ...arrays.messages import c_name, check_floating
from ...core.node import TensorBase
from ..pointwise.arithmetic import div
from ..public.arguments import integer_tuple, number
from ..public.functions import schema
from .averaging import avg_pool2d, avg_pool3d
from .normalization import check_normalized
from .padding import pad
from .similarity import shifted


def apply_rms_norm(input: Any, sizes: Any, weight: Any, eps: Any) -> TensorBase:
    """Compute `rms_norm`, for both of its public places."""
    shape, x = integer_tuple(sizes), input._array
    fits = weight is None or weight._array.shape == shape
    if fits and x.ndim < len(shape):
        wanted = f"must have at least {len(shape)} dimensions"
        raise ValueError(f"Input tensor {wanted}, but got {x.ndim}")
    check_normalized(x, shape, "*", weight=weight)
    if weight is not None and weight._array.dtype != x.dtype:
        types = f"input dtype = {c_name(x.dtype)}, weight dtype = {c_name(weight._array.dtype)}"
        warnings.warn(
            f"Mismatch dtype between input and weight: {types}, Cannot dispatch to fused "
            "implementation.",
            stacklevel=3,
        )
    check_floating("rms_norm", x.dtype)
    wide = input.to(float32) if x.dtype == np.float16 else input
    least = float(np.finfo(wide._array.dtype).eps if eps is None else number(eps))
    dims = tuple(range(x.ndim - len(shape), x.ndim))
    mean = wide.pow(2).mean(dims, keepdim=True)
    result = wide * shifted(mean, least).rsqrt()
    if weight is not None:
        result = result * weight
    return result.to(from_numpy_dtype[x.dtype]).contiguous()  # type: ignore[no-any-return]


@schema("rms_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None)")
def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: Any = None) -> TensorBase:
    """Divide the last dimensions by the root of their mean square, and multiply by `weight`.

    Args:
        normalized_shape: the sizes of these dimensions.
        eps: added to the mean square; by default the step after 1 of the dtype.

    >>> import minigrad as mg
    >>> mg.rms_norm(mg.tensor([3.0, -3.0]), (2,))
    tensor([ 1., -1.])
    """
    return apply_rms_norm(input, normalized_shape, weight, eps)


@schema(
    "def local_response_norm(Tensor input, int size, float alpha=0.0001, float beta=0.75, "
    "float k=1.0)",
    "input.dim()",
    place="nn.functional",
)
def local_response_norm(
    input: Any, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> TensorBase:
    """Divide each number by how large those of the `size` neighbouring channels are.

    >>> import minigrad as mg
    >>> mg.nn.functional.local_response_norm(mg.ones(1, 2, 1), 2, alpha=2.0, beta=1.0)
    tensor([[[0.5000],
             [0.3333]]])
    """
    rank = input.dim()
    if rank < 3:
        blanks = " " * 26
        raise ValueError(
            f"Expected 3D or higher dimensionality{blanks}input (got {rank} dimensions)"
        )
    if not input._array.size:
        return input  # type: ignore[no-any-return]
    squares, around = input.mul(input), (size // 2, (size - 1) // 2)
    if rank == 3:
        squares = pad(squares.unsqueeze(1), (0, 0, *around))
        mean: Any = avg_pool2d(squares, (size, 1), stride=1).squeeze(1)
    else:
        batch, channels, height = input.shape[:3]
        squares = pad(squares.view(batch, 1, channels, height, -1), (0, 0, 0, 0, *around))
        mean = avg_pool3d(squares, (size, 1, 1), stride=1).squeeze(1).view(input.shape)
    return div(input, mean.mul(alpha).add(k).pow(beta))  # type: ignore[no-any-return]
