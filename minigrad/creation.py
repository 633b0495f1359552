"""Tensors from nothing: from Python values, from NumPy arrays, filled, counted, drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import random
from .devices import device as Device
from .dtypes import get_default_dtype, to_numpy_dtype
from .graph import TensorBase, new_tensor
from .ops.dims import sizes
from .tensor import Tensor


def finish(array: Any, requires_grad: bool, device: Any = None) -> Tensor:
    """A leaf around `array`."""
    if device is not None and (target := Device(device)).type != "cpu":
        raise RuntimeError(f"no device of type {target.type!r} is available")
    out: Tensor = new_tensor(array)
    return out.requires_grad_() if requires_grad else out


def kind(dtype: Any) -> np.dtype[Any]:
    """The NumPy type of `dtype`, or the default one."""
    return get_default_dtype().numpy if dtype is None else to_numpy_dtype(dtype)


def shape_of(size: tuple[Any, ...], named: Any) -> tuple[int, ...]:
    """A shape given as numbers, as one sequence, or by the keyword `size`."""
    shape = sizes(size if named is None else (named,))
    if any(n < 0 for n in shape):
        raise RuntimeError(
            f"Trying to create tensor with negative dimension {min(shape)}: {list(shape)}"
        )
    return shape


def as_array(data: Any, dtype: Any) -> Any:
    """The values of `data` in the type that PyTorch would give them."""
    if isinstance(data, TensorBase):
        array = data._array
    elif isinstance(data, (np.ndarray, np.generic)):
        array = data
    else:
        array = nested(data, dtype is not None)
    if dtype is not None:
        return array.astype(to_numpy_dtype(dtype))
    if array.dtype.kind not in "fiub":
        raise TypeError(
            f"can't convert np.ndarray of type {array.dtype}. The only supported types are: "
            "float64, float32, float16, int64, int32, int16, int8, uint8, and bool."
        )
    return array


def nested(data: Any, exact: bool = False) -> Any:
    """Numbers, and lists of them, as an array: floats in the default type (or, if the array is to
    be `exact`, as they are), integers as int64."""
    if isinstance(data, (list, tuple)) and any(isinstance(item, Tensor) for item in data):
        data = [item.tolist() if isinstance(item, Tensor) else item for item in data]
    try:
        array = np.array(data)
    except ValueError:
        raise ValueError(ragged(data)) from None
    if array.dtype.kind == "f" or array.size == 0:
        given = isinstance(data, (list, tuple)) and contains_numpy(data)
        keep = exact or (given and array.size)
        return array if keep else array.astype(get_default_dtype().numpy)
    if array.dtype.kind in "US":
        raise TypeError("new(): invalid data type 'str'")
    if array.dtype.kind == "O":
        culprit = next((x for x in array.flat if not isinstance(x, (int, float))), None)
        if culprit is None:
            raise RuntimeError("Overflow when unpacking long")
        raise RuntimeError(f"Could not infer dtype of {type(culprit).__name__}")
    return array


def contains_numpy(data: Any) -> bool:
    """Whether a nested list holds NumPy values, which bring their own type."""
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return isinstance(data, (np.ndarray, np.generic))


def ragged(data: Any) -> str:
    """The words for a nested list whose rows differ in length."""
    dim = 0
    while isinstance(data, (list, tuple)) and data:
        dim += 1
        lengths = [len(row) if isinstance(row, (list, tuple)) else None for row in data]
        for length in lengths:
            if length != lengths[0]:
                if length is None or lengths[0] is None:
                    return "expected a nested list of numbers of one depth"
                return f"expected sequence of length {lengths[0]} at dim {dim} (got {length})"
        data = data[0]
    return "expected a nested list of numbers of one shape"


def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A tensor with a copy of `data`: a number, nested lists, an array, or another tensor.

    Floats become the default type (float32), integers int64, unless `dtype` says otherwise.

    >>> import minigrad as mg
    >>> mg.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    >>> mg.tensor(0.5, requires_grad=True)
    tensor(0.5000, requires_grad=True)
    """
    array = as_array(data, dtype)
    # A single number stays a NumPy scalar until someone shares its memory.
    return finish(np.array(array) if array.ndim else array[()], requires_grad, device)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """`data` as a tensor, without a copy if it is a tensor or an array of the right type
    already."""
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    if isinstance(data, np.ndarray):
        return finish(as_array(data, dtype), False, device)
    return tensor(data, dtype=dtype, device=device)


def from_numpy(array: Any) -> Tensor:
    """A tensor that shares the memory of a NumPy array."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    return finish(as_array(array, None), False)


def zeros(
    *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **named: Any
) -> Tensor:
    """Zeros of the given shape."""
    return finish(np.zeros(named_shape(size, named), kind(dtype)), requires_grad, device)


def ones(
    *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **named: Any
) -> Tensor:
    """Ones of the given shape."""
    return finish(np.ones(named_shape(size, named), kind(dtype)), requires_grad, device)


def named_shape(size: tuple[Any, ...], named: dict[str, Any]) -> tuple[int, ...]:
    shape = shape_of(size, named.pop("size", None))
    if named:
        raise TypeError(f"got an unexpected keyword argument {next(iter(named))!r}")
    return shape


def full(
    size: Any,
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """`fill_value` in every place of the given shape."""
    shape = shape_of((size,), None)
    wanted = np.asarray(as_array(fill_value, None)).dtype if dtype is None else kind(dtype)
    return finish(np.full(shape, fill_value, wanted), requires_grad, device)


def arange(
    start: Any,
    end: Any = None,
    step: Any = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """start, start + step, ... below `end`; int64 if all three are integers.

    >>> import minigrad as mg
    >>> mg.arange(4.0)
    tensor([0., 1., 2., 3.])
    """
    if end is None:
        start, end = 0, start
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    whole = all(isinstance(value, int) for value in (start, end, step))
    wanted = (np.dtype(np.int64) if whole else kind(None)) if dtype is None else kind(dtype)
    count = int(np.ceil((end - start) / step))
    values = start + step * np.arange(count)
    return finish(values.astype(wanted), requires_grad, device)


def randn(
    *size: Any,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    generator: Any = None,
    **named: Any,
) -> Tensor:
    """Draws from the standard normal distribution; the same numbers as PyTorch's CPU generator."""
    drawn = random.randn(named_shape(size, named), kind(dtype), generator)
    return finish(drawn, requires_grad, device)


def rand(
    *size: Any,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    generator: Any = None,
    **named: Any,
) -> Tensor:
    """Draws from the uniform distribution on [0, 1)."""
    drawn = random.rand(named_shape(size, named), kind(dtype), generator)
    return finish(drawn, requires_grad, device)


def like(input: Any, dtype: Any) -> np.dtype[Any]:
    return input._array.dtype if dtype is None else to_numpy_dtype(dtype)


def zeros_like(
    input: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Zeros of the shape and type of `input`."""
    return finish(np.zeros(input._array.shape, like(input, dtype)), requires_grad, device)


def ones_like(
    input: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Ones of the shape and type of `input`."""
    return finish(np.ones(input._array.shape, like(input, dtype)), requires_grad, device)


def randn_like(
    input: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Normal draws of the shape and type of `input`."""
    drawn = random.randn(input._array.shape, like(input, dtype), None)
    return finish(drawn, requires_grad, device)
