"""Pooling: a window slides over images and returns one number at each position: maximum or mean.

The windows slide as those of a convolution. Only the result's size may differ, as `ceil_mode` lets
the last window extend beyond the images.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Literal, overload

import numpy as np

from ...arrays.devices import ON_CPU
from ...arrays.float16 import widened
from ...arrays.memory_order import row_major
from ...arrays.messages import check_floating, check_not_bool
from ...core.node import TensorBase, new_tensor
from ...core.operation import ALWAYS, Operation, apply, record
from ...core.views import apply_view
from ..indexing.gathering import GatherBackward0
from ..pointwise.arithmetic import truncate_quotient
from ..public.arguments import whole_numbers
from ..public.dims import size_at, whole_number
from ..public.functions import schema
from ..public.kinds import Adjoint
from ..reductions.reductions import mean
from ..shapes.shapes import SqueezeBackward1, UnsqueezeBackward0
from .sliding_windows import Windows

Pair = tuple[int, int]


class Pool(Windows):
    """The windows of pooling, and where they begin."""

    def starts(self, like: Any) -> list[Any]:
        """Return where the windows begin, in each direction."""
        return [
            np.arange(count, like=like) * step - pad
            for count, step, pad in zip(self.counts, self.stride, self.padding, strict=True)
        ]


def windows_of(input: TensorBase, kernel: Pair, stride: Any, *how: Any) -> Pool:
    """Return the windows on images, which must fit."""
    shape, (padding, dilation, _) = input._array.shape, how
    steps = stride or kernel
    for length, step, pad, gap in zip(kernel, steps, padding, dilation, strict=True):
        if step == 0:
            raise RuntimeError("stride should not be zero")
        if pad < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {pad}")
        if pad > int((gap * (length - 1) + 1) / 2):
            found = f"pad={pad}, kernel_size={length} and dilation={gap}"
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got {found}"
            )
    for what, letters, sizes in (
        ("kernel size", ("kH", "kW"), kernel),
        ("stride", ("dH", "dW"), steps),
        ("dilation", ("dilationH", "dilationW"), dilation),
    ):
        if min(sizes) <= 0:
            found = " ".join(f"{a}: {n}" for a, n in zip(letters, sizes, strict=True))
            raise RuntimeError(f"{what} should be greater than zero, but got {found}")
    if len(shape) not in (3, 4) or 0 in shape[-3:]:
        raise not_images("Expected 3D or 4D", shape)
    windows = Pool(shape, kernel, stride, *how)
    if min(windows.counts) < 1:
        given, found = (f"({shape[-3]}x{h}x{w})" for h, w in (windows.size, windows.counts))
        sizes_met = f"Given input size: {given}. Calculated output size: {found}"
        raise RuntimeError(f"{sizes_met}. Output size is too small")
    return windows


def not_images(wanted: str, shape: Any) -> RuntimeError:
    """Return the error for a tensor of a wrong rank, or with empty images."""
    tensor = "(batch mode) tensor with optional 0 dim batch size for input"
    return RuntimeError(f"{wanted} {tensor}, but got:{list(shape)}")


WINDOW = ("kernel_size", "stride", "padding")


# --- The largest element


class MaxPool2DWithIndicesBackward0(Operation):
    """The largest element of each window; of equal ones, the first.

    `result1` is its position among the elements of its image.
    """

    params = (*WINDOW, "dilation", "ceil_mode", "result1")
    saves = {"self": ALWAYS, "result1": ALWAYS}
    rule = r"\bar a_i = \sum_{\text{windows whose largest is } i} g"

    def gradient(g: Any, self: Any, result1: Any, *how: Any) -> Any:
        directions = Pool(self.shape, *how[:4]).directions()
        apart = all(step > gap * (length - 1) for _, length, step, _, gap in directions)
        return MaxPool2DWithIndicesBackwardBackward0.on(g, result1, self.shape, apart)


class MaxPool2DWithIndicesBackwardBackward0(Operation):
    """Every gradient added to the largest element of its window.

    `_apart`: whether no two windows share an element.
    """

    saves = {"indices": ALWAYS}
    rule = r"\bar g_j = \bar{\bar a}_{i_j}"

    def forward(grad_output: Any, /, indices: Any, _shape: tuple[int, ...], _apart: bool) -> Any:
        count, size = math.prod(_shape[:-2]), _shape[-2] * _shape[-1]
        if not count:
            return np.zeros_like(grad_output, shape=_shape)
        starts = np.arange(count, like=indices)[:, None] * size
        where = (indices.reshape(count, -1) + starts).reshape(-1)
        if not _apart:
            total = np.bincount(where, grad_output.reshape(-1), count * size)
            return total.astype(grad_output.dtype).reshape(_shape)
        result = np.zeros_like(grad_output, shape=(count * size,))
        result[where] = grad_output.reshape(-1)
        return result.reshape(_shape)

    def gradient(g: Any, indices: Any, _shape: tuple[int, ...], _apart: bool) -> Any:
        return pick(g, indices)


def pick(images: Any, indices: Any) -> Any:
    """Return the elements at `indices` of each image; of arrays or Tensors."""
    count, size = math.prod(images.shape[:-2]), math.prod(images.shape[-2:])
    where = indices.reshape(count, -1)
    return GatherBackward0.on(images.reshape(count, size), 1, where).reshape(indices.shape)


def largest(images: Any, windows: Pool) -> tuple[Any, Any]:
    """Return the largest element of each window, and its position."""
    kind, width = images.dtype, images.shape[-1]
    least = -math.inf if kind.kind == "f" else np.iinfo(kind).min
    shape = (*images.shape[:-2], *windows.counts)
    best: Any = np.full_like(images, least, shape=shape, order="C")
    winner: Any = np.zeros_like(best, dtype=np.int16)  # its number in the window, from 1
    table = []
    for top, left, met in windows.parts(windows.framed(images, least)):
        table.append(top * width + left)
        met = met.copy()
        better = (met > best) | (met != met)  # nan wins
        # The later winner has the larger number; selecting by a mask is ten times as slow.
        np.maximum(winner, better * np.int16(len(table)), out=winner)
        np.maximum(best, met, out=best)
    starts = windows.starts(images)
    # If nothing exceeds the least number, the first element on the image wins.
    skip = [np.maximum(-(s // gap), 0) for s, gap in zip(starts, windows.dilation, strict=True)]
    first = skip[0][:, None] * windows.kernel[1] + skip[1]
    winner = np.where(winner == 0, first, winner - 1)
    where = np.array(table, np.int64, like=winner)[winner]
    where += starts[0][:, None] * width + starts[1]
    return best, where


# --- The mean


def sums(like: Any, size: int, starts: Any, ends: Any) -> Any:
    """Return the matrix that maps `size` elements to the sum of each window."""
    places = np.arange(size, like=like)
    return ((places >= starts[:, None]) & (places < ends[:, None])).astype(like.dtype)


def means(like: Any, size: int, starts: Any, ends: Any) -> Any:
    """Return the matrix that maps `size` elements to the mean of each window."""
    return (sums(like, size, starts, ends) / (ends - starts)[:, None]).astype(like.dtype)


@row_major
@widened
def average(images: Any, matrices: Callable[..., Any], *how: Any) -> Any:
    """Apply both matrices to images."""
    down, across = matrices(images, images.shape, *how)
    result = down @ images @ across.T
    if isinstance(images, ON_CPU) and bool(np.isfinite(result).all()):
        return result  # on a GPU, the check below would wait
    # Non-finite elements count in their own windows only, instead of as 0 * inf in all others.
    result = down @ np.where(np.isfinite(images), images, 0) @ across.T
    for bad, where in ((np.inf, images == np.inf), (-np.inf, images == -np.inf)):
        result = np.where(windows_with(down, where, across), result + bad, result)
    return np.where(windows_with(down, np.isnan(images), across), np.nan, result).astype(
        result.dtype
    )


def windows_with(down: Any, where: Any, across: Any) -> Any:
    """Return which windows contain an element for which `where` holds."""
    return (down > 0).astype(np.float32) @ where.astype(np.float32) @ (across > 0).T > 0


@widened
def spread_back(g: Any, matrices: Callable[..., Any], *how: Any) -> Any:
    """Apply the transpose of `average`."""
    down, across = matrices(g, *how)
    return down.T @ g @ across


class Averaging(Operation):
    """Means over parts of images: one matrix for the rows, another one for the columns."""

    rule = r"\bar a_i = \sum_{\text{windows with } i} \frac{g}{n}"
    matrices: ClassVar[Callable[..., list[Any]]]
    """Both matrices, in the dtype of an array, for images of a shape."""

    @classmethod
    def forward(cls, self: Any, *how: Any) -> Any:
        return average(self, cls.matrices, *how)


class Spreading(Adjoint):
    """Every gradient spread evenly over its window."""

    rule = r"\bar g = \frac{1}{n} \sum_{\text{window}} \bar{\bar a}"
    of: ClassVar[type[Averaging]]

    @classmethod
    def forward(cls, grad_output: Any, shape: tuple[int, ...], *how: Any) -> Any:
        return spread_back(grad_output, cls.of.matrices, shape, *how)


class AvgPool2DBackward0(Averaging):
    """The mean of each window; or its sum, divided by `divisor_override`."""

    params = (*WINDOW, "ceil_mode", "count_include_pad", "divisor_override")

    @classmethod
    def forward(cls, self: Any, *how: Any) -> Any:
        if self.dtype.kind == "f":
            return super().forward(self, *how)
        spans = cls.spans(self, self.shape, *how)
        down, across = (sums(self, *span) for span in spans)
        height, width = (end - start for _, start, end in spans)
        return truncate_quotient(down @ self @ across.T, how[-1] or height[:, None] * width)

    @staticmethod
    def spans(like: Any, shape: tuple[int, ...], *how: Any) -> list[Any]:
        """Return for each direction the size of the images, and where windows begin and end."""
        kernel, stride, padding, ceil, with_frame, _ = how
        windows = Pool(shape, kernel, stride, padding, (1, 1), ceil)
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
    def matrices(cls, like: Any, shape: tuple[int, ...], *how: Any) -> list[Any]:
        spans, divisor = cls.spans(like, shape, *how), how[-1]
        if divisor is None:
            return [means(like, *span) for span in spans]
        down, across = (sums(like, *span) for span in spans)
        return [down, across / divisor]

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


def as_pair(name: str, argument: str, value: Any, wanted: str = "must either be") -> Pair:
    """Return one number for both directions, or one for each."""
    values = whole_numbers(value)
    if len(values) == 1:
        values *= 2
    if len(values) != 2:
        raise RuntimeError(f"{name}: {argument} {wanted} a single int, or a tuple of two ints")
    return values


def stride_of(name: str, stride: Any) -> Any:
    """Return the window's stride; empty for the window's own size."""
    if stride is None or stride == () or stride == []:
        return ()
    return as_pair(name, "stride", stride, "must either be omitted,")


@overload
def max_pool2d(
    input: TensorBase,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    ceil_mode: bool = False,
    return_indices: Literal[False] = False,
) -> TensorBase: ...
@overload
def max_pool2d(
    input: TensorBase,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    ceil_mode: bool = False,
    *,
    return_indices: Literal[True],
) -> tuple[TensorBase, TensorBase]: ...
@schema(
    "def max_pool2d(Tensor input, int[2] kernel_size, int[2]? stride=None, int[2] padding=0, "
    "int[2] dilation=1, bool ceil_mode=False, object return_indices=False)",
    "max_pool2d(Tensor input, int[2] kernel_size, int[2]? stride, int[2] padding, "
    "int[2] dilation, bool ceil_mode)",
    place="nn.functional",
)
def max_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: Any = False,
) -> Any:
    """Return the largest element of each window of images [N, C, H, W] or [C, H, W].

    Args:
        kernel_size: the window's size, one number or one for each direction; so for the next three.
        stride: the window's step; by default its size.
        padding: how far windows may extend beyond the images.
        dilation: the distance of a window's elements.
        ceil_mode: whether a last window may be incomplete.
        return_indices: also return the position of each element in its image.

    >>> import minigrad as mg
    >>> mg.nn.functional.max_pool2d(mg.tensor([[[1.0, 2.0], [4.0, 3.0]]]), 2)
    tensor([[[4.]]])
    >>> mg.nn.functional.max_pool2d(mg.tensor([[[1.0, 2.0], [4.0, 3.0]]]), 2, return_indices=True)
    (tensor([[[4.]]]), tensor([[[2]]]))
    """
    x = input._array
    if type(ceil_mode) is not bool:
        raise TypeError
    kernel = as_pair("max_pool2d", "kernel_size", kernel_size)
    given = stride_of("max_pool2d", stride)
    pad = as_pair("max_pool2d", "padding", padding)
    gap = as_pair("max_pool2d", "dilation", dilation, "must be either")
    if x.ndim not in (3, 4):
        raise RuntimeError("non-empty 3D or 4D (batch mode) tensor expected for input")
    found = largest_of(input, kernel, given, pad, gap, ceil_mode)
    return found if return_indices else found[0]


def largest_of(input: Any, *how: Any) -> tuple[TensorBase, TensorBase]:
    """Return the largest element of each window of images, recorded, and its position.

    `how` holds the attributes of its node.
    """
    windows = windows_of(input, *how)
    check_not_bool("max_pool2d", input._array.dtype)
    value, where = largest(input._array, windows)
    indices = new_tensor(where)
    return record(MaxPool2DWithIndicesBackward0, (input,), (*how, indices), value), indices


@overload
def max_pool1d(
    input: TensorBase,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    ceil_mode: bool = False,
    return_indices: Literal[False] = False,
) -> TensorBase: ...
@overload
def max_pool1d(
    input: TensorBase,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    ceil_mode: bool = False,
    *,
    return_indices: Literal[True],
) -> tuple[TensorBase, TensorBase]: ...
@schema(
    "def max_pool1d(Tensor input, int[1] kernel_size, int[1]? stride=None, int[1] padding=0, "
    "int[1] dilation=1, bool ceil_mode=False, object return_indices=False)",
    "max_pool1d(Tensor input, int[1] kernel_size, int[1]? stride, int[1] padding, "
    "int[1] dilation, bool ceil_mode)",
    place="nn.functional",
)
def max_pool1d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: Any = False,
) -> Any:
    """Return the largest element of each window of sequences [N, C, L] or [C, L].

    It is `max_pool2d` of images of one row.
    """
    shape = input._array.shape
    if type(ceil_mode) is not bool:
        raise TypeError
    given = [whole_numbers(each) for each in (kernel_size, padding, dilation)]
    steps = () if stride is None else whole_numbers(stride)
    if return_indices:
        return with_places(input, *given, steps, ceil_mode)
    if len(shape) not in (2, 3) or 0 in shape[-2:]:
        raise not_images("max_pool1d: Expected 2D or 3D", shape)
    length = only_value("kernel_size", given[0], "must be an int, list of ints or")
    step = (
        only_value("stride", steps, "must be None, an int, list of ints, or") if steps else length
    )
    pad = only_value("padding", given[1], "must be an int, list of ints, or")
    gap = only_value("dilation", given[2], "must be an int, list of ints or")
    check_sequence(shape[-1], length, step, pad, gap, ceil_mode)
    check_floating("max_pool1d_impl", input._array.dtype)
    rows = apply_view(UnsqueezeBackward0, input, -2)
    found = largest_of(rows, (1, length), (1, step), (0, pad), (1, gap), ceil_mode)[0]
    return apply_view(SqueezeBackward1, found, -2)


def with_places(input: Any, *how: Any) -> tuple[TensorBase, TensorBase]:
    """Compute max_pool1d with positions: it has only the checks of max_pool2d."""
    *sizes, ceil = how
    if (rank := input._array.ndim) not in (2, 3):
        given = f"but got {rank}-dimensional tensor for argument #1 'self'"
        by = "(while checking arguments for max_pool1d)"
        raise RuntimeError(f"Expected 2 to 3 dimensions, {given} {by}")
    for name, values in zip(("kernel_size", "padding", "dilation", "stride"), sizes, strict=True):
        if len(values) != 1 and (values or name != "stride"):
            given = f"should contain one int (got {len(values)})"
            raise RuntimeError(f"max_pool1d() argument '{name}' {given}")
    (length,), (pad,), (gap,), steps = sizes
    step = steps[0] if steps else length
    rows = apply_view(UnsqueezeBackward0, input, -2)
    found, where = largest_of(rows, (1, length), (1, step), (0, pad), (1, gap), ceil)
    return apply_view(SqueezeBackward1, found, -2), apply_view(SqueezeBackward1, where, -2)


def only_value(argument: str, values: tuple[int, ...], wanted: str) -> int:
    """Return the single number in `values`; raise if there are several."""
    if len(values) != 1:
        found = f"tuple of ints of size 1 but got size {len(values)}"
        raise RuntimeError(f"max_pool1d() {argument} {wanted} {found}")
    return values[0]


def check_sequence(size: int, length: int, step: int, pad: int, gap: int, ceil: bool) -> None:
    """Raise PyTorch's errors for windows that do not fit on a sequence."""
    for argument, value in (("kernel_size", length), ("stride", step)):
        if value <= 0:
            found = f"{argument} must be greater than zero, but got {value}"
            raise RuntimeError(f"max_pool1d() {found}")
    if pad < 0:
        raise RuntimeError(f"max_pool1d() padding must be non-negative, but got {pad}")
    if pad > length // 2:
        wanted = "padding should be at most half of kernel size"
        raise RuntimeError(f"max_pool1d() {wanted}, but got padding={pad} and kernel_size={length}")
    if gap <= 0:
        raise RuntimeError(f"max_pool1d() dilation must be greater than zero, but got {gap}")
    count = Pool((1, size), (1, length), (1, step), (0, pad), (1, gap), ceil).counts[1]
    if count <= 0:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {count}")


