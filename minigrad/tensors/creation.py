"""New tensors: from Python values, from NumPy arrays, filled, counted, drawn.

For a nested list, this module finds the common dtype of its numbers and the shape, or PyTorch's
error.
"""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..arrays import draws as random
from ..arrays.default_device import chosen
from ..arrays.determinism import uninitialized
from ..arrays.devices import device as Device
from ..arrays.devices import device_of, get_array_module
from ..arrays.draws import Generator
from ..arrays.dtypes import (
    dtype_of,
    from_numpy_dtype,
    get_default_dtype,
    promote_types,
    to_numpy_dtype,
)
from ..arrays.gpus import array_module_for, move_to
from ..arrays.memory_formats import copy_in_format, preserve_format
from ..arrays.memory_order import empty_as, in_memory_order
from ..arrays.messages import check_not_bool, type_name
from ..arrays.spacing import spaced
from ..arrays.storages import Storage, TypedStorage, as_elements
from ..core.modes import modes
from ..core.node import TensorBase, gradient_edge, new_tensor
from ..ops.public.argument_tests import is_int
from ..ops.public.dims import check_long
from ..ops.public.functions import MISSING, schema
from ..ops.shapes.copies import as_scalar, checked, convert_to

NUMBERS = {bool: np.dtype(np.bool_), int: np.dtype(np.int64)}
"""The dtypes of Python's numbers; a float gets the default dtype."""


INT64 = NUMBERS[int]

LOSES_GRADIENT = (
    "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
    "Consider using tensor.detach() first."
)


def new_leaf(
    array: Any,
    like: Any = None,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: Any = None,
) -> TensorBase:
    """Make a leaf around `array` with the options of a function; None means not given.

    The array already has its dtype. Without a device the leaf is on that of the array `like`, or on
    the default device.

    Raises:
        RuntimeError: there is no such device, or a tensor that is not floating requires grad.
        TypeError: `requires_grad` is not a bool.
    """
    if requires_grad is not None and not isinstance(requires_grad, bool):
        kind = type_name(requires_grad)
        raise TypeError(f"argument 'requires_grad' must be bool, not {kind}")
    if device is None:
        device = chosen.device if like is None else device_of(like)
    if device is not None:
        array = move_to(array, Device(device))
    out = new_tensor(array)
    if requires_grad:
        if array.dtype.kind != "f":
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"
            )
        out._requires_grad = True
    return out


def kind(dtype: Any) -> np.dtype[Any]:
    """Return the NumPy dtype of `dtype`, or the default one."""
    return get_default_dtype().numpy if dtype is None else to_numpy_dtype(dtype)


# --- Tensors from values


@schema(
    "tensor(object data, *, dtype? dtype=None, device? device=None, bool! pin_memory=False, "
    "bool requires_grad=False)"
)
def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> TensorBase:
    """Make a tensor with a copy of `data`: a number, nested lists, an array, or another tensor.

    Floats become the default dtype (float32), integers int64, unless `dtype` is given.

    Raises:
        ValueError: the rows of a list differ in length.
        TypeError, RuntimeError: an element is not a number.

    >>> import minigrad as mg
    >>> mg.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    >>> mg.tensor(0.5, requires_grad=True)
    tensor(0.5000, requires_grad=True)
    """
    if type(requires_grad) is not bool:
        raise TypeError
    if isinstance(data, TensorBase):
        warn_of_copy("tensor")
    array = as_array(data, dtype)
    # A single number stays a NumPy scalar until its memory is shared.
    is_shared = isinstance(data, (TensorBase, np.ndarray, Storage))
    array = array.copy() if array.ndim and is_shared else array[()]
    return new_leaf(array, device=device, requires_grad=requires_grad)


def as_array(data: Any, dtype: Any) -> Any:
    """Return the values of `data` in `dtype`, or in the dtype that PyTorch would choose."""
    wanted = None if dtype is None else to_numpy_dtype(dtype)
    if isinstance(data, TensorBase):
        array = data._array
    elif isinstance(data, (np.ndarray, np.generic)):
        array = data
        check_array(array)
    elif isinstance(data, Storage):
        array = from_storage(data, kind(dtype))
    else:
        return from_python(data, wanted)
    return array if wanted is None or array.dtype == wanted else array.astype(wanted)


