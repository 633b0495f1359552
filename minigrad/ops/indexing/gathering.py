"""Take elements by position and put them back: gather and scatter, index_select and index_add.

`one_hot` makes rows of an identity matrix by their numbers; `embedding` takes rows of any table
(ops/neural/embedding.py). The functions come in pairs, each the other's gradient: an element that
was taken twice gets the sum of both gradients.
"""

from __future__ import annotations

from operator import gt
from typing import Any, NoReturn

import numpy as np

from ...arrays.devices import ON_CPU, get_array_module
from ...arrays.memory_order import copy_in_order, row_major
from ...arrays.messages import check_same_type, type_word
from ...arrays.positions import watch
from ...arrays.waiting import on_host
from ...core.inplace import check_overlap
from ...core.node import TensorBase, new_tensor, unwrap
from ...core.operation import ALWAYS, apply, constant_like, zeros_for
from ..pointwise.arithmetic import NotImplementedBackward
from ..pointwise.masking import MaskedFillBackward0
from ..public.dims import out_of_range, whole_number, wrap_dim
from ..public.factories import Call, applied, as_number
from ..public.functions import schema
from ..public.kinds import ShapeOperation
from ..shapes.copies import as_scalar, warn_if_expanded
from ..shapes.shapes import ExpandBackward0


def mesh(index: Any, dim: int) -> tuple[Any, ...]:
    """Return NumPy's index that reads, for each place of `index`, position `index` of `dim`."""
    arange, rank = get_array_module(index).arange, index.ndim
    return tuple(
        [
            index if axis == dim % rank else arange(size).reshape((-1,) + (1,) * (rank - axis - 1))
            for axis, size in enumerate(index.shape)
        ]
    )


def add_rows(array: Any, index: Any, rows: Any) -> None:
    """Compute array[index[k]] += rows[k] for every k; a position may repeat."""
    if rows.ndim < 2 or not rows.size or not isinstance(array, np.ndarray):
        np.add.at(array, index, rows)
        return
    # Sum the rows for the same position first: five times as fast.
    index = index % len(array)
    order = np.argsort(index, kind="stable")
    index = index[order]
    starts = np.flatnonzero(np.diff(index, prepend=-1))
    array[index[starts]] += np.add.reduceat(rows[order], starts, dtype=rows.dtype)


def vector(array: Any) -> Any:
    """Return a 0-d array as a vector: PyTorch allows indexing it as such."""
    return array if array.ndim else array.reshape(1)


class GatherBackward0(ShapeOperation):
    """For each place of `index`, the element of that place at position `index` of `dim`."""

    saves = {"index": ALWAYS, "self": ALWAYS}
    rule = r"\bar a[i] \mathrel{+}= g"

    @row_major
    def forward(self: Any, /, dim: int, index: Any) -> Any:
        if not index.size:
            return self.reshape(-1)[:0].reshape(index.shape).copy()
        return vector(self)[mesh(vector(index), dim)].reshape(index.shape)

    def gradient(g: Any, index: Any, self: Any, shape: Any, dim: int) -> Any:
        return ScatterAddBackward0.on(zeros_for(g, shape), g, dim, index)


class ScatterBackward0(ShapeOperation):
    """`self` with elements of `src` written to positions `index` of `dim`."""

    saves = {"index": ALWAYS}
    rule = r"\bar a = g, \text{ but } 0 \text{ at } i; \qquad \bar b = g[i]"

    def forward(self: Any, src: Any, /, dim: int, index: Any) -> Any:
        result, index = vector(self).copy(), vector(index)
        if index.size:
            result[mesh(index, dim)] = corner(vector(src), index)
        return result.reshape(self.shape)

    def gradient(g: Any, index: Any, dim: int) -> Any:
        kept = ScatterBackward1.on
        return lambda: kept(g, dim, index, 0), lambda: GatherBackward0.on(g, dim, index)


class ScatterBackward1(ShapeOperation):
    """`self` with a number written to positions `index` of `dim`."""

    saves = {"index": ALWAYS}
    rule = r"\bar a = g, \text{ but } 0 \text{ at } i"

    def forward(self: Any, /, dim: int, index: Any, _value: Any) -> Any:
        number = np.full_like(index, as_scalar(_value, self.dtype), self.dtype)
        return ScatterBackward0.forward(self, number, dim, index)

    def gradient(g: Any, index: Any, dim: int, _value: Any) -> Any:
        return ScatterBackward1.on(g, dim, index, 0)


