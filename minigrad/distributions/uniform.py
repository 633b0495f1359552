"""The uniform distribution."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..tensors.creation import rand
from ..tensors.tensor import Tensor
from .constraints import GreaterThan, Interval, LessThan
from .distribution import Distribution, broadcast_all


class Uniform(Distribution):
    """The uniform distribution on [`low`, `high`).

    >>> import minigrad as mg
    >>> mg.distributions.Uniform(0.0, 2.0).mean
    tensor(1.)
    """

    low: Tensor
    high: Tensor
    has_rsample = True

    def __init__(
        self, low: Tensor | float, high: Tensor | float, validate_args: bool | None = None
    ) -> None:
        self.low, self.high = broadcast_all(low, high)
        super().__init__(self.low.shape, validate_args=validate_args)

    @property
    def arg_constraints(self) -> Any:
        return {"low": LessThan(self.high), "high": GreaterThan(self.low)}

    @property
    def support(self) -> Any:
        return Interval(self.low, self.high)

    @property
    def mean(self) -> Tensor:
        return (self.high + self.low) / 2

    @property
    def mode(self) -> Tensor:
        """nan: all points are equally likely."""
        return math.nan * self.high

    @property
    def stddev(self) -> Tensor:
        return (self.high - self.low) / 12**0.5

    @property
    def variance(self) -> Tensor:
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        drawn: Any = rand(self._extended_shape(sample_shape), dtype=self.low.dtype)
        return self.low + drawn.to(self.low.device) * (self.high - self.low)  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        reached = self.low.le(value).type_as(self.low)
        passed = self.high.gt(value).type_as(self.low)
        return (reached * passed).log() - (self.high - self.low).log()

    def cdf(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value: Tensor) -> Tensor:
        return value * (self.high - self.low) + self.low

    def entropy(self) -> Tensor:
        return (self.high - self.low).log()
