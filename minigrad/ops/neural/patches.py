"""Patches of images as columns of a matrix (`unfold`), and their sum in an image (`fold`)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from ...arrays.messages import not_implemented
from ...core.node import TensorBase
from ...core.operation import apply
from ..public.arguments import integer_tuple
from ..public.dims import size_at
from ..public.functions import schema
from ..public.kinds import ShapeOperation
from ..public.schema import Schema
from .sliding_windows import Sizes, Windows

How = tuple[Sizes, Sizes, Sizes, Sizes]
"""Sizes of the window, dilation, padding and stride."""


def windows(size: Sizes, how: How) -> Windows:
    """Return the windows on images of a size."""
    kernel, dilation, padding, stride = how
    return Windows(size, kernel, stride, padding, dilation)


class Im2ColBackward0(ShapeOperation):
    """Images [N, C, H, W]; each column of the result is a patch, flattened."""

    params: ClassVar[tuple[str, ...]] = ("kernel_size", "dilation", "padding", "stride")
    rule = r"\bar a = \text{fold}(g)"

    def forward(self: Any, *how: Any) -> Any:
        made = windows(self.shape[-2:], how)
        parts = [part for _, part in made.parts(made.framed(self))]
        *lead, channels, _, _ = self.shape
        stacked = np.stack(parts, len(lead) + 1)
        return stacked.reshape(*lead, channels * len(parts), math.prod(made.counts))

    def backward(ctx, g: Any) -> Any:
        return Col2ImBackward0.on(g, ctx.shape()[-2:], *ctx.args)


class Col2ImBackward0(ShapeOperation):
    """Patches added up in images of `_output_size`."""

    params: ClassVar[tuple[str, ...]] = (
        "_output_size", "kernel_size", "dilation", "padding", "stride",
    )  # fmt: skip
    rule = r"\bar a = \text{unfold}(g)"

    def forward(self: Any, _output_size: Sizes, *how: Any) -> Any:
        made = windows(_output_size, how)
        *lead, rows, _ = self.shape
        count = math.prod(made.kernel)
        frame = made.frame(self, (*lead, rows // count))
        columns = self.reshape(*lead, rows // count, count, *made.counts)
        for number, (_, part) in enumerate(made.parts(frame)):
            part += columns[..., number, :, :]
        return made.unframed(frame).copy()

    def backward(ctx, g: Any) -> Any:
        return Im2ColBackward0.on(g, *ctx.args[1:])


NAMES = ("kernel_size", "dilation", "padding", "stride")


IM2COL = Schema(f"im2col(Tensor input, {', '.join(f'int[2] {name}' for name in NAMES)})")
COL2IM = Schema(
    f"col2im(Tensor input, {', '.join(f'int[2] {name}' for name in ('output_size', *NAMES))})"
)
"""The calls inside of `unfold` and `fold`, which get two numbers for one."""


def pairs_of(call: Schema, input: Any, given: tuple[Any, ...]) -> list[Sizes]:
    """Return two numbers for each argument.

    Raises:
        TypeError: the error of the call inside for something else.
        RuntimeError: there are not two numbers.
    """
    pairs = [tuple(each) if isinstance(each, Iterable) else (each, each) for each in given]
    try:
        found = [integer_tuple(each) for each in pairs]
    except TypeError as error:
        raise (call.refusal([input, *pairs], {}) or error) from None
    for parameter, sizes in zip(call.overloads[0].parameters[1:], found, strict=True):
        if len(sizes) != 2:
            wanted = f"It is expected {parameter.name} equals to 2"
            raise RuntimeError(f"{wanted}, but got size {len(sizes)}")
    return found


def checked(found: list[Sizes]) -> How:
    """Return the sizes, or raise PyTorch's errors for numbers that are too small."""
    for (argument, least), (high, wide) in zip(
        (("kernel size", 1), ("dilation", 1), ("padding", 0), ("stride", 1)), found, strict=True
    ):
        if min(high, wide) < least:
            word = {"kernel size": "kernel", "padding": "pad"}.get(argument, argument)
            wanted = "greater than zero" if least else "non-negative"
            sizes_given = f"{word}_height: {high} {word}_width: {wide}"
            raise RuntimeError(f"{argument} should be {wanted}, but got {sizes_given}")
    return found[0], found[1], found[2], found[3]


