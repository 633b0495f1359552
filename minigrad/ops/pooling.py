"""Pooling: a window slides over images and leaves one number of each place: its largest or mean.

The windows slide as those of a convolution; only the size of the result may differ, where
`ceil_mode` lets the last window reach beyond the images.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ..arrays.float16 import widened
from ..arrays.memory_order import row_major
from ..arrays.words import check_floating, check_not_bool, check_tensors
from ..core.node import TensorBase, new_tensor
from ..core.operation import ALWAYS, Operation, apply, record
from ..core.views import apply_view
from .dims import wrap_dim
from .gathering import GatherBackward0
from .kinds import Adjoint
from .reductions import mean
from .shapes import SqueezeBackward1, UnsqueezeBackward0
from .sliding_windows import Windows

Pair = tuple[int, int]


class Pool(Windows):
    """The windows of pooling, and where they begin."""

    def starts(self, like: Any) -> list[Any]:
        """Where the windows begin, in each direction."""
        return [
            np.arange(count, like=like) * step - pad
            for count, step, pad in zip(self.counts, self.stride, self.padding, strict=True)
        ]

    def check(self, channels: int) -> None:
        """Raise PyTorch's errors for windows that do not fit."""
        if any(2 * pad > gap * (k - 1) + 1 for _, k, _, pad, gap in self.directions()):
            found = f"pad={max(self.padding)}, kernel_size={max(self.kernel)}"
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got {found}"
            )
        if min(self.counts) < 1:
            given, found = (
                f"({channels}x{max(h, 0)}x{max(w, 0)})" for h, w in (self.size, self.counts)
            )
            sizes = f"Given input size: {given}. Calculated output size: {found}"
            raise RuntimeError(f"{sizes}. Output size is too small")


def windows_of(input: TensorBase, kernel: Pair, stride: Any, *how: Any) -> Pool:
    """The windows on an image, which must fit."""
    if 0 in (stride or kernel):
        raise RuntimeError("stride should not be zero")
    if 0 in kernel:
        raise RuntimeError("kernel size should be greater than zero")
    windows = Pool(input._array.shape, kernel, stride, *how)
    windows.check(input._array.shape[-3])
    return windows


WINDOW = ("kernel_size", "stride", "padding")


# --- The largest element


class MaxPool2DWithIndicesBackward0(Operation):
    """The largest element of each window; of equal ones, the first.

    `result1` says where it was found: its place among the elements of its image.
    """

    params = (*WINDOW, "dilation", "ceil_mode", "result1")
    saves = {"self": ALWAYS, "result1": ALWAYS}
    rule = r"\bar a_i = \sum_{\text{windows whose largest is } i} g"

    def forward(self: Any, *args: Any) -> Any:
        return picked(self, args[-1])

    def gradient(g: Any, self: Any, result1: Any, *how: Any) -> Any:
        directions = Pool(self.shape, *how[:4]).directions()
        apart = all(step > gap * (length - 1) for _, length, step, _, gap in directions)
        return MaxPool2DWithIndicesBackwardBackward0.on(g, result1, self.shape, apart)


class MaxPool2DWithIndicesBackwardBackward0(Operation):
    """Every gradient added to the element that its window was represented by. `_apart`: whether no
    two windows share an element."""

    saves = {"indices": ALWAYS}
    rule = r"\bar g_j = \bar{\bar a}_{i_j}"

    def forward(grad_output: Any, /, indices: Any, _shape: tuple[int, ...], _apart: bool) -> Any:
        count, size = math.prod(_shape[:-2]), _shape[-2] * _shape[-1]
        starts = np.arange(count, like=indices)[:, None] * size
        where = (indices.reshape(count, -1) + starts).reshape(-1)
        if not _apart:
            total = np.bincount(where, grad_output.reshape(-1), count * size)
            return total.astype(grad_output.dtype).reshape(_shape)
        result = np.zeros_like(grad_output, shape=(count * size,))
        result[where] = grad_output.reshape(-1)
        return result.reshape(_shape)

    def gradient(g: Any, indices: Any, _shape: tuple[int, ...], _apart: bool) -> Any:
        return picked(g, indices)


def picked(images: Any, indices: Any) -> Any:
    """The elements at `indices` of each image; of arrays or Tensors."""
    count, size = math.prod(images.shape[:-2]), math.prod(images.shape[-2:])
    where = indices.reshape(count, -1)
    return GatherBackward0.on(images.reshape(count, size), 1, where).reshape(indices.shape)


