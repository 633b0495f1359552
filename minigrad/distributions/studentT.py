"""Student's t distribution: as the normal one, with heavier tails."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..tensors import random_fills
from ..tensors.creation import ones, zeros
from ..tensors.tensor import Tensor
from .chi2 import Chi2
from .constraints import positive, real
from .distribution import Distribution, broadcast_all


class StudentT(Distribution):
    """A normal number over the root of a mean of `df` squares, moved by `loc` and scaled.

    >>> import minigrad as mg
    >>> mg.distributions.StudentT(3.0).variance
    tensor(3.)
    """

    df: Any
    loc: Any
    scale: Any
    arg_constraints = {"df": positive, "loc": real, "scale": positive}
    support = real
    has_rsample = True

    def __init__(
        self,
        df: Tensor | float,
        loc: Tensor | float = 0.0,
        scale: Tensor | float = 1.0,
        validate_args: bool | None = None,
    ) -> None:
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(self.df)
        super().__init__(self.df.shape, validate_args=validate_args)

    def expand(self, batch_shape: Iterable[int]) -> Any:
        new = super().expand(batch_shape)
        new._chi2 = self._chi2.expand(new._batch_shape)
        return new

    @property
    def mean(self) -> Tensor:
        """The mean; nan where there is none."""
        found = self.loc.clone()
        found[self.df <= 1] = math.nan
        return found  # type: ignore[no-any-return]

    @property
    def mode(self) -> Tensor:
        """The point of greatest density."""
        return self.loc  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        """The variance; inf, or nan, where there is none."""
        found, many = self.df.clone(), self.df > 2
        found[many] = self.scale[many].pow(2) * self.df[many] / (self.df[many] - 2)
        found[(self.df <= 2) & (self.df > 1)] = math.inf
        found[self.df <= 1] = math.nan
        return found  # type: ignore[no-any-return]

    def rsample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        shape, options = self._extended_shape(sample_shape), {"dtype": self.df.dtype}
        standard: Any = random_fills.normal(zeros(shape, **options), ones(shape, **options))
        squares = self._chi2.rsample(sample_shape)
        wide = standard.to(self.df.device) * (squares / self.df).rsqrt()
        return self.loc + self.scale * wide  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        distance = (value - self.loc) / self.scale
        start = self.scale.log() + 0.5 * self.df.log() + 0.5 * math.log(math.pi)
        volume = start + (0.5 * self.df).lgamma() - (0.5 * (self.df + 1.0)).lgamma()
        return -0.5 * (self.df + 1.0) * (distance**2.0 / self.df).log1p() - volume  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        half, more = 0.5 * self.df, 0.5 * (self.df + 1)
        volume = half.lgamma() + 0.5 * math.log(math.pi) - more.lgamma()
        slope = more * (more.digamma() - half.digamma())
        return self.scale.log() + slope + 0.5 * self.df.log() + volume  # type: ignore[no-any-return]