def from_storage(storage: Storage, wanted: np.dtype[Any]) -> Any:
    """Return the memory of `storage` as an array.

    Raises:
        RuntimeError: it has another dtype than `wanted`.
    """
    if isinstance(storage, TypedStorage) and storage.dtype.numpy != wanted:
        kinds = [from_numpy_dtype[wanted], storage.dtype]
        expected, found = (each.tensor_class.removesuffix("Tensor") for each in kinds)
        storages = f"a Storage of type {expected} or an UntypedStorage"
        raise RuntimeError(f"Expected {storages}, but got {found}")
    return as_elements(storage, wanted)


def check_array(array: Any) -> None:
    """Raise PyTorch's errors for a NumPy array that cannot be a tensor's memory."""
    if any(step < 0 for step in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative "
            "strides are not currently supported. (You can probably work around this by making a "
            "copy of your array  with array.copy().) "
        )
    if not array.dtype.isnative:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. Conversion "
            "between byte orders is currently not supported."
        )
    dtype_of(array)  # raises if no tensor can have it


def from_python(data: Any, wanted: np.dtype[Any] | None) -> Any:
    """Convert a number, or nested sequences of numbers, arrays and tensors, to an array."""
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    types: set[np.dtype[Any]] = set()
    try:
        only_numbers = collect_types(data, types, wanted)
    except RecursionError:
        endless = TypeError("new(): self-referential lists are incompatible")
        raise (endless if wanted is None else no_number(data, wanted)) from None
    except (TypeError, RuntimeError, LookupError):
        first = data
        try:
            while is_sequence(first) and len(first):
                first = first[0]
        except Exception:
            kind = type(first).__name__
            raise ValueError(f"could not determine the shape of object type '{kind}'") from None
        if isinstance(first, str):
            raise ValueError("too many dimensions 'str'") from None
        raise
    if wanted is None:
        found = [from_numpy_dtype[t] for t in types]
        together = found[0]
        for other in found[1:]:
            together = promote_types(together, other)
        wanted = together.numpy
    if not only_numbers:
        data = without_tensors(data)
    # NumPy's small integer dtypes accept only numbers in their range; PyTorch accepts more.
    first = np.dtype(np.int64) if wanted.kind in "iu" else wanted
    try:
        array = np.array(data, first)
    except (ValueError, TypeError, OverflowError):
        return convert_refused_list(data, wanted)
    return array if first is wanted else narrow_integers(array, wanted)


def is_sequence(data: Any) -> bool:
    """Return whether `data` counts as a list of its elements."""
    if isinstance(data, (list, tuple)):
        return True
    if isinstance(data, np.ndarray):
        return bool(data.ndim)
    if isinstance(data, (str, bytes, dict, np.generic, TensorBase)):
        return False
    return all(hasattr(type(data), name) for name in ("__len__", "__getitem__"))


def collect_types(
    data: Any, types: set[np.dtype[Any]], wanted: np.dtype[Any] | None = None
) -> bool:
    """Add the dtype of every number in `data` to `types`, even if another one is `wanted`.

    Returns:
        Whether there are only Python and NumPy numbers, and no tensors.

    Raises:
        RuntimeError, TypeError: an element is not a number.
    """
    kind = type(data)
    if kind in NUMBERS:
        types.add(NUMBERS[kind])
    elif kind is float:
        types.add(get_default_dtype().numpy)
    elif isinstance(data, (np.ndarray, np.generic)):
        check_array(data)
        types.add(data.dtype)
    elif isinstance(data, TensorBase):
        types.add(data._array.dtype)
        return False
    elif is_sequence(data):
        kinds = set(map(type, data))
        if not kinds:
            types.add(get_default_dtype().numpy)
        if not kinds <= {bool, int, float}:
            plain = True
            for item in data:
                plain = collect_types(item, types, wanted) and plain
            return plain
        for kind in kinds:
            collect_types(kind(), types)
    elif isinstance(data, (bool, int, float)):
        collect_types((int if isinstance(data, int) else float)(data), types)
    else:
        raise no_number(data, wanted)
    return True


def no_number(value: Any, wanted: np.dtype[Any] | None) -> Exception:
    """Return PyTorch's error for a value that is not a number; `wanted` is the dtype, if given."""
    name = type(value).__name__
    if wanted is not None:
        as_float = f"must be real number, not {name}"
        as_int = f"'{name}' object cannot be interpreted as an integer"
        return TypeError(as_float if wanted.kind == "f" else as_int)
    if isinstance(value, (str, bytes)):
        return TypeError(f"new(): invalid data type '{name}'")
    return RuntimeError(f"Could not infer dtype of {name}")


