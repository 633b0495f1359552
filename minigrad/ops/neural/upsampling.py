"""Images and sequences in another size: `interpolate`.

In each direction, an element of the result is a weighted sum of a few elements, its taps: the
nearest one, two neighbours, or four for a cubic. The gradient adds up at these elements.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...arrays.memory_formats import lay_as
from ...arrays.messages import not_implemented
from ...core.node import TensorBase
from ...core.operation import apply, constant_like
from ..public.dims import whole_number
from ..public.functions import schema
from ..public.kinds import Adjoint, ShapeOperation
from .averaging import ADAPTIVE_AVERAGES


class Taps(NamedTuple):
    """Positions [taps, size of the result] and weights of the same shape; None stands for 1."""

    places: Any
    weights: Any = None


class Line(NamedTuple):
    """One direction: sizes before and after, and the ratio of the two."""

    size: int
    into: int
    scale: float | None
    corners: bool

    @property
    def ratio(self) -> float:
        """The distance of neighbours in the result, measured in the input."""
        if self.corners:
            return (self.size - 1) / (self.into - 1) if self.into > 1 else 0.0
        given = self.scale is not None and self.scale > 0
        return 1 / self.scale if given else self.size / self.into  # type: ignore[operator]

    def positions(self) -> Any:
        """Return where in the input the elements of the result lie."""
        steps = np.arange(self.into, dtype=np.float64)
        return steps * self.ratio if self.corners else (steps + 0.5) * self.ratio - 0.5


def nearest(line: Line, shift: float = 0.0) -> Taps:
    steps = np.arange(line.into, dtype=np.float32) + np.float32(shift)
    chosen = np.floor(steps * np.float32(line.ratio)).astype(int)
    return Taps(np.minimum(chosen, line.size - 1)[None])


def nearest_exact(line: Line) -> Taps:
    return nearest(line, 0.5)


def linear(line: Line) -> Taps:
    places = np.maximum(line.positions(), 0)
    low = np.minimum(np.floor(places).astype(int), line.size - 1)
    share = np.clip(places - low, 0, 1)
    return Taps(np.stack([low, np.minimum(low + 1, line.size - 1)]), np.stack([1 - share, share]))


def cubic(line: Line) -> Taps:
    places = line.positions()
    low = np.floor(places).astype(int)
    offsets = np.arange(-1, 3)[:, None]
    weights = keys(np.abs(places - low - offsets), -0.75)
    return Taps(np.clip(low + offsets, 0, line.size - 1), weights)


def keys(x: Any, a: float) -> Any:
    """Return the weights of a cubic convolution for distances (Keys, 1981)."""
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = ((x - 5) * x + 8) * x * a - 4 * a
    return np.where(x < 1, near, np.where(x < 2, far, 0))


def tent(x: Any) -> Any:
    return np.maximum(1 - x, 0)


def antialiased(line: Line, weigh: Callable[[Any], Any], reach: float) -> Taps:
    """Return the taps of a filter that widens where the result is smaller."""
    wide = max(line.ratio, 1.0)
    centers = (np.arange(line.into) + 0.5) * line.ratio
    first = np.maximum((centers - reach * wide + 0.5).astype(int), 0)
    end = np.minimum((centers + reach * wide + 0.5).astype(int), line.size)
    offsets = np.arange(max(int((end - first).max()), 1))[:, None]
    places = first + offsets
    weights = np.where(places < end, weigh(np.abs((places - centers + 0.5) / wide)), 0)
    return Taps(np.minimum(places, line.size - 1), weights / weights.sum(0))


def linear_antialiased(line: Line) -> Taps:
    return antialiased(line, tent, 1.0)


def cubic_antialiased(line: Line) -> Taps:
    return antialiased(line, lambda x: keys(x, -0.5), 2.0)


def along(share: Any, x: Any, axis: int) -> Any:
    """Return weights in the dtype of `x`, to be multiplied along `axis`."""
    shape = (-1,) + (1,) * (x.ndim - 1 - axis)
    return constant_like(x, share.astype(x.dtype).reshape(shape))


def resized(x: Any, directions: list[Taps]) -> Any:
    """Add up the taps of each direction, weighted; bytes are rounded at the end."""
    if x.dtype == np.uint8 and directions[0].weights is not None:
        return np.clip(np.rint(resized(x.astype(np.float32), directions)), 0, 255).astype(x.dtype)
    for axis, (places, weights) in enumerate(directions, 2):
        parts = [x.take(constant_like(x, each), axis) for each in places]
        if weights is not None:
            parts = [part * along(w, x, axis) for part, w in zip(parts, weights, strict=True)]
        x = sum(parts[1:], parts[0])
    return x


def put_back(g: Any, shape: tuple[int, ...], directions: list[Taps]) -> Any:
    """Add gradients up at the taps from which the results were made."""
    for axis, (places, weights) in enumerate(directions, 2):
        result = np.zeros_like(g, shape=(*g.shape[:axis], shape[axis], *g.shape[axis + 1 :]))
        lines = np.moveaxis(result, axis, 0)
        for number, each in enumerate(places):
            part = g if weights is None else g * along(weights[number], g, axis)
            starts = np.flatnonzero(np.diff(each, prepend=-1))  # the places ascend
            sums = np.add.reduceat(part, constant_like(g, starts), axis)
            lines[constant_like(g, each[starts])] += np.moveaxis(sums, axis, 0)
        g = result
    return g


@cache
def taps_of(find: Callable[[Line], Taps], line: Line) -> Taps:
    return find(line)


class Upsampling(ShapeOperation):
    """The base of operations that change the size of the last directions."""

    params = ("output_size", "scales", "_corners")
    taps: ClassVar[Callable[[Line], Taps]]
    back: ClassVar[type[Adjoint]]
    rule = r"\bar a = W^T g"

    @classmethod
    def directions(cls, shape: tuple[int, ...], output_size: Any, scales: Any, corners: Any) -> Any:
        given = scales or (None,) * len(output_size)
        sizes = zip(output_size, shape[2:], given, strict=True)
        lines = [Line(size, into, scale, corners) for into, size, scale in sizes]
        return [taps_of(cls.taps, line) for line in lines]

    @classmethod
    def forward(cls, self: Any, output_size: Any, scales: Any, corners: Any) -> Any:
        found = resized(self, cls.directions(self.shape, output_size, scales, corners))
        return lay_as(found, self)

    def backward(ctx, g: Any) -> Any:
        return ctx.back.on(g, ctx.shape(), *ctx.args)


CUBIC = (cubic, cubic_antialiased)
"""The taps whose gradients PyTorch always lays out row by row."""


class UpsamplingGradient(Adjoint):
    """The gradient of an upsampling: each element gets its share of the results."""

    rule = r"\bar g = W \bar a"

    @classmethod
    def forward(cls, grad_output: Any, shape: tuple[int, ...], *how: Any) -> Any:
        of: Any = cls.of
        found = put_back(grad_output, shape, of.directions(shape, *how))
        return np.ascontiguousarray(found) if of.taps in CUBIC else lay_as(found, grad_output)


def upsampling(name: str, text: str, taps: Callable[[Line], Taps]) -> type[Upsampling]:
    """Make the operation with PyTorch's name, and its gradient."""
    contents = {"__doc__": text, "__module__": __name__, "taps": staticmethod(taps)}
    made: Any = type(f"{name}Backward0", (Upsampling,), contents)
    kinds = {"__doc__": f"The gradient of {name}.", "__module__": __name__, "of": made}
    made.back = type(f"{name}BackwardBackward0", (UpsamplingGradient,), kinds)
    return made  # type: ignore[no-any-return]


