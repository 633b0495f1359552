"""Padding: constants around a tensor, or copies of its own elements.

Copies are mirrored at the border, repeated from the border, or taken from the other side. Negative
numbers crop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from ...arrays.memory_formats import lay_as
from ...arrays.messages import check_not_bool
from ...core.node import TensorBase, new_tensor
from ...core.operation import ALWAYS, Operation, apply, zeros_for
from ...core.views import apply_view
from ..public.arguments import integer_tuple, number
from ..public.functions import schema
from ..shapes.copies import copy_
from ..shapes.slicing import SliceBackward0, index_along


class ConstantPadNdBackward0(Operation):
    """`value` around the elements. `pad` holds two numbers a dimension, the last one first."""

    rule = r"\bar a = g \text{ without its rim}"

    def forward(self: Any, /, pad: tuple[int, ...], value: Any) -> Any:
        around = rims(pad, self.ndim)
        shape = tuple(n + sum(rim) for n, rim in zip(self.shape, around, strict=True))
        result = np.full_like(self, value, shape=shape, order="C")
        inner, kept = (
            tuple(
                slice(max(sign * before, 0), n - max(sign * after, 0))
                for n, (before, after) in zip(sizes, around, strict=True)
            )
            for sign, sizes in ((1, shape), (-1, self.shape))
        )
        result[inner] = self[kept]
        return lay_as(result, self)

    def backward(ctx, g: Any) -> Any:
        return type(ctx).on(g, tuple(-n for n in ctx.args[0]), 0)


def rims(pad: Sequence[int], rank: int) -> list[tuple[int, int]]:
    """Return the amounts to add before and after each dimension."""
    pairs = list(zip(pad[::2], pad[1::2], strict=True))
    return [(0, 0)] * (rank - len(pairs)) + pairs[::-1]


def check_length(pad: Sequence[int], rank: int) -> None:
    """Raise PyTorch's errors for an odd number of amounts, or for too many."""
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * rank:
        wanted = "less than or equal to two times the input dimension"
        found = f"padding length {len(pad)} and input of dimension {rank}"
        raise RuntimeError(f"Padding length should be {wanted} but got {found}")


def constant_pad(input: TensorBase, pad: Sequence[int], value: Any = 0) -> TensorBase:
    """Pad `input` with `value`, as `pad` says."""
    pad = tuple(pad)
    shape = input._array.shape
    check_length(pad, len(shape))
    around = rims(pad, len(shape))
    if any(n + min(a, 0) + min(b, 0) < 0 for n, (a, b) in zip(shape, around, strict=True)):
        raise RuntimeError("narrow(): length must be non-negative.")
    return apply(ConstantPadNdBackward0, input, pad, value)


@schema("constant_pad_nd(Tensor input, int[] pad, Scalar value=0)")
def constant_pad_nd(input: Any, pad: Any, value: Any = 0) -> TensorBase:
    """Put `value` around the elements; `pad` has two numbers a dimension, the last one first.

    >>> import minigrad as mg
    >>> mg.constant_pad_nd(mg.ones(2), (1, 0))
    tensor([0., 1., 1.])
    """
    sizes, rank = integer_tuple(pad), input._array.ndim
    if len(sizes) % 2:
        wanted = "Length of pad must be even but instead it equals"
        raise RuntimeError(f"{wanted} {len(sizes)}")
    if len(sizes) > 2 * rank:
        wanted = "Length of pad should be no more than twice the number of dimensions of the input"
        found = f"Pad length is {len(sizes)}while the input has {rank}dimensions."
        raise RuntimeError(f"{wanted}. {found}")
    return constant_pad(input, sizes, number(value))


# --- Copies of the tensor's own elements


