"""Indexing, read and write.

As in PyTorch, the numbers, slices, None and `...` of an index become views, one after the other.
The remaining tensors index all at once, and copy. A write uses the same views: it is an in-place
copy into the indexed view, or an in-place `index_put` where tensors index.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, cast

import numpy as np

from ...arrays.devices import CPU, ON_CPU, device_of
from ...arrays.dtypes import dtype_of, tensor_type_name
from ...arrays.memory_order import copy_in_order
from ...arrays.messages import FREED, check_same_type, type_name
from ...arrays.positions import watch
from ...core.broadcasting import broadcasts_to
from ...core.inplace import check_overlap, overwrite
from ...core.node import UNCOUNTED, TensorBase, new_tensor, unwrap
from ...core.operation import ALWAYS, apply, record, zeros_for
from ...core.saved import PackedTensor, RawSaved, TensorGroup, modified, saved_input
from ...core.views import apply_view
from ..public.dims import truth_value, wrap_dim
from ..public.factories import as_number
from ..public.functions import schema
from ..public.kinds import ShapeOperation
from ..public.overriding import answer, watchers
from ..shapes.copies import as_scalar, check_writable, warn_if_expanded
from ..shapes.shapes import AliasBackward0, UnsqueezeBackward0, expand, view
from ..shapes.slicing import END, SelectBackward0, SliceBackward0
from .gathering import add_rows, out_of_bounds

OVERFLOW = "Overflow when unpacking long long"


class Positions(TensorGroup):
    """The index tensors of an indexing operation: one for each dimension, or None for all of it.

    A mask stands for as many dimensions as it has. A node saves all of them as one value.
    """

    __slots__ = ("_counter", "tensors", "versions")

    def __init__(self, tensors: Iterable[Any]) -> None:
        self.tensors = tuple(tensors)
        counters = [t._counter for t in self.tensors if isinstance(t, TensorBase)]
        self._counter = UNCOUNTED if UNCOUNTED in counters else None  # saving it raises
        self.versions = tuple(
            [t.version() if isinstance(t, TensorBase) else 0 for t in self.tensors]
        )

    def packed(self) -> Positions:
        return Positions(map(saved_input, self.tensors))

    def arrays(self) -> tuple[Any, ...]:
        """Return the index in NumPy's form."""
        return tuple([slice(None) if t is None else as_mask(t._array) for t in self.tensors])

    def has_empty(self) -> bool:
        """Return whether an index tensor is empty: NumPy then accepts more than PyTorch."""
        return any(t is not None and not t._array.size for t in self.tensors)

    def is_mask(self) -> bool:
        """Return whether the index is one mask, and whole dimensions otherwise."""
        given = [t._array.dtype.name for t in self.tensors if t is not None]
        return given in (["bool"], ["uint8"])

    def first(self) -> tuple[Any, ...]:
        """Return the same index with position 0 everywhere: its result has the same shape."""
        return tuple(
            [
                i if isinstance(i, slice) or i.dtype == bool else np.zeros_like(i)
                for i in self.arrays()
            ]
        )

    def arrays_in(self, array: Any) -> tuple[Any, ...]:
        """Return the index in NumPy's form for `array`.

        If the result is empty, PyTorch does not check the positions.
        """
        return self.arrays() if array.size else self.first()

    def shape_in(self, array: Any) -> tuple[int, ...]:
        """Return the shape of the elements that this index takes from `array`."""
        # One element, expanded to the array's shape: hardly any memory is read.
        whole = np.broadcast_to(np.zeros((), np.int8, like=array), array.shape)
        return tuple(whole[self.first()].shape)


class SavedIndices:
    """The saved index of a node with one value for each tensor, as `RawSaved` expects of a node."""

    def __init__(self, node: IndexOperation) -> None:
        self.node = node

    @property
    def _saved(self) -> tuple[Any, ...] | None:
        return self.node._saved and self.node._saved[0].tensors

    @_saved.setter
    def _saved(self, tensors: tuple[Any, ...]) -> None:
        changed = Positions(tensors)
        changed.versions = cast(Any, self.node._saved)[0].versions
        self.node._saved = (changed,)

    def _unpacked(self, place: int) -> Any:
        return self.node.positions().tensors[place]


