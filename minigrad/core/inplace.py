"""In-place operations: checks, and how they are recorded.

All checks run before the first element changes. Then the memory is written, its version increases,
and the tensor's history restarts at the operation's node. views.py updates the other views of that
memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ..arrays.devices import check_one_device
from ..arrays.float16 import FLOAT16, in_float32
from ..arrays.memory_order import check_no_repeats, is_dense, same_place
from ..arrays.messages import OVERLAP, check_result
from .broadcasting import broadcasts_to, size_mismatch
from .code_lines import line_at, users_place
from .modes import modes, rare
from .node import Array, TensorBase, gradient_edge, new_node, new_tensor
from .operation import Operation, edge_or_constant, is_needed, save
from .promotion import promote, promote_numbers
from .saved import NUMBERS, saved_output
from .views import WRITTEN, rebase_history, requires_grad


def inplace(op: type[Operation], tensor: Any, *args: Any) -> TensorBase:
    """Compute `op` into the memory of `tensor`; raise all errors before anything is written."""
    count = len(op.inputs)
    inputs: Sequence[Any] = (tensor, *args[: count - 1])
    params = args[count - 1 :]
    x = tensor._array
    arrays = [t._array if isinstance(t, TensorBase) else t for t in (tensor, *args)]
    if count == 2:
        other = arrays[1]
        if isinstance(other, (np.ndarray, np.generic)):
            if other.dtype is not x.dtype:
                arrays[:2] = promote(x, other)
        else:
            arrays[:2] = promote_numbers(op, tensor, args[0])
    if op.forward_into is not None and arrays[0] is x and fits_into(x, arrays[1]):
        return overwrite(op, tensor, inputs, params, partial(op.forward_into, *arrays))
    check_in_place(tensor, inputs)
    try:
        value = op.forward(*arrays)
    except ValueError:
        check_overlap(tensor, ())
        raise size_mismatch(*[a.shape for a in arrays[:2]]) from None
    if value.dtype is FLOAT16 and op.numbers_are_operands:
        value = in_float32(op.forward, *arrays)
    check_result(value, x)
    return overwrite(op, tensor, inputs, params, value)


def fits_into(x: Array, other: Any) -> bool:
    """Return whether an elementwise result of `x` and `other` has the shape and dtype of `x`."""
    if isinstance(x, np.generic) or x.dtype.kind != "f" or x.dtype is FLOAT16:
        return False
    if type(other) in NUMBERS:
        return True
    if other.dtype is not x.dtype or other.ndim > x.ndim:
        return False
    return other.shape == x.shape or broadcasts_to(other.shape, x.shape)


def overwrite(
    op: type[Operation], tensor: Any, inputs: Sequence[Any], params: tuple[Any, ...], value: Any
) -> TensorBase:
    """Write the result of `op` on `inputs` into `tensor`, and update the tensor's history.

    `value` is the result, or a function that writes it.
    """
    recorded = check_in_place(tensor, inputs)
    check_overlap(tensor, inputs, op.fills_repeats)
    node: Operation | None = None
    if recorded:
        edges = tuple([edge_or_constant(t) for t in inputs])
        node = new_node(op, edges, tensor._array)
        node.args = params or op.default_args
        for place, reader in op._plan:
            if place == 0 and is_needed(edges, reader):
                # The formula needs the value that is overwritten, so keep a copy. (Only the written
                # operand is copied: `y.mul_(y)` also saves y itself, and its backward fails, as in
                # PyTorch.)
                inputs = (tensor.clone(), *inputs[1:])
        if op._plan:
            save(node, (*inputs, *params), ())
    before: Any = None
    if rare.used and modes.watch is not None:
        before = new_tensor(tensor._array.copy(), gradient_edge(tensor) if recorded else None)
        before._tangent = modes.level and modes.level.tangent_before(tensor)
    try:
        if callable(value):
            value()
        else:
            tensor.write(value)
    except TypeError:
        check_one_device([t._array for t in inputs if isinstance(t, TensorBase)])
        raise
    (tensor._counter or tensor.version_counter()).value += 1
    if rare.used and (modes.lines or modes.anomaly):
        here = users_place()
        tensor._changed_at = here and line_at(here)
    if node is not None:
        rebase_history(tensor, node)
        save_result(node, tensor)
    if before is not None and modes.watch is not None:
        seen = [before if each is tensor else each for each in inputs]
        modes.watch(node or op, (*seen, *params), (tensor,))
    return tensor  # type: ignore[no-any-return]


def save_result(node: Operation, tensor: Any) -> None:
    """Save the written result of an in-place operation, if the formula needs it."""
    for n, (place, reader) in enumerate(node._plan):
        if place < 0 and is_needed(node._edges, reader):
            versions = [node._version(other) for other in range(len(node._plan))]
            saved = [*(node._saved or ())]
            history: Any = tensor._view and gradient_edge(tensor)
            saved[n], versions[n] = saved_output(tensor, ~place, history), tensor.version()
            node._saved, node._expected = tuple(saved), tuple(versions)


# --- Checks


def check_in_place(tensor: TensorBase, inputs: Sequence[Any], passive: bool = False) -> bool:
    """Return whether writing a value computed from `inputs` to `tensor` will leave a node.

    With `passive`, the write has already happened inside a user's function.

    Raises:
        RuntimeError: PyTorch forbids the write. Nothing has been modified.
    """
    if not modes.grad or not any(requires_grad(t) for t in inputs if isinstance(t, TensorBase)):
        return False
    view = tensor._view
    if view is not None:
        leaf = requires_grad(tensor) and view.base._edge is None
        if leaf and passive and view._edge is None:
            raise leaf_write_error("has been")  # made before its base required grad: a leaf itself
        if view.origin:
            raise view.forbidden(WRITTEN)
        if leaf:
            raise RuntimeError(
                "a view of a leaf Variable that requires grad is being used in an in-place "
                "operation."
            )
    elif tensor._edge is None and tensor._requires_grad:
        raise leaf_write_error("has been" if passive else "is being")
    return True


def leaf_write_error(verb: str) -> RuntimeError:
    """Return the error for a write to a leaf that "is being" or "has been" done."""
    return RuntimeError(f"a leaf Variable that requires grad {verb} used in an in-place operation.")


def check_overlap(tensor: Any, inputs: Any, repeats: bool = False, apart: bool = False) -> None:
    """Raise if the write would read memory that it has already written, or write it twice.

    Args:
        repeats: allow one place of memory to be written several times.
        apart: forbid even identical memory, for operations that do not write in reading order.
    """
    array = tensor._array
    if isinstance(array, np.generic) or not array.size:
        return
    if not repeats:
        check_no_repeats(array)
    for other in inputs:
        if isinstance(other, TensorBase) and (apart if other is tensor else other._counter):
            source = other._array
            if not np.may_share_memory(source, array) or (not apart and same_place(source, array)):
                continue
            if is_dense(source) and is_dense(array):  # otherwise PyTorch does not check
                raise RuntimeError(OVERLAP)
