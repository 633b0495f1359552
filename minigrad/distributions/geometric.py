"""The geometric distribution: failures before the first success."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..arrays.dtypes import finfo
from ..core.modes import no_grad
from ..ops.neural.losses import binary_cross_entropy_with_logits
from ..tensors.creation import zeros_like
from ..tensors.tensor import Tensor
from .constraints import nonnegative_integer
from .distribution import broadcast_all
from .shared_parameters import OfProbability


class Geometric(OfProbability):
    """The number of failures before a success, which has the probability `probs`.

    >>> import minigrad as mg
    >>> mg.distributions.Geometric(0.25).mean
    tensor(3.)
    """

    support = nonnegative_integer

    def __init__(
        self,
        probs: Tensor | float | None = None,
        logits: Tensor | float | None = None,
        validate_args: bool | None = None,
    ) -> None:
        super().__init__(probs, logits, validate_args)
        if self._validate_args and logits is None and not bool((self.probs > 0).all()):
            shown = f"{type(self.probs).__name__} of shape {tuple(self.probs.shape)}"
            raise ValueError(
                f"Expected parameter probs ({shown}) of distribution {self!r} to be positive but "
                f"found invalid values:\n{self.probs[self.probs <= 0]}"
            )

    @property
    def mean(self) -> Tensor:
        return 1.0 / self.probs - 1.0  # type: ignore[no-any-return]

    @property
    def mode(self) -> Tensor:
        """0."""
        return zeros_like(self.probs)  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        return (1.0 / self.probs - 1.0) / self.probs  # type: ignore[no-any-return]

    def sample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        shape, tiny = self._extended_shape(sample_shape), finfo(self.probs.dtype).tiny
        with no_grad():
            u = self.probs.new_empty(shape).uniform_(tiny, 1)
            return (u.log() / (-self.probs).log1p()).floor()  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        probs = probs.clone()
        probs[(probs == 1) & (value == 0)] = 0
        return value * (-probs).log1p() + self.probs.log()  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        loss: Any = binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")
        return loss / self.probs  # type: ignore[no-any-return]
