"""Packed sequences: the steps of several sequences, one after the other, without padding."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.node import TensorBase
from ...core.operation import apply
from ..public.dims import size_at, wrap_dim
from ..public.kinds import Adjoint, ShapeOperation


class PackPaddedSequenceBackward0(ShapeOperation):
    """For each step, the elements of the first `batch_sizes` sequences: those that are not over.

    input [steps, sequences, ...], or sequences first.
    """

    rule = r"\bar x_t = g_t \text{, 0 where a sequence is over}"

    def forward(input: Any, /, batch_sizes: tuple[int, ...], batch_first: bool) -> Any:
        steps = input.swapaxes(0, 1) if batch_first else input
        return np.concatenate([steps[at, :count] for at, count in enumerate(batch_sizes)])

    def gradient(
        g: Any, shape: tuple[int, ...], batch_sizes: tuple[int, ...], batch_first: bool
    ) -> Any:
        return PackPaddedSequenceBackwardBackward0.on(g, shape, batch_sizes, batch_first)


class PackPaddedSequenceBackwardBackward0(Adjoint):
    """Packed steps at their padded places, zeros where a sequence is over."""

    of = PackPaddedSequenceBackward0
    rule = r"\bar g = \text{the packed steps of } \bar x"

    def forward(
        grad: Any, shape: tuple[int, ...], batch_sizes: tuple[int, ...], batch_first: bool
    ) -> Any:
        result = np.zeros_like(grad, shape=shape)
        steps = result.swapaxes(0, 1) if batch_first else result
        end = 0
        for at, count in enumerate(batch_sizes):
            end += count
            steps[at, :count] = grad[end - count : end]
        return result


def pack_steps(input: TensorBase, lengths: list[int], batch_first: bool) -> tuple[Any, list[int]]:
    """Return the steps of sequences, longest first, and the number of sequences in each step.

    Raises:
        RuntimeError: the lengths do not fit, or are not in descending order.
    """
    shape = input._array.shape
    if not input._array.size:
        raise RuntimeError("Cannot pack empty tensors.")
    wrap_dim(1, len(shape)) if batch_first else size_at(shape, 1)
    steps, count = shape[:2] if not batch_first else shape[1::-1]
    if len(lengths) != count:
        wanted = "Expected `len(lengths)` to be equal to batch_size"
        raise RuntimeError(f"{wanted}, but got {len(lengths)} (batch_size={count})")
    if lengths[-1] <= 0:
        wanted = "Length of all samples has to be greater than 0"
        raise RuntimeError(f"{wanted}, but found an element in 'lengths' that is <= 0")
    if sorted(lengths, reverse=True) != lengths:
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You "
            "can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to "
            "sidestep this requirement if you do not need ONNX exportability."
        )
    if lengths[0] > steps:
        raise RuntimeError(f"Expected lengths of at most {steps} steps, but got {lengths[0]}")
    sizes = [sum(length > at for length in lengths) for at in range(lengths[0])]
    return apply(PackPaddedSequenceBackward0, input, tuple(sizes), batch_first), sizes
