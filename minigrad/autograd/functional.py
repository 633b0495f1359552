"""Derivatives of functions: products with Jacobians and Hessians, and the matrices row by row.

Almost everything here uses `grad`. A vector-Jacobian product is one backward pass. A
Jacobian-vector product takes two: the vector-Jacobian product is linear in its vector, and its
derivative with respect to the vector is the product on the other side. Forward mode (forward_ad.py)
needs one pass: `strategy="forward-mode"` builds a Jacobian from its columns. PyTorch's
documentation of `torch.autograd.functional` describes the same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..arrays.left_out import missing_from
from ..core.backward import grad
from ..core.modes import enable_grad
from ..core.node import TensorBase, new_tensor
from ..core.views import requires_grad
from ..ops.indexing.joining import stack
from ..tensors.tensor import Tensor
from .forward_ad import dual_level, make_dual, unpack_dual

Func = Callable[..., Any]

EXPECTED = 'Expected strategy to be either "forward-mode" or "reverse-mode".'

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]


def tensors(value: Any, what: str, where: str) -> tuple[bool, tuple[Any, ...]]:
    """Return whether `value` is a tuple, and its tensors."""
    several = isinstance(value, tuple)
    found = value if several else (value,)
    for place, each in enumerate(found):
        if not isinstance(each, TensorBase):
            which = f"value at index {place}" if several else f"given {what}"
            raise TypeError(
                f"The {what} given to {where} must be either a Tensor or a tuple of Tensors but "
                f"the {which} has type {type(each)}."
            )
    return several, found


def detach_inputs(inputs: Sequence[Any], create_graph: bool) -> tuple[Any, ...]:
    """Return the inputs as points of differentiation, cut off from their history.

    Under create_graph an input that requires grad stays connected, through a view.
    """
    return tuple(
        x.view_as(x) if create_graph and x.requires_grad else x.detach().requires_grad_()
        for x in inputs
    )


def detach_results(values: Any, create_graph: bool) -> Any:
    """Return results without history, unless `create_graph` is set."""
    if isinstance(values, tuple):
        return tuple(detach_results(each, create_graph) for each in values)
    return values if create_graph or values is None else values.detach()


def unpacked(several: bool, values: Sequence[Any]) -> Any:
    return values if several else values[0]


def checked_vector(v: Any, like: Sequence[Any], several: bool, where: str) -> tuple[Any, ...]:
    """Return the vector of a product: of the shapes of `like`, or 1 for a single element.

    `several`: whether `like` was given as a tuple.
    """
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            function = "the user-provided function"
            which = f"{function} returns" if where == "vjp" else f"the input to {function} is"
            only = "a single Tensor with a single element."
            raise RuntimeError(f"The vector v can only be None if {which} {only}")
        return (new_tensor(np.ones_like(like[0]._array)),)
    _, found = tensors(v, "v", where)
    if len(found) != len(like):
        length = f"v is a tuple of invalid length: should be {len(like)} but got {len(found)}."
        raise RuntimeError(length if several else "The given v should contain a single Tensor.")
    for place, (each, other) in enumerate(zip(found, like, strict=True)):
        if each.shape != other.shape:
            prefix = f"Entry {place} in " if several else ""
            sizes = f"should be {other.shape} but got {each.shape}."
            raise RuntimeError(f"{prefix}v has invalid size: {sizes}")
    return found


# Errors of strict mode for the outputs, the first derivatives, the second, and, under create_graph,
# the result.

CONSTANT = (
    "Output {} of the user-provided function does not require gradients. The outputs must be "
    "computed in a differentiable manner from the input when running in strict mode."
)
INDEPENDENT = (
    "The output of the user-provided function is independent of input {}. This is not allowed in "
    "strict mode."
)
LINEAR = (
    "While computing the hessian, found that the jacobian of the user-provided function with "
    "respect to input {} is independent of the input. This is not allowed in strict mode. You "
    "should ensure that your function is twice differentiable and that the jacobian depends on the "
    "inputs (this would be violated by a linear function for example)."
)
NOT_RECORDED = (
    "The {} of the user-provided function is independent of input {{}}. This is not allowed in "
    "strict mode when create_graph=True."
)


def demand(values: Sequence[Any], strict: bool, message: str) -> None:
    """Raise in strict mode if a value does not depend on the inputs.

    `message` has a placeholder for the value's number.
    """
    for place, each in enumerate(values if strict else ()):
        if each is None or not requires_grad(each):
            raise RuntimeError(message.format(place))


def results(func: Func, points: Sequence[Any], strict: bool, where: str) -> Any:
    """Return whether `func` returns a tuple, and its tensors."""
    several, outputs = tensors(func(*points), "outputs of the user-provided function", where)
    demand(outputs, strict, CONSTANT)
    return several, outputs


def slopes(
    outputs: Sequence[Any],
    inputs: Sequence[Any],
    vectors: Sequence[Any],
    missing: str = "",
    **how: Any,
) -> tuple[Any, ...]:
    """Call `grad`, with zeros or an error where an output does not depend on an input.

    `missing` is the error's message, if one is wanted.
    """
    live = [(out, v) for out, v in zip(outputs, vectors, strict=True) if requires_grad(out)]
    found: tuple[Any, ...] = (None,) * len(inputs)
    if live:
        outs, seeds = zip(*live, strict=True)
        found = grad(outs, list(inputs), seeds, allow_unused=True, **how)
    for place, each in enumerate(found):
        if each is None and missing:
            raise RuntimeError(missing.format(place))
    return tuple(
        new_tensor(np.zeros_like(x._array)) if each is None else each
        for each, x in zip(found, inputs, strict=True)
    )


@overload
def vjp(
    func: Callable[[Tensor], Tensor], inputs: Tensor, *args: Any, **kwargs: Any
) -> tuple[Tensor, Tensor]: ...
@overload
def vjp(func: Func, inputs: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any]: ...
def vjp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return the outputs of `func`, and the product of `v` with its Jacobian: vᵀJ, shaped as the
    inputs.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0])
    >>> mg.autograd.functional.vjp(lambda x: x * x, x, mg.tensor([1.0, 10.0]))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    with enable_grad():
        several, given = tensors(inputs, "inputs", "vjp")
        points = detach_inputs(given, create_graph)
        several_out, outputs = results(func, points, strict, "vjp")
        vectors = checked_vector(v, outputs, several_out, "vjp")
    missing = INDEPENDENT if strict else ""
    product = slopes(outputs, points, vectors, missing, create_graph=create_graph)
    demand(product, strict and create_graph, NOT_RECORDED.format("jacobian"))
    result, product = unpacked(several_out, outputs), unpacked(several, product)
    return detach_results(result, create_graph), detach_results(product, create_graph)


@overload
def jvp(
    func: Callable[[Tensor], Tensor], inputs: Tensor, *args: Any, **kwargs: Any
) -> tuple[Tensor, Tensor]: ...
@overload
def jvp(func: Func, inputs: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any]: ...
def jvp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return the outputs of `func`, and the product of its Jacobian with `v`: Jv, shaped as the
    outputs."""
    with enable_grad():
        several_in, given = tensors(inputs, "inputs", "jvp")
        points = detach_inputs(given, create_graph)
        vectors = checked_vector(v, points, several_in, "jvp")
        several, outputs = results(func, points, strict, "jvp")
        # vᵀJ is linear in v, so its derivative is the same at every v.
        dummies = tuple(out.new_zeros(out.shape).requires_grad_() for out in outputs)
        missing = INDEPENDENT if strict else ""
        pulled = slopes(outputs, points, dummies, missing, create_graph=True)
        product = slopes(pulled, dummies, vectors, create_graph=create_graph)
    demand(product, strict and create_graph, NOT_RECORDED.format("jacobian"))
    result, product = unpacked(several, outputs), unpacked(several, product)
    return detach_results(result, create_graph), detach_results(product, create_graph)


