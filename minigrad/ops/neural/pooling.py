"""Pooling: a window slides over images and returns its largest element at each position.

The windows slide as those of a convolution. Only the result's size may differ, as `ceil_mode` lets
the last window extend beyond the images. Means are in averaging.py.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, ClassVar, Literal, overload

import numpy as np

from ...arrays.determinism import check_deterministic
from ...arrays.messages import check_floating, check_not_bool, type_word
from ...core.node import TensorBase, new_tensor
from ...core.operation import ALWAYS, Operation, apply, record
from ...core.views import apply_view
from ..indexing.gathering import GatherBackward0
from ..public.arguments import whole_numbers
from ..public.functions import Public, schema
from ..shapes.shapes import UnsqueezeBackward0, as_row, out_of_row
from .sliding_windows import Sizes, Windows, steps_of

COUNTS = {2: "two", 3: "three"}


class Pool(Windows):
    """The windows of pooling, and where they begin."""

    def starts(self, like: Any) -> list[Any]:
        """Return where the windows begin, in each direction."""
        return [
            np.arange(count, like=like) * step - pad
            for count, step, pad in zip(self.counts, self.stride, self.padding, strict=True)
        ]


def windows_of(name: str, input: TensorBase, kernel: Sizes, stride: Any, *how: Any) -> Pool:
    """Return the windows on images, which must fit."""
    shape, (padding, dilation, _) = input._array.shape, how
    steps, rank = stride or kernel, len(kernel)
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
    for what, start, sizes in (
        ("kernel size", "k", kernel), ("stride", "d", steps), ("dilation", "dilation", dilation),
    ):  # fmt: skip
        if min(sizes) <= 0:
            each = zip("THW"[-rank:], sizes, strict=True)
            found = " ".join(f"{start}{letter}: {n}" for letter, n in each)
            raise RuntimeError(f"{what} should be greater than zero, but got {found}")
    if rank == 3:
        check_volumes(name, shape)
    elif len(shape) not in (3, 4) or 0 in shape[-3:]:
        raise not_images("Expected 3D or 4D", shape)
    windows = Pool(shape, kernel, stride, *how)
    if name == "avg_pool3d" and any(n + 2 * p < k for n, k, _, p, _ in windows.directions()):
        image, size = (
            " ".join(f"{start}{letter}: {n}" for letter, n in zip("THW", sizes, strict=True))
            for start, sizes in (("", windows.size), ("k", windows.kernel))
        )
        raise RuntimeError(f"input image ({image}) smaller than kernel size ({size})")
    if min(windows.counts) < 1:
        channels = shape[-rank - 1]
        sizes_given, found = (
            f"({'x'.join(map(str, (channels, *sizes)))})"
            for sizes in (windows.size, windows.counts)
        )
        sizes_met = f"Given input size: {sizes_given}. Calculated output size: {found}"
        raise RuntimeError(f"{sizes_met}. Output size is too small")
    return windows


def check_volumes(name: str, shape: Sizes) -> None:
    """Raise PyTorch's error for volumes without elements."""
    name = "max_pool3d_with_indices_out_cpu_template" if name == "max_pool3d" else name
    for place, size in enumerate(shape[1 if len(shape) == 5 else 0 :]):
        if len(shape) == 5 and place == 0:
            continue
        if not size:
            wanted = "Expected input's non-batch dimensions to have positive length"
            at = place - (len(shape) == 5)
            found = f"but input has a shape of {list(shape)} and non-batch dimension {at}"
            raise RuntimeError(f"{name}(): {wanted}, {found} has length zero!")


def check_not_empty(name: str, first: int, shape: Sizes, what: str = "input") -> None:
    """Raise PyTorch's error for images that adaptive pooling cannot divide.

    Args:
        first: the first dimension that may not be empty.
    """
    for axis, size in enumerate(shape):
        if axis >= first and not size:
            wanted = f"Expected {what} to have non-zero size for non-batch dimensions"
            found = f"but {what} has sizes {list(shape)} with dimension {axis} being empty"
            raise RuntimeError(f"{name}(): {wanted}, {found}")