class IndexOperation(ShapeOperation):
    """An operation at the positions that index tensors give."""

    params: ClassVar[tuple[str, ...]] = ("indices",)
    saves = {"indices": ALWAYS}

    def positions(self) -> Positions:
        """The saved index.

        Raises:
            RuntimeError: it was freed, or modified in place since.
        """
        if self._saved is None:
            raise RuntimeError(FREED)
        indices = self.unpacked(self._saved[0])
        for tensor, expected in zip(indices.tensors, indices.versions, strict=True):
            if tensor is not None and tensor.version() != expected:
                raise modified(self, tensor, expected, tensor.version())
        return indices

    def _pass_nothing(self) -> None:
        self.positions()

    def unpacked(self, indices: Positions) -> Positions:
        """Return the tensors themselves, where saved-tensor hooks have packed them."""
        if any(isinstance(t, PackedTensor) for t in indices.tensors):
            return Positions(
                [t.tensor(self) if isinstance(t, PackedTensor) else t for t in indices.tensors]
            )
        return indices

    @property
    def _saved_indices(self) -> tuple[Any, ...]:
        return self.positions().tensors

    @property
    def _raw_saved_indices(self) -> tuple[RawSaved, ...]:
        if self._saved is None:
            raise RuntimeError(FREED)
        each = cast(Any, SavedIndices(self))
        return tuple([RawSaved(each, place) for place in range(len(self._saved[0].tensors))])

    def _kept_values(self) -> list[tuple[str, Any, int, int]]:
        return [
            (f"indices[{place}]", tensor, 0, 0)
            if isinstance(tensor, PackedTensor)
            else (f"indices[{place}]", tensor._array, expected, tensor.version())
            for indices in self._saved or ()
            for place, (tensor, expected) in enumerate(
                zip(indices.tensors, indices.versions, strict=True)
            )
            if tensor is not None
        ]

    def _release(self) -> None:
        super()._release()
        self.args = (None, *self.args[1:])


class IndexBackward0(IndexOperation):
    """The elements at the positions that index tensors give."""

    rule = r"\bar a[i] \mathrel{+}= g"

    def forward(self: Any, indices: Positions) -> Any:
        result = self[indices.arrays_in(self)]
        return result if result.flags.c_contiguous else result.copy(order="C")

    def backward(ctx, g: Any) -> Any:
        zeros = zeros_for(g, ctx.shape())
        return IndexPutImplBackward0.on(zeros, g, ctx.positions(), True)


class IndexPutBackward0(IndexOperation):
    """`self` with `values` written or added at the positions that index tensors give."""

    fills_repeats = True
    rule = r"\bar a = g, \text{ but } 0 \text{ at } i; \qquad \bar v = g[i]"

    def forward(self: Any, values: Any, /, indices: Positions, accumulate: bool) -> Any:
        result = copy_in_order(self)
        write_at(result, values, indices, accumulate)
        return result

    def backward(ctx, g: Any) -> Any:
        indices = ctx.positions()
        wrt_self: Any = g if ctx.needs(0) else None
        if ctx.needs(0) and not ctx.args[1]:
            wrt_self = IndexPutBackward0.on(g, zeros_for(g, ()), indices, False)
        return wrt_self, IndexBackward0.on(g, indices) if ctx.needs(1) else None


class IndexPutImplBackward0(IndexPutBackward0):
    """PyTorch's name of `index_put` in the backward pass of indexing."""


def write_at(array: Any, values: Any, indices: Positions, accumulate: bool) -> None:
    """Write `values` at these positions of `array`, or add them."""
    if not values.size:
        return
    if accumulate and len(indices.tensors) == 1 and values.ndim == array.ndim:
        (rows,) = indices.arrays_in(array)
        if rows.ndim == 1 and rows.dtype != bool and len(values) == len(rows):
            add_rows(array, rows, np.broadcast_to(values, (len(rows), *array.shape[1:])))
            return
    if accumulate:
        np.add.at(array, indices.arrays_in(array), values)
    else:
        array[indices.arrays_in(array)] = values


def has_bytes(tensors: Iterable[Any]) -> bool:
    """Return whether a tensor is a mask of bytes."""
    return any(t is not None and t._array.dtype == np.uint8 for t in tensors)


def warn_of_bytes(tensors: Iterable[Any]) -> None:
    """Warn of each mask of bytes, which are deprecated."""
    text = "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool"
    for tensor in tensors:
        if tensor is not None and tensor._array.dtype == np.uint8:
            warnings.warn(f"{text} instead.", stacklevel=4)


