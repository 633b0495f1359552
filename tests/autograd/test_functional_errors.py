"""Refusals of `autograd.functional`, above all in strict mode: each function of it with functions,
inputs and vectors of every kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.core.test_regressions import outcome
from tests.parity import same

NAMES = ("vjp", "jvp", "jacobian", "hessian", "vhp", "hvp")

OF_ONE: dict[str, Callable[..., Any]] = {
    "no tensor": lambda T, x: 3.0,
    "no tensor in a tuple": lambda T, x: (x, 3),
    "a list": lambda T, x: [x, x],
    "nothing": lambda T, x: None,
    "detached": lambda T, x: (x.detach() * 2).sum(),
    "a constant": lambda T, x: T.ones(2, dtype=T.float64),
    "a sum and a constant": lambda T, x: (x.sum(), T.ones((), dtype=T.float64)),
    "independent": lambda T, x: T.ones((), dtype=T.float64, requires_grad=True) * 1,
    "linear": lambda T, x: x.sum() * 2,
    "square": lambda T, x: (x * x).sum(),
    "a vector": lambda T, x: x * x,
    "two": lambda T, x: (x.sum(), (x * x).sum()),
    "one element": lambda T, x: x[:1] ** 2,
    "no element": lambda T, x: x[:0],
    "a tuple of one": lambda T, x: ((x * x).sum(),),
}

OF_TWO: dict[str, Callable[..., Any]] = {
    "the first only": lambda T, a, b: (a * a).sum(),
    "both": lambda T, a, b: (a * a * b).sum(),
    "linear": lambda T, a, b: (a + b).sum(),
    "apart": lambda T, a, b: ((a * a).sum(), b.sum()),
    "a vector": lambda T, a, b: a * b,
    "linear in one": lambda T, a, b: (a * a).sum() + b.sum(),
}


def vectors(T: Any, name: str, several: bool) -> dict[str, Any]:
    if name in ("jacobian", "hessian"):
        return {"": {}}
    one = T.tensor([1.0, 3.0], dtype=T.float64)
    found: dict[str, Any] = {"none": None, "one": one, "two": (one, one), "text": "v"}
    found["short"] = (one, one[:1]) if several else T.ones(3, dtype=T.float64)
    return {key: {"v": vector} for key, vector in found.items()}


def seen(T: Any, found: Any) -> Any:
    """Values, and whether they were recorded: not how, as `hvp` is `vhp` here."""
    if isinstance(found, tuple):
        return [seen(T, each) for each in found]
    return [found.detach(), found.requires_grad] if isinstance(found, T.Tensor) else found


def every_call(T: Any, name: str, several: bool) -> Any:
    call = getattr(T.autograd.functional, name)
    found = {}
    for what, function in (OF_TWO if several else OF_ONE).items():
        for strict in (False, True):
            for create_graph in (False, True):
                for vector, options in vectors(T, name, several).items():
                    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=create_graph)
                    inputs = (x, T.tensor([3.0, 2.0], dtype=T.float64)) if several else x
                    how = {"strict": strict, "create_graph": create_graph, **options}
                    found[f"{what}, {how}, {vector}"] = outcome(
                        lambda f=function, given=inputs, how=how: seen(
                            T, call(lambda *p: f(T, *p), given, **how)
                        )
                    )
    return found


@pytest.mark.parametrize("several", [False, True], ids=["one", "two"])
@pytest.mark.parametrize("name", NAMES)
def test_same_as_torch(torch: Any, name: str, several: bool) -> None:
    same(torch, lambda T: list(every_call(T, name, several).values()))


def test_inputs(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.ones(2)
        return [
            outcome(lambda n=n, i=i: getattr(T.autograd.functional, n)(lambda x: x.sum(), i))
            for n in NAMES
            for i in (3.0, [x], (x, 3), None, "a", ())
        ]

    same(torch, program)


def test_ways_to_the_matrix(torch: Any) -> None:
    """`vectorize=True` gives the same matrix, but cannot be strict."""

    def program(T: Any) -> Any:
        f, x, y = T.autograd.functional, T.tensor([1.0, 2.0]), T.ones(2)
        return [
            outcome(call)
            for call in (
                lambda: f.jacobian(lambda x: x * x, x, vectorize=True),
                lambda: f.hessian(lambda x: (x**3).sum(), x, vectorize=True),
                lambda: f.jacobian(lambda x, y: (x * y, x.sum()), (x, y), vectorize=True),
                lambda: f.jacobian(lambda x, y: x.sum(), (x, y), vectorize=True),
                lambda: f.jacobian(lambda x: T.ones(2), x, vectorize=True),
                lambda: f.jacobian(lambda x: x * x, x, vectorize=True, strict=True),
                lambda: f.hessian(lambda x: (x**3).sum(), x, vectorize=True, strict=True),
                lambda: f.jacobian(lambda x: x * x, x, strategy="sideways"),
                lambda: f.hessian(lambda x: x.sum(), x, outer_jacobian_strategy="sideways"),
            )
        ]

    same(torch, program)
