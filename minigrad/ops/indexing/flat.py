"""Elements by their number in reading order: take and put."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.determinism import check_deterministic
from ...arrays.messages import type_word
from ...core.node import TensorBase
from ...core.operation import ALWAYS, apply, zeros_for
from ..public.dims import truth_value
from ..public.factories import Call, applied
from ..public.functions import schema
from ..public.kinds import ShapeOperation
from .gathering import outside


class TakeBackward0(ShapeOperation):
    """The elements with the numbers `index`."""

    saves = {"index": ALWAYS, "self": ALWAYS}
    rule = r"\bar a[i] \mathrel{+}= g"

    def forward(self: Any, /, index: Any) -> Any:
        return self.reshape(-1)[index]

    def gradient(g: Any, index: Any, self: Any) -> Any:
        return PutBackward0.on(zeros_for(g, self.shape), g, index, True)


class PutBackward0(ShapeOperation):
    """`self` with the elements of `source` written to, or added at, the numbers `index`."""

    saves = {"index": ALWAYS, "source": ALWAYS}
    rule = r"\bar a = g, \text{ but } 0 \text{ at } i; \qquad \bar b = g[i]"

    def forward(self: Any, source: Any, /, index: Any, accumulate: bool) -> Any:
        result = self.reshape(-1).copy()
        if accumulate:
            np.add.at(result, index.reshape(-1), source.reshape(-1))
        else:
            result[index.reshape(-1)] = source.reshape(-1)
        expanded = 0 in self.strides
        found = np.zeros_like(self, order="C" if expanded else "K")
        found[...] = result.reshape(self.shape)
        return found

    def gradient(g: Any, index: Any, source: Any, accumulate: bool) -> Any:
        def left() -> Any:
            return g if accumulate else PutBackward0.on(g, zeros_for(source), index, False)

        return left, lambda: TakeBackward0.on(g, index).reshape(source.shape)


def check_numbers(name: str, input: Any, index: Any) -> None:
    """Raise if `index` does not hold numbers of elements of `input`.

    Raises:
        IndexError, RuntimeError: an element is out of range, or of another dtype.
    """
    place, size = index._array, input._array.size
    if place.dtype != np.int64:
        wanted = "Expected a long tensor for index, but got"
        raise RuntimeError(f"{name}(): {wanted} {type_word(place.dtype)}")
    if place.size and not size:
        tried = "tried to take from" if name == "take" else "Tried to put elements into"
        raise IndexError(f"{name}(): {tried} an empty tensor")
    wrong = outside(place, size, -size)
    if wrong is not None:
        tried = f"tried to access index {wrong} on a tensor of {size} elements."
        raise IndexError(f"out of range: {tried}")


@schema("take(Tensor input, Tensor index, *, Tensor out=None)")
def take(input: Any, index: Any) -> TensorBase:
    """Return the elements whose numbers, in reading order, are in `index`.

    >>> import minigrad as mg
    >>> mg.take(mg.tensor([[1, 2], [3, 4]]), mg.tensor([0, 3]))
    tensor([1, 4])
    """
    check_numbers("take", input, index)
    return apply(TakeBackward0, input, index)


@applied("put(Tensor input, Tensor index, Tensor source, bool accumulate=False)", apart=True)
def put(input: Any, index: Any, source: Any, accumulate: Any = False) -> Call:
    """Write, or with `accumulate` add, elements of `source` to the numbers `index`."""
    into, given, place = input._array, source._array, index._array
    if place.dtype == np.int64 and into.dtype != given.dtype:
        types = f"self.dtype = {type_word(into.dtype)} and source.dtype = {type_word(given.dtype)}"
        wanted = "self and source expected to have the same dtype, but got"
        raise RuntimeError(f"put_(): {wanted} {types}")
    if place.dtype == np.int64 and place.size != given.size:
        sizes = f"source.numel() = {given.size}, index.numel() = {place.size}"
        wanted = "Expected source and index to have the same number of elements, but got"
        raise IndexError(f"put_(): {wanted} {sizes}")
    check_numbers("put_", input, index)
    adding = truth_value(accumulate)
    if not adding:
        check_deterministic("put_")
    return PutBackward0, (source, index, adding)


class FlatMethods(TensorBase):
    """The methods of this file."""

    take, put, put_ = take.method, put.method, put.in_place.method
