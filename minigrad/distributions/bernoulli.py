"""The Bernoulli distribution: 1 or 0."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..core.modes import no_grad
from ..ops.neural.losses import binary_cross_entropy_with_logits
from ..tensors.creation import arange
from ..tensors.random_fills import bernoulli
from ..tensors.tensor import Tensor
from .constraints import Boolean, Interval, Real
from .distribution import Distribution, broadcast_all, clamp_probs, lazy_property, one_of


class Bernoulli(Distribution):
    """1 with the probability `probs`, else 0.

    Args:
        probs: the probability of 1.
        logits: instead, its logit: the probability is sigmoid(logits).

    >>> import minigrad as mg
    >>> mg.distributions.Bernoulli(0.25).log_prob(mg.tensor(1.0)).exp()
    tensor(0.2500)
    """

    arg_constraints = {"probs": Interval(0.0, 1.0), "logits": Real()}
    support = Boolean()
    has_enumerate_support = True

    def __init__(
        self,
        probs: Tensor | float | None = None,
        logits: Tensor | float | None = None,
        validate_args: bool | None = None,
    ) -> None:
        one_of(probs, logits)
        if logits is None:
            (self.probs,) = broadcast_all(probs)
        else:
            (self.logits,) = broadcast_all(logits)
        shape = (self.probs if logits is None else self.logits).shape
        super().__init__(shape, validate_args=validate_args)

    @lazy_property
    def probs(self) -> Any:
        """The probability of 1."""
        return self.logits.sigmoid()

    @lazy_property
    def logits(self) -> Any:
        """The logit of that probability."""
        probs = clamp_probs(self.probs)
        return probs.log() - (-probs).log1p()

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