def multiply_at(result: Any, place: Any, src: Any) -> None:
    """Multiply elements of `result` by those of `src`; on the host, as CuPy has no such function.

    >>> x = np.ones(2)
    >>> multiply_at(x, [0, 0], [2.0, 3.0])
    >>> x
    array([6., 1.])
    """
    if isinstance(result, ON_CPU):
        np.multiply.at(result, place, src)
        return
    product = on_host(result)
    positions = place if type(place) is tuple else (place,)
    np.multiply.at(product, tuple([on_host(each) for each in positions]), on_host(src))
    result[...] = constant_like(result, product)


class ScatterCombined(NotImplementedBackward):
    """`self` with elements added or multiplied at positions `index` of `dim`."""

    inputs = ("self", "src")
    params = ("dim", "index", "_reduce")

    def forward(self: Any, src: Any, dim: int, index: Any, _reduce: str) -> Any:
        result, place = vector(self).copy(), vector(index)
        if place.size:
            number = not hasattr(src, "shape")
            given = as_scalar(src, self.dtype) if number else corner(vector(src), place)
            combine_at = np.add.at if _reduce == "add" else multiply_at
            combine_at(result, mesh(place, dim), given)
        return result.reshape(self.shape)

    def backward(ctx, *g: Any) -> NoReturn:
        raise RuntimeError("derivative for aten::scatter is not implemented")