def check_kind(kernel: str, input: Any) -> None:
    """Raise if the elements are neither floating-point numbers nor bools."""
    if input._array.dtype.kind not in "fb":
        raise not_implemented(kernel, input._array.dtype)


def shown(how: tuple[Sizes, ...]) -> str:
    """Return the arguments as PyTorch's errors show them."""
    pairs = zip(NAMES, how, strict=False)
    return ", ".join(f"{name}=({high}, {wide})" for name, (high, wide) in pairs)


@schema(
    "def unfold(Tensor input, int[2] kernel_size, int[2] dilation=1, int[2] padding=0, "
    "int[2] stride=1)",
    "im2col(Tensor input)",
    place="nn.functional",
)
def unfold(
    input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> TensorBase:
    """Return the patches under a sliding window as columns.

    `input` has the shape [N, C, H, W] or [C, H, W], the result [N, C * size of a patch, patches].

    >>> import minigrad as mg
    >>> mg.nn.functional.unfold(mg.arange(6.0).view(1, 2, 3), 2)
    tensor([[0., 1.],
            [1., 2.],
            [3., 4.],
            [4., 5.]])
    """
    how = checked(pairs_of(IM2COL, input, (kernel_size, dilation, padding, stride)))
    shape = input._array.shape
    check_kind("im2col_out_cpu", input)
    size_at(shape, 1)
    if len(shape) not in (3, 4) or 0 in shape[len(shape) - 3 :]:
        wanted = "3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero"
        raise RuntimeError(f"Expected {wanted} dimensions for input, but got: {list(shape)}")
    counts = windows(shape[-2:], how).counts
    if min(counts) < 1:
        given = f"input with spatial size ({shape[-2]}, {shape[-1]}), {shown(how[:3])}"
        blocks = f"shape of the array of sliding blocks as ({counts[0]}, {counts[1]})"
        end = "but its components must be at least one."
        raise RuntimeError(f"Given {given}, calculated {blocks}, {end}")
    return apply(Im2ColBackward0, input, *how)


@schema(
    "def fold(Tensor input, int[2] output_size, int[2] kernel_size, int[2] dilation=1, "
    "int[2] padding=0, int[2] stride=1)",
    "col2im(Tensor input)",
    place="nn.functional",
)
def fold(
    input: Any,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> TensorBase:
    """Add up patches, the columns of `input`, in images of `output_size`.

    `input` has the shape [N, C * size of a patch, patches] or has no N.

    >>> import minigrad as mg
    >>> mg.nn.functional.fold(mg.ones(4, 2), (2, 3), 2)
    tensor([[[1., 2., 1.],
             [1., 2., 1.]]])
    """
    given = (output_size, kernel_size, dilation, padding, stride)
    size, *rest = pairs_of(COL2IM, input, given)
    how, shape = checked(rest), input._array.shape
    if len(shape) not in (2, 3) or 0 in shape[len(shape) - 2 :]:
        wanted = "2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero"
        raise RuntimeError(f"Expected {wanted} dimensions for input, but got: {list(shape)}")
    patch = math.prod(how[0])
    if shape[-2] % patch:
        wanted = "size of input's dimension 1 to be divisible by the product of kernel_size"
        found = f"input.size(1)={shape[-2]} and kernel_size=({how[0][0]}, {how[0][1]})."
        raise RuntimeError(f"Expected {wanted}, but got {found}")
    counts = windows(size, how).counts
    sizes = f"output_size=({size[0]}, {size[1]}), {shown(how)}"
    if math.prod(counts) != shape[-1]:
        product = f"{counts[0]} * {counts[1]} = {math.prod(counts)}"
        raise RuntimeError(
            f"Given {sizes}, expected size of input's dimension 2 to match the calculated number "
            f"of sliding blocks {product}, but got input.size(2)={shape[-1]}."
        )
    if min(counts) < 1:
        blocks = f"shape of the array of sliding blocks as ({counts[0]}, {counts[1]})"
        raise RuntimeError(f"Given {sizes}, calculated {blocks}, which is too small (non-positive)")
    check_kind("col2im_out_cpu", input)
    return apply(Col2ImBackward0, input, size, *how)
