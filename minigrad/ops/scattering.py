"""Taking elements by position and putting them back: gather and scatter, index_select and
index_add.

They come in pairs, each the other's gradient: an element that was taken twice gets the gradients of
both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arguments import type_word
from ..devices import ON_CPU, get_array_module
from ..graph import TensorBase
from ..layout import row_major
from ..operation import ALWAYS, apply
from .copying import ShapeOperation, as_scalar, zeros_for
from .dims import wrap_dim
from .forms import Row, both_forms
from .shapes import ExpandBackward0


def mesh(index: Any, dim: int) -> tuple[Any, ...]:
    """NumPy's index that takes, at each place of `index`, the element at that place, except that
    its position in `dim` is the one that stands in `index`."""
    arange, rank = get_array_module(index).arange, index.ndim
    return tuple(
        [
            index if axis == dim % rank else arange(size).reshape((-1,) + (1,) * (rank - axis - 1))
            for axis, size in enumerate(index.shape)
        ]
    )


def add_rows(array: Any, index: Any, rows: Any) -> None:
    """array[index[k]] += rows[k] for every k; a position may occur several times."""
    if rows.ndim < 2 or not rows.size or not isinstance(array, np.ndarray):
        np.add.at(array, index, rows)
        return
    # Rows for the same place are brought together and summed first: five times as fast.
    index = index % len(array)
    order = np.argsort(index, kind="stable")
    index = index[order]
    starts = np.flatnonzero(np.diff(index, prepend=-1))
    array[index[starts]] += np.add.reduceat(rows[order], starts)


def vector(array: Any) -> Any:
    """A 0-d array as one of one dimension: PyTorch lets it be indexed as such."""
    return array if array.ndim else array.reshape(1)


class GatherBackward0(ShapeOperation):
    """At each place of `index`, the element whose position in `dim` stands there."""

    saves = {"self": ALWAYS, "index": ALWAYS}
    rule = r"\bar a[i] \mathrel{+}= g"

    @row_major
    def forward(self: Any, /, dim: int, index: Any, sparse_grad: bool) -> Any:
        if not index.size:
            return self.reshape(-1)[:0].reshape(index.shape).copy()
        return vector(self)[mesh(vector(index), dim)].reshape(index.shape)

    def backward(ctx, g: Any) -> Any:
        _, index = ctx.saved
        return ScatterAddBackward0.on(zeros_for(g, ctx.shape()), g, ctx.args[0], index)


class ScatterBackward0(ShapeOperation):
    """`self` with elements of `src` at the places that `index` names in `dim`."""

    saves = {"index": ALWAYS}
    rule = r"\bar a = g, \text{ but } 0 \text{ at } i; \qquad \bar b = g[i]"

    def forward(self: Any, src: Any, /, dim: int, index: Any) -> Any:
        result, index = vector(self).copy(), vector(index)
        if index.size:
            result[mesh(index, dim)] = corner(vector(src), index)
        return result.reshape(self.shape)

    def backward(ctx, g: Any) -> Any:
        (index,) = ctx.saved
        dim = ctx.args[0]
        return (
            ScatterBackward1.on(g, dim, index, 0) if ctx.needs(0) else None,
            GatherBackward0.on(g, dim, index, False) if ctx.needs(1) else None,
        )


class ScatterBackward1(ShapeOperation):
    """`self` with a number at the places that `index` names in `dim`."""

    saves = {"index": ALWAYS}
    rule = r"\bar a = g, \text{ but } 0 \text{ at } i"

    def forward(self: Any, /, dim: int, index: Any, _value: Any) -> Any:
        number = np.full_like(index, as_scalar(_value, self.dtype), self.dtype)
        return ScatterBackward0.forward(self, number, dim, index)

    def backward(ctx, g: Any) -> Any:
        (index,) = ctx.saved
        return type(ctx).on(g, ctx.args[0], index, 0)


class ScatterAddBackward0(ShapeOperation):
    """`self` with elements of `src` added at the places that `index` names in `dim`."""

    saves = {"index": 1}
    rule = r"\bar a = g, \qquad \bar b = g[i]"

    def forward(self: Any, src: Any, /, dim: int, index: Any) -> Any:
        result, index = vector(self).copy(), vector(index)
        if index.size:
            # Places in the flat memory: NumPy adds there several times as fast.
            steps = [step // result.itemsize for step in result.strides]
            flat = sum(m * step for m, step in zip(mesh(index, dim), steps, strict=True))
            np.add.at(result.reshape(-1), flat.reshape(-1), corner(vector(src), index).reshape(-1))
        return result.reshape(self.shape)

    def backward(ctx, g: Any) -> Any:
        (index,) = ctx.saved
        dim = ctx.args[0]
        return g, GatherBackward0.on(g, dim, index, False) if ctx.needs(1) else None


def corner(src: Any, index: Any) -> Any:
    """The part of `src` that an index uses, which may be smaller."""
    return src[tuple([slice(size) for size in index.shape])]


class IndexSelectBackward0(ShapeOperation):
    """The slices of dimension `dim` that `index` names."""

    saves = {"index": ALWAYS}
    shows_sizes = True
    rule = r"\bar a[i] \mathrel{+}= g"

    def forward(self: Any, /, dim: int, index: Any) -> Any:
        if not self.ndim:
            return self.copy()
        try:
            return np.take(self, vector(index), dim)
        except IndexError:  # from index_add, which asks nothing of a tensor without elements
            check_selection(self, dim % self.ndim, index)
            raise

    def backward(ctx, g: Any) -> Any:
        (index,) = ctx.saved
        return IndexAddBackward0.on(zeros_for(g, ctx.shape()), g, ctx.args[0], index, 1, g.ndim)


class IndexAddBackward0(ShapeOperation):
    """`self` with the slices of `source`, times `alpha`, added to those that `index` names."""

    saves = {"source": 1, "index": 1}
    rule = r"\bar a = g, \qquad \bar b = \alpha \cdot g[i]"

    def forward(
        self: Any, source: Any, /, dim: int, index: Any, alpha: Any, source_dim: int
    ) -> Any:
        result, source = vector(self).copy(), vector(source)
        if alpha != 1:
            source = source * as_scalar(alpha, source.dtype)
        if result.size:
            add_rows(np.moveaxis(result, dim, 0), vector(index), np.moveaxis(source, dim, 0))
        return result.reshape(self.shape)

    def backward(ctx, g: Any) -> Any:
        _, index = ctx.saved
        dim, _, alpha, _ = ctx.args
        if not ctx.needs(1):
            return g, None
        taken = ExpandBackward0.on(IndexSelectBackward0.on(g, dim, index), ctx.shape(1))
        return g, taken if alpha == 1 else taken * alpha


# --- Public functions


def positions(index: Any, name: str) -> Any:
    """The array of an index.

    Raises:
        TypeError: it is no tensor.
    """
    if not isinstance(index, TensorBase):
        raise TypeError(f"{name}(): argument 'index' must be Tensor, not {type(index).__name__}")
    return index._array


def check_index(
    index: Any, name: str, message: str = "Expected dtype int32/int64 for index"
) -> Any:
    """The array of an index tensor.

    Raises:
        TypeError: it is no tensor.
        RuntimeError: its elements are no integers.
    """
    array = positions(index, name)
    if array.dtype.name not in ("int64", "int32"):
        raise RuntimeError(f"{name}(): {message}")
    return array


def check_range(index: Any, size: int, negative: bool = False) -> int | None:
    """A position in `index` that is outside of `size` elements, if there is one."""
    if not isinstance(index, ON_CPU):
        return None  # on a GPU nobody waits for the answer, as in PyTorch
    outside = index[(index < (-size if negative else 0)) | (index >= size)]
    return int(outside.flat[0]) if outside.size else None


def check_scatter(input: Any, dim: int, index: Any, name: str, src: Any = None) -> None:
    """Raise PyTorch's errors for an index of gather or scatter that does not fit."""
    place = check_index(index, name)
    shape = vector(input._array).shape
    dim = wrap_dim(dim, len(shape))
    if src is not None and src._array.dtype != input._array.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if not place.size:
        return
    own = vector(place).shape
    if len(own) != len(shape):
        what = "input" if name == "gather" else "self"
        raise RuntimeError(f"Index tensor must have the same number of dimensions as {what} tensor")
    for axis, (n, size) in enumerate(zip(own, shape, strict=True)):
        if axis != dim and n > size and name == "gather":
            raise RuntimeError(
                f"Size does not match at dimension {axis} expected index {list(place.shape)} to be "
                f"no larger than self {list(input._array.shape)} apart from dimension {dim}"
            )
    if name != "gather":
        check_scatter_sizes(own, shape, dim, None if src is None else vector(src._array).shape)
    wrong = check_range(place, shape[dim])
    if wrong is not None:
        raise RuntimeError(out_of_bounds(wrong, dim, shape[dim]))


