"""The Cauchy distribution, which has no mean."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..ops.pointwise.trigonometry import atan, tan
from ..tensors.creation import full
from ..tensors.tensor import Tensor
from .constraints import positive, real
from .distribution import Distribution, broadcast_all


class Cauchy(Distribution):
    """The ratio of two normal numbers, moved by `loc` and scaled.

    >>> import minigrad as mg
    >>> mg.distributions.Cauchy(0.0, 1.0).cdf(mg.tensor(1.0))
    tensor(0.7500)
    """

    loc: Any
    scale: Any
    arg_constraints = {"loc": real, "scale": positive}
    support = real
    has_rsample = True

    def __init__(
        self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None
    ) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    def _everywhere(self, value: float) -> Any:
        return full(self._extended_shape(()), value, dtype=self.loc.dtype)

    @property
    def mean(self) -> Tensor:
        """nan: there is none."""
        return self._everywhere(math.nan)  # type: ignore[no-any-return]

    @property
    def mode(self) -> Tensor:
        """The point of greatest density."""
        return self.loc  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        """inf."""
        return self._everywhere(math.inf)  # type: ignore[no-any-return]

    def rsample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        drawn = self.loc.new_empty(self._extended_shape(sample_shape)).cauchy_()
        return self.loc + drawn * self.scale  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        distance: Any = (((value - self.loc) / self.scale) ** 2).log1p()
        return -math.log(math.pi) - self.scale.log() - distance  # type: ignore[no-any-return]

    def cdf(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        return atan((value - self.loc) / self.scale) / math.pi + 0.5  # type: ignore[no-any-return]

    def icdf(self, value: Tensor) -> Tensor:
        return tan(math.pi * (value - 0.5)) * self.scale + self.loc  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        return math.log(4 * math.pi) + self.scale.log()  # type: ignore[no-any-return]
