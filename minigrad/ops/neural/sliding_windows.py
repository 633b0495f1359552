"""Windows that slide over images: those of a convolution's kernel, and those of pooling.

Images have as many directions as the window: one for sequences, two for images, three for volumes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

Sizes = tuple[int, ...]


def one_each(name: str, values: Sizes, rank: int) -> Sizes:
    """Return a number for each direction."""
    if len(values) == rank:
        return values
    if len(values) == 1:
        return values * rank
    wanted = (
        f"a single integer value or a list of {rank} values to match the convolution dimensions"
    )
    raise RuntimeError(f"expected {name} to be {wanted}, but got {name}={list(values)}")


def steps_of(sizes: Sequence[int]) -> Sizes:
    """Return how far apart neighbours are in each direction of a flat array of these sizes."""
    return (*itertools.accumulate(reversed(sizes[1:]), int.__mul__, initial=1),)[::-1]


class Windows:
    """The positions of a window on images of a size, and the elements that it meets there.

    `stride` may be empty: the window's own size. With `ceil`, the last window may extend beyond the
    images.
    """

    def __init__(
        self,
        shape: Sizes,
        kernel: Sizes,
        stride: Sizes,
        padding: Sizes,
        dilation: Sizes = (),
        ceil: bool = False,
    ) -> None:
        self.size, self.kernel, self.stride = shape[-len(kernel) :], kernel, stride or kernel
        self.padding, self.dilation = padding, dilation or (1,) * len(kernel)
        counts, reach = [], []
        for size, length, step, pad, gap in self.directions():
            span = gap * (length - 1) + 1
            count = (size + 2 * pad - span + (step - 1 if ceil else 0)) // step + 1
            if ceil and (count - 1) * step >= size + pad:
                count -= 1  # a window must begin on the image
            counts.append(count)
            reach.append(max(size + 2 * pad, (count - 1) * step + span))
        self.counts = tuple(counts)
        """The number of positions in each direction."""
        self.reach = tuple(reach)
        """The size of the framed images that windows cover."""

    def directions(self) -> Iterator[Sizes]:
        """Yield for each direction sizes of image and window, stride, padding and dilation."""
        return zip(self.size, self.kernel, self.stride, self.padding, self.dilation, strict=True)

    def frame(self, like: Any, lead: Sizes, fill: Any = 0) -> Any:
        """Return images of `fill` with their frame, in memory of their own."""
        return np.full_like(like, fill, shape=(*lead, *self.reach), order="C")

    def framed(self, images: Any, fill: Any = 0) -> Any:
        """Return `images` within a frame of `fill`."""
        if self.reach == self.size:
            return images
        frame = self.frame(images, images.shape[: -len(self.kernel)], fill)
        self.unframed(frame)[...] = images
        return frame

    def unframed(self, frame: Any) -> Any:
        """Return the images within a frame."""
        sides = zip(self.size, self.padding, strict=True)
        return frame[(..., *[slice(pad, pad + size) for size, pad in sides])]

    def offsets(self) -> Iterator[Sizes]:
        """Yield the position of each window element, from the window's start."""
        each = zip(self.kernel, self.dilation, strict=True)
        return itertools.product(*[[i * gap for i in range(length)] for length, gap in each])

    def parts(self, frame: Any) -> Iterator[tuple[Sizes, Any]]:
        """Yield for each window element its position, and the part of the images it meets."""
        spans = [
            (count - 1) * step + 1 for count, step in zip(self.counts, self.stride, strict=True)
        ]
        for place in self.offsets():
            each = zip(place, spans, self.stride, strict=True)
            yield place, frame[(..., *[slice(n, n + span, step) for n, span, step in each])]