def without_tensors(data: Any) -> Any:
    """Return nested sequences with each one-element tensor replaced by its element.

    Raises:
        ValueError: a tensor has several elements.
    """
    if isinstance(data, TensorBase):
        if data._array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        if modes.grad and gradient_edge(data):
            # at one place, so that Python shows it once
            warnings.warn(LOSES_GRADIENT, stacklevel=1)
        return data._array.item()
    if is_sequence(data) and not isinstance(data, np.ndarray):
        return [without_tensors(item) for item in data]
    return data


def narrow_integers(array: Any, wanted: np.dtype[Any]) -> Any:
    """Convert 64-bit integers to a smaller integer dtype.

    Raises:
        RuntimeError: one of them does not fit. (Negative ones wrap around in uint8, as in C.)
    """
    limits = np.iinfo(wanted)
    if array.size and not (
        (limits.min or -limits.max) <= array.min() and array.max() <= limits.max
    ):
        raise RuntimeError(f"value cannot be converted to type {wanted.name} without overflow")
    return array.astype(wanted)


def convert_refused_list(data: Any, wanted: np.dtype[Any]) -> Any:
    """Convert a list that NumPy refuses, or raise PyTorch's error, which is the usual case."""
    shape: list[int] = []
    inner = data
    while is_sequence(inner):
        shape.append(len(inner))
        if not len(inner):
            break
        inner = inner[0]
    if 0 in shape:
        return np.empty(shape, wanted)
    check_lengths(data, shape, 0)
    for number in np.array(data, object).flat:
        if isinstance(number, int):
            check_long(number)
    raise RuntimeError(f"value cannot be converted to type {wanted.name} without overflow")


def check_lengths(data: Any, shape: list[int], dim: int) -> None:
    """Raise PyTorch's error if `data` does not have this shape."""
    if dim == len(shape):
        if is_sequence(data):
            raise TypeError(f"'{type(data).__name__}' object cannot be interpreted as an integer")
        return
    if not is_sequence(data):
        raise TypeError("not a sequence")
    if len(data) != shape[dim]:
        raise ValueError(f"expected sequence of length {shape[dim]} at dim {dim} (got {len(data)})")
    for item in data:
        check_lengths(item, shape, dim + 1)


@schema("as_tensor(object data, *, dtype? dtype=None, device? device=None)")
def as_tensor(data: Any, *, dtype: Any = None, device: Any = None) -> TensorBase:
    """Return `data` as a tensor, without a copy if its dtype is right."""
    if isinstance(data, TensorBase):
        return convert_to(data, dtype, device)
    if isinstance(data, np.ndarray):
        check_writable(data)
        return new_leaf(as_array(data, dtype), device=device)
    return new_leaf(as_array(data, dtype)[()], device=device)


@schema("from_numpy(object ndarray, /)")
def from_numpy(ndarray: Any, /) -> TensorBase:
    """Make a tensor that shares the memory of a NumPy array."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type_name(ndarray)})")
    check_writable(ndarray)
    check_array(ndarray)
    return new_tensor(ndarray)


def warn_of_copy(name: str) -> None:
    """Warn that a tensor has methods of its own to be copied."""
    warnings.warn(
        "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() "
        "or sourceTensor.detach().clone().requires_grad_(True), rather than "
        f"{'torch.' if name == 'tensor' else 'tensor.'}{name}(sourceTensor).",
        stacklevel=4,
    )


def check_writable(array: Any) -> None:
    if not array.flags.writeable:
        warnings.warn(
            "The given NumPy array is not writable, and PyTorch does not support non-writable "
            "tensors. This means writing to this tensor will result in undefined behavior. You may "
            "want to copy the array to protect its data or make it writable before converting it "
            "to a tensor. This type of warning will be suppressed for the rest of this program.",
            stacklevel=3,
        )


class Lent:
    """A capsule with memory on the CPU, as the object that NumPy asks for it."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # the CPU's number in DLPack

    def __dlpack__(self, **options: Any) -> Any:
        return self.capsule


