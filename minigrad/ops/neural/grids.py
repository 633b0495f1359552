"""Images and volumes sampled at the points of a grid: spatial transformers.

A grid holds coordinates from -1 to 1, x first. In each direction an element of the result is a
weighted sum of a few taps: the nearest element, two neighbours, or four for a cubic.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple, NoReturn

import numpy as np

from ...arrays.float16 import widened
from ...arrays.messages import check_floating, check_same_type
from ...core.node import TensorBase, unwrap
from ...core.operation import ALWAYS, Operation, apply, constant_like
from ..linear_algebra.matrix import BmmBackward0
from ..public.arguments import integer_tuple
from ..public.dims import truth_value
from ..public.functions import schema
from ..public.schema import Schema
from ..shapes.shapes import TransposeBackward0
from .upsampling import keys

BILINEAR, NEAREST, BICUBIC = range(3)
MODES = ("bilinear", "nearest", "bicubic")

ZEROS, BORDER, REFLECTION = range(3)
PADDING = ("zeros", "border", "reflection")

CHANGED = (
    "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. "
    "Please specify align_corners=True if the old behavior is desired. See the documentation of "
    "grid_sample for details."
)


# --- Where a coordinate lies in an image


class Tap(NamedTuple):
    """An element that contributes: its place, whether it exists, and its weight.

    `weights` has the weight and its first two derivatives by the coordinate.
    """

    place: Any
    inside: Any
    weights: tuple[Any, Any, Any]


def reflect(x: Any, low: float, high: float) -> tuple[Any, Any]:
    """Return coordinates mirrored at both ends, and the sign of the slope."""
    if high <= low:
        return np.zeros_like(x), np.zeros_like(x)
    span = high - low
    sign = np.where(x < low, -1, 1)
    far = np.abs(x - low)
    extra = np.fmod(far, span)
    even = np.floor(far / span) % 2 == 0
    return np.where(even, extra + low, span - extra + low), np.where(even, sign, -sign)


def padded(x: Any, size: int, padding: int, corners: bool) -> tuple[Any, Any]:
    """Return coordinates moved onto the image as `padding` says, and their slope."""
    slope = np.ones_like(x)
    if padding == ZEROS:
        return x, slope
    if padding == REFLECTION:
        ends = (0.0, size - 1.0) if corners else (-0.5, size - 0.5)
        x, slope = reflect(x, *ends)
    slope = np.where((x <= 0) | (x >= size - 1), 0, slope)
    return np.clip(np.where(np.isnan(x), 0, x), 0, size - 1), slope


def whole(x: Any) -> Any:
    """Return whole numbers; for those that are not finite or too large, one outside an image."""
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(x) < 2**31, x, -100.0).astype(np.int64)


def taps(x: Any, size: int, mode: int, padding: int, corners: bool) -> list[Tap]:
    """Return the taps of one direction for coordinates from -1 to 1."""
    scale = (size - 1) / 2 if corners else size / 2
    x = (x + 1) * scale if corners else (x + 1) * scale - 0.5
    unit: Any = np.full_like(x, scale)
    if mode != BICUBIC:
        x, slope = padded(x, size, padding, corners)
        unit = unit * slope
    low = np.rint(x) if mode == NEAREST else np.floor(x)
    share, none = x - low, np.zeros_like(x)
    if mode == NEAREST:
        found: list[Any] = [(low, none + 1, none, none)]
    elif mode == BILINEAR:
        found = [(low, 1 - share, -unit, none), (low + 1, share, unit, none)]
    else:
        found = []
        for step in (-1, 0, 1, 2):
            place = padded(low + step, size, padding, corners)[0]
            value, slope, curve = cubic_weights(share - step)
            found.append((place, value, slope * unit, curve * unit * unit))
    made = []
    for place, *weights in found:
        at = whole(place)
        inside = (at >= 0) & (at < size)
        value, slope, curve = weights
        made.append(Tap(np.where(inside, at, 0), inside, (value, slope, curve)))
    return made


def cubic_weights(away: Any, a: float = -0.75) -> tuple[Any, Any, Any]:
    """Return the weights of `keys` and their first two derivatives, for distances up to 2."""
    x, near = np.abs(away), np.abs(away) <= 1
    slope = np.where(near, (3 * (a + 2) * x - 2 * (a + 3)) * x, ((3 * x - 10) * x + 8) * a)
    curve = np.where(near, 6 * (a + 2) * x - 2 * (a + 3), (6 * x - 10) * a)
    return keys(x, a), slope * np.sign(away), curve


# --- The operations


def corners_of(shape: tuple[int, ...], grid: Any, *how: Any) -> Iterator[tuple[Any, list[Tap]]]:
    """Yield each combination of taps: its place in flattened images, and the taps."""
    sizes = shape[2:]
    each = [taps(grid[..., len(sizes) - 1 - axis], size, *how) for axis, size in enumerate(sizes)]
    for chosen in itertools.product(*each):
        place: Any = 0
        for size, tap in zip(sizes, chosen, strict=True):
            place = place * size + tap.place
        yield place, list(chosen)


def weight_of(chosen: list[Tap], *by: int) -> Any:
    """Return the product of the weights, derived by the directions `by`; 0 outside.

    A coordinate that is not finite makes the pixels of an image NaN, but not those of a volume.
    """
    factors = [tap.weights[by.count(axis)] for axis, tap in enumerate(chosen)]
    product, inside = math.prod(factors[1:], start=factors[0]), chosen[0].inside
    for tap in chosen[1:]:
        inside = inside & tap.inside
    return np.where(inside | (np.isnan(product) & (len(chosen) == 2)), product, 0)


def slope_along(chosen: list[Tap], direction: Any, *by: int) -> Any:
    """Return the derivative of `weight_of` along a direction at each point of the grid."""
    rank = len(chosen)
    steps = [direction[..., rank - 1 - axis] * weight_of(chosen, axis, *by) for axis in range(rank)]
    return sum(steps[1:], steps[0])


def read(images: Any, place: Any) -> Any:
    """Return the elements [N, C, *points] of images at places [N, *points]."""
    flat = images.reshape(*images.shape[:2], math.prod(images.shape[2:]))
    where = place.reshape(len(place), 1, math.prod(place.shape[1:]))
    return np.take_along_axis(flat, where, 2).reshape(*images.shape[:2], *place.shape[1:])


class GridSampler(Operation):
    """The base of samplers of images and volumes."""

    inputs = ("input", "grid")
    params: ClassVar[tuple[str, ...]] = ("interpolation_mode", "padding_mode", "align_corners")
    saves: ClassVar[dict[str, int]] = {"grid": ALWAYS, "input": ALWAYS}
    rule = r"\bar a_i = \sum w_i \, g, \qquad \bar x = \sum_i a_i \, w_i'(x) \, g"

    @widened
    def forward(input: Any, grid: Any, *how: Any) -> Any:
        shape = (*input.shape[:2], *grid.shape[1:-1])
        result = np.zeros_like(input, shape=shape, order="C")
        for place, chosen in corners_of(input.shape, grid, *how):
            weight = weight_of(chosen)[:, None]
            result += np.where(weight == 0, 0, read(input, place) * weight)
        return result

    def backward(ctx, g: Any) -> Any:
        grid, input = ctx.saved
        mask = (ctx.needs(0), ctx.needs(1))
        found = GRADIENTS[input.ndim - 2].on(g, input, grid, *ctx.args, mask)
        return tuple(each if needed else None for each, needed in zip(found, mask, strict=True))


@widened
def spread(g: Any, input: Any, grid: Any, direction: Any, *how: Any) -> Any:
    """Return the gradient of the images: each tap's share, added up."""
    count, channels = input.shape[:2]
    size = math.prod(input.shape[2:])
    result = np.zeros_like(g, np.float64, shape=(count * channels * size,))
    first = np.arange(0, len(result), max(size, 1)).reshape(input.shape[:2])
    first = constant_like(g, first[(..., *(None,) * (grid.ndim - 2))])
    for place, chosen in corners_of(input.shape, grid, *how):
        weight = weight_of(chosen) if direction is None else slope_along(chosen, direction)
        weight = np.where(np.isnan(weight), 0, weight)
        where = (first + place[:, None]).reshape(-1)
        result += np.bincount(where, (g * weight[:, None]).reshape(-1), len(result))
    return result.reshape(input.shape).astype(input.dtype)


