"""Constraints: the values that a parameter or a draw may have."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from ..tensors.tensor import Tensor


@dataclass(frozen=True, repr=False)
class Constraint:
    """A condition on values. Subclasses define where it holds."""

    def check(self, value: Tensor) -> Any:
        """Return where `value` is allowed, as a tensor of bools."""
        raise NotImplementedError

    def __repr__(self) -> str:
        bounds = [f"{each.name}={getattr(self, each.name)}" for each in fields(self)]
        return f"{type(self).__name__}({', '.join(bounds)})"


class Real(Constraint):
    """Any number; not nan."""

    def check(self, value: Tensor) -> Any:
        return value == value


class Boolean(Constraint):
    """0 or 1."""

    def check(self, value: Tensor) -> Any:
        return (value == 0) | (value == 1)


@dataclass(frozen=True, repr=False)
class GreaterThan(Constraint):
    """Numbers above a bound."""

    lower_bound: Any

    def check(self, value: Tensor) -> Any:
        return value > self.lower_bound


@dataclass(frozen=True, repr=False)
class LessThan(Constraint):
    """Numbers below a bound."""

    upper_bound: Any

    def check(self, value: Tensor) -> Any:
        return value < self.upper_bound


@dataclass(frozen=True, repr=False)
class Interval(Constraint):
    """Numbers from one bound to another."""

    lower_bound: Any
    upper_bound: Any

    def check(self, value: Tensor) -> Any:
        return (value >= self.lower_bound) & (value <= self.upper_bound)


class IntegerInterval(Interval):
    """Integers from one bound to another."""

    def check(self, value: Tensor) -> Any:
        return (value % 1 == 0) & super().check(value)


class Simplex(Constraint):
    """Numbers along the last dimension that are not negative and add up to 1."""

    def check(self, value: Tensor) -> Any:
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class RealVector(Constraint):
    """Any numbers along the last dimension."""

    def check(self, value: Tensor) -> Any:
        return (value == value).all(-1)

    def __repr__(self) -> str:
        return "IndependentConstraint(Real(), 1)"
