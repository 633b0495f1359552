"""Pooling layers: see the functions of the same names in `functional`."""

from __future__ import annotations

from typing import Any, ClassVar

from . import functional as F
from .activations import Applied, shown


class Pool(Applied):
    """What they share: windows of `kernel_size`, one every `stride` (their size unless given)."""

    kernel_size: Any
    stride: Any = None
    padding: Any = 0
    names: ClassVar[tuple[str, ...]] = ("kernel_size", "stride", "padding")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stride is None:
            self.stride = self.kernel_size

    def extra_repr(self) -> str:
        return shown(self, *self.names)


class MaxPool(Pool):
    """The largest element of each window."""

    dilation: Any = 1
    ceil_mode: bool = False
    names = (*Pool.names, "dilation", "ceil_mode")


class MaxPool1d(MaxPool):
    """The largest element of each window of sequences."""

    function = staticmethod(F.max_pool1d)


class MaxPool2d(MaxPool):
    """The largest element of each window of images."""

    function = staticmethod(F.max_pool2d)


class AvgPool2d(Pool):
    """The mean of each window of images."""

    ceil_mode: bool = False
    count_include_pad: bool = True
    function = staticmethod(F.avg_pool2d)


class AdaptiveAvgPool2d(Applied):
    """Means over windows that divide images into `output_size` parts."""

    output_size: Any
    function = staticmethod(F.adaptive_avg_pool2d)
