"""The distribution of numbers whose logarithms are normal."""

from __future__ import annotations

from typing import Any

from ..tensors.tensor import Tensor
from .constraints import positive, real
from .normal import Normal
from .transformed_distribution import TransformedDistribution
from .transforms import ExpTransform


class LogNormal(TransformedDistribution):
    """e to the power of normal numbers with mean `loc` and standard deviation `scale`.

    >>> import minigrad as mg
    >>> mg.distributions.LogNormal(0.0, 1.0).mean
    tensor(1.6487)
    """

    base_dist: Normal
    arg_constraints = {"loc": real, "scale": positive}
    support = positive
    has_rsample = True

    def __init__(
        self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None
    ) -> None:
        super().__init__(Normal(loc, scale, validate_args), ExpTransform(), validate_args)

    @property
    def loc(self) -> Tensor:
        """The mean of the logarithms."""
        return self.base_dist.loc

    @property
    def scale(self) -> Tensor:
        """The standard deviation of the logarithms."""
        return self.base_dist.scale

    @property
    def mean(self) -> Tensor:
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def mode(self) -> Tensor:
        """The point of greatest density."""
        return (self.loc - self.scale.square()).exp()

    @property
    def variance(self) -> Tensor:
        square: Any = self.scale.pow(2)
        return square.expm1() * (2 * self.loc + square).exp()  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        return self.base_dist.entropy() + self.loc
