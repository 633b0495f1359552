"""Transposed convolution: each element of the input adds a scaled kernel to the result.

It is the gradient of a convolution, and its own gradient is a convolution. So each of its gradients
is computed by convolution.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.float16 import widened
from ...arrays.messages import check_not_bool, check_same_type, not_implemented, type_word
from ...core.node import TensorBase
from ...core.operation import apply
from ...core.views import apply_view
from ..public.arguments import whole
from ..public.functions import Public, schema
from ..shapes.shapes import SqueezeBackward1, UnsqueezeBackward0
from . import convolution as forwards
from .convolution import by_rank
from .sliding_windows import Sizes, one_each


class ConvolutionBackward0(forwards.ConvolutionBackward0):
    """Kernels of `weight`, each scaled by an element of `input`, added up with `bias`.

    input [N, channels in, *sizes], weight [channels in, channels out / groups, *kernel].
    """

    params = ("stride", "padding", "dilation", "output_padding", "groups")
    rule = r"\bar x = W \star g, \qquad \bar W = g \star x, \qquad \bar b = \sum_{\text{places}} g"
    _saved_transposed = True

    @widened
    def forward(input: Any, weight: Any, bias: Any, *how: Any) -> Any:
        stride, padding, dilation, output_padding, groups = how
        sizes = sizes_of_result(input.shape[2:], weight.shape[2:], *how[:-1])
        shape = (input.shape[0], weight.shape[1] * groups, *sizes)
        input = with_room(input, stride, output_padding)
        result = forwards.wrt_images(input, shape, weight, stride, padding, dilation, groups)
        result = result if result.flags.c_contiguous else result.copy()
        if bias is not None:
            result += bias.astype(result.dtype, copy=False).reshape(-1, *[1] * len(sizes))
        return result


class ConvolutionBackwardBackward0(forwards.ConvolutionBackwardBackward0):
    """The gradients of a transposed convolution's input and weight, where they are `wanted`."""

    params = (*ConvolutionBackward0.params, "_wanted")
    of = ConvolutionBackward0

    @widened
    def forward(grad_output: Any, input: Any, weight: Any, *how: Any) -> Any:
        stride, padding, dilation, output_padding, groups, wanted = how
        plain = (stride, padding, dilation, groups)
        gradients = []
        if wanted[0]:
            full = forwards.ConvolutionBackward0.forward(grad_output, weight, None, *plain)
            gradients.append(full[tuple([slice(n) for n in input.shape])])
        if wanted[1]:
            input = with_room(input, stride, output_padding)
            gradients.append(forwards.wrt_weight(input, grad_output, weight.shape, *plain))
        return tuple(gradients)


ConvolutionBackward0.twice = ConvolutionBackwardBackward0


def sizes_of_result(
    sizes: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, extra: Sizes
) -> Sizes:
    """Return the size of the result in each direction."""
    each = zip(sizes, kernel, stride, padding, dilation, extra, strict=True)
    return tuple(
        [(n - 1) * step - 2 * pad + gap * (k - 1) + more + 1 for n, k, step, pad, gap, more in each]
    )