def from_dlpack(ext_tensor: Any) -> TensorBase:
    """Make a tensor that shares the memory of any object with `__dlpack__`, or of its capsule."""
    if isinstance(ext_tensor, TensorBase):
        if gradient_edge(ext_tensor):
            raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
        return new_tensor(ext_tensor.shared_array())
    if type(ext_tensor).__name__ == "PyCapsule" and '"dltensor' in repr(ext_tensor):
        ext_tensor = Lent(ext_tensor)
    if not hasattr(ext_tensor, "__dlpack_device__"):
        raise RuntimeError(
            "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed "
            "only once, so you might have already constructed a tensor from it once.\n"
            f"Here it was no capsule: {type_name(ext_tensor)} has no __dlpack__"
        )
    kind, index = ext_tensor.__dlpack_device__()
    place = Device("cuda", int(index)) if kind == 2 else Device("cpu")
    array = array_module_for(place).from_dlpack(ext_tensor)
    return new_tensor(array)


# --- Shared helpers


def shape_of(name: str, sizes: tuple[Any, ...], size: Any = MISSING) -> tuple[int, ...]:
    """Return the shape for the function `name`, given as numbers, as a sequence, or as `size`.

    Raises:
        TypeError: there is none, there are two, or an element is not an integer.
        RuntimeError: a size is negative.
    """
    if size is not MISSING:
        if sizes or not isinstance(size, (tuple, list)):
            raise TypeError
        sizes = tuple(size)
    elif len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
        sizes = tuple(sizes[0])
    elif not sizes:
        raise TypeError
    if sizes and isinstance(sizes[0], bool):
        raise TypeError
    shape = tuple(map(operator.index, sizes))
    for n in shape:
        if n < 0:
            if name == "zeros":
                raise RuntimeError("zeros: Dimension size must be non-negative.")
            raise negative_dimension(n, shape)
    return shape


def negative_dimension(n: int, shape: Sequence[int]) -> RuntimeError:
    """Return PyTorch's error for a size below 0."""
    return RuntimeError(f"Trying to create tensor with negative dimension {n}: {list(shape)}")


def make_filled(
    name: str,
    make: Callable[..., Any],
    sizes: tuple[Any, ...],
    size: Any = MISSING,
    dtype: Any = None,
    device: Any = None,
    requires_grad: Any = None,
) -> TensorBase:
    """Make a tensor of what `make` returns for a shape and a dtype.

    (Wrong options raise before it draws.)
    """
    array = make(shape_of(name, sizes, size), kind(dtype))
    return new_leaf(array, device=device, requires_grad=requires_grad)


def as_number(value: Any) -> Any:
    """Return a Python number, also from a NumPy number and a 0-d tensor.

    Raises:
        TypeError: it is not a number.
        OverflowError: it is an integer that does not fit into 64 bits.
    """
    if isinstance(value, np.generic) and value.dtype.kind in "fiub":
        return value.item()
    if isinstance(value, TensorBase) and not value._array.ndim:
        return value._array.item()
    if not isinstance(value, (bool, int, float)):
        if isinstance(value, complex):
            raise RuntimeError("value cannot be converted to type double without overflow")
        raise TypeError
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise OverflowError("int too big to convert")
    return value


def as_whole(value: Any) -> int:
    """Return an integer, also from a NumPy one and from a one-element integer tensor.

    Raises:
        TypeError: it is not an integer.
        ValueError: it does not fit into 64 bits.
    """
    if isinstance(value, bool):
        raise TypeError
    n = operator.index(value)
    check_long(n)
    return n


