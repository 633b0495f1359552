"""The chi-squared distribution: sums of squares of normal numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..tensors.tensor import Tensor
from .constraints import positive
from .gamma import Gamma


class Chi2(Gamma):
    """The sum of the squares of `df` standard normal numbers.

    >>> import minigrad as mg
    >>> mg.distributions.Chi2(3.0).mean
    tensor(3.)
    """

    arg_constraints = {"df": positive}

    def __init__(self, df: Tensor | float, validate_args: bool | None = None) -> None:
        super().__init__(0.5 * df, 0.5, validate_args)

    @property
    def df(self) -> Tensor:
        """The number of squares."""
        return self.concentration * 2  # type: ignore[no-any-return]

    def expand(self, batch_shape: Iterable[int]) -> Any:
        new = super().expand(batch_shape)
        shape = new._batch_shape
        new.concentration, new.rate = self.concentration.expand(shape), self.rate.expand(shape)
        return new
