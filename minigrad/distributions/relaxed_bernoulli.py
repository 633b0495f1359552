"""Numbers between 0 and 1 that are near to 1 or 0, and have a gradient."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..tensors.creation import rand
from ..tensors.tensor import Tensor
from .constraints import real, unit_interval
from .distribution import broadcast_all, clamp_probs
from .shared_parameters import OfProbability
from .transformed_distribution import TransformedDistribution
from .transforms import SigmoidTransform


class LogitRelaxedBernoulli(OfProbability):
    """The logits of the draws of `RelaxedBernoulli`.

    >>> import minigrad as mg
    >>> mg.distributions.relaxed_bernoulli.LogitRelaxedBernoulli(mg.tensor(1.0), 0.5).support
    Real()
    """

    support = real

    def __init__(
        self,
        temperature: Any,
        probs: Tensor | float | None = None,
        logits: Tensor | float | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self.temperature = temperature
        super().__init__(probs, logits, validate_args)

    @property
    def param_shape(self) -> Any:
        """The shape of the parameter."""
        return self._batch_shape

    def rsample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        drawn = clamp_probs(rand(shape, dtype=probs.dtype, device=probs.device))
        noise = drawn.log() - (-drawn).log1p()
        return (noise + probs.log() - (-probs).log1p()) / self.temperature  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        below = logits - value.mul(self.temperature)
        return self.temperature.log() + below - 2 * below.exp().log1p()  # type: ignore[no-any-return]


class RelaxedBernoulli(TransformedDistribution):
    """Numbers near to Bernoulli's 1 and 0: the lower the temperature, the nearer.

    >>> import minigrad as mg
    >>> near = mg.distributions.RelaxedBernoulli(mg.tensor(0.5), mg.tensor(0.25))
    >>> near.log_prob(mg.tensor(0.5)).exp()
    tensor(0.3750)
    """

    base_dist: LogitRelaxedBernoulli
    arg_constraints = {"probs": unit_interval, "logits": real}
    support = unit_interval
    has_rsample = True

    def __init__(
        self,
        temperature: Any,
        probs: Tensor | float | None = None,
        logits: Tensor | float | None = None,
        validate_args: bool | None = None,
    ) -> None:
        base = LogitRelaxedBernoulli(temperature, probs, logits)
        super().__init__(base, SigmoidTransform(), validate_args)

    @property
    def temperature(self) -> Any:
        """How far draws are from 1 and 0."""
        return self.base_dist.temperature

    @property
    def logits(self) -> Any:
        """The logit of the probability of 1."""
        return self.base_dist.logits

    @property
    def probs(self) -> Any:
        """The probability of 1."""
        return self.base_dist.probs
