"""Tensors from nothing: from Python values, from NumPy arrays, filled, counted, drawn.

What a nested list becomes is worked out here: the type that its numbers have together, the shape,
and PyTorch's words for a list that has none.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import random
from .devices import array_module_for, device_of
from .devices import device as Device
from .dtypes import from_numpy_dtype, get_default_dtype, promote_types, to_numpy_dtype
from .graph import TensorBase, new_tensor
from .operation import type_word
from .ops.copying import as_scalar, converted, order_of
from .ops.dims import sizes

NUMBERS = {bool: np.dtype(np.bool_), int: np.dtype(np.int64)}
"""The types of Python's numbers; that of a float is the default type."""


def leaf(array: Any, requires_grad: bool = False, device: Any = None) -> Any:
    """A tensor around `array`, moved to `device`.

    Raises:
        RuntimeError: there is no such device, or a gradient is wanted of what is no float.
    """
    if device is not None:
        place = Device(device)
        if place.type != "cpu":
            cupy = array_module_for(place)
            with cupy.cuda.Device(place.index):
                array = cupy.asarray(array)
    out = new_tensor(array)
    if requires_grad:
        if array.dtype.kind != "f":
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"
            )
        out._requires_grad = True
    return out


def kind(dtype: Any) -> np.dtype[Any]:
    """The NumPy type of `dtype`, or the default one."""
    return get_default_dtype().numpy if dtype is None else to_numpy_dtype(dtype)


# --- From values


def tensor(data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """A tensor with a copy of `data`: a number, nested lists, an array, or another tensor.

    Floats become the default type (float32), integers int64, unless `dtype` says otherwise.

    Raises:
        ValueError: the rows of a list differ in length.
        TypeError, RuntimeError: it holds something that is no number.

    >>> import minigrad as mg
    >>> mg.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    >>> mg.tensor(0.5, requires_grad=True)
    tensor(0.5000, requires_grad=True)
    """
    if isinstance(data, TensorBase):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach()"
            ".clone() or sourceTensor.detach().clone().requires_grad_(True), rather than "
            "torch.tensor(sourceTensor).",
            stacklevel=2,
        )
    array = as_array(data, dtype)
    # A single number stays a NumPy scalar until someone shares its memory.
    array = array.copy() if array.ndim and not is_fresh(data) else array[()]
    return leaf(array, requires_grad, device)


def is_fresh(data: Any) -> bool:
    """Whether the array made of `data` is nobody else's."""
    return not isinstance(data, (TensorBase, np.ndarray))


def as_array(data: Any, dtype: Any = None) -> Any:
    """The values of `data` in the type `dtype`, or the one that PyTorch would give them."""
    wanted = None if dtype is None else to_numpy_dtype(dtype)
    if isinstance(data, TensorBase):
        array = data._array
    elif isinstance(data, (np.ndarray, np.generic)):
        array = data
        check_array(array)
    else:
        return from_python(data, wanted)
    return array if wanted is None or array.dtype == wanted else array.astype(wanted)


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
    if array.dtype not in from_numpy_dtype:
        known = ", ".join(d.name for d in from_numpy_dtype.values())
        raise TypeError(
            f"can't convert np.ndarray of type numpy.{array.dtype.type.__name__}. The only "
            f"supported types are: {known}."
        )


def from_python(data: Any, wanted: np.dtype[Any] | None) -> Any:
    """A number, or nested sequences of numbers, arrays and tensors of one element, as an array."""
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    types: set[np.dtype[Any]] = set()
    only_numbers = collect_types(data, types)
    if wanted is None:
        found = [from_numpy_dtype[t] for t in types]
        together = found[0]
        for other in found[1:]:
            together = promote_types(together, other)
        wanted = together.numpy
    if not only_numbers:
        data = without_tensors(data)
    # Small integer types take Python's numbers only within their range; PyTorch is more generous.
    first = np.dtype(np.int64) if wanted.kind in "iu" else wanted
    try:
        array = np.array(data, first)
    except (ValueError, TypeError, OverflowError):
        return explained(data, wanted)
    if first is not wanted:
        array = narrowed(array, wanted)
    return array


