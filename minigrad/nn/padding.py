"""Padding layers for sequences [N, C, L], images [N, C, H, W] and volumes [N, C, D, H, W].

`functional.pad` describes the modes.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

from ..tensors.tensor import Tensor
from . import functional as F
from .applied import Applied, show_attributes


class Pad(Applied):
    """The base of padding layers: one amount for all sides, or one for each (`functional.pad`)."""

    padding: Any
    rank: ClassVar[int]
    mode: ClassVar[str]

    def __post_init__(self) -> None:
        super().__post_init__()
        sides = 2 * self.rank
        given = self.padding
        self.padding = tuple(given) if hasattr(given, "__iter__") else (given,) * sides

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, self.mode)

    def extra_repr(self) -> str:
        return str(self.padding)


class ReflectionPad1d(Pad):
    """Pad sequences with their own elements, mirrored at both ends.

    >>> import minigrad as mg
    >>> mg.nn.ReflectionPad1d(2)(mg.tensor([[1.0, 2.0, 3.0]]))
    tensor([[3., 2., 1., 2., 3., 2., 1.]])
    """

    rank = 1
    mode = "reflect"


class ReflectionPad2d(Pad):
    """Pad images with their own elements, mirrored at the border."""

    rank = 2
    mode = "reflect"


class ReflectionPad3d(Pad):
    """Pad volumes with their own elements, mirrored at the border."""

    rank = 3
    mode = "reflect"


class ReplicationPad1d(Pad):
    """Pad sequences by repeating the first and last elements."""

    rank = 1
    mode = "replicate"


class ReplicationPad2d(Pad):
    """Pad images by repeating the border."""

    rank = 2
    mode = "replicate"


class ReplicationPad3d(Pad):
    """Pad volumes by repeating the border."""

    rank = 3
    mode = "replicate"


class CircularPad(Pad):
    """The base of circular padding: a batch, or a single element."""

    mode = "circular"

    def forward(self, input: Tensor) -> Tensor:
        if (rank := input.dim()) not in (self.rank + 1, self.rank + 2):
            wanted = f"expected {self.rank + 1}D or {self.rank + 2}D input"
            raise ValueError(f"{wanted} (got {rank}D input)")
        return super().forward(input)


class CircularPad1d(CircularPad):
    """Pad sequences with elements of the other end."""

    rank = 1


class CircularPad2d(CircularPad):
    """Pad images with elements of the other side."""

    rank = 2


class CircularPad3d(CircularPad):
    """Pad volumes with elements of the other side."""

    rank = 3


class ConstantPad(Pad):
    """The base of padding with a constant."""

    value: float
    mode = "constant"

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, self.mode, self.value)

    def extra_repr(self) -> str:
        return show_attributes(self, "padding", "value")


class ConstantPad1d(ConstantPad):
    """Pad sequences with `value`."""

    rank = 1


class ConstantPad2d(ConstantPad):
    """Pad images with `value`."""

    rank = 2


class ConstantPad3d(ConstantPad):
    """Pad volumes with `value`."""

    rank = 3


class ZeroPad1d(ConstantPad1d):
    """Pad sequences with zeros."""

    value: float = field(default=0.0, init=False)

    def extra_repr(self) -> str:
        return str(self.padding)


class ZeroPad2d(ConstantPad2d):
    """Pad images with zeros."""

    value: float = field(default=0.0, init=False)

    def extra_repr(self) -> str:
        return str(self.padding)


class ZeroPad3d(ConstantPad3d):
    """Pad volumes with zeros."""

    value: float = field(default=0.0, init=False)

    def extra_repr(self) -> str:
        return str(self.padding)
