"""Images and sequences in another size: `interpolate`, by the nearest element or linearly.

Each direction takes one element for each of the result, or two with weights. The gradient adds up
at these elements.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, ClassVar

import numpy as np

from ...arrays.messages import not_implemented
from ...core.node import TensorBase
from ...core.operation import apply, constant_like
from ..public.dims import whole_number
from ..public.functions import schema
from ..public.kinds import Adjoint, ShapeOperation
from .pooling import adaptive_avg_pool2d

Direction = tuple[Any, Any, Any]
"""For each element of the result: a position, the next one, and the weight of the next one."""


@cache
def direction(into: int, size: int, scale: float | None, linear: bool, corners: Any) -> Direction:
    """Return from which elements those of one direction are made."""
    ratio = size / into if scale is None or scale <= 0 else 1 / scale
    if not linear:
        chosen = np.floor(np.arange(into, dtype=np.float32) * np.float32(ratio)).astype(int)
        return np.minimum(chosen, size - 1), None, None
    places = np.arange(into, dtype=np.float64)
    if corners:
        places = places * ((size - 1) / (into - 1) if into > 1 else 0)
    else:
        places = np.maximum((places + 0.5) * ratio - 0.5, 0)
    low = np.minimum(np.floor(places).astype(int), size - 1)
    return low, np.minimum(low + 1, size - 1), np.clip(places - low, 0, 1)


def along(share: Any, x: Any, axis: int) -> Any:
    """Return weights in the dtype of `x`, to be multiplied along `axis`."""
    shape = (-1,) + (1,) * (x.ndim - 1 - axis)
    return constant_like(x, share.astype(x.dtype).reshape(shape))


def resized(x: Any, directions: list[Direction]) -> Any:
    """Take the elements of each direction, weighted."""
    for axis, (low, high, share) in enumerate(directions, 2):
        first = x.take(constant_like(x, low), axis)
        if share is not None:
            weight = along(share, x, axis)
            first = first * (1 - weight) + x.take(constant_like(x, high), axis) * weight
        x = first
    return x


def put_back(g: Any, shape: tuple[int, ...], directions: list[Direction]) -> Any:
    """Add gradients up at the elements from which the results were made."""
    for axis, (low, high, share) in enumerate(directions, 2):
        result = np.zeros_like(g, shape=(*g.shape[:axis], shape[axis], *g.shape[axis + 1 :]))
        lines = np.moveaxis(result, axis, 0)
        weight = None if share is None else along(share, g, axis)
        first = g if weight is None else g * (1 - weight)
        np.add.at(lines, constant_like(g, low), np.moveaxis(first, axis, 0))
        if weight is not None:
            np.add.at(lines, constant_like(g, high), np.moveaxis(g * weight, axis, 0))
        g = result
    return g


class Upsampling(ShapeOperation):
    """The base of operations that change the size of the last directions."""

    params = ("output_size", "scales", "_corners")
    linear: ClassVar[bool] = False
    back: ClassVar[type[Adjoint]]
    rule = r"\bar a = W^T g"

    @classmethod
    def directions(cls, shape: tuple[int, ...], output_size: Any, scales: Any, corners: Any) -> Any:
        given = scales or (None,) * len(output_size)
        sizes = zip(output_size, shape[2:], given, strict=True)
        return [direction(into, size, scale, cls.linear, corners) for into, size, scale in sizes]

    @classmethod
    def forward(cls, self: Any, output_size: Any, scales: Any, corners: Any) -> Any:
        return resized(self, cls.directions(self.shape, output_size, scales, corners))

    def backward(ctx, g: Any) -> Any:
        return ctx.back.on(g, ctx.shape(), *ctx.args)


class UpsamplingGradient(Adjoint):
    """The gradient of an upsampling: each element gets its share of the results."""

    rule = r"\bar g = W \bar a"

    @classmethod
    def forward(cls, grad_output: Any, shape: tuple[int, ...], *how: Any) -> Any:
        of: Any = cls.of
        return put_back(grad_output, shape, of.directions(shape, *how))


def upsampling(name: str, text: str, linear: bool) -> type[Upsampling]:
    """Make the operation with PyTorch's name, and its gradient."""
    contents = {"__doc__": text, "__module__": __name__, "linear": linear}
    made: Any = type(f"{name}Backward0", (Upsampling,), contents)
    kinds = {"__doc__": f"The gradient of {name}.", "__module__": __name__, "of": made}
    made.back = type(f"{name}BackwardBackward0", (UpsamplingGradient,), kinds)
    return made  # type: ignore[no-any-return]


