"""The pairs that max, sort and others return: tuples whose items have names.

>>> import minigrad as mg
>>> mg.tensor([[1, 3], [4, 2]]).max(dim=1)
torch.return_types.max(
values=tensor([3, 4]),
indices=tensor([1, 0]))
"""

from __future__ import annotations

from typing import ClassVar

from ..core.node import TensorBase


class NamedResult(tuple[TensorBase, ...]):
    """A tuple that prints its items with their names."""

    names: ClassVar[tuple[str, ...]]

    def __repr__(self) -> str:
        items = ",\n".join(f"{name}={item!r}" for name, item in zip(self.names, self, strict=True))
        return f"torch.return_types.{type(self).__name__}(\n{items})"


class ValuesAndIndices(NamedResult):
    """Elements that were chosen, and where they stood along the dimension."""

    names = ("values", "indices")

    @property
    def values(self) -> TensorBase:
        """The elements."""
        return self[0]

    @property
    def indices(self) -> TensorBase:
        """Their positions."""
        return self[1]


class max(ValuesAndIndices): ...


class min(ValuesAndIndices): ...


class median(ValuesAndIndices): ...


class nanmedian(ValuesAndIndices): ...


class sort(ValuesAndIndices): ...


class topk(ValuesAndIndices): ...
