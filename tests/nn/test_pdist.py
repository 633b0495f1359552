"""The distances of all pairs of rows of one matrix."""

from __future__ import annotations

from typing import Any

import pytest

from tests.parity import caught, same


@pytest.mark.parametrize("p", [0.0, 1.0, 2.0, 3.0, float("inf")])
def test_pdist(torch: Any, p: float) -> None:
    def program(T: Any) -> Any:
        x = T.tensor([[0.5, 1.0], [2.0, -1.0], [0.0, 0.25]], requires_grad=True)
        y = T.pdist(x, p)
        (g,) = T.autograd.grad((y * T.tensor([1.0, 2.0, 3.0])).sum(), x, create_graph=True)
        again = caught(lambda: T.autograd.grad(g.sum(), x))
        return y.detach(), y.grad_fn.name(), g.detach(), T.pdist(x.detach()[:1]), again

    same(torch, program)
