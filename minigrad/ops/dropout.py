"""Dropout: elements set to zero at random while a network is trained, the others scaled up, so that
their expected sum stays the same. It is a product with a random tensor, as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays import draws as random
from ..arrays.dtypes import get_default_dtype
from ..arrays.memory_order import empty_as, in_memory_order
from ..arrays.words import cannot_cast, check_tensors
from ..core.node import TensorBase, new_tensor
from .arithmetic import mul


def dropout(
    input: TensorBase, p: float = 0.5, training: bool = True, inplace: bool = False
) -> TensorBase:
    """Set each element to zero with probability `p` and divide the others by 1 - p, in training.

    >>> import minigrad as mg
    >>> mg.nn.functional.dropout(mg.ones(3), 0.5, training=False)
    tensor([1., 1., 1.])
    """
    return dropped("dropout", input, p, training, inplace, empty_as)


def dropout2d(
    input: TensorBase, p: float = 0.5, training: bool = True, inplace: bool = False
) -> TensorBase:
    """Set whole channels of images [N, C, H, W] to zero."""
    return dropped("feature_dropout", input, p, training, inplace, by_channel)


def by_channel(x: Any) -> Any:
    """An array to draw into: a number for each channel of `x`."""
    if x.ndim < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return np.empty_like(x, shape=(*x.shape[:2], *[1] * (x.ndim - 2)), order="C")


def check_probability(p: float) -> None:
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def kept(like: Any, p: float) -> Any:
    """1 with probability `p`, else 0, drawn in the order in which `like` lies in memory."""
    return in_memory_order(like, lambda shape: random.bernoulli_constant(shape, like.dtype, p))


def dropped(
    name: str, input: TensorBase, p: float, training: bool, inplace: bool, room: Any
) -> TensorBase:
    """`input` times random numbers, as many as `room` makes room for."""
    check_probability(p)
    check_tensors(name, ("input", input))
    x = input._array
    if p == 0 or not training or x.size == 0:
        return input
    if p == 1:
        noise = x.dtype.type(0)
    else:
        if x.dtype.kind != "f":
            raise cannot_cast(get_default_dtype().numpy, x.dtype)
        noise = kept(room(x), 1 - p) / (1 - p)
    factor = new_tensor(noise)
    return input.mul_(factor) if inplace else mul(input, factor)
