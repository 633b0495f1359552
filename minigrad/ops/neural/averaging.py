"""Means over windows that slide over sequences, images or volumes, or that divide them.

A mean over a window is linear in each direction, so there is one matrix for each.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ...arrays.devices import ON_CPU
from ...arrays.float16 import widened
from ...arrays.memory_order import row_major
from ...arrays.messages import check_floating, not_implemented
from ...core.node import TensorBase
from ...core.operation import ALWAYS, Operation, apply
from ..pointwise.arithmetic import truncate_quotient
from ..public.dims import size_at, whole_number
from ..public.functions import Public, schema
from ..public.kinds import Adjoint
from ..reductions.reductions import mean
from ..shapes.shapes import as_row, out_of_row
from .pooling import (
    WINDOW,
    Pool,
    check_not_empty,
    each_way,
    even_parts,
    one_int,
    sizes_in,
    stride_of,
    windows_of,
)
from .sliding_windows import Sizes


def sums(like: Any, size: int, starts: Any, ends: Any) -> Any:
    """Return the matrix that maps `size` elements to the sum of each window."""
    places = np.arange(size, like=like)
    return ((places >= starts[:, None]) & (places < ends[:, None])).astype(like.dtype)


def means(like: Any, size: int, starts: Any, ends: Any) -> Any:
    """Return the matrix that maps `size` elements to the mean of each window."""
    return (sums(like, size, starts, ends) / (ends - starts)[:, None]).astype(like.dtype)


def along_each(x: Any, matrices: list[Any]) -> Any:
    """Apply a matrix along each of the last dimensions."""
    for place, matrix in enumerate(matrices[:-1]):
        axis = x.ndim - len(matrices) + place
        rows = x.reshape(*x.shape[: axis + 1], math.prod(x.shape[axis + 1 :]))
        x = (matrix @ rows).reshape(*x.shape[:axis], len(matrix), *x.shape[axis + 1 :])
    return x @ matrices[-1].T


@row_major
@widened
def average(images: Any, matrices: Callable[..., list[Any]], *how: Any) -> Any:
    """Apply the matrices to images."""
    each = matrices(images, images.shape, *how)
    result = along_each(images, each)
    if isinstance(images, ON_CPU) and bool(np.isfinite(result).all()):
        return result  # on a GPU, the check below would wait
    # Non-finite elements count in their own windows only, instead of as 0 * inf in all others.
    result = along_each(np.where(np.isfinite(images), images, 0), each)
    for bad, where in ((np.inf, images == np.inf), (-np.inf, images == -np.inf)):
        result = np.where(windows_with(each, where), result + bad, result)
    return np.where(windows_with(each, np.isnan(images)), np.nan, result).astype(result.dtype)


def windows_with(matrices: list[Any], where: Any) -> Any:
    """Return which windows contain an element for which `where` holds."""
    met = [(matrix > 0).astype(np.float32) for matrix in matrices]
    return along_each(where.astype(np.float32), met) > 0


@widened
def spread_back(g: Any, matrices: Callable[..., list[Any]], *how: Any) -> Any:
    """Apply the transpose of `average`."""
    return along_each(g, [matrix.T for matrix in matrices(g, *how)])


class Averaging(Operation):
    """Means over parts of images, with a matrix for each direction."""

    saves: ClassVar[dict[str, int]] = {"self": ALWAYS}
    rule = r"\bar a_i = \sum_{\text{windows with } i} \frac{g}{n}"
    matrices: ClassVar[Callable[..., list[Any]]]
    """The matrices, in the dtype of an array, for images of a shape."""
    back: ClassVar[type[Spreading]]

    @classmethod
    def forward(cls, self: Any, *how: Any) -> Any:
        return average(self, cls.matrices, *how)

    def backward(ctx, g: Any) -> Any:
        return ctx.back.on(g, ctx.saved[0].shape, *ctx.args)


class Spreading(Adjoint):
    """Every gradient spread evenly over its window."""

    rule = r"\bar g = \frac{1}{n} \sum_{\text{window}} \bar{\bar a}"
    of: ClassVar[type[Averaging]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.of.back = cls

    @classmethod
    def forward(cls, grad_output: Any, shape: Sizes, *how: Any) -> Any:
        return spread_back(grad_output, cls.of.matrices, shape, *how)


class AvgPool2DBackward0(Averaging):
    """The mean of each window; or its sum, divided by `divisor_override`."""

    params = (*WINDOW, "ceil_mode", "count_include_pad", "divisor_override")

    @classmethod
    def forward(cls, self: Any, *how: Any) -> Any:
        if self.dtype.kind == "f":
            return super().forward(self, *how)
        spans = cls.spans(self, self.shape, *how)
        total = along_each(self, [sums(self, *span) for span in spans])
        size: Any = 1
        for _, start, end in spans:
            size = np.multiply.outer(size, end - start)
        return truncate_quotient(total, how[-1] or size)

    @staticmethod
    def spans(like: Any, shape: Sizes, *how: Any) -> list[Any]:
        """Return for each direction the size of the images, and where windows begin and end."""
        kernel, stride, padding, ceil, with_frame, _ = how
        windows = Pool(shape, kernel, stride, padding, ceil=ceil)
        found = []
        for start, (size, length, _, pad, _) in zip(
            windows.starts(like), windows.directions(), strict=True
        ):
            end = np.minimum(start + length, size + pad)
            if not with_frame:
                start, end = np.maximum(start, 0), np.minimum(end, size)
            found.append((size, start, end))
        return found

    @classmethod
    def matrices(cls, like: Any, shape: Sizes, *how: Any) -> list[Any]:
        spans, divisor = cls.spans(like, shape, *how), how[-1]
        if divisor is None:
            return [means(like, *span) for span in spans]
        *others, last = (sums(like, *span) for span in spans)
        return [*others, last / divisor]


class AvgPool2DBackwardBackward0(Spreading):
    """The gradient of avg_pool2d."""

    of = AvgPool2DBackward0


class AvgPool3DBackward0(AvgPool2DBackward0):
    """The mean of each window of volumes."""


class AvgPool3DBackwardBackward0(Spreading):
    """The gradient of avg_pool3d."""

    of = AvgPool3DBackward0


class AdaptiveAvgPool2DBackward0(Averaging):
    """Means over windows that divide the images into `_size` parts, as evenly as possible."""

    params = ("_size",)

    def backward(ctx, g: Any) -> Any:
        name = f"adaptive_avg_pool{len(ctx.args[0])}d_backward"
        check_not_empty(name, 1, g.shape, "grad_output")
        return super().backward(g)

    @staticmethod
    def matrices(like: Any, shape: Sizes, *how: Any) -> list[Any]:
        sizes = shape[-len(how[0]) :]
        each = zip(sizes, how[0], strict=True)
        return [means(like, size, *even_parts(size, count, like)) for size, count in each]


class AdaptiveAvgPool2DBackwardBackward0(Spreading):
    """The gradient of adaptive_avg_pool2d."""

    of = AdaptiveAvgPool2DBackward0


class AdaptiveAvgPool3DBackward0(AdaptiveAvgPool2DBackward0):
    """Means over windows that divide volumes."""


class AdaptiveAvgPool3DBackwardBackward0(Spreading):
    """The gradient of adaptive_avg_pool3d."""

    of = AdaptiveAvgPool3DBackward0


# --- Public functions

FIXED = {2: AvgPool2DBackward0, 3: AvgPool3DBackward0}
ADAPTIVE = {2: AdaptiveAvgPool2DBackward0, 3: AdaptiveAvgPool3DBackward0}


def averages(rank: int, text: str) -> Public:
    """Make the function for images or volumes; `text` is its docstring."""
    name, each = f"avg_pool{rank}d", f"int[{rank}]"

    def body(
        input: Any,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> TensorBase:
        x = input._array
        if type(ceil_mode) is not bool or type(count_include_pad) is not bool:
            raise TypeError
        if type(divisor_override) is bool:
            raise TypeError
        divisor = None if divisor_override is None else whole_number(divisor_override)
        wanted = "must either be" if rank == 2 else "must be"
        kernel = each_way(name, rank, "kernel_size", kernel_size, wanted)
        given = stride_of(name, rank, stride)
        pad = each_way(name, rank, "padding", padding, wanted)
        check_batch(rank, x.shape)
        if divisor == 0:
            raise RuntimeError("divisor must be not zero")
        windows_of(name, input, kernel, given, pad, (1,) * rank, ceil_mode)
        if rank == 3 and x.dtype == np.float16:
            raise not_implemented("avg_pool3d_out_frame", x.dtype)
        if x.dtype != np.int64:
            check_floating("avg_pool2d" if rank == 2 else "avg_pool3d_out_frame", x.dtype)
        params = (kernel, given, pad, ceil_mode, count_include_pad, divisor)
        return apply(FIXED[rank], input, *params)

    body.__doc__ = text
    return schema(
        f"{name}(Tensor input, {each} kernel_size, {each} stride=None, {each} padding=0, "
        "bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, "
        "Tensor out=None)",
        place="nn.functional",
    )(body)


def check_batch(rank: int, shape: Sizes) -> None:
    """Raise PyTorch's error for a tensor of a wrong rank."""
    if rank == 2:
        size_at(shape, -3)
    elif len(shape) not in (4, 5):
        raise RuntimeError("non-empty 4D or 5D (batch mode) tensor expected for input")


