"""Element types: what comes out when types mix, for every pair of them and for Python's numbers.

Promotion itself is proved in test_dtypes.py; here it is what operations make of it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from tests.parity import caught, same

DTYPES = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool")
NUMBERS = (True, 3, 2.5)

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "==": operator.eq,
    "<": operator.lt,
}


def made(T: Any, dtype: str, *, single: bool = False) -> Any:
    values: Any = [1, 0, 1] if dtype == "bool" else [1, 2, 3]
    return T.tensor(values[0] if single else values, dtype=getattr(T, dtype))


def outcome(function: Callable[[], Any]) -> Any:
    """The result, or the type of the error where PyTorch refuses (bool - bool, for one)."""
    try:
        return function()
    except (RuntimeError, TypeError) as error:
        return type(error).__name__


@pytest.mark.parametrize("sign", BINARY)
def test_two_tensors(torch: Any, sign: str) -> None:
    def program(T: Any) -> Any:
        return [
            outcome(lambda a=a, b=b: BINARY[sign](made(T, a), made(T, b)))
            for a, b in product(DTYPES, DTYPES)
        ]

    same(torch, program)


@pytest.mark.parametrize("sign", BINARY)
def test_a_tensor_and_a_single_one(torch: Any, sign: str) -> None:
    """A 0-d tensor decides only where it is of a higher kind."""

    def program(T: Any) -> Any:
        return [
            [
                outcome(lambda a=a, b=b: BINARY[sign](made(T, a), made(T, b, single=True))),
                outcome(lambda a=a, b=b: BINARY[sign](made(T, a, single=True), made(T, b))),
                outcome(
                    lambda a=a, b=b: BINARY[sign](made(T, a, single=True), made(T, b, single=True))
                ),
            ]
            for a, b in product(DTYPES, DTYPES)
        ]

    same(torch, program)


@pytest.mark.parametrize("sign", BINARY)
def test_a_tensor_and_a_number(torch: Any, sign: str) -> None:
    def program(T: Any) -> Any:
        return [
            [
                outcome(lambda a=a, n=n: BINARY[sign](made(T, a), n)),
                outcome(lambda a=a, n=n: BINARY[sign](n, made(T, a))),
                outcome(lambda a=a, n=n: BINARY[sign](made(T, a, single=True), n)),
            ]
            for a, n in product(DTYPES, NUMBERS)
        ]

    same(torch, program)


@pytest.mark.parametrize("name", ["exp", "log", "sqrt", "sin", "tanh", "sigmoid", "reciprocal"])
def test_functions_of_integers_are_floats(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        return [getattr(T, name)(made(T, dtype)) for dtype in DTYPES if dtype != "float16"]

    same(torch, program)


@pytest.mark.parametrize("name", ["neg", "abs", "relu", "sign"])
def test_functions_that_keep_the_type(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        return [outcome(lambda d=d: getattr(T, name)(made(T, d))) for d in DTYPES]

    same(torch, program)


def test_sums(torch: Any) -> None:
    """Sums of integers and booleans are int64; a mean wants floats."""

    def program(T: Any) -> Any:
        return [
            [
                made(T, d).sum(),
                made(T, d).sum(0),
                made(T, d).sum(dtype=T.float64),
                outcome(lambda d=d: made(T, d).mean()),
                made(T, d).mean(dtype=T.float32),
            ]
            for d in DTYPES
        ]

    same(torch, program)


@pytest.mark.parametrize(("source", "target"), list(product(DTYPES, DTYPES)))
def test_conversion(torch: Any, source: str, target: str) -> None:
    def program(T: Any) -> Any:
        x = T.tensor([0, 1, 3], dtype=getattr(T, source))
        return x.to(getattr(T, target)), x.to(x.dtype) is x

    same(torch, program)


def test_fractions_to_integers(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.tensor([-1.7, -0.5, 0.5, 1.7, 100.9])
        return x.int(), x.long(), x.bool(), x.to(T.int8), x.half(), x.double()

    same(torch, program)


@pytest.mark.parametrize(("target", "given"), list(product(DTYPES, DTYPES)))
def test_in_place(torch: Any, target: str, given: str) -> None:
    """The target keeps its type, or the write is refused."""

    def program(T: Any) -> Any:
        x, y = made(T, target), made(T, given)
        return [
            outcome(lambda: x.clone().add_(y)),
            outcome(lambda: x.clone().mul_(y)),
            outcome(lambda: x.clone().copy_(y)),
            outcome(lambda: x.clone().fill_(2)),
            outcome(lambda: x.clone().fill_(2.5)),
            x,
        ]

    same(torch, program)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_gradients_have_the_type_of_their_tensor(torch: Any, dtype: str) -> None:
    def program(T: Any) -> Any:
        found = []
        for other in ("float16", "float32", "float64", "int64"):
            x = made(T, dtype).requires_grad_()
            y = made(T, other)
            ((x * y).sum() * 2).backward()
            found.append(x.grad)
        return found

    same(torch, program)


def test_float16_is_rounded_once(torch: Any) -> None:
    """Where PyTorch computes in float32 and rounds at the end. (Floats are compared exactly.)"""

    def program(T: Any) -> Any:
        x = (T.arange(40.0) / 7 - 3).half()
        x.requires_grad_()
        x.tanh().backward(T.ones_like(x))
        y, F, slopes = x.detach(), T.nn.functional, []
        for f in (F.gelu, F.silu, F.elu, F.leaky_relu, F.softplus, T.sigmoid):
            slopes += T.autograd.grad(f(x[3:]), x, y[3:])
        slopes += T.autograd.grad(F.elu(x * 1, inplace=True), x, y)
        found = [
            *slopes,
            *(y * 0.1, y / 0.3, 0.3 / (y + 0.1), y**3, y.tanh(), x.grad),
            *(y.clone().mul_(0.1), y.clone().div_(0.3), y + 0.1, y.clone().sub_(0.1)),
            *(y.sum(), y.mean(), y.norm(), y.cumsum(0)),
            T.nn.functional.avg_pool2d(y.view(1, 4, 10), 3),
        ]
        return [each.double().tolist() for each in found]

    same(torch, program)


def test_default_dtype(torch: Any) -> None:
    def program(T: Any) -> Any:
        try:
            T.set_default_dtype(T.float64)
            return [
                T.tensor(1.5),
                T.ones(2),
                T.arange(3.0),
                T.arange(3),
                T.tensor([1, 2]) / 2,
                T.tensor([1, 2]) * 1.5,
                T.exp(T.tensor([1])),
                T.get_default_dtype(),
                caught(lambda: T.set_default_dtype(T.int64), "only floating-point types"),
            ]
        finally:
            T.set_default_dtype(T.float32)

    same(torch, program)
