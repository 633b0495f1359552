"""Writing to a tensor's memory: what is refused, and what is recorded.

Everything that can fail is checked before the first element changes. Then the memory is written,
its version goes up, and the tensor's history begins anew at the node of the operation; what that
means for the views of the same memory is in views.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ..arrays.devices import check_one_device
from ..arrays.float16 import FLOAT16, in_float32
from ..arrays.memory_order import check_no_repeats, is_dense, same_place
from ..arrays.words import OVERLAP, check_result
from .broadcasting import broadcasts_to, size_mismatch
from .code_lines import line_at, users_place
from .modes import modes
from .node import Array, TensorBase, gradient_edge, new_node, new_tensor
from .operation import Operation, edge_or_constant, read, save
from .promotion import promoted, promoted_numbers
from .saved import NUMBERS, saved_output
from .views import WRITTEN, Step, apply_view, rebase_history, requires_grad


def inplace(op: type[Operation], tensor: Any, *args: Any) -> TensorBase:
    """Compute `op` into the memory of `tensor`. Raises before anything is written."""
    count = len(op.inputs)
    inputs: Sequence[Any] = (tensor, *args[: count - 1])
    params = args[count - 1 :]
    x = tensor._array
    arrays = [t._array if isinstance(t, TensorBase) else t for t in (tensor, *args)]
    if count == 2:
        other = arrays[1]
        if isinstance(other, (np.ndarray, np.generic)):
            if other.dtype is not x.dtype:
                arrays[:2] = promoted(x, other)
        else:
            arrays[:2] = promoted_numbers(op, tensor, args[0])
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
    """Whether an elementwise result of `x` and `other` has the shape and type of `x`."""
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
    """Put what `op` made of `inputs` into `tensor`, and let the tensor's history say so.

    `value` is the result, or a function that writes it itself.
    """
    recorded = check_in_place(tensor, inputs)
    check_overlap(tensor, inputs, op.fills_repeats)
    node: Operation | None = None
    if recorded:
        edges = tuple([edge_or_constant(t) for t in inputs])
        node = new_node(op, edges, ((tensor._array.shape, tensor._array.dtype),))
        node.args = params or op.args
        for place, reader in op._plan:
            if place == 0 and read(edges, reader):
                # The formula needs what is overwritten. (Only the operand that is written to is
                # rescued: `y.mul_(y)` also saves y itself, and fails when it runs, as in PyTorch.)
                inputs = (tensor.clone(), *inputs[1:])
        if op._plan:
            save(node, (*inputs, *params), ())
    before: Any = None
    if modes.watch is not None:
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
    if modes.lines or modes.anomaly:
        here = users_place()
        tensor._changed_at = here and line_at(*here)
    if node is not None:
        rebase_history(tensor, node)
        save_result(node, tensor)
    if before is not None and modes.watch is not None:
        seen = [before if each is tensor else each for each in inputs]
        modes.watch(node or op, (*seen, *params), (tensor,))
    return tensor  # type: ignore[no-any-return]


def save_result(node: Operation, tensor: Any) -> None:
    """Keep the result of an in-place operation, now that it has been written, if the formula needs
    it."""
    for n, (place, reader) in enumerate(node._plan):
        if place < 0 and read(node.next_functions, reader):
            versions = [node._version(other) for other in range(len(node._plan))]
            saved = [*(node._saved or ())]
            history = tensor._view and gradient_edge(tensor)[0]
            saved[n], versions[n] = saved_output(tensor, ~place, history), tensor.version()
            node._saved, node._expected = tuple(saved), tuple(versions)


def reshape_in_place(
    tensor: TensorBase,
    op: type[Operation],
    recorded_as: type[Operation],
    params: tuple[Any, ...],
    back: Step,
) -> TensorBase:
    """Give `tensor` itself the shape that `op` makes; its memory and its views stay as they are.

    `back` is what leads from the new shape to the old one, in which older views begin.
    """
    node: Operation | None = None
    recorded = check_in_place(tensor, (tensor,))
    array = op.forward(tensor.shared_array(), *params)
    if recorded:
        edge = gradient_edge(tensor)
        node = new_node(recorded_as, (edge,), ((array.shape, array.dtype),))
        node.args = params
    tensor._array = array
    if tensor._tangent is not None:
        tensor._tangent = apply_view(op, tensor._tangent, *params)
    tensor.version_counter().value += 1
    if tensor._view is not None:
        tensor._view = tensor._view.reshaped((op.forward, params), node)
        return tensor
    tensor._relaid = tensor._relaid or []  # a tensor's own, from the first time on
    tensor._relaid.append(back)
    if node is not None:
        tensor._edge = (node, 0)
    return tensor


# --- What is refused


def check_in_place(tensor: TensorBase, inputs: Sequence[Any], passive: bool = False) -> bool:
    """Whether writing what is computed from `inputs` to `tensor` will leave a node behind.

    `passive`: the write has happened inside a user's function.

    Raises:
        RuntimeError: PyTorch forbids it. Nothing has been modified yet.
    """
    if not modes.grad or not any(requires_grad(t) for t in inputs if isinstance(t, TensorBase)):
        return False
    view = tensor._view
    if view is not None:
        leaf = requires_grad(tensor) and view.base._edge is None
        if leaf and passive and view._edge is None:
            raise leaf_written("has been")  # older than what its base requires: a leaf itself
        if view.origin:
            raise view.forbidden(WRITTEN)
        if leaf:
            raise RuntimeError(
                "a view of a leaf Variable that requires grad is being used in an in-place "
                "operation."
            )
    elif tensor._edge is None and tensor._requires_grad:
        raise leaf_written("has been" if passive else "is being")
    return True


def leaf_written(verb: str) -> RuntimeError:
    """The error for a write to a leaf, which "is being" or "has been" done."""
    return RuntimeError(f"a leaf Variable that requires grad {verb} used in an in-place operation.")


def check_overlap(tensor: Any, inputs: Any, repeats: bool = False, apart: bool = False) -> None:
    """Raise if writing to `tensor` would read one place of memory after it has been written.

    Or write one place twice, unless the operation may do that: `repeats`. What is not written in
    the order in which it is read must not even be the same memory: `apart`.
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
            if is_dense(source) and is_dense(array):  # else PyTorch does not look closer
                raise RuntimeError(OVERLAP)
