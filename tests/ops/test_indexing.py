"""Indexing, read and write: random indices against PyTorch.

A hypothesis strategy makes shapes, and indices of every kind: numbers, slices, None, `...`, bools,
tensors, lists and masks, alone and mixed, now and then out of range. Both libraries read or write
there and differentiate twice; compared is everything that can be seen.
"""

from __future__ import annotations

import math
import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from tests.parity import caught, same, saved_text
from tests.record import answer, examples

SIZES = st.sampled_from([0, 1, 1, 2, 2, 3, 3, 4])
SHAPES = st.lists(SIZES, max_size=4).map(tuple)

Item = tuple[str, Any]
"""One item of an index as plain data: its kind, and what it is made of."""


@st.composite
def items(draw: Any, size: int) -> Item:
    """An item for a dimension of this size; now and then it is out of range."""
    inside = st.integers(-size, max(size - 1, -size))
    kind = draw(
        st.sampled_from("number number slice slice none bool tensor tensor list 0-d".split())
    )
    if kind == "number":
        return kind, draw(st.one_of(inside, inside, inside, st.integers(-5, 5)))
    if kind == "slice":
        bound = st.one_of(st.none(), st.integers(-size - 2, size + 2))
        return kind, (draw(bound), draw(bound), draw(st.sampled_from([None, 1, 2, 3])))
    if kind == "none":
        return kind, None
    if kind == "bool":
        return kind, draw(st.booleans())
    if kind == "0-d":
        return "tensor", np.array(draw(inside), dtype=np.int64)
    shape = draw(st.sampled_from([(2,), (2,), (1,), (3,), (0,), (1, 2), (2, 1)]))
    count = math.prod(shape)
    values = draw(st.lists(inside, min_size=count, max_size=count))
    return kind, np.array(values, dtype=np.int64).reshape(shape)


@st.composite
def indices(draw: Any) -> tuple[tuple[int, ...], list[Item]]:
    """A shape, and an index for it."""
    shape = draw(SHAPES)
    index: list[Item] = []
    dim = 0
    while dim < len(shape) and draw(st.integers(0, 5)):
        if draw(st.integers(0, 4)) == 0:
            rank = min(draw(st.integers(1, 2)), len(shape) - dim)
            covered = shape[dim : dim + rank]
            count = math.prod(covered)
            bits = draw(st.lists(st.booleans(), min_size=count, max_size=count))
            index.append(("tensor", np.array(bits, dtype=bool).reshape(covered)))
            dim += rank
            continue
        item = draw(items(shape[dim]))
        index.append(item)
        dim += item[0] not in ("none", "bool")
    if draw(st.integers(0, 2)) == 0:
        index.insert(draw(st.integers(0, len(index))), ("...", None))
    return shape, index


def built(T: Any, index: list[Item]) -> Any:
    """The index itself; a single item is not packed into a tuple."""
    made: list[Any] = []
    for kind, value in index:
        if kind == "slice":
            made.append(slice(*value))
        elif kind == "...":
            made.append(...)
        elif kind == "tensor":
            made.append(T.tensor(value))
        elif kind == "list":
            made.append(value.tolist())
        else:
            made.append(value)
    return made[0] if len(made) == 1 else tuple(made)


def differentiated(T: Any, result: Any, sources: list[Any]) -> Any:
    """First and second derivatives of a result, weighted so that no two elements look alike."""
    if not result.requires_grad or not result.numel():
        return []
    count = math.prod(result.shape)
    weights = T.tensor(np.cos(np.arange(count)).reshape(tuple(result.shape)), dtype=T.float64)
    weights.requires_grad_()
    first = T.autograd.grad(result, sources, weights, create_graph=True, allow_unused=True)
    live = [g for g in first if g is not None and g.requires_grad]
    second = (
        T.autograd.grad(sum((g * g).sum() for g in live), [*sources, weights], allow_unused=True)
        if live
        else ()
    )
    return [None if g is None else g.detach().clone() for g in (*first, *second)]


def refused(action: Any) -> Any:
    """Return the result of an action, or its error.

    Of an error only the type is compared: which of several things wrong with an index is found
    first is PyTorch's affair.
    """
    try:
        return action()
    except (IndexError, RuntimeError, TypeError, ValueError) as error:
        return type(error).__name__


def source(T: Any, shape: tuple[int, ...]) -> Any:
    values = np.arange(1.0, math.prod(shape) + 1).reshape(shape)
    return T.tensor(values, dtype=T.float64).requires_grad_()


@examples(case=indices(), max_examples=300)
def test_reading(torch: Any, case: tuple[tuple[int, ...], list[Item]]) -> None:
    shape, index = case

    def program(T: Any) -> Any:
        x = source(T, shape)

        def read() -> Any:
            y = x[built(T, index)]
            return y, y.is_contiguous(), saved_text(y), differentiated(T, y, [x])

        return refused(read)

    same(torch, program)


VALUES = st.sampled_from(["number", "exact", "exact", "ones", "tail", "0-d", "other"])