@widened
def tilt(g: Any, input: Any, grid: Any, direction: Any, *how: Any) -> Any:
    """Return the gradient of the grid, from the slopes of the weights."""
    result, rank = np.zeros_like(grid, order="C"), grid.shape[-1]
    for place, chosen in corners_of(input.shape, grid, *how):
        value = (read(input, place) * g).sum(1)
        for axis in range(rank):
            plain = direction is None
            slope = weight_of(chosen, axis) if plain else slope_along(chosen, direction, axis)
            result[..., rank - 1 - axis] += value * slope
    return result


HOW = ("interpolation_mode", "padding_mode", "align_corners")


class GridSamplerGradient(Operation):
    """The gradients of sampled images for the images and for the grid."""

    inputs = ("grad_output", "input", "grid")
    params = (*HOW, "_mask")
    results = ("result0", "result1")
    saves: ClassVar[dict[str, int]] = {"grad_output": ALWAYS, "input": ALWAYS, "grid": ALWAYS}
    rule = r"\bar g = \sum_i w_i \, h_i + \sum_i a_i \, h \cdot w_i'(x)"

    def forward(grad_output: Any, input: Any, grid: Any, *how: Any) -> Any:
        *rest, (images, points) = how
        return (
            spread(grad_output, input, grid, None, *rest) if images else np.zeros_like(input),
            tilt(grad_output, input, grid, None, *rest) if points else np.zeros_like(grid),
        )

    def backward(ctx, h: Any, direction: Any) -> Any:
        g, input, grid = ctx.saved
        *how, _ = ctx.args
        wrt_g = wrt_input = wrt_grid = None
        if h is not None:
            wrt_g = SAMPLERS[input.ndim - 2].on(h, grid, *how)
            wrt_grid = type(ctx).on(g, h, grid, *how, (False, True))[1]
        if direction is not None:
            curved = [
                GridSamplerCurvature.on(direction, g, input, grid, which, *how)
                for which in range(3)
            ]
            wrt_g = curved[0] if wrt_g is None else wrt_g + curved[0]
            wrt_grid = curved[2] if wrt_grid is None else wrt_grid + curved[2]
            wrt_input = curved[1]
        found = (wrt_g, wrt_input, wrt_grid)
        return tuple(each if ctx.needs(place) else None for place, each in enumerate(found))


