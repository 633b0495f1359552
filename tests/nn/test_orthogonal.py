"""Parametrizations that keep a weight orthogonal: values, gradients, assignment, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.parity import caught, same


@pytest.mark.parametrize("trivial", [True, False])
@pytest.mark.parametrize("way", [None, "matrix_exp", "cayley", "householder"])
@pytest.mark.parametrize("shape", [(3, 3), (3, 5), (5, 3)], ids=str)
def test_orthogonal_weights(torch: Any, shape: Any, way: str | None, trivial: bool) -> None:
    def program(T: Any) -> Any:
        double = T.float64
        layer = T.nn.Linear(*shape, dtype=double)
        made = T.nn.utils.parametrizations.orthogonal(
            layer, "weight", way, use_trivialization=trivial
        )
        print(made)
        weight = made.weight
        factors = T.arange(weight.numel(), dtype=double).view(weight.shape)
        (weight * factors).sum().backward()
        found = [weight.detach(), made.parametrizations.weight.original.grad]
        T.optim.SGD(made.parameters(), lr=0.01).step()
        found += [made.weight.detach(), sorted(made.state_dict())]
        try:
            made.weight = T.nn.init.orthogonal_(T.empty(weight.shape, dtype=double))
        except NotImplementedError as error:
            return [*found, str(error)]
        return [*found, made.weight.detach()]

    same(torch, program)


def test_a_weight_that_is_orthogonal_stays(torch: Any) -> None:
    def program(T: Any) -> Any:
        layer = T.nn.Linear(4, 4, dtype=T.float64)
        T.nn.init.orthogonal_(layer.weight)
        before = layer.weight.detach().clone()
        made = T.nn.utils.parametrizations.orthogonal(layer)
        return before, made.weight.detach()

    same(torch, program)


REFUSED: dict[str, Callable[[Any, Any], Any]] = {
    "a vector": lambda P, N: P.orthogonal(N.Linear(2, 2), "bias"),
    "no such parameter": lambda P, N: P.orthogonal(N.Linear(2, 2), "scale"),
    "no such map": lambda P, N: P.orthogonal(N.Linear(2, 2), "weight", "qr"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_orthogonal_weights(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        return caught(lambda: REFUSED[name](T.nn.utils.parametrizations, T.nn))

    same(torch, program)
