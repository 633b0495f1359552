"""The exponential distribution: times until the next event."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..tensors.creation import zeros_like
from ..tensors.tensor import Tensor
from .constraints import nonnegative, positive
from .distribution import Distribution, broadcast_all


class Exponential(Distribution):
    """Times between events, of which `rate` happen in a unit of time.

    >>> import minigrad as mg
    >>> mg.distributions.Exponential(0.5).mean
    tensor(2.)
    """

    rate: Any
    arg_constraints = {"rate": positive}
    support = nonnegative
    has_rsample = True

    def __init__(self, rate: Tensor | float, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.rate.reciprocal()  # type: ignore[no-any-return]

    @property
    def mode(self) -> Tensor:
        """0."""
        return zeros_like(self.rate)  # type: ignore[no-any-return]

    @property
    def stddev(self) -> Tensor:
        return self.rate.reciprocal()  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        return self.rate.pow(-2)  # type: ignore[no-any-return]

    def rsample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        drawn = self.rate.new_empty(self._extended_shape(sample_shape)).exponential_()
        return drawn / self.rate  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        return self.rate.log() - self.rate * value  # type: ignore[no-any-return]

    def cdf(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        return 1 - (-self.rate * value).exp()  # type: ignore[no-any-return]

    def icdf(self, value: Tensor) -> Tensor:
        return -(-value).log1p() / self.rate  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        return 1.0 - self.rate.log()  # type: ignore[no-any-return]
