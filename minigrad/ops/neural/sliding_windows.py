"""Windows that slide over images: those of a convolution's kernel, and those of pooling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np


class Windows:
    """The positions of a window on images of a size, and the elements that it meets there.

    `stride` may be empty: the window's own size. With `ceil`, the last window may extend beyond the
    images.
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        kernel: tuple[int, ...],
        stride: tuple[int, ...],
        padding: tuple[int, ...],
        dilation: tuple[int, ...] = (1, 1),
        ceil: bool = False,
    ) -> None:
        self.size, self.kernel, self.stride = shape[-2:], kernel, stride or kernel
        self.padding, self.dilation = padding, dilation
        counts, reach = [], []
        for size, length, step, pad, gap in self.directions():
            span = gap * (length - 1) + 1
            count = (size + 2 * pad - span + (step - 1 if ceil else 0)) // step + 1
            if ceil and (count - 1) * step >= size + pad:
                count -= 1  # a window must begin on the image
            counts.append(count)
            reach.append(max(size + 2 * pad, (count - 1) * step + span))
        self.counts = tuple(counts)
        """The number of positions, down and across."""
        self.reach = tuple(reach)
        """The size of the framed images that windows cover."""

    def directions(self) -> Iterator[tuple[int, ...]]:
        """Yield for both directions sizes of image and window, stride, padding and dilation."""
        return zip(self.size, self.kernel, self.stride, self.padding, self.dilation, strict=True)

    def frame(self, like: Any, lead: tuple[int, ...], fill: Any = 0) -> Any:
        """Return images of `fill` with their frame, in memory of their own."""
        return np.full_like(like, fill, shape=(*lead, *self.reach), order="C")

    def framed(self, images: Any, fill: Any = 0) -> Any:
        """Return `images` within a frame of `fill`."""
        if self.reach == self.size:
            return images
        frame = self.frame(images, images.shape[:-2], fill)
        self.unframed(frame)[...] = images
        return frame

    def unframed(self, frame: Any) -> Any:
        """Return the images within a frame."""
        (h, w), (top, left) = self.size, self.padding
        return frame[..., top : top + h, left : left + w]

    def parts(self, frame: Any) -> Iterator[tuple[int, int, Any]]:
        """Yield for each window element its position, and the part of the images it meets."""
        (rows, columns), (down, across), (dh, dw) = self.counts, self.stride, self.dilation
        for top in range(0, self.kernel[0] * dh, dh):
            vertical = slice(top, top + (rows - 1) * down + 1, down)
            for left in range(0, self.kernel[1] * dw, dw):
                horizontal = slice(left, left + (columns - 1) * across + 1, across)
                yield top, left, frame[..., vertical, horizontal]
