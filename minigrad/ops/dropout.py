"""Dropout: elements set to zero at random while a network is trained, the others scaled up, so that
their expected sum stays the same. It is a product with a random tensor, as in PyTorch."""

from __future__ import annotations

from typing import Any

from .. import random
from ..dtypes import get_default_dtype
from ..graph import new_tensor
from .arithmetic import mul
from .matrix import check_tensors
from .operands import cannot_cast


def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Set each element to zero with probability `p` and divide the others by 1 - p, in training.

    >>> import minigrad as mg
    >>> mg.nn.functional.dropout(mg.ones(3), 0.5, training=False)
    tensor([1., 1., 1.])
    """
    return dropped("dropout", input, p, training, inplace, input_shape)


def dropout1d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Set whole channels of sequences [N, C, L] to zero."""
    return dropped("feature_dropout", input, p, training, inplace, channel_shape)


def dropout2d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Set whole channels of images [N, C, H, W] to zero."""
    return dropped("feature_dropout", input, p, training, inplace, channel_shape)


def input_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    return shape


def channel_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    if len(shape) < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return (*shape[:2], *[1] * (len(shape) - 2))


def dropped(
    name: str, input: Any, p: float, training: bool, inplace: bool, noise_shape: Any
) -> Any:
    """`input` times a random tensor of the shape that `noise_shape` makes of its own."""
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    check_tensors(name, ("input", input))
    x = input._array
    if p == 0 or not training or x.size == 0:
        return input
    if p == 1:
        noise = x.dtype.type(0)
    else:
        if x.dtype.kind != "f":
            raise cannot_cast(get_default_dtype().numpy, x.dtype)
        kept = random.bernoulli_constant(noise_shape(x.shape), x.dtype, 1 - p)
        noise = kept / (1 - p)
    factor = new_tensor(noise)
    return input.mul_(factor) if inplace else mul(input, factor)
