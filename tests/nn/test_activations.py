"""Activations in place, and those that draw or have no second derivative in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minigrad
from tests.parity import same

PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "hardsigmoid": lambda F, x: F.hardsigmoid(x * 3),
    "rrelu": lambda F, x: F.rrelu(x, training=True),
    "rrelu in place": lambda F, x: F.rrelu(x.clone(), training=True, inplace=True),
    "threshold_": lambda F, x: F.threshold_(x.clone(), 0.1, 3.0),
    **{
        name: lambda F, x, n=name: getattr(F, n)(x.clone())
        for name in ("relu_", "leaky_relu_", "elu_", "selu_", "celu_", "hardtanh_")
    },
    **{
        f"{name} in place": lambda F, x, n=name: getattr(F, n)(x.clone(), inplace=True)
        for name in ("hardsigmoid", "hardswish", "mish", "selu", "celu")
    },
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_and_gradients(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        x = T.randn(3, 4, requires_grad=True)
        out = PROGRAMS[name](T.nn.functional, x)
        (out * out).sum().backward()
        return out.grad_fn.name(), out.detach(), x.grad

    same(torch, program)


DERIVED: dict[str, Callable[[Any, Any], Any]] = {
    **{
        name: lambda F, x, n=name: getattr(F, n)(x)
        for name in (
            *("celu", "glu", "hardshrink", "hardswish", "mish", "rrelu", "selu", "softshrink"),
            *("softsign", "tanhshrink"),
        )
    },
    "glu of columns": lambda F, x: F.glu(x, 0),
    "prelu": lambda F, x: F.prelu(x, x[0]),
    "prelu, one weight": lambda F, x: F.prelu(x, x[0, :1]),
    "threshold": lambda F, x: F.threshold(x, 0.1, 2.0),
}


@pytest.mark.parametrize("name", DERIVED)
def test_second_derivatives(torch: Any, name: str) -> None:
    function = DERIVED[name]

    def program(T: Any) -> Any:
        x = T.randn(2, 4, dtype=T.float64, requires_grad=True)
        out = function(T.nn.functional, x)
        (slope,) = T.autograd.grad((out**2).sum(), x, create_graph=True)
        return out.detach(), out.grad_fn.name(), slope.detach(), T.autograd.grad(slope.sum(), x)

    same(torch, program)
    x = minigrad.randn(2, 4, dtype=minigrad.float64, requires_grad=True)
    assert minigrad.autograd.gradgradcheck(lambda x: function(minigrad.nn.functional, x), x)


def test_derivative_of_hardsigmoid() -> None:
    x = minigrad.randn(5, dtype=minigrad.float64, requires_grad=True)
    assert minigrad.autograd.gradcheck(minigrad.nn.functional.hardsigmoid, x)