class GridSamplerCurvature(Operation):
    """The second derivatives of a sampler along `direction`, which are not derived again."""

    inputs = ("direction", "grad_output", "input", "grid")
    params = ("_which", *HOW)

    def forward(
        direction: Any, grad_output: Any, input: Any, grid: Any, _which: int, *how: Any
    ) -> Any:
        if _which:
            find = spread if _which == 1 else tilt
            return find(grad_output, input, grid, direction, *how)
        result = np.zeros_like(grad_output)
        for place, chosen in corners_of(input.shape, grid, *how):
            result += read(input, place) * slope_along(chosen, direction)[:, None]
        return result

    def backward(ctx, g: Any) -> NoReturn:
        reason = "a third derivative of grid_sample is not implemented"
        raise NotImplementedError(reason)


class GridSampler2DBackward0(GridSampler):
    """Images [N, C, H, W] at the points of a grid [N, H, W, 2]."""


class GridSampler3DBackward0(GridSampler):
    """Volumes [N, C, D, H, W] at the points of a grid [N, D, H, W, 3]."""


class GridSampler2DBackwardBackward0(GridSamplerGradient):
    """The gradients of sampled images."""


class GridSampler3DBackwardBackward0(GridSamplerGradient):
    """The gradients of sampled volumes."""