def is_sequence(data: Any) -> bool:
    """Whether `data` counts as a list of what is in it."""
    if isinstance(data, (list, tuple)):
        return True
    if isinstance(data, np.ndarray):
        return bool(data.ndim)
    return isinstance(data, Sequence) and not isinstance(data, (str, bytes))


def collect_types(data: Any, types: set[np.dtype[Any]], inner: bool = False) -> bool:
    """Put the type of every number in `data` into `types`.

    Returns:
        Whether there are only Python's and NumPy's numbers, and no tensors.

    Raises:
        RuntimeError, ValueError: there is something that is no number.
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
                plain = collect_types(item, types, True) and plain
            return plain
        for kind in kinds:
            collect_types(kind(), types)
    elif isinstance(data, (bool, int, float)):
        collect_types((int if isinstance(data, int) else float)(data), types)
    elif inner and isinstance(data, str):
        raise ValueError("too many dimensions 'str'")
    else:
        raise RuntimeError(f"Could not infer dtype of {kind.__name__}")
    return True


def without_tensors(data: Any) -> Any:
    """Nested sequences, with tensors of one element replaced by the element.

    Raises:
        ValueError: a tensor has several.
    """
    if isinstance(data, TensorBase):
        if data._array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return data._array.item()
    if is_sequence(data) and not isinstance(data, np.ndarray):
        return [without_tensors(item) for item in data]
    return data


def narrowed(array: Any, wanted: np.dtype[Any]) -> Any:
    """64-bit integers in a smaller integer type.

    Raises:
        RuntimeError: one of them does not fit. (Negative ones wrap around in uint8, as in C.)
    """
    limits = np.iinfo(wanted)
    if array.size and not (
        (limits.min or -limits.max) <= array.min() and array.max() <= limits.max
    ):
        raise RuntimeError(f"value cannot be converted to type {wanted.name} without overflow")
    return array.astype(wanted)


def explained(data: Any, wanted: np.dtype[Any]) -> Any:
    """What PyTorch makes of a list that NumPy refuses: mostly an error, in its words."""
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
        if isinstance(number, int) and not -(2**63) <= number < 2**63:
            raise ValueError("Overflow when unpacking long long") from None
    raise RuntimeError(
        f"value cannot be converted to type {wanted.name} without overflow"
    ) from None


def check_lengths(data: Any, shape: list[int], dim: int) -> None:
    """Raise PyTorch's error if `data` is not of this shape."""
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


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Any:
    """`data` as a tensor, without a copy if it is a tensor or an array of the right type
    already."""
    if isinstance(data, TensorBase):
        return converted(data, dtype, device)
    if isinstance(data, np.ndarray):
        check_writable(data)
        return leaf(as_array(data, dtype), False, device)
    return tensor(data, dtype=dtype, device=device)


def asarray(
    obj: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool = False,
) -> Any:
    """`obj` as a tensor that shares its memory if it can; with `copy`, never or always.

    Raises:
        ValueError: no copy is allowed, and one is needed.
    """
    shares = isinstance(obj, (TensorBase, np.ndarray))
    if copy is False and not shares:
        raise ValueError("can't alias arbitrary sequence into a tensor.")
    if copy is False and dtype is not None:
        old = obj._array.dtype if isinstance(obj, TensorBase) else obj.dtype
        new = to_numpy_dtype(dtype)
        if old != new:
            raise ValueError(
                f"can't alias tensor with dtype '{type_word(old)}' into dtype '{type_word(new)}'."
            )
    out = as_tensor(obj, dtype, device)
    if copy and shares:
        out = out.clone()
    return out.detach().requires_grad_() if requires_grad else out


def from_numpy(ndarray: Any) -> Any:
    """A tensor that shares the memory of a NumPy array."""
    if not isinstance(ndarray, np.ndarray):
        name = type(ndarray).__name__
        where = "numpy." if isinstance(ndarray, np.generic) else ""
        raise TypeError(f"expected np.ndarray (got {where}{name})")
    check_writable(ndarray)
    check_array(ndarray)
    return leaf(ndarray)


