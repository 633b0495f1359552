"""Classes as rows of zeros with a single 1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..ops.indexing.gathering import one_hot
from ..tensors.creation import eye
from ..tensors.tensor import Size, Tensor
from .categorical import Categorical
from .constraints import one_hot as row_of_one
from .shared_parameters import OfClasses


class OneHotCategorical(OfClasses):
    """One of several classes, as a row with a 1 at its place; the arguments are Categorical's.

    >>> import minigrad as mg
    >>> mg.distributions.OneHotCategorical(mg.tensor([0.0, 1.0])).sample()
    tensor([0., 1.])
    """

    support = row_of_one
    has_enumerate_support = True

    def __init__(
        self,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self._categorical = Categorical(probs, logits)
        event = self._categorical.param_shape[-1:]
        super().__init__(self._categorical.batch_shape, event, validate_args)

    @property
    def mean(self) -> Tensor:
        return self.probs  # type: ignore[no-any-return]

    @property
    def mode(self) -> Tensor:
        """The most probable row."""
        return self._row_of(self.probs.argmax(dim=-1))  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        return self.probs * (1 - self.probs)  # type: ignore[no-any-return]

    def _row_of(self, number: Any) -> Any:
        rows: Any = one_hot(number, self._event_shape[0])
        return rows.to(self.probs)

    def sample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        return self._row_of(self._categorical.sample(sample_shape))  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self) -> Tensor:
        return self._categorical.entropy()

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """Return all rows, for the whole batch."""
        (count,), batch = self._event_shape, self._batch_shape
        rows: Any = eye(count, dtype=self.probs.dtype)
        rows = rows.view((count, *[1] * len(batch), count))
        return rows.expand((count, *batch, count)) if expand else rows  # type: ignore[no-any-return]

    def expand(self, batch_shape: Iterable[int]) -> Any:
        new = super().expand(batch_shape)
        new._categorical = self._categorical.expand(Size(batch_shape))
        return new


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """The same draws, whose gradient is that of the probabilities."""

    has_rsample = True

    def rsample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        drawn = self.sample(sample_shape)
        return drawn + (self.probs - self.probs.detach())  # type: ignore[no-any-return]