class ScatterAddBackward0(ShapeOperation):
    """`self` with elements of `src` added at positions `index` of `dim`."""

    saves = {"index": 1}
    rule = r"\bar a = g, \qquad \bar b = g[i]"

    def forward(self: Any, src: Any, /, dim: int, index: Any) -> Any:
        result, index = vector(self).copy(), vector(index)
        if index.size:
            # Positions in the flat memory: NumPy adds there several times as fast.
            steps = [step // result.itemsize for step in result.strides]
            flat = sum(m * step for m, step in zip(mesh(index, dim), steps, strict=True))
            np.add.at(result.reshape(-1), flat.reshape(-1), corner(vector(src), index).reshape(-1))
        return result.reshape(self.shape)

    def gradient(g: Any, index: Any, dim: int) -> Any:
        return g, lambda: GatherBackward0.on(g, dim, index)


def put_slices(result: Any, dim: int, index: Any, values: Any) -> Any:
    """Return `result`, a copy, with `values` in the slices `index` of dimension `dim`."""
    np.moveaxis(result, dim, 0)[vector(index)] = values
    return result


class IndexFillBackward0(ShapeOperation):
    """`self` with a number in the slices `index`."""

    fills_repeats = True
    saves = {"index": ALWAYS}
    rule = r"\bar a = g, \text{ but } 0 \text{ at } i"

    def forward(self: Any, /, dim: int, index: Any, _value: Any) -> Any:
        value = as_scalar(_value, self.dtype)
        return put_slices(copy_in_order(vector(self)), dim, index, value).reshape(self.shape)

    def gradient(g: Any, index: Any, dim: int, _value: Any) -> Any:
        return IndexFillBackward0.on(g, dim, index, 0)


class IndexFillBackward1(ShapeOperation):
    """`self` with a 0-d tensor in the slices `index`."""

    fills_repeats = True
    saves = {"index": ALWAYS}
    rule = r"\bar a = g, \text{ but } 0 \text{ at } i; \qquad \bar v = \sum g[i]"

    def forward(self: Any, value: Any, /, dim: int, index: Any) -> Any:
        value = value.astype(self.dtype)
        return put_slices(copy_in_order(vector(self)), dim, index, value).reshape(self.shape)

    def gradient(g: Any, index: Any, dim: int) -> Any:
        return (
            lambda: IndexFillBackward0.on(g, dim, index, 0),
            # A position that appears twice is filled once.
            lambda: IndexSelectBackward0.on(
                g, dim, constant_like(g, np.unique(unwrap(index)))
            ).sum(),
        )


class IndexCopyBackward0(ShapeOperation):
    """`self` with the slices of `source` in the slices `index`."""

    saves = {"index": ALWAYS, "source": 1}
    rule = r"\bar a = g, \text{ but } 0 \text{ at } i; \qquad \bar b = g[i]"

    def forward(self: Any, source: Any, /, dim: int, index: Any) -> Any:
        values = np.moveaxis(vector(source), dim, 0)
        return put_slices(vector(self).copy(), dim, index, values).reshape(self.shape)

    def backward(ctx, g: Any) -> Any:
        index, _ = ctx.saved
        dim = ctx.args[0]
        left = IndexFillBackward0.on(g, dim, index, 0) if ctx.needs(0) else None
        if not ctx.needs(1):
            return left, None
        return left, ExpandBackward0.on(IndexSelectBackward0.on(g, dim, index), ctx.shape(1))


def corner(src: Any, index: Any) -> Any:
    """Return the part of `src` that an index uses, which may be smaller."""
    return src[tuple([slice(size) for size in index.shape])]


class IndexSelectBackward0(ShapeOperation):
    """The slices `index` of dimension `dim`."""

    saves = {"index": ALWAYS}
    rule = r"\bar a[i] \mathrel{+}= g"

    def forward(self: Any, /, dim: int, index: Any) -> Any:
        if not self.ndim:
            return self.copy()
        try:
            return np.take(self, vector(index), dim)
        except IndexError:  # from index_add, which does not check empty tensors
            check_selection(self, dim % self.ndim, index)
            raise

    def gradient(g: Any, index: Any, shape: Any, dim: int) -> Any:
        return IndexAddBackward0.on(zeros_for(g, shape), g, dim, index, 1)


class IndexAddBackward0(ShapeOperation):
    """`self` with the slices of `source`, times `alpha`, added to the slices `index`."""

    saves = {"index": 1, "source": 1}
    rule = r"\bar a = g, \qquad \bar b = \alpha \cdot g[i]"

    def forward(self: Any, source: Any, /, dim: int, index: Any, alpha: Any) -> Any:
        result, source = vector(self).copy(), vector(source)
        if alpha != 1:
            source = source * as_scalar(alpha, source.dtype)
        if self.dtype.kind != "f":  # CuPy cannot add narrow integers and bools
            result, source = result.astype(np.uint64), source.astype(np.uint64)
        if result.size:
            add_rows(np.moveaxis(result, dim, 0), vector(index), np.moveaxis(source, dim, 0))
        return result.astype(self.dtype, copy=False).reshape(self.shape)

    def backward(ctx, g: Any) -> Any:
        index, _ = ctx.saved
        dim, _, alpha = ctx.args
        if not ctx.needs(1):
            return g, None
        taken = ExpandBackward0.on(IndexSelectBackward0.on(g, dim, index), ctx.shape(1))
        return g, taken if alpha == 1 else taken * alpha


class EmbeddingBackward0(ShapeOperation):
    """Rows of a table of vectors, `weight`, by their numbers."""

    saves = {"indices": ALWAYS}
    rule = r"\bar w[i] \mathrel{+}= g"

    def forward(
        weight: Any, /, indices: Any, padding_idx: int, scale_grad_by_freq: bool = False
    ) -> Any:
        return weight[indices]

    def gradient(
        g: Any, indices: Any, shape: Any, padding_idx: int, scale_grad_by_freq: bool = False
    ) -> Any:
        summed, count = EmbeddingDenseBackwardBackward0.on, shape[0]
        return summed(g, indices, count, padding_idx, scale_grad_by_freq)


class EmbeddingDenseBackwardBackward0(ShapeOperation):
    """Gradients of rows summed into a table of zeros, except for the row `padding_idx`."""

    saves = {"indices": ALWAYS}
    rule = r"\bar g = \bar w[i]"

    def forward(
        grad_output: Any, /, indices: Any, _count: int, padding_idx: int, _mean: bool = False
    ) -> Any:
        width = grad_output.shape[-1]
        result = np.zeros_like(grad_output, shape=(_count, width))
        add_rows(result, indices.reshape(-1), grad_output.reshape(-1, width))
        if _mean:
            times = np.bincount(on_host(indices).reshape(-1), minlength=_count)
            result /= constant_like(result, np.maximum(times, 1).astype(result.dtype)[:, None])
        if padding_idx >= 0:
            result[padding_idx] = 0
        return result

    def gradient(g: Any, indices: Any, _count: int, padding_idx: int, _mean: bool = False) -> Any:
        if padding_idx >= 0:
            row = np.arange(_count).reshape(-1, 1) == padding_idx
            g = MaskedFillBackward0.on(g, constant_like(g, row), 0)
        return EmbeddingBackward0.on(g, indices, -1)


# --- Checks


def check_type(index: Any, message: str) -> None:
    """Raise if an index tensor does not hold integers of 32 or 64 bits.

    Raises:
        RuntimeError: it does not, with the given `message`.
    """
    dtype = index._array.dtype
    if dtype.name not in ("int64", "int32"):
        raise RuntimeError(message.format(type_word(dtype)))


def outside(index: Any, size: int, low: int = 0) -> int | None:
    """Return a position in `index` below `low` or not below `size`, or None."""
    if not isinstance(index, ON_CPU):
        watch(index, size, low)  # checked asynchronously, as in PyTorch
        return None
    wrong = index[(index < low) | (index >= size)]
    return int(wrong.flat[0]) if wrong.size else None


def out_of_bounds(index: int, dim: int, size: int) -> str:
    return f"index {index} is out of bounds for dimension {dim} with size {size}"


def check_scatter(input: TensorBase, dim: Any, index: Any, src: Any = None) -> int:
    """Return `dim` as an int, after checking `index` and, if given, `src` for a scatter.

    Raises:
        IndexError, RuntimeError: they do not fit.
    """
    number: int = dim if type(dim) is int else whole_number(dim)
    array, place = input._array, vector(index._array)
    own, shape = place.shape, array.shape or (1,)
    axis = wrap_dim(number, len(shape))
    if place.size:  # PyTorch does not check the dtype of an empty index
        check_type(index, "scatter(): Expected dtype int32/int64 for index")
    given = own if src is None else src._array.shape or (1,)
    if src is not None and src._array.dtype != array.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if not place.size:
        return number
    if len(own) != len(shape):
        raise another_rank("self")
    wide = any(at != axis and n > shape[at] for at, n in enumerate(own))
    larger = any(map(gt, own, given))
    if len(own) != len(given):
        if len(own) > len(given) and src._array.ndim and not wide and not larger:
            raise out_of_range(len(given), len(given))
        raise another_rank("src")
    if wide or larger:
        wanted = f"to be no larger than self {list(shape)} apart from dimension {axis}"
        if src is not None:
            wanted += f" and to be no larger size than src {list(given)}"
        raise RuntimeError(f"Expected index {list(own)} {wanted}")
    wrong = outside(place, shape[axis])
    if wrong is not None:
        raise RuntimeError(out_of_bounds(wrong, axis, shape[axis]))
    return number


def another_rank(what: str) -> RuntimeError:
    """Return the error for an index whose rank differs from that of its tensor."""
    return RuntimeError(f"Index tensor must have the same number of dimensions as {what} tensor")


def check_selection(x: Any, axis: int, index: Any) -> None:
    """Raise if a selection's index is out of range.

    Raises:
        IndexError, RuntimeError: it is, with PyTorch's error for one dimension or several.
    """
    shape = vector(x).shape
    wrong = outside(index, shape[axis])
    if wrong is None:
        return
    if (x.size and axis != 1) or len(shape) == 1:
        raise IndexError("index out of range in self")
    if not shape[axis]:
        raise RuntimeError("index_select(): self indexing axis dim should be positive")
    raise RuntimeError(f"INDICES element is out of DATA bounds, id={wrong} axis_dim={shape[axis]}")


def check_index_and_source(
    name: str, input: Any, dim: Any, index: Any, source: Any
) -> tuple[int, int, int]:
    """Return `dim` as an int, also not negative, and its size, after checking the arguments.

    Raises:
        IndexError, RuntimeError: `index` and `source` do not fit.
    """
    dim = dim if type(dim) is int else whole_number(dim)
    array, given = input._array, source._array
    axis = wrap_dim(dim, array.ndim)
    place = index._array
    if place.ndim > 1:
        found = f"dim: {place.ndim} with type: {type_word(place.dtype)} and size: "
        wanted = "Index is supposed to be a vector, but got"
        raise IndexError(f"{name}(): {wanted} {found}{list(place.shape)}")
    check_type(index, name + "(): Expected dtype int32/int64 for index but got: {}")
    message = name + "(): self ({}) and source ({}) must have the same scalar type"
    check_same_type(array, given, message)
    if axis >= max(given.ndim, 1):
        found = f"out of bounds of the source tensor with dim {given.ndim}"
        raise RuntimeError(f"{name}(): Indexing dim {axis} is {found}")
    if place.size != vector(given).shape[axis]:
        if not given.ndim:
            raise IndexError("Dimension specified as 0 but tensor has no dimensions")
        wanted = f"equal to source.size(dim): ({given.shape[axis]}), for dim: {axis}"
        raise RuntimeError(f"{name}(): Number of indices ({place.size}) should be {wanted}")
    if array.ndim != given.ndim or without(array.shape, axis) != without(given.shape, axis):
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {list(array.shape)} source.shape = {list(given.shape)}"
        )
    return dim, axis, vector(array).shape[axis]


