"""Dropout: random elements become zero in training, and the others are scaled up.

The expected sum stays the same. As in PyTorch it is a product with a random tensor.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from ...arrays import draws as random
from ...arrays import gpu_draws
from ...arrays.devices import ON_CPU
from ...arrays.dtypes import get_default_dtype
from ...arrays.memory_order import empty_as, in_memory_order
from ...arrays.messages import cannot_cast
from ...core.node import TensorBase, new_tensor
from ..pointwise.arithmetic import mul
from ..public.arguments import number
from ..public.functions import schema


@schema("dropout(Tensor input, float p, bool train)")
def dropout(input: Any, p: float, train: bool) -> TensorBase:
    """Set each element to zero with probability `p` and divide the others by 1 - p, if `train`."""
    return apply_dropout(input, p, train, False, empty_as)


def by_channel(x: Any) -> Any:
    """Return an array to draw into, with a number for each channel of `x`."""
    if x.ndim < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return np.empty_like(x, shape=(*x.shape[:2], *[1] * (x.ndim - 2)), order="C")


def check_probability(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def keep_factors(room: Any, p: float) -> Any:
    """Return 1 / `p` with probability `p`, else 0.

    On the CPU the draws follow the memory order of `room`. On a GPU they are written into `room`.
    """
    if not isinstance(room, ON_CPU):
        return gpu_draws.draw_bernoulli(room, p, 1 / p)
    return in_memory_order(room, lambda shape: random.bernoulli_constant(shape, room.dtype, p)) / p


def apply_dropout(input: Any, p: float, train: bool, inplace: bool, room: Any) -> TensorBase:
    """Multiply `input` by random numbers; `room` makes the array for them."""
    x, p = input._array, number(p)
    if type(train) is not bool:
        raise TypeError
    if not 0 <= p <= 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p:g}")
    if p == 0 or not train or x.size == 0:
        return cast(TensorBase, input)
    if p == 1:
        noise = x.dtype.type(0)
    else:
        if x.dtype.kind != "f":
            raise cannot_cast(get_default_dtype().numpy, x.dtype)
        noise = keep_factors(room(x), 1 - p)
    factor = new_tensor(noise)
    product: TensorBase = input.mul_(factor) if inplace else mul(input, factor)
    return product