@schema(
    "avg_pool2d(Tensor input, int[2] kernel_size, int[2] stride=None, int[2] padding=0, "
    "bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, "
    "Tensor out=None)",
    place="nn.functional",
)
def avg_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> TensorBase:
    """Return the mean of each window of images [N, C, H, W] or [C, H, W].

    Args:
        kernel_size: the window's size, one number or one for each direction; so for the next two.
        stride: the window's step; by default its size.
        padding: how far windows may extend beyond the images, into zeros.
        ceil_mode: whether a last window may be incomplete.
        count_include_pad: whether the zeros around the images count as elements.
        divisor_override: the divisor of a window's sum; by default the number of its elements.
    """
    x = input._array
    if type(ceil_mode) is not bool or type(count_include_pad) is not bool:
        raise TypeError
    if type(divisor_override) is bool:
        raise TypeError
    divisor = None if divisor_override is None else whole_number(divisor_override)
    kernel = as_pair("avg_pool2d", "kernel_size", kernel_size)
    given = stride_of("avg_pool2d", stride)
    pad = as_pair("avg_pool2d", "padding", padding)
    if divisor == 0:
        raise RuntimeError("divisor must be not zero")
    size_at(x.shape, -3)
    windows_of(input, kernel, given, pad, (1, 1), ceil_mode)
    if x.dtype != np.int64:
        check_floating("avg_pool2d", x.dtype)
    params = (kernel, given, pad, ceil_mode, count_include_pad, divisor)
    return apply(AvgPool2DBackward0, input, *params)


