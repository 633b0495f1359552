"""The entry points of a backward pass: `backward` adds gradients to leaves, `grad` returns them.

Both check their arguments, turn tensors into edges of the graph, and call the loop in engine.py.
"""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..arrays.devices import ON_CPU, device_of, get_array_module
from ..arrays.dtypes import from_numpy_dtype
from .edges import Edge, NodePlace, edge_to, place_of
from .engine import run_backward
from .hooks import Gradient
from .modes import modes, rare
from .node import GradientEdge, TensorBase, gradient_edge, new_tensor

KEPT_ALIVE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter "
    "and its gradient which can cause a memory leak. We recommend using autograd.grad when "
    "creating the graph to avoid this. If you have to use this function, make sure to reset the "
    ".grad fields of your parameters to None after use to break the cycle and avoid the leak."
)

End = TensorBase | GradientEdge
Ends = End | Iterable[End]
"""One tensor or several, where a pass begins or ends."""


def as_sequence(value: Any) -> tuple[Any, ...]:
    """Return one tensor or several as a tuple."""
    return (value,) if isinstance(value, (TensorBase, GradientEdge)) else tuple(value)


def as_inputs(inputs: Any) -> tuple[Any, ...]:
    """Return the tensors whose gradients are wanted as a tuple; a dictionary gives its values."""
    return tuple(inputs.values()) if isinstance(inputs, dict) else as_sequence(inputs)


def edge_of(value: End) -> Edge:
    """Return the edge of a tensor or of a GradientEdge; None for a constant."""
    if isinstance(value, GradientEdge):
        return edge_to(value.node, value.output_nr)
    return value._edge or gradient_edge(value)


def backward(
    tensors: Ends,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Add the gradients of `tensors` to the `.grad` of the leaves from which they were computed.

    Args:
        tensors: one tensor or several; their gradients are summed.
        grad_tensors: for each tensor the gradient to start from, of the same shape; None means 1
            for a tensor of one element.
        retain_graph: keep the saved tensors. Defaults to `create_graph`.
        create_graph: record the backward pass, so that it can be differentiated again.
        grad_variables: the old name of `grad_tensors`.
        inputs: add to these tensors only; by default to every leaf that is reached.

    Raises:
        RuntimeError: no gradient can be computed, or the graph has been freed or changed.
        TypeError: `retain_graph` or `create_graph` is neither a bool nor an integer.
    """
    if grad_variables is not None:
        message = "`grad_variables` is deprecated. Use `grad_tensors` instead."
        warnings.warn(message, FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to "
                "`backward()`. Please only use `grad_tensors`."
            )
        grad_tensors = grad_variables
    targets = None if inputs is None else as_inputs(inputs)
    if targets == ():
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    ends = (tensors,) if isinstance(tensors, TensorBase) else as_sequence(tensors)
    walk_from(ends, grad_tensors, targets, retain_graph, create_graph, True)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    materialize_grads: bool = False,
) -> Any:
    """Return the gradients of `outputs` with respect to `inputs`.

    `minigrad.autograd.grad` documents the arguments.
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
            "allow_unused=False."
        )
    materialize_grads = switch(materialize_grads)
    allow_unused = materialize_grads if allow_unused is None else switch(allow_unused)
    if not only_inputs:
        message = "only_inputs argument is deprecated and is ignored now (defaults to True)."
        warnings.warn(message, FutureWarning, stacklevel=2)
    tensors = as_inputs(inputs)
    if not tensors:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    arrived = walk_from(
        as_sequence(outputs), grad_outputs, tensors, retain_graph, create_graph, False
    )
    found = []
    for place, (tensor, gradient) in enumerate(zip(tensors, arrived, strict=True)):
        if gradient is None and not allow_unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {place} appears to not have been used in the "
                "graph. Set allow_unused=True if this is the desired behavior."
            )
        if gradient is None and materialize_grads:
            if isinstance(tensor, GradientEdge):
                raise RuntimeError(
                    "materialize_grads cannot be used when the given input is a GradientEdge"
                )
            gradient = new_tensor(np.zeros_like(tensor._array))
            gradient._requires_grad = create_graph
        found.append(gradient)
    return dict(zip(inputs, found, strict=True)) if isinstance(inputs, dict) else tuple(found)


