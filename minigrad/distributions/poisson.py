"""The Poisson distribution: how many events happen in a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..core.modes import no_grad
from ..tensors.random_fills import poisson
from ..tensors.tensor import Tensor
from .constraints import nonnegative, nonnegative_integer
from .distribution import Distribution, broadcast_all


class Poisson(Distribution):
    """Counts of events, of which `rate` are expected.

    >>> import minigrad as mg
    >>> mg.distributions.Poisson(3.0).log_prob(mg.tensor(0.0))
    tensor(-3.)
    """

    rate: Any
    arg_constraints = {"rate": nonnegative}
    support = nonnegative_integer

    def __init__(self, rate: Tensor | float, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.rate  # type: ignore[no-any-return]

    @property
    def mode(self) -> Tensor:
        """The most probable count."""
        return self.rate.floor()  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        return self.rate  # type: ignore[no-any-return]

    def sample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        with no_grad():
            drawn: Any = poisson(self.rate.expand(self._extended_shape(sample_shape)))
        return drawn  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()
