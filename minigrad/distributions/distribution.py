"""What all distributions share: their shapes, and what they refuse.

A distribution is a batch of distributions of single numbers, one for each element of its
parameters. A draw has the shape that is asked for, followed by that of the batch.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar

from ..arrays.dtypes import finfo, get_default_dtype
from ..core.modes import enable_grad, no_grad
from ..ops.dims import common_shape
from ..tensors.creation import tensor
from ..tensors.tensor import Size, Tensor
from .constraints import Constraint


class Distribution:
    """A probability distribution. A subclass has a `support` and constraints for its parameters,
    and as much of `log_prob`, `rsample`, `cdf`, `icdf` and `entropy` as there is."""

    has_rsample: ClassVar[bool] = False
    has_enumerate_support: ClassVar[bool] = False
    arg_constraints: Any = {}
    support: Any
    _validate_args: bool = __debug__

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Whether parameters and values are checked, where a distribution is not told."""
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(self, batch_shape: Iterable[int] = (), validate_args: bool | None = None) -> None:
        self._batch_shape = Size(batch_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if not self._validate_args:
            return
        for name, constraint in self.arg_constraints.items():
            value = vars(self).get(name)
            if value is not None and not bool(constraint.check(value).all()):
                shape = f"{type(value).__name__} of shape {tuple(value.shape)}"
                raise ValueError(
                    f"Expected parameter {name} ({shape}) of distribution {self!r} to satisfy the "
                    f"constraint {constraint!r}, but found invalid values:\n{value}"
                )

    @property
    def batch_shape(self) -> Size:
        """The shape of the parameters."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of a single draw, which is one number."""
        return Size()

    # --- What subclasses fill in

    @property
    def mean(self) -> Tensor:
        """The mean."""
        raise NotImplementedError

    @property
    def variance(self) -> Tensor:
        """The variance."""
        raise NotImplementedError

    @property
    def stddev(self) -> Tensor:
        """The standard deviation."""
        return self.variance.sqrt()

    def rsample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        """Draws through which gradients flow back to the parameters."""
        raise NotImplementedError

    def sample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        """Draws, without a history."""
        with no_grad():
            return self.rsample(sample_shape)

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the probability of `value`, or of its density there."""
        raise NotImplementedError

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of less than `value`."""
        raise NotImplementedError

    def icdf(self, value: Tensor) -> Tensor:
        """The number that is not reached with the probability `value`."""
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """How uncertain a draw is: the mean of -log_prob."""
        raise NotImplementedError

    def perplexity(self) -> Tensor:
        """e to the power of the entropy."""
        return self.entropy().exp()

    # --- What they use

    def expand(self, batch_shape: Iterable[int]) -> Any:
        """The same distribution for a larger batch."""
        new, old = copy.copy(self), len(self.batch_shape)
        new._batch_shape = Size(batch_shape)
        for name in self.arg_constraints:
            if name in vars(self):
                value = vars(self)[name]
                vars(new)[name] = value.expand((*new._batch_shape, *value.shape[old:]))
        return new

    def _extended_shape(self, sample_shape: Iterable[int]) -> Size:
        return Size(sample_shape) + self._batch_shape

    def _validate_sample(self, value: Any) -> None:
        """Refuse what cannot have been drawn."""
        if not self._validate_args:
            return
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        for own, wanted in zip(value.shape[::-1], self._batch_shape[::-1], strict=False):
            if 1 not in (own, wanted) and own != wanted:
                shapes = f"{value.shape} vs {self._batch_shape}"
                raise ValueError(
                    f"Value is not broadcastable with batch_shape+event_shape: {shapes}."
                )
        support: Constraint = self.support
        if not bool(support.check(value).all()):
            shape = f"{type(value).__name__} of shape {tuple(value.shape)}"
            raise ValueError(
                f"Expected value argument ({shape}) to be within the support ({support!r}) of the "
                f"distribution {self!r}, but found invalid values:\n{value}"
            )

    def __repr__(self) -> str:
        known = {name: vars(self)[name] for name in self.arg_constraints if name in vars(self)}
        shown = [f"{name}: {v if v.numel() == 1 else v.size()}" for name, v in known.items()]
        return f"{type(self).__name__}({', '.join(shown)})"


class lazy_property(cached_property[Any]):
    """A parameter that is computed from another one when it is first asked for, with its history
    whatever the mode."""

    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        with enable_grad():
            return super().__get__(instance, owner)


def broadcast_all(*values: Any) -> tuple[Tensor, ...]:
    """Numbers and tensors as tensors of one shape.

    Raises:
        ValueError: something is neither.
    """
    if not all(isinstance(value, (Tensor, int, float)) for value in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects implementing "
            "__torch_function__."
        )
    kinds = [value.dtype for value in values if isinstance(value, Tensor)]
    kind = kinds[0] if kinds else get_default_dtype()
    tensors: list[Any] = [v if isinstance(v, Tensor) else tensor(v, dtype=kind) for v in values]
    shape = common_shape(*[each._array.shape for each in tensors])
    return tuple([each if each.shape == shape else each.expand(shape) for each in tensors])


def one_of(probs: Any, logits: Any) -> None:
    """Refuse two ways to say how likely something is, or none."""
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


def clamped(probs: Any) -> Any:
    """Probabilities of which none is 0 or 1, so that they have logarithms."""
    eps = finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)
