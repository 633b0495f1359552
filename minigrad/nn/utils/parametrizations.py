"""Ready parametrizations: weights of given lengths, orthogonal or of norm 1. See parametrize.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ...arrays.dtypes import finfo
from ...arrays.left_out import missing_from
from ...core.modes import no_grad
from ...ops.indexing.joining import cat
from ...ops.linear_algebra.contractions import vdot
from ...ops.linear_algebra.factorizations import qr
from ...ops.linear_algebra.linalg import solve
from ...ops.linear_algebra.matrix import mv
from ...ops.linear_algebra.powers import matrix_exp
from ...ops.neural.weight_normalization import lengths, normalized
from ...ops.pointwise.comparison import allclose
from ...tensors.creation import eye, from_numpy, randn, zeros_like
from ...tensors.tensor import Tensor
from .. import functional as F
from ..layers import ConvTranspose
from ..module import Module
from . import parametrize

M = TypeVar("M", bound=Module)

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


class _WeightNorm(Module):
    """A weight from lengths and directions: `original0` and `original1`."""

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Any:
        return normalized(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Tensor) -> Any:
        return lengths(weight, self.dim), weight


class _Orthogonal(Module):
    """A matrix with orthonormal columns, or rows if it is wide.

    It is the exponential or the Cayley transform of a skew matrix, times `base`; or a product of
    reflections.
    """

    base: Any

    def __init__(self, weight: Tensor, orthogonal_map: str, use_trivialization: bool) -> None:
        super().__init__()
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Any) -> Any:
        wide = X.size(-2) < X.size(-1)
        X = X.mT if wide else X
        rows, columns = X.size(-2), X.size(-1)
        if self.orthogonal_map == "householder":
            Q = reflected(X.tril(-1)) * X.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)
        else:
            X = X.tril()
            if rows != columns:
                more = X.new_zeros(rows, rows - columns).expand(*X.shape[:-2], -1, -1)
                X = cat([X, more], -1)
            skew = X - X.mT
            if self.orthogonal_map == "matrix_exp":
                Q = matrix_exp(skew)
            else:
                one: Any = eye(rows, dtype=skew.dtype, device=skew.device)
                Q = solve(one.add(skew, alpha=-0.5), one.add(skew, alpha=0.5))
            Q = Q[..., :columns] if rows != columns else Q
        if hasattr(self, "base"):
            Q = self.base @ Q
        return Q.mT if wide else Q

    def right_inverse(self, Q: Any) -> Any:
        """Return what `forward` maps to Q, or to the orthogonal matrix next to it."""
        wide = Q.size(-2) < Q.size(-1)
        given, Q = Q, Q.mT if wide else Q
        rows, columns = Q.size(-2), Q.size(-1)
        if self.orthogonal_map == "householder" and not hasattr(self, "base"):
            vectors, scales = reflections(Q)
            diagonal = vectors.diagonal(dim1=-2, dim2=-1)
            diagonal.sign_()
            diagonal[scales == 0.0] *= -1
            return vectors.mT if wide else vectors
        if not hasattr(self, "base"):
            raise NotImplementedError(
                "It is not possible to assign to the matrix exponential or the Cayley "
                "parametrizations when use_trivialization=False."
            )
        if rows == columns:
            found = Q.clone() if is_orthogonal(Q) else make_orthogonal(Q)
        else:
            drawn = randn(*Q.shape[:-2], rows, rows - columns, dtype=Q.dtype)
            found = make_orthogonal(cat([Q, drawn], -1))
        self.base = found
        start = zeros_like(given)
        start.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return start


def reflected(vectors: Any) -> Any:
    """Return the product of reflections, whose vectors are below the diagonal."""
    rows, columns = vectors.size(-2), vectors.size(-1)
    found: Any = eye(rows, dtype=vectors.dtype, device=vectors.device)[:, :columns]
    scales = 2.0 / (1.0 + (vectors * vectors).sum(-2))
    for place in reversed(range(columns)):
        one = eye(rows, dtype=vectors.dtype, device=vectors.device)[:, place]
        vector = (vectors[..., place] + one).unsqueeze(-1)
        scale = scales[..., place, None, None]
        found = found - scale * vector @ (vector.mT @ found)
    return found


def reflections(matrix: Any) -> tuple[Any, Any]:
    """Return the vectors of LAPACK's QR factorization, and the scales of its reflections."""
    array = matrix.detach().numpy()
    vectors, scales = np.linalg.qr(array, "raw")
    return from_numpy(vectors.swapaxes(-2, -1).copy()), from_numpy(scales.copy())


def make_orthogonal(matrix: Any) -> Any:
    """Return the orthogonal factor of a matrix whose triangle has a positive diagonal."""
    Q, R = qr(matrix)
    return Q * R.diagonal(dim1=-2, dim2=-1).sign().unsqueeze(-2)


def is_orthogonal(Q: Any) -> bool:
    """Return whether the columns are orthonormal, up to rounding."""
    count = Q.size(-1)
    one = eye(count, dtype=Q.dtype, device=Q.device)
    eps = 10.0 * count * finfo(Q.dtype).eps
    return bool(allclose(Q.mT @ Q, one, atol=eps))


