"""Losses: one number for how far predictions are from what they should be."""

from __future__ import annotations

import math
from typing import Any

from ..graph import TensorBase
from ..operation import ALWAYS, Operation, apply
from .elementwise import (
    AbsBackward0,
    ExpBackward0,
    Log1PBackward0,
    ReluBackward0,
    SigmoidBackward0,
)

REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}
"""PyTorch's numbers for the ways to reduce, as its nodes show them."""


def reduced(values: Any, reduction: int) -> Any:
    """`values` as they are, their mean or their sum."""
    if reduction == 1:
        return values.mean()
    return values.sum() if reduction == 2 else values


class BinaryCrossEntropyWithLogitsBackward0(Operation):
    """Binary cross-entropy of sigmoid(self) against target.

    Computed as (1 - t) x + (1 + (p - 1) t) ln(1 + exp(-x)), which does not overflow (PyTorch's
    documentation of BCEWithLogitsLoss; p is pos_weight).
    """

    inputs = ("self", "target")
    params = ("weight", "pos_weight", "reduction")
    saves = {"self": ALWAYS, "target": ALWAYS, "weight": ALWAYS, "pos_weight": ALWAYS}
    rule = r"\bar x = \frac{g}{n} \cdot (\sigma(x) - t)"

    @staticmethod
    def forward(self: Any, target: Any, weight: Any, pos_weight: Any, reduction: int) -> Any:
        softplus = softplus_of_minus(self)
        if pos_weight is not None:
            softplus = (1 + (pos_weight - 1) * target) * softplus
        loss = (1 - target) * self + softplus
        if weight is not None:
            loss = loss * weight
        return reduced(loss, reduction)

    def backward(ctx, g: Any) -> Any:
        self, target, weight, pos_weight = ctx.saved
        reduction = ctx.args[2]
        if reduction == 1:
            g = g / math.prod(self.shape)
        if weight is not None:
            g = g * weight
        probability = SigmoidBackward0.on(self)
        wrt_self = wrt_target = None
        if ctx.needs(0):
            if pos_weight is None:
                wrt_self = g * (probability - target)
            else:
                scale = pos_weight * target
                wrt_self = g * ((scale + 1 - target) * probability - scale)
        if ctx.needs(1):
            slope = -self
            if pos_weight is not None:
                slope = slope + (pos_weight - 1) * softplus_of_minus(self)
            wrt_target = g * slope
        return wrt_self, wrt_target


def softplus_of_minus(x: Any) -> Any:
    """ln(1 + exp(-x)) without overflow, of arrays or Tensors."""
    return ReluBackward0.on(-x) + Log1PBackward0.on(ExpBackward0.on(-AbsBackward0.on(x)))


def binary_cross_entropy_with_logits(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    pos_weight: Any = None,
) -> Any:
    """Binary cross-entropy between sigmoid(input) and target, elementwise, then reduced.

    Args:
        input: unnormalized scores.
        target: probabilities, of the same shape.
        weight: a factor for each element, broadcast.
        reduction: "mean", "sum" or "none".
        pos_weight: a factor for the positive part, broadcast.

    Raises:
        ValueError: the shapes differ, or the reduction is unknown.
    """
    if not isinstance(input, TensorBase) or not isinstance(target, TensorBase):
        wrong = target if isinstance(input, TensorBase) else input
        raise TypeError(
            "binary_cross_entropy_with_logits(): arguments 'input' and 'target' must be Tensor, "
            f"not {type(wrong).__name__}"
        )
    if input._array.shape != target._array.shape:
        raise ValueError(
            f"Target size (torch.Size({list(target._array.shape)})) must be the same as input size "
            f"(torch.Size({list(input._array.shape)}))"
        )
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return apply(
        BinaryCrossEntropyWithLogitsBackward0,
        input,
        target,
        weight,
        pos_weight,
        REDUCTIONS[reduction],
    )