def without(shape: tuple[int, ...], dim: int) -> tuple[int, ...]:
    """Return the shape of a slice along `dim`."""
    return shape[:dim] + shape[dim + 1 :]


# --- Public functions


@schema("gather(Tensor input, int dim, Tensor index, *, bool sparse_grad=False, Tensor out=None)")
def gather(input: Any, dim: Any, index: Any, *, sparse_grad: bool = False) -> TensorBase:
    """For each place of `index`, take the element of that place at position `index` of `dim`.

    The gradient is dense in any case: `sparse_grad` changes nothing.

    >>> import minigrad as mg
    >>> mg.gather(mg.tensor([[1, 2], [3, 4]]), 1, mg.tensor([[0, 0], [1, 0]]))
    tensor([[1, 1],
            [4, 3]])
    """
    if type(sparse_grad) is not bool:
        raise TypeError
    dim = dim if type(dim) is int else whole_number(dim)
    place = vector(index._array)
    own, shape = place.shape, input._array.shape or (1,)
    axis = wrap_dim(dim, len(shape))
    if place.size:
        check_type(index, "gather(): Expected dtype int32/int64 for index")
        if len(own) != len(shape):
            raise another_rank("input")
        for at, (n, size) in enumerate(zip(own, shape, strict=True)):
            if n > size and at != axis:
                wanted = f"to be no larger than self {list(shape)} apart from dimension {axis}"
                found = f"Size does not match at dimension {at}"
                raise RuntimeError(f"{found} expected index {list(own)} {wanted}")
        wrong = outside(place, shape[axis])
        if wrong is not None:
            raise RuntimeError(out_of_bounds(wrong, axis, shape[axis]))
    return apply(GatherBackward0, input, dim, index)