def filled_by_bytes() -> RuntimeError:
    """Return the error for filling the elements of a byte mask with one number."""
    found = "but got mask with dtype unsigned char"
    return RuntimeError(f"masked_fill_ only supports boolean masks, {found}")


def as_mask(array: Any) -> Any:
    """Return a byte array as bools: bytes were masks before bools existed."""
    return array.astype(bool) if array.dtype == np.uint8 else array


# --- Parsing an index


def parse(tensor: Any, index: Any) -> tuple[Any, list[Any]]:
    """Apply the numbers, slices and Nones of `index` as views.

    Returns:
        The view, and for each of its dimensions the index tensor, or None. The list ends with the
            last tensor.

    Raises:
        IndexError: there are too many indices, one is out of range, or an item is not an index.
    """
    if isinstance(index, slice):
        return slice_view(tensor, 0, index), []
    if (number := as_integer(index)) is not None and not isinstance(index, TensorBase):
        return select_view(tensor, 0, number), []
    items = as_items(index)
    rank = tensor._array.ndim
    used = sum([dims_used(item) for item in items])
    if used > rank:
        raise IndexError(f"too many indices for tensor of dimension {rank}")
    positions: list[Any] = []
    dim = covered = 0
    for place, item in enumerate(items):
        if item is Ellipsis:
            dim += rank - used
        elif isinstance(item, slice):
            tensor = slice_view(tensor, dim, item)
            dim += 1
        elif item is None:
            tensor = apply_view(UnsqueezeBackward0, tensor, dim)
            dim += 1
        elif (number := as_integer(item)) is not None:
            tensor = select_view(tensor, dim, number, place)
        else:
            where = on_its_device(tensor, as_positions(item))
            if where._array.ndim == 0:  # a single bool: all of a new dimension of size 1, or none
                tensor = apply_view(UnsqueezeBackward0, tensor, dim)
                rows = np.zeros(int(bool(where._array)), np.int64, like=tensor._array)
                where = new_tensor(rows)
            positions += [None] * (dim - covered) + [where]
            dim += where._array.ndim if is_mask(where._array) else 1
            covered = dim
    return tensor, positions


def as_items(index: Any) -> tuple[Any, ...]:
    """Return the items of an index; a short list of tensors, lists or slices counts as a tuple."""
    if isinstance(index, tuple):
        return index
    if isinstance(index, list) and len(index) < 32 and any(is_index_itself(i) for i in index):
        warnings.warn(AS_A_TUPLE, stacklevel=4)
        return tuple(index)
    return (index,)


AS_A_TUPLE = (
    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in "
    "pytorch 2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as "
    "tensor index, x[tensor(seq)], which will result either in an error or a different result"
)


def is_index_itself(item: Any) -> bool:
    kinds = (TensorBase, list, tuple, slice, np.ndarray, range, str)
    return item is None or item is Ellipsis or isinstance(item, kinds)


def dims_used(item: Any) -> int:
    """Return the number of dimensions that one item of an index uses."""
    if item is None or item is Ellipsis or isinstance(item, bool):
        return 0
    if isinstance(item, TensorBase) and is_mask(item._array):
        return int(item._array.ndim)
    return 1  # also for a NumPy mask, whose elements PyTorch reads only later


def is_mask(array: Any) -> bool:
    return bool(array.dtype == np.bool_ or array.dtype == np.uint8)


def as_integer(item: Any) -> int | None:
    """Return an integer, also from a NumPy scalar or a 0-d integer tensor; else None."""
    if type(item) is int:
        return item
    if isinstance(item, (TensorBase, np.ndarray)):
        array = unwrap(item)
        whole = array.ndim == 0 and array.dtype.kind in "iu" and not is_mask(array)
        return int(array) if whole else None
    if isinstance(item, (int, np.integer)) and not isinstance(item, bool):
        return int(item)
    return None


def on_its_device(tensor: Any, where: Any) -> Any:
    """Return positions on the device of `tensor`: those on the CPU may index any tensor."""
    place, own = device_of(tensor._array), device_of(where._array)
    if own is place or own == place:
        return where
    if own is not CPU:
        wanted = f"either on cpu or on the same device as the indexed tensor ({place})"
        raise RuntimeError(f"indices should be {wanted}")
    return where.to(place)


