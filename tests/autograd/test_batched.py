"""`grad` for many directions at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.core.test_regressions import outcome
from tests.parity import caught, same

Call = Callable[..., Any]


def directions(T: Any) -> Any:
    """The same gradients as a pass for each, also with several outputs and inputs."""
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    w = T.tensor([2.0, 1.0], requires_grad=True)
    y, eye = x * x, T.eye(3)
    edge = T.autograd.graph.get_gradient_edge

    def grad(*args: Any, **options: Any) -> Any:
        options = {"is_grads_batched": True, "retain_graph": True, **options}
        return outcome(lambda: T.autograd.grad(*args, **options))

    return [
        grad(y, x, eye),
        grad(y, x, T.ones(2, 3)),
        grad([y, w * 2], [x, w], [eye, T.ones(3, 2)]),
        grad(y.sum(), x, T.tensor([1.0, 10.0])),
        grad(y, {"x": x}, eye),
        grad(edge(y), edge(x), eye),
        grad(y, [x, w], eye, allow_unused=True),
        grad(y, [x, w], eye, materialize_grads=True),
        grad(y, [x, w], eye),
        grad(y, x),
        grad(y, x, T.ones(0, 3)),
        grad([y, w * 2], [x, w], [eye, T.ones(2, 2)]),
        grad(y, x, eye, is_grads_batched=1),
        grad(y, x, eye, retain_graph=False),
        grad(y, x, eye),
    ]


def recorded(T: Any) -> Any:
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    (g,) = T.autograd.grad(x**3, x, T.eye(3), is_grads_batched=True, create_graph=True)
    g.sum().backward()
    return g.detach(), g.requires_grad, x.grad


@pytest.mark.parametrize("program", [directions, recorded], ids=lambda program: program.__name__)
def test_same_as_torch(torch: Any, program: Any) -> None:
    same(torch, program)


def test_shapes_that_do_not_fit(torch: Any) -> None:
    """(PyTorch's sentence goes on with a wrong shape.)"""

    def program(T: Any) -> Any:
        x = T.ones(3, requires_grad=True)

        def grad(v: Any) -> str:
            return caught(
                lambda: T.autograd.grad(x * x, x, v, is_grads_batched=True),
                "we interpret the first dimension of each grad_output as the batch dimension",
                "output[0] has a shape of torch.Size([3])",
            )

        return grad(T.ones(3)), grad(T.ones(2, 2))

    same(torch, program)
