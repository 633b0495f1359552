"""Transforms from all real numbers to those that a constraint allows.

>>> import minigrad as mg
>>> D = mg.distributions
>>> D.transform_to(D.constraints.positive)(mg.tensor([0.0]))
tensor([1.])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import constraints, transforms

Factory = Callable[[Any], Any]


class ConstraintRegistry:
    """A transform for each kind of constraint; calling it returns that of a constraint."""

    def __init__(self) -> None:
        self._registry: dict[type, Factory] = {}

    def register(self, constraint: Any, factory: Factory | None = None) -> Any:
        """Register a function that makes the transform of a constraint; usable as a decorator."""
        if factory is None:
            return lambda made: self.register(constraint, made)
        kind = type(constraint) if isinstance(constraint, constraints.Constraint) else constraint
        if not isinstance(kind, type) or not issubclass(kind, constraints.Constraint):
            raise TypeError(
                "Expected constraint to be either a Constraint subclass or instance, but got "
                f"{constraint}"
            )
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint: Any) -> Any:
        if type(constraint) not in self._registry:
            name = NAMES.get(type(constraint), type(constraint).__name__)
            raise NotImplementedError(f"Cannot transform {name} constraints")
        return self._registry[type(constraint)](constraint)


NAMES: dict[type, str] = {
    each: f"_{each.__name__}"
    for each in vars(constraints).values()
    if isinstance(each, type) and issubclass(each, constraints.Constraint)
}
"""PyTorch's names of the classes."""

biject_to, transform_to = ConstraintRegistry(), ConstraintRegistry()


def both(*kinds: type) -> Callable[[Factory], Factory]:
    """Register a function for some kinds of constraints, in both registries."""

    def decorate(factory: Factory) -> Factory:
        for kind in kinds:
            biject_to.register(kind, factory)
            transform_to.register(kind, factory)
        return factory

    return decorate


@both(constraints.Real)
def to_real(constraint: Any) -> Any:
    return transforms.identity_transform


@both(constraints.GreaterThan, constraints.GreaterThanEq)
def to_greater(constraint: Any) -> Any:
    shift = transforms.AffineTransform(constraint.lower_bound, 1)
    return transforms.ComposeTransform([transforms.ExpTransform(), shift])


@both(constraints.LessThan)
def to_less(constraint: Any) -> Any:
    shift = transforms.AffineTransform(constraint.upper_bound, -1)
    return transforms.ComposeTransform([transforms.ExpTransform(), shift])


@both(constraints.Interval, constraints.HalfOpenInterval)
def to_interval(constraint: Any) -> Any:
    low, high = constraint.lower_bound, constraint.upper_bound
    if isinstance(low, (int, float)) and isinstance(high, (int, float)) and (low, high) == (0, 1):
        return transforms.SigmoidTransform()
    scaled = transforms.AffineTransform(low, high - low)
    return transforms.ComposeTransform([transforms.SigmoidTransform(), scaled])


@biject_to.register(constraints.IndependentConstraint)  # type: ignore[untyped-decorator]
@biject_to.register(constraints.RealVector)  # type: ignore[untyped-decorator]
def bijection_of_several(constraint: Any) -> Any:
    base = biject_to(constraint.base_constraint)
    return transforms.IndependentTransform(base, constraint.reinterpreted_batch_ndims)


@transform_to.register(constraints.IndependentConstraint)  # type: ignore[untyped-decorator]
@transform_to.register(constraints.RealVector)  # type: ignore[untyped-decorator]
def transform_of_several(constraint: Any) -> Any:
    base = transform_to(constraint.base_constraint)
    return transforms.IndependentTransform(base, constraint.reinterpreted_batch_ndims)


biject_to.register(constraints.Simplex, lambda _: transforms.StickBreakingTransform())
transform_to.register(constraints.Simplex, lambda _: transforms.SoftmaxTransform())
transform_to.register(constraints.LowerCholesky, lambda _: transforms.LowerCholeskyTransform())
transform_to.register(
    constraints.PositiveDefinite, lambda _: transforms.PositiveDefiniteTransform()
)
