"""What minigrad and PyTorch have in common, as types: what may be handed to a function of ours; and
what an engine of the reader's own has.

PyTorch need not be there, so none of its classes can be named; and what is asked of an object here
is what tells a tensor from anything else (`names.is_tensor`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol


class AnyTensor(Protocol):
    """A tensor of minigrad or of PyTorch."""

    @property
    def grad_fn(self) -> Any: ...
    @property
    def requires_grad(self) -> bool: ...
    def __float__(self) -> float: ...


class OwnResult(Protocol):
    """A result of an engine of the reader's own; own_engines.py says what else it must have."""

    data: Any
    grad: Any

    def backward(self) -> Any: ...


class AnyModule(Protocol):
    """A module of minigrad or of PyTorch, or whatever else has parameters with names."""

    def named_parameters(self) -> Iterable[tuple[str, Any]]:
        """Every parameter, with its name."""


GivenNames = Mapping[str, AnyTensor] | Mapping[str, OwnResult] | AnyModule
"""Names for tensors: a dict, or a module whose parameters have them."""
