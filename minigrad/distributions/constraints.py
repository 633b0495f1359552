"""Constraints: the values that a parameter or a draw may have."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from ..ops.linear_algebra.factorizations import eigvalsh
from ..ops.pointwise.comparison import isclose
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


@dataclass(frozen=True, repr=False)
class IndependentConstraint(Constraint):
    """A constraint on each element of the last dimensions; all must hold it."""

    base_constraint: Constraint
    reinterpreted_batch_ndims: int

    def check(self, value: Tensor) -> Any:
        result: Any = self.base_constraint.check(value)
        count = self.reinterpreted_batch_ndims
        if result.dim() < count:
            wanted = f"value of dimension >= {count}"
            raise ValueError(f"Expected value.dim() >= {count} but got {value.dim()}: {wanted}")
        return result.reshape((*result.shape[: result.dim() - count], -1)).all(-1)

    def __repr__(self) -> str:
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


class RealVector(IndependentConstraint):
    """Any numbers along the last dimension."""

    def __init__(self) -> None:
        super().__init__(Real(), 1)


class LowerCholesky(Constraint):
    """Lower triangles with a positive diagonal."""

    def check(self, value: Tensor) -> Any:
        matrix: Any = value
        lower = (matrix.tril() == matrix).view((*matrix.shape[:-2], -1)).all(-1)
        return lower & (matrix.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class PositiveDefinite(Constraint):
    """Symmetric matrices with positive eigenvalues."""

    def check(self, value: Tensor) -> Any:
        matrix: Any = value.detach()
        symmetric = isclose(matrix, matrix.mT, atol=1e-6).all(-2).all(-1)
        if not bool(symmetric.all()):
            return symmetric
        smallest: Any = eigvalsh(matrix)
        return symmetric & (smallest[..., 0] > 0)