SAMPLERS = {2: GridSampler2DBackward0, 3: GridSampler3DBackward0}
GRADIENTS = {2: GridSampler2DBackwardBackward0, 3: GridSampler3DBackwardBackward0}
"""The operations by the number of directions."""


@schema(
    'def grid_sample(Tensor input, Tensor grid, str mode="bilinear", str padding_mode="zeros", '
    "bool? align_corners=None)",
    "grid_sampler(Tensor input, Tensor grid, object mode, object padding_mode, "
    "bool? align_corners)",
    place="nn.functional",
)
def grid_sample(
    input: Any,
    grid: Any,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: Any = None,
) -> TensorBase:
    """Sample images [N, C, H, W] or volumes at the points of a grid [N, H, W, 2].

    Args:
        grid: coordinates from -1 (the first row or column) to 1 (the last), x before y.
        mode: "bilinear", "nearest" or, for images, "bicubic".
        padding_mode: the elements outside: "zeros", "border" or "reflection".
        align_corners: whether -1 and 1 are the centers of the outer elements, or their borders.

    >>> import minigrad as mg
    >>> grid = mg.tensor([[[[0.0, 0.0]]]])
    >>> x = mg.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> mg.nn.functional.grid_sample(x, grid, align_corners=False)
    tensor([[[[2.5000]]]])
    """
    name = "nn.functional.grid_sample()"
    if mode not in MODES:
        wanted = "expected mode to be 'bilinear', 'nearest' or 'bicubic'"
        raise ValueError(f"{name}: {wanted}, but got: '{mode}'")
    if padding_mode not in PADDING:
        wanted = "expected padding_mode to be 'zeros', 'border', or 'reflection'"
        raise ValueError(f"{name}: {wanted}, but got: '{padding_mode}'")
    if align_corners is None:
        warnings.warn(CHANGED, stacklevel=3)
        align_corners = False
    corners = truth_value(align_corners)
    check_sampler(input._array, grid._array, mode)
    how = (MODES.index(mode), PADDING.index(padding_mode), corners)
    return apply(SAMPLERS[input._array.ndim - 2], input, grid, *how)


def check_sampler(x: Any, grid: Any, mode: str) -> None:
    """Raise PyTorch's errors for images and a grid that do not fit."""
    shape, points = list(x.shape), list(grid.shape)
    both = f"input with sizes {shape} and grid with sizes {points}"
    for each in (x, grid):
        if not each.ndim:
            raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if x.shape[0] != grid.shape[0]:
        wanted = "expected grid and input to have same batch size"
        raise RuntimeError(f"grid_sampler(): {wanted}, but got {both}")
    if grid.shape[-1] != x.ndim - 2:
        wanted = f"expected grid to have size {x.ndim - 2} in last dimension"
        raise RuntimeError(f"grid_sampler(): {wanted}, but got grid with sizes {points}")
    for axis in range(2, x.ndim):
        if shape[axis] <= 0:
            wanted = "expected input to have non-empty spatial dimensions"
            found = f"input has sizes {shape} with dimension {axis} being empty"
            raise RuntimeError(f"grid_sampler(): {wanted}, but {found}")
    if x.ndim not in (4, 5) or x.ndim != grid.ndim:
        ranks = "4D" if x.ndim == 4 else "5D"
        wanted = f"expected {ranks} input and grid with same number of dimensions"
        raise RuntimeError(f"grid_sampler(): {wanted}, but got {both}")
    if x.ndim == 5 and mode == "bicubic":
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
    check_floating(f"grid_sampler_{x.ndim - 2}d_cpu_kernel_impl", x.dtype)
    check_same_type(x, grid, "expected scalar type {} but found {}")


# --- Grids of affine transformations