def each_rank(mode: str, name: str, taps: Callable[[Line], Taps]) -> dict[Any, type[Upsampling]]:
    """Make the operations of a mode that sequences, images and volumes have."""
    texts = {3: "sequence", 4: "image", 5: "volume"}
    return {
        (mode, rank): upsampling(f"{name}{rank - 2}D", f"The nearest element of a {text}.", taps)
        for rank, text in texts.items()
    }


UPSAMPLINGS = {
    **each_rank("nearest", "UpsampleNearest", nearest),
    **each_rank("nearest-exact", "UpsampleNearestExact", nearest_exact),
    ("linear", 3): upsampling("UpsampleLinear1D", "Weighted elements of a sequence.", linear),
    ("bilinear", 4): upsampling("UpsampleBilinear2D", "Weighted elements of an image.", linear),
    ("trilinear", 5): upsampling("UpsampleTrilinear3D", "Weighted elements of a volume.", linear),
    ("bicubic", 4): upsampling("UpsampleBicubic2D", "Cubics through an image.", cubic),
}
SMOOTHED = {
    "bilinear": upsampling(
        "UpsampleBilinear2DAa", "Weighted elements of an image, smoothed.", linear_antialiased
    ),
    "bicubic": upsampling(
        "UpsampleBicubic2DAa", "Cubics through a smoothed image.", cubic_antialiased
    ),
}
"""The operations with `antialias`."""
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
        mode: "nearest", "nearest-exact", "linear", "bilinear", "bicubic", "trilinear" or "area".
        align_corners: whether the outer elements keep their places, in a mode with weights.
        antialias: whether a smaller image is smoothed ("bilinear" and "bicubic").

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
    if antialias and (mode not in ("bilinear", "bicubic", "lanczos") or rank != 4):
        modes = "bilinear, bicubic, and lanczos modes"
        raise ValueError(
            f"Anti-alias option is restricted to {modes} and requires a 4-D tensor as input"
        )
    if mode == "area" and rank in (3, 4, 5):
        return ADAPTIVE_AVERAGES[rank - 3](input, into)
    op = SMOOTHED.get(mode) if antialias else UPSAMPLINGS.get((mode, rank))
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
    if dtype.kind != "f" and (dtype != np.uint8 or mode in ("linear", "trilinear")):
        raise not_implemented(kernel_of(op, mode, antialias), dtype)
    return apply(op, input, into, scales, bool(align_corners))