def check_scatter_sizes(
    own: tuple[int, ...], shape: tuple[int, ...], dim: int, src: tuple[int, ...] | None
) -> None:
    if src is not None and len(src) != len(own):
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    too_large = any(
        n > size for axis, (n, size) in enumerate(zip(own, shape, strict=True)) if axis != dim
    )
    if too_large or (src is not None and any(n > m for n, m in zip(own, src, strict=True))):
        beside = "" if src is None else f" and to be no larger size than src {list(src)}"
        raise RuntimeError(
            f"Expected index {list(own)} to be no larger than self {list(shape)} apart from "
            f"dimension {dim}{beside}"
        )


def gather(input: Any, dim: int, index: Any, *, sparse_grad: bool = False) -> Any:
    """At each place of `index`, the element whose position in `dim` stands there.

    >>> import minigrad as mg
    >>> mg.gather(mg.tensor([[1, 2], [3, 4]]), 1, mg.tensor([[0, 0], [1, 0]]))
    tensor([[1, 1],
            [4, 3]])
    """
    check_scatter(input, dim, index, "gather")
    return apply(GatherBackward0, input, dim, index, sparse_grad)


@both_forms
def scatter(input: Any, dim: int, index: Any, src: Any = None, *, value: Any = None) -> Row:
    """`input` with elements of `src`, or a number, at the places that `index` names in `dim`."""
    src = value if src is None else src
    if isinstance(src, TensorBase):
        check_scatter(input, dim, index, "scatter", src)
        return ScatterBackward0, (src, dim, index)
    check_scatter(input, dim, index, "scatter")
    return ScatterBackward1, (dim, index, src)


