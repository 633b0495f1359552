"""Tensors from nothing: from Python values, from NumPy arrays, filled, counted, drawn.

What a nested list becomes is worked out here: the type that its numbers have together, the shape,
and PyTorch's words for a list that has none.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypedDict, Unpack

import numpy as np

from ..arrays import draws as random
from ..arrays.devices import array_module_for, chosen_device, device_of, get_array_module, on_host
from ..arrays.devices import device as Device
from ..arrays.draws import Generator
from ..arrays.dtypes import (
    dtype_of,
    from_numpy_dtype,
    get_default_dtype,
    promote_types,
    to_numpy_dtype,
)
from ..arrays.memory_order import empty_as, in_memory_order
from ..arrays.words import LOSES_GRADIENT, check_not_bool, check_tensor, type_name, wrong_type
from ..core.modes import modes
from ..core.node import TensorBase, gradient_edge, new_tensor
from ..ops.copies import as_scalar, converted
from ..ops.dims import sizes

NUMBERS = {bool: np.dtype(np.bool_), int: np.dtype(np.int64)}
"""The types of Python's numbers; that of a float is the default type."""


INT64 = NUMBERS[int]


def leaf(array: Any, requires_grad: bool = False, device: Any = None) -> TensorBase:
    """A tensor around `array`, moved to `device`.

    Raises:
        RuntimeError: there is no such device, or a gradient is wanted of what is no float.
        TypeError: `requires_grad` is no bool.
    """
    if requires_grad is not False and requires_grad is not True:
        kind = type_name(requires_grad)
        raise TypeError(f"argument 'requires_grad' must be bool, not {kind}")
    if device is not None:
        place = Device(device)
        if place.type != "cpu":
            cupy = array_module_for(place)
            with cupy.cuda.Device(place.index):
                array = cupy.asarray(array)
        else:
            array = on_host(array)
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


class Options(TypedDict, total=False):
    """What every function that makes a tensor takes by name."""

    dtype: Any
    device: Any
    requires_grad: bool


# --- From values


def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> TensorBase:
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
    is_shared = isinstance(data, (TensorBase, np.ndarray))
    array = array.copy() if array.ndim and is_shared else array[()]
    return leaf(array, requires_grad, chosen_device(device))


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
        negative = "At least one stride in the given numpy array is negative"
        raise ValueError(f"{negative}, which no tensor's can be. Use array.copy().")
    if not array.dtype.isnative:
        raise ValueError("given numpy array has byte order different from the native byte order.")
    dtype_of(array)  # an error if no tensor can have it


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
    return array if first is wanted else narrowed(array, wanted)


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
        if modes.grad and gradient_edge(data)[0] is not None:
            warnings.warn(LOSES_GRADIENT, stacklevel=1)  # from one place: shown once
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
            raise ValueError("Overflow when unpacking long long")
    raise RuntimeError(f"value cannot be converted to type {wanted.name} without overflow")


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


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> TensorBase:
    """`data` as a tensor, without a copy if it is a tensor or an array of the right type
    already."""
    if isinstance(data, TensorBase):
        return converted(data, dtype, device)  # type: ignore[arg-type]
    if isinstance(data, np.ndarray):
        check_writable(data)
        return leaf(as_array(data, dtype), False, chosen_device(device))
    return tensor(data, dtype=dtype, device=device)