@applied(
    "scatter(Tensor input, int dim, Tensor index, Tensor src, *, Tensor out=None)",
    "scatter(Tensor input, int dim, Tensor index, Tensor src, *, str reduce, Tensor out=None)",
    "scatter(Tensor input, int dim, Tensor index, Scalar value, *, Tensor out=None)",
    "scatter(Tensor input, int dim, Tensor index, Scalar value, *, str reduce, Tensor out=None)",
    apart=True,
)
def scatter(
    input: Any,
    dim: Any,
    index: Any,
    either: Any = None,
    *,
    src: Any = None,
    value: Any = None,
    reduce: Any = None,
) -> Call:
    """Write elements of `src`, or a number, to positions `index` of `dim`.

    `reduce` is "add" or "multiply" for elements to be combined with those that are there; PyTorch
    has no gradient for it, and recommends `scatter_reduce`.

    >>> import minigrad as mg
    >>> mg.scatter(mg.zeros(2, 2), 1, mg.tensor([[0], [1]]), 5)
    tensor([[5., 0.],
            [0., 5.]])
    """
    (given,) = [each for each in (either, src, value) if each is not None]
    of_tensor = src is not None or (given is either and isinstance(either, TensorBase))
    if reduce is not None:
        if not isinstance(reduce, str):
            raise TypeError
        if not of_tensor:
            given = as_number(given, input._array.dtype)
        dim = check_scatter(input, dim, index, given if of_tensor else None)
        if reduce not in ("add", "multiply"):
            raise RuntimeError("reduce argument must be either add or multiply.")
        return ScatterCombined, (given, dim, index, reduce)
    if of_tensor:
        return ScatterBackward0, (given, check_scatter(input, dim, index, given), index)
    number = as_number(given, input._array.dtype)
    return ScatterBackward1, (check_scatter(input, dim, index), index, number)