@both_forms
def scatter_add(input: Any, dim: int, index: Any, src: Any) -> Row:
    """`input` with elements of `src` added at the places that `index` names in `dim`."""
    check_scatter(input, dim, index, "scatter", src)
    return ScatterAddBackward0, (src, dim, index)


@both_forms
def index_add(input: Any, dim: int, index: Any, source: Any, *, alpha: float = 1) -> Row:
    """`input` with the slices of `source`, times `alpha`, added to those that `index` names."""
    place = positions(index, "index_add_")
    array, given = input._array, source._array
    axis = wrap_dim(dim, array.ndim)
    if place.ndim > 1:
        found = f"got dim: {place.ndim} with size: {list(place.shape)}"
        raise IndexError(f"index_add_(): Index is supposed to be a vector, but {found}")
    kinds = [type_word(x.dtype) for x in (array, given, place)]
    if place.dtype.name not in ("int64", "int32"):
        raise RuntimeError(
            f"index_add_(): Expected dtype int32/int64 for index but got: {kinds[2]}"
        )
    if given.dtype != array.dtype:
        both = f"self ({kinds[0]}) and source ({kinds[1]})"
        raise RuntimeError(f"index_add_(): {both} must have the same scalar type")
    if axis and axis >= given.ndim:
        limit = f"the source tensor with dim {given.ndim}"
        raise RuntimeError(f"index_add_(): Indexing dim {axis} is out of bounds of {limit}")
    if place.size != (given.shape[axis] if given.ndim else 1):
        if not given.ndim:
            raise IndexError("Dimension specified as 0 but tensor has no dimensions")
        wanted = f"equal to source.size(dim): ({given.shape[axis]}), for dim: {axis}"
        raise RuntimeError(f"index_add_(): Number of indices ({place.size}) should be {wanted}")
    if array.ndim != given.ndim or without(array.shape, axis) != without(given.shape, axis):
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {list(array.shape)} source.shape = {list(given.shape)}"
        )
    size = vector(array).shape[axis]
    wrong = check_range(place, size)
    if wrong is not None and (array.size or array.ndim < 2):
        if array.ndim > 1 and alpha == 1 and axis in (0, array.ndim - 1):
            raise RuntimeError(out_of_bounds(wrong, axis, size))
        raise IndexError("index out of range in self")
    return IndexAddBackward0, (source, dim, index, alpha, given.ndim)


def without(shape: tuple[int, ...], dim: int) -> tuple[int, ...]:
    """The shape of a slice along `dim`."""
    return shape[:dim] + shape[dim + 1 :]


def out_of_bounds(index: int, dim: int, size: int) -> str:
    return f"index {index} is out of bounds for dimension {dim} with size {size}"


def index_select(input: Any, dim: int, index: Any) -> Any:
    """The slices of dimension `dim` that `index` names, copied."""
    place = check_index(index, "index_select", "Expected dtype int32 or int64 for index")
    shape = vector(input._array).shape
    axis = wrap_dim(dim, len(shape))
    if place.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if not input._array.ndim and place.size != 1:
        raise RuntimeError(
            f"index_select(): Index to scalar can have only 1 value, got {place.size}"
        )
    check_selection(input._array, axis, place)
    return apply(IndexSelectBackward0, input, dim, index)


def check_selection(x: Any, axis: int, index: Any) -> None:
    """Refuse to select by an index that is out of range.

    Raises:
        IndexError, RuntimeError: it is, in the words for one dimension or several.
    """
    shape = vector(x).shape
    wrong = check_range(index, shape[axis])
    if wrong is None:
        return
    if x.size or len(shape) == 1:
        raise IndexError("index out of range in self")
    if not shape[axis]:
        raise RuntimeError("index_select(): self indexing axis dim should be positive")
    raise RuntimeError(f"INDICES element is out of DATA bounds, id={wrong} axis_dim={shape[axis]}")


class ScatteringMethods(TensorBase):
    """The methods of this file."""

    gather = gather
    scatter, scatter_ = scatter, scatter.in_place
    scatter_add, scatter_add_ = scatter_add, scatter_add.in_place
    index_select = index_select
    index_add, index_add_ = index_add, index_add.in_place