def from_numpy(ndarray: Any) -> TensorBase:
    """A tensor that shares the memory of a NumPy array."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type_name(ndarray)})")
    check_writable(ndarray)
    check_array(ndarray)
    return leaf(ndarray)


def check_writable(array: Any) -> None:
    if not array.flags.writeable:
        warnings.warn(
            "The given NumPy array is not writable, and PyTorch does not support non-writable "
            "tensors. This means writing to this tensor will result in undefined behavior.",
            stacklevel=3,
        )


def from_dlpack(ext_tensor: Any) -> TensorBase:
    """A tensor that shares the memory of any object with `__dlpack__`, such as an array of another
    library."""
    if isinstance(ext_tensor, TensorBase):
        if gradient_edge(ext_tensor)[0] is not None:
            raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
        return leaf(ext_tensor.shared_array())
    if not hasattr(ext_tensor, "__dlpack_device__"):
        raise RuntimeError(f"from_dlpack: {type(ext_tensor).__name__} has no __dlpack__")
    on_gpu = ext_tensor.__dlpack_device__()[0] == 2
    array = array_module_for(Device("cuda" if on_gpu else "cpu")).from_dlpack(ext_tensor)
    return leaf(array)


# --- What the functions below have in common


class Sized(Options, total=False):
    """`Options`, and the shape if it is not given as separate numbers."""

    size: Any


def element_type(name: str, options: Any, default: np.dtype[Any] | None = None) -> np.dtype[Any]:
    """The type that the `options` of the function `name` ask for; else `default`, or the default
    type of all.

    Raises:
        TypeError: one of the options does not exist.
    """
    for option in options:
        if option not in Sized.__annotations__:
            raise TypeError(f"{name}() got an unexpected keyword argument '{option}'")
    wanted = options.get("dtype")
    return default if wanted is None and default is not None else kind(wanted)


def sized(name: str, size: tuple[Any, ...], options: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Shape and type for the function `name`: the shape as numbers, as one sequence, or by the name
    `size`.

    Raises:
        TypeError: there is none, or something else has been given.
        RuntimeError: a size is negative.
    """
    if "size" in options:
        size = (options["size"],)
    elif not size:
        raise TypeError(f'{name}() missing 1 required positional arguments: "size"')
    return non_negative(name, sizes(size, name)), element_type(name, options)


def non_negative(name: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    for n in shape:
        if n < 0:
            if name == "zeros":
                raise RuntimeError("zeros: Dimension size must be non-negative.")
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {n}: {list(shape)}"
            )
    return shape


def new_leaf(array: Any, options: Any, device: Any = None) -> TensorBase:
    """`leaf` as `options` say, on `device` (else the default one) unless they name one."""
    place = options.get("device")
    place = chosen_device(device) if place is None else place
    requires_grad = options.get("requires_grad")
    return leaf(array, False if requires_grad is None else requires_grad, place)


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
    raise wrong_type(name, argument, position, "Number", value)


# --- Filled


def zeros(*shape: Any, **options: Unpack[Sized]) -> TensorBase:
    """Zeros of the given shape."""
    return new_leaf(np.zeros(*sized("zeros", shape, options)), options)


def ones(*shape: Any, **options: Unpack[Sized]) -> TensorBase:
    """Ones of the given shape."""
    return new_leaf(np.ones(*sized("ones", shape, options)), options)


def empty(*shape: Any, **options: Unpack[Sized]) -> TensorBase:
    """Memory of the given shape as it is found, with arbitrary values."""
    return new_leaf(np.empty(*sized("empty", shape, options)), options)


def full(size: Any, fill_value: Any, **options: Unpack[Options]) -> TensorBase:
    """`fill_value` in every place of the given shape; its type decides, unless `dtype` does.

    >>> import minigrad as mg
    >>> mg.full((2,), 1.5)
    tensor([1.5000, 1.5000])
    """
    if not isinstance(size, (tuple, list)):
        raise wrong_type("full", "size", 1, "tuple of ints", size)
    shape = non_negative("full", sizes((size,), "full"))
    value = as_number(fill_value, "full", "fill_value", 2)
    wanted = element_type("full", options, from_python(value, None).dtype)
    return new_leaf(np.full(shape, as_scalar(value, wanted), wanted), options)


def eye(n: int, m: int | None = None, **options: Unpack[Options]) -> TensorBase:
    """The identity matrix of `n` rows; with `m` columns, ones on its diagonal."""
    columns = n if m is None else m
    for place, (word, value) in enumerate((("n", n), ("m", columns)), 1):
        if isinstance(value, (float, str)):
            raise wrong_type("eye", word, place, "int", value)
        if value < 0:
            raise RuntimeError(f"{word} must be greater or equal to 0, got {value}")
    return new_leaf(np.eye(n, columns, dtype=element_type("eye", options)), options)


# --- Counted