def by_name(names: tuple[str, ...], args: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a function by name; `args` are those given without.

    Raises:
        TypeError: there are too many, one is missing, or one is given twice.
    """
    given = dict(zip(names, args, strict=False))
    named = {name: value for name, value in named.items() if value is not MISSING}
    if len(args) > len(names) or given.keys() & named.keys():
        raise TypeError
    return given | named


# --- Filled tensors


@schema("zeros(int[] size, *, Tensor out=None, **options)")
def zeros(*size: Any, **options: Any) -> TensorBase:
    """Make a tensor of zeros of the given shape."""
    return make_filled("zeros", np.zeros, size, **options)


@schema("ones(int[] size, *, Tensor out=None, **options)")
def ones(*size: Any, **options: Any) -> TensorBase:
    """Make a tensor of ones of the given shape."""
    return make_filled("ones", np.ones, size, **options)


@schema("empty(int[] size, *, memory_format? memory_format=None, Tensor out=None, **options)")
def empty(*size: Any, **options: Any) -> TensorBase:
    """Make a tensor of the given shape with arbitrary values, in uninitialized memory."""
    form = options.pop("memory_format", None)
    if form is not None:
        if form is preserve_format:
            raise RuntimeError("unsupported memory format Preserve")
        return made_in(form, make_filled("empty", arbitrary, size, **options))
    return make_filled("empty", arbitrary, size, **options)


def arbitrary(shape: tuple[int, ...], wanted: np.dtype[Any]) -> Any:
    """Return memory that nothing has written yet."""
    return uninitialized(np.empty(shape, wanted))


def model_of(array: Any, form: Any) -> Any:
    """Return an array in whose memory order numbers are drawn."""
    if form is None or form is preserve_format:
        return array
    return copy_in_format(array, checked(form))


def made_in(form: Any, made: Any) -> TensorBase:
    """Return a new tensor in a memory format."""
    made._array = model_of(made._array, form)
    return made  # type: ignore[no-any-return]


@schema("full(int[] size, Scalar fill_value, *, Tensor out=None, **options)")
def full(size: Any, fill_value: Any, **options: Any) -> TensorBase:
    """Make a tensor of the given shape filled with `fill_value`, by default of its dtype.

    >>> import minigrad as mg
    >>> mg.full((2,), 1.5)
    tensor([1.5000, 1.5000])
    """
    shape, value = shape_of("full", (), size), as_number(fill_value)
    dtype = options.get("dtype")
    wanted = from_python(value, None).dtype if dtype is None else to_numpy_dtype(dtype)
    return new_leaf(np.full(shape, as_scalar(value, wanted), wanted), **options)


@schema(
    "eye(int n, *, Tensor out=None, **options)",
    "eye(int n, int m, *, Tensor out=None, **options)",
)
def eye(n: Any, m: Any = MISSING, **options: Any) -> TensorBase:
    """Return the identity matrix of `n` rows; with `m` columns, ones on its diagonal."""
    rows = as_whole(n)
    columns = rows if m is MISSING else as_whole(m)
    for name, value in (("n", rows), ("m", columns)):
        if value < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {value}")
    return new_leaf(np.eye(rows, columns, dtype=kind(options.get("dtype"))), **options)


# --- Sequences of numbers


@schema(
    "arange(Scalar end, *, Tensor out=None, **options)",
    "arange(Scalar start, Scalar end, *, **options)",
    "arange(Scalar start, Scalar end, Scalar step=1, *, Tensor out=None, **options)",
)
def arange(
    *bounds: Any, start: Any = MISSING, end: Any = MISSING, step: Any = MISSING, **options: Any
) -> TensorBase:
    """Return the numbers start, start + step, ... below `end`; int64 if all three are integers.

    >>> import minigrad as mg
    >>> mg.arange(4.0)
    tensor([0., 1., 2., 3.])
    >>> mg.arange(5, 0, -2)
    tensor([5, 3, 1])
    """
    named = {"start": start, "end": end, "step": step}
    alone = len(bounds) == 1 and start is end is step is MISSING
    given = by_name(("end",) if alone else ("start", "end", "step"), bounds, named)
    if len(given) > 1 and "start" not in given:
        raise TypeError
    last: Any = as_number(given["end"])
    first, by = (
        as_number(given[name]) if name in given else default
        for name, default in (("start", 0), ("step", 1))
    )
    if not (by > 0 or by < 0):
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(first) and math.isfinite(last)):
        raise RuntimeError(f"unsupported range: {first:g} -> {last:g}")
    if (last - first) * by < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    whole = all(isinstance(value, int) for value in (first, last, by))
    dtype = options.get("dtype")
    wanted = INT64 if whole and dtype is None else kind(dtype)
    check_not_bool("arange_cpu", wanted)
    if wanted == np.int64:
        count = len(range(int(first), int(last), int(by)))
    else:
        count = math.ceil((last - first) / by)
    if count >= 2**63:
        raise RuntimeError("invalid size, possible overflow?")
    if wanted.kind == "f":
        return new_leaf(count_from(first, by, count, wanted), **options)
    values = int(first) + int(by) * np.arange(count)
    return new_leaf(values.astype(wanted, copy=False), **options)


def count_from(first: float, by: float, count: int, wanted: np.dtype[Any]) -> Any:
    """Compute first + by * i, rounded where PyTorch rounds.

    PyTorch counts in pairs of groups as wide as a processor's registers (32 bytes), from the
    rounded first number of each group. It counts the rest one by one.
    """
    step = np.float64(by)
    values = random.multiply_add(np.arange(count, dtype=np.float64), step, np.float64(first))
    group = 32 // wanted.itemsize
    body = count - count % (2 * group)
    if body:
        starts = values[:body:group].astype(wanted).astype(np.float64)
        steps = np.tile(np.arange(group, dtype=np.float64), len(starts))
        values[:body] = random.multiply_add(steps, step, np.repeat(starts, group))
    return values.astype(wanted)


def checked_range(
    name: str, start: Any, end: Any, steps: Any, dtype: Any
) -> tuple[Any, Any, int, np.dtype[Any]]:
    """Return the ends of a sequence, the number of its elements, and their type.

    `name` is that of the function that makes the sequence.
    """
    ends = [("start", start), ("end", end)]
    ranks = [(which, t._array.ndim) for which, t in ends if isinstance(t, TensorBase)]
    if any(rank for _, rank in ranks):
        found = " and ".join(f"{which} with {rank} dimension(s)" for which, rank in ranks)
        only = f"{name} only supports 0-dimensional start and end tensors"
        raise RuntimeError(f"{only}, but got {found}.")
    steps = as_whole(steps)
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    wanted = kind(dtype)
    if steps > 1:
        check_not_bool(f"{name}_cpu", wanted)
    first, last = (as_scalar(as_number(value), wanted) for value in (start, end))
    return first, last, steps, wanted


@schema(
    "linspace(Tensor start, Tensor end, int steps, *, Tensor out=None, **options)",
    "linspace(Scalar start, Tensor end, int steps, *, Tensor out=None, **options)",
    "linspace(Tensor start, Scalar end, int steps, *, Tensor out=None, **options)",
    "linspace(Scalar start, Scalar end, int steps, *, Tensor out=None, **options)",
)
def linspace(start: Any, end: Any, steps: Any, **options: Any) -> TensorBase:
    """Return `steps` numbers from `start` to `end` at equal distances, both ends included.

    >>> import minigrad as mg
    >>> mg.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    given = start, end, steps, options.get("dtype")
    *ends, steps, wanted = checked_range("linspace", *given)
    exact = np.dtype(np.float64) if wanted.kind != "f" else wanted
    first, last = map(exact.type, ends)
    return new_leaf(spaced(first, last, steps).astype(wanted), **options)


# --- Random tensors


@schema(
    "rand(int[] size, *, Generator? generator, Tensor out=None, **options)",
    "rand(int[] size, *, Tensor out=None, **options)",
)
def rand(*size: Any, generator: Generator | None = None, **options: Any) -> TensorBase:
    """Draw from the uniform distribution on [0, 1)."""
    return make_filled("rand", partial(random.rand, generator=generator), size, **options)


@schema(
    "randn(int[] size, *, Generator? generator, Tensor out=None, **options)",
    "randn(int[] size, *, Tensor out=None, **options)",
)
def randn(*size: Any, generator: Generator | None = None, **options: Any) -> TensorBase:
    """Draw from the standard normal distribution; the same numbers as PyTorch's CPU generator."""
    return make_filled("randn", partial(random.randn, generator=generator), size, **options)


@schema(
    "randint(int high, int[] size, *, Generator? generator, Tensor out=None, **options)",
    "randint(int high, int[] size, *, Tensor out=None, **options)",
    "randint(int low, int high, int[] size, *, Generator? generator, Tensor out=None, **options)",
    "randint(int low, int high, int[] size, *, Tensor out=None, **options)",
)
def randint(
    *bounds: Any,
    low: Any = MISSING,
    high: Any = MISSING,
    size: Any = MISSING,
    generator: Generator | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: Any = None,
) -> TensorBase:
    """Draw integers from `low` (default 0) to `high` - 1, all equally likely.

    Called as randint(high, size) or randint(low, high, size).
    """
    named = {"low": low, "high": high, "size": size}
    both = len(bounds) + sum(value is not MISSING for value in named.values()) > 2
    given = by_name(("low", "high", "size") if both else ("high", "size"), bounds, named)
    between = as_whole(given.get("low", 0)), as_whole(given["high"])
    shape = shape_of("randint", (), given["size"])
    wanted = INT64 if dtype is None else to_numpy_dtype(dtype)
    array = random.randint(*between, shape, wanted, generator)
    return new_leaf(array, device=device, requires_grad=requires_grad)


@schema(
    "randperm(int n, *, Generator? generator, Tensor out=None, **options)",
    "randperm(int n, *, Tensor out=None, **options)",
)
def randperm(
    n: Any,
    *,
    generator: Generator | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: Any = None,
) -> TensorBase:
    """Return the numbers 0 to n - 1 in random order."""
    wanted = INT64 if dtype is None else to_numpy_dtype(dtype)
    array = random.randperm(as_whole(n), wanted, generator)
    return new_leaf(array, device=device, requires_grad=requires_grad)


# --- Tensors like another one


def filled_like(input: Any, value: Any, **options: Any) -> TensorBase:
    """Return one number (None: arbitrary values) in the shape, dtype and order of `input`."""
    array, wanted = input.shared_array(), type_like(input, options)
    form = options.pop("memory_format", None)
    made = empty_as(array, wanted)
    if value is None:
        uninitialized(made)
    else:
        made[...] = as_scalar(value, wanted)
    return made_in(form, new_leaf(made, made, **options))


def drawn_like(input: Any, draw: Callable[..., Any], **options: Any) -> TensorBase:
    """Call `draw` for the shape and dtype of `input`; return the numbers in its memory order."""
    array, wanted = input.shared_array(), type_like(input, options)
    array = model_of(array, options.pop("memory_format", None))
    return new_leaf(in_memory_order(array, lambda shape: draw(shape, wanted)), array, **options)


def type_like(input: Any, options: dict[str, Any]) -> np.dtype[Any]:
    """Return the dtype of a tensor, unless `options` give another one."""
    dtype = options.get("dtype")
    return input._array.dtype if dtype is None else to_numpy_dtype(dtype)


@schema("zeros_like(Tensor input, *, memory_format? memory_format=None, **options)")
def zeros_like(input: Any, **options: Any) -> TensorBase:
    """Make zeros of the shape and dtype of `input`."""
    return filled_like(input, 0, **options)


@schema("ones_like(Tensor input, *, memory_format? memory_format=None, **options)")
def ones_like(input: Any, **options: Any) -> TensorBase:
    """Make ones of the shape and dtype of `input`."""
    return filled_like(input, 1, **options)


@schema(
    "full_like(Tensor input, Scalar fill_value, *, memory_format? memory_format=None, **options)"
)
def full_like(input: Any, fill_value: Any, **options: Any) -> TensorBase:
    """Fill a tensor of the shape and dtype of `input` with `fill_value`."""
    return filled_like(input, as_number(fill_value), **options)


@schema("empty_like(Tensor input, *, memory_format? memory_format=None, **options)")
def empty_like(input: Any, **options: Any) -> TensorBase:
    """Make a tensor of the shape and dtype of `input`, with arbitrary values."""
    return filled_like(input, None, **options)


@schema(
    "rand_like(Tensor input, *, Generator?! generator, memory_format? memory_format=None, "
    "**options)",
    "rand_like(Tensor input, *, memory_format? memory_format=None, **options)",
)
def rand_like(input: Any, **options: Any) -> TensorBase:
    """Draw uniform numbers in the shape and dtype of `input`."""
    return drawn_like(input, random.rand, **options)


@schema(
    "randint_like(Tensor input, int low, int high, *, Generator?! generator, "
    "memory_format? memory_format=None, **options)",
    "randint_like(Tensor input, int low, int high, *, memory_format? memory_format=None, "
    "**options)",
    "randint_like(Tensor input, Tensor high, *, Generator?! generator, "
    "memory_format? memory_format=None, **options)",
    "randint_like(Tensor input, Tensor high, *, memory_format? memory_format=None, **options)",
    "randint_like(Tensor input, int high, *, Generator?! generator, "
    "memory_format? memory_format=None, **options)",
    "randint_like(Tensor input, int high, *, memory_format? memory_format=None, **options)",
)
def randint_like(
    input: Any, *bounds: Any, low: Any = MISSING, high: Any = MISSING, **options: Any
) -> TensorBase:
    """Draw integers from `low` (default 0) to `high` - 1, in the shape and dtype of `input`."""
    alone = len(bounds) == 1 and high is MISSING and low is MISSING
    named = {"low": low, "high": high}
    given = by_name(("high",) if alone else ("low", "high"), bounds, named)
    most = given["high"]
    if len(given) == 1 and isinstance(most, TensorBase) and most._array.ndim:
        raise RuntimeError("high must be a scalar tensor and on CPU")
    between = as_whole(given.get("low", 0)), as_whole(most)
    return drawn_like(input, partial(random.randint, *between), **options)


@schema(
    "randn_like(Tensor input, *, Generator?! generator, memory_format? memory_format=None, "
    "**options)",
    "randn_like(Tensor input, *, memory_format? memory_format=None, **options)",
)
def randn_like(input: Any, **options: Any) -> TensorBase:
    """Draw normal numbers in the shape and dtype of `input`."""
    array = model_of(input.shared_array(), options.pop("memory_format", None))
    return new_leaf(normal_for(array, type_like(input, options)), array, **options)


def normal_for(
    array: Any,
    dtype: np.dtype[Any],
    mean: float = 0.0,
    std: float = 1.0,
    generator: Generator | None = None,
) -> Any:
    """Draw normal numbers for `array`, or memory like it, in its memory order."""
    together = array.flags.c_contiguous
    return in_memory_order(
        array, lambda shape: random.normal(shape, dtype, mean, std, generator, together)
    )


@schema(
    "new_tensor(object data, *, dtype? dtype=None, device? device=None, bool requires_grad=False)",
    place="Tensor",
)
def new_tensor_(self: Any, data: Any, *, requires_grad: bool = False, **options: Any) -> TensorBase:
    """Copy `data` to a tensor of this tensor's dtype, on its device."""
    if not isinstance(requires_grad, bool):
        raise TypeError
    if isinstance(data, TensorBase):
        warn_of_copy("new_tensor")
    array = as_array(data, options.get("dtype") or self.dtype)
    copied = get_array_module(array).array(array)
    return new_leaf(copied, self._array, requires_grad=requires_grad, **options)


def filled_new(
    name: str, self: Any, value: Any, sizes: tuple[Any, ...], size: Any = MISSING, **options: Any
) -> TensorBase:
    """Fill a tensor of the given shape with `value`, in this tensor's dtype and on its device."""
    shape, wanted = shape_of(name, sizes, size), type_like(self, options)
    value = as_scalar(as_number(value), wanted)
    array = np.full_like(self._array, value, wanted, shape=shape, order="C")
    return new_leaf(array, array, **options)


@schema("new_full(int[] size, Scalar fill_value, *, **options)", place="Tensor")
def new_full(self: Any, size: Any, fill_value: Any, **options: Any) -> TensorBase:
    """Fill a tensor of the given shape with `fill_value`."""
    return filled_new("new_full", self, fill_value, (), size, **options)


@schema("new_zeros(int[] size, *, **options)", place="Tensor")
def new_zeros(self: Any, *size: Any, **options: Any) -> TensorBase:
    """Make a tensor of zeros of the given shape."""
    return filled_new("new_zeros", self, 0, size, **options)


@schema("new_ones(int[] size, *, **options)", place="Tensor")
def new_ones(self: Any, *size: Any, **options: Any) -> TensorBase:
    """Make a tensor of ones of the given shape."""
    return filled_new("new_ones", self, 1, size, **options)


def check_legacy_device(given: Any, kind: str, data: Any, name: str = "constructor") -> None:
    """Raise if a tensor made in PyTorch's old way has another `device`, or copies a tensor."""
    if given is None:
        return
    if len(data) == 1 and isinstance(data[0], TensorBase):
        call, others = "torch.Tensor(tensor", "torch.tensor(...) or torch.as_tensor(...)"
        if name == "new":
            call, others = "tensor.new(tensor", "torch.as_tensor(...)"
        raise RuntimeError(
            f"Legacy tensor {name} of the form {call}, device=device) is not supported.  "
            f"Use {others} instead."
        )
    found = Device(given).type
    if found != kind:
        raise RuntimeError(
            f"legacy constructor expects device type: {kind} but device type: {found} was passed"
        )


def legacy(dtype: Any, *data: Any) -> Any:
    """Return the array of a tensor made in PyTorch's old way: from values, or from sizes."""
    given: Any = data[0] if len(data) == 1 else None
    places = len(data) != 1 or is_int(given) or hasattr(given, "numel")  # a Size knows its numel
    if places:
        if data and not is_int(data[0]) and len(data) > 1:
            named = [type_name(each) for each in data]
            raise TypeError(
                "new() received an invalid combination of arguments - got "
                f"({', '.join(named)}), but expected one of:"
            )
        return empty(*(data or (0,)), dtype=dtype)._array
    if isinstance(given, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type_name(given)}'")
    if isinstance(given, Storage):
        return from_storage(given, to_numpy_dtype(dtype))
    if is_sequence(given):
        return tensor(given, dtype=dtype)._array
    raise TypeError(f"new(): data must be a sequence (got {type_name(given)})")


class CreationMethods(TensorBase):
    """The methods of this file: new tensors of this one's type, on its device."""

    new_tensor, new_full = new_tensor_.method, new_full.method
    new_zeros, new_ones = new_zeros.method, new_ones.method
