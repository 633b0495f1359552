"""How results lie in memory: as PyTorch lays them, whatever the layout of the operands.

Compared are the strides of all dimensions of more than one element; those of the others say nothing
about where an element is.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.ops.tables.families import TABLES
from tests.parity import make_inputs, same, variants


def steps(tensor: Any) -> list[int]:
    """The strides that matter."""
    if not tensor.numel():
        return []
    return [s for s, size in zip(tensor.stride(), tensor.shape, strict=True) if size > 1]


@pytest.mark.parametrize("family", TABLES)
def test_results_of_the_tables(torch: Any, family: str) -> None:
    for case in TABLES[family]:
        if case.name == "a[True]":
            continue  # here a copy of its own; PyTorch keeps the order of a view that it expands
        for inputs, dtype, strided in variants(case):

            def program(
                T: Any, case: Any = case, inputs: Any = inputs, d: Any = dtype, s: Any = strided
            ) -> Any:
                made = case.function(T, *make_inputs(T, case, inputs, d, s))
                listed = made if isinstance(made, (tuple, list)) else [made]
                return case.name, [steps(out) for out in listed if isinstance(out, T.Tensor)]

            same(torch, program)


OPERATIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    "exp": (1, lambda T, a: T.exp(a)),
    "plus a number": (1, lambda T, a: 1 + a),
    "relu": (1, lambda T, a: T.relu(a)),
    "gelu": (1, lambda T, a: T.nn.functional.gelu(a)),
    "clamp": (1, lambda T, a: a.clamp(0, 1)),
    "isnan": (1, lambda T, a: a.isnan()),
    "double": (1, lambda T, a: a.double()),
    "clone": (1, lambda T, a: a.clone()),
    "zeros_like": (1, lambda T, a: T.zeros_like(a)),
    "sort": (1, lambda T, a: a.sort(0)[0]),
    "cumsum": (1, lambda T, a: a.cumsum(0)),
    "sum": (1, lambda T, a: a.sum(0)),
    "softmax": (1, lambda T, a: a.softmax(0)),
    "new_zeros": (1, lambda T, a: a.new_zeros(a.shape)),
    "add": (2, lambda T, a, b: a + b),
    "mul": (2, lambda T, a, b: a * b),
    "div": (2, lambda T, a, b: a / b),
    "pow": (2, lambda T, a, b: a**b),
    "less": (2, lambda T, a, b: a < b),
    "and": (2, lambda T, a, b: T.logical_and(a, b)),
    "maximum": (2, lambda T, a, b: T.maximum(a, b)),
    "where": (3, lambda T, a, b, c: T.where(a > 5, b, c)),
    "clamp to tensors": (3, lambda T, a, b, c: T.clamp(a, b, c)),
}

Plan = tuple[list[int], list[str], list[int]]
"""Of a tensor: its shape, how each dimension came about, and the order of dimensions in memory."""


def planned(draw: random.Random, shape: list[int], expanded: bool) -> Plan:
    order = draw.sample(range(len(shape)), len(shape))
    kinds = [draw.choice(["plain", "plain", "gaps"]) for _ in shape]
    # At most one dimension, and none of size 1 next to it: for a dimension without a definite
    # order, PyTorch uses meaningless strides.
    if expanded and len(shape) > 1 and 1 not in shape and draw.random() < 0.3:
        kinds[draw.randrange(len(shape))] = "expanded"
    return shape, kinds, order


def laid(T: Any, plan: Plan) -> Any:
    """Zeros with the layout of a plan."""
    shape, kinds, order = plan
    sizes = {"plain": lambda n: n, "gaps": lambda n: 2 * n, "expanded": lambda n: 1}
    x = T.zeros([sizes[kinds[d]](shape[d]) for d in order])
    for place, d in enumerate(order):
        if kinds[d] == "gaps":
            x = x[(slice(None),) * place + (slice(None, None, 2),)]
        elif kinds[d] == "expanded":
            x = x.expand(*[shape[d] if p == place else n for p, n in enumerate(x.shape)])
    return x.permute([order.index(d) for d in range(len(shape))])


@pytest.mark.parametrize("name", OPERATIONS)
def test_random_layouts(torch: Any, name: str) -> None:
    count, function = OPERATIONS[name]
    draw = random.Random(name)
    for _ in range(60):
        shape = [draw.choice([1, 2, 2, 3]) for _ in range(draw.choice([1, 2, 2, 3, 4]))]
        plans = [planned(draw, shape, count > 1)]
        for _ in range(count - 1):
            kept = shape[draw.randint(0, len(shape)) :] if draw.random() < 0.4 else shape
            plans.append(planned(draw, [1 if draw.random() < 0.1 else n for n in kept], True))

        def program(T: Any, plans: Any = plans) -> Any:
            tensors = [laid(T, plan) for plan in plans]
            return [str(plans), steps(function(T, *tensors))]

        same(torch, program)


def test_the_first_operand_decides(torch: Any) -> None:
    def program(T: Any) -> Any:
        a, b = T.zeros(2, 3), T.zeros(3, 2).t()
        g = T.autograd.grad(
            (a.requires_grad_() * b).sum(), a, create_graph=True, materialize_grads=True
        )[0]
        return [steps(a + b), steps(b + a), steps(b < a), steps(g * b), (b + a).is_contiguous()]

    same(torch, program)


def test_draws_follow_the_memory(torch: Any) -> None:
    """Where a tensor is not contiguous, its elements are drawn in the order in which they lie."""

    def program(T: Any) -> Any:
        found = []
        for x in (
            T.zeros(2, 3).t(),
            T.zeros(5, 7).t(),
            T.zeros(4, 6)[:, ::2],
            T.zeros(6, 4, 5).permute(2, 0, 1),
            T.zeros(3).expand(4, 3),
        ):
            found += [T.rand_like(x), T.randn_like(x), T.randint_like(x, 0, 9)]
            found += [x.clone().uniform_(1, 2), x.clone().normal_(), x.clone().bernoulli_(0.5)]
            found += [T.nn.functional.dropout(x + 1, 0.5), T.nn.init.normal_(x.clone())]
        return found, [steps(x) for x in found]

    same(torch, program)