class Padding(Operation):
    """Copies of a tensor's own elements around it; `places` returns their positions."""

    inputs = ("self",)
    params = ("padding",)
    saves: ClassVar[dict[str, Any]] = {"self": ALWAYS}
    rule = r"\bar a_i = \sum_{\text{copies of } i} g"
    places: ClassVar[Callable[[int, int, int, Any], Any]]
    adjoint: ClassVar[type[Operation]]

    @classmethod
    def copies(cls, shape: Sequence[int], padding: Sequence[int], like: Any) -> list[Any]:
        """Return each padded dimension with its `places`."""
        around = list(enumerate(rims(padding, len(shape))))[-(len(padding) // 2) :]
        return [(axis, cls.places(shape[axis], *rim, like)) for axis, rim in around]

    @classmethod
    def forward(cls, self: Any, padding: Sequence[int]) -> Any:
        for axis, places in cls.copies(self.shape, padding, self):
            self = self.take(places, axis)
        return self

    def backward(ctx, g: Any) -> Any:
        return type(ctx).adjoint.on(g, ctx.saved[0], *ctx.args)


class Folding(Operation):
    """The gradient of a padding `of` a kind: gradients are added to the copied elements."""

    inputs = ("grad_output", "self")
    params = ("padding",)
    rule = r"\bar g = \bar a \text{, padded}"
    of: ClassVar[type[Padding]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.of.adjoint = cls

    @classmethod
    def forward(cls, grad_output: Any, self: Any, padding: Sequence[int]) -> Any:
        for axis, places in cls.of.copies(self.shape, padding, self):
            shape = list(grad_output.shape)
            shape[axis] = self.shape[axis]
            total = np.zeros_like(grad_output, shape=shape, order="C")
            np.add.at(total, index_along(axis, places, total.ndim), grad_output)
            grad_output = total
        return grad_output

    def backward(ctx, g: Any) -> Any:
        wrt_self = zeros_for(g, ctx.shape(1)) if ctx.needs(1) else None
        return type(ctx).of.on(g, *ctx.args) if ctx.needs(0) else None, wrt_self


def mirror(size: int, before: int, after: int, like: Any) -> Any:
    """Return the positions of elements mirrored at the first and the last one."""
    places = abs(np.arange(-before, size + after, like=like))
    return np.minimum(places, 2 * (size - 1) - places)


def clip(size: int, before: int, after: int, like: Any) -> Any:
    """Return the positions of elements with the first and the last one repeated."""
    return np.arange(-before, size + after, like=like).clip(0, size - 1)


class ReflectionPad1DBackward0(Padding):
    """Elements of sequences mirrored at the border."""

    places = mirror


class ReflectionPad1DBackwardBackward0(Folding):
    """The gradient of elements of sequences mirrored at the border."""

    of = ReflectionPad1DBackward0


class ReflectionPad2DBackward0(Padding):
    """Elements of images mirrored at the border."""

    places = mirror


class ReflectionPad2DBackwardBackward0(Folding):
    """The gradient of elements of images mirrored at the border."""

    of = ReflectionPad2DBackward0


class ReflectionPad3DBackward0(Padding):
    """Elements of volumes mirrored at the border."""

    places = mirror


class ReflectionPad3DBackwardBackward0(Folding):
    """The gradient of elements of volumes mirrored at the border."""

    of = ReflectionPad3DBackward0


class ReplicationPad1DBackward0(Padding):
    """Elements of sequences repeated from the border."""

    places = clip


class ReplicationPad1DBackwardBackward0(Folding):
    """The gradient of elements of sequences repeated from the border."""

    of = ReplicationPad1DBackward0


class ReplicationPad2DBackward0(Padding):
    """Elements of images repeated from the border."""

    places = clip


class ReplicationPad2DBackwardBackward0(Folding):
    """The gradient of elements of images repeated from the border."""

    of = ReplicationPad2DBackward0


class ReplicationPad3DBackward0(Padding):
    """Elements of volumes repeated from the border."""

    places = clip


class ReplicationPad3DBackwardBackward0(Folding):
    """The gradient of elements of volumes repeated from the border."""

    of = ReplicationPad3DBackward0


KINDS: dict[str, tuple[str, list[type[Padding]]]] = {
    "reflect": (
        "reflection_pad",
        [ReflectionPad1DBackward0, ReflectionPad2DBackward0, ReflectionPad3DBackward0],
    ),
    "replicate": (
        "replication_pad",
        [ReplicationPad1DBackward0, ReplicationPad2DBackward0, ReplicationPad3DBackward0],
    ),
}


def check_copies(mode: str, shape: Sequence[int], pad: Sequence[int]) -> None:
    """Raise PyTorch's errors for sizes that cannot be padded with copies."""
    count, rank = len(pad) // 2, len(shape)
    first = rank - count  # the first dimension that is padded
    if 0 in shape[max(rank - count - 1, 1) if rank == count + 2 else 0 :]:
        ranks = f"{count + 1}D or {count + 2}D (batch mode) tensor"
        wanted = f"possibly 0 batch size and other non-zero dimensions for input, but got: {shape}"
        raise RuntimeError(f"Expected {ranks} with {wanted}")
    around = rims(pad, rank)
    for place, axis in enumerate(reversed(range(first, rank))):
        if mode == "reflect" and max(around[axis]) >= shape[axis]:
            wanted = "Padding size should be less than the corresponding input dimension"
            found = f"padding {around[axis]} at dimension {axis} of input {shape}"
            raise RuntimeError(f"Argument #{4 + 2 * place}: {wanted}, but got: {found}")
    sizes = [n + sum(rim) for n, rim in zip(shape, around, strict=True)]
    if max(sizes[first:]) < 1:
        letters = "DHW"[-count:]
        old, new = (
            [f"{a}: {n}" for a, n in zip(letters, each[first:], strict=True)]
            for each in (shape, sizes)
        )
        given = " ".join([*old[:-2], ", ".join(old[-2:])])
        given += " " if (mode, count) == ("replicate", 2) else ""
        raise RuntimeError(f"input ({given}) is too small. Calculated output {' '.join(new)}")
    if min(sizes) < 0:
        if (mode, count) == ("reflect", 2):
            raise RuntimeError("numel: integer multiplication overflow")
        least = next(n for n in sizes if n < 0)
        raise RuntimeError(f"Trying to create tensor with negative dimension {least}: {sizes}")


def circular_pad(input: TensorBase, pad: Sequence[int]) -> TensorBase:
    """Pad `input` with elements of its other side.

    As in PyTorch they are copied into a new, empty tensor.
    """
    shape = input._array.shape
    around, first = rims(pad, len(shape)), len(shape) - len(pad) // 2
    sizes = list(shape)
    padded = list(reversed(range(first, len(shape))))
    for axis in reversed(padded):
        sizes[axis] += sum(around[axis])
        if max(around[axis]) > shape[axis]:
            raise RuntimeError("Padding value causes wrapping around more than once.")
        if sizes[axis] < 0:
            raise RuntimeError("Negative padding value is resulting in an empty dimension")

    def cut(tensor: TensorBase, axis: int, start: int, end: int) -> TensorBase:
        return apply_view(SliceBackward0, tensor, axis, start, end, 1)

    result = new_tensor(np.empty_like(input._array, shape=sizes, order="C"))
    inner, kept = result, input
    for axis in padded:
        before, after = around[axis]
        inner = cut(inner, axis, max(before, 0), sizes[axis] - max(after, 0))
        kept = cut(kept, axis, max(-before, 0), shape[axis] - max(-after, 0))
    copy_(inner, kept)
    for axis in padded:
        before, after = around[axis]
        end = sizes[axis] - max(after, 0)
        if before > 0:
            copy_(cut(result, axis, 0, before), cut(result, axis, end - before, end))
        if after > 0:
            start = max(before, 0)
            copy_(cut(result, axis, end, end + after), cut(result, axis, start, start + after))
    return result


@schema(
    'def pad(Tensor input, int[] pad, str mode="constant", float? value=None)',
    "pad(Tensor input, int[] pad, str mode, float? value)",
    place="nn.functional",
)
def pad(input: Any, pad: Any, mode: str = "constant", value: Any = None) -> TensorBase:
    """Pad `input` with constants, or with copies of its own elements.

    Args:
        pad: the amounts before and after the last dimension, then the one before it, ...
        mode: "constant", "reflect" (mirrored at the border), "replicate" (repeated from the border)
            or "circular" (from the other side).
        value: the constant, by default 0.

    >>> import minigrad as mg
    >>> mg.nn.functional.pad(mg.ones(2), (1, 2))
    tensor([0., 1., 1., 0., 0.])
    >>> mg.nn.functional.pad(mg.tensor([[1.0, 2.0, 3.0]]), (2, 0), mode="reflect")
    tensor([[3., 2., 1., 2., 3.]])
    """
    sizes, constant = integer_tuple(pad), 0 if value is None else number(value)
    if mode not in ("constant", "circular", *KINDS):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if mode == "constant":
        return constant_pad(input, sizes, constant)
    shape, count = input._array.shape, len(sizes) // 2
    check_length(sizes, len(shape))
    if constant != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    if count not in (1, 2, 3) or len(shape) not in (count + 1, count + 2):
        raise NotImplementedError(UNPADDED.format(len(sizes), len(shape)))
    if mode == "circular":
        return circular_pad(input, sizes)
    kernel, operations = KINDS[mode]
    check_copies(mode, list(shape), sizes)
    check_not_bool(f"{kernel}{count}d", input._array.dtype)
    return apply(operations[count - 1], input, sizes)


UNPADDED = (
    "Padding size {} is not supported for {}D input tensor.\n"
    "Supported combinations for non-constant padding:\n"
    "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
    "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
    "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
)
"""PyTorch's errors for a rank that cannot be padded with copies."""