def as_positions(item: Any) -> Any:
    """Return an item as a tensor of positions, or a mask.

    Raises:
        IndexError: its elements are neither.
        TypeError: it is a str.
    """
    if isinstance(item, bool):
        return new_tensor(np.bool_(item))
    if isinstance(item, TensorBase):
        if item._array.dtype.name not in ("int64", "int32", "bool", "uint8"):
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        return item
    if isinstance(item, (list, tuple, range, np.ndarray)):
        values = item
        if not isinstance(item, np.ndarray):
            values = [i._array.tolist() if isinstance(i, TensorBase) else i for i in item]
        try:
            array = np.asarray(values)
            if array.dtype.kind not in "biuf" or array.dtype == np.uint64:
                dtype_of(array)  # raises the error
        except (TypeError, ValueError) as error:
            raise not_positions(item) or error from None
        mask = array.dtype == bool or (array is item and array.dtype == np.uint8)
        return new_tensor(array if mask and array.size else array.astype(np.int64))
    if isinstance(item, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type_name(item)}'")
    valid = "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables"
    raise IndexError(f"{valid} are valid indices (got {type_name(item)})")


def not_positions(items: Any, dim: int = 0) -> Exception | None:
    """Return PyTorch's error for `items` that do not form an array of positions."""
    if isinstance(items, (list, tuple)):
        lengths = [len(i) for i in items if isinstance(i, (list, tuple))]
        for length in lengths:
            if length != lengths[0]:
                wanted = f"expected sequence of length {lengths[0]} at dim {dim + 1}"
                return ValueError(f"{wanted} (got {length})")
        return next(filter(None, [not_positions(i, dim + 1) for i in items]), None)
    if isinstance(items, (str, bytes)):
        return TypeError(f"new(): invalid data type '{type_name(items)}'")
    if isinstance(items, complex):
        return TypeError("'complex' object cannot be interpreted as an integer")
    if isinstance(items, int):
        return None if -END - 1 <= items <= END else ValueError(OVERFLOW)
    if isinstance(items, (float, np.generic, np.ndarray, TensorBase)):
        return None
    return RuntimeError(f"Could not infer dtype of {type_name(items)}")


def select_view(tensor: Any, dim: int, number: int, place: int = 0) -> TensorBase:
    """Return `tensor[number]` of dimension `dim` as a view; `place` is the item's position."""
    shape = tensor._array.shape
    if not shape and not number:
        raise IndexError("invalid index of a 0-dim tensor. Use `tensor.item()` in Python")
    size = shape[dim] if dim < len(shape) else 0
    if not -size <= number < size:
        check_64_bits(number)
        raise IndexError(out_of_bounds(number, place, size))
    return apply_view(SelectBackward0, tensor, dim, number)


def slice_view(
    tensor: TensorBase, dim: int, item: slice, even_if_whole: bool = False
) -> TensorBase:
    """Return `tensor[item]` of dimension `dim` as a view; `tensor` itself if that is all of it."""
    step = 1 if item.step is None else read_bound(item.step)
    start = 0 if item.start is None else read_bound(item.start)
    end = END if item.stop is None else read_bound(item.stop)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if step < 0:
        raise ValueError("step must be greater than zero")
    shape = tensor._array.shape
    if not shape:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    wrap_dim(dim, len(shape))
    if start == 0 and step == 1 and end >= shape[dim] and not even_if_whole:
        return tensor
    return apply_view(SliceBackward0, tensor, dim, start, end, step)


def read_bound(value: Any) -> int:
    """Return the start, stop or step of a slice as a number."""
    try:
        return max(-(2**62), min(END, operator.index(value)))  # limited as in PyTorch
    except TypeError:
        text = "slice indices must be integers or None or have an __index__ method"
        raise TypeError(text) from None


def check_positions(
    shape: tuple[int, ...], positions: Sequence[Any], bounds: bool = True
) -> tuple[int, ...]:
    """Return the common shape of index tensors; with `bounds`, check that they are in range.

    Raises:
        IndexError: a position is out of range, a mask's shape differs from its dimensions, or they
            do not broadcast.
    """
    dim = 0
    shapes: list[tuple[int, ...]] = []
    numbers: list[Any] = []
    for where in positions:
        array = unwrap(where)
        covered = array.ndim if array is not None and is_mask(array) else 1
        if array is not None and is_mask(array):
            check_mask(array, shape, dim)
            shapes += [(int(np.count_nonzero(array)),)] * covered
            numbers += [None] * covered
        elif array is not None:
            shapes.append(array.shape)
            numbers.append((array, shape[dim]))
        dim += covered
    try:
        together = np.broadcast_shapes(*shapes)
    except ValueError:
        raise IndexError(
            "shape mismatch: indexing tensors could not be broadcast together with shapes "
            + ", ".join(str(list(s)) for s in shapes)
        ) from None
    for place, number in enumerate(numbers):
        if number is None or 0 in together or not (bounds or number[1] == 0):
            continue
        if number[1] == 0 or 0 not in shape:
            check_bounds(number[0], number[1], place)
    return together