@applied(
    "scatter_add(Tensor input, int dim, Tensor index, Tensor src, *, Tensor out=None)", apart=True
)
def scatter_add(input: Any, dim: Any, index: Any, src: Any) -> Call:
    """Add elements of `src` at positions `index` of `dim`."""
    return ScatterAddBackward0, (src, check_scatter(input, dim, index, src), index)


@applied(
    "index_add(Tensor input, int dim, Tensor index, Tensor source, *, Scalar alpha=1, "
    "Tensor out=None)",
    apart=True,
)
def index_add(input: Any, dim: Any, index: Any, source: Any, *, alpha: Any = 1) -> Call:
    """Add the slices of `source`, times `alpha`, to the slices `index`."""
    alpha = as_number(alpha, input._array.dtype)
    dim, axis, size = check_index_and_source("index_add_", input, dim, index, source)
    array, wrong = input._array, outside(index._array, size)
    if wrong is not None and (array.size or array.ndim < 2):
        at_an_end = array.ndim > 1 and alpha == 1 and axis in (0, array.ndim - 1)
        if at_an_end:
            raise RuntimeError(out_of_bounds(wrong, axis, size))
        raise IndexError("index out of range in self")
    return IndexAddBackward0, (source, dim, index, alpha)


def warn_to_fill(input: Any, *args: Any, **kwargs: Any) -> None:
    """Warn and refuse as `index_fill_` alone does."""
    warn_if_expanded(input._array, "index_fill_", "tensor[mask] = scalar")
    check_overlap(input, (*args, *kwargs.values()), repeats=True, apart=True)


@applied(
    "index_fill(Tensor input, int dim, Tensor index, Tensor value)",
    "index_fill(Tensor input, int dim, Tensor index, Scalar value)",
    before=warn_to_fill,
)
def index_fill(input: Any, dim: Any, index: Any, value: Any) -> Call:
    """Fill the slices `index` with `value`, a number or a 0-d tensor.

    >>> import minigrad as mg
    >>> mg.index_fill(mg.zeros(3), 0, mg.tensor([0, 2]), 5)
    tensor([5., 0., 5.])
    """
    dim = dim if type(dim) is int else whole_number(dim)
    array, place = input._array, index._array
    axis = wrap_dim(dim, array.ndim)
    if isinstance(value, complex):
        refused = "Converting complex Scalar to non-complex type is not supported"
        raise RuntimeError(f"index_fill_(): {refused}")
    number = None if isinstance(value, TensorBase) else as_number(value, array.dtype)
    if number is None and value._array.ndim:
        found = f"but got tensor with {value._array.ndim} dimension(s)."
        raise RuntimeError(f"index_fill_ only supports a 0-dimensional value tensor, {found}")
    if place.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    if place.ndim > 1:
        raise RuntimeError("Index has to be a vector/scalar")
    size = vector(array).shape[axis]
    wrong = outside(place, size, -size)
    if wrong is not None:
        raise IndexError(out_of_bounds(wrong, axis, size))
    if number is None:
        return IndexFillBackward1, (value, dim, index)
    return IndexFillBackward0, (dim, index, number)


