"""Derivatives of functions: products with Jacobians and Hessians, and the whole matrices row by
row.

Everything here is made of `grad`. A vector-Jacobian product is one backward pass. A Jacobian-vector
product takes two: the vector-Jacobian product is linear in its vector, so differentiating it with
respect to that vector gives the product on the other side. PyTorch's documentation of
`torch.autograd.functional` describes the same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..differentiate import grad
from ..graph import TensorBase, new_tensor
from ..modes import enable_grad
from ..views import requires_grad

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]


def tensors(value: Any, what: str, where: str) -> tuple[bool, tuple[Any, ...]]:
    """Whether `value` is a tuple, and its tensors."""
    several = isinstance(value, tuple)
    found = value if several else (value,)
    for place, each in enumerate(found):
        if not isinstance(each, TensorBase):
            if several:
                raise TypeError(
                    f"The {what} given to {where} must be either a Tensor or a tuple of Tensors "
                    f"but the value at index {place} has type {type(each)}."
                )
            raise TypeError(
                f"The {what} given to {where} must be either a Tensor or a tuple of Tensors but "
                f"the given {what} has type {type(each)}."
            )
    return several, found


def fresh(inputs: Sequence[Any], create_graph: bool) -> tuple[Any, ...]:
    """The inputs as points where derivatives are taken, cut off from what they came from.

    Under create_graph an input that requires grad stays connected, through a view of it.
    """
    return tuple(
        each.view_as(each)
        if create_graph and each.requires_grad
        else each.detach().requires_grad_()
        for each in inputs
    )


def finished(values: Any, create_graph: bool) -> Any:
    """Results without history, unless it was asked for."""
    if isinstance(values, tuple):
        return tuple(finished(each, create_graph) for each in values)
    return values if create_graph or values is None else values.detach()


def unpacked(several: bool, values: tuple[Any, ...]) -> Any:
    return values if several else values[0]


def checked_vector(v: Any, like: Sequence[Any], where: str) -> tuple[Any, ...]:
    """The vector of a product: of the shapes of `like`, or 1 for a single element."""
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            function = "the user-provided function"
            which = f"{function} returns" if where == "vjp" else f"the input to {function} is"
            raise RuntimeError(
                f"The vector v can only be None if {which} a single Tensor with a single element."
            )
        return (new_tensor(np.ones_like(like[0]._array)),)
    _, found = tensors(v, "v", where)
    if len(found) != len(like):
        raise RuntimeError(
            f"v is a tuple of invalid length: should be {len(like)} but got {len(found)}."
        )
    for place, (each, other) in enumerate(zip(found, like, strict=True)):
        if each.shape != other.shape:
            prefix = f"Entry {place} in " if len(found) > 1 else ""
            raise RuntimeError(
                f"{prefix}v has invalid size: should be {other.shape} but got {each.shape}."
            )
    return found


def demand(values: Sequence[Any], strict: bool, what: str) -> None:
    """In strict mode, every value must depend on the inputs."""
    if strict:
        for place, each in enumerate(values):
            if each is None or not requires_grad(each):
                raise RuntimeError(
                    f"Output {place} of the user-provided function does not require gradients. The "
                    f"{what} must be computed in a differentiable manner from the input when "
                    "running in strict mode."
                )


def slopes(
    outputs: Sequence[Any],
    inputs: Sequence[Any],
    vectors: Sequence[Any],
    *,
    create_graph: bool,
    strict: bool = False,
    retain: bool | None = None,
) -> tuple[Any, ...]:
    """`grad`, with zeros where an output does not depend on an input."""
    if strict:
        for place, each in enumerate(outputs):
            if not requires_grad(each):
                raise RuntimeError(
                    "While computing the hessian, found that the jacobian of the user-provided "
                    f"function with respect to input {place} is independent of the input. This is "
                    "not allowed in strict mode. You should ensure that your function is twice "
                    "differentiable and that the jacobian depends on the inputs (this would be "
                    "violated by a linear function for example)."
                )
    live = [(out, v) for out, v in zip(outputs, vectors, strict=True) if requires_grad(out)]
    found: tuple[Any, ...] = (None,) * len(inputs)
    if live:
        found = grad(
            [out for out, _ in live],
            list(inputs),
            [v for _, v in live],
            retain_graph=retain,
            create_graph=create_graph,
            allow_unused=True,
        )
    if strict and any(each is None for each in found):
        place = [each is None for each in found].index(True)
        raise RuntimeError(
            "The output of the user-provided function is independent of input "
            f"{place}. This is not allowed in strict mode."
        )
    return tuple(
        new_tensor(np.zeros_like(x._array)) if each is None else each
        for each, x in zip(found, inputs, strict=True)
    )


def vjp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The outputs of `func` and the product of `v` with its Jacobian: vᵀJ, of the inputs' shapes.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0])
    >>> mg.autograd.functional.vjp(lambda x: x * x, x, mg.tensor([1.0, 10.0]))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    with enable_grad():
        several, given = tensors(inputs, "inputs", "vjp")
        points = fresh(given, create_graph)
        result = func(*points)
        several_out, outputs = tensors(result, "outputs of the user-provided function", "vjp")
        demand(outputs, strict, "outputs")
        vectors = checked_vector(v, outputs, "vjp")
    product = slopes(outputs, points, vectors, create_graph=create_graph, strict=strict)
    return (
        finished(unpacked(several_out, outputs), create_graph),
        finished(unpacked(several, product), create_graph),
    )


def jvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The outputs of `func` and the product of its Jacobian with `v`: Jv, of the outputs'
    shapes."""
    with enable_grad():
        _, given = tensors(inputs, "inputs", "jvp")
        points = fresh(given, create_graph)
        vectors = checked_vector(v, points, "jvp")
        several_out, outputs = tensors(
            func(*points), "outputs of the user-provided function", "jvp"
        )
        demand(outputs, strict, "outputs")
        # vᵀJ is linear in v, so at which v it is differentiated does not matter.
        dummies = tuple(new_tensor(np.zeros_like(out._array)).requires_grad_() for out in outputs)
        pulled = slopes(outputs, points, dummies, create_graph=True, strict=strict)
        product = slopes(pulled, dummies, vectors, create_graph=create_graph, strict=False)
    return (
        finished(unpacked(several_out, outputs), create_graph),
        finished(unpacked(several_out, product), create_graph),
    )


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian of `func`, one backward pass for each element of the output.

    For one output of shape [a...] and one input of shape [b...] the result has shape [a..., b...];
    tuples of outputs or inputs give tuples, outputs outside. `vectorize` is accepted and ignored.

    >>> import minigrad as mg
    >>> mg.autograd.functional.jacobian(lambda x: x * x, mg.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if strategy not in ("reverse-mode", "forward-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your '
            'function has more outputs than inputs, "forward-mode" tends to be more performant. '
            'Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode":
        raise NotImplementedError("minigrad has no forward mode; use strategy='reverse-mode'")
    with enable_grad():
        several, given = tensors(inputs, "inputs", "jacobian")
        points = fresh(given, create_graph)
        several_out, outputs = tensors(
            func(*points), "outputs of the user-provided function", "jacobian"
        )
        demand(outputs, strict, "outputs")
        whole = tuple(rows(out, points, create_graph, strict) for out in outputs)
    whole = finished(whole, create_graph)
    found = tuple(unpacked(several, each) for each in whole)
    return unpacked(several_out, found)


def rows(out: Any, points: Sequence[Any], create_graph: bool, strict: bool) -> tuple[Any, ...]:
    """The Jacobian of one output with respect to each point."""
    flat = out.reshape(-1)
    lines: list[list[Any]] = [[] for _ in points]
    for index in range(flat.numel()):
        one = np.zeros(flat.shape, flat._array.dtype)
        one[index] = 1
        vector = new_tensor(one)
        row = slopes(
            (flat,), points, (vector,), create_graph=create_graph, strict=strict, retain=True
        )
        for line, each in zip(lines, row, strict=True):
            line.append(each)
    return tuple(
        stacked(line, x).reshape(*out.shape, *x.shape)
        for line, x in zip(lines, points, strict=True)
    )


def stacked(line: Sequence[Any], like: Any) -> Any:
    """Rows below each other; recorded, so that the result can be differentiated."""
    if not line:
        return like.new_zeros(0, *like.shape)
    from ..ops.joining import stack

    return stack(line)


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The Hessian of a function with a single element as its result: the Jacobian of its gradient.

    >>> import minigrad as mg
    >>> mg.autograd.functional.hessian(lambda x: (x**3).sum(), mg.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    several, _ = tensors(inputs, "inputs", "hessian")

    def gradient(*points: Any) -> tuple[Any, ...]:
        return slopes((scalar(func, points, "hessian"),), points, (None,), create_graph=True)

    whole = jacobian(
        gradient, inputs if several else (inputs,), create_graph=create_graph, strict=strict
    )
    return whole if several else whole[0][0]


def scalar(func: Callable[..., Any], points: Sequence[Any], where: str) -> Any:
    """The result of `func`, which must be a single element."""
    several, (out, *others) = tensors(func(*points), "outputs of the user-provided function", where)
    if several or others:
        raise RuntimeError(f"The function given to {where} should return a single Tensor")
    if out.numel() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {where} should contain a single element"
        )
    return out.reshape(())


def vhp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The result of `func` and the product of `v` with its Hessian: two backward passes."""
    with enable_grad():
        several, given = tensors(inputs, "inputs", "vhp")
        points = fresh(given, create_graph)
        vectors = checked_vector(v, points, "vhp")
        out = scalar(func, points, "vhp")
        demand((out,), strict, "outputs")
        first = slopes((out,), points, (None,), create_graph=True, strict=strict)
        product = slopes(first, points, vectors, create_graph=create_graph, strict=strict)
    return finished(out, create_graph), finished(unpacked(several, product), create_graph)


def hvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The result of `func` and the product of its Hessian with `v`.

    A Hessian is symmetric, so this is `vhp`; PyTorch computes it with one pass more.
    """
    return vhp(func, inputs, v, create_graph, strict)