def check_mask(mask: Any, shape: tuple[int, ...], dim: int) -> None:
    for offset, size in enumerate(mask.shape):
        if shape[wrap_dim(dim + offset, len(shape))] != size:
            tensor = f"the indexed tensor {list(shape)} at index {dim + offset}"
            own = f"{list(mask.shape)} at index {offset}"
            raise IndexError(f"The shape of the mask {own} does not match the shape of {tensor}")


def check_bounds(array: Any, size: int, place: int) -> None:
    if not isinstance(array, ON_CPU):
        return  # `watch_all` does that
    outside = array[(array < -size) | (array >= size)]
    if outside.size:
        if not size:
            raise IndexError("index is out of bounds for dimension with size 0")
        raise IndexError(out_of_bounds(int(outside.flat[0]), place, size))


def watch_all(array: Any, positions: Sequence[Any]) -> None:
    """Let a GPU look for positions that are out of range, if `array` is on one."""
    if isinstance(array, ON_CPU):
        return
    dim = 0
    for where in positions:
        index = unwrap(where)
        if index is not None and not is_mask(index):
            watch(index, array.shape[dim], -array.shape[dim])
        dim += index.ndim if index is not None and is_mask(index) else 1


# --- Reading and writing


def getitem(tensor: TensorBase, index: Any) -> TensorBase:
    """Return `tensor[index]`."""
    if watchers and (found := answer(getitem, (tensor, index))):
        return cast(TensorBase, found[0])
    if type(index) is int:
        return select_view(tensor, 0, index)
    if isinstance(index, slice):
        return slice_view(tensor, 0, index, even_if_whole=True)
    part, positions = parse(tensor, index)
    if not positions:
        return apply_view(AliasBackward0, tensor) if part is tensor else part
    indices = Positions(positions)
    warn_of_bytes(positions)
    if indices.has_empty():
        check_positions(part._array.shape, positions)
    watch_all(part._array, positions)
    try:
        return apply(IndexBackward0, part, indices)
    except IndexError:
        check_positions(part._array.shape, positions)  # raises PyTorch's error
        raise


def setitem(tensor: Any, index: Any, value: Any) -> None:
    """Assign `tensor[index] = value`."""
    if watchers and answer(setitem, (tensor, index, value)):
        return
    value = as_value(tensor, value)
    if index is False:
        return
    part, positions = parse(tensor, None if index is True else index)
    shape = part._array.shape
    if positions:
        given = value._array.shape
        value = value if given[:1] != (1,) else view(value, without_leading_ones(given))
        put_into(part, positions, value)
    elif shape == value._array.shape:
        part.copy_(value)
    elif not value._array.ndim:
        part.fill_(value)
    else:
        value = view(value, without_leading_ones(value._array.shape))
        part.copy_(value if value._array.shape == shape else expand(value, shape))


def as_value(tensor: Any, value: Any) -> Any:
    """Return the assigned value as a tensor."""
    if isinstance(value, TensorBase):
        return value
    if isinstance(value, complex):
        value = bool(as_number(value, tensor._array.dtype))  # only bools can be assigned to them
    if not isinstance(value, (bool, int, float, np.integer)):
        kind = tensor_type_name(tensor._array.dtype)
        raise TypeError(f"can't assign a {type_name(value)} to a {kind}")
    if not isinstance(value, float):
        check_64_bits(value)
    if tensor._array.dtype == np.float16:
        return new_tensor(np.float16(value))  # a number out of range becomes inf
    return new_tensor(as_scalar(value, tensor._array.dtype))


def check_64_bits(number: Any) -> None:
    """Raise for an integer of more than 64 bits."""
    if not -END - 1 <= number <= END:
        raise ValueError(OVERFLOW)