def not_images(wanted: str, shape: Any) -> RuntimeError:
    """Return the error for a tensor of a wrong rank, or with empty images."""
    tensor = "(batch mode) tensor with optional 0 dim batch size for input"
    return RuntimeError(f"{wanted} {tensor}, but got:{list(shape)}")


def each_way(
    name: str, rank: int, argument: str, value: Any, wanted: str = "must either be"
) -> Sizes:
    """Return one number for all directions, or one for each."""
    values = whole_numbers(value)
    if len(values) == 1:
        values *= rank
    if len(values) != rank:
        numbers = f"a single int, or a tuple of {COUNTS[rank]} ints"
        raise RuntimeError(f"{name}: {argument} {wanted} {numbers}")
    return values


def stride_of(name: str, rank: int, stride: Any) -> Any:
    """Return the window's stride; empty for the window's own size."""
    if stride is None or stride == () or stride == []:
        return ()
    either = "" if name == "avg_pool3d" else "either "
    return each_way(name, rank, "stride", stride, f"must {either}be omitted,")


def one_int(name: str, argument: str, value: Any, default: int | None = None) -> int:
    """Return the number of an argument for sequences; raise if there are several."""
    values = () if value is None and default is not None else whole_numbers(value)
    if not values and default is not None:
        return default
    if len(values) != 1:
        wanted = f"should contain one int (got {len(values)})"
        raise RuntimeError(f"{name}() argument '{argument}' {wanted}")
    return values[0]


WINDOW = ("kernel_size", "stride", "padding")


# --- Places: elements chosen by position


class Placed(Operation):
    """Every gradient added to the element from which it came.

    `_apart`: whether no two windows share an element.
    """

    inputs = ("grad_output",)
    params = ("indices", "_shape", "_apart")
    saves: ClassVar[dict[str, int]] = {"indices": ALWAYS}
    rank: ClassVar[int] = 2
    rule = r"\bar g_j = \bar{\bar a}_{i_j}"

    @classmethod
    def forward(cls, grad_output: Any, indices: Any, _shape: Sizes, _apart: bool) -> Any:
        count, size = math.prod(_shape[: -cls.rank]), math.prod(_shape[-cls.rank :])
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

    def backward(ctx, g: Any) -> Any:
        return pick(g, ctx.saved[0], ctx.rank)


def pick(images: Any, indices: Any, rank: int) -> Any:
    """Return the elements at `indices` of each image; of arrays or Tensors."""
    lead, size = images.shape[:-rank], math.prod(images.shape[-rank:])
    where = indices.reshape(*lead, math.prod(indices.shape[-rank:]))
    return GatherBackward0.on(images.reshape(*lead, size), -1, where).reshape(indices.shape)


class MaxPool2DWithIndicesBackwardBackward0(Placed):
    """Every gradient added to the largest element of its window."""


class MaxPool3DWithIndicesBackwardBackward0(Placed):
    """The same for volumes."""

    rank = 3


class AdaptiveMaxPool2DBackwardBackward0(Placed):
    """Every gradient added to the largest element of its part."""


class AdaptiveMaxPool3DBackwardBackward0(Placed):
    """The same for volumes."""

    rank = 3


# --- The largest element


class MaxPool2DWithIndicesBackward0(Operation):
    """The largest element of each window; of equal ones, the first.

    `result1` is its position among the elements of its image.
    """

    params: ClassVar[tuple[str, ...]] = (*WINDOW, "dilation", "ceil_mode", "result1")
    saves: ClassVar[dict[str, int]] = {"self": ALWAYS, "result1": ALWAYS}
    rule = r"\bar a_i = \sum_{\text{windows whose largest is } i} g"
    back: ClassVar[type[Placed]] = MaxPool2DWithIndicesBackwardBackward0

    def backward(ctx, g: Any) -> Any:
        self, result1 = ctx.saved
        return ctx.back.on(g, result1, self.shape, ctx.apart(self.shape))

    def apart(self, shape: Sizes) -> bool:
        """Return whether no two windows share an element."""
        directions = Pool(shape, *self.args[:4]).directions()
        return all(step > gap * (length - 1) for _, length, step, _, gap in directions)