def check_writable(array: Any) -> None:
    if not array.flags.writeable:
        warnings.warn(
            "The given NumPy array is not writable, and PyTorch does not support non-writable "
            "tensors. This means writing to this tensor will result in undefined behavior. You may "
            "want to copy the array to protect its data or make it writable before converting it "
            "to a tensor.",
            stacklevel=3,
        )


def from_dlpack(ext_tensor: Any) -> Any:
    """A tensor that shares the memory of any object with `__dlpack__`, such as an array of another
    library."""
    if isinstance(ext_tensor, TensorBase):
        return leaf(ext_tensor.shared_array())
    if not hasattr(ext_tensor, "__dlpack_device__"):
        raise RuntimeError(
            f"from_dlpack received an object of type {type(ext_tensor).__name__}, which has no "
            "__dlpack__"
        )
    on_gpu = ext_tensor.__dlpack_device__()[0] == 2
    array = array_module_for(Device("cuda" if on_gpu else "cpu")).from_dlpack(ext_tensor)
    return leaf(array)


def scalar_tensor(
    s: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """A 0-d tensor of the number `s`, in the default type unless told otherwise."""
    return leaf(as_scalar(s, kind(dtype)), requires_grad, device)


# --- Filled


def shape_from(name: str, size: tuple[Any, ...], options: dict[str, Any]) -> tuple[int, ...]:
    """The shape given to the function `name`: as numbers, as one sequence, or by the name `size`.

    Raises:
        TypeError: there is none, or something else has been given.
        RuntimeError: a size is negative.
    """
    if "size" in options:
        size = (options.pop("size"),)
    elif not size:
        raise TypeError(f'{name}() missing 1 required positional arguments: "size"')
    for option in options:
        raise TypeError(f"{name}() got an unexpected keyword argument '{option}'")
    return non_negative(name, sizes(size, name))


def non_negative(name: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    for n in shape:
        if n < 0:
            if name == "zeros":
                raise RuntimeError("zeros: Dimension size must be non-negative.")
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {n}: {list(shape)}"
            )
    return shape


def zeros(
    *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **named: Any
) -> Any:
    """Zeros of the given shape."""
    return leaf(np.zeros(shape_from("zeros", size, named), kind(dtype)), requires_grad, device)


def ones(
    *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **named: Any
) -> Any:
    """Ones of the given shape."""
    return leaf(np.ones(shape_from("ones", size, named), kind(dtype)), requires_grad, device)


def empty(
    *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **named: Any
) -> Any:
    """Memory of the given shape as it is found, with arbitrary values."""
    return leaf(np.empty(shape_from("empty", size, named), kind(dtype)), requires_grad, device)


def full(
    size: Any,
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """`fill_value` in every place of the given shape; its type decides, unless `dtype` does.

    >>> import minigrad as mg
    >>> mg.full((2,), 1.5)
    tensor([1.5000, 1.5000])
    """
    if not isinstance(size, (tuple, list)):
        raise TypeError(
            f"full(): argument 'size' (position 1) must be tuple of ints, not {type(size).__name__}"
        )
    shape = non_negative("full", sizes((size,), "full"))
    value = as_number(fill_value, "full", "fill_value", 2)
    wanted = from_python(value, None).dtype if dtype is None else to_numpy_dtype(dtype)
    return leaf(np.full(shape, as_scalar(value, wanted), wanted), requires_grad, device)


def as_number(value: Any, name: str, argument: str, position: int) -> Any:
    """A Python number: also a NumPy one, and a 0-d tensor.

    Raises:
        TypeError: it is none.
    """
    if isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, np.generic) and value.dtype.kind in "fiub":
        return value.item()
    if isinstance(value, TensorBase) and not value._array.ndim:
        return value._array.item()
    what = "Tensor" if isinstance(value, TensorBase) else type(value).__name__
    raise TypeError(
        f"{name}(): argument '{argument}' (position {position}) must be Number, not {what}"
    )


def eye(
    n: int,
    m: int | None = None,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """The identity matrix of `n` rows; with `m` columns, ones on its diagonal."""
    columns = n if m is None else m
    for word, value, place in (("n", n, 1), ("m", columns, 2)):
        if isinstance(value, (float, str)):
            raise TypeError(
                f"eye(): argument '{word}' (position {place}) must be int, "
                f"not {type(value).__name__}"
            )
        if value < 0:
            raise RuntimeError(f"{word} must be greater or equal to 0, got {value}")
    return leaf(np.eye(n, columns, dtype=kind(dtype)), requires_grad, device)


def tril_indices(
    row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None
) -> Any:
    """Where the elements on and below a diagonal of a matrix are: their rows, and their columns."""
    return triangle(np.tril, row, col, offset, dtype, device)


def triu_indices(
    row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None
) -> Any:
    """Where the elements on and above a diagonal of a matrix are: their rows, and their columns."""
    return triangle(np.triu, row, col, offset, dtype, device)


def triangle(part: Any, row: int, col: int, offset: int, dtype: Any, device: Any) -> Any:
    """The positions that `part` (np.tril or np.triu) leaves in a matrix."""
    for name, size in (("row", row), ("col", col)):
        if size < 0:
            raise RuntimeError(f"{name} must be non-negative, got{size}")
    wanted = np.dtype(np.int64) if dtype is None else to_numpy_dtype(dtype)
    places = np.nonzero(part(np.ones((row, col), bool), offset))
    return leaf(np.array(places, wanted).reshape(2, -1), False, device)


# --- Counted


def arange(
    *bounds: Any,
    start: Any = None,
    end: Any = None,
    step: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """The numbers start, start + step, ... below `end`; int64 if all three are integers.

    >>> import minigrad as mg
    >>> mg.arange(4.0)
    tensor([0., 1., 2., 3.])
    >>> mg.arange(5, 0, -2)
    tensor([5, 3, 1])
    """
    names = ("end",) if len(bounds) == 1 and end is None else ("start", "end", "step")
    given: dict[str, Any] = {"start": start, "end": end, "step": step}
    given.update(zip(names, bounds, strict=False))
    if given["end"] is None or len(bounds) > 3:
        raise TypeError(
            f"arange() received an invalid combination of arguments - got {len(bounds)} of them, "
            "but expected (Number end) or (Number start, Number end, Number step = 1)"
        )
    first, last, by = (
        default if given[name] is None else as_number(given[name], "arange", name, place)
        for name, default, place in (("start", 0, 1), ("end", 0, 1), ("step", 1, 3))
    )
    if by == 0:
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(first) and math.isfinite(last)):
        raise RuntimeError(f"unsupported range: {first:g} -> {last:g}")
    if (last - first) * by < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    whole = all(isinstance(value, int) for value in (first, last, by))
    wanted = (np.dtype(np.int64) if whole else kind(None)) if dtype is None else kind(dtype)
    if wanted.kind == "b":
        raise NotImplementedError("\"arange_cpu\" not implemented for 'Bool'")
    if wanted == np.int64:
        first, last, by = int(first), int(last), int(by)
        if by == 0:
            raise ValueError("step must be nonzero")
        count = len(range(first, last, by))
    else:
        count = math.ceil((last - first) / by)
    if wanted.kind == "f":
        return leaf(counted(first, by, count, wanted), requires_grad, device)
    values = int(first) + int(by) * np.arange(count)
    return leaf(values.astype(wanted, copy=False), requires_grad, device)


def counted(first: float, by: float, count: int, wanted: np.dtype[Any]) -> Any:
    """first + by * i, rounded where PyTorch rounds: it counts in groups as wide as a processor's
    registers (32 bytes), two at a time, from the rounded first number of each, and the rest one by
    one."""
    step = np.float64(by)
    values = random.multiply_add(np.arange(count, dtype=np.float64), step, np.float64(first))
    group = 32 // wanted.itemsize
    body = count - count % (2 * group)
    if body:
        starts = values[:body:group].astype(wanted).astype(np.float64)
        steps = np.tile(np.arange(group, dtype=np.float64), len(starts))
        values[:body] = random.multiply_add(steps, step, np.repeat(starts, group))
    return values.astype(wanted)


def linspace(
    start: Any,
    end: Any,
    steps: int,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """`steps` numbers from `start` to `end`, evenly apart, both ends included.

    >>> import minigrad as mg
    >>> mg.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    return leaf(evenly("linspace", start, end, steps, kind(dtype)), requires_grad, device)


def logspace(
    start: Any,
    end: Any,
    steps: int,
    base: float = 10.0,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """`base` to the power of the numbers of `linspace`."""
    wanted = kind(dtype)
    powers = evenly("logspace", start, end, steps, wanted if wanted.kind == "f" else kind(None))
    values = np.power(float(base), powers.astype(np.float64))
    return leaf(values.astype(wanted), requires_grad, device)


def evenly(name: str, start: Any, end: Any, steps: int, wanted: np.dtype[Any]) -> Any:
    """`steps` numbers from `start` to `end`, computed from both ends towards the middle."""
    for word, value in (("start", start), ("end", end)):
        if isinstance(value, TensorBase) and value._array.ndim:
            raise RuntimeError(
                f"{name} only supports 0-dimensional start and end tensors, but got {word} with "
                f"{value._array.ndim} dimension(s)."
            )
    if not isinstance(steps, (int, np.integer)) or isinstance(steps, bool):
        raise TypeError(
            f"{name}() received an invalid combination of arguments - got steps of type "
            f"{type(steps).__name__}, but expected (Number start, Number end, int steps)"
        )
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    first, last = (
        as_scalar(as_number(value, name, word, place), wanted)
        for place, (word, value) in enumerate((("start", start), ("end", end)), 1)
    )
    if steps == 1:
        return np.full(1, first)
    exact = np.dtype(np.float64) if wanted.kind != "f" else wanted
    first, last = exact.type(first), exact.type(last)
    by = (last - first) / exact.type(max(steps - 1, 1))
    ahead = np.arange(steps, dtype=exact)
    halfway = steps // 2
    rising, falling = ahead[:halfway], ahead[: steps - halfway][::-1]
    if exact.itemsize == 2:
        values = np.concatenate([rising * by + first, last - falling * by])
    else:
        near_first = random.multiply_add(rising, by, first)
        values = np.concatenate([near_first, random.multiply_add(falling, -by, last)])
    return values.astype(wanted)


# --- Drawn


def rand(
    *size: Any,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    generator: random.Generator | None = None,
    **named: Any,
) -> Any:
    """Draws from the uniform distribution on [0, 1)."""
    drawn = random.rand(shape_from("rand", size, named), kind(dtype), generator)
    return leaf(drawn, requires_grad, device)


def randn(
    *size: Any,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    generator: random.Generator | None = None,
    **named: Any,
) -> Any:
    """Draws from the standard normal distribution; the same numbers as PyTorch's CPU generator."""
    drawn = random.randn(shape_from("randn", size, named), kind(dtype), generator)
    return leaf(drawn, requires_grad, device)


def randint(
    *bounds: Any,
    low: int = 0,
    high: int | None = None,
    size: Any = None,
    generator: random.Generator | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """Integers from `low` (0 if left out) to `high` - 1, all equally likely.

    Called as randint(high, size) or randint(low, high, size).
    """
    given = list(bounds)
    if given and size is None:
        size = given.pop()
    if given:
        high = given.pop()
    if given:
        low = given.pop()
    if high is None or size is None or given:
        raise TypeError(
            "randint() received an invalid combination of arguments - expected (int high, tuple of "
            "ints size) or (int low, int high, tuple of ints size)"
        )
    for position, (word, value) in enumerate((("low", low), ("high", high))):
        if isinstance(value, float):
            raise TypeError(
                f"randint(): argument '{word}' (position {position + len(bounds) - 2}) must be "
                "int, not float"
            )
    if not isinstance(size, (tuple, list)):
        raise TypeError(
            f"randint(): argument 'size' (position {len(bounds)}) must be tuple of ints, "
            f"not {type(size).__name__}"
        )
    shape = non_negative("randint", sizes((size,), "randint"))
    wanted = np.dtype(np.int64) if dtype is None else to_numpy_dtype(dtype)
    return leaf(random.randint(low, high, shape, wanted, generator), requires_grad, device)


def randperm(
    n: int,
    *,
    generator: random.Generator | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """The numbers 0 to n - 1 in random order."""
    if isinstance(n, (float, str)):
        raise TypeError(
            f"randperm(): argument 'n' (position 1) must be int, not {type(n).__name__}"
        )
    wanted = np.dtype(np.int64) if dtype is None else to_numpy_dtype(dtype)
    return leaf(random.randperm(n, wanted, generator), requires_grad, device)


# --- Like another tensor


def like(input: Any, name: str, dtype: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """The shape and the type of a tensor, unless another type is wanted."""
    if not isinstance(input, TensorBase):
        raise TypeError(
            f"{name}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}"
        )
    array = input._array
    return array.shape, array.dtype if dtype is None else to_numpy_dtype(dtype)


def leaf_like(input: Any, array: Any, requires_grad: bool, device: Any) -> Any:
    """A leaf on the device of `input`, unless another one is named."""
    return leaf(array, requires_grad, device_of(input._array) if device is None else device)


def blank(input: Any, name: str, dtype: Any) -> Any:
    """Memory as that of `input`, in the same order of dimensions, with arbitrary values."""
    _, wanted = like(input, name, dtype)
    array = input.shared_array()
    return np.empty_like(array, wanted, order=order_of(array))


def zeros_like(
    input: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """Zeros of the shape and type of `input`."""
    array = blank(input, "zeros_like", dtype)
    array[...] = 0
    return leaf(array, requires_grad, device)


def ones_like(
    input: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """Ones of the shape and type of `input`."""
    array = blank(input, "ones_like", dtype)
    array[...] = 1
    return leaf(array, requires_grad, device)


def full_like(
    input: Any,
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """`fill_value` in the shape and type of `input`."""
    array = blank(input, "full_like", dtype)
    array[...] = as_scalar(as_number(fill_value, "full_like", "fill_value", 2), array.dtype)
    return leaf(array, requires_grad, device)


def empty_like(
    input: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """Memory of the shape and type of `input`, with arbitrary values."""
    return leaf(blank(input, "empty_like", dtype), requires_grad, device)


def rand_like(
    input: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """Uniform draws of the shape and type of `input`."""
    shape, wanted = like(input, "rand_like", dtype)
    return leaf_like(input, random.rand(shape, wanted, None), requires_grad, device)


def randn_like(
    input: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """Normal draws of the shape and type of `input`."""
    shape, wanted = like(input, "randn_like", dtype)
    return leaf_like(input, random.randn(shape, wanted, None), requires_grad, device)


def randint_like(
    input: Any,
    low: int,
    high: int | None = None,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """Integers from `low` to `high` - 1, or below `low`, in the shape and type of `input`."""
    shape, wanted = like(input, "randint_like", dtype)
    below = (0, low) if high is None else (low, high)
    return leaf_like(input, random.randint(*below, shape, wanted, None), requires_grad, device)


class CreationMethods(TensorBase):
    """The methods of this file: new tensors of this one's type, on its device."""

    def new_tensor(
        self, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
    ) -> Any:
        """A copy of `data`; an array or a tensor keeps its values' type only if `dtype` says so."""
        array = as_array(data, self._array.dtype if dtype is None else dtype)
        return leaf_like(self, np.array(array), requires_grad, device)

    def new_zeros(
        self, *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False
    ) -> Any:
        """Zeros of the given shape."""
        shape = sizes(size, "new_zeros")
        return self.new_full(shape, 0, dtype=dtype, device=device, requires_grad=requires_grad)

    def new_ones(
        self, *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False
    ) -> Any:
        """Ones of the given shape."""
        shape = sizes(size, "new_ones")
        return self.new_full(shape, 1, dtype=dtype, device=device, requires_grad=requires_grad)

    def new_full(
        self,
        size: Any,
        fill_value: Any,
        *,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
    ) -> Any:
        """`fill_value` in every place of the given shape."""
        wanted = like(self, "new_full", dtype)[1]
        shape = non_negative("new_full", sizes((size,), "new_full"))
        value = as_scalar(as_number(fill_value, "new_full", "fill_value", 2), wanted)
        array = np.full_like(self._array, value, wanted, shape=shape)
        return leaf(array, requires_grad, device)

    def new_empty(
        self, *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False
    ) -> Any:
        """Memory of the given shape, with arbitrary values."""
        return self.new_zeros(*size, dtype=dtype, device=device, requires_grad=requires_grad)
