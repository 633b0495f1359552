"""The pairs that max, sort and others return: tuples whose items have names.

>>> import minigrad as mg
>>> mg.tensor([[1, 3], [4, 2]]).max(dim=1)
torch.return_types.max(
values=tensor([3, 4]),
indices=tensor([1, 0]))
"""

from __future__ import annotations

from typing import ClassVar, TypeVar

T = TypeVar("T")  # for this storey TensorBase, for the user Tensor


class NamedResult(tuple[T, ...]):
    """A tuple that prints its items with their names."""

    names: ClassVar[tuple[str, ...]]

    def __repr__(self) -> str:
        items = ",\n".join(f"{name}={item!r}" for name, item in zip(self.names, self, strict=True))
        return f"torch.return_types.{type(self).__name__}(\n{items})"


class ValuesAndIndices(NamedResult[T]):
    """Elements that were chosen, and where they stood along the dimension."""

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


class median(ValuesAndIndices[T]): ...


class nanmedian(ValuesAndIndices[T]): ...


class sort(ValuesAndIndices[T]): ...


class topk(ValuesAndIndices[T]): ...
