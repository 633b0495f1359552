"""Several independent numbers as one draw: dimensions of the batch become those of the event."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..tensors.tensor import Size, Tensor
from .constraints import IndependentConstraint
from .distribution import Distribution, sum_rightmost


class Independent(Distribution):
    """A distribution whose last dimensions of the batch belong to one draw.

    Args:
        base_distribution: a distribution with a batch.
        reinterpreted_batch_ndims: how many of its last dimensions are one draw; logarithms of
            probabilities and entropies are summed over them.

    >>> import minigrad as mg
    >>> normal = mg.distributions.Normal(mg.zeros(4, 3), mg.ones(4, 3))
    >>> points = mg.distributions.Independent(normal, 1)
    >>> points.batch_shape, points.event_shape, points.log_prob(mg.zeros(3)).shape
    (torch.Size([4]), torch.Size([3]), torch.Size([4]))
    """

    base_dist: Distribution

    def __init__(
        self,
        base_distribution: Distribution,
        reinterpreted_batch_ndims: int,
        validate_args: bool | None = None,
    ) -> None:
        count, batch = reinterpreted_batch_ndims, base_distribution.batch_shape
        if count > len(batch):
            wanted = "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape)"
            raise ValueError(f"{wanted}, actual {count} vs {len(batch)}")
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, count
        split = len(batch) - count
        event = (*batch[split:], *base_distribution.event_shape)
        super().__init__(batch[:split], event, validate_args)

    @property
    def has_rsample(self) -> bool:  # type: ignore[override]
        return self.base_dist.has_rsample

    @property
    def has_enumerate_support(self) -> bool:  # type: ignore[override]
        return self.reinterpreted_batch_ndims == 0 and self.base_dist.has_enumerate_support

    @property
    def support(self) -> Any:
        base, count = self.base_dist.support, self.reinterpreted_batch_ndims
        return IndependentConstraint(base, count) if count else base

    @property
    def mean(self) -> Tensor:
        return self.base_dist.mean

    @property
    def mode(self) -> Tensor:
        """The most probable draw."""
        return self.base_dist.mode

    @property
    def variance(self) -> Tensor:
        return self.base_dist.variance

    def sample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Tensor) -> Tensor:
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)  # type: ignore[no-any-return]

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """Return all values that a draw may have, for the whole batch."""
        if self.reinterpreted_batch_ndims:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand=expand)

    def expand(self, batch_shape: Iterable[int]) -> Any:
        batch = Size(batch_shape)
        whole = (*batch, *self.event_shape[: self.reinterpreted_batch_ndims])
        return Independent(self.base_dist.expand(whole), self.reinterpreted_batch_ndims, False)

    def __repr__(self) -> str:
        return f"Independent({self.base_dist}, {self.reinterpreted_batch_ndims})"