UPSAMPLINGS = {
    ("nearest", 3): upsampling("UpsampleNearest1D", "The nearest element of a sequence.", False),
    ("nearest", 4): upsampling("UpsampleNearest2D", "The nearest element of an image.", False),
    ("nearest", 5): upsampling("UpsampleNearest3D", "The nearest element of a volume.", False),
    ("linear", 3): upsampling("UpsampleLinear1D", "Weighted elements of a sequence.", True),
    ("bilinear", 4): upsampling("UpsampleBilinear2D", "Weighted elements of an image.", True),
    ("trilinear", 5): upsampling("UpsampleTrilinear3D", "Weighted elements of a volume.", True),
}
NEEDS = {"linear": 3, "bilinear": 4, "trilinear": 5}
"""The rank that each linear mode needs."""


@schema(
    "def interpolate(Tensor input, int[1]? size=None, object? scale_factor=None, "
    'str mode="nearest", bool? align_corners=None, bool? recompute_scale_factor=None, '
    "bool antialias=False)",
    "input.dim()",
    place="nn.functional",
)
def interpolate(
    input: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: Any = None,
    recompute_scale_factor: Any = None,
    antialias: bool = False,
) -> Any:
    """Change the size of the directions after the channels: to `size`, or by `scale_factor`.

    Args:
        mode: "nearest", "linear", "bilinear", "trilinear", or "area" (of images).
        align_corners: whether the outer elements keep their places, in a linear mode.

    >>> import minigrad as mg
    >>> mg.nn.functional.interpolate(mg.tensor([[[1.0, 2.0]]]), scale_factor=2)
    tensor([[[1., 1., 2., 2.]]])
    """
    rank = input.dim()
    if mode in ("nearest", "area", "nearest-exact") and align_corners is not None:
        only = "the interpolating modes: linear | bilinear | bicubic | trilinear"
        raise ValueError(f"align_corners option can only be set with {only}")
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    into, scales = each_direction(input, size, scale_factor)
    if recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    if recompute_scale_factor or mode == "area":
        scales = None
    if antialias:
        raise NotImplementedError("minigrad has no antialiased interpolation")
    if mode == "area" and rank == 4:
        return adaptive_avg_pool2d(input, into)
    op = UPSAMPLINGS.get((mode, rank))
    if op is None:
        raise not_there(mode, rank)
    if min((*into, *input._array.shape[2:])) <= 0:
        names = "DHW"[5 - rank :] if rank > 3 else "W"
        shapes = [
            ", ".join(f"{name}: {n}" for name, n in zip(names, sizes, strict=True))
            for sizes in (input._array.shape[2:], into)
        ]
        both = f"input ({shapes[0]}) output ({shapes[1]})"
        raise RuntimeError(f"Input and output sizes should be greater than 0, but got {both}")
    dtype = input._array.dtype
    if dtype.kind != "f" and (dtype != np.uint8 or mode != "nearest"):
        kernel = op.__name__.removesuffix("Backward0").lower().replace("upsample", "upsample_")
        raise not_implemented(f"{kernel}_channels_last", dtype)
    return apply(op, input, into, scales, bool(align_corners))


def each_direction(
    input: TensorBase, size: Any, scale_factor: Any
) -> tuple[tuple[int, ...], tuple[float, ...] | None]:
    """Return the sizes of the result, and the scales if they were given."""
    shape = input._array.shape[2:]
    given = size if scale_factor is None else scale_factor
    several = isinstance(given, (list, tuple))
    if several and len(given) != len(shape):
        both, what, letters = "output", "output size of", "output size in (o1, o2, ...,oK)"
        if scale_factor is not None:
            both, what = "scale_factor", "scale_factor of shape"
            letters = "scale_factor in (s1, s2, ...,sK)"
        raise ValueError(
            f"Input and {both} must have the same number of spatial dimensions, but got input with "
            f"spatial dimensions of {list(shape)} and {what} {given}. Please provide input tensor "
            f"in (N, C, d1, d2, ...,dK) format and {letters} format."
        )
    values = tuple(given) if several else (given,) * len(shape)
    if scale_factor is None:
        try:
            return tuple(whole_number(n) for n in values), None
        except TypeError:
            wrong = "received an invalid combination of arguments - got (Tensor, list, NoneType)"
            raise TypeError(f"upsample_nearest2d() {wrong}, but expected one of:") from None
    scales = tuple(float(factor) for factor in values)
    return tuple(math.floor(n * f) for n, f in zip(shape, scales, strict=True)), scales


def not_there(mode: str, rank: int) -> Exception:
    """Return the error for a mode that tensors of this rank do not have."""
    if mode in NEEDS and rank in (3, 4, 5):
        return NotImplementedError(f"Got {rank}D input, but {mode} mode needs {NEEDS[mode]}D input")
    if mode in ("bicubic", "nearest-exact", "lanczos", "area"):
        return NotImplementedError(f"minigrad has no interpolation with mode={mode!r}")
    modes = "nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact"
    return NotImplementedError(
        f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {rank}D) for the modes: "
        f"{modes} (got {mode})"
    )
