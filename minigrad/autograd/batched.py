"""`grad`, also for many directions at once: `is_grads_batched`.

PyTorch moves them through the graph together. Here each has its own pass, so hooks are called once
for each; the gradients are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, overload

from ..core.backward import Ends, as_inputs, as_sequence, edge_of
from ..core.backward import grad as grad_of_one
from ..core.edges import place_of
from ..core.node import TensorBase
from ..ops.indexing.joining import stack

T = TypeVar("T", bound=TensorBase)


@overload
def grad(
    outputs: T | Iterable[T], inputs: dict[str, Any], *args: Any, **kwargs: Any
) -> dict[str, T]: ...
@overload
def grad(
    outputs: T | Iterable[T],
    inputs: Ends,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[T, ...]: ...
def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """Return the gradients of `outputs` with respect to `inputs`, as a tuple. No `.grad` changes.

    Args:
        outputs: one tensor or several; their gradients are summed.
        inputs: the tensors, leaves or not, whose gradients are wanted; a dictionary of tensors
            gives a dictionary of gradients.
        grad_outputs: for each output the gradient to start from; None means 1 for a single element.
        retain_graph: keep the saved tensors. Defaults to `create_graph`.
        create_graph: record the backward pass, so that it can be differentiated again.
        only_inputs: deprecated, without effect.
        is_grads_batched: each of `grad_outputs` has a new first dimension that lists gradients to
            start from; so have the results.
        allow_unused: return None instead of an error for an input on which no output depends.
        materialize_grads: return zeros for such an input.

    >>> import minigrad as mg
    >>> x = mg.tensor(3.0, requires_grad=True)
    >>> (slope,) = mg.autograd.grad(x**2, x, create_graph=True)
    >>> slope
    tensor(6., grad_fn=<MulBackward0>)
    >>> mg.autograd.grad(slope, x)
    (tensor(2.),)
    """
    how = create_graph, only_inputs, allow_unused
    if not is_grads_batched:
        return grad_of_one(outputs, inputs, grad_outputs, retain_graph, *how, materialize_grads)
    tensors, outs = as_inputs(inputs), as_sequence(outputs)
    given: Sequence[Any] = (None,) * len(outs)
    if grad_outputs is not None:
        given = as_sequence(grad_outputs)
    size = batch_size(outs, given)
    if materialize_grads and allow_unused is None:
        how = create_graph, only_inputs, True
    rows = []
    for row in range(size):
        keep = retain_graph if row == size - 1 else True
        rows.append(grad_of_one(outs, tensors, [g[row] for g in given], keep, *how))
    found = [None if column[0] is None else stack(column) for column in zip(*rows, strict=True)]
    if materialize_grads:
        pairs = zip(found, tensors, strict=True)
        found = [x.new_zeros(x.shape) if g is None else g for g, x in pairs]
    return dict(zip(inputs, found, strict=True)) if isinstance(inputs, dict) else tuple(found)


def batch_size(outputs: Sequence[Any], given: Sequence[Any]) -> int:
    """Return the number of directions in batched `grad_outputs`.

    Raises:
        RuntimeError, ValueError, IndexError: the number or a shape differs between the outputs.
    """
    sizes = []
    for place, (out, g) in enumerate(zip(outputs, given, strict=False)):
        node, index = place_of(edge_of(out))
        shape = out._array.shape if node is None else node._outputs[index][0]
        if g is None:
            if shape:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            raise ValueError(f"Got in_dim=0 for grad_output[{place}], which has no dimension")
        if g._array.shape[1:] != shape:
            raise RuntimeError(
                "If `is_grads_batched=True`, we interpret the first dimension of each grad_output "
                "as the batch dimension. The sizes of the remaining dimensions are expected to "
                "match the shape of corresponding output, but a mismatch was detected: "
                f"grad_output[{place}] has a shape of torch.Size({list(g._array.shape[1:])}) and "
                f"output[{place}] has a shape of torch.Size({list(shape)}). If you only want some "
                "tensors in `grad_output` to be considered batched, consider using vmap."
            )
        sizes.append(g._array.shape[0])
    if len(set(sizes)) > 1:
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    if not sizes[0]:
        raise IndexError("index 0 is out of bounds for dimension 0 with size 0")
    return int(sizes[0])
