"""The Weibull distribution: times until something breaks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..tensors.creation import ones_like
from ..tensors.tensor import Size, Tensor
from .constraints import positive
from .distribution import broadcast_all
from .exponential import Exponential
from .gumbel import EULER
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, PowerTransform


class Weibull(TransformedDistribution):
    """`scale` times a power of an exponential number: the risk grows with time, or falls.

    >>> import minigrad as mg
    >>> mg.distributions.Weibull(2.0, 1.0).mean
    tensor(2.)
    """

    scale: Any
    concentration: Any
    arg_constraints = {"scale": positive, "concentration": positive}
    support = positive

    def __init__(
        self,
        scale: Tensor | float,
        concentration: Tensor | float,
        validate_args: bool | None = None,
    ) -> None:
        self.scale, self.concentration = broadcast_all(scale, concentration)
        self.concentration_reciprocal = self.concentration.reciprocal()
        base = Exponential(ones_like(self.scale), validate_args)
        power = PowerTransform(self.concentration_reciprocal)
        super().__init__(base, [power, AffineTransform(0, self.scale)], validate_args)

    def expand(self, batch_shape: Iterable[int]) -> Any:
        shape, check = Size(batch_shape), self._validate_args
        return Weibull(self.scale.expand(shape), self.concentration.expand(shape), check)

    def _gamma(self, factor: float) -> Any:
        """Return the logarithm of the gamma function at 1 + factor / concentration."""
        return (1 + factor * self.concentration_reciprocal).lgamma()

    @property
    def mean(self) -> Tensor:
        return self.scale * self._gamma(1).exp()  # type: ignore[no-any-return]

    @property
    def mode(self) -> Tensor:
        """The point of greatest density."""
        share = (self.concentration - 1) / self.concentration
        return self.scale * share**self.concentration_reciprocal  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        square = self._gamma(2).exp() - (2 * self._gamma(1)).exp()
        return self.scale.pow(2) * square  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        shape: Any = self.concentration_reciprocal
        return EULER * (1 - shape) + (self.scale * shape).log() + 1  # type: ignore[no-any-return]
