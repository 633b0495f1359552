"""The Laplace distribution: two exponential ones, back to back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..arrays.dtypes import finfo
from ..tensors.tensor import Tensor
from .constraints import positive, real
from .distribution import Distribution, broadcast_all


class Laplace(Distribution):
    """Numbers around `loc`, whose mean distance from it is `scale`.

    >>> import minigrad as mg
    >>> mg.distributions.Laplace(0.0, 1.0).stddev
    tensor(1.4142)
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

    @property
    def mean(self) -> Tensor:
        return self.loc  # type: ignore[no-any-return]

    @property
    def mode(self) -> Tensor:
        """The point of greatest density."""
        return self.loc  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        return 2 * self.scale.pow(2)  # type: ignore[no-any-return]

    @property
    def stddev(self) -> Tensor:
        return (2**0.5) * self.scale  # type: ignore[no-any-return]

    def rsample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        shape, eps = self._extended_shape(sample_shape), finfo(self.loc.dtype).eps
        u: Any = self.loc.new_empty(shape).uniform_(eps - 1, 1)
        return self.loc - self.scale * u.sign() * (-u.abs()).log1p()  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        return -(2 * self.scale).log() - (value - self.loc).abs() / self.scale  # type: ignore[no-any-return]

    def cdf(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        sign = (value - self.loc).sign()
        return 0.5 - 0.5 * sign * (-(value - self.loc).abs() / self.scale).expm1()  # type: ignore[no-any-return]

    def icdf(self, value: Tensor) -> Tensor:
        term: Any = value - 0.5
        return self.loc - self.scale * term.sign() * (-2 * term.abs()).log1p()  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        return 1 + (2 * self.scale).log()  # type: ignore[no-any-return]
