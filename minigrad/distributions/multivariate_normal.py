"""The normal distribution of vectors."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..ops.linear_algebra.factorizations import linalg_cholesky as cholesky
from ..ops.linear_algebra.triangular import cholesky_solve, solve_triangular
from ..ops.public.dims import common_shape
from ..tensors import random_fills
from ..tensors.creation import eye, ones, zeros
from ..tensors.tensor import Size, Tensor
from .constraints import LowerCholesky, PositiveDefinite, RealVector
from .distribution import Distribution, lazy_property

MATRICES = ("covariance_matrix", "precision_matrix", "scale_tril")


class MultivariateNormal(Distribution):
    """The normal distribution of vectors with mean `loc`.

    One of three matrices says how they spread: the covariance, its inverse, or its lower triangle L
    with covariance = L L^T.

    >>> import minigrad as mg
    >>> normal = mg.distributions.MultivariateNormal(mg.zeros(2), mg.eye(2))
    >>> normal.log_prob(mg.tensor([0.0, 1.0]))
    tensor(-2.3379)
    """

    loc: Tensor
    arg_constraints = {
        "loc": RealVector(),
        "covariance_matrix": PositiveDefinite(),
        "precision_matrix": PositiveDefinite(),
        "scale_tril": LowerCholesky(),
    }
    support = RealVector()
    has_rsample = True

    def __init__(
        self,
        loc: Tensor,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        matrices = (covariance_matrix, precision_matrix, scale_tril)
        given = [(n, m) for n, m in zip(MATRICES, matrices, strict=True) if m is not None]
        if len(given) != 1:
            several = "covariance_matrix or precision_matrix or scale_tril may be specified"
            raise ValueError(f"Exactly one of {several}.")
        ((name, matrix),) = given
        if matrix.dim() < 2:
            word = "scale_tril matrix" if name == "scale_tril" else name
            wanted = "must be at least two-dimensional, with optional leading batch dimensions"
            raise ValueError(f"{word} {wanted}")
        batch = common_shape(matrix.shape[:-2], loc.shape[:-1])
        vars(self)[name] = matrix.expand((*batch, -1, -1))
        self.loc = loc.expand((*batch, -1))
        super().__init__(batch, self.loc.shape[-1:], validate_args)
        self._root = matrix if name == "scale_tril" else self._root_of(name, matrix)

    @staticmethod
    def _root_of(name: str, matrix: Any) -> Any:
        """Return the lower triangle L, which is computed once for the whole batch."""
        if name == "covariance_matrix":
            return cholesky(matrix)
        turned: Any = cholesky(matrix.flip((-2, -1)))
        return solve_triangular(turned.flip((-2, -1)).mT, identity_like(matrix), upper=False)

    def _whole(self, matrix: Any) -> Any:
        return matrix.expand((*self._batch_shape, *self._event_shape, *self._event_shape))

    @lazy_property
    def scale_tril(self) -> Any:
        """The lower triangle L, with covariance = L L^T."""
        return self._whole(self._root)

    @lazy_property
    def covariance_matrix(self) -> Any:
        """The covariance of each pair of elements."""
        return self._whole(self._root @ self._root.mT)

    @lazy_property
    def precision_matrix(self) -> Any:
        """The inverse of the covariance."""
        return self._whole(cholesky_solve(identity_like(self._root), self._root))

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        """The point of greatest density."""
        return self.loc

    @property
    def variance(self) -> Tensor:
        squares = self._root.pow(2).sum(-1)
        return squares.expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape: Iterable[int] = ()) -> Tensor:
        shape, options = self._extended_shape(sample_shape), {"dtype": self.loc.dtype}
        standard: Any = random_fills.normal(zeros(shape, **options), ones(shape, **options))
        standard = standard.to(self.loc.device)
        return self.loc + (self._root @ standard.unsqueeze(-1)).squeeze(-1)  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        size = self._event_shape[0]
        distance = square_distance(self._root, value - self.loc)
        return -0.5 * (size * math.log(2 * math.pi) + distance) - log_volume(self._root)  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        size = self._event_shape[0]
        entropy = 0.5 * size * (1 + math.log(2 * math.pi)) + log_volume(self._root)
        return entropy.expand(self._batch_shape) if self._batch_shape else entropy  # type: ignore[no-any-return]

    def expand(self, batch_shape: Iterable[int]) -> Any:
        batch = Size(batch_shape)
        name = next(name for name in MATRICES if name in vars(self))
        matrix = vars(self)[name].expand((*batch, *self._event_shape, *self._event_shape))
        loc: Any = self.loc.expand((*batch, *self._event_shape))
        return MultivariateNormal(loc, **{name: matrix}, validate_args=False)


def identity_like(matrix: Any) -> Any:
    """Return the identity of the size of a matrix."""
    return eye(matrix.shape[-1], dtype=matrix.dtype, device=matrix.device)


def log_volume(root: Any) -> Any:
    """Return half the logarithm of the determinant of a covariance with this root."""
    return root.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def square_distance(root: Any, step: Any) -> Any:
    """Return the square of a step's length, in units of the spread in its direction."""
    scaled: Any = solve_triangular(root, step.unsqueeze(-1), upper=False)
    return scaled.pow(2).sum((-2, -1))
