"""`pad`: constants around a tensor, or (with negative numbers) a rim cut off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.node import TensorBase
from ..core.operation import Operation, apply
from .arguments import number, several
from .public import signed


class ConstantPadNdBackward0(Operation):
    """`value` around the elements. `pad` holds two numbers a dimension, the last one first."""

    rule = r"\bar a = g \text{ without its rim}"

    def forward(self: Any, /, pad: tuple[int, ...], value: Any) -> Any:
        around = rims(pad, self.ndim)
        shape = tuple(n + sum(rim) for n, rim in zip(self.shape, around, strict=True))
        result = np.full_like(self, value, shape=shape, order="C")
        inner, kept = (
            tuple(
                slice(max(sign * before, 0), n - max(sign * after, 0))
                for n, (before, after) in zip(sizes, around, strict=True)
            )
            for sign, sizes in ((1, shape), (-1, self.shape))
        )
        result[inner] = self[kept]
        return result

    def backward(ctx, g: Any) -> Any:
        return type(ctx).on(g, tuple(-n for n in ctx.args[0]), 0)


def rims(pad: Sequence[int], rank: int) -> list[tuple[int, int]]:
    """How much to add before and after, for each dimension."""
    pairs = list(zip(pad[::2], pad[1::2], strict=True))
    return [(0, 0)] * (rank - len(pairs)) + pairs[::-1]


def constant_pad(input: TensorBase, pad: Sequence[int], value: Any = 0) -> TensorBase:
    """`value` around `input`, as `pad` says."""
    pad = tuple(pad)
    shape = input._array.shape
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * len(shape):
        wanted = "less than or equal to two times the input dimension"
        found = f"padding length {len(pad)} and input of dimension {len(shape)}"
        raise RuntimeError(f"Padding length should be {wanted} but got {found}")
    around = rims(pad, len(shape))
    if any(n + min(a, 0) + min(b, 0) < 0 for n, (a, b) in zip(shape, around, strict=True)):
        raise RuntimeError("narrow(): length must be non-negative.")
    return apply(ConstantPadNdBackward0, input, pad, value)


@signed(
    'def pad(Tensor input, int[] pad, str mode="constant", float? value=None)',
    "pad(Tensor input, int[] pad, str mode, float? value)",
    place="nn.functional",
)
def pad(input: Any, pad: Any, mode: str = "constant", value: Any = None) -> TensorBase:
    """Put constants around `input`.

    Args:
        pad: how many before and after, for the last dimension, then for the one before it, ...
        mode: only "constant" is there.
        value: the constant, 0 unless given.

    >>> import minigrad as mg
    >>> mg.nn.functional.pad(mg.ones(2), (1, 2))
    tensor([0., 1., 1., 0., 0.])
    """
    sizes, constant = several(pad), 0 if value is None else number(value)
    if mode != "constant":
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    return constant_pad(input, sizes, constant)
