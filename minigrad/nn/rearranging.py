"""Layers that only move elements: patches of images as columns and back, shuffled channels."""

from __future__ import annotations

from typing import Any, ClassVar

from ..tensors.tensor import Tensor
from . import functional as F
from .applied import Applied
from .module import Module


class Patches(Module):
    """The base of both layers for patches: a window and how it slides."""

    shown: ClassVar[tuple[str, ...]] = ("kernel_size", "dilation", "padding", "stride")

    def __init__(
        self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def extra_repr(self) -> str:
        return ", ".join(f"{name}={getattr(self, name)}" for name in self.shown)


class Unfold(Patches):
    """Return the patches of images under a sliding window as columns.

    >>> import minigrad as mg
    >>> mg.nn.Unfold(2)(mg.ones(1, 3, 4, 5)).shape
    torch.Size([1, 12, 12])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class Fold(Patches):
    """Add up patches in images of `output_size`.

    >>> import minigrad as mg
    >>> mg.nn.Fold((4, 5), 2)(mg.ones(1, 12, 12)).shape
    torch.Size([1, 3, 4, 5])
    """

    shown = ("output_size", *Patches.shown)

    def __init__(
        self,
        output_size: Any,
        kernel_size: Any,
        dilation: Any = 1,
        padding: Any = 0,
        stride: Any = 1,
    ) -> None:
        super().__init__(kernel_size, dilation, padding, stride)
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        how = (self.kernel_size, self.dilation, self.padding, self.stride)
        return F.fold(input, self.output_size, *how)


class PixelShuffle(Applied):
    """Move r * r channels into the pixels of r times as many rows and columns."""

    upscale_factor: int
    function = staticmethod(F.pixel_shuffle)


class PixelUnshuffle(Applied):
    """Move pixels into channels, the opposite of `PixelShuffle`."""

    downscale_factor: int
    function = staticmethod(F.pixel_unshuffle)


class ChannelShuffle(Applied):
    """Divide channels into groups, and take one of each group in turn."""

    groups: int
    function = staticmethod(F.channel_shuffle)