avg_pool2d = averages(
    2,
    """Return the mean of each window of images [N, C, H, W] or [C, H, W].

    Args:
        kernel_size: the window's size, one number or one for each direction; so for the next two.
        stride: the window's step; by default its size.
        padding: how far windows may extend beyond the images, into zeros.
        ceil_mode: whether a last window may be incomplete.
        count_include_pad: whether the zeros around the images count as elements.
        divisor_override: the divisor of a window's sum; by default the number of its elements.
    """,
)
avg_pool3d = averages(3, "Return the mean of each window of volumes [N, C, D, H, W].")


@schema(
    "avg_pool1d(Tensor input, int[1] kernel_size, int[1] stride=None, int[1] padding=0, "
    "bool ceil_mode=False, bool count_include_pad=True)"
)
def avg_pool1d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> TensorBase:
    """Return the mean of each window of sequences [N, C, L] or [C, L].

    >>> import minigrad as mg
    >>> mg.nn.functional.avg_pool1d(mg.tensor([[1.0, 3.0, 5.0, 7.0]]), 2)
    tensor([[2., 6.]])
    """
    rows = as_row("avg_pool1d", input)
    length = one_int("avg_pool1d", "kernel_size", kernel_size)
    step = one_int("avg_pool1d", "stride", stride, length)
    pad = one_int("avg_pool1d", "padding", padding)
    how = ((1, length), (1, step), (0, pad), ceil_mode, count_include_pad)
    return out_of_row(avg_pool2d.body(rows, *how))


