"""Layouts and memory formats of PyTorch: names for how elements lie in memory."""

from __future__ import annotations

from typing import Final


class Named:
    """A constant that prints as PyTorch's."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __reduce__(self) -> str:
        return self._name


class layout(Named):
    """How the elements of a tensor are stored."""


strided: Final = layout("strided")
"""Elements at equal distances along each dimension, the only layout here."""
