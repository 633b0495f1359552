"""Clipping of gradients."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import numpy as np

from ...core.modes import no_grad
from ...core.node import new_tensor
from ...linalg import vector_norm
from ...ops.indexing.joining import stack
from ...tensors.tensor import Tensor


def get_total_norm(
    tensors: Tensor | Iterable[Tensor],
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Return the norm of all tensors taken together as one vector."""
    tensors = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    if not tensors:
        return cast(Tensor, new_tensor(np.float32(0.0)))
    norms = cast(Tensor, stack([vector_norm(t, norm_type) for t in tensors]))
    total = vector_norm(norms, norm_type)
    if error_if_nonfinite and not np.isfinite(total._array):
        which = f"The total norm of order {norm_type} for gradients from `parameters`"
        raise RuntimeError(f"{which} is non-finite, so it cannot be clipped.")
    return total


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale the gradients down, in place, so that their total norm is at most `max_norm`.

    Return the norm that they had.
    """
    with no_grad():
        listed = [parameters] if isinstance(parameters, Tensor) else list(parameters)
        total = get_total_norm(gradients_of(listed), float(norm_type), error_if_nonfinite)
        clip_grads_with_norm_(listed, max_norm, total)
    return total


def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    total_norm: Tensor,
    foreach: bool | None = None,
) -> None:
    """Scale the gradients down, in place, as their norm `total_norm` exceeds `max_norm`."""
    with no_grad():
        factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
        for gradient in gradients_of(parameters):
            gradient.mul_(factor)


def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None
) -> None:
    """Limit every gradient to the range from -clip_value to clip_value, in place."""
    with no_grad():
        for gradient in gradients_of(parameters):
            gradient.clamp_(min=-float(clip_value), max=float(clip_value))


def gradients_of(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    listed = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    return [p.grad for p in listed if p.grad is not None]