def base_points(sizes: tuple[int, ...], corners: bool, like: Any) -> Any:
    """Return the points [*sizes, rank + 1] of the plain grid, x first and a 1 last."""
    lines = []
    for size in reversed(sizes):
        line = np.linspace(-1, 1, size) if size > 1 else np.zeros(size)
        lines.append(line if corners or size <= 1 else line * (size - 1) / size)
    mesh = np.meshgrid(*reversed(lines), indexing="ij")[::-1]
    points = np.stack([*mesh, np.ones(sizes)], -1).astype(like.dtype)
    return constant_like(like, points)


class AffineGridGeneratorBackward0(Operation):
    """The points of a plain grid, moved by a matrix `theta` for each image."""

    params = ("size", "align_corners")
    inputs = ("theta",)
    rule = r"\bar\theta = G^T P"

    @widened
    def forward(theta: Any, /, size: tuple[int, ...], align_corners: bool) -> Any:
        points = base_points(size[2:], align_corners, theta)
        flat = points.reshape(-1, points.shape[-1])
        return (flat @ theta.swapaxes(1, 2)).reshape(size[0], *size[2:], len(size) - 2)

    def gradient(g: Any, size: tuple[int, ...], align_corners: bool) -> Any:
        points = base_points(size[2:], align_corners, unwrap(g))
        flat = points.reshape(1, -1, points.shape[-1]).swapaxes(1, 2)
        base = constant_like(g, np.broadcast_to(flat, (size[0], *flat.shape[1:])))
        rows = g.reshape(size[0], math.prod(size[2:]), len(size) - 2)
        return TransposeBackward0.on(BmmBackward0.on(base, rows), 1, 2)


GENERATOR = Schema("affine_grid_generator(Tensor theta, int[] size, bool align_corners)")
"""The call inside of `affine_grid`."""


@schema(
    "def affine_grid(Tensor theta, int[] size, bool? align_corners=None)",
    "theta.is_floating_point()",
    "affine_grid_generator(Tensor theta, object size, bool? align_corners)",
    place="nn.functional",
)
def affine_grid(theta: Any, size: Any, align_corners: Any = None) -> TensorBase:
    """Make the grid for `grid_sample` that moves images of `size` by a matrix each.

    Args:
        theta: [N, 2, 3] for images of size [N, C, H, W], [N, 3, 4] for volumes.
        align_corners: as for `grid_sample`.

    >>> import minigrad as mg
    >>> theta = mg.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    >>> mg.nn.functional.affine_grid(theta, (1, 1, 1, 2), align_corners=True)
    tensor([[[[-1.,  0.],
              [ 1.,  0.]]]])
    """
    if align_corners is None:
        warnings.warn(CHANGED, stacklevel=3)
        align_corners = False
    if not theta.is_floating_point():
        wanted = "Expected theta to have floating point type"
        raise ValueError(f"{wanted}, but got {theta.dtype}")
    rank = len(size) - 2
    if rank not in (2, 3):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, "
            f"respectively. Got size {size}."
        )
    if theta.dim() != 3 or tuple(theta.shape[-2:]) != (rank, rank + 1):
        wanted = f"a batch of {rank}D affine matrices of shape Nx{rank}x{rank + 1}"
        raise ValueError(f"Expected {wanted} for size {size}. Got {theta.shape}.")
    if align_corners and min(size[2:]) == 1:
        warnings.warn(
            "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when "
            "align_corners=True. This is not an intended use case of affine_grid. See the "
            "documentation of affine_grid for details.",
            stacklevel=3,
        )
    elif min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    try:
        sizes = integer_tuple(size)
    except TypeError as error:
        raise (GENERATOR.refusal([theta, size, False], {}) or error) from None
    if len(theta._array) != sizes[0]:
        wanted = f"of batch2 tensor to be: {[sizes[0], rank + 1]}"
        found = f"but got: {[len(theta._array), rank + 1]}."
        raise RuntimeError(f"Expected size for first two dimensions {wanted} {found}")
    return apply(AffineGridGeneratorBackward0, theta, sizes, truth_value(align_corners))