def arange(
    *bounds: Any, start: Any = None, end: Any = None, step: Any = None, **options: Unpack[Options]
) -> TensorBase:
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
        wrong = f"got {len(bounds)} of them, but expected end, or start, end and step"
        raise TypeError(f"arange() received an invalid combination of arguments - {wrong}")
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
    wanted = element_type("arange", options, INT64 if whole else None)
    check_not_bool("arange_cpu", wanted)
    if wanted == np.int64:
        count = len(range(int(first), int(last), int(by)))
    else:
        count = math.ceil((last - first) / by)
    if wanted.kind == "f":
        return new_leaf(counted(first, by, count, wanted), options)
    values = int(first) + int(by) * np.arange(count)
    return new_leaf(values.astype(wanted, copy=False), options)


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


def linspace(start: Any, end: Any, steps: int, **options: Unpack[Options]) -> TensorBase:
    """`steps` numbers from `start` to `end`, evenly apart, both ends included.

    >>> import minigrad as mg
    >>> mg.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    if not isinstance(steps, (int, np.integer)) or isinstance(steps, bool):
        raise wrong_type("linspace", "steps", 3, "int", steps)
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    wanted = element_type("linspace", options)
    exact = np.dtype(np.float64) if wanted.kind != "f" else wanted
    first, last = (
        exact.type(as_scalar(as_number(value, "linspace", word, place), wanted))
        for place, (word, value) in enumerate((("start", start), ("end", end)), 1)
    )
    by = (last - first) / exact.type(max(steps - 1, 1))
    # From both ends towards the middle.
    ahead, halfway = np.arange(steps, dtype=exact), steps // 2
    rising, falling = ahead[:halfway], ahead[: steps - halfway][::-1]
    if steps == 1:
        values = np.full(1, first)
    elif exact.itemsize == 2:
        values = np.concatenate([rising * by + first, last - falling * by])
    else:
        near_first = random.multiply_add(rising, by, first)
        values = np.concatenate([near_first, random.multiply_add(falling, -by, last)])
    return new_leaf(values.astype(wanted), options)


# --- Drawn


def rand(*shape: Any, generator: Generator | None = None, **options: Unpack[Sized]) -> TensorBase:
    """Draws from the uniform distribution on [0, 1)."""
    return new_leaf(random.rand(*sized("rand", shape, options), generator), options)


def randn(*shape: Any, generator: Generator | None = None, **options: Unpack[Sized]) -> TensorBase:
    """Draws from the standard normal distribution; the same numbers as PyTorch's CPU generator."""
    return new_leaf(random.randn(*sized("randn", shape, options), generator), options)


def randint(
    *bounds: Any,
    low: int = 0,
    high: int | None = None,
    generator: Generator | None = None,
    **options: Unpack[Sized],
) -> TensorBase:
    """Integers from `low` (0 if left out) to `high` - 1, all equally likely.

    Called as randint(high, size) or randint(low, high, size).
    """
    given = list(bounds)
    size = options["size"] if "size" in options else given.pop() if given else None
    if given:
        high = given.pop()
    if given:
        low = given.pop()
    if high is None or size is None or given:
        wanted = "(int high, tuple of ints size) or (int low, int high, tuple of ints size)"
        raise TypeError(f"randint() got an invalid combination of arguments, expected {wanted}")
    for position, (word, value) in enumerate((("low", low), ("high", high)), len(bounds) - 2):
        if isinstance(value, float):
            raise wrong_type("randint", word, position, "int", value)
    if not isinstance(size, (tuple, list)):
        raise wrong_type("randint", "size", len(bounds), "tuple of ints", size)
    shape = non_negative("randint", sizes((size,), "randint"))
    drawn = random.randint(low, high, shape, element_type("randint", options, INT64), generator)
    return new_leaf(drawn, options)


def randperm(
    n: int, *, generator: Generator | None = None, **options: Unpack[Options]
) -> TensorBase:
    """The numbers 0 to n - 1 in random order."""
    if isinstance(n, (float, str)):
        raise wrong_type("randperm", "n", 1, "int", n)
    wanted = element_type("randperm", options, INT64)
    return new_leaf(random.randperm(n, wanted, generator), options)


# --- Like another tensor


def type_like(name: str, input: Any, options: Any) -> np.dtype[Any]:
    """The type of a tensor, unless `options` say another one."""
    check_tensor(input, name)
    return element_type(name, options, input._array.dtype)


