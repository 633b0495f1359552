"""The pairs that max, sort and others return: tuples whose items have names.

>>> import minigrad as mg
>>> mg.tensor([[1, 3], [4, 2]]).max(dim=1)
torch.return_types.max(
values=tensor([3, 4]),
indices=tensor([1, 0]))
"""

from __future__ import annotations

from functools import cache
from typing import ClassVar, TypeVar

T = TypeVar("T")  # TensorBase in this package, Tensor for the user


class NamedResult(tuple[T, ...]):
    """A tuple that prints its items with their names."""

    names: ClassVar[tuple[str, ...]]

    def __repr__(self) -> str:
        items = ",\n".join(f"{name}={item!r}" for name, item in zip(self.names, self, strict=True))
        return f"torch.return_types.{type(self).__name__}(\n{items})"


def into_out(found: NamedResult[T], outs: tuple[T, ...]) -> NamedResult[T]:
    """Return the tensors into which a named result was written, under its names."""
    return out_type(type(found))(outs)


@cache
def out_type(kind: type[NamedResult[T]]) -> type[NamedResult[T]]:
    """Return the type of a result that was written: PyTorch's `max_out` for `max`."""
    return type(f"{kind.__name__}_out", (kind,), {})


class ValuesAndIndices(NamedResult[T]):
    """Selected elements, and their positions along the dimension."""

    names = ("values", "indices")

    @property
    def values(self) -> T:
        """The elements."""
        return self[0]

    @property
    def indices(self) -> T:
        """Their positions."""
        return self[1]


class max(ValuesAndIndices[T]): ...


class min(ValuesAndIndices[T]): ...


class kthvalue(ValuesAndIndices[T]): ...


class cummax(ValuesAndIndices[T]): ...


class cummin(ValuesAndIndices[T]): ...


class mode(ValuesAndIndices[T]): ...


class aminmax(NamedResult[T]):
    """The smallest and the greatest element."""

    names = ("min", "max")

    @property
    def min(self) -> T:
        """The smallest element."""
        return self[0]

    @property
    def max(self) -> T:
        """The greatest element."""
        return self[1]


class histogram(NamedResult[T]):
    """How much falls between each two edges, and the edges."""

    names = ("hist", "bin_edges")

    @property
    def hist(self) -> T:
        """The number or the weight of the elements between two edges."""
        return self[0]

    @property
    def bin_edges(self) -> T:
        """The edges."""
        return self[1]


class median(ValuesAndIndices[T]): ...


class nanmedian(ValuesAndIndices[T]): ...


class sort(ValuesAndIndices[T]): ...


class topk(ValuesAndIndices[T]): ...


class SingularVectors(NamedResult[T]):
    """The factors of a singular value decomposition; the third has a name of its own."""

    @property
    def U(self) -> T:
        """The left singular vectors, in columns."""
        return self[0]

    @property
    def S(self) -> T:
        """The singular values."""
        return self[1]


class svd(SingularVectors[T]):
    """The factors of a singular value decomposition, V not transposed."""

    names = ("U", "S", "V")

    @property
    def V(self) -> T:
        """The right singular vectors, in columns."""
        return self[2]


class linalg_svd(SingularVectors[T]):
    """The factors of a singular value decomposition."""

    names = ("U", "S", "Vh")

    @property
    def Vh(self) -> T:
        """The right singular vectors, in rows."""
        return self[2]


class linalg_qr(NamedResult[T]):
    """The factors of a QR factorization."""

    names = ("Q", "R")

    @property
    def Q(self) -> T:
        """Orthonormal columns."""
        return self[0]

    @property
    def R(self) -> T:
        """An upper triangle."""
        return self[1]


class linalg_eigh(NamedResult[T]):
    """Eigenvalues and eigenvectors of a symmetric matrix."""

    names = ("eigenvalues", "eigenvectors")

    @property
    def eigenvalues(self) -> T:
        """The eigenvalues in ascending order."""
        return self[0]

    @property
    def eigenvectors(self) -> T:
        """The eigenvectors, in columns."""
        return self[1]


class LogDeterminant(NamedResult[T]):
    """The sign of a determinant, and the logarithm of its absolute value."""

    names = ("sign", "logabsdet")

    @property
    def sign(self) -> T:
        """1, -1, or 0 for a singular matrix."""
        return self[0]

    @property
    def logabsdet(self) -> T:
        """The logarithm of the absolute value."""
        return self[1]


class slogdet(LogDeterminant[T]): ...


class linalg_slogdet(LogDeterminant[T]): ...


class linalg_lstsq(NamedResult[T]):
    """A solution with the least squared error, and what was measured on the way."""

    names = ("solution", "residuals", "rank", "singular_values")

    @property
    def solution(self) -> T:
        """X with the least |A X - b|."""
        return self[0]

    @property
    def residuals(self) -> T:
        """The squared error of each column."""
        return self[1]

    @property
    def rank(self) -> T:
        """How many singular values of A are not 0."""
        return self[2]

    @property
    def singular_values(self) -> T:
        """The singular values of A."""
        return self[3]
