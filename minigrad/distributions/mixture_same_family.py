"""Mixtures: a draw from one of several distributions, which is drawn first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..core.modes import no_grad
from ..ops.pointwise.activations import log_softmax
from ..tensors.tensor import Size, Tensor
from .categorical import Categorical
from .constraints import MixtureSameFamilyConstraint
from .distribution import Distribution


class MixtureSameFamily(Distribution):
    """A mixture of distributions of one kind.

    Args:
        mixture_distribution: draws the number of a component.
        component_distribution: all components, along the last dimension of its batch.

    >>> import minigrad as mg
    >>> D = mg.distributions
    >>> peaks = D.Normal(mg.tensor([-1.0, 3.0]), 1.0)
    >>> D.MixtureSameFamily(D.Categorical(mg.ones(2)), peaks).mean
    tensor(1.)
    """

    def __init__(
        self,
        mixture_distribution: Categorical,
        component_distribution: Distribution,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(mixture_distribution, Categorical):
            kind = "torch.distributions.Categorical"
            raise ValueError(f" The Mixture distribution needs to be an  instance of {kind}")
        if not isinstance(component_distribution, Distribution):
            kind = "torch.distributions.Distribution"
            raise ValueError(f"The Component distribution needs to be an instance of {kind}")
        whole, mixed = component_distribution.batch_shape, mixture_distribution.batch_shape
        for one, other in zip(reversed(mixed), reversed(whole[:-1]), strict=False):
            if 1 not in (one, other) and one != other:
                raise ValueError(
                    f"`mixture_distribution.batch_shape` ({mixed}) is not compatible with "
                    f"`component_distribution.batch_shape`({whole[:-1]})"
                )
        count = mixture_distribution.logits.shape[-1]
        if count != whole[-1]:
            raise ValueError(
                f"`mixture_distribution component` ({count}) does not equal "
                f"`component_distribution.batch_shape[-1]` ({whole[-1]})"
            )
        self.mixture_distribution = mixture_distribution
        self.component_distribution = component_distribution
        super().__init__(whole[:-1], component_distribution.event_shape, validate_args)

    @property
    def support(self) -> Any:
        return MixtureSameFamilyConstraint(self.component_distribution.support)

    def expand(self, batch_shape: Iterable[int]) -> Any:
        batch, count = Size(batch_shape), self.mixture_distribution.param_shape[-1]
        mixture = self.mixture_distribution.expand(batch)
        return MixtureSameFamily(
            mixture, self.component_distribution.expand((*batch, count)), False
        )

    def _beside(self, x: Any) -> Any:
        """Return values with a dimension for the components."""
        return x.unsqueeze(-1 - len(self._event_shape))

    def _weights(self) -> Any:
        """Return the probabilities of the components, with dimensions for those of a draw."""
        probs, events = self.mixture_distribution.probs, len(self._event_shape)
        own = len(self.mixture_distribution.batch_shape)
        more = 0 if own == 1 else len(self._batch_shape) - own
        shape = (*probs.shape[:-1], *[1] * more, probs.shape[-1], *[1] * events)
        return probs.reshape(shape)

    @property
    def mean(self) -> Tensor:
        weighted = self._weights() * self.component_distribution.mean
        return weighted.sum(dim=-1 - len(self._event_shape))  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        weights, over = self._weights(), -1 - len(self._event_shape)
        within = (weights * self.component_distribution.variance).sum(dim=over)
        distance = self.component_distribution.mean - self._beside(self.mean)
        return within + (weights * distance.pow(2.0)).sum(dim=over)  # type: ignore[no-any-return]

    def cdf(self, value: Tensor) -> Tensor:
        shares: Any = self.component_distribution.cdf(self._beside(value))
        return (shares * self.mixture_distribution.probs).sum(dim=-1)  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        within: Any = self.component_distribution.log_prob(self._beside(value))
        return (within + log_softmax(self.mixture_distribution.logits, dim=-1)).logsumexp(dim=-1)  # type: ignore[no-any-return]

    def sample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        shape = Size(sample_shape)
        with no_grad():
            number: Any = self.mixture_distribution.sample(shape)
            every: Any = self.component_distribution.sample(shape)
            event = self._event_shape
            number = number.reshape((*number.shape, *[1] * (len(event) + 1)))
            along = len(shape) + len(self._batch_shape)
            number = number.repeat((*[1] * (number.dim() - len(event)), *event))
            return every.gather(along, number).squeeze(along)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        parts = f"\n  {self.mixture_distribution},\n  {self.component_distribution}"
        return f"MixtureSameFamily({parts})"