def filled_like(name: str, input: Any, value: Any, options: Any) -> TensorBase:
    """One number (or None: whatever there is) in the shape, type and order of `input`."""
    wanted = type_like(name, input, options)
    array = empty_as(input.shared_array(), wanted)
    if value is not None:
        array[...] = as_scalar(value, wanted)
    return new_leaf(array, options, device_of(array))


def drawn_like(name: str, input: Any, draw: Callable[..., Any], options: Any) -> TensorBase:
    """What `draw` makes of a shape and a type, for those of `input`, in the order of its memory."""
    wanted, array = type_like(name, input, options), input.shared_array()
    drawn = in_memory_order(array, lambda shape: draw(shape, wanted))
    return new_leaf(drawn, options, device_of(array))


def zeros_like(input: TensorBase, **options: Unpack[Options]) -> TensorBase:
    """Zeros of the shape and type of `input`."""
    return filled_like("zeros_like", input, 0, options)


def ones_like(input: TensorBase, **options: Unpack[Options]) -> TensorBase:
    """Ones of the shape and type of `input`."""
    return filled_like("ones_like", input, 1, options)


def full_like(input: TensorBase, fill_value: Any, **options: Unpack[Options]) -> TensorBase:
    """`fill_value` in the shape and type of `input`."""
    value = as_number(fill_value, "full_like", "fill_value", 2)
    return filled_like("full_like", input, value, options)


def empty_like(input: TensorBase, **options: Unpack[Options]) -> TensorBase:
    """Memory of the shape and type of `input`, with arbitrary values."""
    return filled_like("empty_like", input, None, options)


def rand_like(input: TensorBase, **options: Unpack[Options]) -> TensorBase:
    """Uniform draws of the shape and type of `input`."""
    return drawn_like("rand_like", input, random.rand, options)


def randint_like(
    input: TensorBase, low: int, high: int | None = None, **options: Unpack[Options]
) -> TensorBase:
    """Integers from `low` to `high` - 1, or below `low`, in the shape and type of `input`."""
    bounds = (0, low) if high is None else (low, high)
    return drawn_like("randint_like", input, partial(random.randint, *bounds), options)


def randn_like(input: TensorBase, **options: Unpack[Options]) -> TensorBase:
    """Normal draws of the shape and type of `input`."""
    drawn = normal_for(input.shared_array(), type_like("randn_like", input, options))
    return new_leaf(drawn, options, device_of(input._array))


def normal_for(
    array: Any,
    dtype: np.dtype[Any],
    mean: float = 0.0,
    std: float = 1.0,
    generator: Generator | None = None,
) -> Any:
    """Normal draws to fill `array`, or memory like it, as it lies."""
    together = array.flags.c_contiguous
    return in_memory_order(
        array, lambda shape: random.normal(shape, dtype, mean, std, generator, together)
    )


class CreationMethods(TensorBase):
    """The methods of this file: new tensors of this one's type, on its device."""

    def new_tensor(self, data: Any, **options: Unpack[Options]) -> TensorBase:
        """A copy of `data`; an array or a tensor keeps its values' type only if `dtype` says so."""
        array = as_array(data, type_like("new_tensor", self, options))
        return new_leaf(get_array_module(array).array(array), options, device_of(self._array))

    def new_full(self, size: Any, fill_value: Any, **options: Unpack[Options]) -> TensorBase:
        """`fill_value` in every place of the given shape."""
        wanted = type_like("new_full", self, options)
        shape = non_negative("new_full", sizes((size,), "new_full"))
        value = as_scalar(as_number(fill_value, "new_full", "fill_value", 2), wanted)
        array = np.full_like(self._array, value, wanted, shape=shape, order="C")
        return new_leaf(array, options, device_of(array))

    def new_zeros(self, *shape: Any, size: Any = None, **options: Unpack[Options]) -> TensorBase:
        """Zeros of the given shape."""
        shape = shape if size is None else (size,)
        return self.new_full(sizes(shape, "new_zeros"), 0, **options)

    def new_ones(self, *shape: Any, size: Any = None, **options: Unpack[Options]) -> TensorBase:
        """Ones of the given shape."""
        shape = shape if size is None else (size,)
        return self.new_full(sizes(shape, "new_ones"), 1, **options)
