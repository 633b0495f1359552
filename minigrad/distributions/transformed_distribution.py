"""The distribution of draws that are transformed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

from ..core.modes import no_grad
from ..tensors.tensor import Size, Tensor
from .constraints import IndependentConstraint
from .distribution import Distribution, sum_rightmost
from .independent import Independent
from .transforms import ComposeTransform, Transform


class TransformedDistribution(Distribution):
    """The distribution of transformed draws from a base distribution.

    >>> import minigrad as mg
    >>> D = mg.distributions
    >>> income = D.TransformedDistribution(D.Normal(0.0, 1.0), [D.ExpTransform()])
    >>> income.log_prob(mg.tensor(1.0))
    tensor(-0.9189)
    """

    base_dist: Distribution

    def __init__(
        self,
        base_distribution: Distribution,
        transforms: Transform | list[Transform],
        validate_args: bool | None = None,
    ) -> None:
        listed = [transforms] if isinstance(transforms, Transform) else transforms
        if not isinstance(listed, list):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        if not all(isinstance(each, Transform) for each in listed):
            raise ValueError("transforms must be a Transform or a list of Transforms")
        self.transforms = listed
        together, base = ComposeTransform(listed), base_distribution
        shape, count = base.batch_shape + base.event_shape, len(base.event_shape)
        before, after = together.domain.event_dim, together.codomain.event_dim
        if len(shape) < before:
            wanted = f"base_distribution needs to have shape with size at least {before}"
            raise ValueError(f"{wanted}, but got {shape}.")
        reached = Size(together.forward_shape(shape))
        needed = Size(together.inverse_shape(reached))
        if needed != shape:
            base = base.expand(needed[: len(needed) - count])
        self.base_dist = Independent(base, before - count) if before > count else base
        cut = len(reached) - max(after, count + after - before)
        super().__init__(reached[:cut], reached[cut:], validate_args)

    @property
    def has_rsample(self) -> bool:  # type: ignore[override]
        return self.base_dist.has_rsample

    @property
    def support(self) -> Any:
        if not self.transforms:
            return self.base_dist.support
        reached = self.transforms[-1].codomain
        more = len(self.event_shape) - reached.event_dim
        return IndependentConstraint(reached, more) if more > 0 else reached

    def expand(self, batch_shape: Iterable[int]) -> Any:
        shape = Size(batch_shape) + self.event_shape
        for transform in reversed(self.transforms):
            shape = transform.inverse_shape(shape)
        batch = shape[: len(shape) - len(self.base_dist.event_shape)]
        new = super().expand(batch_shape)
        new.base_dist = self.base_dist.expand(batch)
        return new

    def _forward(self, x: Any) -> Any:
        return reduce(lambda value, transform: transform(value), self.transforms, x)

    def sample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        with no_grad():
            return self._forward(self.base_dist.sample(sample_shape))  # type: ignore[no-any-return]

    def rsample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        return self._forward(self.base_dist.rsample(sample_shape))  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        found: Any = 0.0
        count, y = len(self.event_shape), value
        for transform in reversed(self.transforms):
            x: Any = transform.inv(y)
            before, after = transform.domain.event_dim, transform.codomain.event_dim
            count += before - after
            found = found - sum_rightmost(transform.log_abs_det_jacobian(x, y), count - before)
            y = x
        base = self.base_dist
        return found + sum_rightmost(base.log_prob(y), count - len(base.event_shape))  # type: ignore[no-any-return]

    def _turned(self, share: Any) -> Any:
        """Return a probability for a transform that falls: that of the other side."""
        sign = ComposeTransform(self.transforms).sign
        if isinstance(sign, int) and sign == 1:
            return share
        return sign * (share - 0.5) + 0.5

    def cdf(self, value: Tensor) -> Tensor:
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        self.base_dist._validate_sample(value)
        return self._turned(self.base_dist.cdf(value))  # type: ignore[no-any-return]

    def icdf(self, value: Tensor) -> Tensor:
        return self._forward(self.base_dist.icdf(self._turned(value)))  # type: ignore[no-any-return]
