"""The multinomial distribution: how often each class is drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..core.modes import no_grad
from ..tensors.creation import arange, ones_like
from ..tensors.tensor import Size, Tensor
from .categorical import Categorical
from .constraints import multinomial
from .distribution import broadcast_all, clamp_probs
from .shared_parameters import OfClasses


class Multinomial(OfClasses):
    """How often each class is drawn in `total_count` draws; the others are Categorical's.

    >>> import minigrad as mg
    >>> mg.distributions.Multinomial(10, mg.tensor([1.0, 3.0])).mean
    tensor([2.5000, 7.5000])
    """

    total_count: int

    def __init__(
        self,
        total_count: int = 1,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs, logits)
        batch, event = self._categorical.batch_shape, self._categorical.param_shape[-1:]
        super().__init__(batch, event, validate_args)

    def expand(self, batch_shape: Iterable[int]) -> Any:
        new = super().expand(batch_shape)
        new._categorical = self._categorical.expand(new._batch_shape)
        return new

    @property
    def support(self) -> Any:
        return multinomial(self.total_count)

    @property
    def mean(self) -> Tensor:
        return self.probs * self.total_count  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)  # type: ignore[no-any-return]

    def sample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        shape = Size(sample_shape)
        with no_grad():
            drawn: Any = self._categorical.sample((self.total_count, *shape))
            drawn = drawn.permute(*range(1, drawn.dim()), 0)
            counts = drawn.new_zeros(self._extended_shape(shape))
            counts.scatter_add_(-1, drawn, ones_like(drawn))
            return counts.type_as(self.probs)  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.clone()
        ways: Any = (value.sum(-1) + 1).lgamma() - (value + 1).lgamma().sum(-1)
        logits[(value == 0) & (logits == -math.inf)] = 0
        return ways + (logits * value).sum(-1)  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        count, probs = self.total_count, clamp_probs(self.probs)
        drawn: Any = arange(1, count + 1, dtype=probs.dtype)
        drawn = drawn.view((-1, *[1] * probs.dim()))
        factorial = (drawn + 1).lgamma()
        ways = math.lgamma(count + 1) - factorial - (count - drawn + 1).lgamma()
        chance = (ways + drawn * probs.log() + (count - drawn) * (-probs).log1p()).exp()
        start: Any = count * self._categorical.entropy() - math.lgamma(count + 1)
        return start + (chance * factorial).sum((0, -1))  # type: ignore[no-any-return]