MAPS = ("matrix_exp", "cayley", "householder")


def orthogonal(
    module: M,
    name: str = "weight",
    orthogonal_map: str | None = None,
    *,
    use_trivialization: bool = True,
) -> M:
    """Keep a parameter orthogonal: its columns are orthonormal, or its rows if it is wide.

    Args:
        orthogonal_map: "matrix_exp" (the default for square matrices), "cayley" or "householder"
            (the default for others).
        use_trivialization: whether to multiply by the first orthogonal matrix, which is a buffer.

    >>> import minigrad as mg
    >>> layer = mg.nn.utils.parametrizations.orthogonal(mg.nn.Linear(2, 2))
    >>> bool((layer.weight @ layer.weight.T).allclose(mg.eye(2), atol=1e-5))
    True
    """
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        found = f"Got a tensor of {weight.ndim} dimensions."
        raise ValueError(f"Expected a matrix or batch of matrices. {found}")
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1)
        orthogonal_map = "matrix_exp" if square else "householder"
    if orthogonal_map not in MAPS:
        wanted = 'orthogonal_map has to be one of "matrix_exp", "cayley", "householder".'
        raise ValueError(f"{wanted} Got: {orthogonal_map}")
    made = _Orthogonal(weight, orthogonal_map, use_trivialization)
    parametrize.register_parametrization(module, name, made, unsafe=True)
    return module


class LoadHooked:
    """Load the state of a module that was normalized by `nn.utils.weight_norm`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, state: Any, prefix: str, *_: Any) -> None:
        hooked = [f"{prefix}{self.name}_{end}" for end in "gv"]
        if all(key in state for key in hooked):
            for number, key in enumerate(hooked):
                state[f"{prefix}parametrizations.{self.name}.original{number}"] = state.pop(key)


def weight_norm(module: M, name: str = "weight", dim: int | None = 0) -> M:
    """Compute a parameter as lengths `original0` times directions `original1`.

    Args:
        dim: the dimension with a length for each index; None for one length in all.

    >>> import minigrad as mg
    >>> layer = mg.nn.utils.parametrizations.weight_norm(mg.nn.Linear(3, 2))
    >>> layer.parametrizations.weight.original0.shape
    torch.Size([2, 1])
    """
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)
    module._register_load_state_dict_pre_hook(LoadHooked(name))
    return module


class _SpectralNorm(Module):
    """A weight divided by its largest singular value, which power iterations approximate."""

    _u: Any
    _v: Any

    def __init__(self, weight: Any, n_power_iterations: int, dim: int, eps: float) -> None:
        super().__init__()
        rank = weight.ndim
        if not -rank <= dim < rank:
            bounds = f"[-{rank}, {rank - 1}] but got {dim}"
            raise IndexError(f"Dimension out of range (expected to be in range of {bounds})")
        if n_power_iterations <= 0:
            found = f"got n_power_iterations={n_power_iterations}"
            raise ValueError(f"Expected n_power_iterations to be positive, but {found}")
        self.dim, self.eps = dim % rank, eps
        if rank > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self.matrix(weight)
            for name, size in zip(("_u", "_v"), matrix.shape, strict=True):
                self.register_buffer(name, matrix.new_empty(size).normal_())
            self._u, self._v = (F.normalize(each, dim=0, eps=eps) for each in (self._u, self._v))
            self.iterate(matrix, 15)

    def matrix(self, weight: Any) -> Any:
        """Return a weight as a matrix, with a row for each output."""
        return (weight.movedim(self.dim, 0) if self.dim else weight).flatten(1)

    def iterate(self, matrix: Any, count: int) -> None:
        """Move the singular vectors, in place."""
        with no_grad():
            for _ in range(count):
                self._u.copy_(F.normalize(mv(matrix, self._v), dim=0, eps=self.eps))
                self._v.copy_(F.normalize(mv(matrix.mT, self._u), dim=0, eps=self.eps))

    def forward(self, weight: Any) -> Any:
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self.matrix(weight)
        if self.training:
            self.iterate(matrix, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()  # backward needs these, and the buffers move again
        return weight / vdot(u, mv(matrix, v))

    def right_inverse(self, value: Tensor) -> Tensor:
        return value


def spectral_norm(
    module: M,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> M:
    """Divide a parameter by its largest singular value, each time that it is read.

    Args:
        dim: the dimension of the outputs; by default 1 of a transposed convolution, 0 of others.

    >>> import minigrad as mg
    >>> layer = mg.nn.utils.parametrizations.spectral_norm(mg.nn.Linear(3, 2)).eval()
    >>> bool(mg.linalg.matrix_norm(layer.weight, 2) < 1.01)
    True
    """
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if dim is None:
        dim = 1 if isinstance(module, ConvTranspose) else 0
    made = _SpectralNorm(weight, n_power_iterations, dim, eps)
    parametrize.register_parametrization(module, name, made)
    return module


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
