"""The beta distribution: probabilities that are themselves uncertain."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..ops.indexing.joining import stack
from ..tensors.tensor import Tensor
from .constraints import positive, unit_interval
from .dirichlet import Dirichlet
from .distribution import Distribution, broadcast_all


class Beta(Distribution):
    """Numbers between 0 and 1: a Dirichlet distribution of two shares, of which it is the first.

    >>> import minigrad as mg
    >>> mg.distributions.Beta(1.0, 3.0)
    Beta()
    """

    arg_constraints = {"concentration1": positive, "concentration0": positive}
    support = unit_interval
    has_rsample = True

    def __init__(
        self,
        concentration1: Tensor | float,
        concentration0: Tensor | float,
        validate_args: bool | None = None,
    ) -> None:
        both = broadcast_all(concentration1, concentration0)
        self._dirichlet = Dirichlet(stack(both, -1), validate_args)
        super().__init__(self._dirichlet._batch_shape, validate_args=validate_args)

    def expand(self, batch_shape: Iterable[int]) -> Any:
        new = super().expand(batch_shape)
        new._dirichlet = self._dirichlet.expand(new._batch_shape)
        return new

    @property
    def concentration1(self) -> Tensor:
        """The concentration at 1."""
        return self._dirichlet.concentration[..., 0]  # type: ignore[no-any-return]

    @property
    def concentration0(self) -> Tensor:
        """The concentration at 0."""
        return self._dirichlet.concentration[..., 1]  # type: ignore[no-any-return]

    @property
    def mean(self) -> Tensor:
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def mode(self) -> Tensor:
        """The point of greatest density."""
        return self._dirichlet.mode[..., 0]

    @property
    def variance(self) -> Tensor:
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        return self._dirichlet.log_prob(stack([value, 1.0 - value], -1))

    def entropy(self) -> Tensor:
        return self._dirichlet.entropy()
