"""Parameters that several distributions share: one probability, and those of classes."""

from __future__ import annotations

from typing import Any

from ..tensors.tensor import Tensor
from .categorical import Categorical
from .constraints import real, real_vector, simplex, unit_interval
from .distribution import Distribution, broadcast_all, clamp_probs, lazy_property, one_of


class OfProbability(Distribution):
    """A distribution with one probability, given by `probs` or by its logit."""

    arg_constraints = {"probs": unit_interval, "logits": real}

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
        """The probability."""
        return self.logits.sigmoid()

    @lazy_property
    def logits(self) -> Any:
        """The logit of the probability."""
        probs = clamp_probs(self.probs)
        return probs.log() - (-probs).log1p()


class OfClasses(Distribution):
    """A distribution with the probabilities of classes, which a Categorical keeps."""

    arg_constraints = {"probs": simplex, "logits": real_vector}
    _categorical: Categorical

    @property
    def probs(self) -> Any:
        """The probability of each class."""
        return self._categorical.probs

    @property
    def logits(self) -> Any:
        """The logarithms of the probabilities."""
        return self._categorical.logits

    @property
    def param_shape(self) -> Any:
        """The shape of the parameter."""
        return self._categorical.param_shape
