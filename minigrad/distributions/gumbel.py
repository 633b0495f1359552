"""The Gumbel distribution: the greatest of many numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..arrays.dtypes import finfo
from ..tensors.creation import full_like, ones_like
from ..tensors.tensor import Size, Tensor
from .constraints import positive, real
from .distribution import broadcast_all
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, ExpTransform
from .uniform import Uniform

EULER = 0.57721566490153286060


class Gumbel(TransformedDistribution):
    """The limit of the greatest of many numbers.

    >>> import minigrad as mg
    >>> mg.distributions.Gumbel(0.0, 1.0).mean
    tensor(0.5772)
    """

    loc: Any
    scale: Any
    arg_constraints = {"loc": real, "scale": positive}
    support = real

    def __init__(
        self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None
    ) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        kind = finfo(self.loc.dtype)
        bounds: Any = (kind.tiny, 1 - kind.eps)
        if isinstance(loc, Tensor) or isinstance(scale, Tensor):
            bounds = [full_like(self.loc, bound) for bound in bounds]
        inverse = ExpTransform().inv
        flip: Any = -ones_like(self.scale)
        moved = AffineTransform(self.loc, -self.scale)
        transforms = [inverse, AffineTransform(0, flip), inverse, moved]
        least, greatest = bounds
        super().__init__(Uniform(least, greatest, validate_args), transforms, validate_args)

    def expand(self, batch_shape: Iterable[int]) -> Any:
        shape = Size(batch_shape)
        return Gumbel(self.loc.expand(shape), self.scale.expand(shape), self._validate_args)

    @property
    def mean(self) -> Tensor:
        return self.loc + self.scale * EULER  # type: ignore[no-any-return]

    @property
    def mode(self) -> Tensor:
        """The point of greatest density."""
        return self.loc  # type: ignore[no-any-return]

    @property
    def stddev(self) -> Tensor:
        return (math.pi / math.sqrt(6)) * self.scale  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        return self.stddev.pow(2)

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        height: Any = (self.loc - value) / self.scale
        return (height - height.exp()) - self.scale.log()  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        return self.scale.log() + (1 + EULER)  # type: ignore[no-any-return]