def shape_of(T: Any, shape: tuple[int, ...], index: list[Item]) -> tuple[int, ...]:
    """The shape of what an index chooses, if it is not refused."""
    try:
        return tuple(T.zeros(shape)[built(T, index)].shape)
    except (IndexError, ValueError, TypeError):
        return ()


@examples(case=indices(), values=VALUES, max_examples=300)
def test_writing(torch: Any, case: tuple[tuple[int, ...], list[Item]], values: str) -> None:
    shape, index = case
    target = answer(torch, shape_of, shape, index)
    fitting = {
        "exact": target,
        "ones": (1, *target),
        "tail": target[1:],
        "0-d": (),
        "other": (3,),
    }

    def program(T: Any) -> Any:
        x = source(T, shape)
        y = x * 2
        given_values = 3.5 if values == "number" else source(T, fitting[values])

        def write() -> Any:
            y[built(T, index)] = given_values
            sources = [x] if values == "number" else [x, given_values]
            return y, differentiated(T, y, sources)

        return refused(write)

    same(torch, program)


@pytest.mark.filterwarnings("ignore:Using a non-tuple sequence")
@pytest.mark.parametrize(
    "index",
    [
        [[0, 1], [1, 2]],
        [[0, 1]],
        [slice(0, 1)],
        [True, False, True],
        range(2),
        np.array([0, 2]),
        np.array([True, False, True]),
        np.int64(1),
        np.array(1),
        [],
        [1.5],
        (..., ...),
        (..., 0, ...),
        (np.array([0, 1]), None, np.array([0, 1])),
    ],
    ids=repr,
)
def test_accepted_types_of_index(torch: Any, index: Any) -> None:
    same(torch, lambda T: source(T, (3, 3))[index])


@pytest.mark.parametrize(
    "value", [True, 2, 2.7, np.float64(2.5), np.int64(3)], ids=lambda v: type(v).__name__
)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint8", "bool"])
def test_number_takes_the_tensor_s_dtype(torch: Any, value: Any, dtype: str) -> None:
    def program(T: Any) -> Any:
        x = T.zeros(3, dtype=getattr(T, dtype))
        x[0] = value
        x[T.tensor([1])] = value
        return x

    same(torch, program)


def test_positions_unchecked_for_empty_selection(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.zeros(2, 0, 1, requires_grad=True)
        y = x[..., T.tensor([1])]
        y.sum().backward()
        return y, x.grad

    same(torch, program)


def test_places_unchecked_for_empty_selection(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.zeros(2, 0, 1)
        x[..., T.tensor([0, 7])] = 1.0
        x[T.tensor([5])] = T.ones(1, 0, 1)
        return x, x[..., T.tensor([0, 7])], x[T.tensor([[5], [9]])]

    same(torch, program)


def test_values_of_too_many_dimensions(torch: Any) -> None:
    """An assignment that cannot expand raises the error of `expand`."""

    def program(T: Any) -> list[Any]:
        leaf, plain = T.tensor([1.0, 2.0], requires_grad=True), T.tensor([1.0, 2.0])
        return [
            caught(partial(x.__setitem__, 0, values))
            for x in (leaf, plain)
            for values in (x, x * 2)
        ]

    same(torch, program)


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "uint8"])
@pytest.mark.parametrize("number", [7.5, 1e30])
@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_masked_assignment_converts_one_element(
    torch: Any, dtype: str, number: float, shape: tuple[int, ...]
) -> None:
    """It is written as a number would be; what several masks or positions choose is not."""

    def program(T: Any) -> list[Any]:
        mask = T.tensor([True, False, True])
        indices = [mask, (slice(None), mask), (mask, T.tensor([0, 2])), (0, T.tensor([0, 2]))]
        outcomes: list[Any] = []
        for index in indices:
            x = T.arange(9).reshape(3, 3).to(getattr(T, dtype))
            value = T.full(shape, number, dtype=T.float64)
            try:
                x[index] = value
            except RuntimeError as error:
                outcomes.append(str(error))
            outcomes += [x, x._version]
        return outcomes

    same(torch, program)


@pytest.mark.parametrize("kind", ["bool", "uint8", "int8", "int16", "float32", "float64"])
def test_gather_refuses_other_index_types(torch: Any, kind: str) -> None:
    def program(T: Any) -> Any:
        index = T.zeros(2, 3, dtype=getattr(T, kind))
        return caught(lambda: T.gather(T.ones(2, 3), 1, index))

    same(torch, program)


def test_each_mask_of_bytes_warns(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.arange(24.0).reshape(4, 3, 2)
        rows, columns = (T.tensor(v, dtype=T.uint8) for v in ([1, 0, 1, 0], [1, 1]))
        counts = []
        for index in ((rows, slice(None), columns), (rows,)):
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                _ = x[index]
                x[index] = T.ones(()).expand(x[index].shape)
            counts.append(len(told))
        return counts, x

    same(torch, program)
