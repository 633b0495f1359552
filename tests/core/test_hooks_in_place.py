"""A hook that writes to its gradient changes every other use of that tensor, as in PyTorch.

An addition passes one gradient to both of its inputs, so the order of the inputs shows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.parity import same

USES: dict[str, Callable[..., Any]] = {
    "the loss is a sum": lambda T, a, b: (a + b).sum(),
    "a + b": lambda T, a, b: ((a + b) * T.ones(2)).sum(),
    "a + 2 b": lambda T, a, b: (a.add(b, alpha=2) * T.ones(2)).sum(),
    "a - b": lambda T, a, b: ((a - b) * T.ones(2)).sum(),
    "a + b + b": lambda T, a, b: ((a + b + b) * T.ones(2)).sum(),
    "a + a + b": lambda T, a, b: ((a + a + b) * T.ones(2)).sum(),
    "cat": lambda T, a, b: (T.cat([a, b]) * T.ones(4)).sum(),
    "stack": lambda T, a, b: (T.stack([a, b]) * T.ones(2, 2)).sum(),
    "a view of a": lambda T, a, b: ((a.view(2) + b) * T.ones(2)).sum(),
    "where": lambda T, a, b: (T.where(T.tensor([True, False]), a, b) * T.ones(2)).sum(),
    "clones": lambda T, a, b: ((a.clone() + b.clone()) * T.ones(2)).sum(),
}


@pytest.mark.parametrize("name", USES)
@pytest.mark.parametrize("place", range(4))
def test_a_hook_that_writes_to_its_gradient(torch: Any, name: str, place: int) -> None:
    def program(T: Any) -> Any:
        x, y = T.ones(2, requires_grad=True), T.ones(2, requires_grad=True)
        a, b = x * 1, y * 1
        (a, b, x, y)[place].register_hook(lambda g: [g.mul_(10), None][1])
        try:
            USES[name](T, a, b).backward()
        except RuntimeError as error:
            return str(error)
        return x.grad, y.grad

    same(torch, program)


@pytest.mark.parametrize("place", range(4))
def test_the_gradient_that_a_user_gave(torch: Any, place: int) -> None:
    def program(T: Any) -> Any:
        x, y, given = T.ones(2, requires_grad=True), T.ones(2, requires_grad=True), T.ones(2)
        a, b = x * 1, y * 1
        (a, b, x, y)[place].register_hook(lambda g: [g.mul_(10), None][1])
        (a + b).backward(given)
        return given, x.grad, y.grad

    same(torch, program)


@pytest.mark.parametrize("place", range(2))
def test_retained_gradients_and_hooks_on_nodes(torch: Any, place: int) -> None:
    def program(T: Any) -> Any:
        x, y = T.ones(2, requires_grad=True), T.ones(2, requires_grad=True)
        x.grad = T.ones(2)
        a, b = x * 1, y * 1
        z = a + b
        z.retain_grad()
        a.retain_grad()
        (a, b)[place].grad_fn.register_prehook(lambda gs: [gs[0].mul_(10), None][1])
        (z * T.ones(2)).sum().backward()
        return z.grad, a.grad, x.grad, y.grad

    same(torch, program)
