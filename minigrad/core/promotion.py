"""Operations on two operands, and the type in which PyTorch would compute them.

Two tensors meet in the wider of their types; a Python number takes that of the tensor beside it, as
far as it is of the same kind. Every arithmetic operator comes this way, so the common case, two
tensors of one type, is written out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..arrays.devices import check_one_device
from ..arrays.dtypes import result_dtype
from ..arrays.memory_order import laid_out
from ..arrays.words import wrong_type
from .broadcasting import size_mismatch
from .modes import modes
from .node import Array, TensorBase, gradient_edge, new_tensor
from .operation import Operation, attach, edge_or_constant
from .saved import NUMBERS, as_tensor

FLOAT16 = np.dtype(np.float16)


def binary(op: type[Operation], a: Any, b: Any, *params: Any) -> TensorBase:
    """`apply` for two operands, with type promotion; one may be a Python number."""
    try:
        x, y = a._array, b._array
    except AttributeError:
        if isinstance(b, np.generic):
            b = b.item()
        elif isinstance(a, np.generic):
            a = a.item()
        if not (isinstance(a, TensorBase) or isinstance(b, TensorBase)):
            return binary(op, as_tensor(number(op, a, 1)), b, *params)
        x, y = promoted_numbers(op, a, b)
        value = op.forward(x, y, *params)
        if value.dtype is FLOAT16 and op.numbers_are_operands:
            value = in_float32(op.forward, x, y, *params)
        if value.ndim > 1:
            value = laid_out(value, x, y)
        if not modes.grad:
            return new_tensor(value)
        if modes.in_formula and op.with_number is not None and isinstance(a, TensorBase):
            return attach(op.with_number, (gradient_edge(a),), (a, b), value)
        edges = (edge_or_constant(a), edge_or_constant(b))
        return attach(op, edges, (a, b, *params), value)
    if x.dtype is not y.dtype:
        x, y = promoted(x, y)
    try:
        value = op.forward(x, y, *params)
    except ValueError:
        raise size_mismatch(x.shape, y.shape) from None
    except TypeError:
        check_one_device((x, y))
        raise
    if value.ndim > 1:
        value = laid_out(value, x, y)
    if not modes.grad:
        return new_tensor(value)
    edges = (a._edge or gradient_edge(a), b._edge or gradient_edge(b))
    return attach(op, edges, (a, b, *params), value)


def in_float32(forward: Callable[..., Any], *args: Any) -> Any:
    """`forward` of float16 arrays in float32, rounded once, at the end. (NumPy rounds even a Python
    number before it computes.)"""
    wide = [x.astype(np.float32) if getattr(x, "dtype", None) == FLOAT16 else x for x in args]
    value = forward(*wide)
    if type(value) is tuple:
        return tuple([each.astype(FLOAT16) for each in value])
    return value.astype(FLOAT16)


def promoted(x: Array, y: Array) -> tuple[Array, Array]:
    """Both operands in the type that PyTorch would compute in."""
    dtype = result_dtype(x, y)
    return x.astype(dtype, copy=False), y.astype(dtype, copy=False)


def promoted_numbers(op: type[Operation], a: Any, b: Any) -> tuple[Any, Any]:
    """`promoted` where one operand is a Python number: weak, as it is to NumPy among floats."""
    x = a._array if isinstance(a, TensorBase) else number(op, a, 1)
    y = b._array if isinstance(b, TensorBase) else number(op, b)
    array = x if isinstance(a, TensorBase) else y
    if array.dtype.kind == "f":
        return x, y
    dtype = result_dtype(x, y)
    # (A number beyond the type's range wraps around.)
    x, y = (
        v.astype(dtype, copy=False) if hasattr(v, "dtype") else np.asarray(v).astype(dtype)[()]
        for v in (x, y)
    )
    return x, y


def number(op: type[Operation], value: Any, position: int = 2) -> Any:
    if type(value) in NUMBERS:
        return value
    if isinstance(value, np.generic):
        return value.item()  # np.float64 is a float as well, and would bring its type
    if isinstance(value, (bool, int, float)):
        return value
    raise not_a_tensor(op, value, position)


def not_a_tensor(op: type[Operation], value: Any, position: int) -> TypeError:
    """PyTorch's words for an operand that is neither a tensor nor, where that is allowed, a
    number."""
    word = op.__name__.partition("Backward")[0].lower()
    return wrong_type(word, "input" if position == 1 else "other", position, "Tensor", value)