class MaxPool3DWithIndicesBackward0(MaxPool2DWithIndicesBackward0):
    """The largest element of each window of volumes."""

    back = MaxPool3DWithIndicesBackwardBackward0


class AdaptiveMaxPool2DBackward0(MaxPool2DWithIndicesBackward0):
    """The largest elements of windows that divide the images into `_size` parts."""

    params = ("_size", "result1")
    back: ClassVar[type[Placed]] = AdaptiveMaxPool2DBackwardBackward0

    def backward(ctx, g: Any) -> Any:
        name = f"adaptive_max_pool{ctx.back.rank}d_backward"
        check_not_empty(name, 1, g.shape, "grad_output")
        return super().backward(g)

    def apart(self, shape: Sizes) -> bool:
        return False


class AdaptiveMaxPool3DBackward0(AdaptiveMaxPool2DBackward0):
    """The largest elements of windows that divide volumes."""

    back = AdaptiveMaxPool3DBackwardBackward0


def largest(images: Any, windows: Pool) -> tuple[Any, Any]:
    """Return the largest element of each window, and its position."""
    kind, rank = images.dtype, len(windows.kernel)
    least = -math.inf if kind.kind == "f" else np.iinfo(kind).min
    shape = (*images.shape[:-rank], *windows.counts)
    best: Any = np.full_like(images, least, shape=shape, order="C")
    winner: Any = np.zeros_like(best, dtype=np.int16)  # its number in the window, from 1
    steps, table = steps_of(windows.size), []
    for place, met in windows.parts(windows.framed(images, least)):
        table.append(sum(n * step for n, step in zip(place, steps, strict=True)))
        met = met.copy()
        better = (met > best) | (met != met)  # nan wins
        # The later winner has the larger number; selecting by a mask is ten times as slow.
        np.maximum(winner, better * np.int16(len(table)), out=winner)
        np.maximum(best, met, out=best)
    starts = windows.starts(images)
    # If nothing exceeds the least number, the first element on the image wins.
    skip = [np.maximum(-(s // gap), 0) for s, gap in zip(starts, windows.dilation, strict=True)]
    first = outer_sum([n * step for n, step in zip(skip, steps_of(windows.kernel), strict=True)])
    winner = np.where(winner == 0, first, winner - 1)
    where = np.array(table, np.int64, like=winner)[winner]
    where += outer_sum([start * step for start, step in zip(starts, steps, strict=True)])
    return best, where


def outer_sum(each: list[Any]) -> Any:
    """Return the sums of one element of each array, in a direction for each."""
    total = each[0]
    for array in each[1:]:
        total = total[..., None] + array
    return total


def largest_of_parts(images: Any, sizes: Sizes) -> tuple[Any, Any]:
    """Return the largest element of each part of images that are divided, and its position."""
    rank = len(sizes)
    each = list(zip(images.shape[-rank:], sizes, strict=True))
    spans = [even_parts(size, count, images) for size, count in each]
    widths = [
        max((-(-(i + 1) * size // count) - i * size // count for i in range(count)), default=0)
        for size, count in each
    ]
    steps = steps_of(images.shape[-rank:])
    lead = images.shape[:-rank]
    flat = images.reshape(*lead, math.prod(images.shape[-rank:]))
    first = outer_sum([start * step for (start, _), step in zip(spans, steps, strict=True)])
    best = flat.take(first, axis=-1)
    where = first + np.zeros_like(best, dtype=np.int64)
    for offsets in itertools.product(*map(range, widths)):
        rows = zip(spans, offsets, steps, strict=True)
        places = outer_sum([np.minimum(a + n, z - 1) * step for (a, z), n, step in rows])
        met = flat.take(places, axis=-1)
        better = (met > best) | (met != met)
        best, where = np.where(better, met, best), np.where(better, places, where)
    return best, where


def even_parts(size: int, count: int, like: Any) -> tuple[Any, Any]:
    """Return where windows begin and end that divide `size` elements into `count` parts."""
    part = np.arange(count, like=like)
    return part * size // count, -(-(part + 1) * size // count)


# --- Public functions


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
    how = (kernel_size, stride, padding, dilation, ceil_mode)
    return max_pool(2, input, *how, return_indices)


def max_pool(
    rank: int,
    input: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    ceil_mode: bool,
    return_indices: Any,
) -> Any:
    """Check the arguments for images or volumes, and return the largest elements."""
    name = f"max_pool{rank}d"
    if type(ceil_mode) is not bool:
        raise TypeError
    kernel = each_way(name, rank, "kernel_size", kernel_size)
    given = stride_of(name, rank, stride)
    pad = each_way(name, rank, "padding", padding)
    gap = each_way(name, rank, "dilation", dilation, "must be either")
    if input._array.ndim not in (rank + 1, rank + 2):
        ranks = f"{rank + 1}D or {rank + 2}D"
        raise RuntimeError(f"non-empty {ranks} (batch mode) tensor expected for input")
    found = largest_of(input, kernel, given, pad, gap, ceil_mode)
    return found if return_indices else found[0]


def largest_of(input: Any, *how: Any) -> tuple[TensorBase, TensorBase]:
    """Return the largest element of each window of images, recorded, and its position.

    `how` holds the attributes of its node.
    """
    name = f"max_pool{len(how[0])}d"
    windows = windows_of(name, input, *how)
    check_not_bool(name, input._array.dtype)
    value, where = largest(input._array, windows)
    indices = new_tensor(where)
    return record(LARGEST[name], (input,), (*how, indices), value), indices


LARGEST: dict[str, type[Operation]] = {
    "max_pool2d": MaxPool2DWithIndicesBackward0,
    "max_pool3d": MaxPool3DWithIndicesBackward0,
    "adaptive_max_pool2d": AdaptiveMaxPool2DBackward0,
    "adaptive_max_pool3d": AdaptiveMaxPool3DBackward0,
}


@schema(
    "def max_pool3d(Tensor input, int[3] kernel_size, int[3]? stride=None, int[3] padding=0, "
    "int[3] dilation=1, bool ceil_mode=False, object return_indices=False)",
    "max_pool3d(Tensor input, int[3] kernel_size, int[3]? stride, int[3] padding, "
    "int[3] dilation, bool ceil_mode)",
    place="nn.functional",
)
def max_pool3d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: Any = False,
) -> Any:
    """Return the largest element of each window of volumes [N, C, D, H, W].

    The arguments are those of `max_pool2d`.
    """
    how = (kernel_size, stride, padding, dilation, ceil_mode)
    return max_pool(3, input, *how, return_indices)


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
    rows = as_row("max_pool1d", input)
    return out_of_row(largest_of(rows, (1, length), (1, step), (0, pad), (1, gap), ceil_mode)[0])


def with_places(input: Any, *how: Any) -> tuple[TensorBase, TensorBase]:
    """Compute max_pool1d with positions: it has only the checks of max_pool2d."""
    kernel, padding, dilation, stride, ceil = how
    rows = as_row("max_pool1d", input)
    length = one_int("max_pool1d", "kernel_size", kernel)
    pad = one_int("max_pool1d", "padding", padding)
    gap = one_int("max_pool1d", "dilation", dilation)
    step = one_int("max_pool1d", "stride", stride, length)
    found, where = largest_of(rows, (1, length), (1, step), (0, pad), (1, gap), ceil)
    return out_of_row(found), out_of_row(where)


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


# --- Adaptive pooling


def adaptive_max_pool(rank: int, text: str) -> Public:
    """Make the function for images or volumes; `text` is its docstring."""
    name = f"adaptive_max_pool{rank}d"

    def body(input: Any, output_size: Any, return_indices: Any = False) -> Any:
        sizes = sizes_in(name, rank, input, output_size)
        if len(sizes) != rank:
            raise RuntimeError(f"{name}(): internal error: output_size.size() must be {rank}")
        found = largest_parts(name, input, sizes)
        return found if return_indices else found[0]

    body.__doc__ = text
    first = f"def {name}(Tensor input, int[{rank}]? output_size, object return_indices=False)"
    return schema(first, "input.size()", place="nn.functional")(body)


def sizes_in(name: str, rank: int, input: TensorBase, given: Any) -> Sizes:
    """Return the wanted size in each direction, where None keeps a size."""
    shape, wanted, times = input._array.shape, given, rank
    if not isinstance(given, int):
        count, times = len(given), 1
        if len(shape) <= count:
            raise ValueError(f"Input dimension should be at least {count + 1}")
        kept = shape[len(shape) - count :]
        wanted = [n if w is None else w for n, w in zip(kept, given, strict=True)]
    try:
        return whole_numbers(wanted) * times
    except TypeError:
        from ..public.schema import Schema  # schemas are parsed only after a failure

        call = Schema.parse(f"{name}(Tensor input, int[{rank}] output_size)")
        raise call.refusal([input, wanted], {}) or TypeError from None


def largest_parts(name: str, input: TensorBase, sizes: Sizes) -> tuple[TensorBase, TensorBase]:
    """Return the largest element of each part, recorded, and its position."""
    shape, rank = input._array.shape, len(sizes)
    if len(shape) not in (rank + 1, rank + 2):
        ranks = f"Expected {rank + 1}D or {rank + 2}D tensor"
        raise RuntimeError(f"{name}(): {ranks}, but got: {list(shape)}")
    check_not_empty(name, len(shape) - rank, shape)
    if min(sizes) < 0:
        made = [*shape[: len(shape) - rank], *sizes]
        wrong = f"Trying to create tensor with negative dimension {min(sizes)}"
        raise RuntimeError(f"{wrong}: {made}")
    check_floating(name if rank == 2 else f"{name}_cpu", input._array.dtype)
    value, where = largest_of_parts(input._array, sizes)
    indices = new_tensor(where)
    return record(LARGEST[name], (input,), (sizes, indices), value), indices


adaptive_max_pool2d = adaptive_max_pool(
    2,
    """Return the largest elements of windows that divide images into `output_size` parts.

    Args:
        output_size: one number or one for each direction; None keeps a size.
        return_indices: also return the position of each element in its image.

    >>> import minigrad as mg
    >>> mg.nn.functional.adaptive_max_pool2d(mg.tensor([[[1.0, 2.0], [4.0, 3.0]]]), 1)
    tensor([[[4.]]])
    """,
)
adaptive_max_pool3d = adaptive_max_pool(
    3, "Return the largest elements of windows that divide volumes into `output_size` parts."
)


@schema(
    "def adaptive_max_pool1d(Tensor input, int[1] output_size, object return_indices=False)",
    "adaptive_max_pool1d(Tensor input, int[1] output_size)",
    place="nn.functional",
)
def adaptive_max_pool1d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """Return the largest elements of windows that divide sequences into `output_size` parts."""
    name = "adaptive_max_pool1d"
    shape = input._array.shape
    rows = as_row(name, input)
    size = one_int(name, "output_size", output_size)
    check_not_empty(name, len(shape) - 1, shape)
    found, where = largest_parts("adaptive_max_pool2d", rows, (1, size))
    return (out_of_row(found), out_of_row(where)) if return_indices else out_of_row(found)


# --- The way back


class MaxUnpool2DBackward0(Operation):
    """Elements put at their positions in images of `output_size`, and zeros elsewhere."""

    inputs = ("self",)
    params: ClassVar[tuple[str, ...]] = ("indices", "output_size")
    saves: ClassVar[dict[str, int]] = {"indices": ALWAYS}
    rank: ClassVar[int] = 2
    rule = r"\bar a_j = g_{i_j}"

    @classmethod
    def forward(cls, self: Any, indices: Any, output_size: Sizes) -> Any:
        lead = self.shape[: -cls.rank]
        count, size = math.prod(lead), math.prod(output_size)
        result = np.zeros_like(self, shape=(count, size), order="C")
        where = indices.reshape(count, math.prod(indices.shape[-cls.rank :]))
        if not size:
            return result.reshape(*lead, *output_size)
        result[np.arange(count, like=where)[:, None], where] = self.reshape(where.shape)
        return result.reshape(*lead, *output_size)

    def backward(ctx, g: Any) -> Any:
        (indices,) = ctx.saved
        if indices.size and 0 in g.shape:
            found = f"index {indices.flat[0]} is out of bounds for dimension {g.ndim - ctx.rank}"
            raise RuntimeError(f"{found} with size 0")
        return pick(g, indices, ctx.rank)


class MaxUnpool3DBackward0(MaxUnpool2DBackward0):
    """Elements put at their positions in volumes."""

    rank = 3


def unpool(rank: int, text: str) -> Public:
    """Make the function for sequences, images or volumes; `text` is its docstring."""
    name, each = f"max_unpool{rank}d", f"int[{rank}]"

    def body(
        input: Any,
        indices: Any,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        output_size: Any = None,
    ) -> Any:
        kernel, steps, pad = (
            tuple(value) if hasattr(value, "__iter__") else (value,) * rank
            for value in (kernel_size, kernel_size if stride is None else stride, padding)
        )
        sizes = unpooled_size(rank, input._array.shape, kernel, steps, pad, output_size)
        check_deterministic(f"max_unpooling{max(rank, 2)}d_forward_out")
        if rank == 1:
            columns = [apply_view(UnsqueezeBackward0, x, -1) for x in (input, indices)]
            return out_of_row(put(columns[0], columns[1], (*sizes, 1)), -1)
        return put(input, indices, sizes, *([steps, pad] if rank == 3 else []))

    body.__doc__ = text
    inside = ["input.size()", f"{name}(Tensor input, Tensor indices)"]
    if rank == 1:
        inside[1:] = ["indices.unsqueeze()"]
    return schema(
        f"def {name}(Tensor input, Tensor indices, {each} kernel_size, {each}? stride=None, "
        f"{each} padding=0, int[]? output_size=None)",
        *inside,
        place="nn.functional",
    )(body)


def unpooled_size(
    rank: int, sizes: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, wanted: Any
) -> Sizes:
    """Return the size before pooling: the usual one, or the wanted one if it is possible."""
    count = len(kernel)
    usual = tuple(
        [
            (sizes[d - count] - 1) * stride[d] + kernel[d] - 2 * padding[d]  # or an IndexError
            for d in range(count)
        ]
    )
    if wanted is None:
        check_not_negative(usual)
        return usual
    given = tuple(wanted)
    if len(given) == rank + 2:
        given = given[2:]
    if len(given) != rank:
        raise ValueError(
            "output_size should be a sequence containing "
            f"{rank} or {rank + 2} elements, but it has a length of '{len(given)}'"
        )
    for axis, (n, step, size) in enumerate(zip(usual, stride, given, strict=True)):
        if not n - step < size < n + step:
            raise ValueError(
                f'invalid output_size "{given}" (dim {axis} must be between {n - step} and '
                f"{n + step})"
            )
    return given


def check_not_negative(sizes: Sizes) -> None:
    """Raise for the first negative size."""
    for axis, size in enumerate(sizes):
        if size < 0:
            wanted = "output_size must contain non-negative spatial dimensions"
            raise ValueError(f"max_unpooling: {wanted}, but got output_size[{axis}]={size}")


def check_integers(name: str, argument: str, values: Sequence[Any], place: int) -> None:
    """Raise for a number that is not an integer; a bool counts as one, but not at the beginning."""
    for at, value in enumerate(values):
        kind = type(value)
        if (kind is bool and not at) or not issubclass(kind, int):
            start = f"{name}(): argument '{argument}'"
            if at:
                found = f'"type must be tuple of ints,but got {kind.__name__}"'
                raise TypeError(
                    f"{start} failed to unpack the object at pos {at + 1} with error {found}"
                )
            found = f"but found element of type {kind.__name__} at pos 0"
            raise TypeError(f"{start} (position {place}) must be tuple of ints, {found}")


def put(
    input: TensorBase, indices: TensorBase, sizes: Sizes, stride: Any = None, padding: Any = ()
) -> TensorBase:
    """Check the arguments, and put each element at its position, in volumes if there are steps."""
    x, where, rank = input._array, indices._array, 2 if stride is None else 3
    given = ("output_size", sizes), ("stride", stride or ()), ("padding", padding)
    for place, (argument, values) in enumerate(given, 3):
        check_integers(f"max_unpool{rank}d", argument, values, place)
    if where.dtype != np.int64:
        found = f" but got: {type_word(where.dtype)}" if rank == 2 else ""
        raise RuntimeError(f"elements in indices should be type int64{found}")
    if len(sizes) != rank:
        wanted = ("two elements (height, width)", "three elements (depth, height, width)")[rank - 2]
        found = f"but got {len(sizes)} elements"
        raise RuntimeError(f"There should be exactly {wanted} in output_size, {found}.")
    if x.ndim not in (rank + 1, rank + 2):
        ranks = f"{rank + 1}d or {rank + 2}d"
        raise RuntimeError(
            f"Input to max_unpooling{rank}d should be a {ranks} Tensor, but got a tensor with "
            f"{x.ndim} dimensions."
        )
    if x.shape != where.shape:
        wanted = "Expected shape of indices to be same as that of the input tensor"
        found = f"({list(x.shape)}) but got indices tensor with shape: {list(where.shape)}"
        raise RuntimeError(f"{wanted} {found}")
    if stride is not None and min(stride) <= 0:
        raise RuntimeError(f"strides should be greater than zero, but got stride: {list(stride)}")
    check_not_negative(sizes)
    check_floating(f"max_unpool{rank}d", x.dtype)
    outside = where[(where < 0) | (where >= math.prod(sizes))]
    if outside.size and 0 not in sizes:
        shown = "x".join(map(str, sizes))
        raise RuntimeError(
            f"Found an invalid max index: {outside.flat[-1]} (output volumes are of size {shown})"
        )
    return apply(MaxUnpool2DBackward0 if rank == 2 else MaxUnpool3DBackward0, input, indices, sizes)


max_unpool1d = unpool(1, "Put the largest elements of sequences back to their positions.")
max_unpool2d = unpool(
    2,
    """Put the largest elements of images back to their positions, among zeros.

    Args:
        indices: the positions that `max_pool2d` returns.
        kernel_size: the window's size in that call; so for the next two.
        output_size: one of the sizes that the images may have had.

    >>> import minigrad as mg
    >>> largest, where = mg.nn.functional.max_pool2d(
    ...     mg.tensor([[[1.0, 2.0], [4.0, 3.0]]]), 2, return_indices=True)
    >>> mg.nn.functional.max_unpool2d(largest, where, 2)
    tensor([[[0., 0.],
             [4., 0.]]])
    """,
)
max_unpool3d = unpool(3, "Put the largest elements of volumes back to their positions.")
