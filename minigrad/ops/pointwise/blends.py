"""Operations on three tensors, of which optimizers consist: addcmul, addcdiv and lerp.

The three operands are broadcast together. A number among them (`value`, the weight of `lerp`) has
no gradient.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.messages import c_name, check_floating, check_not_bool, check_result
from ...core.inplace import check_in_place, overwrite
from ...core.node import TensorBase
from ...core.operation import ALWAYS, Operation, record
from ...core.promotion import in_common_type
from ..public.factories import as_number, elementwise
from ..public.functions import (
    MISSING,
    Function,
    Public,
    last_name,
    rename_schemas,
    schema,
    warn_of_old_order,
)


class AddcmulBackward0(Operation):
    """self + value * tensor1 * tensor2."""

    inputs = ("self", "tensor1", "tensor2")
    rule = r"\bar a = g, \qquad \bar b = g \cdot v c, \qquad \bar c = g \cdot v b"

    def forward(self: Any, tensor1: Any, tensor2: Any, /, value: Any) -> Any:
        return self + self.dtype.type(value) * tensor1 * tensor2

    def gradient(g: Any, tensor1: Any, tensor2: Any, value: Any) -> Any:
        return g, lambda: g * (tensor2 * value), lambda: g * (tensor1 * value)


class AddcdivBackward0(Operation):
    """self + value * tensor1 / tensor2."""

    inputs = ("self", "tensor1", "tensor2")
    rule = r"\bar a = g, \qquad \bar b = \frac{g v}{c}, \qquad \bar c = -\frac{g v b}{c^2}"

    def forward(self: Any, tensor1: Any, tensor2: Any, /, value: Any) -> Any:
        return self + self.dtype.type(value) * tensor1 / tensor2

    def gradient(g: Any, tensor1: Any, tensor2: Any, value: Any) -> Any:
        return (
            g,
            lambda: g * (value / tensor2),
            lambda: -g * (value * tensor1 / (tensor2 * tensor2)),
        )


class LerpBackward0(Operation):
    """self + weight * (end - self), for a number `weight`."""

    inputs = ("self", "end")
    params = ("weight",)
    rule = r"\bar a = g \cdot (1 - w), \qquad \bar b = g \cdot w"

    def forward(self: Any, end: Any, /, weight: Any) -> Any:
        return interpolate(self, end, self.dtype.type(weight))

    def gradient(g: Any, weight: Any) -> Any:
        return lambda: g * (1 - weight), lambda: g * weight


class LerpBackward1(Operation):
    """self + weight * (end - self)."""

    inputs = ("self", "end", "weight")
    saves = {"end": 2, "self": 2, "weight": ALWAYS}
    rule = r"\bar a = g \cdot (1 - w), \qquad \bar b = g \cdot w, \qquad \bar w = g \cdot (b - a)"

    def forward(self: Any, end: Any, weight: Any, /) -> Any:
        return interpolate(self, end, weight)

    def gradient(g: Any, end: Any, self: Any, weight: Any) -> Any:
        return lambda: g * (1 - weight), lambda: g * weight, lambda: g * (end - self)


def interpolate(start: Any, end: Any, weight: Any) -> Any:
    """Interpolate from the nearer of `start` and `end`, so that both are reached exactly."""
    way = end - start
    return np.where(np.absolute(weight) < 0.5, start + weight * way, end - way * (1 - weight))


Found = tuple[type[Operation], tuple[Any, ...], tuple[Any, ...], list[Any]]
"""An operation, its inputs, its params, and the arrays of its inputs."""


def blend(find: Function, *schemas: str) -> tuple[Public, Public]:
    """Make a public function and its in-place form from a function that returns the computation."""

    name = last_name(schemas[-1])
    in_place_schemas = rename_schemas(schemas, f"{name}_")

    def function(input: Any, *args: Any, **kwargs: Any) -> TensorBase:
        if len(args) > 2:
            warn_of_old_order(schemas, False)
        op, inputs, params, arrays = find(input, *args, **kwargs)
        return record(op, inputs, params, elementwise(op.forward, *arrays, *params))

    def in_place(input: Any, *args: Any, **kwargs: Any) -> TensorBase:
        if len(args) > 2:
            warn_of_old_order(in_place_schemas, True)
        check_in_place(input, (input, *args, *kwargs.values()))
        op, inputs, params, arrays = find(input, *args, **kwargs)
        value = elementwise(op.forward, *arrays, *params)
        check_result(value, input._array)
        return overwrite(op, input, inputs, params, value)

    function.__doc__, in_place.__doc__ = find.__doc__, f"`{name}` in place."
    return schema(*schemas)(function), schema(*in_place_schemas, place="Tensor")(in_place)


def product(op: type[Operation], input: Any, tensor1: Any, tensor2: Any, value: Any) -> Found:
    """Return the computation of `addcmul` or `addcdiv`."""
    inputs = (input, tensor1, tensor2)
    if not all(isinstance(each, TensorBase) for each in inputs):
        raise TypeError
    arrays = in_common_type(*inputs)
    number = as_number(value, arrays[0].dtype)
    return op, inputs, (number,), arrays


def add_product(
    input: Any, tensor1: Any, tensor2: Any, last: Any = MISSING, *, value: Any = 1
) -> Found:
    """Compute input + value * tensor1 * tensor2.

    >>> import minigrad as mg
    >>> mg.addcmul(mg.ones(2), mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0]), value=0.5)
    tensor([2.5000, 5.0000])
    """
    if last is not MISSING:  # PyTorch's old order: input, value, tensor1, tensor2
        value, tensor1, tensor2 = tensor1, tensor2, last
    found = product(AddcmulBackward0, input, tensor1, tensor2, value)
    check_not_bool("addcmul_cpu_out", found[3][0].dtype)
    return found


def add_quotient(
    input: Any, tensor1: Any, tensor2: Any, last: Any = MISSING, *, value: Any = 1
) -> Found:
    """Compute input + value * tensor1 / tensor2.

    >>> import minigrad as mg
    >>> mg.addcdiv(mg.ones(2), mg.tensor([1.0, 2.0]), mg.tensor([2.0, 4.0]))
    tensor([1.5000, 1.5000])
    """
    if last is not MISSING:
        value, tensor1, tensor2 = tensor1, tensor2, last
    if tensor1._array.dtype.kind != "f" and tensor2._array.dtype.kind != "f":
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release "
            "addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv "
            "behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2))."
            "to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for "
            "float inputs. The future addcdiv behavior is just the latter implementation: (input + "
            "value * tensor1 / tensor2), for all dtypes."
        )
    return product(AddcdivBackward0, input, tensor1, tensor2, value)


def choose_lerp(input: Any, end: Any, weight: Any) -> Found:
    """Interpolate linearly: input + weight * (end - input).

    >>> import minigrad as mg
    >>> mg.lerp(mg.tensor([0.0, 10.0]), mg.tensor([1.0, 20.0]), 0.5)
    tensor([ 0.5000, 15.0000])
    """
    x, tensors = input._array, {"end": end, "weight": weight}
    for name, tensor in tensors.items():
        if isinstance(tensor, TensorBase) and tensor._array.dtype != x.dtype:
            wanted, found = c_name(x.dtype), c_name(tensor._array.dtype)
            raise RuntimeError(f"expected dtype {wanted} for `{name}` but got dtype {found}")
    if isinstance(weight, TensorBase):
        check_floating("lerp_kernel_tensor", x.dtype)
        return LerpBackward1, (input, end, weight), (), [x, end._array, weight._array]
    check_floating("lerp_kernel_scalar", x.dtype)
    return LerpBackward0, (input, end), (as_number(weight, x.dtype),), [x, end._array]


addcmul, addcmul_ = blend(
    add_product,
    "deprecated addcmul(Tensor input, Scalar value, Tensor tensor1, Tensor tensor2, *, "
    "Tensor out=None)",
    "addcmul(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Tensor out=None)",
)
addcdiv, addcdiv_ = blend(
    add_quotient,
    "deprecated addcdiv(Tensor input, Scalar value, Tensor tensor1, Tensor tensor2, *, "
    "Tensor out=None)",
    "addcdiv(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Tensor out=None)",
)
lerp, lerp_ = blend(
    choose_lerp,
    "lerp(Tensor input, Tensor end, Tensor weight, *, Tensor out=None)",
    "lerp(Tensor input, Tensor end, Scalar weight, *, Tensor out=None)",
)


class BlendMethods(TensorBase):
    """The methods of this file."""

    addcmul, addcmul_ = addcmul.method, addcmul_.method
    addcdiv, addcdiv_ = addcdiv.method, addcdiv_.method
    lerp, lerp_ = lerp.method, lerp_.method