def adaptive_averages(rank: int, text: str) -> Public:
    """Make the function for images or volumes; `text` is its docstring."""
    name = f"adaptive_avg_pool{rank}d"

    def body(input: Any, output_size: Any) -> Any:
        sizes = sizes_in(name, rank, input, output_size)
        return adaptive_average(name, rank, input, sizes)

    body.__doc__ = text
    first = f"def {name}(Tensor input, int[{rank}]? output_size)"
    return schema(first, "input.size()", place="nn.functional")(body)


def adaptive_average(name: str, rank: int, input: Any, sizes: Sizes) -> Any:
    """Average over the windows that divide the last `rank` dimensions into `sizes` parts."""
    shape = input._array.shape
    if len(sizes) != rank:
        raise RuntimeError(f"{name}: output_size must be {rank}")
    if min(sizes) < 0:
        comma = ", " if rank == 2 else ","
        shown = f"{sizes[0]}, {comma.join(map(str, sizes[1:]))}"
        found = f"greater than or equal to 0 but received {{{shown}}}"
        raise RuntimeError(f"{name}: elements of output_size must be {found}")
    if max(sizes) == min(sizes) == 1:
        return mean(input, (-1, -2, -3)[:rank], keepdim=True)
    if len(shape) not in (rank + 1, rank + 2):
        ranks = f"Expected {rank + 1}D or {rank + 2}D tensor"
        raise RuntimeError(f"{name}(): {ranks}, but got {list(shape)}")
    check_not_empty(name, len(shape) - rank, shape)
    check_floating(name if rank == 2 else f"{name}_cpu", input._array.dtype)
    return apply(ADAPTIVE[rank], input, sizes)


adaptive_avg_pool2d = adaptive_averages(
    2,
    """Return means over windows that divide images into `output_size` parts.

    Images are [N, C, H, W] or [C, H, W].

    Args:
        output_size: one number or one for each direction; None keeps a size.
    """,
)
adaptive_avg_pool3d = adaptive_averages(
    3, "Return means over windows that divide volumes [N, C, D, H, W] into `output_size` parts."
)


@schema("adaptive_avg_pool1d(Tensor input, int[1] output_size)")
def adaptive_avg_pool1d(input: Any, output_size: Any) -> Any:
    """Return means over windows that divide sequences [N, C, L] into `output_size` parts.

    >>> import minigrad as mg
    >>> mg.nn.functional.adaptive_avg_pool1d(mg.tensor([[1.0, 3.0, 5.0, 7.0]]), 2)
    tensor([[2., 6.]])
    """
    rows = as_row("adaptive_avg_pool1d", input)
    size = one_int("adaptive_avg_pool1d", "output_size", output_size)
    return out_of_row(adaptive_average("adaptive_avg_pool2d", 2, rows, (1, size)))


ADAPTIVE_AVERAGES = (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d)
"""The functions by the number of directions."""
