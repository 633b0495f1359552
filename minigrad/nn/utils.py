"""Gradients kept in bounds, and all parameters as one vector."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

import numpy as np

from ..arrays.left_out import missing_from
from ..arrays.words import check_tensor
from ..core.modes import no_grad
from ..core.node import new_tensor
from ..linalg import vector_norm
from ..ops.joining import cat, stack
from ..tensors.tensor import Tensor


def get_total_norm(
    tensors: Tensor | Iterable[Tensor],
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of all tensors taken together as one vector."""
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
    """Scale the gradients down, in place, so that their norm, all together, is `max_norm` at most.

    Returns the norm that they had.
    """
    with no_grad():
        gradients = gradients_of(parameters)
        total = get_total_norm(gradients, norm_type, error_if_nonfinite)
        factor = (float(max_norm) / (total + 1e-6)).clamp(max=1.0)
        for gradient in gradients:
            gradient.mul_(factor)
    return total


def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None
) -> None:
    """Cut every gradient off at -clip_value and clip_value, in place."""
    with no_grad():
        for gradient in gradients_of(parameters):
            gradient.clamp_(min=-float(clip_value), max=float(clip_value))


def gradients_of(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    listed = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    return [p.grad for p in listed if p.grad is not None]


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All elements, one parameter after the other, as one vector."""
    return cast(Tensor, cat([p.view(-1) for p in parameters]))


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Give each parameter its part of the vector, which has one element for each of theirs.

    >>> import minigrad as mg
    >>> model = mg.nn.Linear(2, 1)
    >>> mg.nn.utils.vector_to_parameters(mg.arange(3.0), model.parameters())
    >>> model.weight, model.bias
    (Parameter containing:
    tensor([[0., 1.]], requires_grad=True), Parameter containing:
    tensor([2.], requires_grad=True))
    """
    check_tensor(vec, "vector_to_parameters", "vec")
    start = 0
    for p in parameters:
        p.data = vec[start : start + p.numel()].view_as(p).data
        start += p.numel()


if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__)