def kernel_of(op: type[Upsampling], mode: str, antialias: bool) -> str:
    """Return the name of PyTorch's kernel, which takes floating-point numbers alone."""
    if antialias:
        return "compute_index_ranges_weights"
    if mode == "bicubic":
        return "compute_indices_weights_cubic"
    name = op.__name__.removesuffix("Backward0").lower().replace("exact", "")
    return name.replace("upsample", "upsample_") + "_channels_last"


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
            if not several:
                wrong = (
                    "received an invalid combination of arguments - got (Tensor, list, NoneType)"
                )
                raise TypeError(f"upsample_nearest2d() {wrong}, but expected one of:") from None
            kinds = "int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int]"
            found = f"but got size with types {[type(n) for n in values]}"
            raise TypeError(f"expected size to be one of {kinds}, {found}") from None
    scales = tuple(float(factor) for factor in values)
    if any(abs(n * f) >= 2**63 for n, f in zip(shape, scales, strict=True)):
        raise RuntimeError("value cannot be converted to type int64_t without overflow")
    return tuple(math.floor(n * f) for n, f in zip(shape, scales, strict=True)), scales


def not_there(mode: str, rank: int) -> Exception:
    """Return the error for a mode that tensors of this rank do not have."""
    if mode in NEEDS and rank in (3, 4, 5):
        return NotImplementedError(f"Got {rank}D input, but {mode} mode needs {NEEDS[mode]}D input")
    if mode == "lanczos" and rank == 4:
        return NotImplementedError(f"minigrad has no interpolation with mode={mode!r}")
    modes = "nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact"
    return NotImplementedError(
        f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {rank}D) for the modes: "
        f"{modes} (got {mode})"
    )
