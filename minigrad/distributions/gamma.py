"""The gamma distribution: waiting times for several events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..arrays import gamma_draws
from ..arrays.dtypes import finfo
from ..arrays.waiting import on_host
from ..core.node import unwrap
from ..core.operation import Operation, apply, constant_like
from ..ops.pointwise.gamma import igamma
from ..ops.pointwise.logarithms import xlogy
from ..ops.public.kinds import Underived
from ..tensors.tensor import Tensor
from .constraints import nonnegative, positive
from .distribution import Distribution, broadcast_all


class StandardGammaBackward0(Operation):
    """Draws from gamma distributions whose `concentration` is in the tensor."""

    rule = r"\bar a = -g \cdot \frac{\partial F / \partial a}{\partial F / \partial y}"

    def forward(self: Any) -> Any:
        return constant_like(self, gamma_draws.standard_gamma(on_host(self)))

    def gradient(g: Any, self: Any, result: Any) -> Any:
        return g * StandardGammaGrad.on(self, result)


class StandardGammaGrad(Underived):
    """The slope of a draw: how it moves with the concentration, at the same probability."""

    inputs = ("self", "output")  # type: ignore[assignment]
    derivative_name = "_standard_gamma_grad"

    def forward(self: Any, output: Any) -> Any:
        found = gamma_draws.gamma_slope(on_host(unwrap(self)), on_host(unwrap(output)))
        return constant_like(output, found)


class Gamma(Distribution):
    """Positive numbers: the time until `concentration` events, of which `rate` are expected.

    Gradients flow through draws to both parameters.

    >>> import minigrad as mg
    >>> mg.distributions.Gamma(3.0, 2.0).mean
    tensor(1.5000)
    """

    concentration: Any
    rate: Any
    arg_constraints = {"concentration": positive, "rate": positive}
    support = nonnegative
    has_rsample = True

    def __init__(
        self,
        concentration: Tensor | float,
        rate: Tensor | float,
        validate_args: bool | None = None,
    ) -> None:
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.rate  # type: ignore[no-any-return]

    @property
    def mode(self) -> Tensor:
        """The point of greatest density."""
        return ((self.concentration - 1) / self.rate).clamp(min=0)  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        return self.concentration / self.rate.pow(2)  # type: ignore[no-any-return]

    def rsample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        standard = apply(StandardGammaBackward0, self.concentration.expand(shape))
        drawn: Any = standard / self.rate.expand(shape)
        drawn.detach().clamp_(min=finfo(drawn.dtype).tiny)
        return drawn  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        value = self.rate.new_tensor(value) if not isinstance(value, Tensor) else value
        scale = xlogy(self.concentration, self.rate) + xlogy(self.concentration - 1, value)
        return scale - self.rate * value - self.concentration.lgamma()  # type: ignore[no-any-return]

    def cdf(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        return igamma(self.concentration, self.rate * value)  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        shape = self.concentration
        start = shape - self.rate.log() + shape.lgamma()
        return start + (1.0 - shape) * shape.digamma()  # type: ignore[no-any-return]
