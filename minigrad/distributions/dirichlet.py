"""The Dirichlet distribution: shares that add up to 1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..arrays import gamma_draws
from ..arrays.waiting import on_host
from ..autograd.function import Function, once_differentiable
from ..core.node import new_tensor
from ..core.operation import constant_like
from ..ops.pointwise.logarithms import xlogy
from ..tensors.tensor import Tensor
from .constraints import positive_vector, simplex
from .distribution import Distribution


class _Dirichlet(Function):
    """Draws of shares, through which gradients flow to the concentrations."""

    @staticmethod
    def forward(ctx: Any, concentration: Any) -> Any:
        array = concentration._array
        drawn: Any = new_tensor(constant_like(array, gamma_draws.dirichlet(on_host(array))))
        ctx.save_for_backward(drawn, concentration)
        return drawn

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_output: Any) -> Any:
        drawn, concentration = ctx.saved_tensors
        rest = concentration.sum(-1, True) - concentration
        x, one, other = (on_host(each._array) for each in (drawn, concentration, rest))
        slope = gamma_draws.beta_slope(x, one, other) / (1 - x)
        others = (drawn * grad_output).sum(-1, True)
        return new_tensor(constant_like(drawn._array, slope)) * (grad_output - others)


class Dirichlet(Distribution):
    """Shares that add up to 1; they are the closer to their means the greater `concentration` is.

    Gradients flow through draws.

    >>> import minigrad as mg
    >>> mg.distributions.Dirichlet(mg.tensor([1.0, 3.0])).mean
    tensor([0.2500, 0.7500])
    """

    concentration: Any
    arg_constraints = {"concentration": positive_vector}
    support = simplex
    has_rsample = True

    def __init__(self, concentration: Tensor, validate_args: bool | None = None) -> None:
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        shape = concentration.shape
        super().__init__(shape[:-1], shape[-1:], validate_args)

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.concentration.sum(-1, True)  # type: ignore[no-any-return]

    @property
    def mode(self) -> Tensor:
        """The point of greatest density."""
        above = (self.concentration - 1).clamp(min=0.0)
        found: Any = above / above.sum(-1, True)
        corner = (self.concentration < 1).all(dim=-1)
        if bool(corner.any()):
            rows = found[corner]  # nan, of which PyTorch takes the first
            found[corner] = rows.new_zeros(rows.shape).scatter(-1, rows.argmax(-1, True), 1.0)
        return found  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        total = self.concentration.sum(-1, True)
        spread = self.concentration * (total - self.concentration)
        return spread / (total.pow(2) * (total + 1))  # type: ignore[no-any-return]

    def rsample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        return _Dirichlet.apply(self.concentration.expand(shape))  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        shape = self.concentration
        height: Any = xlogy(shape - 1.0, value).sum(-1)
        return height + shape.sum(-1).lgamma() - shape.lgamma().sum(-1)  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        shape, count = self.concentration, self.concentration.shape[-1]
        total = shape.sum(-1)
        start = shape.lgamma().sum(-1) - total.lgamma() - (count - total) * total.digamma()
        return start - ((shape - 1.0) * shape.digamma()).sum(-1)  # type: ignore[no-any-return]
