"""Constraints: the values that a parameter or a draw may have."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from ..ops.linear_algebra.factorizations import eigvalsh
from ..ops.pointwise.comparison import isclose
from ..tensors.tensor import Tensor


@dataclass(frozen=True, repr=False)
class Constraint:
    """A condition on values. Subclasses define where it holds."""

    is_discrete: ClassVar[bool] = False
    event_dim: ClassVar[int] = 0
    """How many of the last dimensions belong together."""

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

    is_discrete = True

    def check(self, value: Tensor) -> Any:
        return (value == 0) | (value == 1)


@dataclass(frozen=True, repr=False)
class GreaterThan(Constraint):
    """Numbers above a bound."""

    lower_bound: Any

    def check(self, value: Tensor) -> Any:
        return value > self.lower_bound


@dataclass(frozen=True, repr=False)
class GreaterThanEq(Constraint):
    """Numbers from a bound on."""

    lower_bound: Any

    def check(self, value: Tensor) -> Any:
        return value >= self.lower_bound


class IntegerGreaterThan(GreaterThanEq):
    """Integers from a bound on."""

    is_discrete = True

    def check(self, value: Tensor) -> Any:
        return (value % 1 == 0) & super().check(value)


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

    is_discrete = True

    def check(self, value: Tensor) -> Any:
        return (value % 1 == 0) & super().check(value)


class HalfOpenInterval(Interval):
    """Numbers from one bound to below another."""

    def check(self, value: Tensor) -> Any:
        return (value >= self.lower_bound) & (value < self.upper_bound)


class OneHot(Constraint):
    """Zeros and a single 1 along the last dimension."""

    is_discrete = True
    event_dim = 1

    def check(self, value: Tensor) -> Any:
        of_bits = ((value == 0) | (value == 1)).all(-1)
        return of_bits & value.sum(-1).eq(1)


class Simplex(Constraint):
    """Numbers along the last dimension that are not negative and add up to 1."""

    event_dim = 1

    def check(self, value: Tensor) -> Any:
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


@dataclass(frozen=True, repr=False)
class MixtureSameFamilyConstraint(Constraint):
    """A constraint on draws from a mixture, all of whose components hold it."""

    base_constraint: Constraint

    def check(self, value: Tensor) -> Any:
        return self.base_constraint.check(value)

    @property
    def event_dim(self) -> int:  # type: ignore[override]
        """How many of the last dimensions belong together."""
        return self.base_constraint.event_dim

    @property
    def is_discrete(self) -> bool:  # type: ignore[override]
        """Whether the values are whole numbers."""
        return self.base_constraint.is_discrete

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_constraint!r})"


@dataclass(frozen=True, repr=False)
class IndependentConstraint(MixtureSameFamilyConstraint):
    """A constraint on each element of the last dimensions; all must hold it."""

    reinterpreted_batch_ndims: int

    @property
    def event_dim(self) -> int:  # type: ignore[override]
        """How many of the last dimensions belong together."""
        return self.base_constraint.event_dim + self.reinterpreted_batch_ndims

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

    event_dim = 2

    def check(self, value: Tensor) -> Any:
        matrix: Any = value
        lower = (matrix.tril() == matrix).view((*matrix.shape[:-2], -1)).all(-1)
        return lower & (matrix.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class PositiveDefinite(Constraint):
    """Symmetric matrices with positive eigenvalues."""

    event_dim = 2

    def check(self, value: Tensor) -> Any:
        matrix: Any = value.detach()
        symmetric = isclose(matrix, matrix.mT, atol=1e-6).all(-2).all(-1)
        if not bool(symmetric.all()):
            return symmetric
        smallest: Any = eigvalsh(matrix)
        return symmetric & (smallest[..., 0] > 0)


@dataclass(frozen=True, repr=False)
class Multinomial(Constraint):
    """Counts that add up to at most a number."""

    upper_bound: Any
    is_discrete = True
    event_dim = 1

    def check(self, value: Tensor) -> Any:
        return (value >= 0).all(-1) & (value.sum(-1) <= self.upper_bound)

    def __repr__(self) -> str:
        return "Multinomial()"


# --- PyTorch's names

real, boolean, simplex, one_hot = Real(), Boolean(), Simplex(), OneHot()
positive, nonnegative = GreaterThan(0.0), GreaterThanEq(0.0)
nonnegative_integer, positive_integer = IntegerGreaterThan(0), IntegerGreaterThan(1)
unit_interval, real_vector = Interval(0.0, 1.0), RealVector()
positive_vector, multinomial = IndependentConstraint(positive, 1), Multinomial
lower_cholesky, positive_definite = LowerCholesky(), PositiveDefinite()
greater_than, greater_than_eq, less_than = GreaterThan, GreaterThanEq, LessThan
interval, half_open_interval = Interval, HalfOpenInterval
integer_interval, independent = IntegerInterval, IndependentConstraint
