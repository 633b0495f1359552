"""Shuffles of channels: among themselves, and between channels and pixels."""

from __future__ import annotations

from typing import Any

from ...arrays.memory_formats import lay_as
from ...core.node import TensorBase
from ...core.operation import apply
from ..public.dims import whole_number
from ..public.functions import schema
from ..public.kinds import ShapeOperation


class PixelShuffleBackward0(ShapeOperation):
    """Channels moved into `upscale_factor` times as many rows and columns."""

    rule = r"\bar a = \text{pixel unshuffle}(g)"

    def forward(self: Any, /, upscale_factor: int) -> Any:
        *lead, channels, height, width = self.shape
        r = upscale_factor
        x = self.reshape(*lead, channels // r**2, r, r, height, width)
        x = x.transpose(*range(len(lead) + 1), *[len(lead) + n for n in (3, 1, 4, 2)])
        return lay_as(x.reshape(*lead, channels // r**2, height * r, width * r), self)

    def gradient(g: Any, upscale_factor: int) -> Any:
        return PixelUnshuffleBackward0.on(g, upscale_factor)


class PixelUnshuffleBackward0(ShapeOperation):
    """Rows and columns moved into channels."""

    rule = r"\bar a = \text{pixel shuffle}(g)"

    def forward(self: Any, /, downscale_factor: int) -> Any:
        *lead, channels, height, width = self.shape
        r = downscale_factor
        x = self.reshape(*lead, channels, height // r, r, width // r, r)
        x = x.transpose(*range(len(lead) + 1), *[len(lead) + n for n in (2, 4, 1, 3)])
        return lay_as(x.reshape(*lead, channels * r**2, height // r, width // r), self)

    def gradient(g: Any, downscale_factor: int) -> Any:
        return PixelShuffleBackward0.on(g, downscale_factor)


class ChannelShuffleBackward0(ShapeOperation):
    """Channels in another order: the first of each of the groups, then the second, and so on."""

    rule = r"\bar a = g \text{ in the old order}"

    def forward(self: Any, /, groups: int) -> Any:
        size, channels, *rest = self.shape
        x = self.reshape(size, groups, channels // groups, *rest).swapaxes(1, 2)
        return lay_as(x.reshape(self.shape), self)

    def gradient(g: Any, groups: int) -> Any:
        return ChannelShuffleBackward0.on(g, g.shape[1] // groups)


@schema("pixel_shuffle(Tensor input, int upscale_factor)")
def pixel_shuffle(input: Any, upscale_factor: Any) -> TensorBase:
    """Move r * r channels into the pixels of r times as many rows and columns.

    `input` has the shape [..., C r r, H, W], the result [..., C, H r, W r].

    >>> import minigrad as mg
    >>> mg.nn.functional.pixel_shuffle(mg.arange(4.0).view(4, 1, 1), 2)
    tensor([[[0., 1.],
             [2., 3.]]])
    """
    shape, factor = input._array.shape, whole_number(upscale_factor)
    check_images("pixel_shuffle", shape)
    if factor <= 0:
        raise RuntimeError(f"pixel_shuffle expects a positive upscale_factor, but got {factor}")
    if factor**2 >= 2**63:
        problem = "upscale factor is too large, (upscale_factor)^2 overflowed"
        raise ValueError(f"{problem}: upscale_factor={factor}")
    if shape[-3] % factor**2:
        wanted = "its input's 'channel' dimension to be divisible by the square of upscale_factor"
        found = f"but input.size(-3)={shape[-3]} is not divisible by {factor**2}"
        raise RuntimeError(f"pixel_shuffle expects {wanted}, {found}")
    return apply(PixelShuffleBackward0, input, factor)


@schema("pixel_unshuffle(Tensor input, int downscale_factor)")
def pixel_unshuffle(input: Any, downscale_factor: Any) -> TensorBase:
    """Move pixels into channels, the opposite of `pixel_shuffle`.

    >>> import minigrad as mg
    >>> mg.nn.functional.pixel_unshuffle(mg.ones(1, 4, 6), 2).shape
    torch.Size([4, 2, 3])
    """
    shape, factor = input._array.shape, whole_number(downscale_factor)
    check_images("pixel_unshuffle", shape)
    if factor <= 0:
        wanted = "a positive downscale_factor"
        raise RuntimeError(f"pixel_unshuffle expects {wanted}, but got {factor}")
    for name, axis in (("height", -2), ("width", -1)):
        if shape[axis] % factor:
            wanted = f"{name} to be divisible by downscale_factor"
            found = f"but input.size({axis})={shape[axis]} is not divisible by {factor}"
            raise RuntimeError(f"pixel_unshuffle expects {wanted}, {found}")
    return apply(PixelUnshuffleBackward0, input, factor)


def check_images(name: str, shape: tuple[int, ...]) -> None:
    """Raise if a tensor has no channels, rows and columns."""
    if len(shape) < 3:
        wanted = "input to have at least 3 dimensions"
        found = f"but got input with {len(shape)} dimension(s)"
        raise RuntimeError(f"{name} expects {wanted}, {found}")


@schema("channel_shuffle(Tensor input, int groups)")
def channel_shuffle(input: Any, groups: Any) -> TensorBase:
    """Divide channels [N, C, ...] into groups, and take one of each group in turn.

    >>> import minigrad as mg
    >>> mg.channel_shuffle(mg.arange(4.0).view(1, 4, 1), 2).flatten()
    tensor([0., 2., 1., 3.])
    """
    shape, count = input._array.shape, whole_number(groups)
    if len(shape) < 3:
        raise RuntimeError(
            f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(shape)}"
        )
    if count <= 0:
        raise RuntimeError(
            f"Number of groups to divide channels in must be positive. Value of groups:{count}"
        )
    if shape[1] % count:
        found = f"{shape[1]} channels and {count} groups."
        raise RuntimeError(f"Number of channels must be divisible by groups. Got {found}")
    return apply(ChannelShuffleBackward0, input, count)
