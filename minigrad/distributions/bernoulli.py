"""The Bernoulli distribution: 1 or 0."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..core.modes import no_grad
from ..ops.neural.losses import binary_cross_entropy_with_logits
from ..tensors.creation import arange
from ..tensors.random_fills import bernoulli
from ..tensors.tensor import Tensor
from .constraints import Boolean
from .distribution import broadcast_all
from .shared_parameters import OfProbability


class Bernoulli(OfProbability):
    """1 with the probability `probs`, else 0.

    Args:
        probs: the probability of 1.
        logits: instead, its logit: the probability is sigmoid(logits).

    >>> import minigrad as mg
    >>> mg.distributions.Bernoulli(0.25).log_prob(mg.tensor(1.0)).exp()
    tensor(0.2500)
    """

    support = Boolean()
    has_enumerate_support = True

    @property
    def param_shape(self) -> Any:
        """The shape of the parameter."""
        return self._batch_shape

    @property
    def mean(self) -> Tensor:
        return self.probs  # type: ignore[no-any-return]

    @property
    def mode(self) -> Tensor:
        """The more probable value; nan where both are equally probable."""
        likelier = (self.probs >= 0.5).to(self.probs)
        likelier[self.probs == 0.5] = float("nan")
        return likelier  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        return self.probs * (1 - self.probs)  # type: ignore[no-any-return]

    def sample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        with no_grad():
            drawn: Any = bernoulli(self.probs.expand(self._extended_shape(sample_shape)))
        return drawn  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        loss: Any = binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")
        return loss  # type: ignore[no-any-return]

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """Return 0 and 1, for the whole batch."""
        values: Any = arange(2, dtype=self.probs.dtype)
        values = values.view((-1, *[1] * len(self._batch_shape)))
        return values.expand((-1, *self._batch_shape)) if expand else values  # type: ignore[no-any-return]