def edges_of(tensors: Sequence[Any], accumulate: bool) -> list[Edge]:
    """Return the edges of `tensors`.

    Where gradients accumulate in a result, the result keeps its own; `retain_grad` has no effect on
    a leaf.
    """
    edges: list[Edge] = []
    for tensor in tensors:
        if not isinstance(tensor, (TensorBase, GradientEdge)):
            kind = type(tensor).__name__
            raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {kind}")
        edge = edge_of(tensor)
        if accumulate and not isinstance(tensor, GradientEdge):
            tensor.retain_grad()  # type: ignore[attr-defined]  # a Tensor has it
        if edge is None:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
        edges.append(edge)
    return edges


def walk_from(
    outputs: Sequence[Any],
    grad_outputs: Any,
    inputs: Sequence[Any] | None,
    retain_graph: bool | None,
    create_graph: bool,
    accumulate: bool,
) -> list[Any]:
    """Check the roots, run the pass, and return the gradients of `inputs` as Tensors."""
    given: Sequence[Any] = (None,) * len(outputs)
    if grad_outputs is not None:
        given = as_sequence(grad_outputs)
        for gradient in given:
            if gradient is not None and not isinstance(gradient, TensorBase):
                raise TypeError(
                    f"gradients can be either Tensors or None, but got {type(gradient).__name__}"
                )
        if len(given) < len(outputs):
            raise RuntimeError(f"got {len(outputs)} tensors and {len(given)} gradients")
    if type(create_graph) is not bool:
        create_graph = switch(create_graph)
    keep_graph = create_graph if retain_graph is None else retain_graph
    if type(keep_graph) is not bool:
        keep_graph = switch(keep_graph)
    with_tensors = create_graph or (rare.used and modes.level is not None)  # as in Walk
    roots, seeds = [], []
    for place, output in enumerate(outputs):
        if not isinstance(output, (TensorBase, GradientEdge)):
            raise AssertionError("Expected output to be a torch.Tensor")
        edge = edge_of(output)
        roots.append(place_of(edge))
        seeds.append(seed(output, edge, roots[-1], given[place], with_tensors))
    if (None, 0) in roots:
        raise RuntimeError(
            f"element {roots.index((None, 0))} of tensors does not require grad and does not have "
            "a grad_fn"
        )
    if create_graph and accumulate:
        warnings.warn(KEPT_ALIVE, stacklevel=1)  # at one place, so that Python shows it once
    wanted = None if inputs is None else edges_of(inputs, accumulate)
    arrived = run_backward(roots, seeds, keep_graph, create_graph, wanted, accumulate)
    return arrived and [g if g is None or with_tensors else new_tensor(g) for g in arrived]


def switch(value: Any) -> bool:
    """Convert a bool or an integer to a bool, as PyTorch does.

    Raises:
        TypeError: `value` is neither.
    """
    return bool(operator.index(value))


def seed(output: Any, edge: Edge, root: NodePlace, gradient: Any, with_tensors: bool) -> Gradient:
    """Return the first gradient of `output`: the given one, or 1 for a single element."""
    node, index = root
    told = (output._array.shape, output._array.dtype) if node is None else node._outputs[index]
    shape, dtype = told
    if gradient is None:
        if shape and edge is not None and math.prod(shape) != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        if isinstance(output, TensorBase) and not isinstance(output._array, ON_CPU):
            ones = get_array_module(output._array).ones(shape, dtype)
        else:
            ones = np.ones(shape, dtype) if shape else dtype.type(1)
        return new_tensor(ones) if with_tensors else ones
    if gradient._array.shape != shape:
        raise RuntimeError(
            "Mismatch in shape: grad_output[0] has a shape of "
            f"torch.Size({list(gradient._array.shape)}) and output[0] has a shape of "
            f"torch.Size({list(shape)})."
        )
    if isinstance(output, TensorBase) and not (
        isinstance(output._array, ON_CPU) and isinstance(gradient._array, ON_CPU)
    ):
        here, there = device_of(output._array), device_of(gradient._array)
        if here != there:
            wrong = f"expected device {here} but got {there}"
            raise RuntimeError(f"invalid gradient at index 0 - {wrong}")
    if gradient._array.dtype != dtype:
        gradient = gradient.to(from_numpy_dtype[dtype])
    return gradient if with_tensors else gradient._array
