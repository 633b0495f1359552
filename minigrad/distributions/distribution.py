"""The base class of distributions: shapes and checks.

A distribution is a batch of distributions, most often of single numbers, one for each element of
its parameters. A draw has the shape `sample_shape`, followed by that of the batch and, if one draw
is a vector, by that of the event.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar

from ..arrays.dtypes import finfo, get_default_dtype
from ..core.modes import enable_grad, no_grad
from ..ops.public.dims import common_shape
from ..tensors.creation import tensor
from ..tensors.tensor import Size, Tensor
from .constraints import Constraint


class Distribution:
    """A probability distribution.

    A subclass has a `support`, constraints for its parameters, and those of `log_prob`, `rsample`,
    `cdf`, `icdf` and `entropy` that exist.
    """

    has_rsample: ClassVar[bool] = False
    has_enumerate_support: ClassVar[bool] = False
    arg_constraints: Any = {}
    support: Any
    _validate_args: bool = __debug__

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Set whether parameters and values are checked by default."""
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(
        self,
        batch_shape: Iterable[int] = (),
        event_shape: Iterable[int] = (),
        validate_args: bool | None = None,
    ) -> None:
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if not self._validate_args:
            return
        for name, constraint in self.arg_constraints.items():
            if name not in vars(self) and isinstance(
                getattr(type(self), name, None), lazy_property
            ):
                continue
            value = getattr(self, name)
            if not bool(constraint.check(value).all()):
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
        """The shape of a single draw."""
        return self._event_shape

    # --- Methods that subclasses define

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
        """Return draws through which gradients flow back to the parameters."""
        raise NotImplementedError

    def sample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        """Return draws without a history."""
        with no_grad():
            return self.rsample(sample_shape)

    def log_prob(self, value: Tensor) -> Tensor:
        """Return the logarithm of the probability of `value`, or of its density there."""
        raise NotImplementedError

    def cdf(self, value: Tensor) -> Tensor:
        """Return the probability of a number less than `value`."""
        raise NotImplementedError

    def icdf(self, value: Tensor) -> Tensor:
        """Return the number below which a draw falls with the probability `value`."""
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """Return the entropy of a draw: the mean of -log_prob."""
        raise NotImplementedError

    def perplexity(self) -> Tensor:
        """Return e to the power of the entropy."""
        return self.entropy().exp()

    @property
    def mode(self) -> Tensor:
        """The most probable draw."""
        raise NotImplementedError(f"{type(self)} does not implement mode")

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """Return all values that a draw may have."""
        raise NotImplementedError

    # --- Helpers of subclasses

    def expand(self, batch_shape: Iterable[int]) -> Any:
        """Return the same distribution for a larger batch."""
        new, old = copy.copy(self), len(self.batch_shape)
        new._batch_shape = Size(batch_shape)
        for name in self.arg_constraints:
            if name in vars(self):
                value = vars(self)[name]
                vars(new)[name] = value.expand((*new._batch_shape, *value.shape[old:]))
        return new

    def _extended_shape(self, sample_shape: Iterable[int]) -> Size:
        return Size(sample_shape) + self._batch_shape + self._event_shape

    def _validate_sample(self, value: Any) -> None:
        """Raise for values that cannot have been drawn."""
        if not self._validate_args:
            return
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        event, whole = self._event_shape, self._batch_shape + self._event_shape
        if value.shape[value.dim() - len(event) :] != event:
            found = f"{value.shape} vs {event}"
            raise ValueError(f"The right-most size of value must match event_shape: {found}.")
        for own, wanted in zip(value.shape[::-1], whole[::-1], strict=False):
            if 1 not in (own, wanted) and own != wanted:
                shapes = f"{value.shape} vs {whole}"
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
    """A parameter that is computed from another one on first use, and always recorded."""

    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        with enable_grad():
            return super().__get__(instance, owner)


def broadcast_all(*values: Any) -> tuple[Tensor, ...]:
    """Return numbers and tensors as tensors of one shape.

    Raises:
        ValueError: a value is neither.
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


def sum_rightmost(value: Any, count: int) -> Any:
    """Return the sum over the last `count` dimensions."""
    return value.reshape((*value.shape[:-count], -1)).sum(-1) if count else value


def one_of(probs: Any, logits: Any) -> None:
    """Raise unless exactly one of both parameters is given."""
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


def clamp_probs(probs: Any) -> Any:
    """Return probabilities limited to between 0 and 1, exclusive, so that they have logarithms."""
    eps = finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)