def with_room(input: Any, stride: Sizes, extra: Sizes) -> Any:
    """Return `input` with zeros at its end.

    Output padding of a stride or more adds positions for which the input has no element.
    """
    more = [n // step for n, step in zip(extra, stride, strict=True)]
    return np.pad(input, [(0, 0), (0, 0), *[(0, n) for n in more]]) if any(more) else input


# --- Public functions


def convolve(rank: int, text: str) -> Public:
    """Make the function for sequences, images or volumes; `text` is its docstring."""
    name, each = f"conv_transpose{rank}d", f"int[{rank}]"

    def body(
        input: Any,
        weight: Any,
        bias: Any = None,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        dilation: Any = 1,
    ) -> TensorBase:
        how = (stride, padding, dilation, output_padding)
        return convolve_transposed(name, rank, input, weight, bias, how, groups)

    body.__doc__ = text
    return schema(
        f"{name}(Tensor input, Tensor weight, Tensor? bias=None, {each} stride=1, {each} padding=0,"
        f" {each} output_padding=0, int groups=1, {each} dilation=1)"
    )(body)


conv_transpose1d = convolve(
    1, "Convolve sequences transposed: input [N, C, L] or [C, L], weight [C, O / groups, K]."
)
conv_transpose2d = convolve(
    2,
    """Convolve images transposed: input [N, C, H, W] or [C, H, W], weight [C, O / groups, KH, KW].

    Args:
        stride: the distance of positions in the result, one number or one for each direction; so
            for the next two, and the dilation.
        padding: how much is cut off on every side of the result.
        output_padding: how much is added to it, on one side.
        groups: the number of independent parts of the channels.
        dilation: the distance of the kernel's elements.

    >>> import minigrad as mg
    >>> mg.nn.functional.conv_transpose2d(mg.ones(1, 1, 2, 2), mg.ones(1, 1, 2, 2))
    tensor([[[[1., 2., 1.],
              [2., 4., 2.],
              [1., 2., 1.]]]])
    """,
)
conv_transpose3d = convolve(3, "Convolve volumes transposed: input [N, C, D, H, W].")


def convolve_transposed(
    name: str, rank: int, input: Any, weight: Any, bias: Any, how: tuple[Any, ...], groups: Any
) -> TensorBase:
    """Convolve transposed: check, and treat single images as a batch."""
    shape, directions = input._array.shape, weight._array.ndim - 2
    groups = whole(groups)
    given = [by_rank(each, rank) for each in how]
    forwards.check_ranks(name, rank, shape, directions)
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    names = ("stride", "padding", "dilation", "output_padding")
    pairs = zip(names, given, strict=True)
    stride, padding, dilation, extra = (one_each(each, n, directions) for each, n in pairs)
    alone = len(shape) == rank + 1
    batch = apply_view(UnsqueezeBackward0, input, 0) if alone else input
    check_operands(batch, weight, bias, stride, padding, dilation, extra, groups)
    params = (stride, padding, dilation, extra, groups)
    result = apply(ConvolutionBackward0, batch, weight, bias, *params)
    return apply_view(SqueezeBackward1, result, 0) if alone else result


def check_operands(input: TensorBase, weight: Any, bias: Any, *how: Any) -> None:
    """Raise PyTorch's errors for operands that do not fit together."""
    stride, padding, dilation, extra, groups = how
    x, w = input._array.shape, weight._array.shape
    for name, sizes in (("padding", padding), ("output_padding", extra)):
        if min(sizes) < 0:
            raise RuntimeError(f"negative {name} is not supported")
    if min(stride) <= 0:
        raise RuntimeError("non-positive stride is not supported")
    check_dilation(dilation)
    if w[0] < groups or w[0] % groups:
        rule = f"divisible by {groups}" if w[0] >= groups else f"at least {groups}"
        shown = [list(w)] if w[0] >= groups else list(w)
        wanted = f"Given groups={groups}, expected weight to be {rule} at dimension 0"
        raise RuntimeError(f"{wanted}, but got weight of size {shown} instead")
    given = "Given transposed=1"
    if x[1] != w[0]:
        wanted = f"weight of size {list(w)}, expected input{list(x)} to have {w[0]} channels"
        raise RuntimeError(f"{given}, {wanted}, but got {x[1]} channels instead")
    if bias is not None and bias._array.shape != (w[1] * groups,):
        wanted = f"expected bias to be 1-dimensional with {w[1] * groups} elements"
        found = f"but got bias of size {list(bias._array.shape)} instead"
        raise RuntimeError(f"{given}, weight of size {list(w)}, {wanted}, {found}")
    images = input._array
    flat = (1,) * (4 - len(x))  # sequences are images of one row
    words = ("depth", "height", "width")[-max(2, len(stride)) :]
    kernel = f"slow_conv_transpose{len(words)}d_out_cpu"
    if len(words) == 3 and images.dtype.kind != "f" and images.dtype != np.int64:
        raise not_implemented(kernel, images.dtype)
    check_types(images, weight._array, None if bias is None else bias._array, len(words))
    spare = zip(extra, stride, dilation, strict=True)
    if x[0] and any(n >= step and n >= gap for n, step, gap in spare):
        found = " ".join(
            f"{name}_{side}: {n}"
            for name, sizes, missing in (
                ("output_padding", extra, 0), ("stride", stride, 1), ("dilation", dilation, 1),
            )
            for side, n in zip(words, ([missing, *sizes])[-len(words) :], strict=True)
        )  # fmt: skip
        wanted = "output padding must be smaller than either stride or dilation"
        raise RuntimeError(f"{wanted}, but got {found}")
    shape = [w[0] // groups, w[1], *flat, *w[2:]]
    if len(words) == 3 and 0 in w[1:]:
        planes = "5D (n_output_plane x n_input_plane x kernel_depth x kernel_height x kernel_width)"
        raise RuntimeError(f"non-empty {planes} tensor expected for weight, but got: {shape}")
    if 0 in w[2:]:
        found = forwards.shown_kernel(w)
        raise RuntimeError(f"kernel size should be greater than zero, but got{found}")
    if not w[1]:
        raise RuntimeError(f"non-empty 2D or 4D weight tensor expected, but got: {shape}")
    sizes = sizes_of_result(x[2:], w[2:], stride, padding, dilation, extra)
    if min(sizes) <= 0:
        given, made = (" x ".join(map(str, flat + each)) for each in (x[2:], sizes))
        wanted = f"Given input size per channel: ({given}). Calculated output size per channel:"
        raise RuntimeError(f"{wanted} ({made}). Output size is too small")
    check_not_bool(kernel, images.dtype)
    if images.dtype.kind in "iu" and images.dtype != np.int64:
        raise not_implemented(kernel, images.dtype)


def check_dilation(dilation: Sizes) -> None:
    """Raise PyTorch's errors for elements of a kernel that are not apart."""
    if min(dilation) <= 0:
        each = zip(("depth", "height", "width"), dilation, strict=False)
        sides = ", ".join(f"dilation_{side}: {n}" for side, n in each)
        volumes = len(dilation) == 3 and not min(dilation)
        found = f", but got {sides}" if volumes else ""
        raise RuntimeError(f"dilation should be greater than zero{found}")


def check_types(x: Any, weight: Any, bias: Any, rank: int) -> None:
    """Raise PyTorch's errors for operands of several dtypes.

    A bias may have another one where the kernel for float32 is not used.
    """
    if rank == 3:
        for other in (weight, bias):
            if other is not None:
                check_same_type(x, other, "expected scalar type {} but found {}")
    elif x.dtype != np.float32:
        check_same_type(x, weight, "expected scalar type {} but found {}")
    for name, other in (("weight", weight), ("bias", bias)):
        if rank == 2 and x.dtype == np.float32 and other is not None and other.dtype != x.dtype:
            types = [f"torch.{type_word(each.dtype)}Tensor" for each in (x, other)]
            wrong = f"Input type ({types[0]}) and {name} type ({types[1]}) should be the same"
            cure = f"input should be a MKLDNN tensor and {name} is a dense tensor"
            raise RuntimeError(f"{wrong} or {cure}")
