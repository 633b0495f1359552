"""Rows that are near to a row of zeros with a single 1, and have a gradient."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..tensors.creation import full_like, rand
from ..tensors.tensor import Size, Tensor
from .categorical import Categorical
from .constraints import real_vector, simplex
from .distribution import broadcast_all, clamp_probs
from .shared_parameters import OfClasses
from .transformed_distribution import TransformedDistribution
from .transforms import ExpTransform


class ExpRelaxedCategorical(OfClasses):
    """The logarithms of the draws of `RelaxedOneHotCategorical`.

    >>> import minigrad as mg
    >>> of = mg.distributions.relaxed_categorical.ExpRelaxedCategorical
    >>> of(mg.tensor(0.5), mg.tensor([0.5, 0.5])).rsample().exp().sum().isclose(mg.ones(()))
    tensor(True)
    """

    support = real_vector
    has_rsample = True

    def __init__(
        self,
        temperature: Any,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self._categorical = Categorical(probs, logits)
        self.temperature = temperature
        event = self._categorical.param_shape[-1:]
        super().__init__(self._categorical.batch_shape, event, validate_args)

    def expand(self, batch_shape: Iterable[int]) -> Any:
        new = super().expand(batch_shape)
        new._categorical = self._categorical.expand(Size(batch_shape))
        return new

    def rsample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        like, shape = self.logits, self._extended_shape(sample_shape)
        drawn = clamp_probs(rand(shape, dtype=like.dtype, device=like.device))
        scores = (like + -((-(drawn.log())).log())) / self.temperature
        return scores - scores.logsumexp(dim=-1, keepdim=True)  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        (count,) = self._event_shape
        logits, value = broadcast_all(self.logits, value)
        of_all: Any = full_like(self.temperature, float(count))
        scale = of_all.lgamma() - self.temperature.log().mul(-(count - 1))
        score = logits - value.mul(self.temperature)
        score = (score - score.logsumexp(dim=-1, keepdim=True)).sum(-1)
        return score + scale  # type: ignore[no-any-return]


class RelaxedOneHotCategorical(TransformedDistribution):
    """Rows near to those of `OneHotCategorical`: the lower the temperature, the nearer.

    >>> import minigrad as mg
    >>> near = mg.distributions.RelaxedOneHotCategorical(mg.tensor(0.5), mg.tensor([0.5, 0.5]))
    >>> near.log_prob(mg.tensor([0.5, 0.5])).exp()
    tensor(0.5000)
    """

    base_dist: ExpRelaxedCategorical
    arg_constraints = {"probs": simplex, "logits": real_vector}
    support = simplex
    has_rsample = True

    def __init__(
        self,
        temperature: Any,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args)
        super().__init__(base, ExpTransform(), validate_args)

    @property
    def temperature(self) -> Any:
        """How far draws are from rows with a single 1."""
        return self.base_dist.temperature

    @property
    def logits(self) -> Any:
        """The logarithms of the probabilities."""
        return self.base_dist.logits

    @property
    def probs(self) -> Any:
        """The probability of each class."""
        return self.base_dist.probs
