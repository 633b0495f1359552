"""The distribution of absolute values of normal numbers."""

from __future__ import annotations

import math
from typing import Any

from ..ops.pointwise.elementwise import where
from ..tensors.creation import zeros_like
from ..tensors.tensor import Tensor
from .constraints import nonnegative, positive
from .normal import Normal
from .transformed_distribution import TransformedDistribution
from .transforms import AbsTransform


class HalfNormal(TransformedDistribution):
    """The absolute values of normal numbers with mean 0 and standard deviation `scale`.

    >>> import minigrad as mg
    >>> mg.distributions.HalfNormal(1.0).mean
    tensor(0.7979)
    """

    base_dist: Normal
    arg_constraints = {"scale": positive}
    support = nonnegative
    has_rsample = True

    def __init__(self, scale: Tensor | float, validate_args: bool | None = None) -> None:
        super().__init__(Normal(0, scale, validate_args=False), AbsTransform(), validate_args)

    @property
    def scale(self) -> Tensor:
        """The standard deviation before the sign is cut off."""
        return self.base_dist.scale

    @property
    def mean(self) -> Tensor:
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def mode(self) -> Tensor:
        """0."""
        return zeros_like(self.scale)  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        return self.scale.pow(2) * (1 - 2 / math.pi)

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        found: Any = self.base_dist.log_prob(value) + math.log(2)
        return where(value >= 0, found, -math.inf)  # type: ignore[return-value]

    def cdf(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, prob: Tensor) -> Tensor:
        """Return the point where `cdf` is `prob`."""
        return self.base_dist.icdf((prob + 1) / 2)

    def entropy(self) -> Tensor:
        return self.base_dist.entropy() - math.log(2)
