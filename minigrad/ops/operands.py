"""What the elementwise operations and the reductions share: the checks of operands, the choice
between a number and a tensor, and the wider type for float16."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import unwrap
from typing import Any, TypeVar, cast

import numpy as np

from ..arrays.devices import check_one_device
from ..arrays.dtypes import can_cast, from_numpy_dtype, result_dtype, to_numpy_dtype
from ..arrays.dtypes import dtype as Dtype
from ..arrays.memory_order import laid_out
from ..arrays.words import cannot_cast, check_tensor
from ..core.inplace import inplace
from ..core.node import TensorBase, new_tensor, raw
from ..core.operation import Operation, apply, record
from ..core.promotion import FLOAT16, binary, in_float32, number
from .dims import common_shape

Function = Callable[..., Any]

F = TypeVar("F", bound=Function)

Operator = Callable[[TensorBase, Any], TensorBase]

OPERANDS = (TensorBase, float, int, np.generic)
"""What may stand beside a tensor in an operator without being converted."""


class OfTwo(Operation):
    """An operation on two tensors."""

    inputs = ("self", "other")


def operator_of(function: Function, reflected: bool = False) -> Operator:
    """`function` as an operator: of what is no operand, Python may ask the other side."""

    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, OPERANDS):
            if not isinstance(other, np.ndarray):
                return NotImplemented
            other = new_tensor(other)
        return function(other, self) if reflected else function(self, other)

    return method


def operators(*functions: Function, reflected: bool = False) -> list[Operator]:
    """`operator_of` each of them."""
    return [operator_of(function, reflected) for function in functions]


def of_tensor(function: F) -> F:
    """Let a public function refuse a first argument that is no tensor, and take NumPy's names
    `axis` and `keepdims` beside `dim` and `keepdim`, as PyTorch does."""

    code = unwrap(function).__code__
    names = code.co_varnames[: code.co_argcount]
    place = names.index("keepdim") if "keepdim" in names else len(names)

    @wraps(function)
    def checking(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            if "axis" in kwargs:
                kwargs["dim"] = kwargs.pop("axis")
            if "keepdims" in kwargs:
                kwargs["keepdim"] = kwargs.pop("keepdims")
        if kwargs or len(args) > place:
            keepdim = args[place] if len(args) > place else kwargs.get("keepdim", False)
            if not isinstance(keepdim, bool):
                kind = type(keepdim).__name__
                raise TypeError(
                    f"{function.__name__}(): argument 'keepdim' must be bool, not {kind}"
                )
        if args or "input" in kwargs:
            check_tensor(args[0] if args else kwargs["input"], function.__name__)
        return function(*args, **kwargs)

    return cast(F, checking)


def apply_in(dtype: Any, op: type[Operation], input: Any, *params: Any) -> TensorBase:
    """`apply` to the elements of `input` in the type asked for, if any: so is the result."""
    if dtype is None:
        return apply(op, input, *params)
    value = op.forward(input._array.astype(to_numpy_dtype(dtype), copy=False), *params)
    return record(op, (input,), params, value).to(dtype)


def of_either(
    with_number: type[Operation], with_tensor: type[Operation], input: Any, other: Any
) -> TensorBase:
    """Apply the one of two operations that takes `other`, a number or a tensor."""
    if isinstance(other, TensorBase):
        return binary(with_tensor, input, other)
    return apply(with_number, promote_to(input, other, with_number), other)


def of_either_(
    with_number: type[Operation], with_tensor: type[Operation], input: Any, other: Any
) -> TensorBase:
    """`of_either` in place."""
    check_holds(input, other)
    return inplace(with_tensor if isinstance(other, TensorBase) else with_number, input, other)


def promote_to(tensor: Any, other: Any, op: type[Operation]) -> Any:
    """`tensor` in the type that it has together with the number `other`."""
    array = tensor._array
    value = number(op, other)
    return tensor if array.dtype.kind == "f" else tensor.to(result_dtype(array, value))


def operand(op: type[Operation], value: Any) -> Any:
    """The array of a tensor; a Python number as it is, and NumPy's as one."""
    return value._array if isinstance(value, TensorBase) else number(op, value)


def result_type(tensor1: Any, tensor2: Any) -> Dtype:
    """The element type of an operation on two operands, tensors or numbers.

    >>> import minigrad as mg
    >>> mg.result_type(mg.tensor([1, 2]), 1.0)
    torch.float32
    """
    return from_numpy_dtype[result_dtype(raw(tensor1), raw(tensor2))]


def in_common_type(op: type[Operation], *operands: Any) -> list[Any]:
    """Tensors and numbers as arrays and NumPy's numbers, in the type that they have together."""
    values = [t._array if isinstance(t, TensorBase) else number(op, t) for t in operands]
    dtype = result_dtype(*values)
    return [v.astype(dtype, copy=False) if hasattr(v, "dtype") else dtype.type(v) for v in values]


def elementwise(forward: Function, *args: Any) -> Any:
    """`forward` of arrays, numbers and Nones, laid in memory as PyTorch lays what has an element
    for each of theirs.

    Raises:
        RuntimeError: they do not broadcast, or lie on several devices.
    """
    try:
        return laid_out(forward(*args), *args)
    except ValueError:
        common_shape(*[x.shape for x in args if hasattr(x, "shape")])
        raise
    except TypeError:
        check_one_device(args)
        raise


def check_holds(tensor: Any, other: Any) -> None:
    """Refuse to work in place on a tensor whose type is too low for the result with `other`.

    Raises:
        RuntimeError: an integer tensor would become a floating one, or a bool tensor a number.
    """
    x = tensor._array
    dtype = result_dtype(x, operand(Operation, other))
    if not can_cast(from_numpy_dtype[dtype], from_numpy_dtype[x.dtype]):
        raise cannot_cast(dtype, x.dtype)


def widened(forward: Function) -> Function:
    """`forward` computed in float32 where its array is float16, and rounded once, at the end."""

    @wraps(forward)
    def function(x: Any, *args: Any) -> Any:
        return forward(x, *args) if x.dtype != FLOAT16 else in_float32(forward, x, *args)

    return function


BLOCK = 2**18
"""Elements that are worked on at a time: a megabyte of float32."""


def in_blocks(*arrays: Any) -> Sequence[Sequence[Any]]:
    """The same elements of all `arrays`, some at a time.

    What is computed of them on the way stays in the cache: room for a whole array more would cost
    more than the arithmetic, because the system hands out its pages one by one.
    """
    first = arrays[0]
    size, shape = first.size, first.shape
    if (
        size <= BLOCK
        or not isinstance(first, np.ndarray)
        or not all(x.flags.c_contiguous and x.shape == shape for x in arrays)
    ):
        return [arrays]
    flat = [x.reshape(-1) for x in arrays]
    return [[x[start : start + BLOCK] for x in flat] for start in range(0, size, BLOCK)]
