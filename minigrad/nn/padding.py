"""Layers that put elements around sequences [N, C, L], images [N, C, H, W] or volumes
[N, C, D, H, W]; `functional.pad` says which."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

from ..tensors.tensor import Tensor
from . import functional as F
from .applied import Applied, shown


class Pad(Applied):
    """What they share: how much to put on every side, or for each side a number, as in
    `functional.pad`."""

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
    """Sequences with their own elements around them, mirrored at both ends.

    >>> import minigrad as mg
    >>> mg.nn.ReflectionPad1d(2)(mg.tensor([[1.0, 2.0, 3.0]]))
    tensor([[3., 2., 1., 2., 3., 2., 1.]])
    """

    rank = 1
    mode = "reflect"


class ReflectionPad2d(Pad):
    """Images with their own elements around them, mirrored at the rim."""

    rank = 2
    mode = "reflect"


class ReflectionPad3d(Pad):
    """Volumes with their own elements around them, mirrored at the rim."""

    rank = 3
    mode = "reflect"


class ReplicationPad1d(Pad):
    """Sequences whose first and last elements are repeated."""

    rank = 1
    mode = "replicate"


class ReplicationPad2d(Pad):
    """Images whose rim is repeated."""

    rank = 2
    mode = "replicate"


class ReplicationPad3d(Pad):
    """Volumes whose rim is repeated."""

    rank = 3
    mode = "replicate"


class CircularPad(Pad):
    """What they share: a batch, or one of it."""

    mode = "circular"

    def forward(self, input: Tensor) -> Tensor:
        if (rank := input.dim()) not in (self.rank + 1, self.rank + 2):
            wanted = f"expected {self.rank + 1}D or {self.rank + 2}D input"
            raise ValueError(f"{wanted} (got {rank}D input)")
        return super().forward(input)


class CircularPad1d(CircularPad):
    """Sequences that go on with the elements of their other end."""

    rank = 1


class CircularPad2d(CircularPad):
    """Images that go on with the elements of their other side."""

    rank = 2


class CircularPad3d(CircularPad):
    """Volumes that go on with the elements of their other side."""

    rank = 3


class ConstantPad(Pad):
    """What they share: the number that is put around."""

    value: float
    mode = "constant"

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, self.mode, self.value)

    def extra_repr(self) -> str:
        return shown(self, "padding", "value")


class ConstantPad1d(ConstantPad):
    """Sequences with `value` around them."""

    rank = 1


class ConstantPad2d(ConstantPad):
    """Images with `value` around them."""

    rank = 2


class ConstantPad3d(ConstantPad):
    """Volumes with `value` around them."""

    rank = 3


class ZeroPad1d(ConstantPad1d):
    """Sequences with zeros around them."""

    value: float = field(default=0.0, init=False)

    def extra_repr(self) -> str:
        return str(self.padding)


class ZeroPad2d(ConstantPad2d):
    """Images with zeros around them."""

    value: float = field(default=0.0, init=False)

    def extra_repr(self) -> str:
        return str(self.padding)


class ZeroPad3d(ConstantPad3d):
    """Volumes with zeros around them."""

    value: float = field(default=0.0, init=False)

    def extra_repr(self) -> str:
        return str(self.padding)
