"""Operations on two operands, and the dtype in which PyTorch computes them.

Two tensors are computed in the wider of their dtypes. A Python number takes the dtype of the tensor
if it is of the same kind. Every arithmetic operator uses this module, so the usual case, two
tensors of one dtype, is written out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays.devices import check_one_device
from ..arrays.dtypes import can_cast, from_numpy_dtype, get_default_dtype, result_dtype
from ..arrays.float16 import FLOAT16, in_float32
from ..arrays.memory_order import lay_out
from ..arrays.messages import cannot_cast, check_output, type_name
from .broadcasting import size_mismatch
from .modes import modes, rare
from .node import Array, TensorBase, gradient_edge, new_tensor
from .operation import Operation, attach, edge_or_constant
from .saved import as_tensor


def binary(op: type[Operation], a: Any, b: Any, param: Any = None) -> TensorBase:
    """Apply `op` to two operands with type promotion; one may be a Python number."""
    params = () if param is None else (param,)
    try:
        p, q = a, b  # C structs if compiled; then a number raises a TypeError here
        x, y = p._array, q._array
    except (AttributeError, TypeError):
        return with_number(op, a, b, *params)
    if x.dtype is not y.dtype:
        x, y = promote(x, y)
    try:
        value = op.forward(x, y, *params)
    except ValueError:
        raise size_mismatch(x.shape, y.shape) from None
    except TypeError:
        check_one_device((x, y))
        raise
    if value.ndim > 1:
        value = lay_out(value, x, y)
    recording = modes.grad
    if not recording and not rare.used:
        return new_tensor(value)
    edges = (p._edge or gradient_edge(p), q._edge or gradient_edge(q)) if recording else ()
    return attach(op, edges, (a, b, *params), value)


def with_number(op: type[Operation], a: Any, b: Any, *params: Any) -> TensorBase:
    """`binary` where one operand is a number.

    (Operators call this directly: the check in `binary` costs as much as the rest.)
    """
    if isinstance(b, np.generic):
        b = b.item()
    elif isinstance(a, np.generic):
        a = a.item()
    if not (isinstance(a, TensorBase) or isinstance(b, TensorBase)):
        return binary(op, as_tensor(number(a)), b, *params)
    x, y = promote_numbers(op, a, b)
    value = op.forward(x, y, *params)
    if value.dtype is FLOAT16 and op.numbers_are_operands:
        value = in_float32(op.forward, x, y, *params)
    if value.ndim > 1:
        value = lay_out(value, x, y)
    recording = modes.grad
    if not recording and not rare.used:
        return new_tensor(value)
    if modes.in_formula and op.with_number is not None and isinstance(a, TensorBase):
        return attach(op.with_number, (gradient_edge(a),), (a, b), value)
    edges = (edge_or_constant(a), edge_or_constant(b)) if recording else ()
    return attach(op, edges, (a, b, *params), value)


def promote(x: Array, y: Array) -> tuple[Array, Array]:
    """Return both operands in the dtype in which PyTorch computes."""
    dtype = result_dtype(x, y)
    return x.astype(dtype, copy=False), y.astype(dtype, copy=False)


def promote_numbers(op: type[Operation], a: Any, b: Any) -> tuple[Any, Any]:
    """`promote` where one operand is a Python number: weak, as NumPy treats it among floats."""
    x = a._array if isinstance(a, TensorBase) else number(a)
    y = b._array if isinstance(b, TensorBase) else number(b)
    array = x if isinstance(a, TensorBase) else y
    if array.dtype.kind == "f":
        return x, y
    dtype = result_dtype(x, y)
    if op.gives_floats and dtype.kind != "f":
        dtype = get_default_dtype().numpy
    return cast(x, dtype), cast(y, dtype)


def cast(value: Any, dtype: np.dtype[Any]) -> Any:
    """Convert an array or a number. A number out of the dtype's range wraps around."""
    value = value if hasattr(value, "dtype") else np.asarray(value)[()]
    return value.astype(dtype, copy=False)


def number(value: Any) -> Any:
    """Return a Python number as it is, and NumPy's as a Python number.

    Raises:
        TypeError: it is not a number; the function's schema names the argument.
        OverflowError: it is an integer that 64 bits cannot hold.
    """
    kind = type(value)
    if kind is float or kind is bool:
        return value
    if isinstance(value, np.generic):
        value = value.item()  # np.float64 is a float as well, and would bring its dtype
    if isinstance(value, int):
        if -(2**63) <= value < 2**64:
            return value
        raise OverflowError(
            "int too big to convert" if value > 0 else "can't convert negative int to unsigned"
        )
    if isinstance(value, float):
        return value
    raise TypeError(f"expected a tensor or a number, not {type_name(value)}")


def promote_to(tensor: Any, other: Any) -> tuple[Any, Any]:
    """Return `tensor` in its common dtype with the number `other`, and that number."""
    array = tensor._array
    value = number(other)
    if array.dtype.kind == "f":
        return tensor, value
    dtype = result_dtype(array, value)
    return tensor.to(from_numpy_dtype[dtype]), cast(value, dtype).item()


def operand(value: Any) -> Any:
    """Return the array of a tensor; a Python number as it is, and NumPy's as a Python number."""
    return value._array if isinstance(value, TensorBase) else number(value)


def in_common_type(*operands: Any) -> list[Any]:
    """Return tensors and numbers as arrays and NumPy numbers, in their common dtype."""
    values = [t._array if isinstance(t, TensorBase) else number(t) for t in operands]
    dtype = result_dtype(*values)
    return [cast(value, dtype) for value in values]


def check_holds(tensor: Any, other: Any) -> None:
    """Raise if the dtype of a tensor is too low for an in-place result with `other`.

    Raises:
        RuntimeError: an integer tensor would become floating, or a bool tensor a number; or the
            result has another shape, which PyTorch checks first.
    """
    x = tensor._array
    y = other._array if isinstance(other, TensorBase) else number(other)
    dtype = result_dtype(x, y)
    if not can_cast(from_numpy_dtype[dtype], from_numpy_dtype[x.dtype]):
        try:
            check_output(x.shape, np.broadcast_shapes(x.shape, np.shape(y)))
        except ValueError:
            raise size_mismatch(x.shape, y.shape) from None
        raise cannot_cast(dtype, x.dtype)