@schema(
    "def adaptive_avg_pool2d(Tensor input, int[2]? output_size)",
    "input.size()",
    place="nn.functional",
)
def adaptive_avg_pool2d(input: Any, output_size: Any) -> Any:
    """Return means over windows that divide images into `output_size` parts.

    Images are [N, C, H, W] or [C, H, W].

    Args:
        output_size: one number or one for each direction; None keeps a size.
    """
    shape = input._array.shape
    wanted = output_size
    if not isinstance(output_size, int):
        count = len(output_size)
        if len(shape) <= count:
            raise ValueError(f"Input dimension should be at least {count + 1}")
        kept = shape[len(shape) - count :]
        wanted = [n if w is None else w for n, w in zip(kept, output_size, strict=True)]
    try:
        sizes = whole_numbers(wanted)
    except TypeError:
        from ..public.schema import Schema  # schemas are parsed only after a failure

        call = Schema.parse("adaptive_avg_pool2d(Tensor input, int[2] output_size)")
        raise call.refusal([input, wanted], {}) or TypeError from None
    sizes = sizes * 2 if isinstance(output_size, int) else sizes
    if len(sizes) != 2:
        raise RuntimeError("adaptive_avg_pool2d: output_size must be 2")
    if min(sizes) < 0:
        found = f"greater than or equal to 0 but received {{{sizes[0]}, {sizes[1]}}}"
        raise RuntimeError(f"adaptive_avg_pool2d: elements of output_size must be {found}")
    if sizes == (1, 1):
        return mean(input, (-1, -2), keepdim=True)
    if len(shape) not in (3, 4):
        raise RuntimeError(
            f"adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got {list(shape)}"
        )
    for axis in range(len(shape) - 2, len(shape)):
        if shape[axis] == 0:
            wanted = "Expected input to have non-zero size for non-batch dimensions"
            found = f"but input has sizes {list(shape)} with dimension {axis} being empty"
            raise RuntimeError(f"adaptive_avg_pool2d(): {wanted}, {found}")
    check_floating("adaptive_avg_pool2d", input._array.dtype)
    return apply(AdaptiveAvgPool2DBackward0, input, sizes)