@overload
def jacobian(
    func: Callable[[Tensor], Tensor], inputs: Tensor, *args: Any, **kwargs: Any
) -> Tensor: ...
@overload
def jacobian(func: Func, inputs: Any, *args: Any, **kwargs: Any) -> Any: ...
def jacobian(
    func: Func,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """Return the Jacobian of `func`.

    It takes one backward pass for each element of the output, or in "forward-mode" one call of
    `func` for each element of the input. For one output of shape [a...] and one input of shape
    [b...] the result has shape [a..., b...]. Tuples of outputs or inputs give tuples (in forward
    mode lists, as in PyTorch), with the outputs outside. `vectorize` has no effect, but forward
    mode requires it, as in PyTorch.

    >>> import minigrad as mg
    >>> mg.autograd.functional.jacobian(lambda x: x * x, mg.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if strategy not in ("reverse-mode", "forward-mode"):
        raise AssertionError(
            f'{EXPECTED} Hint: If your function has more outputs than inputs, "forward-mode" tends '
            'to be more performant. Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode":
        for wanted, name, kind in (
            (create_graph, "create_graph", NotImplementedError),
            (strict, "strict", RuntimeError),
        ):
            if wanted:
                raise kind(
                    f"torch.autograd.functional.jacobian: `{name}=True` and "
                    '`strategy="forward-mode"` are not supported together (yet). Please either set '
                    f'`{name}=False` or `strategy="reverse-mode"`.'
                )
        if not vectorize:
            raise NotImplementedError(
                "Computing Jacobian using forward-AD or forward-over-reverse Hessian is only "
                "implemented for `vectorize=True`."
            )
        return columns(func, inputs)
    if strict and vectorize:
        raise RuntimeError(
            "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not "
            "supported together. Please either set `strict=False` or `vectorize=False`."
        )
    with enable_grad():
        several, given = tensors(inputs, "inputs", "jacobian")
        points = detach_inputs(given, create_graph)
        several_out, outputs = results(func, points, strict, "jacobian")
        whole = tuple(
            rows(out, points, create_graph, independent(number) if strict else "")
            for number, out in enumerate(outputs)
        )
    whole = detach_results(whole, create_graph)
    found = tuple(unpacked(several, each) for each in whole)
    return unpacked(several_out, found)


def columns(func: Func, inputs: Any) -> Any:
    """Return the Jacobian of `func` column by column: the outputs' tangents by input element."""
    several, given = tensors(inputs, "inputs", "jacobian")
    several_out = False
    found: list[list[Any]] = []
    outputs: Any = ()
    for place, moving in enumerate(given):
        # once for an empty input, for the outputs' shapes
        for index in range(max(1, moving.numel())):
            step = np.zeros(moving.numel(), moving._array.dtype)
            step[index : index + 1] = 1
            with dual_level():
                points = [x.detach() for x in given]
                tangent = new_tensor(step.reshape(moving._array.shape))
                points[place] = make_dual(points[place], tangent)
                several_out, outputs = tensors(func(*points), "outputs", "None")
                column = [unpack_dual(out).tangent for out in outputs]
            if index < moving.numel():
                found.append(
                    [
                        new_tensor(np.zeros_like(out._array)) if t is None else t
                        for out, t in zip(outputs, column, strict=True)
                    ]
                )
    whole = []
    for number, out in enumerate(outputs):
        moved = iter([column[number].reshape(-1) for column in found])
        lines = [[next(moved) for _ in range(x.numel())] for x in given]
        whole.append(
            [
                stack_rows(line, out.reshape(-1)).T.reshape((*out.shape, *x.shape))
                for line, x in zip(lines, given, strict=True)
            ]
        )
    return unpacked(several_out, [unpacked(several, each) for each in whole])


def stack_rows(line: Sequence[Any], like: Any) -> Any:
    """Stack rows; the operation is recorded, so the result can be differentiated."""
    if not line:
        return like.new_zeros(0, *like.shape)
    return stack(line)


def independent(output: int) -> str:
    return INDEPENDENT.replace("The output", f"Output {output}")


def rows(out: Any, points: Sequence[Any], create_graph: bool, missing: str) -> tuple[Any, ...]:
    """Return the Jacobian of one output with respect to each point.

    `missing` is strict mode's error for a point on which the output does not depend.
    """
    flat = out.reshape(-1)
    lines: list[list[Any]] = [[] for _ in points]
    for index in range(flat.numel()):
        one = np.zeros_like(flat._array)
        one[index] = 1
        how = {"create_graph": create_graph, "retain_graph": True}
        row = slopes((flat,), points, (new_tensor(one),), missing, **how)
        for line, each in zip(lines, row, strict=True):
            demand((each,), bool(missing) and create_graph, NOT_RECORDED.format("jacobian"))
            line.append(each)
    return tuple(
        stack(line).reshape((*out.shape, *x.shape)) for line, x in zip(lines, points, strict=True)
    )


@overload
def hessian(
    func: Callable[[Tensor], Tensor], inputs: Tensor, *args: Any, **kwargs: Any
) -> Tensor: ...
@overload
def hessian(
    func: Func, inputs: tuple[Tensor, ...], *args: Any, **kwargs: Any
) -> tuple[tuple[Tensor, ...], ...]: ...
def hessian(
    func: Func,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """Return the Hessian of a function with a single element as its result.

    It is the Jacobian of the gradient, computed backwards, or forwards with
    `outer_jacobian_strategy="forward-mode"`.

    >>> import minigrad as mg
    >>> mg.autograd.functional.hessian(lambda x: (x**3).sum(), mg.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    several, _ = tensors(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("reverse-mode", "forward-mode"):
        raise AssertionError(EXPECTED)

    def gradient(*points: Any) -> tuple[Any, ...]:
        if outer_jacobian_strategy == "forward-mode":
            points = tuple(point.requires_grad_() for point in points)
        out = scalar(func, points, strict, "hessian")
        found = slopes((out,), points, (None,), create_graph=True)
        demand(found, strict, LINEAR)
        return found

    given = inputs if several else (inputs,)
    how = (create_graph, strict, vectorize, outer_jacobian_strategy)
    whole = jacobian(gradient, given, *how)
    return whole if several else whole[0][0]


def scalar(func: Func, points: Sequence[Any], strict: bool, where: str) -> Any:
    """Return the result of `func`, which must be a single element."""
    several, (out, *others) = results(func, points, strict, where)
    if several or others:
        raise RuntimeError(f"The function given to {where} should return a single Tensor")
    if out.numel() != 1:
        returned = f"The Tensor returned by the function given to {where}"
        raise RuntimeError(f"{returned} should contain a single element")
    return out


@overload
def vhp(
    func: Callable[[Tensor], Tensor], inputs: Tensor, *args: Any, **kwargs: Any
) -> tuple[Tensor, Tensor]: ...
@overload
def vhp(
    func: Func, inputs: tuple[Tensor, ...], *args: Any, **kwargs: Any
) -> tuple[Tensor, tuple[Tensor, ...]]: ...
def vhp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return the result of `func`, and the product of `v` with its Hessian: two backward passes."""
    return with_hessian("vhp", func, inputs, v, create_graph, strict)


def with_hessian(
    where: str, func: Func, inputs: Any, v: Any, create_graph: bool, strict: bool
) -> tuple[Any, Any]:
    """Compute `vhp`, and `hvp`, which are equal as a Hessian is symmetric."""
    missing = INDEPENDENT if strict else ""
    with enable_grad():
        several, given = tensors(inputs, "inputs", where)
        points = detach_inputs(given, create_graph)
        vectors = checked_vector(v, points, several, where)
        out = scalar(func, points, strict, where)
        first = slopes((out,), points, (None,), missing, create_graph=True)
        demand(first, strict, LINEAR)
        product = slopes(first, points, vectors, missing, create_graph=create_graph)
    demand(product, strict and create_graph, NOT_RECORDED.format("hessian"))
    return detach_results(out, create_graph), detach_results(
        unpacked(several, product), create_graph
    )


@overload
def hvp(
    func: Callable[[Tensor], Tensor], inputs: Tensor, *args: Any, **kwargs: Any
) -> tuple[Tensor, Tensor]: ...
@overload
def hvp(
    func: Func, inputs: tuple[Tensor, ...], *args: Any, **kwargs: Any
) -> tuple[Tensor, tuple[Tensor, ...]]: ...
def hvp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return the result of `func`, and the product of its Hessian with `v`.

    A Hessian is symmetric, so this is `vhp`; PyTorch computes it with an additional pass.
    """
    return with_hessian("hvp", func, inputs, v, create_graph, strict)


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
