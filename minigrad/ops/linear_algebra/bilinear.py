"""The bilinear layer: every feature of the result is a product x1 W x2 with a matrix of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.float16 import widened
from ...arrays.messages import c_name, not_implemented
from ...core.node import TensorBase
from ...core.operation import Operation, apply
from ..public.dims import size_at
from ..public.functions import schema
from ..shapes.shapes import reshape


class TrilinearBackward0(Operation):
    """Three factors multiplied and summed as an Einstein sum `_equation` says."""

    saves = {"i1": -1, "i2": -1, "i3": -1}
    rule = r"\bar x = \sum G \, W \, z, \; \bar W = \sum G \, x \, z, \; \bar z = \sum G \, x \, W"

    @widened
    def forward(i1: Any, i2: Any, i3: Any, /, _equation: str) -> Any:
        return np.einsum(_equation, i1, i2, i3, optimize=True).copy()

    def gradient(g: Any, i1: Any, i2: Any, i3: Any, _equation: str) -> Any:
        operands, _, out = _equation.partition("->")
        names, factors = operands.split(","), (i1, i2, i3)

        def wrt(place: int) -> Any:
            """Return the same sum with `g` in the place of a factor, for which it is."""
            given, letters = [*factors], [*names]
            given[place], letters[place] = g, out
            return TrilinearBackward0.on(*given, f"{','.join(letters)}->{names[place]}")

        return lambda: wrt(0), lambda: wrt(1), lambda: wrt(2)


@schema("bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None)")
def bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> TensorBase:
    """Compute input1 W input2 + bias for each matrix W of `weight` [features, size1, size2].

    The inputs have the shapes [..., size1] and [..., size2], the result [..., features].

    >>> import minigrad as mg
    >>> mg.bilinear(mg.tensor([[1.0, 2.0]]), mg.tensor([[3.0]]), mg.ones(1, 2, 1))
    tensor([[9.]])
    """
    one, other, shape = input1._array.shape, input2._array.shape, weight._array.shape
    for axis in (1, 2):
        size_at(shape, axis)
    if len(one) != len(other):
        found = f"input dimensions do not match: got {len(one)} and {len(other)}"
        raise RuntimeError(f"bilinear(): {found}")
    for axis, (n, m) in enumerate(zip(one[:-1], other[:-1], strict=True)):
        if n != m:
            raise RuntimeError(
                f"bilinear(): input batch dimensions do not match at dim {axis}: got {n} and {m}"
            )
    for number, (sizes, size) in enumerate(((one, shape[1]), (other, shape[2])), 1):
        if size_at(sizes, -1) != size:
            raise RuntimeError(
                f"bilinear(): input{number} size does not match weight size: got {sizes[-1]} "
                f"but expected {size}"
            )
    if bias is not None and size_at(bias._array.shape, 0) != shape[0]:
        raise RuntimeError(
            f"bilinear(): bias size does not match weight size: got {bias._array.shape[0]} "
            f"but expected {shape[0]}"
        )
    named = {"input1": input1, "input2": input2, "weight": weight, "bias": bias}
    given = {name: x._array.dtype for name, x in named.items() if x is not None}
    if len({*given.values()}) > 1:
        words = [f"{name}: {c_name(dtype)}" for name, dtype in given.items()]
        raise RuntimeError(f"All tensors must have the same dtype, got {', '.join(words)}")
    if weight._array.dtype == np.bool_:
        raise not_implemented("bmm", weight._array.dtype)
    rows = [reshape(x, (-1, x._array.shape[-1])) for x in (input1, input2)]
    products = apply(TrilinearBackward0, rows[0], weight, rows[1], "ni,oij,nj->no")
    result: Any = reshape(products, (*one[:-1], shape[0]))
    return result if bias is None else result + bias  # type: ignore[no-any-return]