@applied(
    "index_copy(Tensor input, int dim, Tensor index, Tensor source, *, Tensor out=None)",
    apart=True,
)
def index_copy(input: Any, dim: Any, index: Any, source: Any) -> Call:
    """Copy the slices of `source` into the slices `index`.

    >>> import minigrad as mg
    >>> mg.index_copy(mg.zeros(3), 0, mg.tensor([2, 0]), mg.tensor([1.0, 2.0]))
    tensor([2., 0., 1.])
    """
    dim = dim if type(dim) is int else whole_number(dim)
    array, given, place = input._array, source._array, index._array
    axis = wrap_dim(dim, array.ndim)
    if place.ndim > 1:
        raise IndexError(f"index_copy_(): Index should have dimension 1 or 0 (got {place.ndim})")
    if given.ndim and array.ndim and given.ndim != array.ndim:
        ranks = f"Source dimensionality ({given.ndim}), destination dimensionality ({array.ndim})"
        both = "When source and destination are not scalars, their dimensionality must match."
        raise IndexError(f"index_copy_(): {both} {ranks}")
    if place.dtype != np.int64:
        found = f"but got {type_word(place.dtype)}"
        raise RuntimeError(f"index_copy_(): Expected a long tensor for index, {found}")
    wanted = "index_copy_(): self and source expected to have the same dtype"
    check_same_type(array, given, wanted + ", but got (self) {} and (source) {}")
    own, shape = vector(given).shape, vector(array).shape
    if not given.ndim and place.size != 1:
        found = f"index should have one element (got {place.size})"
        raise IndexError(f"index_copy_(): When source is scalar, {found}")
    if without(own, axis) != without(shape, axis):
        slices = [" ".join(map(str, without(each, axis))) for each in (shape, own)]
        raise RuntimeError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination "
            f"slice shape: {slices[0]} at dimension {axis} and source slice shape: {slices[1]} at "
            f"dimension {axis}."
        )
    if place.size != own[axis]:
        wanted = f"should be equal to source.size(dim) ({own[axis]})"
        raise IndexError(f"index_copy_(): Number of indices ({place.size}) {wanted}")
    wrong = outside(place, shape[axis])
    if wrong is not None:
        raise IndexError(f"index_copy_(): {out_of_bounds(wrong, axis, shape[axis])}")
    return IndexCopyBackward0, (source, dim, index)


@schema("index_select(Tensor input, int dim, Tensor index, *, Tensor out=None)")
def index_select(input: Any, dim: Any, index: Any) -> TensorBase:
    """Copy the slices `index` of dimension `dim`.

    >>> import minigrad as mg
    >>> mg.index_select(mg.tensor([[1, 2], [3, 4]]), 1, mg.tensor([1, 1]))
    tensor([[2, 2],
            [4, 4]])
    """
    dim = dim if type(dim) is int else whole_number(dim)
    array = input._array
    shape = array.shape or (1,)
    place = index._array
    axis = wrap_dim(dim, len(shape))
    if place.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    check_type(index, "index_select(): Expected dtype int32 or int64 for index")
    if not array.ndim and place.size != 1:
        wanted = "Index to scalar can have only 1 value"
        raise RuntimeError(f"index_select(): {wanted}, got {place.size} value(s)")
    check_selection(array, axis, place)
    return apply(IndexSelectBackward0, input, dim, index)


def padding_row(padding_idx: int | None, count: int) -> int | None:
    """Return the row that gets no gradient, if any, counted from the front."""
    if padding_idx is None:
        return None
    if padding_idx > max(count - 1, 0) or padding_idx < -count:
        raise AssertionError("Padding_idx must be within num_embeddings")
    return padding_idx + count if padding_idx < 0 else padding_idx


@schema("one_hot(Tensor input, int num_classes=-1)", place="nn.functional")
def one_hot(input: Any, num_classes: Any = -1) -> TensorBase:
    """Return each class number as a row of zeros with a 1 at its position.

    >>> import minigrad as mg
    >>> mg.nn.functional.one_hot(mg.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
    num_classes = num_classes if type(num_classes) is int else whole_number(num_classes)
    array = input._array
    if array.dtype.name != "int64":
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not array.size:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
    elif array.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    elif num_classes == -1:
        num_classes = int(array.max()) + 1
    elif array.max() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    classes = np.arange(num_classes, like=array) if array.ndim else np.arange(num_classes)
    out = new_tensor((array[..., None] == classes).astype(np.int64, order="C"))
    if array.size:
        out.version_counter().value = 2  # PyTorch fills it with zeros and then scatters ones
    return out


class ScatteringMethods(TensorBase):
    """The methods of this file."""

    gather, index_select = gather.method, index_select.method
    scatter, scatter_ = scatter.method, scatter.in_place.method
    scatter_add, scatter_add_ = scatter_add.method, scatter_add.in_place.method
    index_add, index_add_ = index_add.method, index_add.in_place.method
    index_copy, index_copy_ = index_copy.method, index_copy.in_place.method
    index_fill, index_fill_ = index_fill.method, index_fill.in_place.method
