"""The categorical distribution: one of several classes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..arrays.dtypes import finfo
from ..core.modes import no_grad
from ..ops.pointwise.activations import softmax
from ..ops.public.dims import common_shape
from ..tensors.creation import arange, full
from ..tensors.random_fills import multinomial
from ..tensors.tensor import Size, Tensor
from .constraints import IntegerInterval, RealVector, Simplex
from .distribution import Distribution, clamp_probs, lazy_property, one_of


class Categorical(Distribution):
    """An integer from 0 on, one for each element of the parameter's last dimension.

    Args:
        probs: the probability of each; they are divided by their sum.
        logits: instead, their logits: the probabilities are softmax(logits).

    >>> import minigrad as mg
    >>> choice = mg.distributions.Categorical(mg.tensor([1.0, 0.0, 3.0]))
    >>> choice.log_prob(mg.tensor([0, 2])).exp()
    tensor([0.2500, 0.7500])
    """

    arg_constraints = {"probs": Simplex(), "logits": RealVector()}
    has_enumerate_support = True

    def __init__(
        self,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        one_of(probs, logits)
        given: Any = logits if probs is None else probs
        if given.dim() < 1:
            name = "logits" if probs is None else "probs"
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if probs is None:
            self.logits = given - given.logsumexp(dim=-1, keepdim=True)
        else:
            self.probs = given / given.sum(-1, keepdim=True)
        self._param = self.logits if probs is None else self.probs
        self._num_events = int(self._param.shape[-1])
        super().__init__(self._param.shape[:-1], validate_args=validate_args)

    @lazy_property
    def probs(self) -> Any:
        """The probability of each class."""
        return softmax(self.logits, dim=-1)

    @lazy_property
    def logits(self) -> Any:
        """The logarithms of the probabilities."""
        return clamp_probs(self.probs).log()

    @property
    def support(self) -> Any:
        return IntegerInterval(0, self._num_events - 1)

    @property
    def param_shape(self) -> Any:
        """The shape of the parameter."""
        return Size((*self._batch_shape, self._num_events))

    @property
    def mean(self) -> Tensor:
        """nan: the numbers are only names."""
        return full(self._batch_shape, float("nan"), dtype=self.probs.dtype)  # type: ignore[no-any-return]

    @property
    def mode(self) -> Tensor:
        """The most probable class."""
        return self.probs.argmax(dim=-1)  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        """nan, as the mean."""
        return self.mean

    def sample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        shape = Size(sample_shape)
        with no_grad():
            rows = self.probs.reshape(-1, self._num_events)
            drawn: Any = multinomial(rows, shape.numel(), True)
        return drawn.T.reshape(self._extended_shape(shape))  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        which: Any = value.long().unsqueeze(-1)
        shape = common_shape(which.shape, self.logits.shape)
        every = self.logits if self.logits.shape == shape else self.logits.expand(shape)
        return every.gather(-1, which.expand(shape)[..., :1]).squeeze(-1)  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        logits = self.logits.clamp(min=finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)  # type: ignore[no-any-return]

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """Return all classes, for the whole batch."""
        values: Any = arange(self._num_events)
        values = values.view((-1, *[1] * len(self._batch_shape)))
        return values.expand((-1, *self._batch_shape)) if expand else values  # type: ignore[no-any-return]

    def expand(self, batch_shape: Iterable[int]) -> Any:
        new = super().expand(batch_shape)
        new._param = new.logits if "logits" in vars(new) else new.probs
        return new
