"""The normal distribution."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..core.modes import no_grad
from ..ops.pointwise.elementwise import erf, erfinv
from ..tensors import random_fills
from ..tensors.creation import ones, zeros
from ..tensors.tensor import Tensor
from .constraints import GreaterThan, Real
from .distribution import Distribution, broadcast_all


class Normal(Distribution):
    """The normal distribution with mean `loc` and standard deviation `scale`.

    >>> import minigrad as mg
    >>> mg.distributions.Normal(0.0, 2.0)
    Normal(loc: 0.0, scale: 2.0)
    """

    loc: Tensor
    scale: Tensor
    arg_constraints = {"loc": Real(), "scale": GreaterThan(0.0)}
    support = Real()
    has_rsample = True

    def __init__(
        self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None
    ) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        """The point of greatest density."""
        return self.loc

    @property
    def stddev(self) -> Tensor:
        return self.scale

    @property
    def variance(self) -> Tensor:
        return self.stddev.pow(2)

    def sample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with no_grad():
            drawn: Any = random_fills.normal(self.loc.expand(shape), self.scale.expand(shape))
        return drawn  # type: ignore[no-any-return]

    def rsample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        shape, options = self._extended_shape(sample_shape), {"dtype": self.loc.dtype}
        standard = random_fills.normal(zeros(shape, **options), ones(shape, **options))
        return self.loc + standard.to(self.loc.device) * self.scale  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        distance: Any = -((value - self.loc) ** 2) / (2 * self.scale**2)
        return distance - self.scale.log() - math.log(math.sqrt(2 * math.pi))  # type: ignore[no-any-return]

    def cdf(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        steps = (value - self.loc) * self.scale.reciprocal() / math.sqrt(2)
        return 0.5 * (1 + erf(steps))  # type: ignore[no-any-return]

    def icdf(self, value: Tensor) -> Tensor:
        """Return the point where `cdf` is `value`."""
        return self.loc + self.scale * erfinv(2 * value - 1) * math.sqrt(2)  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        return 0.5 + 0.5 * math.log(2 * math.pi) + self.scale.log()