def largest(images: Any, windows: Pool) -> tuple[Any, Any]:
    """The largest element of each window, and where it was found."""
    kind, width = images.dtype, images.shape[-1]
    least = -math.inf if kind.kind == "f" else np.iinfo(kind).min
    shape = (*images.shape[:-2], *windows.counts)
    best: Any = np.full_like(images, least, shape=shape, order="C")
    winner: Any = np.zeros_like(best, dtype=np.int16)  # its number in the window, from 1
    table = []
    for top, left, met in windows.parts(windows.framed(images, least)):
        table.append(top * width + left)
        met = met.copy()
        better = (met > best) | (met != met)  # an element that is not a number wins
        # The later winner has the larger number; selecting by a mask would take ten times as long.
        np.maximum(winner, better * np.int16(len(table)), out=winner)
        np.maximum(best, met, out=best)
    starts = windows.starts(images)
    # Where nothing is above the least number, the first element on the image has won.
    skip = [np.maximum(-(s // gap), 0) for s, gap in zip(starts, windows.dilation, strict=True)]
    first = skip[0][:, None] * windows.kernel[1] + skip[1]
    winner = np.where(winner == 0, first, winner - 1)
    where = np.array(table, like=winner)[winner]
    where += starts[0][:, None] * width + starts[1]
    return best, where


# --- The mean


def means(like: Any, size: int, starts: Any, ends: Any) -> Any:
    """The matrix that takes from `size` elements the mean of each window."""
    places = np.arange(size, like=like)
    inside = (places >= starts[:, None]) & (places < ends[:, None])
    return (inside / (ends - starts)[:, None]).astype(like.dtype)


@row_major
@widened
def averaged(images: Any, matrices: Callable[..., Any], *how: Any) -> Any:
    """Both matrices applied to images."""
    down, across = matrices(images, images.shape, *how)
    return down @ images @ across.T


@widened
def spread(g: Any, matrices: Callable[..., Any], *how: Any) -> Any:
    """The transpose of `averaged`."""
    down, across = matrices(g, *how)
    return down.T @ g @ across


class Averaging(Operation):
    """Means over parts of images: one matrix takes them down the images, another one across."""

    rule = r"\bar a_i = \sum_{\text{windows with } i} \frac{g}{n}"
    matrices: ClassVar[Callable[..., list[Any]]]
    """Both matrices, in the type of an array, for images of a shape."""

    @classmethod
    def forward(cls, self: Any, *how: Any) -> Any:
        return averaged(self, cls.matrices, *how)


class Spreading(Adjoint):
    """Every gradient spread evenly over its window."""

    rule = r"\bar g = \frac{1}{n} \sum_{\text{window}} \bar{\bar a}"
    of: ClassVar[type[Averaging]]

    @classmethod
    def forward(cls, grad_output: Any, shape: tuple[int, ...], *how: Any) -> Any:
        return spread(grad_output, cls.of.matrices, shape, *how)


class AvgPool2DBackward0(Averaging):
    """The mean of each window."""

    params = (*WINDOW, "ceil_mode", "count_include_pad")
    _saved_divisor_override = None  # another divisor than the count cannot be asked for

    @staticmethod
    def matrices(like: Any, shape: tuple[int, ...], *how: Any) -> list[Any]:
        kernel, stride, padding, ceil, with_frame = how
        windows = Pool(shape, kernel, stride, padding, (1, 1), ceil)
        found = []
        for start, (size, length, _, pad, _) in zip(
            windows.starts(like), windows.directions(), strict=True
        ):
            end = np.minimum(start + length, size + pad)
            if not with_frame:
                start, end = np.maximum(start, 0), np.minimum(end, size)
            found.append(means(like, size, start, end))
        return found

    def gradient(g: Any, self: Any, *how: Any) -> Any:
        return AvgPool2DBackwardBackward0.on(g, self.shape, *how)


class AvgPool2DBackwardBackward0(Spreading):
    """The gradient of avg_pool2d."""

    of = AvgPool2DBackward0


class AdaptiveAvgPool2DBackward0(Averaging):
    """Means over windows that divide the images into `_size` parts, as evenly as possible."""

    params = ("_size",)

    @staticmethod
    def matrices(like: Any, shape: tuple[int, ...], *how: Any) -> list[Any]:
        found = []
        for size, count in zip(shape[-2:], how[0], strict=True):
            part = np.arange(count, like=like)
            found.append(means(like, size, part * size // count, -(-(part + 1) * size // count)))
        return found

    def gradient(g: Any, self: Any, _size: Any) -> Any:
        return AdaptiveAvgPool2DBackwardBackward0.on(g, self.shape, _size)


class AdaptiveAvgPool2DBackwardBackward0(Spreading):
    """The gradient of adaptive_avg_pool2d."""

    of = AdaptiveAvgPool2DBackward0


# --- Public functions


def two(name: str, argument: str, value: Any) -> Pair:
    """One number for both directions, or one for each."""
    values = (value,) * 2 if isinstance(value, int) else tuple(value)
    if len(values) != 2:
        raise RuntimeError(
            f"{name}: {argument} must either be a single int, or a tuple of two ints"
        )
    return values


def stride_of(name: str, stride: Any) -> Any:
    """The window's step; nothing if it is that of its size."""
    return () if stride is None or stride == () else two(name, "stride", stride)


def max_pool2d(
    input: TensorBase,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
) -> TensorBase:
    """The largest element of each window of images [N, C, H, W] or [C, H, W].

    Args:
        kernel_size: the window's size, one number or one for each direction; so the next three.
        stride: the window's step; its size unless given.
        padding: how far windows may reach beyond the images.
        dilation: the distance of a window's elements.
        ceil_mode: whether a last window may be incomplete.

    >>> import minigrad as mg
    >>> mg.nn.functional.max_pool2d(mg.tensor([[[1.0, 2.0], [4.0, 3.0]]]), 2)
    tensor([[[4.]]])
    """
    check_tensors("max_pool2d", ("input", input))
    kernel = two("max_pool2d", "kernel_size", kernel_size)
    given = stride_of("max_pool2d", stride)
    pad, gap = two("max_pool2d", "padding", padding), two("max_pool2d", "dilation", dilation)
    x = input._array
    if x.ndim not in (3, 4) or 0 in x.shape[-3:]:
        raise RuntimeError("non-empty 3D or 4D (batch mode) tensor expected for input")
    windows = windows_of(input, kernel, given, pad, gap, ceil_mode)
    check_not_bool("max_pool2d", x.dtype)
    value, where = largest(x, windows)
    params = (kernel, given, pad, gap, ceil_mode, new_tensor(where))
    return record(MaxPool2DWithIndicesBackward0, (input,), params, value)


def max_pool1d(
    input: TensorBase,
    kernel_size: int,
    stride: int | None = None,
    padding: int = 0,
    dilation: int = 1,
    ceil_mode: bool = False,
) -> TensorBase:
    """The largest element of each window of sequences [N, C, L] or [C, L]: `max_pool2d` of images
    of one row."""
    check_tensors("max_pool1d", ("input", input))
    check_floating("max_pool1d_impl", input._array.dtype)
    step = kernel_size if stride is None else stride
    rows = apply_view(UnsqueezeBackward0, input, -2)
    how = (1, kernel_size), (1, step), (0, padding), (1, dilation)
    return apply_view(SqueezeBackward1, max_pool2d(rows, *how, ceil_mode), -2)


def avg_pool2d(
    input: TensorBase,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> TensorBase:
    """The mean of each window of images [N, C, H, W] or [C, H, W].

    Args:
        kernel_size: the window's size, one number or one for each direction; so the next two.
        stride: the window's step; its size unless given.
        padding: how far windows may reach beyond the images, where zeros are.
        ceil_mode: whether a last window may be incomplete.
        count_include_pad: whether the zeros around the images count as elements.
    """
    check_tensors("avg_pool2d", ("input", input))
    kernel = two("avg_pool2d", "kernel_size", kernel_size)
    given = stride_of("avg_pool2d", stride)
    pad = two("avg_pool2d", "padding", padding)
    wrap_dim(-3, input._array.ndim)
    windows_of(input, kernel, given, pad, (1, 1), ceil_mode)
    check_floating("avg_pool2d", input._array.dtype)
    params = (kernel, given, pad, ceil_mode, count_include_pad)
    return apply(AvgPool2DBackward0, input, *params)


def adaptive_avg_pool2d(input: TensorBase, output_size: Any) -> TensorBase:
    """Means over windows that divide images [N, C, H, W] or [C, H, W] into `output_size` parts.

    Args:
        output_size: one number or one for each direction; None keeps a size.
    """
    check_tensors("adaptive_avg_pool2d", ("input", input))
    wanted = (output_size,) * 2 if isinstance(output_size, int) else tuple(output_size)
    if len(wanted) != 2:
        raise RuntimeError("adaptive_avg_pool2d: output_size must be 2")
    shape = input._array.shape
    if len(shape) > 1:
        wanted = tuple(n if w is None else w for n, w in zip(shape[-2:], wanted, strict=True))
    if wanted == (1, 1):
        return mean(input, (-1, -2), keepdim=True)
    if len(shape) not in (3, 4):
        raise RuntimeError(
            f"adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got {list(shape)}"
        )
    check_floating("adaptive_avg_pool2d", input._array.dtype)
    return apply(AdaptiveAvgPool2DBackward0, input, wanted)