def without_leading_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return `shape` without its leading dimensions of size 1."""
    start = next((place for place, n in enumerate(shape) if n != 1), len(shape))
    return shape[start:]


def put_into(tensor: Any, positions: Sequence[Any], values: Any, accumulate: bool = False) -> Any:
    """Compute `index_put_`."""
    check_writable(tensor, values)
    check_overlap(tensor, (values, *positions), repeats=True, apart=True)
    indices, put = Positions(positions), values._array
    warn_if_expanded(tensor._array, "index_put_", "tensor[indices] = tensor")
    # PyTorch then fills the chosen elements
    if put.size == 1 and indices.is_mask() and not accumulate:
        warn_if_expanded(tensor._array, "masked_fill_", "tensor[mask] = scalar")
        if has_bytes(positions):
            raise filled_by_bytes()
    else:
        warn_of_bytes(positions)
    if put.dtype != tensor._array.dtype and put.size == 1 and indices.is_mask():
        # One element fills the elements of a mask as a number would, whatever its dtype.
        put = np.full_like(put, as_scalar(put.item(), tensor._array.dtype), tensor._array.dtype)
    if put.ndim or put.dtype != tensor._array.dtype or indices.has_empty():
        check_put(tensor, indices, put)

    watch_all(tensor._array, positions)

    def write() -> None:
        try:
            write_at(tensor.shared_array(), put, indices, accumulate)
        except IndexError:
            check_positions(tensor._array.shape, positions)  # raises PyTorch's error
            raise

    return overwrite(IndexPutBackward0, tensor, (tensor, values), (indices, accumulate), write)


def check_put(tensor: Any, indices: Positions, given: Any) -> None:
    """Raise PyTorch's errors for values that do not fit their positions."""
    array = tensor._array
    check_positions(array.shape, indices.tensors, bounds=False)
    shape = indices.shape_in(array)
    if not broadcasts_to(given.shape, shape):
        value = f"value tensor of shape {list(given.shape)} cannot be broadcast"
        raise RuntimeError(f"shape mismatch: {value} to indexing result of shape {list(shape)}")
    message = "Index put requires the source and destination dtypes match, "
    check_same_type(array, given, message + "got {} for the destination and {} for the source.")
    check_positions(array.shape, indices.tensors)


def check_indices(input: Any, indices: Any) -> tuple[Any, ...]:
    """Return the given index tensors, and raise for anything else."""
    if not isinstance(indices, (tuple, list)):
        raise TypeError
    count, rank = len(indices), input._array.ndim
    if count > rank:
        raise IndexError(f"too many indices for tensor of dimension {rank} (got {count})")
    for each in indices:
        if each._array.dtype.name not in ("int64", "int32", "uint8", "bool"):
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    return tuple(indices)


@schema("index_put(Tensor input, Tensor[] indices, Tensor values, bool accumulate=False)")
def index_put(input: Any, indices: Any, values: Any, accumulate: Any = False) -> TensorBase:
    """Write `values` at the positions in the tensors `indices`; with `accumulate`, add them.

    >>> import minigrad as mg
    >>> mg.index_put(mg.zeros(3), (mg.tensor([0, 0]),), mg.ones(2), accumulate=True)
    tensor([2., 0., 0.])
    """
    accumulate = truth_value(accumulate)
    positions = Positions(check_indices(input, indices))
    if has_bytes(positions.tensors):
        if values._array.size == 1 and positions.is_mask() and not accumulate:
            raise filled_by_bytes()
        warn_of_bytes(positions.tensors)
    check_put(input, positions, values._array)
    value = IndexPutBackward0.forward(input._array, values._array, positions, accumulate)
    return record(IndexPutBackward0, (input, values), (positions, accumulate), value)


@schema(
    "index_put_(Tensor input, Tensor[] indices, Tensor values, bool accumulate=False)",
)
def index_put_(input: Any, indices: Any, values: Any, accumulate: Any = False) -> TensorBase:
    """Write in place: `input[indices] = values`."""
    positions = check_indices(input, indices)
    if values._array.size > 1 and has_bytes(positions):
        warn_of_bytes(positions)
    check_put(input, Positions(positions), values._array)
    return put_into(input, positions, values, truth_value(accumulate))  # type: ignore[no-any-return]


getitem.__name__, setitem.__name__ = "__getitem__", "__setitem__"


class IndexingMethods(TensorBase):
    """`x[index]` and `x[index] = value`."""

    index_put, index_put_ = index_put.method, index_put_.method
    __getitem__ = getitem
    __setitem__ = setitem

    def __delitem__(self, index: TensorBase) -> None:
        raise TypeError("Tensor does not support deleting items")
