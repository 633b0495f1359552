"""All parameters as one vector."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from ...arrays.messages import check_tensor
from ...ops.indexing.joining import cat
from ...tensors.tensor import Tensor


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """Join all elements, one parameter after the other, to one vector."""
    return cast(Tensor, cat([p.view(-1) for p in parameters]))


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Write each part of the vector to its parameter; their sizes must match.

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
